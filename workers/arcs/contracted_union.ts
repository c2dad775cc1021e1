/** Unions of boundaries whose borders were contracted: choices among chains, written as rings of arcs. */
import type { ArcLines } from '../contract.ts';
import { type Contraction, START } from './contraction.ts';
import { findBorder } from './groups.ts';
import { numberNodes } from './nodes.ts';
import { simpleLoops } from './stitch.ts';
import { type Loops, loopBoxes, loopSign, type Placed } from './stitch_nest.ts';

/** A union of contracted boundaries. */
export interface Contracted extends Placed {
  /** Per ring, its signed chains from the one in which it starts on: those of ring r end before `chainEnd[r]`. */
  readonly chains: Int32Array;
  readonly chainEnd: Uint32Array;
}

/**
 * The union of boundaries of a contraction, no two of which have a place in common, as mergeBoundaries gives it; null
 * when it touches itself at a point, has a ring without area, or a hole that boxes alone do not give to one shell:
 * mergeBoundaries has to look at these.
 * @param members indexes of boundaries, each once
 * @example
 * mergeContracted(contract(table, [left, right], [Uint32Array.of(2), Uint32Array.of(2)]), [0, 1]).rings.refs.length // => 2
 */
export function mergeContracted(contraction: Contraction, members: readonly number[]): Contracted | null {
  const { lines, sums, boundaries } = contraction;
  let count = 0;
  for (const member of members) count += boundaries[member].length;
  const border = new Int32Array(count);
  for (let i = 0, at = 0; i < members.length; at += boundaries[members[i++]].length) {
    border.set(boundaries[members[i]], at);
  }
  const kept = findBorder(border, Uint32Array.of(0, count), sums, border);
  if (kept < 0) return null;
  const refs = border.subarray(0, kept);
  const loops = simpleLoops(refs, numberNodes(lines, refs));
  if (loops === null) return null;
  const boxes = loopBoxes(lines, loops);
  const holes = holesByShell(lines, loops, boxes);
  return holes && expanded(contraction, loops, boxes, holes);
}

/** Per loop, its holes if it is a shell, or null if it is a hole; null when that is not certain. */
function holesByShell(lines: ArcLines, loops: Loops, boxes: Int32Array): (number[] | null)[] | null {
  const holes: (number[] | null)[] = [];
  for (let l = 0; l < loops.count; l++) {
    const sign = loopSign(lines, loops, l, boxes[4 * l]);
    if (sign === 0) return null;
    holes.push(sign > 0 ? [] : null);
  }
  for (let l = 0; l < loops.count; l++) {
    if (holes[l] !== null) continue;
    // The boundaries are valid, so the hole lies in a shell, and in no other than one whose box contains its box.
    const [west, south, east, north] = boxes.subarray(4 * l, 4 * l + 4);
    let found: number[] | null = null;
    for (let s = 0; s < loops.count; s++) {
      const own = holes[s];
      const b = 4 * s;
      if (own === null || boxes[b] > west || boxes[b + 1] > south || boxes[b + 2] < east || boxes[b + 3] < north)
        continue;
      if (found !== null) return null;
      found = own;
    }
    if (found === null) return null;
    found.push(l);
  }
  return holes;
}

/** Loops of chains as rings of arcs, in the order of stitch(). */
function expanded(
  { refs, end, least, starts }: Contraction,
  loops: Loops,
  loopBoxes: Int32Array,
  holes: readonly (number[] | null)[],
): Contracted {
  const sideOf = (ref: number) => (ref < 0 ? 2 * ~ref + 1 : 2 * ref);
  const compare = (a: number, b: number): number => {
    const [i, j] = [START * sideOf(loops.refs[a]), START * sideOf(loops.refs[b])];
    for (let n = 0; n < START; n++) if (starts[i + n] !== starts[j + n]) return starts[i + n] - starts[j + n];
    return 0;
  };
  /** Per loop, where in its refs the chain with its smallest arc end is. */
  const startAt = new Int32Array(loops.count);
  let count = 0;
  for (let l = 0, k = 0; l < loops.count; l++) {
    startAt[l] = k;
    for (; k < loops.end[l]; k++) {
      if (compare(k, startAt[l]) < 0) startAt[l] = k;
      const c = loops.refs[k] < 0 ? ~loops.refs[k] : loops.refs[k];
      count += end[c] - (c === 0 ? 0 : end[c - 1]);
    }
  }
  const byStart = (a: number, b: number) => compare(startAt[a], startAt[b]);
  const out = new Int32Array(count);
  let at = 0;
  const chains = new Int32Array(loops.refs.length);
  let walked = 0;
  const write = (l: number) => {
    const begin = l === 0 ? 0 : loops.end[l - 1];
    const size = loops.end[l] - begin;
    for (let k = 0; k <= size; k++) {
      const ref = loops.refs[begin + ((startAt[l] - begin + k) % size)];
      if (k < size) chains[walked++] = ref;
      const c = ref < 0 ? ~ref : ref;
      let [from, to] = [c === 0 ? 0 : end[c - 1], end[c]];
      // The ring starts within its first chain, and what is before that comes last.
      const cut = from + least[sideOf(ref)] + (ref < 0 ? 1 : 0);
      if (k === 0 ? ref >= 0 : k === size && ref < 0) from = cut;
      if (k === 0 ? ref < 0 : k === size && ref >= 0) to = cut;
      if (ref < 0) for (let r = to - 1; r >= from; r--) out[at++] = ~refs[r];
      else for (let r = from; r < to; r++) out[at++] = refs[r];
    }
  };
  const shells = Array.from(startAt.keys()).filter((l) => holes[l] !== null);
  shells.sort(byStart);
  const ringEnd = new Uint32Array(loops.count);
  const chainEnd = new Uint32Array(loops.count);
  const polygonEnd = new Uint32Array(shells.length);
  const boxes = new Int32Array(4 * shells.length);
  let ring = 0;
  for (let p = 0; p < shells.length; p++) {
    boxes.set(loopBoxes.subarray(4 * shells[p], 4 * shells[p] + 4), 4 * p);
    for (const l of [shells[p], ...(holes[shells[p]] as number[]).sort(byStart)]) {
      write(l);
      chainEnd[ring] = walked;
      ringEnd[ring++] = at;
    }
    polygonEnd[p] = ring;
  }
  return { rings: { refs: out, ringEnd, polygonEnd }, boxes, chains, chainEnd };
}
