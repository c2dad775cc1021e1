import type { ArcTable } from '../contract.ts';
import { orient } from './orient.ts';

/**
 * Where a point is relative to the area bounded by arcs: 1 inside, 0 on the border, -1 outside. Exact.
 *
 * `refs[from … to - 1]` (by default all) are the signed arcs of any number of rings, in any order; their directions do
 * not matter (even-odd rule).
 * `x`, `y` are in 1e-7 degrees and may be multiples of 1/2, so that the midpoint between two vertices, where arcs are
 * sampled, is exact too. Areas are closed sets: a border point belongs to both neighbors.
 *
 * An arc whose box is entirely to one side of the point is decided by its two ends; only arcs whose box contains the
 * point are scanned.
 * @param table the arcs, with their boxes
 * @param refs signed arcs
 * @param x 1e-7 degrees east
 * @param y 1e-7 degrees north
 * @param from the index in `refs` of the first arc
 * @param to the index behind the last one
 * @example
 * locate(table, left, 5, 5) // => 1
 * locate(table, left, 10, 5) // => 0
 * locate(table, left, 15, 5) // => -1
 */
export function locate(
  table: ArcTable,
  refs: Int32Array,
  x: number,
  y: number,
  from = 0,
  to = refs.length,
): -1 | 0 | 1 {
  let inside = false;
  for (let k = from; k < to; k++) {
    const ref = refs[k];
    const crossings = arcCrossings(table, ref < 0 ? ~ref : ref, x, y);
    if (crossings < 0) return 0;
    if (crossings & 1) inside = !inside;
  }
  return inside ? 1 : -1;
}

/**
 * The number of times an arc crosses the open ray from (x, y) to the east, correct modulo 2; -1 when the point is on
 * the arc. `x` and `y` are in 1e-7 degrees.
 */
export function arcCrossings({ box, coords, first, length }: ArcTable, arc: number, x: number, y: number): number {
  const b = 4 * arc;
  // An arc entirely west, above or below the point does not cross the ray.
  if (box[b + 2] < x || box[b + 1] > y || box[b + 3] < y) return 0;
  const start = 2 * first[arc];
  const end = start + 2 * (length[arc] - 1);
  // For an arc entirely east of the point only the ends count.
  if (box[b] > x) return coords[start + 1] > y !== coords[end + 1] > y ? 1 : 0;
  return crossingsEast(coords, start, end, x, y);
}

/**
 * The number of segments of a chain that cross the open ray from (x, y) to the east, or -1 when the point is on the
 * chain. The chain is `coords[start], coords[start + 1], … coords[end], coords[end + 1]` (indexes of x, not of
 * vertices). A vertex level with the ray counts as below it, so a chain through a vertex is counted once. Exact, like
 * `locate`.
 */
export function crossingsEast(coords: Int32Array, start: number, end: number, x: number, y: number): number {
  let crossings = 0;
  let px = coords[start];
  let py = coords[start + 1];
  let above = py > y;
  if (px === x && py === y) return -1;
  for (let i = start + 2; i <= end; i += 2) {
    const qx = coords[i];
    const qy = coords[i + 1];
    const aboveNow = qy > y;
    if (above !== aboveNow) {
      if (px > x && qx > x) crossings++;
      else if (px >= x || qx >= x) {
        const side = orient(px, py, qx, qy, x, y);
        if (side === 0) return -1;
        if (side > 0 === aboveNow) crossings++;
      }
    } else if (qy === y && ((qx === x && qy === y) || (py === y && px < x !== qx < x))) {
      return -1;
    }
    px = qx;
    py = qy;
    above = aboveNow;
  }
  return crossings;
}
