/** Finds stored coastlines that a newer file of the same source no longer has, and takes them away. */
import { chainBox } from '../../../workers/arcs/box.ts';
import type { MapBox } from '../../../workers/osm/blob.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { intsOf } from '../ints.ts';
import type { KeptCoast, StoreInput } from './model.ts';
import type { Extent } from './topology.ts';

/** Points that are looked up in one statement. */
const POINTS_AT_ONCE = 2_000;
/** Stored lines that are compared at once. */
const LINES_AT_ONCE = 20_000;
/**
 * A file that does not state its extent must have this share of the coast in a boundary, compared with what it lacks
 * there: an extract may have the whole border of a country and the coast of one island.
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

  /** Notes a part of the file. */
  note({ coast = [], cutCoast = [], boundaries, ways }: StoreInput): void {
    for (const id of cutCoast) this.ids.push(id);
    for (const { id, coords } of coast) {
      this.ids.push(id);
      this.boxes.push(chainBox(coords));
    }
    this.latest = [];
    for (const { id, version, border } of boundaries) {
      const isWhole = 'rings' in border || border.ways.every((way) => (ways?.get(way)?.coords ?? null) !== null);
      if (id !== null && isWhole) this.latest.push({ id, version });
    }
  }

  /** The sum of the extents (width and height, 1e-7 degrees) of its coastlines whose box meets another. */
  extentIn([west, south, east, north]: Extent): number {
    let sum = 0;
    for (const [w, s, e, n] of this.boxes)
      if (w <= east && e >= west && s <= north && n >= south) sum += e - w + (n - s);
    return sum;
  }
}

/** What finding the lines needs. */
export interface GoneCoastContext {
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
 * extent, the vertex is in it; otherwise the file must have enough other coast in that boundary. The other lines within
 * boundaries that the file has whole stay, and are noted in `seen.kept` with the reason.
 */
export async function findGoneCoast(context: GoneCoastContext, seen: SeenCoast): Promise<number[]> {
  const { db, coast, source, bbox, dataAt } = context;
  const { ids, latest, whole } = seen;
  if (ids.length === 0 || latest.length === 0) return [];
  const about = [latest.map(({ id }) => id), latest.map(({ version }) => version)] as const;
  const stored = (await db.query(loadQuery('land_whole'), [...about, source])).map(({ id }) => id);
  for (const id of stored) whole.add(id);
  /** Per boundary, the lines that only lack the evidence that the file has its coast. */
  const open = new Map<string, { readonly box: Extent; readonly lines: Omit<KeptCoast, 'reason'>[]; extent: number }>();
  const gone: number[] = [];
  for (let after = 0, isMore = true; isMore; ) {
    const lines = await db.query(loadQuery('land_coast_missing'), [coast, ids, stored, after, LINES_AT_ONCE]);
    isMore = lines.length === LINES_AT_ONCE;
    after = lines.at(-1)?.id ?? after;
    const points = lines.map(({ vertices }) => intsOf(vertices));
    const finding = await placesOf(context, points, whole);
    lines.forEach(({ id, data_at: at, extent }, i) => {
      const found = defined(finding[i]);
      if (found === null) return;
      const { x, y, smallest } = found;
      const line = { way: id, lat: y / 1e7, lon: x / 1e7 };
      const keep = (reason: string) => seen.kept.set(id, { ...line, reason });
      if (at !== null && dataAt !== null && at.getTime() > Date.parse(dataAt))
        keep('the file is older than the data that has it');
      else if (!whole.has(smallest.id)) keep(`the file does not have all of ${smallest.id} around it`);
      else if (bbox === null) {
        const own = open.get(smallest.id) ?? { box: smallest.box, lines: [], extent: 0 };
        own.lines.push(line);
        own.extent += extent;
        open.set(smallest.id, own);
      } else if (isIn(bbox, x, y)) gone.push(id);
      else keep('it is outside of the extent that the file states');
    });
  }
  for (const [id, { box, lines, extent }] of open) {
    const isCovered = seen.extentIn(box) >= LEAST_SHARE * extent;
    const reason = `the file states no extent, and lacks most of the coast of ${id}`;
    for (const line of lines) {
      if (isCovered) gone.push(line.way);
      else seen.kept.set(line.way, { ...line, reason });
    }
  }
  for (const id of gone) seen.kept.delete(id);
  return gone;
}

function isIn([west, south, east, north]: MapBox, x: number, y: number): boolean {
  return x >= west * 1e7 && x <= east * 1e7 && y >= south * 1e7 && y <= north * 1e7;
}

interface Around {
  readonly id: string;
  readonly box: Extent;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly smallest: Around;
}

/**
 * Per line, one of its vertices that is within a boundary of `whole`, with the smallest stored boundary around it: if
 * there is one, a vertex whose smallest boundary is in `whole` too. Null when it has none.
 */
async function placesOf(
  { db, engine, source }: GoneCoastContext,
  lines: readonly Int32Array[],
  whole: ReadonlySet<string>,
): Promise<(Place | null)[]> {
  const found: (Place | null)[] = lines.map(() => null);
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
      if (side > 0 && whole.has(row.id)) own.inWhole = true;
      if (own.smallest === null || row.area_km2 < own.smallest.area_km2) own.smallest = row;
    });
    held.forEach(({ inWhole, smallest }, i) => {
      const { line, x, y } = defined(some[i]);
      const before = found[line];
      if (!inWhole || smallest === null || (before && whole.has(before.smallest.id))) return;
      if (before && !whole.has(smallest.id)) return;
      const { id, west, south, east, north } = smallest;
      const box: Extent = west > east ? [-1_800_000_000, south, 1_800_000_000, north] : [west, south, east, north];
      const around = known.get(id) ?? { id, box };
      known.set(id, around);
      found[line] = { x, y, smallest: around };
    });
  }
  return found;
}
