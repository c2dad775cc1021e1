import geographiclib from 'geographiclib-geodesic';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable, Box } from '../contract.ts';
import { refsBox } from './box.ts';
import { locate } from './locate.ts';

const { Geodesic } = geographiclib;

const TURN = 3_600_000_000;
/** The fewest meters per 1e-7 degrees of latitude on WGS84. */
const METERS = 0.01105;
/** Pairs of edges compared between two checks of `isCanceled`. */
const POLL = 500_000;

/** Results of nearness(): farther apart than the distance, within the distance, or sharing an arc. */
export const FAR = 0;
export const NEAR = 1;
export const SHARED = 2;

/**
 * Compares two boundaries (signed arcs). SHARED when they share an arc; NEAR when they are at most `meters` apart on
 * WGS84, or one contains the other; otherwise FAR. With `meters` null only arcs are compared. The nearest points of two
 * edges are found on the plane of longitude and latitude, scaled for their latitude, and the geodesic between those
 * points is measured: at 100 km that is too long by less than 0.1 %. Works across the antimeridian.
 * @throws DOMException named AbortError when canceled
 * @param table the arcs, with their boxes
 * @param a signed arcs
 * @param b signed arcs
 * @param meters the distance; null: only whether an arc is shared
 * @example
 * nearness(table, left, right, null) // => SHARED
 */
export function nearness(
  table: ArcTable,
  a: Int32Array,
  b: Int32Array,
  meters: number | null,
  isCanceled?: IsCanceled,
): number {
  const arcs = new Set(Array.from(a, arcOf));
  for (const ref of b) if (arcs.has(arcOf(ref))) return SHARED;
  if (meters === null || a.length === 0 || b.length === 0) return FAR;
  const [boxA, boxB] = [refsBox(table, a), refsBox(table, b)];
  const dy = meters / METERS;
  const highest = Math.min(
    89.9,
    Math.max(...[boxA, boxB].flatMap(([, south, , north]) => [Math.abs(south), Math.abs(north)])) / 1e7,
  );
  const dx = dy / Math.cos((highest * Math.PI) / 180);
  for (const shift of [0, TURN, -TURN]) {
    const moved: Box = [boxB[0] + shift, boxB[1], boxB[2] + shift, boxB[3]];
    if (!meet(boxA, wide(moved, dx, dy))) continue;
    if (shift === 0 && contains(table, a, b, boxA, isCanceled)) return NEAR;
    if (shift === 0 && contains(table, b, a, boxB, isCanceled)) return NEAR;
    const one = edgesOf(table, a, wide(moved, dx, dy), 0);
    const other = edgesOf(table, b, wide(boxA, dx, dy), shift);
    if (anyNear(one, other, { meters, dx, dy }, isCanceled)) return NEAR;
  }
  return FAR;
}

const arcOf = (ref: number): number => (ref < 0 ? ~ref : ref);
const wide = ([west, south, east, north]: Box, dx: number, dy: number): Box => [
  west - dx,
  south - dy,
  east + dx,
  north + dy,
];
const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];

/** Whether a ring of `inner` has its first vertex inside `outer`. Borders that cross are found edge by edge. */
function contains(
  table: ArcTable,
  outer: Int32Array,
  inner: Int32Array,
  within: Box,
  isCanceled?: IsCanceled,
): boolean {
  const { coords } = table;
  let start = -1;
  for (const ref of inner) {
    throwIfCanceled(isCanceled);
    const [from, to] = endsOf(table, ref);
    if (start < 0) {
      start = from;
      const [x, y] = [coords[2 * from], coords[2 * from + 1]];
      if (meet([x, y, x, y], within) && locate(table, outer, x, y) >= 0) return true;
    }
    // The next arc begins another ring.
    if (coords[2 * to] === coords[2 * start] && coords[2 * to + 1] === coords[2 * start + 1]) start = -1;
  }
  return false;
}

/** The first and the last vertex of a signed arc. */
function endsOf({ first, length }: ArcTable, ref: number): [from: number, to: number] {
  const arc = arcOf(ref);
  const [low, high] = [first[arc], first[arc] + length[arc] - 1];
  return ref < 0 ? [high, low] : [low, high];
}

/** The edges (x, y, x, y) that meet a box, sorted by their west end. `shift` is added to longitudes. */
function edgesOf(
  { coords, first, length, box }: ArcTable,
  refs: Int32Array,
  around: Box,
  shift: number,
): Float64Array[] {
  const edges: Float64Array[] = [];
  for (const ref of refs) {
    const arc = arcOf(ref);
    const [west, south, east, north] = box.subarray(4 * arc, 4 * arc + 4);
    if (!meet([west + shift, south, east + shift, north], around)) continue;
    for (let v = first[arc]; v < first[arc] + length[arc] - 1; v++) {
      const [x1, y1, x2, y2] = [coords[2 * v] + shift, coords[2 * v + 1], coords[2 * v + 2] + shift, coords[2 * v + 3]];
      if (Math.max(x1, x2) < around[0] || Math.min(x1, x2) > around[2]) continue;
      if (Math.max(y1, y2) < around[1] || Math.min(y1, y2) > around[3]) continue;
      edges.push(Float64Array.of(x1, y1, x2, y2));
    }
  }
  return edges.sort((p, q) => Math.min(p[0], p[2]) - Math.min(q[0], q[2]));
}

function anyNear(
  one: readonly Float64Array[],
  other: readonly Float64Array[],
  { meters, dx, dy }: { readonly meters: number; readonly dx: number; readonly dy: number },
  isCanceled?: IsCanceled,
): boolean {
  // An edge that begins farther west than the length of the longest edge cannot reach here.
  let longest = 0;
  for (const [x1, , x2] of other) longest = Math.max(longest, Math.abs(x2 - x1));
  let from = 0;
  let looked = 0;
  for (const p of one) {
    const [west, east] = [Math.min(p[0], p[2]) - dx, Math.max(p[0], p[2]) + dx];
    const [south, north] = [Math.min(p[1], p[3]) - dy, Math.max(p[1], p[3]) + dy];
    while (from < other.length && Math.min(other[from][0], other[from][2]) + longest < west) from++;
    for (let k = from; k < other.length; k++) {
      const q = other[k];
      if (++looked % POLL === 0) throwIfCanceled(isCanceled);
      if (Math.min(q[0], q[2]) > east) break;
      if (Math.max(q[0], q[2]) < west || Math.min(q[1], q[3]) > north || Math.max(q[1], q[3]) < south) continue;
      if (distance(p, q) <= meters) return true;
    }
  }
  return false;
}

/** The distance between two edges in meters. */
function distance(p: Float64Array, q: Float64Array): number {
  const scale = Math.cos(((p[1] + p[3] + q[1] + q[3]) / 4e7) * (Math.PI / 180));
  if (cross(p, q)) return 0;
  let best = Number.POSITIVE_INFINITY;
  let ends: readonly [number, number, number, number] = [0, 0, 0, 0];
  for (const [x, y, edge] of [
    [p[0], p[1], q],
    [p[2], p[3], q],
    [q[0], q[1], p],
    [q[2], q[3], p],
  ] as const) {
    const [ux, uy] = [(edge[2] - edge[0]) * scale, edge[3] - edge[1]];
    const [vx, vy] = [(x - edge[0]) * scale, y - edge[1]];
    const length = ux * ux + uy * uy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, (ux * vx + uy * vy) / length));
    const apart = (vx - t * ux) ** 2 + (vy - t * uy) ** 2;
    if (apart >= best) continue;
    best = apart;
    ends = [x, y, edge[0] + t * (edge[2] - edge[0]), edge[1] + t * (edge[3] - edge[1])];
  }
  const [x1, y1, x2, y2] = ends;
  return Geodesic.WGS84.Inverse(y1 / 1e7, x1 / 1e7, y2 / 1e7, x2 / 1e7, Geodesic.DISTANCE).s12 as number;
}

function cross(p: Float64Array, q: Float64Array): boolean {
  const side = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number) =>
    Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
  return (
    side(p[0], p[1], p[2], p[3], q[0], q[1]) * side(p[0], p[1], p[2], p[3], q[2], q[3]) < 0 &&
    side(q[0], q[1], q[2], q[3], p[0], p[1]) * side(q[0], q[1], q[2], q[3], p[2], p[3]) < 0
  );
}
