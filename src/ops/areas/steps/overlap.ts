import { defined } from '../../../common/elements.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { geometryOf } from '../../boundaries/document.ts';
import type { PlanRun } from '../execution/plan_run.ts';

/** Boundaries that are compared with one at once. */
const OVERLAID = 50;

/** Whether a boundary overlaps one of others, by more than 0.1 % of the smaller of the two. */
export async function overlap(
  run: PlanRun,
  others: readonly ResolvedBoundary[],
  one: ResolvedBoundary,
): Promise<boolean> {
  for (let from = 0; from < others.length; from += OVERLAID) {
    const some = others.slice(from, from + OVERLAID);
    const pairs = await run.ctx.services.engine.relations.crosswalk(
      [one, ...some].map(geometryOf),
      { a: [0], b: some.map((_, k) => k + 1), maxPairs: 100 },
      run.ctx.signal,
    );
    const meets = [...pairs.areaKm2].some(
      (area, k) => area > 1e-3 * Math.min(defined(pairs.wholeA[0]), defined(pairs.wholeB[defined(pairs.b[k])])),
    );
    if (meets) return true;
  }
  return false;
}
