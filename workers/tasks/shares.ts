import { materialize } from '../arcs/layout.ts';
import { overlapShare } from '../arcs/nest.ts';
import { type SharesWithin, sharesWithin } from '../arcs/overlay.ts';
import { throwIfCanceled } from '../cancel.ts';
import type { Rings } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Computes the share (0 … 1) of each child's area that is inside its parent. */
export interface ShareTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  /** child, parent, child, parent … as indexes into `boundaries`. Pairs with the same parent are adjacent. */
  readonly pairs: Uint32Array;
  /** Per pair, 1 when arcs of the two are recorded as crossing; an overlay then measures the share. */
  readonly conflicts: Uint8Array;
}

/**
 * Per pair, the share (0 … 1) of the child's area that is inside its parent: from arcs where they do not cross,
 * otherwise by an overlay.
 */
export async function run(given: ShareTask, { common, isCanceled }: TaskContext): Promise<Float64Array> {
  const table = tableOf(given.heap, common);
  const out = new Float64Array(given.pairs.length / 2);
  // Pairs with the same parent are adjacent, so its geometry is built once.
  let last = -1;
  let within: SharesWithin | null = null;
  try {
    for (let i = 0; i < out.length; i++) {
      throwIfCanceled(isCanceled);
      const child = given.boundaries[given.pairs[2 * i]];
      const number = given.pairs[2 * i + 1];
      const parent = given.boundaries[number];
      const share = given.conflicts[i] ? null : overlapShare(table, child.refs, parent.refs);
      if (share !== null) {
        out[i] = share;
        continue;
      }
      if (within === null || number !== last) {
        within?.release();
        within = null;
        within = await sharesWithin(materialize(table, parent, -1, 0));
        last = number;
      }
      out[i] = within.shareOf(materialize(table, child, -1, 0));
    }
  } finally {
    within?.release();
  }
  return out;
}
