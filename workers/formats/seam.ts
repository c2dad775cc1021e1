import type { Coords, Polygons } from '../contract.ts';

/** 180 and 90 degrees in 1e-7 degrees. */
const HALF_TURN = 1_800_000_000;
const RIGHT_ANGLE = 900_000_000;

/** Intervals up to this length are ignored: some sources cut at 179.99999 on one side and at -180 on the other. */
const TOLERANCE = 200;

/** Longitudes from here on count as ±180. */
export const SEAM_LONGITUDE = HALF_TURN - TOLERANCE;

type Interval = readonly [from: number, to: number];

/** An edge along ±180 or along a pole, where maps are cut whether or not it is a border. */
export interface CutEdge {
  /** The index of its start vertex. */
  readonly vertex: number;
  /** The parts of it that are a border, as fractions of its length. */
  readonly border: readonly Interval[];
}

/**
 * The edges along ±180 and along the poles, in vertex order. The part of an edge along 180 that coincides with one
 * along -180 is not a border, because the area continues there. An edge along a pole is not a border either.
 */
export function cutEdges({ coords, ringEnd }: Polygons): CutEdge[] {
  const vertices: number[] = [];
  const west: Interval[] = [];
  const east: Interval[] = [];
  let v = 0;
  for (const end of ringEnd) {
    for (; v < end - 1; v++) {
      const side = sideOf(coords, v);
      if (side !== 0 && side === sideOf(coords, v + 1)) {
        vertices.push(v);
        (side < 0 ? west : east).push(latitudes(coords, v));
      } else if (Math.abs(coords[2 * v + 1]) === RIGHT_ANGLE && coords[2 * v + 3] === coords[2 * v + 1]) {
        vertices.push(v);
      }
    }
    v = end;
  }
  const across = { west: merged(east), east: merged(west) };
  return vertices.map((vertex) => {
    const side = sideOf(coords, vertex);
    if (side === 0 || side !== sideOf(coords, vertex + 1)) return { vertex, border: [] };
    const from = coords[2 * vertex + 1];
    const length = coords[2 * vertex + 3] - from;
    const own = subtractAll(latitudes(coords, vertex), side < 0 ? across.west : across.east);
    return { vertex, border: own.map(([low, high]) => [(low - from) / length, (high - from) / length]) };
  });
}

function sideOf(coords: Coords, vertex: number): number {
  const x = coords[2 * vertex];
  return Math.abs(x) < SEAM_LONGITUDE ? 0 : Math.sign(x);
}

function latitudes(coords: Coords, vertex: number): Interval {
  const from = coords[2 * vertex + 1];
  const to = coords[2 * vertex + 3];
  return [Math.min(from, to), Math.max(from, to)];
}

/** The union of intervals, as disjoint intervals in ascending order. */
function merged(intervals: Interval[]): Interval[] {
  const union: [number, number][] = [];
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = union.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else union.push([from, to]);
  }
  return union;
}

/** The parts of an interval outside others, which are disjoint and ascending. */
function subtractAll([from, to]: Interval, others: Interval[]): Interval[] {
  const left: Interval[] = [];
  let start = from;
  for (const [low, high] of others) {
    if (low >= to) break;
    if (low - start > TOLERANCE) left.push([start, low]);
    start = Math.max(start, high);
  }
  if (to - start > TOLERANCE) left.push([start, to]);
  return left;
}
