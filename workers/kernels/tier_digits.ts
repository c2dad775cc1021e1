/**
 * Which arcs keep 7 digits at a level. Rounding moves every vertex by up to half a unit in x and in y; think of all of
 * them moving there together, in straight lines. As long as no vertex ever touches a segment that it does not end, the
 * arrangement stays plane all the way, with the same order at every junction and the same orientation of every ring.
 * Where that cannot be shown for a vertex and a segment, their owners stay where they are. It must be shown whichever of
 * the three points are rounded, so that what is marked elsewhere does not matter: the digits of an arc depend on what
 * the level leaves within a unit of it, and those of its ends on the arcs that meet there.
 */
import { type Coords, MASKS_PER_END } from '../contract.ts';
import { roundTo } from './levels.ts';
import { pointsInBox } from './point_index.ts';
import type { Remainder } from './remainder.ts';

/** Pairs of a vertex and a segment that rounding at one level could bring together. */
export interface DigitMarks {
  readonly remainder: Remainder;
  /** What coordinates are rounded to a multiple of. */
  readonly unit: number;
  /** Triples: vertex, segment start, segment end (vertices that stand for their place). */
  readonly pairs: number[];
  found: Int32Array;
}

/** The pairs of the remainder with all its arc ends. */
export function digitMarks(remainder: Remainder, unit: number): DigitMarks {
  const { arrangement, index, next } = remainder;
  const { first, point, arcClass } = arrangement;
  const marks: DigitMarks = { remainder, unit, pairs: [], found: new Int32Array(256) };
  for (let arc = 0; arc < first.length; arc++) {
    if (index.rank[point[first[arc]]] > arcClass[arc]) continue;
    for (let v = first[arc]; next[v] >= 0; v = next[v]) nearSegment(marks, point[v], point[next[v]], 254);
  }
  return marks;
}

/** Adds the pairs of a segment and the vertices of rank at most `limit` near it. */
export function nearSegment(marks: DigitMarks, a: number, b: number, limit: number): void {
  const { remainder, unit, pairs } = marks;
  const { index } = remainder;
  const { coords, rank } = index;
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  const bx = coords[2 * b];
  const by = coords[2 * b + 1];
  const west = Math.min(ax, bx) - unit;
  const south = Math.min(ay, by) - unit;
  const east = Math.max(ax, bx) + unit;
  const north = Math.max(ay, by) + unit;
  let count = pointsInBox(index, west, south, east, north, marks.found);
  if (count > marks.found.length) {
    marks.found = new Int32Array(2 * count);
    count = pointsInBox(index, west, south, east, north, marks.found);
  }
  // Two moving points come nearer to each other by at most one unit per axis; that is the distance of a point from a
  // line in the maximum norm.
  const reach = unit * (Math.abs(bx - ax) + Math.abs(by - ay));
  for (let i = 0; i < count; i++) {
    const v = marks.found[i];
    if (v === a || v === b || rank[v] > limit) continue;
    const cross = (bx - ax) * (coords[2 * v + 1] - ay) - (by - ay) * (coords[2 * v] - ax);
    if (Math.abs(cross) <= reach * (1 + 1e-12)) pairs.push(v, a, b);
  }
}

/** Sets the bit of a level for what must keep 7 digits: in `exact` for arcs, in the last mask of `ends` for arc ends. */
export function markExact(marks: DigitMarks, level: number, exact: Uint16Array, ends: Uint16Array): void {
  const { remainder, unit, pairs } = marks;
  const { coords, node, nodeAt, arcOf, incident, incidentEnd } = remainder.arrangement;
  const bit = 1 << level;
  const markNode = (at: number) => {
    for (let i = at === 0 ? 0 : incidentEnd[at - 1]; i < incidentEnd[at]; i++) {
      ends[(incident[i] + 1) * MASKS_PER_END - 1] |= bit;
    }
  };
  const mark = (v: number) => {
    if (nodeAt[v] >= 0) return markNode(nodeAt[v]);
    const arc = arcOf[v];
    exact[arc] |= bit;
    markNode(node[2 * arc]);
    markNode(node[2 * arc + 1]);
  };
  for (let i = 0; i < pairs.length; i += 3) {
    const [v, a, b] = [pairs[i], pairs[i + 1], pairs[i + 2]];
    if (alwaysApart(coords, v, a, b, unit)) continue;
    mark(v);
    mark(a);
    mark(b);
  }
}

/** Whether v stays apart from the segment a b whichever of the three are rounded. */
function alwaysApart(coords: Coords, v: number, a: number, b: number, unit: number): boolean {
  for (const ofV of [unit, 1]) {
    for (const ofA of [unit, 1]) {
      for (const ofB of [unit, 1])
        if (ofV + ofA + ofB > 3 && !staysApart(coords, v, a, b, [ofV, ofA, ofB])) return false;
    }
  }
  return true;
}

/**
 * Whether v can be shown never to touch the segment a b while the three are rounded to their units: some direction has
 * v strictly on one side of both a and b at the start and at the end, and so in between, because all move in straight
 * lines at constant speed. Errs on the side of no.
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
  // From a and from b to v, before and after.
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
  // The normals of the segment before and after, the axes, and the segment itself for vertices beyond its ends.
  return apart(by - ay, ax - bx) || apart(dy - cy, cx - dx) || apart(1, 0) || apart(0, 1) || apart(ax - bx, ay - by);
}

/** The sign of a scalar product, 0 where a double cannot tell it from 0. */
function sideOf(x: number, y: number, dx: number, dy: number): number {
  const p = x * dx;
  const q = y * dy;
  const bound = 4e-16 * (Math.abs(p) + Math.abs(q));
  const sum = p + q;
  return sum > bound ? 1 : sum < -bound ? -1 : 0;
}
