import { isFederalDistrict } from '../../../domain/areas/levels.ts';
import { type Said, said, term } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { isIndependentCity } from '../../../domain/names/type_kinds.ts';
import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** Boundaries that are counted among those of a level, or are not, and what those without them are called. */
const COUNTED_OR_NOT: readonly (readonly [is: (one: ResolvedBoundary) => boolean, without: Said])[] = [
  [({ boundary }) => isFederalDistrict(boundary), term('those without the District of Columbia')],
  [({ boundary }) => isIndependentCity(boundary), term('those without the independent cities')],
];

/**
 * The same boundaries: "the 50 US states" are those without the federal district, and "the 95 counties of Virginia" those
 * without its cities that are in no county.
 * @throws could_not_map unless they are as many as the words say
 */
export const counted: Execute<'counted'> = ({ run, i }, step) => {
  const of = run.setIn(step.of, i);
  if (of.length === step.count) return setOf(of);
  for (const [is, without] of COUNTED_OR_NOT) {
    const others = of.filter((one) => !is(one));
    if (others.length !== step.count) continue;
    run.choices.push(said`${run.quote(i)} are read as ${without}`);
    return setOf(others);
  }
  throw run.fail(i, said`${run.quote(i)} asks for ${step.count}, but there are ${of.length}.`);
};
