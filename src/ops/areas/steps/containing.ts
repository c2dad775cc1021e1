import { defined } from '../../../common/elements.ts';
import { isOfLevel } from '../../../domain/areas/levels.ts';
import { said, term } from '../../../domain/areas/wording/said.ts';
import { membersOf, setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** The boundaries of a level that contain those of a region. @throws could_not_map unless one contains each of them */
export const containing: Execute<'containing'> = async ({ run, i }, step) => {
  const parents = new Set<string>();
  for (const member of membersOf(run.regionAt(step.of))) {
    const fits = member.boundary.parents.filter((parent) =>
      isOfLevel({ admin_level: parent.admin_level, kind: parent.kind, country: member.boundary.country }, step.level),
    );
    if (fits.length !== 1) {
      const level = typeof step.level === 'number' ? String(step.level) : term(step.level);
      const asked = said`${run.quote(i)} asks for the ${level} that contains ${member.name}`;
      throw run.fail(
        i,
        fits.length === 0 ? said`${asked}: none contains it.` : said`${asked}: ${fits.length} contain it.`,
      );
    }
    parents.add(defined(fits[0]).id);
  }
  const found = await run.resolve([...parents]);
  if (found.some(({ has_geometry }) => !has_geometry))
    throw run.fail(i, said`${run.quote(i)} has no polygon in the stored data.`);
  return setOf(found);
};
