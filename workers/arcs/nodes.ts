import type { ArcLines } from '../contract.ts';
import { compareRays } from './orient.ts';

/** The end vertices of walked arcs as numbered nodes. Walk k leaves node `from[k]` and arrives at node `to[k]`. */
export interface ArcNodes {
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Coordinates of each node in 1e-7 degrees; only the first `count` are in use. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly count: number;
}

/**
 * Hashes a coordinate pair to 32 bits (multipliers of MurmurHash3's finalizer), for tables whose size is a power of
 * two.
 */
export function hashPair(x: number, y: number): number {
  let h = Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

/** The smallest power of two, at least 16, that keeps an open-addressing table of `entries` at most half full. */
export function tableSize(entries: number): number {
  let size = 16;
  while (size < 2 * entries) size *= 2;
  return size;
}

/** Numbers the distinct end vertices of the signed arcs `refs` in order of first appearance. */
export function numberNodes(table: ArcLines, refs: Int32Array): ArcNodes {
  const { coords, first, length } = table;
  const n = refs.length;
  const mask = tableSize(2 * n) - 1;
  const slots = new Int32Array(mask + 1);
  const x = new Int32Array(2 * n);
  const y = new Int32Array(2 * n);
  const from = new Int32Array(n);
  const to = new Int32Array(n);
  // Reads the start and end of every walk first: independent memory reads overlap.
  for (let k = 0; k < n; k++) {
    const ref = refs[k];
    const arc = ref < 0 ? ~ref : ref;
    const low = 2 * first[arc];
    const high = low + 2 * (length[arc] - 1);
    const start = ref < 0 ? high : low;
    const end = ref < 0 ? low : high;
    x[2 * k] = coords[start];
    y[2 * k] = coords[start + 1];
    x[2 * k + 1] = coords[end];
    y[2 * k + 1] = coords[end + 1];
  }
  let count = 0;
  for (let e = 0; e < 2 * n; e++) {
    const vx = x[e];
    const vy = y[e];
    // In a ring, a walk mostly begins where the one before it ends.
    const last = e > 0 && (e & 1) === 0 ? to[(e >> 1) - 1] : -1;
    if (last >= 0 && x[last] === vx && y[last] === vy) {
      from[e >> 1] = last;
      continue;
    }
    let slot = hashPair(vx, vy) & mask;
    let node = slots[slot] - 1;
    while (node >= 0 && (x[node] !== vx || y[node] !== vy)) {
      slot = (slot + 1) & mask;
      node = slots[slot] - 1;
    }
    if (node < 0) {
      // In place: a node's number never exceeds the index of its first end, which has been read.
      node = count++;
      slots[slot] = count;
      x[node] = vx;
      y[node] = vy;
    }
    if ((e & 1) === 0) from[e >> 1] = node;
    else to[e >> 1] = node;
  }
  return { from, to, x, y, count };
}

/**
 * The rays at nodes where more than two arc ends meet, sorted counterclockwise at each node. Ray `2 * k` is where walk
 * k leaves the node, ray `2 * k + 1` where it arrives (that ray points back along the walk). Node i has the rays
 * `rays[start[i]] … rays[start[i + 1] - 1]`; nodes with two ends have none.
 */
export interface NodeRays {
  readonly start: Int32Array;
  readonly rays: Int32Array;
  /** A node where two rays have the same direction (two arcs overlap there), or -1. */
  readonly overlap: number;
}

/** Sorts the rays of every node where more than two arc ends meet. `degree` is the number of arc ends per node. */
export function sortRays(table: ArcLines, refs: Int32Array, nodes: ArcNodes, degree: Int32Array): NodeRays {
  const { from, to, count } = nodes;
  const start = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) start[i + 1] = start[i] + (degree[i] > 2 ? degree[i] : 0);
  const total = start[count];
  const rays = new Int32Array(total);
  const dx = new Float64Array(total);
  const dy = new Float64Array(total);
  const filled = new Int32Array(count);
  let overlap = -1;
  if (total === 0) return { start, rays, overlap };

  const { coords, first, length } = table;
  for (let ray = 0; ray < 2 * refs.length; ray++) {
    const k = ray >> 1;
    const arriving = (ray & 1) === 1;
    const node = arriving ? to[k] : from[k];
    if (degree[node] <= 2) continue;
    const ref = refs[k];
    const arc = ref < 0 ? ~ref : ref;
    const v = first[arc];
    // Leaving forward and arriving backward both touch the node at the arc's first vertex.
    const neighbor = arriving !== ref >= 0 ? v + 1 : v + length[arc] - 2;
    const ux = coords[2 * neighbor] - nodes.x[node];
    const uy = coords[2 * neighbor + 1] - nodes.y[node];
    // Insertion sort: a node has only a handful of rays.
    const base = start[node];
    let at = base + filled[node]++;
    while (at > base) {
      const order = compareRays(dx[at - 1], dy[at - 1], ux, uy);
      if (order === 0) overlap = node;
      if (order <= 0) break;
      rays[at] = rays[at - 1];
      dx[at] = dx[at - 1];
      dy[at] = dy[at - 1];
      at--;
    }
    rays[at] = ray;
    dx[at] = ux;
    dy[at] = uy;
  }
  return { start, rays, overlap };
}
