import { said, term } from '../../../domain/areas/wording/said.ts';
import { setOf } from '../execution/region.ts';
import { compares } from './measured.ts';
import { measuresOf } from './measures.ts';
import { isClose } from './rank.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/**
 * Those of some boundaries with more or less area or population than another one, or than a multiple of it.
 * @throws could_not_map when what they are compared with is not one boundary, or a measure is unknown
 */
export const compared: Execute<'compared'> = ({ run, i }, step) => {
  const [other, ...more] = run.setIn(step.with, i);
  if (!other || more.length > 0) throw run.fail(i, said`${run.quote(i)} compares with several boundaries; name one.`);
  const { times = 1, by, is } = step;
  const candidates = candidatesOf(run, step.of, i);
  const [own, ...values] = measuresOf(run, [other, ...candidates], by, i);
  const than = times * (own?.[1] ?? 0);
  for (const [one, value] of values)
    if (one.id !== other.id && times === 1 && isClose(value, than, by))
      run.choices.push(said`${one.name} and ${other.name} are nearly equal in ${term(by)}`);
  return setOf(values.flatMap(([one, value]) => (compares(value, is, than) ? [one] : [])));
};
