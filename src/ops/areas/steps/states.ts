import { isFederalDistrict } from '../../../domain/areas/levels.ts';
import { type Said, said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { PlanRun } from '../execution/plan_run.ts';

const counted = (name: string): Said => said`${name} is counted among the states`;

/** Says of each federal district that it is one of the boundaries that a word for states means. */
export function sayDistricts(run: PlanRun, of: readonly ResolvedBoundary[]): void {
  for (const { name, boundary } of of) if (isFederalDistrict(boundary)) run.choices.push(counted(name));
}

/**
 * The boundaries of step `part` among which a rank or a filter chooses: of "the smallest state" no federal district, which
 * the choices say. One that is named by itself stays.
 * @throws could_not_map if they are not whole boundaries
 */
export function candidatesOf(run: PlanRun, part: number, i: number): readonly ResolvedBoundary[] {
  const of = run.setIn(part, i);
  const districts = of.filter(({ boundary }) => isFederalDistrict(boundary));
  if (districts.length === 0 || !isOfLevel(run, part)) return of;
  for (const { name } of districts) {
    const placeOf = (sentence: Said) => run.choices.findIndex((one) => String(one) === String(sentence));
    const isSaid = placeOf(counted(name));
    if (isSaid >= 0) run.choices.splice(isSaid, 1);
    const left = said`${name} is left out: it is not a state`;
    if (placeOf(left) < 0) run.choices.push(left);
  }
  return of.filter((one) => !districts.includes(one));
}

/** Whether a step chooses among boundaries of a level, not among those of a list. */
function isOfLevel(run: PlanRun, part: number): boolean {
  const step = run.stepAt(part);
  if (step.op === 'children' || step.op === 'neighbors') return true;
  return 'of' in step && typeof step.of === 'number' && isOfLevel(run, step.of);
}
