import { type IsCancelled, throwIfCancelled } from '../cancel.ts';
import type { ArcTable, Rings } from '../contract.ts';
import { locate } from './locate.ts';
import { LatitudeIndex } from './rows.ts';
import { stitchDistinct } from './stitch.ts';
import { arcSample } from './stitch_nest.ts';

/** Groups of boundaries. The arcs of boundary b end before `refEnd[b]`, the members of group g before `groupEnd[g]`. */
export interface Groups {
  /** Signed arcs of the rings of each boundary, interior on the left. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Indexes of boundaries. One may be in several groups, but only once in each. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
}

/** Arcs between two checks of `isCancelled`. */
const POLL = 1 << 18;

/**
 * Yields the union of each group whose members do not overlap, as rings of the same arcs; null for every other group,
 * which `mergeBoundaries` has to merge.
 *
 * An arc that two members walk in opposite directions is inside their union; every other arc is on its border. That
 * needs no point location: the signed sum of the members' borders is the border of w, the number of members that cover
 * a place. The rings stitched from it are exactly the union when w is 0 or 1 everywhere, which holds when no arc is
 * left twice and no ring has w = 1 on its outer side. Members inside each other fail one of the two tests. O(arcs).
 *
 * Assumes, like `mergeBoundaries`, that the arcs of a group meet only at their ends.
 * @throws DOMException named AbortError when canceled
 */
export function* mergeGroups(
  table: ArcTable,
  { refs, refEnd, groupMembers, groupEnd }: Groups,
  isCancelled?: IsCancelled,
): Generator<Rings | null> {
  const sum = new Int32Array(table.first.length);
  const most = largest(refEnd, groupMembers, groupEnd);
  // Sized for the largest group and reused: zeroing new arrays takes longer than filling them.
  const runs = new Uint32Array(2 * most.members);
  const arcs = new Int32Array(most.arcs);
  let polled = 0;
  for (let g = 0, from = 0; g < groupEnd.length; from = groupEnd[g++]) {
    const count = findRuns(refEnd, groupMembers, from, groupEnd[g], runs);
    for (let r = 0; r < count; r += 2) polled += runs[r + 1] - runs[r];
    if (polled > POLL) {
      throwIfCancelled(isCancelled);
      polled = 0;
    }
    const kept = findBorder(refs, runs.subarray(0, count), sum, arcs);
    const stitched = kept < 0 ? null : stitchDistinct(table, arcs.subarray(0, kept), isCancelled);
    const apart = stitched && 'rings' in stitched && shellsAreApart(table, stitched.rings, isCancelled);
    yield apart ? stitched.rings : null;
  }
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
function findBorder(refs: Int32Array, runs: Uint32Array, sum: Int32Array, border: Int32Array): number {
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
function shellsAreApart(table: ArcTable, rings: Rings, isCancelled?: IsCancelled): boolean {
  const { refs, ringEnd, polygonEnd } = rings;
  const count = polygonEnd.length;
  if (count < 2) return true;
  const boxes = new Int32Array(4 * count);
  const refsOf = (p: number) => refs.subarray(p === 0 ? 0 : ringEnd[polygonEnd[p - 1] - 1], ringEnd[polygonEnd[p] - 1]);
  for (let p = 0; p < count; p++) {
    let [west, south, east, north] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
    for (const ref of refsOf(p)) {
      const b = 4 * (ref < 0 ? ~ref : ref);
      west = Math.min(west, table.box[b]);
      south = Math.min(south, table.box[b + 1]);
      east = Math.max(east, table.box[b + 2]);
      north = Math.max(north, table.box[b + 3]);
    }
    boxes.set([west, south, east, north], 4 * p);
  }
  const rows = new LatitudeIndex(
    boxes,
    Int32Array.from({ length: count }, (_, p) => p),
  );
  for (let p = 0; p < count; p++) {
    throwIfCancelled(isCancelled);
    const own = refsOf(p)[0];
    const [x, y] = arcSample(table, own < 0 ? ~own : own);
    for (const other of rows.at(y)) {
      const b = 4 * other;
      if (other === p || boxes[b] > x || boxes[b + 1] > y || boxes[b + 2] < x || boxes[b + 3] < y) continue;
      if (locate(table, refsOf(other), x, y) >= 0) return false;
    }
  }
  return true;
}
