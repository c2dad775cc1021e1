import type { ArcTable, Box } from '../contract.ts';
import { locate } from './locate.ts';
import { orient } from './orient.ts';

/**
 * Whether the area bounded by arcs (signed, of any number of rings) has a point in common with a box, both closed sets.
 * Exact. The box (west <= east) is in 1e-7 degrees, whole numbers.
 * @example
 * meetsBox(table, left, [2, 2, 3, 3]) // => true
 * meetsBox(table, left, [12, 2, 13, 3]) // => false
 */
export function meetsBox(table: ArcTable, refs: Int32Array, box: Box): boolean {
  for (const ref of refs) if (arcMeetsBox(table, ref < 0 ? ~ref : ref, box)) return true;
  // No border passes the box: it is entirely inside or entirely outside.
  return locate(table, refs, box[0], box[1]) >= 0;
}

function arcMeetsBox({ box, coords, first, length }: ArcTable, arc: number, [west, south, east, north]: Box): boolean {
  const b = 4 * arc;
  if (box[b] > east || box[b + 2] < west || box[b + 1] > north || box[b + 3] < south) return false;
  const start = 2 * first[arc];
  const end = start + 2 * (length[arc] - 1);
  for (let i = start; i <= end; i += 2) {
    const [x, y] = [coords[i], coords[i + 1]];
    if (x >= west && x <= east && y >= south && y <= north) return true;
    if (i === end) break;
    const [u, v] = [coords[i + 2], coords[i + 3]];
    if (x < west && u < west) continue;
    if (x > east && u > east) continue;
    if (y < south && v < south) continue;
    if (y > north && v > north) continue;
    // The segment's box meets the box: so do they, unless all corners are on one side of its line.
    const side = orient(x, y, u, v, west, south);
    const isApart =
      side !== 0 &&
      orient(x, y, u, v, east, south) === side &&
      orient(x, y, u, v, east, north) === side &&
      orient(x, y, u, v, west, north) === side;
    if (!isApart) return true;
  }
  return false;
}
