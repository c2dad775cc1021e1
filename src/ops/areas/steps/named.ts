import { said } from '../../../domain/areas/wording/said.ts';
import { foldName } from '../../../domain/names/fold.ts';
import { setOf } from '../execution/region.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';

/** Those of some boundaries whose local name fits a text, ignoring case and accents. */
export const named: Execute<'named'> = ({ run, i }, step) => {
  const text = foldName(step.text);
  if (text === '') throw run.fail(i, said`${run.quote(i)} has no letters to compare names with.`);
  const fits = {
    starts: (name: string) => name.startsWith(text),
    ends: (name: string) => name.endsWith(text),
    contains: (name: string) => name.includes(text),
    is: (name: string) => name === text,
  }[step.how];
  return setOf(candidatesOf(run, step.of, i).filter((one) => fits(run.nameOf(one))));
};
