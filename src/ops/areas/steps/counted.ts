import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** The same boundaries. @throws could_not_map unless they are as many as the words say */
export const counted: Execute<'counted'> = ({ run, i }, step) => {
  const of = run.setIn(step.of, i);
  if (of.length !== step.count)
    throw run.fail(i, `${run.quote(i)} asks for ${step.count}, but there are ${of.length}.`);
  return setOf(of);
};
