import { materialize } from '../arcs/layout.ts';
import { TooLarge } from '../cancel.ts';
import type { Grid } from '../cells/grid.ts';
import type { CellFormat, Fineness, GridName } from '../cells/sizes.ts';
import { END_CLASSES, FULL } from '../contract.ts';
import { type PackedRings, unpackRings } from '../packed_tile.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Finds the cells of a grid that boundaries have, and writes them as a table. */
export interface CoverTask {
  readonly heap: TaskHeap;
  /** `boundaries` and `ids` are parallel. */
  readonly boundaries: PackedRings;
  readonly ids: readonly string[];
  readonly grid: GridName;
  readonly fineness: Fineness;
  readonly mostCells: number;
  readonly format: CellFormat;
  /** Members of JSON before its items; the task adds resolution, full and edge. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly maxBytes: number;
}

/** The bytes of the table with the numbers of its cells, or why there are none. */
export type CoverResult =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly resolution: number;
      readonly full: number;
      readonly edge: number;
    }
  | { readonly kind: 'too_many'; readonly least: number }
  | { readonly kind: 'too_large'; readonly bytes: number };

/**
 * The cells of boundaries at full detail. See cells/cover.ts.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: CoverTask, { common, isCanceled }: TaskContext): Promise<CoverResult> {
  // Loaded with the first such task: the libraries of grids are large.
  const { cover, GRIDS, TooManyCells } = await import('../cells/cover.ts');
  const { writeCells } = await import('../cell_table.ts');
  const table = tableOf(task.heap, common);
  const areas = unpackRings(task.boundaries).map((rings) =>
    materialize(table, rings, FULL, END_CLASSES - 1, isCanceled),
  );
  const grid = GRIDS[task.grid] as Grid;
  try {
    const made = cover(areas, grid, task.fineness, task.mostCells, isCanceled);
    const { resolution, full, edge } = made;
    const head = { ...task.head, resolution, full, edge };
    const bytes = await writeCells(task.format, { ids: task.ids, cover: made, grid, head }, task.maxBytes, isCanceled);
    return { kind: 'bytes', bytes, resolution, full, edge };
  } catch (error) {
    if (error instanceof TooManyCells) return { kind: 'too_many', least: error.least };
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
