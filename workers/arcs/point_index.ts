/**
 * A k-d tree over points that can be removed. Finds which remaining points are in a triangle or a box.
 *
 * The tree is implicit: node 1 is the root, node j has the children 2j and 2j + 1, and leaf l of `leaves` has the
 * points `floor(n * l / leaves) … floor(n * (l + 1) / leaves) - 1` of `order`. Its cells are smaller where points are
 * dense, and each node counts its remaining points so that a search skips empty subtrees. Searches therefore stay short
 * at every level of detail.
 */
import type { Coords } from '../contract.ts';
import { orient } from './orient.ts';

/** The rank of a removed point. */
export const REMOVED = 255;

/** The most points in a leaf. */
const LEAF = 6;

export interface PointIndex {
  readonly coords: Coords;
  /** Per vertex of `coords`, a class that a search can limit; GONE for vertices that no search may return. */
  readonly rank: Uint8Array;
  readonly order: Int32Array;
  readonly leaves: number;
  /** Per indexed vertex of `coords`, the node of its leaf. */
  readonly leaf: Int32Array;
  /** 4 per node: west, south, east, north of its points. */
  readonly box: Int32Array;
  /** Per node, the number of its points that remain. */
  readonly left: Int32Array;
  readonly stack: Int32Array;
}

/**
 * Indexes distinct points (vertex numbers of `coords`) with their ranks. Reorders `points` in place and keeps it. O(n
 * log n) time, at most 60 bytes per point.
 */
export function indexPoints(coords: Coords, points: Int32Array, rank: Uint8Array): PointIndex {
  const n = points.length;
  let leaves = 1;
  while (leaves * LEAF < n) leaves *= 2;
  const box = new Int32Array(8 * leaves);
  const left = new Int32Array(2 * leaves);
  const leaf = new Int32Array(coords.length / 2);
  // A node's range follows from its number. Parents come before children, so one pass splits them all.
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

/** Removes a point. */
export function removePoint(index: PointIndex, point: number): void {
  index.rank[point] = REMOVED;
  for (let node = index.leaf[point]; node > 0; node >>= 1) index.left[node]--;
}

/** Restores a removed point with its rank. */
export function restorePoint(index: PointIndex, point: number, rank: number): void {
  index.rank[point] = rank;
  for (let node = index.leaf[point]; node > 0; node >>= 1) index.left[node]++;
}

/**
 * A point of rank at most `limit` in the closed triangle a, b, c (vertex numbers) other than these three, or -1. Exact.
 * A degenerate triangle is the segment it covers. When several points are inside, which one is returned depends only on
 * the points.
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
 * Writes the remaining points in a closed box into `into`, in tree order, and returns their number. If that exceeds the
 * length of `into`, only as many as fit are written, and the caller repeats with a larger array.
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
      if (rank[p] === REMOVED) continue;
      const x = coords[2 * p];
      const y = coords[2 * p + 1];
      if (x >= west && x <= east && y >= south && y <= north) into[found++] = p;
    }
  }
  return found;
}

/**
 * Hoare's selection (quickselect): moves the point that a sort along one axis would put at `middle` there, smaller ones
 * before it.
 */
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
