import { materialize } from '../arcs/layout.ts';
import { overlay } from '../arcs/overlay.ts';
import type { Rings } from '../contract.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import type { DocumentWanted, WriteResult } from './written.ts';
import { writtenOverlay } from './written_overlay.ts';

/** The merge as an overlay on the integer grid, for boundaries whose arcs cross. */
export interface OverlayTask extends DocumentWanted {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly include: readonly number[];
  readonly exclude: readonly number[];
}

/**
 * Like merge, but as an overlay on the integer grid, for boundaries whose arcs cross. GEOS cannot be interrupted: a
 * started overlay runs to its end.
 */
export async function run(given: OverlayTask, { common, isCanceled }: TaskContext): Promise<WriteResult> {
  const table = tableOf(given.heap, common);
  const full = given.boundaries.map((rings) => materialize(table, rings, -1, 0, isCanceled));
  const pick = (indexes: readonly number[]) => [...new Set(indexes)].map((i) => full[i]);
  return writtenOverlay(given, await overlay(pick(given.include), pick(given.exclude)), isCanceled);
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
