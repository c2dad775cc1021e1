import { CellClasses } from '../arcs/key_set.ts';
import type { DependencyCells } from '../arcs/reach.ts';
import { encodeAllCells } from '../arcs/reach.ts';
import { refineTiers } from '../arcs/simplify.ts';

/** Computes the tiers of some arcs of an arrangement, given part of that arrangement. See ../arcs/simplify.ts. */
export interface TierTask {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly arcClass: Uint8Array;
  readonly main: Uint8Array;
  readonly links: Int32Array;
  readonly linked: Uint8Array;
  /** Keys of the cells whose arcs up to class `cellClass[i]` are all given. */
  readonly cells: Float64Array;
  readonly cellClass: Uint8Array;
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  readonly todoWeights: Uint8Array;
  readonly todoEnds: Uint16Array;
  readonly todoDigits: Uint8Array;
}

export interface TierResult {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  /** The cells that the computed tiers depend on. */
  readonly reach: DependencyCells;
  /** Per arc, 1 when its result is not final. */
  readonly open: Uint8Array;
  /** Cells, and the class up to which their arcs must be given, before the open arcs can be finished. */
  readonly missing: Float64Array;
  readonly missingClass: Uint8Array;
  /** Arcs whose links must be given before the open arcs can be finished. */
  readonly unlinked: Int32Array;
}

/**
 * Computes the tiers that a task asks for. Changes the task's `weights`, `ends` and `exact` in place. See refineTiers.
 */
export function run(task: TierTask): TierResult {
  const { weights, ends, exact } = task;
  const known = new CellClasses();
  for (let i = 0; i < task.cells.length; i++) known.raise(task.cells[i], task.cellClass[i]);
  const { surroundings, unlinked } = refineTiers({ ...task, known }, { weights, ends, exact });
  return {
    weights,
    ends,
    exact,
    reach: encodeAllCells(surroundings.reach),
    open: surroundings.open,
    missing: Float64Array.from(surroundings.missing.keys()),
    missingClass: Uint8Array.from(surroundings.missing.values()),
    unlinked: Int32Array.from(unlinked),
  };
}
