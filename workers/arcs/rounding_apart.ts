/** A proof that a vertex and a segment never touch while their coordinates are rounded. */
import type { Coords } from '../contract.ts';
import { roundTo } from './levels.ts';

/** Whether v provably stays apart from the segment a b, whichever of the three are rounded. */
export function alwaysApart(coords: Coords, v: number, a: number, b: number, unit: number): boolean {
  for (const ofV of [unit, 1]) {
    for (const ofA of [unit, 1]) {
      for (const ofB of [unit, 1])
        if (ofV + ofA + ofB > 3 && !staysApart(coords, v, a, b, [ofV, ofA, ofB])) return false;
    }
  }
  return true;
}

/**
 * Whether v provably never touches the segment a b while the three are rounded to their units: in some direction v is
 * strictly on one side of both a and b at the start and at the end, and so also in between, because all move in
 * straight lines at constant speed. In doubt returns false.
 */
function staysApart(
  coords: Coords,
  v: number,
  a: number,
  b: number,
  units: readonly [number, number, number],
): boolean {
  const vx = coords[2 * v];
  const vy = coords[2 * v + 1];
  const wx = roundTo(vx, units[0]);
  const wy = roundTo(vy, units[0]);
  // Vectors from a and from b to v, before and after rounding.
  const ax = vx - coords[2 * a];
  const ay = vy - coords[2 * a + 1];
  const bx = vx - coords[2 * b];
  const by = vy - coords[2 * b + 1];
  const cx = wx - roundTo(coords[2 * a], units[1]);
  const cy = wy - roundTo(coords[2 * a + 1], units[1]);
  const dx = wx - roundTo(coords[2 * b], units[2]);
  const dy = wy - roundTo(coords[2 * b + 1], units[2]);
  const apart = (x: number, y: number): boolean => {
    const side = sideOf(x, y, ax, ay);
    return (
      side !== 0 && sideOf(x, y, bx, by) === side && sideOf(x, y, cx, cy) === side && sideOf(x, y, dx, dy) === side
    );
  };
  // Directions tried: the segment's normals before and after, the axes, and the segment itself for vertices beyond its
  // ends.
  return apart(by - ay, ax - bx) || apart(dy - cy, cx - dx) || apart(1, 0) || apart(0, 1) || apart(ax - bx, ay - by);
}

/** The sign of a scalar product; 0 where a double cannot distinguish it from 0. */
function sideOf(x: number, y: number, dx: number, dy: number): number {
  const p = x * dx;
  const q = y * dy;
  const bound = 4e-16 * (Math.abs(p) + Math.abs(q));
  const sum = p + q;
  return sum > bound ? 1 : sum < -bound ? -1 : 0;
}
