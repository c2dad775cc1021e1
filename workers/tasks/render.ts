import { materialize } from '../arcs/layout.ts';
import { type Document, FULL, type Rings } from '../contract.ts';
import type { Format } from '../formats/registry.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import { countVertices, minBytes, type WriteResult, write } from './written.ts';

/** Lays out one boundary at a level and writes it in a format. */
export interface RenderTask {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/** Lays out one boundary at a level and writes it: the bytes, or `too_large`. */
export function run(task: RenderTask, { common, isCancelled }: TaskContext): WriteResult {
  const table = tableOf(task.heap, common);
  const bytes = task.level === FULL ? minBytes(task.format, countVertices(table, task.rings.refs)) : 0;
  if (bytes > task.maxBytes) return { kind: 'too_large', bytes };
  const polygons = materialize(table, task.rings, task.level, task.endClass, isCancelled);
  return write(polygons, task.document, { task, areaKm2: 0, level: task.level }, isCancelled);
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
