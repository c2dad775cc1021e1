/** Finds stored coastlines that a newer file of the same source no longer has, and takes them away. */
import { chainBox } from '../../../workers/arcs/box.ts';
import type { MapBox } from '../../../workers/osm/blob.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { intsOf } from '../ints.ts';
import type { StoreInput } from './source_rows.ts';
import type { KeptCoast } from './summary.ts';
import type { Extent } from './topology.ts';

/** Points that are looked up in one statement. */
const POINTS_AT_ONCE = 2_000;
/** Stored lines that are compared at once. */
const LINES_AT_ONCE = 20_000;
/**
 * A file must have this share of the coast in a boundary, compared with what it lacks there: an extract may have the
 * whole border of a country and the coast of one island. If it states its extent, that holds for all boundaries together:
 * a file that was filtered for boundaries states the extent of what it was made of.
 */
const LEAST_SHARE = 0.5;

/** What a file has of the coast and of boundaries, noted part by part. */
export class SeenCoast {
  /** The coastlines of the file, those that it cuts too. */
  readonly ids: number[] = [];
  /** The boundaries of the last part whose whole border is in the file. */
  latest: { readonly id: string; readonly version: string }[] = [];
  /** Of those of all parts, the ones that are stored so. */
  readonly whole = new Set<string>();
  /** By id, the lines that stay although the file does not have them. */
  readonly kept = new Map<number, KeptCoast>();
  private readonly boxes: Extent[] = [];
  /** Of each, the longitude and the latitude of a vertex. */
  private readonly middles: number[] = [];

  /** Notes a part of the file. */
  note({ coast = [], cutCoast = [], boundaries, ways }: StoreInput): void {
    for (const id of cutCoast) this.ids.push(id);
    for (const { id, coords } of coast) {
      this.ids.push(id);
      this.boxes.push(chainBox(coords));
      const middle = 2 * Math.floor(coords.length / 4);
      this.middles.push(defined(coords[middle]), defined(coords[middle + 1]));
    }
    this.latest = [];
    for (const { id, version, border } of boundaries) {
      const isWhole = 'rings' in border || border.ways.every((way) => (ways?.get(way)?.coords ?? null) !== null);
      if (id !== null && isWhole) this.latest.push({ id, version });
    }
  }

  /** Vertices of its coastlines whose box meets another, with the extent of each (width and height, 1e-7 degrees). */
  linesIn([west, south, east, north]: Extent): { readonly x: number; readonly y: number; readonly extent: number }[] {
    return this.boxes.flatMap(([w, s, e, n], i) =>
      w <= east && e >= west && s <= north && n >= south
        ? { x: defined(this.middles[2 * i]), y: defined(this.middles[2 * i + 1]), extent: e - w + (n - s) }
        : [],
    );
  }
}

/** What finding the lines needs. */
export interface RemovedCoastContext {
  readonly db: Queryable;
  readonly engine: Engine;
  /** The source of the coastlines, and that of the boundaries. */
  readonly coast: string;
  readonly source: string;
  /** What the file states of itself; null when it does not. */
  readonly bbox: MapBox | null;
  readonly dataAt: string | null;
}

/**
 * The stored coastlines that the file would have if they were still there. A line is gone when one of its vertices lies
 * in a boundary whose border the file has whole, and that is the smallest stored one around it. If the file states its
 * extent, the vertex is in it. The file must have enough other coast there. The other lines within boundaries that the
 * file has whole stay, and are noted in `seen.kept` with the reason.
 */
export async function findRemovedCoast(context: RemovedCoastContext, seen: SeenCoast): Promise<number[]> {
  const { db, coast, source, bbox, dataAt } = context;
  const { ids, latest, whole } = seen;
  if (ids.length === 0 || latest.length === 0) return [];
  const about = [latest.map(({ id }) => id), latest.map(({ version }) => version)] as const;
  const stored = (await db.query(loadQuery('land_whole'), [...about, source])).map(({ id }) => id);
  for (const id of stored) whole.add(id);
  /** Per boundary, the lines that only lack the evidence that the file has its coast. */
  const open = new Map<string, Open>();
  const removed: number[] = [];
  for (let after = 0, isMore = true; isMore; ) {
    const lines = await db.query(loadQuery('land_coast_missing'), [coast, ids, stored, after, LINES_AT_ONCE]);
    isMore = lines.length === LINES_AT_ONCE;
    after = lines.at(-1)?.id ?? after;
    const points = lines.map(({ vertices }) => intsOf(vertices));
    const finding = await placesOf(context, points, whole);
    lines.forEach(({ id, data_at: at, extent }, i) => {
      const { places } = defined(finding[i]);
      const found = places.find(({ smallest }) => whole.has(smallest.id)) ?? places[0];
      if (found === undefined) return;
      const { x, y, smallest } = found;
      const line = { way: id, lat: y / 1e7, lon: x / 1e7 };
      const keep = (reason: string) => seen.kept.set(id, { ...line, reason });
      if (at !== null && dataAt !== null && at.getTime() > Date.parse(dataAt))
        keep('the file is older than the data that has it');
      else if (!whole.has(smallest.id)) keep(`the file does not have all of ${smallest.id} around it`);
      else if (bbox !== null && !isIn(bbox, x, y)) keep('it is outside of the extent that the file states');
      else {
        const own = open.get(smallest.id) ?? { around: smallest, lines: [], extent: 0 };
        own.lines.push(line);
        own.extent += extent;
        open.set(smallest.id, own);
      }
    });
  }
  const had = new Map<string, number>();
  for (const [id, { around }] of open) had.set(id, await extentWithin(context, seen, around));
  const inAll = sum(had.values());
  const lackedInAll = sum([...open.values()].map(({ extent }) => extent));
  for (const [id, { lines, extent }] of open) {
    const [has, lacks] = bbox === null ? [defined(had.get(id)), extent] : [inAll, lackedInAll];
    const where = bbox === null ? id : 'the boundaries that it has';
    for (const line of lines) {
      if (has >= LEAST_SHARE * lacks) removed.push(line.way);
      else seen.kept.set(line.way, { ...line, reason: `the file lacks most of the coast of ${where}` });
    }
  }
  for (const id of removed) seen.kept.delete(id);
  return removed;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

/** The sum of the extents of the file's coastlines of which a vertex is in a boundary. */
async function extentWithin({ db, engine }: RemovedCoastContext, seen: SeenCoast, around: Around): Promise<number> {
  const lines = seen.linesIn(around.box);
  const refs = [{ id: around.id, ringHash: around.ringHash, adminLevel: null }];
  let extent = 0;
  for (let from = 0; from < lines.length; from += POINTS_AT_ONCE) {
    const some = lines.slice(from, from + POINTS_AT_ONCE);
    const sides = await engine.points.locateAll(
      db,
      refs,
      some.map(({ x, y }) => ({ boundary: 0, x, y })),
    );
    some.forEach((line, i) => {
      if (defined(sides[i]) >= 0) extent += line.extent;
    });
  }
  return extent;
}

function isIn([west, south, east, north]: MapBox, x: number, y: number): boolean {
  return x >= west * 1e7 && x <= east * 1e7 && y >= south * 1e7 && y <= north * 1e7;
}

export interface Around {
  readonly id: string;
  readonly ringHash: string;
  readonly box: Extent;
}

/** Lines that only lack the evidence that the file has the coast of the boundary around them, and their extents. */
interface Open {
  readonly around: Around;
  readonly lines: Omit<KeptCoast, 'reason'>[];
  extent: number;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly smallest: Around;
}

/** Where a line is: of its vertices that are within boundaries of `whole`, one per smallest stored boundary around it. */
interface Placed {
  readonly places: readonly Place[];
  /** The boundaries of `whole` that have a vertex of it inside. */
  readonly within: ReadonlySet<string>;
}

/** Where each of some lines is. */
export async function placesOf(
  { db, engine, source }: Pick<RemovedCoastContext, 'db' | 'engine' | 'source'>,
  lines: readonly Int32Array[],
  whole: ReadonlySet<string>,
): Promise<Placed[]> {
  const found = lines.map(() => ({ places: [] as Place[], within: new Set<string>() }));
  const points = lines.flatMap((line, i) =>
    Array.from({ length: line.length / 2 }, (_, k) => ({
      line: i,
      x: defined(line[2 * k]),
      y: defined(line[2 * k + 1]),
    })),
  );
  const known = new Map<string, Around>();
  for (let from = 0; from < points.length; from += POINTS_AT_ONCE) {
    const some = points.slice(from, from + POINTS_AT_ONCE);
    const rows = await db.query(loadQuery('land_boundaries_at'), [
      some.map(({ x }) => x),
      some.map(({ y }) => y),
      source,
    ]);
    if (rows.length === 0) continue;
    const boundaries = [...new Map(rows.map((row) => [row.id, row])).values()];
    const index = new Map(boundaries.map(({ id }, i) => [id, i]));
    const refs = boundaries.map(({ id, ring_hash }) => ({ id, ringHash: ring_hash, adminLevel: null }));
    const pairs = rows.map(({ id, point }) => {
      const { x, y } = defined(some[point]);
      return { boundary: defined(index.get(id)), x, y };
    });
    const sides = await engine.points.locateAll(db, refs, pairs);
    const held = some.map(() => ({ inWhole: false, smallest: null as (typeof rows)[number] | null }));
    rows.forEach((row, i) => {
      const side = defined(sides[i]);
      if (side < 0) return;
      const own = defined(held[row.point]);
      if (side > 0 && whole.has(row.id)) {
        own.inWhole = true;
        defined(found[defined(some[row.point]).line]).within.add(row.id);
      }
      if (own.smallest === null || row.area_km2 < own.smallest.area_km2) own.smallest = row;
    });
    held.forEach(({ inWhole, smallest }, i) => {
      const { line, x, y } = defined(some[i]);
      const { places } = defined(found[line]);
      if (!inWhole || smallest === null || places.some((place) => place.smallest.id === smallest.id)) return;
      const { id, ring_hash: ringHash, west, south, east, north } = smallest;
      const box: Extent = west > east ? [-1_800_000_000, south, 1_800_000_000, north] : [west, south, east, north];
      const around = known.get(id) ?? { id, ringHash, box };
      known.set(id, around);
      places.push({ x, y, smallest: around });
    });
  }
  return found;
}
