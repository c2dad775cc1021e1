import { refineTiers } from './kernels/simplify.ts';
import { CELLS, parentCell } from './kernels/surroundings.ts';
import type { Reach, TierResult, TierTask } from './tasks.ts';

/** Keys per arc in one array, without those of cells that lie in another of the same kind. */
export function reachOf(sets: readonly (ReadonlySet<number> | undefined)[]): Reach {
  const end = new Uint32Array(sets.length);
  const keys: number[] = [];
  for (let i = 0; i < sets.length; i++) {
    for (const key of sets[i] ?? []) if (!isWithinAnother(key, sets[i] as ReadonlySet<number>)) keys.push(key);
    end[i] = keys.length;
  }
  return { end, keys: Float64Array.from(keys) };
}

function isWithinAnother(key: number, keys: ReadonlySet<number>): boolean {
  const cell = key % CELLS;
  for (let at = parentCell(cell); at >= 0; at = parentCell(at)) if (keys.has(key - cell + at)) return true;
  return false;
}

/** Works out the tiers that a task names; see refineTiers. */
export function workOutTiers(task: TierTask): TierResult {
  const { weights, ends, exact } = task;
  const known = new Map<number, number>();
  for (let i = 0; i < task.cells.length; i++) known.set(task.cells[i], task.cellClass[i]);
  const { surroundings, unlinked } = refineTiers({ ...task, known }, { weights, ends, exact });
  return {
    weights,
    ends,
    exact,
    reach: reachOf(surroundings.reach),
    open: surroundings.open,
    missing: Float64Array.from(surroundings.missing.keys()),
    missingClass: Uint8Array.from(surroundings.missing.values()),
    unlinked: Int32Array.from(unlinked),
  };
}
