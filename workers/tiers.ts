import { encodeAllCells } from './kernels/reach.ts';
import { refineTiers } from './kernels/simplify.ts';
import type { TierResult, TierTask } from './tasks.ts';

/**
 * Computes the tiers that a task asks for. Changes the task's `weights`, `ends` and `exact` in place. See refineTiers.
 */
export function computeTiers(task: TierTask): TierResult {
  const { weights, ends, exact } = task;
  const known = new Map<number, number>();
  for (let i = 0; i < task.cells.length; i++) known.set(task.cells[i], task.cellClass[i]);
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
