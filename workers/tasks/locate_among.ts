import { locateAmong, type PerPoint } from '../arcs/locate_many.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Finds which of its candidate boundaries contain each point. See ../arcs/locate_many.ts. */
export interface LocateAmongTask {
  readonly heap: TaskHeap;
  /**
   * The signed slots of boundary i are `refs[refFrom[i]] … refs[refEnd[i] - 1]`. Boundaries that are not candidates may
   * have none.
   */
  readonly refs: Int32Array;
  readonly refFrom: Uint32Array;
  readonly refEnd: Uint32Array;
  readonly points: Int32Array;
  readonly candidates: PerPoint;
}

/** A byte per point and candidate: 1 when the point is inside the boundary or on its border. */
export function run(given: LocateAmongTask, { common, isCanceled }: TaskContext): Uint8Array {
  const table = tableOf(given.heap, common);
  return locateAmong(table, given, given.points, given.candidates, isCanceled);
}
