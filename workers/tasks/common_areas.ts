/** The common areas of pairs of boundaries, as polygons. */
import { polygonsBox } from '../arcs/box.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { materialize } from '../arcs/layout.ts';
import { isValid, openIntersections } from '../arcs/overlay.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type Box, FULL, type Polygons } from '../contract.ts';
import { arraysOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Intersects pairs of boundaries. */
export interface CommonAreasTask {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Two indexes of boundaries for each pair. */
  readonly pairs: Uint32Array;
  /** Limits the coordinates of all areas together. */
  readonly maxBytes: number;
}

/** The common area of a pair; its box is in 1e-7 degrees, west > east across the antimeridian, null when empty. */
export interface CommonPolygons {
  readonly polygons: Polygons;
  readonly box: Box | null;
}

/** The areas in the order of the pairs; or why there are none: `trouble` names the boundaries by their indexes. */
export type CommonAreasResult =
  | { readonly kind: 'areas'; readonly areas: readonly CommonPolygons[] }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'trouble'; readonly index: readonly number[]; readonly reason: string };

/**
 * The common area of each pair at full detail, overlaid on the integer grid. Each is checked to be valid.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: CommonAreasTask, { common, isCanceled }: TaskContext): Promise<CommonAreasResult> {
  const table = tableOf(task.heap, common);
  const areas: CommonPolygons[] = [];
  let bytes = 0;
  let pair: readonly number[] = [];
  const intersections = await openIntersections((i) => {
    const refs = task.refs.subarray(task.refEnd[i - 1] ?? 0, task.refEnd[i]);
    const merged = mergeBoundaries(table, [refs], [0], [], isCanceled);
    if ('trouble' in merged) throw new Error(merged.trouble.reason);
    return materialize(table, merged.rings, FULL, 0, isCanceled);
  });
  try {
    for (let p = 0; p < task.pairs.length; p += 2) {
      throwIfCanceled(isCanceled);
      pair = [task.pairs[p], task.pairs[p + 1]];
      const polygons = intersections.of(task.pairs[p], task.pairs[p + 1]);
      const trouble = await isValid(polygons);
      if (trouble) return { kind: 'trouble', index: pair, reason: trouble.reason };
      bytes += polygons.coords.byteLength;
      if (bytes > task.maxBytes) return { kind: 'too_large', bytes };
      areas.push({ polygons, box: polygonsBox(polygons) });
    }
    return { kind: 'areas', areas };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { kind: 'trouble', index: pair, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    intersections.release();
  }
}

/** The memory of the result, which is moved to the main thread. */
export const moved = (result: CommonAreasResult): ArrayBufferView[] =>
  result.kind === 'areas' ? arraysOf(result.areas.map(({ polygons }) => polygons)) : [];
