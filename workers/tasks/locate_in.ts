import { locate } from '../arcs/locate.ts';
import { ArcsByLatitude, INDEX_ABOVE_ARCS } from '../arcs/locate_many.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Locates one point (1e-7 degrees) in each boundary: 1 inside, 0 on the border, -1 outside. */
export interface LocateTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  readonly x: number;
  readonly y: number;
  /**
   * Whether the same arrays of `boundaries` come again, for other points of the same heap: then the long ones are
   * indexed, once.
   */
  readonly again?: boolean;
}

/** By the slots of a boundary; at most 36 bytes per arc. */
const indexes = new WeakMap<Int32Array, ArcsByLatitude>();

/** Where a point is relative to each boundary: 1 inside, 0 on the border, -1 outside. */
export function run(task: LocateTask, { common, isCanceled }: TaskContext): Int8Array {
  const table = tableOf(task.heap, common);
  const places = new Int8Array(task.boundaries.length);
  for (let i = 0; i < places.length; i++) {
    throwIfCanceled(isCanceled);
    const refs = task.boundaries[i];
    if (task.again !== true || refs.length <= INDEX_ABOVE_ARCS) {
      places[i] = locate(table, refs, task.x, task.y);
      continue;
    }
    let index = indexes.get(refs);
    if (index === undefined) {
      index = new ArcsByLatitude(table, refs);
      indexes.set(refs, index);
    }
    places[i] = index.locate(task.x, task.y);
  }
  return places;
}
