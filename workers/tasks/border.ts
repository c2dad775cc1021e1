import { type Border, measureBorder } from '../arcs/border.ts';
import type { Lines } from '../arcs/tagged_lines.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Measures the arcs of a boundary (signed slots). See ../arcs/border.ts. */
export interface BorderTask {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
  /** Borders that the map marks as ones at sea. */
  readonly maritime: Lines;
}

/** The length in meters of each arc of a boundary, and the edges at its ends. See ../arcs/border.ts. */
export function run(given: BorderTask, { common, isCanceled }: TaskContext): Border {
  return measureBorder(tableOf(given.heap, common), given.refs, isCanceled, given.maritime);
}
