import { edgeSet, lengthOfEdgesIn } from '../arcs/border.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Measures the edges that the first of some boundaries has in common with each of the others. */
export interface CommonLinesTask {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
}

/**
 * The length in meters of the edges that the first boundary and each other one both have. Boundaries of two arrangements
 * have no arc in common; where one was given the vertices of the other, they have the same edges.
 */
export function run({ heap, refs, refEnd }: CommonLinesTask, { common, isCanceled }: TaskContext): Float64Array {
  const table = tableOf(heap, common);
  const of = (i: number) => refs.subarray(refEnd[i - 1] ?? 0, refEnd[i]);
  const edges = edgeSet(table, of(0), isCanceled);
  return Float64Array.from({ length: refEnd.length - 1 }, (_, i) =>
    lengthOfEdgesIn(edges, table, of(i + 1), isCanceled),
  );
}
