import { nearness } from '../arcs/nearness.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Compares pairs of boundaries: shared arc, near, or far. See ../arcs/nearness.ts. */
export interface NearTask {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Three numbers per pair: the indexes of two boundaries, and a distance in meters (negative: compare arcs only). */
  readonly pairs: Float64Array;
}

/** A byte per pair: FAR, NEAR or SHARED. See ../arcs/nearness.ts. */
export function run(given: NearTask, { common, isCanceled }: TaskContext): Uint8Array {
  const table = tableOf(given.heap, common);
  const { refs, refEnd, pairs } = given;
  const of = (i: number) => refs.subarray(refEnd[i - 1] ?? 0, refEnd[i]);
  return Uint8Array.from({ length: pairs.length / 3 }, (_, k) => {
    throwIfCanceled(isCanceled);
    const [a, b, meters] = pairs.subarray(3 * k, 3 * k + 3);
    return nearness(table, of(a), of(b), meters < 0 ? null : meters, isCanceled);
  });
}
