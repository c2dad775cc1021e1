/**
 * Finds the boundaries of which a file of OpenStreetMap says the inland water, and the stored water that is removed there. That
 * the file has the whole border of a boundary is not enough: a file of the country around an enclave has that, too.
 */
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { batches } from '../batches.ts';
import { intsOf } from '../ints.ts';
import { type BoxIndex, OSM_WATER, type OsmWater } from './inland_model.ts';
import { boxOf, isWithin, unitsOf } from './land_extent.ts';
import { type Around, placesOf } from './removed_coast.ts';
import type { Extent } from './topology.ts';

/** Stored water that is compared with that of a file at once. */
const AT_ONCE = 20_000;
/** Boundaries that are looked up in one statement. */
const BOUNDARIES_AT_ONCE = 2_000;
/** Areas of water that are tried to find one inside of a boundary, so many at once and in all. */
const TRIED_AT_ONCE = 40;
const MOST_TRIED = 2_000;
/** Points that are looked up at once. */
const POINTS_AT_ONCE = 2_000;

interface Context {
  readonly db: Queryable;
  readonly engine: Engine;
  /** The source of the boundaries. */
  readonly source: string;
}

/** What a file says. */
export interface CoveredByFile {
  /** The boundaries of which it has the inland water. */
  readonly covered: readonly string[];
  /** Stored water that is to be removed: what it lacks there, and what is smaller there than the size asked for. */
  readonly removed: readonly string[];
  readonly small: readonly string[];
  /** What it does not say, and why. */
  readonly notices: readonly string[];
}

/**
 * The boundaries of which a file has the inland water, and what is removed there. The file has the whole border of each,
 * within its extent if it states one. A boundary that has others of the source all around it is of the file only if the
 * file has water strictly inside of it, or one above it is of the file: it may be an enclave. The file must have at least as much of
 * the stored water of a boundary as it lacks there; otherwise what it lacks stays, and the file says nothing of it.
 */
export async function findCovered(context: Context, file: OsmWater): Promise<CoveredByFile> {
  const index = file.seen.index();
  if (file.seen.onlyBorders)
    return saysNothing('it has no area of inland water that is not the border of a boundary: was it filtered?');
  const lost = await unknownPlaces(context.db, file);
  if (lost !== null) return saysNothing(`the place of inland water ${lost} is not known`);
  const { found, doubted } = await ofFile(context, file, index);
  const covered = new Set(found.keys());
  const notices = doubted.map(
    (id) => `the file may not have the inland water of ${id}: others are all around it, and no water is inside of it`,
  );
  if (covered.size === 0) return { covered: [], removed: [], small: [], notices };
  const { missing, small, present } = await compare(context, file, covered, [...found.values()]);
  const lacks = new Map<string, { readonly around: Around; readonly ids: string[] }>();
  for (const { id, around } of missing) {
    for (const one of around) {
      const own = lacks.get(one.id) ?? { around: one, ids: [] };
      own.ids.push(id);
      lacks.set(one.id, own);
    }
  }
  const removed = new Set<string>();
  for (const { around, ids } of lacks.values()) {
    if (!(await hasAsMany(context, around, present, ids.length))) continue;
    for (const id of ids) removed.add(id);
  }
  for (const { id, within } of missing) {
    if (removed.has(id)) continue;
    for (const boundary of within) covered.delete(boundary);
    notices.push(`inland water ${id} stays: the file lacks most of that of ${[...within].join(', ')}`);
  }
  return { covered: [...covered], removed: [...removed], small, notices };
}

const saysNothing = (why: string): CoveredByFile => ({
  covered: [],
  removed: [],
  small: [],
  notices: [`the file says the inland water of no boundary: ${why}`],
});

/** The first area of water of which neither the file nor what is stored says where it is; null when there is none. */
async function unknownPlaces(db: Queryable, { unplaced }: OsmWater): Promise<string | null> {
  for (const ids of batches([...unplaced.keys()], () => 1_000)) {
    const stored = new Set((await db.query(loadQuery('inland_known'), [OSM_WATER, ids])).map(({ id }) => id));
    const lost = ids.find((id) => !stored.has(id));
    if (lost !== undefined) return `${lost} (the file lacks ${unplaced.get(lost)})`;
  }
  return null;
}

/** The boundaries that are of the file (see findCovered), with their boxes, and those of which that is not known. */
async function ofFile(context: Context, file: OsmWater, water: BoxIndex | null): Promise<OfFile> {
  const { db, engine, source } = context;
  const inner = new Set(file.whole.flatMap(({ id, isInner }) => (isInner ? [id] : [])));
  const found = new Map<string, Extent>();
  const extent = file.bbox === null ? null : boxOf(unitsOf(file.bbox));
  const doubtful: { id: string; ringHash: string; area: number; box: Extent }[] = [];
  for (let from = 0; from < file.whole.length; from += BOUNDARIES_AT_ONCE) {
    const some = file.whole.slice(from, from + BOUNDARIES_AT_ONCE);
    const about = [some.map(({ id }) => id), some.map(({ version }) => version)] as const;
    const ids = (await db.query(loadQuery('land_whole'), [...about, source])).map(({ id }) => id);
    for (const row of await db.query(loadQuery('inland_whole'), [ids])) {
      const { id, west, south, east, north } = row;
      if (extent !== null && !isWithin(row, extent)) continue;
      const box: Extent = west > east ? [-1_800_000_000, south, 1_800_000_000, north] : [west, south, east, north];
      if (row.enclosed || inner.has(id)) doubtful.push({ id, ringHash: row.ring_hash, area: row.area_km2, box });
      else found.set(id, box);
    }
  }
  const above = new Map<string, string[]>();
  for (let from = 0; from < doubtful.length; from += BOUNDARIES_AT_ONCE) {
    const ids = doubtful.slice(from, from + BOUNDARIES_AT_ONCE).map(({ id }) => id);
    for (const { parent, child } of await db.query(loadQuery('inland_above'), [ids]))
      above.set(child, [...(above.get(child) ?? []), parent]);
  }
  // Those above come first.
  doubtful.sort((a, b) => b.area - a.area);
  const doubted: string[] = [];
  for (const { id, ringHash, box } of doubtful) {
    const isBelow = above.get(id)?.some((parent) => found.has(parent)) ?? false;
    if (isBelow || (await hasWaterInside({ db, engine, ring: { id, ringHash, adminLevel: null } }, box, water)))
      found.set(id, box);
    else doubted.push(id);
  }
  return { found, doubted };
}

interface OfFile {
  readonly found: ReadonlyMap<string, Extent>;
  readonly doubted: readonly string[];
}

/** Whether the box of an area of water is inside of a boundary, by its corners and its middle. */
async function hasWaterInside(
  {
    db,
    engine,
    ring,
  }: Pick<Context, 'db' | 'engine'> & { readonly ring: { id: string; ringHash: string; adminLevel: null } },
  [west, south, east, north]: Extent,
  water: BoxIndex | null,
): Promise<boolean> {
  const inside = (water?.within([west, south, east, north]) ?? [])
    .filter(([w, s, e, n]) => w > west && s > south && e < east && n < north)
    .slice(0, MOST_TRIED);
  for (let from = 0; from < inside.length; from += TRIED_AT_ONCE) {
    const points = inside.slice(from, from + TRIED_AT_ONCE).flatMap(([w, s, e, n]) =>
      [
        [w, s],
        [e, s],
        [e, n],
        [w, n],
        [Math.round((w + e) / 2), Math.round((s + n) / 2)],
      ].map(([x, y]) => ({ boundary: 0, x: defined(x), y: defined(y) })),
    );
    const sides = await engine.points.locateAll(db, [ring], points);
    for (let k = 0; k < sides.length; k += 5) if (sides.subarray(k, k + 5).every((side) => side > 0)) return true;
  }
  return false;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The stored water within covered boundaries that the file lacks, or has smaller; and places of what it has. */
async function compare(context: Context, file: OsmWater, covered: ReadonlySet<string>, boxes: readonly Extent[]) {
  const has = new Set(file.water.map(({ id }) => id));
  const present: Point[] = [];
  for (const { id, rings, isPart = false } of file.water) {
    const [ring] = rings;
    if (isPart || ring === undefined || file.seen.borders.has(id)) continue;
    const middle = 2 * Math.floor(ring.length / 4);
    present.push({ x: defined(ring[middle]), y: defined(ring[middle + 1]) });
  }
  const missing: { readonly id: string; readonly around: readonly Around[]; readonly within: ReadonlySet<string> }[] =
    [];
  const small: string[] = [];
  const around = boxes.reduce(([w, s, e, n], [west, south, east, north]) => [
    Math.min(w, west),
    Math.min(s, south),
    Math.max(e, east),
    Math.max(n, north),
  ]);
  for (let after = '', isMore = true; isMore; ) {
    const stored = await context.db.query(loadQuery('inland_stored'), [OSM_WATER, ...around, after, AT_ONCE]);
    isMore = stored.length === AT_ONCE;
    after = stored.at(-1)?.id ?? after;
    const isOlder = ({ data_at: at }: (typeof stored)[number]) =>
      at === null || file.timestamp === null || at.getTime() <= Date.parse(file.timestamp);
    const rows = stored.filter((row) => !has.has(row.id) && !file.unplaced.has(row.id) && isOlder(row));
    const lines = rows.map(({ vertices }) => intsOf(vertices));
    const placed = await placesOf(context, lines, covered);
    rows.forEach(({ id }, i) => {
      const { places, within } = defined(placed[i]);
      const line = defined(lines[i]);
      if (within.size === 0) return;
      const smallest = places.map((place) => place.smallest).filter((one) => covered.has(one.id));
      if (!file.smaller.has(id)) missing.push({ id, around: smallest, within });
      else {
        small.push(id);
        const middle = 2 * Math.floor(line.length / 4);
        present.push({ x: defined(line[middle]), y: defined(line[middle + 1]) });
      }
    });
  }
  return { missing, small, present };
}

/** Whether at least so many of the points are in a boundary. */
async function hasAsMany(
  { db, engine }: Context,
  around: Around,
  present: readonly Point[],
  count: number,
): Promise<boolean> {
  const { id, ringHash, box } = around;
  const [west, south, east, north] = box;
  const near = present.filter(({ x, y }) => x >= west && x <= east && y >= south && y <= north);
  let found = 0;
  for (let from = 0; from < near.length && near.length >= count && found < count; from += POINTS_AT_ONCE) {
    const points = near.slice(from, from + POINTS_AT_ONCE).map(({ x, y }) => ({ boundary: 0, x, y }));
    const sides = await engine.points.locateAll(db, [{ id, ringHash, adminLevel: null }], points);
    for (const side of sides) if (side >= 0) found++;
  }
  return found >= count;
}
