import { defined } from '../../../common/elements.ts';
import { capitalIn } from '../../../domain/areas/city_meant.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import { membersOf, setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** The capital of a country or first-level division. @throws could_not_map when it is not known */
export const capital: Execute<'capital'> = async ({ run, i }, step) => {
  const of = run.regionAt(step.of);
  const members = membersOf(of);
  const found = members.length === 1 && of.op === 'set' ? await capitalIn(run.services, defined(members[0])) : null;
  if (found === null)
    throw run.fail(
      i,
      said`The capital that ${run.quote(i)} asks for is not known, or its boundary is not stored. Name it.`,
    );
  return setOf([found]);
};
