import { materialize } from '../arcs/layout.ts';
import type { Polygons, Rings } from '../contract.ts';
import { arraysOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Lays out boundaries for a writer that takes polygons. */
export interface LayOutAllTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly level: number;
  readonly endClass: number;
}

/**
 * Boundaries as polygons at a level, in 1e-7 degrees.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: LayOutAllTask, { common, isCanceled }: TaskContext): Polygons[] {
  const table = tableOf(task.heap, common);
  return task.boundaries.map((rings) => materialize(table, rings, task.level, task.endClass, isCanceled));
}

/** The memory of the result that is moved to the main thread. */
export const moved = arraysOf;
