import { defined } from '../../../common/elements.ts';
import { said, term } from '../../../domain/areas/wording/said.ts';
import { setOf } from '../execution/region.ts';
import { measuresOf } from './measures.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/** Part of the larger of two measures up to which another source or year may order them otherwise. */
const CLOSE = 0.05;
/** The same of areas of small islands, which a coarse source draws with a few points, in km2. */
const CLOSE_KM2 = 10;

/** Whether another source or year may order two measures otherwise: areas in km2, or populations. */
export function isClose(one: number, other: number, by: 'area' | 'population'): boolean {
  return Math.abs(one - other) < Math.max(CLOSE * Math.max(one, other), by === 'area' ? CLOSE_KM2 : 0);
}

/** The first of some boundaries by area or population. @throws could_not_map when too few, or equal at the end */
export const rank: Execute<'rank'> = ({ run, i }, step) => {
  const of = candidatesOf(run, step.of, i);
  if (of.length < step.count) throw run.fail(i, said`${run.quote(i)} asks for ${step.count} of ${of.length}.`);
  const sign = step.order === 'most' ? -1 : 1;
  const values = measuresOf(run, of, step.by, i).toSorted((a, b) => sign * (a[1] - b[1]));
  const last = defined(values[step.count - 1]);
  const next = values[step.count];
  if (next && next[1] === last[1])
    throw run.fail(i, said`${run.quote(i)}: ${last[0].name} and ${next[0].name} are equal.`);
  const [one, other] = [last[1], next?.[1] ?? Number.POSITIVE_INFINITY];
  if (next && isClose(one, other, step.by))
    run.choices.push(said`${last[0].name} and ${next[0].name} are nearly equal in ${term(step.by)}`);
  return setOf(values.slice(0, step.count).map(([one]) => one));
};
