import { materialize } from '../arcs/layout.ts';
import type { Box, Polygons, Rings } from '../contract.ts';
import { type TextFormat, writeText } from '../formats/registry.ts';
import type { About, Feature } from '../formats/types.ts';
import { type PartResult, writePart } from './part.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Writes consecutive features of a file in a text format, without its head and tail. */
export interface CollectionTextTask {
  readonly heap: TaskHeap;
  /** Per feature, rings that this task lays out at `level`, or polygons already laid out; null: attributes only. */
  readonly rings: readonly (Rings | Polygons)[] | null;
  readonly level: number;
  readonly endClass: number;
  readonly format: TextFormat;
  readonly about: About;
  /** Values per feature, in the order of the columns. */
  readonly values: readonly Feature['values'][];
  readonly boxes: readonly (Box | null)[];
  /** Whether the first of these features is the first of the collection. */
  readonly first: boolean;
  readonly maxBytes: number;
}

/**
 * Consecutive features in a text format; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: CollectionTextTask, place: TaskContext): PartResult {
  const table = tableOf(task.heap, place.common);
  return writePart(task.maxBytes, place, (out, check) => {
    task.values.forEach((values, i) => {
      check();
      const shape = task.rings?.[i] ?? null;
      const polygons =
        shape === null || 'coords' in shape
          ? shape
          : materialize(table, shape, task.level, task.endClass, place.isCanceled);
      const feature = { values, polygons, box: task.boxes[i] };
      writeText(out, task.format, feature, { about: task.about, first: task.first && i === 0 });
    });
  });
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
