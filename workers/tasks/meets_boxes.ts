import { meetsBox } from '../arcs/meets_box.ts';
import { throwIfCanceled } from '../cancel.ts';
import type { Box } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Finds the boundaries that meet one of some boxes (1e-7 degrees, west <= east). */
export interface MeetsBoxesTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  readonly boxes: readonly Box[];
}

/** For each boundary whether it has a point in common with one of the boxes. */
export function run({ heap, boundaries, boxes }: MeetsBoxesTask, { common, isCanceled }: TaskContext): boolean[] {
  const table = tableOf(heap, common);
  return boundaries.map((refs) =>
    boxes.some((box) => {
      throwIfCanceled(isCanceled);
      return meetsBox(table, refs, box);
    }),
  );
}
