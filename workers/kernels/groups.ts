import type { ArcTable, Rings } from '../contract.ts';
import { type IsCancelled, stopIf } from '../halt.ts';
import { locate } from './locate.ts';
import { Rows } from './rows.ts';
import { arcSample, stitch } from './stitch.ts';

/** Boundaries in groups. The arcs of boundary b end before `refEnd[b]`, the members of group g before `groupEnd[g]`. */
export interface Groups {
  /** Signed arcs of the rings of each boundary, interior on the left. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Indexes of boundaries; one may be in several groups, but only once in each. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
}

/** Arcs between two looks at `isCancelled`. */
const POLL = 1 << 18;

/**
 * The union of each group whose members do not overlap, as rings of the same arcs; null for every other group, which
 * `mergeBoundaries` has to merge.
 *
 * An arc that two members walk in opposite directions lies inside of their union, every other arc is on its border. No
 * point is located for that: the signed sum of the members' borders is the border of w, the number of members that
 * cover a place. So the rings stitched of it are the union exactly when w is 0 or 1 everywhere, which holds when no arc
 * is left twice and no ring has w of 1 on its outer side. Members that lie in each other fail one of the two. O(arcs).
 *
 * Assumes, as `mergeBoundaries` does, that the arcs of a group meet only at their ends.
 */
export function* mergeGroups(
  table: ArcTable,
  { refs, refEnd, groupMembers, groupEnd }: Groups,
  isCancelled?: IsCancelled,
): Generator<Rings | null> {
  const group = new Int32Array(table.first.length);
  const sum = new Int32Array(table.first.length);
  let polled = 0;
  for (let g = 0, m = 0; g < groupEnd.length; g++) {
    let total = 0;
    for (let i = m; i < groupEnd[g]; i++) total += refEnd[groupMembers[i]] - startOf(refEnd, groupMembers[i]);
    polled += total;
    if (polled > POLL) {
      stopIf(isCancelled);
      polled = 0;
    }
    const arcs = new Int32Array(total);
    let count = 0;
    for (; m < groupEnd[g]; m++) {
      const end = refEnd[groupMembers[m]];
      for (let k = startOf(refEnd, groupMembers[m]); k < end; k++) {
        const ref = refs[k];
        const arc = ref < 0 ? ~ref : ref;
        if (group[arc] !== g + 1) {
          group[arc] = g + 1;
          sum[arc] = 0;
          arcs[count++] = arc;
        }
        sum[arc] += ref < 0 ? -1 : 1;
      }
    }
    yield borderOf(table, arcs.subarray(0, count), sum, isCancelled);
  }
}

const startOf = (end: Uint32Array, i: number): number => (i === 0 ? 0 : end[i - 1]);

/** The rings of the arcs whose sum is not 0, or null. Overwrites `arcs`. */
function borderOf(table: ArcTable, arcs: Int32Array, sum: Int32Array, isCancelled?: IsCancelled): Rings | null {
  let kept = 0;
  for (let i = 0; i < arcs.length; i++) {
    const arc = arcs[i];
    if (sum[arc] === 0) continue;
    if (sum[arc] > 1 || sum[arc] < -1) return null;
    arcs[kept++] = sum[arc] > 0 ? arc : ~arc;
  }
  const stitched = stitch(table, arcs.subarray(0, kept), isCancelled);
  return 'rings' in stitched && shellsAreApart(table, stitched.rings, isCancelled) ? stitched.rings : null;
}

/** Whether no polygon has its shell inside another polygon, or on it. */
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
  const rows = new Rows(
    boxes,
    Int32Array.from({ length: count }, (_, p) => p),
  );
  for (let p = 0; p < count; p++) {
    stopIf(isCancelled);
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
