/** The area that three boundaries have in common. */
import { polygonsArea } from '../arcs/area.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { materialize } from '../arcs/layout.ts';
import { openIntersections } from '../arcs/overlay.ts';
import { throwIfCanceled } from '../cancel.ts';
import { FULL, type Polygons } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Measures what triples of boundaries have in common. */
export interface TripleAreasTask {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Three indexes of boundaries for each triple; those with the same first two come one after the other. */
  readonly triples: Uint32Array;
}

/** The areas in km2, in the order of the triples; or why there are none: `trouble` names boundaries by their indexes. */
export type TripleAreasResult =
  | { readonly kind: 'areas'; readonly areaKm2: Float64Array }
  | { readonly kind: 'trouble'; readonly index: readonly number[]; readonly reason: string };

/**
 * The common area of each triple, overlaid on the integer grid: of the first two, then of that and the third.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: TripleAreasTask, { common, isCanceled }: TaskContext): Promise<TripleAreasResult> {
  const table = tableOf(task.heap, common);
  const count = task.refEnd.length;
  const areaKm2 = new Float64Array(task.triples.length / 3);
  let triple: readonly number[] = [];
  /** What the first two of triples have in common; their numbers follow those of the boundaries. */
  const shared: Polygons[] = [];
  const intersections = await openIntersections((i) => {
    if (i >= count) return shared[i - count];
    const refs = task.refs.subarray(task.refEnd[i - 1] ?? 0, task.refEnd[i]);
    const merged = mergeBoundaries(table, [refs], [0], [], isCanceled);
    if ('trouble' in merged) throw new Error(merged.trouble.reason);
    return materialize(table, merged.rings, FULL, 0, isCanceled);
  });
  try {
    for (let t = 0; t < areaKm2.length; t++) {
      throwIfCanceled(isCanceled);
      const [a, b, c] = task.triples.subarray(3 * t, 3 * t + 3);
      if (t === 0 || a !== triple[0] || b !== triple[1]) shared.push(intersections.of(a, b));
      triple = [a, b, c];
      areaKm2[t] = polygonsArea(intersections.of(count + shared.length - 1, c), isCanceled) / 1e6;
    }
    return { kind: 'areas', areaKm2 };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { kind: 'trouble', index: triple, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    intersections.release();
  }
}
