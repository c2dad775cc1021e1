import type { Coords } from '../contract.ts';
import { cutChains } from './cut.ts';
import { hashPair, tableSize } from './nodes.ts';

/** No joined arc starts here. */
export const NONE = -2147483648;

/** Joined arcs, and how walks over the original arcs map to them. */
export interface JoinedArcs {
  readonly arcs: Coords[];
  /** As in CutChains. */
  readonly hashes: Uint8Array;
  /**
   * Per original arc, the signed joined arc that a forward (or backward) walk enters with it, or NONE when the walk
   * entered that joined arc earlier. A ring of original arcs is thus the ring of the joined arcs it enters.
   */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Per original arc, the joined arc that contains it, or NONE. */
  readonly whole: Int32Array;
}

/** Numbers distinct vertices by their coordinates, in order of insertion. */
export class VertexNumbers {
  private slots: Int32Array;
  private x: number[] = [];
  private y: number[] = [];

  constructor(expected: number) {
    this.slots = new Int32Array(tableSize(expected));
  }

  get size(): number {
    return this.x.length;
  }

  /** The number of a vertex, or -1. */
  find(x: number, y: number): number {
    return this.slots[this.slot(x, y)] - 1;
  }

  /** The number of a vertex, which is added when it is new. Holds at most `expected` vertices. */
  add(x: number, y: number): number {
    const slot = this.slot(x, y);
    if (this.slots[slot] === 0) {
      this.x.push(x);
      this.y.push(y);
      this.slots[slot] = this.x.length;
    }
    return this.slots[slot] - 1;
  }

  private slot(x: number, y: number): number {
    const mask = this.slots.length - 1;
    let slot = hashPair(x, y) & mask;
    for (let at = this.slots[slot] - 1; at >= 0 && (this.x[at] !== x || this.y[at] !== y); at = this.slots[slot] - 1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}

/**
 * Joins arcs at every vertex where exactly two ends of live arcs meet (`live` has a byte per arc), unless `isFixed`
 * says that other arcs may meet there. The result does not depend on where the original chains began and ended: arcs
 * run from junction to junction of the live arcs, and a closed arc without a junction starts at its smallest vertex.
 */
export function joinArcs(
  arcs: readonly Coords[],
  live: Uint8Array,
  isFixed: (x: number, y: number) => boolean,
): JoinedArcs {
  const places = new VertexNumbers(2 * arcs.length);
  const node = new Int32Array(2 * arcs.length).fill(-1);
  for (let end = 0; end < node.length; end++) {
    if (live[end >> 1] === 0) continue;
    const arc = arcs[end >> 1];
    const at = end & 1 ? arc.length - 2 : 0;
    node[end] = places.add(arc[at], arc[at + 1]);
  }
  const degree = new Int32Array(places.size);
  /** The sum of the arc ends at a node. With two ends, the other end is the sum minus one of them. */
  const sum = new Float64Array(places.size);
  const inner = new Uint8Array(places.size);
  for (let end = 0; end < node.length; end++) {
    if (node[end] < 0) continue;
    degree[node[end]]++;
    sum[node[end]] += end;
  }
  for (let end = 0; end < node.length; end++) {
    if (node[end] < 0 || degree[node[end]] !== 2) continue;
    const arc = arcs[end >> 1];
    const at = end & 1 ? arc.length - 2 : 0;
    inner[node[end]] = isFixed(arc[at], arc[at + 1]) ? 0 : 1;
  }

  const seen = new Uint8Array(arcs.length);
  /** Walks from an arc end along its arc and onward, to the next junction or back to the start. */
  const follow = (start: number): number[] => {
    const path: number[] = [];
    for (let end = start; seen[end >> 1] === 0; end = sum[node[end ^ 1]] - (end ^ 1)) {
      seen[end >> 1] = 1;
      path.push(end);
      if (inner[node[end ^ 1]] === 0) break;
    }
    return path;
  };
  const open: number[][] = [];
  for (let end = 0; end < node.length; end++) {
    if (node[end] >= 0 && inner[node[end]] === 0 && seen[end >> 1] === 0) open.push(follow(end));
  }
  const loops: number[][] = [];
  for (let end = 0; end < node.length; end += 2) if (node[end] >= 0 && seen[end >> 1] === 0) loops.push(follow(end));

  // Paths with a junction keep their ends; a loop without one may start at its smallest vertex.
  const paths = [...loops, ...open];
  const cut = cutChains(
    paths.map((path) => chainOf(arcs, path)),
    loops.length,
  );
  const forward = new Int32Array(arcs.length).fill(NONE);
  const backward = new Int32Array(arcs.length).fill(NONE);
  const whole = new Int32Array(arcs.length).fill(NONE);
  paths.forEach((path, p) => {
    if (cut.refs[p].length !== 1) throw new Error('arcs that were joined are more than one');
    const ref = cut.refs[p][0];
    const [head, tail] = [path[0], path[path.length - 1]];
    if (head & 1) backward[head >> 1] = ref;
    else forward[head >> 1] = ref;
    if (tail & 1) forward[tail >> 1] = ~ref;
    else backward[tail >> 1] = ~ref;
    for (const end of path) whole[end >> 1] = ref < 0 ? ~ref : ref;
  });
  return { arcs: cut.arcs, hashes: cut.hashes, forward, backward, whole };
}

/** The vertices along arcs, each arc entered at the given end. */
function chainOf(arcs: readonly Coords[], path: readonly number[]): Coords {
  if (path.length === 1 && (path[0] & 1) === 0) return arcs[path[0] >> 1];
  let length = 2;
  for (const end of path) length += arcs[end >> 1].length - 2;
  const chain = new Int32Array(length);
  let at = 0;
  for (const end of path) {
    const arc = arcs[end >> 1];
    if (end & 1) {
      for (let i = arc.length - 2; i >= 0; i -= 2, at += 2) {
        chain[at] = arc[i];
        chain[at + 1] = arc[i + 1];
      }
    } else {
      chain.set(arc, at);
      at += arc.length;
    }
    at -= 2;
  }
  return chain;
}
