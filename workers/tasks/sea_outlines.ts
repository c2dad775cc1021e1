/** The outlines of boundaries with what is known of where they are at sea. */
import { type Outline, outlineOf } from '../arcs/sea_outlines.ts';
import { type Lines, TaggedLines } from '../arcs/tagged_lines.ts';
import { throwIfCanceled } from '../cancel.ts';
import type { Rings } from '../contract.ts';
import type { WaterPart } from '../packed_tile.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** What is asked for; `boundaries` and `water` are parallel, `waters` are those of which a part is water. */
export interface SeaOutlinesTask {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly water: readonly WaterPart[];
  readonly waters: readonly Rings[];
  /** Borders that the map marks as ones at sea. */
  readonly maritime: Lines;
}

/**
 * The outline of each boundary; null where nothing is known of it. See ../arcs/sea_outlines.ts.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: SeaOutlinesTask, { common, isCanceled }: TaskContext): (Outline | null)[] {
  const table = tableOf(task.heap, common);
  const tagged = task.maritime.end.length === 0 ? null : new TaggedLines(table, task.maritime);
  let part = 0;
  return task.boundaries.map((rings, b) => {
    throwIfCanceled(isCanceled);
    const water = task.water[b];
    return outlineOf(table, rings, water === 'part' ? task.waters[part++] : water, tagged);
  });
}

/** The memory of the result that is moved to the main thread. */
export const moved = (outlines: readonly (Outline | null)[]): ArrayBufferView[] =>
  outlines.flatMap((one) => (one === null ? [] : [one.coords, one.flags, one.ringEnd]));
