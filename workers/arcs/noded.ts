/** Segments on a grid that meet only at nodes, and how their edges are numbered (snap_round.ts). */
import { Ints } from './clean_lines.ts';
import { hashPair, tableSize } from './nodes.ts';

/** Segments on the grid. They meet only at nodes. */
export interface Noded {
  /** Coordinates of each node, in grid lines. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** The two nodes of each edge. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /**
   * The path of segment s is `path[pathEnd[s - 1]] … path[pathEnd[s] - 1]`, edges in order, ~edge when it runs from b to
   * a. A segment within one pixel has none.
   */
  readonly path: Int32Array;
  readonly pathEnd: Uint32Array;
}

/** Appends the edges of a segment, in the direction of its reference. */
export function followed({ path, pathEnd }: Noded, ref: number, into: Ints): void {
  const s = ref < 0 ? ~ref : ref;
  const from = s === 0 ? 0 : pathEnd[s - 1];
  const to = pathEnd[s];
  if (ref >= 0) for (let i = from; i < to; i++) into.push(path[i]);
  else for (let i = to - 1; i >= from; i--) into.push(~path[i]);
}

/** Edges between nodes, each stored once. */
export interface Edges {
  /** The two nodes of each edge, the smaller first. */
  readonly a: Ints;
  readonly b: Ints;
  /** The number of an edge, ~number when it is stored in the other direction. */
  readonly edgeOf: (from: number, to: number) => number;
}

/** Numbers edges as they are asked for; `most`: about how many are expected. */
export function numberedEdges(most: number): Edges {
  const [a, b] = [new Ints(), new Ints()];
  let slots = new Int32Array(tableSize(most + 1)).fill(-1);
  const find = (from: number, to: number): number => {
    let slot = hashPair(from, to) & (slots.length - 1);
    for (let e = slots[slot]; e >= 0 && (a.data[e] !== from || b.data[e] !== to); e = slots[slot]) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const edgeOf = (from: number, to: number): number => {
    if (from > to) return ~edgeOf(to, from);
    if (2 * a.length >= slots.length) {
      slots = new Int32Array(2 * slots.length).fill(-1);
      for (let e = 0; e < a.length; e++) slots[find(a.data[e], b.data[e])] = e;
    }
    const slot = find(from, to);
    if (slots[slot] < 0) {
      slots[slot] = a.length;
      a.push(from);
      b.push(to);
    }
    return slots[slot];
  };
  return { a, b, edgeOf };
}

/**
 * Finds the nodes between two others that are on one side of a square, in order.
 * @param x, y of each node, in pixels; the sides of the square are the lines `first` and `last` of both
 */
export function nodesOnSides(
  x: Int32Array,
  y: Int32Array,
  [first, last]: readonly [first: number, last: number],
): (from: number, to: number) => Int32Array {
  const collect = (across: Int32Array, along: Int32Array, side: number): Int32Array => {
    const found: number[] = [];
    for (let n = 0; n < across.length; n++) if (across[n] === side) found.push(n);
    return Int32Array.from(found.sort((m, n) => along[m] - along[n]));
  };
  const made = new Map<string, Int32Array>();
  return (from, to) => {
    const upright = x[from] === x[to] && (x[from] === first || x[from] === last);
    const [across, along] = upright ? [x, y] : [y, x];
    const key = `${upright} ${across[from]}`;
    let nodes = made.get(key);
    if (!nodes) {
      nodes = collect(across, along, across[from]);
      made.set(key, nodes);
    }
    const [start, end] = [nodes.indexOf(from), nodes.indexOf(to)];
    return start < end ? nodes.subarray(start + 1, end) : nodes.slice(end + 1, start).reverse();
  };
}
