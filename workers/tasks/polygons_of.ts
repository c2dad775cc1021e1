import { materialize } from '../arcs/layout.ts';
import type { Polygons, Rings } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Returns the polygons of one boundary, for tests and for the overlay. */
export interface PolygonsTask {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
}

/** The polygons of one boundary at a level, in 1e-7 degrees. */
export function run(given: PolygonsTask, { common, isCanceled }: TaskContext): Polygons {
  return materialize(tableOf(given.heap, common), given.rings, given.level, given.endClass, isCanceled);
}
