import { CELL_FORMATS, type CellFormat, type Fineness, GRID_SIZES, type GridName } from '../../workers/cells/sizes.ts';
import { packRings } from '../../workers/packed_tile.ts';
import type { CoverResult } from '../../workers/tasks/cover.ts';
import { problem } from '../core/errors.ts';
import type { Engine } from './engine.ts';
import type { BoundaryRef } from './engine_model.ts';
import { ringsOf } from './shape_leases.ts';

/** A table of cells to make. */
export interface CellsWanted {
  readonly grid: GridName;
  readonly fineness: Fineness;
  readonly format: CellFormat;
  /** Members of JSON before its items, besides resolution, full and edge. */
  readonly head: Readonly<Record<string, unknown>>;
  /** Limit of the cells, each boundary's own counted. */
  readonly mostCells: number;
}

/**
 * The cells of a grid that boundaries have at full detail, as a table. See workers/cells.
 * @throws too_large for more cells than `mostCells`, or more bytes than an answer may have; rate_limited when there is
 * no room for the work; ArcsMoved when a boundary has another shape by now
 */
export async function cellsOf(
  engine: Engine,
  boundaries: readonly BoundaryRef[],
  wanted: CellsWanted,
  signal?: AbortSignal,
): Promise<Extract<CoverResult, { kind: 'bytes' }>> {
  const result = await engine.shapes.withShapes(boundaries, signal, (lease) =>
    engine.tasks.run(
      'cover',
      {
        ...wanted,
        heap: lease.heap,
        boundaries: packRings(ringsOf(lease)),
        ids: boundaries.map(({ id }) => id),
        maxBytes: engine.maxResponseBytes,
      },
      signal,
    ),
  );
  if (result.kind === 'bytes') return result;
  const advice = 'Ask for a coarser resolution, for max_cells, or for fewer boundaries.';
  if (result.kind === 'too_large') {
    throw problem('too_large', `The table takes more than ${engine.maxResponseBytes} bytes. ${advice}`);
  }
  if ('mostCells' in wanted.fineness && result.least <= wanted.mostCells) {
    const most = wanted.fineness.mostCells;
    throw problem(
      'too_large',
      `The boundaries have ${result.least} cells at the coarsest resolution, more than the ${most} of max_cells.`,
    );
  }
  throw problem(
    'too_large',
    `The boundaries have at least ${result.least} cells; one call gives at most ${wanted.mostCells}. ${advice}`,
  );
}

export { CELL_FORMATS, GRID_SIZES, type GridName };
