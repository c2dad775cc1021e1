/**
 * Boundaries with contracted borders, so that many unions of them are each a choice among few chains.
 *
 * A province's border has a vertex wherever a border of a municipality meets it, so it consists of hundreds of arcs; but
 * only at a few of these does another province meet it. Contracting the vertices of degree 2 of a graph (Diestel, "Graph
 * Theory", suppressing vertices) leaves the others, and a chain of arcs between two of them is taken or left as a whole.
 */
import type { ArcLines, ArcTable } from '../contract.ts';
import { numberNodes } from './nodes.ts';
import { compareStarts } from './stitch_nest.ts';

/** Numbers of `starts` for each chain and direction: a vertex, and the one after it. */
export const START = 4;

/** Chains of some boundaries. Chain c is walked forward as `c`, backward as `~c`. */
export interface Contraction {
  /** Chain c has the signed arcs `refs[end[c - 1] … end[c] - 1]`, in the order of walking it forward. */
  readonly refs: Int32Array;
  readonly end: Uint32Array;
  /** Per boundary, the signed chains of its rings. */
  readonly boundaries: readonly Int32Array[];
  /**
   * Each chain as an arc of a few of its vertices, which decide how it continues and which way a ring turns: both ends
   * and their neighbors, and its smallest vertex (by x, then y) between its neighbors. The box is that of all vertices.
   */
  readonly lines: ArcLines;
  /** Per chain, walked forward and then backward: which of its arcs, counted from its start, has the smallest start. */
  readonly least: Uint32Array;
  /** Per chain and direction that start, and the vertex after it: x, y, x, y. */
  readonly starts: Int32Array;
  /** Memory of merges, all 0 between two. */
  readonly sums: Int32Array;
}

/**
 * Contracts boundaries.
 * @param table the arcs
 * @param boundaries per boundary, the signed arcs of its rings, ring after ring
 * @param ringEnds per boundary, where its rings end in them
 * @example
 * contract(table, [left, right], [Uint32Array.of(2), Uint32Array.of(2)]).end // => [1, 2, 3]
 */
export function contract(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  ringEnds: readonly Uint32Array[],
): Contraction {
  const ends = endsOf(table, boundaries);
  const refs: number[] = [];
  const end: number[] = [];
  /** Per arc of a chain, 1 + the chain; negative when the chain walks it backward. */
  const chainOf = new Map<number, number>();
  const contracted = boundaries.map((own, b) => {
    const chains: number[] = [];
    for (let r = 0; r < ringEnds[b].length; r++) {
      const from = r === 0 ? 0 : ringEnds[b][r - 1];
      const count = ringEnds[b][r] - from;
      let begin = 0;
      while (begin < count && !ends.stopsBefore(own[from + begin])) begin++;
      // A ring without such a vertex is one chain, which starts where it was first met.
      if (begin === count) begin = 0;
      for (let k = 0; k < count; ) {
        const first = own[from + ((begin + k) % count)];
        const known = chainOf.get(first < 0 ? ~first : first);
        if (known !== undefined) {
          const c = Math.abs(known) - 1;
          chains.push(known > 0 === first >= 0 ? c : ~c);
          k += end[c] - (end[c - 1] ?? 0);
          continue;
        }
        chains.push(end.length);
        let ref = first;
        do {
          refs.push(ref);
          chainOf.set(ref < 0 ? ~ref : ref, ref < 0 ? -1 - end.length : 1 + end.length);
          ref = own[from + ((begin + ++k) % count)];
        } while (k < count && !ends.stopsBefore(ref));
        end.push(refs.length);
      }
    }
    return Int32Array.from(chains);
  });
  const chains = { refs: Int32Array.from(refs), end: Uint32Array.from(end) };
  return {
    ...chains,
    ...startsOf(table, chains),
    boundaries: contracted,
    lines: linesOf(table, chains),
    sums: new Int32Array(end.length),
  };
}

/** Where chains end: at a vertex at which other than two of the arcs end. */
function endsOf(table: ArcTable, boundaries: readonly Int32Array[]) {
  const arcs = new Set<number>();
  for (const refs of boundaries) for (const ref of refs) arcs.add(ref < 0 ? ~ref : ref);
  const list = Int32Array.from(arcs);
  const { from, to, count } = numberNodes(table, list);
  const degree = new Int32Array(count);
  /** Per arc, the nodes where it starts and ends. */
  const nodes = new Map<number, readonly [number, number]>();
  for (let k = 0; k < list.length; k++) {
    degree[from[k]]++;
    degree[to[k]]++;
    nodes.set(list[k], [from[k], to[k]]);
  }
  return {
    /** Whether a chain ends where the walk over an arc begins. */
    stopsBefore(ref: number): boolean {
      const [start, finish] = nodes.get(ref < 0 ? ~ref : ref) as readonly [number, number];
      return degree[ref < 0 ? finish : start] !== 2;
    },
  };
}

type Chains = Pick<Contraction, 'refs' | 'end'>;

/** The arc of each chain and direction that has the smallest start, and that start. */
function startsOf(table: ArcTable, { refs, end }: Chains): Pick<Contraction, 'least' | 'starts'> {
  const { coords, first, length } = table;
  const least = new Uint32Array(2 * end.length);
  const starts = new Int32Array(2 * START * end.length);
  for (let c = 0, from = 0; c < end.length; from = end[c++]) {
    for (let side = 0; side < 2; side++) {
      const walked = (k: number) => (side === 0 ? refs[k] : ~refs[k]);
      let best = from;
      for (let k = from + 1; k < end[c]; k++) if (compareStarts(table, walked(k), walked(best)) < 0) best = k;
      least[2 * c + side] = best - from;
      const ref = walked(best);
      const v = ref < 0 ? first[~ref] + length[~ref] - 1 : first[ref];
      const next = ref < 0 ? v - 1 : v + 1;
      starts.set([coords[2 * v], coords[2 * v + 1], coords[2 * next], coords[2 * next + 1]], START * (2 * c + side));
    }
  }
  return { least, starts };
}

/** The chains as arcs of a few vertices, as Contraction says. */
function linesOf(table: ArcTable, { refs, end }: Chains): ArcLines {
  const { coords, first: firstOf, length: lengthOf, box: boxes } = table;
  const first = new Uint32Array(end.length);
  const length = new Uint32Array(end.length);
  const box = new Int32Array(4 * end.length);
  const kept: number[] = [];
  for (let c = 0, from = 0; c < end.length; from = end[c++]) {
    const own = box.subarray(4 * c, 4 * c + 4).fill(-(2 ** 31));
    own.fill(2 ** 31 - 1, 0, 2);
    /** Per arc, the number of its first vertex among those of the chain. */
    const numbers: number[] = [];
    let last = 0;
    for (let k = from; k < end[c]; k++) {
      const arc = refs[k] < 0 ? ~refs[k] : refs[k];
      for (let side = 0; side < 2; side++) own[side] = Math.min(own[side], boxes[4 * arc + side]);
      for (let side = 2; side < 4; side++) own[side] = Math.max(own[side], boxes[4 * arc + side]);
      numbers.push(last);
      last += lengthOf[arc] - 1;
    }
    /** Where vertex v of the chain is in the coordinates of the table. */
    const placeOf = (v: number): number => {
      let [low, high] = [0, numbers.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (numbers[middle] <= v) low = middle;
        else high = middle;
      }
      const ref = refs[from + low];
      const arc = ref < 0 ? ~ref : ref;
      const inside = v - numbers[low];
      return 2 * (firstOf[arc] + (ref < 0 ? lengthOf[arc] - 1 - inside : inside));
    };
    let west = 0;
    let lowest = Number.POSITIVE_INFINITY;
    for (let k = from; k < end[c]; k++) {
      const arc = refs[k] < 0 ? ~refs[k] : refs[k];
      if (boxes[4 * arc] !== own[0]) continue;
      const begin = numbers[k - from];
      for (let v = begin; v < begin + lengthOf[arc]; v++) {
        const at = placeOf(v);
        if (coords[at] !== own[0] || coords[at + 1] >= lowest) continue;
        lowest = coords[at + 1];
        west = v;
      }
    }
    const wanted = new Set([0, 1, west - 1, west, west + 1, last - 1, last].filter((v) => v >= 0 && v <= last));
    first[c] = kept.length / 2;
    length[c] = wanted.size;
    for (const v of [...wanted].sort((a, b) => a - b)) kept.push(coords[placeOf(v)], coords[placeOf(v) + 1]);
  }
  return { coords: Int32Array.from(kept), first, length, box };
}
