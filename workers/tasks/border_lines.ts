/** Borders of boundaries as lines, divided where they begin or cease to be at sea. */
import { BorderFlags } from '../arcs/border_flags.ts';
import { type BorderLine, linesOfArc } from '../arcs/border_lines.ts';
import { type Lines, TaggedLines } from '../arcs/tagged_lines.ts';
import { throwIfCanceled } from '../cancel.ts';
import type { Rings } from '../contract.ts';
import type { WaterPart } from '../packed_tile.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** What is asked for. */
export interface BorderLinesTask {
  readonly heap: TaskHeap;
  /** Slots. */
  readonly arcs: Int32Array;
  /** Per arc, indexes of the boundaries beside it: `b`, or `~b` where the ring of the boundary walks it backward. */
  readonly beside: readonly (readonly number[])[];
  /** Per boundary, how much of it is water; `waters` are those of which a part is. */
  readonly water: readonly WaterPart[];
  readonly waters: readonly Rings[];
  /** Borders that the map marks as ones at sea. */
  readonly maritime: Lines;
  /** FULL or 0 … 15. */
  readonly level: number;
}

/**
 * The lines of each arc. See ../arcs/border_lines.ts.
 * @throws DOMException named AbortError when canceled
 */
export function run(task: BorderLinesTask, { common, isCanceled }: TaskContext): BorderLine[][] {
  const table = tableOf(task.heap, common);
  const tagged = task.maritime.end.length === 0 ? null : new TaggedLines(table, task.maritime);
  const box: [number, number, number, number] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
  for (const arc of task.arcs) {
    box[0] = Math.min(box[0], table.box[4 * arc]);
    box[1] = Math.min(box[1], table.box[4 * arc + 1]);
    box[2] = Math.max(box[2], table.box[4 * arc + 2]);
    box[3] = Math.max(box[3], table.box[4 * arc + 3]);
  }
  let part = 0;
  const borders = task.water.map((water) => {
    throwIfCanceled(isCanceled);
    return new BorderFlags(table, water === 'part' ? task.waters[part++] : water, tagged, () => box);
  });
  return Array.from(task.arcs, (arc, i) => {
    throwIfCanceled(isCanceled);
    const beside = task.beside[i].map((b) => ({ borders: borders[b < 0 ? ~b : b], isBackward: b < 0 }));
    return linesOfArc(table, arc, beside, task.level);
  });
}

/** The memory of the result that is moved to the main thread. */
export const moved = (lines: readonly (readonly BorderLine[])[]): ArrayBufferView[] =>
  lines.flat().map(({ coords }) => coords);
