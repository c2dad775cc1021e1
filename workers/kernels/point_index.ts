/**
 * A k-d tree over points that go away: which of the points that are left lie in a triangle or a box.
 *
 * The tree is implicit: node 1 is the root, node j has the children 2j and 2j + 1, and the l-th of `leaves` leaves
 * holds the points `floor(n * l / leaves) … floor(n * (l + 1) / leaves) - 1` of `order`. Its cells shrink where points
 * are dense, and a count of the points left lets a search pass over what has been removed, so that a search stays short
 * at every level of detail.
 */
import type { Coords } from '../contract.ts';
import { orient } from './orient.ts';

/** Rank of a point that is gone. */
export const GONE = 255;

/** How many points a leaf may hold. */
const LEAF = 6;

export interface PointIndex {
  readonly coords: Coords;
  /** Per vertex of `coords`, a class that a search may bound from above; GONE for what no search finds. */
  readonly rank: Uint8Array;
  readonly order: Int32Array;
  readonly leaves: number;
  /** Per vertex of `coords` that is a point, the node of its leaf. */
  readonly leaf: Int32Array;
  /** 4 per node: west, south, east, north of its points. */
  readonly box: Int32Array;
  /** Per node, how many of its points are left. */
  readonly left: Int32Array;
  readonly stack: Int32Array;
}

/**
 * Indexes the given points (vertex numbers of `coords`, changed in order; none twice) with their ranks.
 * O(n log n) time, 60 bytes a point at most.
 */
export function indexPoints(coords: Coords, points: Int32Array, rank: Uint8Array): PointIndex {
  const n = points.length;
  let leaves = 1;
  while (leaves * LEAF < n) leaves *= 2;
  const box = new Int32Array(8 * leaves);
  const left = new Int32Array(2 * leaves);
  const leaf = new Int32Array(coords.length / 2);
  // A node's range follows from its number, so that parents come before children and one pass splits them all.
  for (let node = 1, depth = 1; node < 2 * leaves; node++) {
    if (node === 2 * depth) depth *= 2;
    const span = leaves / depth;
    const lo = Math.floor((n * (node - depth) * span) / leaves);
    const hi = Math.floor((n * (node - depth + 1) * span) / leaves);
    const at = 4 * node;
    let [west, south, east, north] = [2147483647, 2147483647, -2147483648, -2147483648];
    for (let i = lo; i < hi; i++) {
      const x = coords[2 * points[i]];
      const y = coords[2 * points[i] + 1];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    box[at] = west;
    box[at + 1] = south;
    box[at + 2] = east;
    box[at + 3] = north;
    left[node] = hi - lo;
    if (node >= leaves) for (let i = lo; i < hi; i++) leaf[points[i]] = node;
    else
      select(
        coords,
        points,
        lo,
        hi - 1,
        Math.floor((n * ((node - depth) * span + span / 2)) / leaves),
        east - west > north - south ? 0 : 1,
      );
  }
  return { coords, rank, order: points, leaves, leaf, box, left, stack: new Int32Array(128) };
}

/** Takes a point out. */
export function removePoint(index: PointIndex, point: number): void {
  index.rank[point] = GONE;
  for (let node = index.leaf[point]; node > 0; node >>= 1) index.left[node]--;
}

/** Puts a point that was taken out back in, with its rank. */
export function restorePoint(index: PointIndex, point: number, rank: number): void {
  index.rank[point] = rank;
  for (let node = index.leaf[point]; node > 0; node >>= 1) index.left[node]++;
}

/**
 * A point of rank at most `limit` in the closed triangle a, b, c (vertex numbers) other than these three, or -1. Exact.
 * A flat triangle is the segment it covers. Which point is found, of several, depends on the points alone.
 */
export function pointInTriangle(index: PointIndex, a: number, b: number, c: number, limit: number): number {
  const { coords, rank, order, leaves, box, left, stack } = index;
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  const bx = coords[2 * b];
  const by = coords[2 * b + 1];
  const cx = coords[2 * c];
  const cy = coords[2 * c + 1];
  const west = Math.min(ax, bx, cx);
  const east = Math.max(ax, bx, cx);
  const south = Math.min(ay, by, cy);
  const north = Math.max(ay, by, cy);
  const n = order.length;
  let top = 0;
  stack[top++] = 1;
  while (top > 0) {
    const node = stack[--top];
    if (left[node] === 0) continue;
    const at = 4 * node;
    if (box[at] > east || box[at + 2] < west || box[at + 1] > north || box[at + 3] < south) continue;
    if (node < leaves) {
      stack[top++] = 2 * node + 1;
      stack[top++] = 2 * node;
      continue;
    }
    const hi = Math.floor((n * (node - leaves + 1)) / leaves);
    for (let i = Math.floor((n * (node - leaves)) / leaves); i < hi; i++) {
      const p = order[i];
      if (rank[p] > limit || p === a || p === b || p === c) continue;
      const x = coords[2 * p];
      const y = coords[2 * p + 1];
      if (x < west || x > east || y < south || y > north) continue;
      const first = orient(ax, ay, bx, by, x, y);
      const second = orient(bx, by, cx, cy, x, y);
      if (first * second < 0) continue;
      const third = orient(cx, cy, ax, ay, x, y);
      if (first * third >= 0 && second * third >= 0) return p;
    }
  }
  return -1;
}

/**
 * Writes the points that are left in a closed box, in the order of the tree, into `into` and returns how many there
 * are; when they do not fit, writes what fits (the caller compares and comes again with more room).
 */
export function pointsInBox(
  index: PointIndex,
  west: number,
  south: number,
  east: number,
  north: number,
  into: Int32Array,
): number {
  const { coords, rank, order, leaves, box, left, stack } = index;
  const n = order.length;
  let found = 0;
  let top = 0;
  stack[top++] = 1;
  while (top > 0) {
    const node = stack[--top];
    if (left[node] === 0) continue;
    const at = 4 * node;
    if (box[at] > east || box[at + 2] < west || box[at + 1] > north || box[at + 3] < south) continue;
    if (node < leaves) {
      stack[top++] = 2 * node + 1;
      stack[top++] = 2 * node;
      continue;
    }
    const hi = Math.floor((n * (node - leaves + 1)) / leaves);
    for (let i = Math.floor((n * (node - leaves)) / leaves); i < hi; i++) {
      const p = order[i];
      if (rank[p] === GONE) continue;
      const x = coords[2 * p];
      const y = coords[2 * p + 1];
      if (x >= west && x <= east && y >= south && y <= north) into[found++] = p;
    }
  }
  return found;
}

/** Hoare's selection: puts the point that a full sort by one axis would put at `middle` there, smaller ones before it. */
function select(coords: Coords, points: Int32Array, from: number, to: number, middle: number, axis: 0 | 1): void {
  let lo = from;
  let hi = to;
  while (lo < hi) {
    const pivot = coords[2 * points[(lo + hi) >> 1] + axis];
    let i = lo;
    let j = hi;
    while (i <= j) {
      while (coords[2 * points[i] + axis] < pivot) i++;
      while (coords[2 * points[j] + axis] > pivot) j--;
      if (i <= j) {
        const swap = points[i];
        points[i++] = points[j];
        points[j--] = swap;
      }
    }
    if (middle <= j) hi = j;
    else if (middle >= i) lo = i;
    else return;
  }
}
