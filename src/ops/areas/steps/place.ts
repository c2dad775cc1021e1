import { said } from '../../../domain/areas/wording/said.ts';
import { isIndependentCity } from '../../../domain/names/type_kinds.ts';
import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** One boundary, by its name or its id. Of an independent city, the plan says that it is the city. */
export const place: Execute<'place'> = async ({ run, placeOf, i }, step) => {
  const one = await placeOf(step, i);
  if (isIndependentCity(one.boundary)) {
    if (step.level === 'county') run.choices.push(said`${run.quoteName(i)} is a city that is in no county`);
    run.levels.set(i, 'municipality');
  }
  return setOf([one]);
};
