import { ringsArea } from '../arcs/area.ts';
import { boxesBox } from '../arcs/box.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { levelFor } from '../arcs/levels.ts';
import type { Placed } from '../arcs/stitch_nest.ts';
import type { Polygons } from '../contract.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import { type DocumentWanted, type MostWork, mergedDocument, polygonsOf, type WriteResult, write } from './written.ts';

/** Merges boundaries: the union of `include` minus the union of `exclude` (indexes into `boundaries`). */
export interface MergeTask extends DocumentWanted {
  readonly heap: TaskHeap;
  /** Per boundary, its arcs as signed slots of the heap. */
  readonly boundaries: readonly Int32Array[];
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly endClass: number;
  /** What mergeBoundaries gives, when the caller has it: not for a worker, to which functions cannot be sent. */
  readonly merged?: KnownUnion;
  /** Absent: no limit. */
  readonly most?: MostWork;
}

/** A union that is known without a merge. */
export interface KnownUnion extends Placed {
  /** What materialize gives of it at a level; null when that has to be asked. */
  readonly layOut: (level: number) => Polygons | null;
}

/**
 * Merges boundaries on their arcs and writes the result, or returns the trouble that makes the caller try the next
 * strategy.
 * @throws TooManySteps when it would take more than `most`
 */
export function run(task: MergeTask, { common, isCanceled }: TaskContext): WriteResult {
  const table = tableOf(task.heap, common);
  const { boundaries, include, exclude, most } = task;
  const merged = task.merged ?? mergeBoundaries(table, boundaries, include, exclude, isCanceled, most?.steps);
  if ('trouble' in merged) return { kind: 'trouble', ...merged.trouble };
  const box = boxesBox(merged.boxes);
  const level = task.level ?? levelFor(task.detail ?? 'medium', box);
  const laidOut = task.merged?.layOut(level) ?? null;
  const polygons = polygonsOf(table, merged.rings, level, { ...task, laidOut }, isCanceled);
  if ('kind' in polygons) return polygons;
  const areaKm2 = ringsArea(table, merged.rings) / 1e6;
  return write(
    polygons,
    mergedDocument(task, { areaKm2, exact: true, box, level }),
    { task, areaKm2, level },
    isCanceled,
  );
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
