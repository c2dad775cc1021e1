import { only } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { nameIn, primarySubtags } from '../names/languages.ts';
import { DataMoved } from './reads.ts';
import type { CachedTileBoundary, TileBoundary, TileMemory, TileView } from './tile_model.ts';

/** Boundaries in one tile; the lowest admin_level first, then the largest. */
const MOST_BOUNDARIES = 2_000;

/** admin_level used for boundaries without one. */
const WITHOUT_LEVEL = 13;

interface Row {
  readonly revision: number;
  readonly id: string | null;
  readonly name: string;
  readonly kind: string;
  readonly admin_level: number | null;
  readonly country: string | null;
  readonly disputed: boolean;
  readonly ring_hash: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly area_km2: number | null;
  readonly names: Readonly<Record<string, string>>;
}

/** First zoom that shows each admin_level, from 0 on; the last entry is for boundaries without a level. */
const FIRST_ZOOM = [0, 0, 0, 2, 3, 5, 6, 7, 8, 10, 11, 12, 12, 12] as const;

/** Returns the largest admin_level that a zoom shows, 2 … 13; 13 includes administrative boundaries without one. */
export function deepestLevel(zoom: number): number {
  return FIRST_ZOOM.findLastIndex((first) => first <= zoom);
}

/**
 * Returns the administrative boundaries whose box meets the view's, up to admin_level `deepest`, the lowest level
 * first, then the largest.
 * @throws DataMoved if the data is no longer at `revision`
 */
export async function findTileBoundaries(
  db: Queryable,
  revision: number,
  view: TileView,
  signal?: AbortSignal,
): Promise<TileBoundary[]> {
  return (await findRows(db, revision, view, signal)).map(({ boundary }) => boundary);
}

async function findRows(
  db: Queryable,
  revision: number,
  { box, deepest, prefer }: TileView,
  signal?: AbortSignal,
): Promise<CachedTileBoundary[]> {
  const values = [...box, deepest, MOST_BOUNDARIES, primarySubtags(prefer)] as const;
  const rows = await db.query(loadQuery('tile_boundaries'), values, { signal });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap((row) => {
    if (row.id === null) return [];
    return { boundary: boundaryOf({ ...row, id: row.id }, prefer), areaKm2: row.area_km2 };
  });
}

/** Widest view, in degrees, answered from memory: scanning the boxes of much of the world takes milliseconds. */
const WIDEST = 6;
/** Approximate bytes of a cached boundary without its name. */
const BOUNDARY_BYTES = 500;
const BYTES_A_CHARACTER = 2;

/** Like findTileBoundaries(), from memory if it has all boundaries, else from the database, which fills memory. */
export async function tileBoundaries(
  db: Queryable,
  { revision, boxes, cache }: TileMemory,
  view: TileView,
  signal?: AbortSignal,
): Promise<TileBoundary[]> {
  const { box, deepest, prefer } = view;
  const languages = `${prefer.join()} `;
  const width = box[2] - box[0] + (box[0] > box[2] ? 360 : 0);
  if (boxes !== null && width <= WIDEST) {
    const known: CachedTileBoundary[] = [];
    const ids = boxes.meeting(box, deepest);
    for (const id of ids) {
      const one = cache.get(languages + id);
      if (one === undefined) break;
      known.push(one);
    }
    if (known.length === ids.length) return inOrder(known).slice(0, MOST_BOUNDARIES);
  }
  const rows = await findRows(db, revision, view, signal);
  for (const row of rows) {
    cache.set(languages + row.boundary.id, row, BOUNDARY_BYTES + BYTES_A_CHARACTER * row.boundary.name.length);
  }
  return rows.map(({ boundary }) => boundary);
}

/** Sorts as the statement tile_boundaries does. */
function inOrder(known: CachedTileBoundary[]): TileBoundary[] {
  const level = ({ boundary }: CachedTileBoundary): number => boundary.adminLevel ?? WITHOUT_LEVEL;
  const area = ({ areaKm2 }: CachedTileBoundary): number => areaKm2 ?? -1;
  known.sort((a, b) => level(a) - level(b) || area(b) - area(a) || (a.boundary.id < b.boundary.id ? -1 : 1));
  return known.map(({ boundary }) => boundary);
}

/** A boundary of a selection as its tiles describe it. */
export interface TileMember extends TileBoundary {
  /** West, south, east and north in 1e-7 degrees; west > east across the antimeridian. */
  readonly box: readonly [number, number, number, number];
  readonly attribution: string;
}

/** Boundaries of a selection in drawing order, with their local names, and the languages of their other names. */
export interface TileMembers {
  readonly members: readonly TileMember[];
  /** Language tags in lower case. */
  readonly languages: readonly string[];
}

/**
 * Returns those of the given boundaries (canonical ids) that have a polygon, the lowest admin_level first, then the
 * largest. Texts that many of them have are in memory once.
 * @throws DataMoved if the data is no longer at `revision`
 */
export async function findTileMembers(
  db: Queryable,
  revision: number,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<TileMembers> {
  const rows = await db.query(loadQuery('tile_members'), [ids], { signal });
  const [named] = await db.query(loadQuery('tile_member_languages'), [ids], { signal });
  if (rows.some((row) => Number(row.revision) !== revision) || Number(named?.revision) !== revision)
    throw new DataMoved();
  const texts = new Map<string, string>();
  const shared = <T extends string | null>(text: T): T => {
    if (text === null) return text;
    const known = texts.get(text) as T | undefined;
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  const members: TileMember[] = [];
  const turns = new Turns(signal);
  for (const row of rows) {
    const { id, west, south, east, north } = row;
    if (turns.spend()) await turns.next();
    if (id === null || west === null || south === null || east === null || north === null) continue;
    const [kind, country, attribution] = [shared(row.kind), shared(row.country), shared(row.attribution)];
    const boundary = boundaryOf({ ...row, id, kind, country, names: {} }, []);
    members.push({ ...boundary, box: [west, south, east, north] as const, attribution });
  }
  return { members, languages: named?.languages ?? [] };
}

/**
 * Returns the ids of the largest areas of a set that the call reads, at most `most`, whose box meets a box (degrees;
 * west > east across the antimeridian), the largest first, and how many more there are.
 * @throws DataMoved if the data is no longer at `revision`
 */
export async function findSetAreas(
  db: Queryable,
  revision: number,
  { source, box, most }: { readonly source: string; readonly box: TileView['box']; readonly most: number },
  signal?: AbortSignal,
): Promise<{ readonly ids: readonly string[]; readonly leftOut: number }> {
  const row = only(await db.query(loadQuery('tile_set_areas'), [source, ...box, most], { signal }));
  if (Number(row.revision) !== revision) throw new DataMoved();
  return { ids: row.ids, leftOut: row.areas - row.ids.length };
}

/**
 * Returns the box of all areas of a set that the call reads, as of one of them, and its attribution; null if no area has
 * a polygon.
 * @throws DataMoved if the data is no longer at `revision`
 */
export async function findSetExtent(
  db: Queryable,
  revision: number,
  source: string,
  signal?: AbortSignal,
): Promise<Pick<TileMember, 'box' | 'attribution'> | null> {
  const row = only(await db.query(loadQuery('tile_set_extent'), [source], { signal }));
  if (Number(row.revision) !== revision) throw new DataMoved();
  const { west, south, east, north, attribution } = row;
  if (west === null || south === null || east === null || north === null) return null;
  return { box: [west, south, east, north], attribution };
}

/**
 * Returns the names of boundaries in the first of the languages (tags in lower case, as `languages` of TileMembers has
 * them) that each has one in, by canonical id.
 * @throws DataMoved if the data is no longer at `revision`
 */
export async function findTileNames(
  db: Queryable,
  revision: number,
  ids: readonly string[],
  languages: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const rows = await db.query(loadQuery('tile_member_names'), [ids, languages], { signal });
  for (const { revision: now, id, names: all } of rows) {
    if (Number(now) !== revision) throw new DataMoved();
    const known = all as Readonly<Record<string, string>> | null;
    const tag = languages.find((one) => known?.[one] !== undefined);
    if (id !== null && tag !== undefined) names.set(id, known?.[tag] as string);
  }
  return names;
}

function boundaryOf(row: Row & { readonly id: string }, prefer: readonly string[]): TileBoundary {
  return {
    id: row.id,
    ringHash: row.ring_hash,
    name: nameIn(row.names, prefer) ?? row.name,
    kind: row.kind,
    adminLevel: row.admin_level,
    country: row.country,
    disputed: row.disputed,
    label: row.lon === null || row.lat === null ? null : ([row.lon, row.lat] as const),
    rank: rankOf(row),
  };
}

/** Returns the attributions of all sources with stored boundaries. */
export async function tileAttributions(db: Queryable): Promise<string[]> {
  const rows = await db.query(loadQuery('tile_attributions'));
  return rows.map(({ attribution }) => attribution);
}

function rankOf({ admin_level, area_km2 }: Row): number {
  return 100 * (admin_level ?? WITHOUT_LEVEL) - Math.min(99, Math.floor(10 * Math.log10((area_km2 ?? 0) + 1)));
}
