import type { Document, Rings } from '../contract.ts';
import type { Format } from '../formats/registry.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import { type MostWork, polygonsOf, type WriteResult, write } from './written.ts';

/** Lays out one boundary at a level and writes it in a format. */
export interface RenderTask {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
  /** Absent: no limit. */
  readonly most?: MostWork;
}

/**
 * Lays out one boundary at a level and writes it: the bytes, or `too_large`.
 * @throws TooManySteps when it would take more than `most`
 */
export function run(task: RenderTask, { common, isCanceled }: TaskContext): WriteResult {
  const table = tableOf(task.heap, common);
  const polygons = polygonsOf(table, task.rings, task.level, task, isCanceled);
  if ('kind' in polygons) return polygons;
  return write(polygons, task.document, { task, areaKm2: 0, level: task.level }, isCanceled);
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
