import { type IsCanceled, TooManySteps, throwIfCanceled } from '../cancel.ts';
import type { ArcTable, Rings } from '../contract.ts';
import { locate } from './locate.ts';
import { LatitudeIndex } from './rows.ts';
import { stitchDistinct } from './stitch.ts';
import { arcSample, type Placed } from './stitch_nest.ts';

/** Groups of boundaries. The arcs of boundary b end before `refEnd[b]`, the members of group g before `groupEnd[g]`. */
export interface Groups {
  /** Signed arcs of the rings of each boundary, interior on the left. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Indexes of boundaries. One may be in several groups, but only once in each. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
}

/** Steps of an arc that is merged and joined to a ring: it takes as long as so many vertices that are looked at. */
export const ARC_STEPS = 32;

/** Arcs between two checks of `isCanceled`. */
const POLL = 1 << 18;

/**
 * Yields the union of each group whose members do not overlap, as rings of the same arcs; null for every other group,
 * which `mergeOverlapping` has to merge.
 *
 * An arc that two members walk in opposite directions is inside their union; every other arc is on its border. That
 * needs no point location: the signed sum of the members' borders is the border of w, the number of members that cover
 * a place. The rings stitched from it are exactly the union when w is 0 or 1 everywhere, which holds when no arc is
 * left twice and no ring has w = 1 on its outer side. Members inside each other fail one of the two tests. O(arcs).
 *
 * Assumes, like `mergeOverlapping`, that the arcs of a group meet only at their ends.
 * @throws DOMException named AbortError when canceled
 */
export function* mergeGroups(
  table: ArcTable,
  { refs, refEnd, groupMembers, groupEnd }: Groups,
  isCanceled?: IsCanceled,
): Generator<Rings | null> {
  const sum = sumsOf(table);
  const most = largest(refEnd, groupMembers, groupEnd);
  // Sized for the largest group and reused: zeroing new arrays takes longer than filling them.
  const runs = new Uint32Array(2 * most.members);
  const arcs = new Int32Array(most.arcs);
  let polled = 0;
  for (let g = 0, from = 0; g < groupEnd.length; from = groupEnd[g++]) {
    const count = findRuns(refEnd, groupMembers, from, groupEnd[g], runs);
    for (let r = 0; r < count; r += 2) polled += runs[r + 1] - runs[r];
    if (polled > POLL) {
      throwIfCanceled(isCanceled);
      polled = 0;
    }
    const kept = findBorder(refs, runs.subarray(0, count), sum, arcs);
    yield kept < 0 ? null : (ringsApart(table, arcs.subarray(0, kept), isCanceled, Infinity)?.rings ?? null);
  }
}

/**
 * The union of boundaries that do not overlap, as mergeGroups gives it; null for others.
 * A step is a vertex of a polygon in which another is sought, whether it is looked at or not; an arc is ARC_STEPS.
 * @throws DOMException named AbortError when canceled; TooManySteps after `mostSteps`
 * @param table the arcs, with their boxes
 * @param boundaries per boundary, the signed arcs of its rings
 * @param mostSteps the most steps, as said above
 */
export function mergeApart(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  isCanceled?: IsCanceled,
  mostSteps = Infinity,
): Placed | null {
  let count = 0;
  for (const refs of boundaries) count += refs.length;
  if (ARC_STEPS * count > mostSteps) throw new TooManySteps();
  const refs = new Int32Array(count);
  for (let i = 0, at = 0; i < boundaries.length; at += boundaries[i++].length) refs.set(boundaries[i], at);
  // In place: an arc of the border is written where its last entry was read, or before.
  const kept = findBorder(refs, Uint32Array.of(0, count), sumsOf(table), refs);
  return kept < 0 ? null : ringsApart(table, refs.subarray(0, kept), isCanceled, mostSteps - ARC_STEPS * count);
}

/** Per table, a number for each arc: all are 0 between two calls, so that none has to clear them. */
const SUMS = new WeakMap<ArcTable, Int32Array>();

function sumsOf(table: ArcTable): Int32Array {
  const known = SUMS.get(table);
  if (known) return known;
  const made = new Int32Array(table.first.length);
  SUMS.set(table, made);
  return made;
}

/** The polygons of a border, none of which lies in or on another; else null. */
function ringsApart(
  table: ArcTable,
  border: Int32Array,
  isCanceled: IsCanceled | undefined,
  mostSteps: number,
): Placed | null {
  const stitched = stitchDistinct(table, border, isCanceled);
  return 'rings' in stitched && shellsAreApart(table, stitched, isCanceled, mostSteps) ? stitched : null;
}

/**
 * The largest number of members in a group, and the largest number of arcs that the members of one group have together.
 */
function largest(refEnd: Uint32Array, groupMembers: Uint32Array, groupEnd: Uint32Array) {
  let [members, arcs] = [0, 0];
  for (let g = 0, i = 0; g < groupEnd.length; g++) {
    let own = 0;
    members = Math.max(members, groupEnd[g] - i);
    for (; i < groupEnd[g]; i++) own += refEnd[groupMembers[i]] - startOf(refEnd, groupMembers[i]);
    arcs = Math.max(arcs, own);
  }
  return { members, arcs };
}

const startOf = (end: Uint32Array, i: number): number => (i === 0 ? 0 : end[i - 1]);

/**
 * Writes where the arcs of some members are in `refs`, as begin and end of each run, and returns how many numbers it
 * wrote. Members that are adjacent in `refs` form one run, because a loop over the few arcs of one member is too short
 * to be fast.
 */
function findRuns(refEnd: Uint32Array, groupMembers: Uint32Array, from: number, to: number, runs: Uint32Array): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    const begin = startOf(refEnd, groupMembers[i]);
    if (count > 0 && runs[count - 1] === begin) count -= 2;
    else runs[count] = begin;
    runs[count + 1] = refEnd[groupMembers[i]];
    count += 2;
  }
  return count;
}

/**
 * Writes the signed arcs whose sum over some runs of `refs` is not 0, once each, in order of first appearance, and
 * returns their number; -1 when a sum is not 0, 1 or -1. `sum` is 0 for every arc before and after. Two passes with
 * predictable branches take a third of the time of one pass that marks the arcs it has seen.
 */
export function findBorder(refs: Int32Array, runs: Uint32Array, sum: Int32Array, border: Int32Array): number {
  for (let r = 0; r < runs.length; r += 2) {
    const end = runs[r + 1];
    for (let k = runs[r]; k < end; k++) {
      // -1 for an arc that is walked backward, otherwise 0.
      const back = refs[k] >> 31;
      sum[refs[k] ^ back] += 1 | back;
    }
  }
  let kept = 0;
  let simple = true;
  for (let r = 0; r < runs.length; r += 2) {
    const end = runs[r + 1];
    for (let k = runs[r]; k < end; k++) {
      const arc = refs[k] ^ (refs[k] >> 31);
      const covered = sum[arc];
      if (covered === 0) continue;
      if (covered > 1 || covered < -1) simple = false;
      border[kept++] = covered > 0 ? arc : ~arc;
      sum[arc] = 0;
    }
  }
  return simple ? kept : -1;
}

/** Whether no polygon has its shell inside or on another polygon. */
function shellsAreApart(
  table: ArcTable,
  { rings, boxes }: Placed,
  isCanceled: IsCanceled | undefined,
  mostSteps: number,
): boolean {
  const { refs, ringEnd, polygonEnd } = rings;
  const count = polygonEnd.length;
  if (count < 2) return true;
  const refsOf = (p: number) => refs.subarray(p === 0 ? 0 : ringEnd[polygonEnd[p - 1] - 1], ringEnd[polygonEnd[p] - 1]);
  const rows = new LatitudeIndex(
    boxes,
    Int32Array.from({ length: count }, (_, p) => p),
  );
  let steps = 0;
  for (let p = 0; p < count; p++) {
    throwIfCanceled(isCanceled);
    const own = refsOf(p)[0];
    const [x, y] = arcSample(table, own < 0 ? ~own : own);
    for (const other of rows.at(y)) {
      const b = 4 * other;
      if (other === p || boxes[b] > x || boxes[b + 1] > y || boxes[b + 2] < x || boxes[b + 3] < y) continue;
      const outline = refsOf(other);
      for (const ref of outline) steps += 1 + table.length[ref < 0 ? ~ref : ref];
      if (steps > mostSteps) throw new TooManySteps();
      if (locate(table, outline, x, y) >= 0) return false;
    }
  }
  return true;
}
