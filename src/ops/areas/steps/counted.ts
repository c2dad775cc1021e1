import { isFederalDistrict } from '../../../domain/areas/levels.ts';
import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/**
 * The same boundaries: "the 50 US states" are those without the federal district.
 * @throws could_not_map unless they are as many as the words say
 */
export const counted: Execute<'counted'> = ({ run, i }, step) => {
  const of = run.setIn(step.of, i);
  if (of.length === step.count) return setOf(of);
  const states = of.filter(({ boundary }) => !isFederalDistrict(boundary));
  if (states.length !== step.count)
    throw run.fail(i, `${run.quote(i)} asks for ${step.count}, but there are ${of.length}.`);
  run.choices.push(`${run.quote(i)} are read as those without the District of Columbia`);
  return setOf(states);
};
