import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { DataMoved } from './boundaries_model.ts';
import { nameIn, primaries } from './languages.ts';

/** Boundaries that one tile may have; those of the lowest admin_level, and of them the largest, come first. */
const MOST_BOUNDARIES = 2_000;

/** admin_level that stands for boundaries without one. */
const WITHOUT_LEVEL = 13;

/** A boundary as a tile tells of it. */
export interface TileBoundary {
  /** Canonical. */
  readonly id: string;
  /** Hexadecimal. */
  readonly ringHash: string;
  /** In the language asked for, else the local name. */
  readonly name: string;
  readonly kind: string;
  readonly adminLevel: number | null;
  readonly country: string | null;
  /** It lies in several countries. */
  readonly disputed: boolean;
  /** Longitude and latitude of its label in 1e-7 degrees. */
  readonly label: readonly [number, number] | null;
  /** Smaller is more important: by admin_level, then by area. */
  readonly rank: number;
}

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

interface MemberRow extends Row {
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly attribution: string;
}

/** The first zoom that shows an admin_level, from level 0 on; the last is of boundaries without a level. */
const FIRST_ZOOM = [0, 0, 0, 2, 3, 5, 6, 7, 8, 10, 11, 12, 12, 12] as const;

/** The largest admin_level that a zoom shows, 2 … 13; 13: also administrative boundaries without one. */
export function deepestLevel(zoom: number): number {
  return FIRST_ZOOM.findLastIndex((first) => first <= zoom);
}

/**
 * The administrative boundaries of a revision of the data whose box meets a box (degrees; west > east across the
 * antimeridian), of admin_level `deepest` at most, the lowest level first, then the largest. `prefer`: languages for
 * names, best first. Throws DataMoved where the data has another state by now.
 */
export async function findTileBoundaries(
  db: Queryable,
  revision: number,
  {
    box,
    deepest,
    prefer,
  }: {
    readonly box: readonly [number, number, number, number];
    readonly deepest: number;
    readonly prefer: readonly string[];
  },
  signal?: AbortSignal,
): Promise<TileBoundary[]> {
  const values = [...box, deepest, MOST_BOUNDARIES, primaries(prefer)];
  const rows = await db.query<Row>(loadQuery('tile_boundaries'), values, { signal });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap((row) => (row.id === null ? [] : boundaryOf({ ...row, id: row.id }, prefer)));
}

/** A boundary of a selection as its tiles tell of it. */
export interface TileMember extends TileBoundary {
  /** West, south, east and north in 1e-7 degrees; west > east across the antimeridian. */
  readonly box: readonly [number, number, number, number];
  readonly attribution: string;
}

/**
 * Those of some boundaries (canonical ids) that have a polygon, the lowest admin_level first, then the largest. Throws
 * DataMoved where the data has another revision by now.
 */
export async function findTileMembers(
  db: Queryable,
  revision: number,
  { ids, prefer }: { readonly ids: readonly string[]; readonly prefer: readonly string[] },
  signal?: AbortSignal,
): Promise<TileMember[]> {
  const rows = await db.query<MemberRow>(loadQuery('tile_members'), [ids, primaries(prefer)], { signal });
  if (rows.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
  return rows.flatMap((row) => {
    const { id, west, south, east, north, attribution } = row;
    if (id === null || west === null || south === null || east === null || north === null) return [];
    return { ...boundaryOf({ ...row, id }, prefer), box: [west, south, east, north] as const, attribution };
  });
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

/** The attributions of all that is stored. */
export async function tileAttributions(db: Queryable): Promise<string[]> {
  const rows = await db.query(loadQuery('tile_attributions'));
  return rows.map(({ attribution }) => attribution);
}

function rankOf({ admin_level, area_km2 }: Row): number {
  return 100 * (admin_level ?? WITHOUT_LEVEL) - Math.min(99, Math.floor(10 * Math.log10((area_km2 ?? 0) + 1)));
}
