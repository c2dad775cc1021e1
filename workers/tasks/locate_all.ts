import { locate } from '../arcs/locate.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Locates points, each in one boundary of its own: 1 inside, 0 on the border, -1 outside. */
export interface LocateAllTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  /** Three numbers per point: an index into `boundaries`, x, y. x and y are multiples of 1/2, in 1e-7 degrees. */
  readonly points: Float64Array;
}

/** Where each point is relative to its own boundary: 1 inside, 0 on the border, -1 outside. */
export function run(task: LocateAllTask, { common, isCanceled }: TaskContext): Int8Array {
  const table = tableOf(task.heap, common);
  const { points } = task;
  return Int8Array.from({ length: points.length / 3 }, (_, i) => {
    throwIfCanceled(isCanceled);
    return locate(table, task.boundaries[points[3 * i]], points[3 * i + 1], points[3 * i + 2]);
  });
}
