import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { groupOf } from '../../../domain/names/groups.ts';
import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** Codes of missing members that an error lists. */
const LISTED = 5;

/** The members of a named group of countries or states. @throws could_not_map unless all of them are stored */
export const group: Execute<'group'> = async ({ run, i, notes }, { name }) => {
  const known = groupOf(name);
  if (known === null) throw run.fail(i, `${run.quoteName(i)} is not a known group.`);
  const found = await run.reading.lookup(known.members.map((code) => `iso:${code}`));
  const members = found.filter((one): one is ResolvedBoundary => one?.has_geometry === true);
  if (members.length < known.members.length) {
    const stored = new Set(members.map(({ boundary }) => boundary.iso));
    const missing = known.members.filter((code) => !stored.has(code));
    const more = missing.length > LISTED ? ` and ${missing.length - LISTED} more` : '';
    throw run.fail(
      i,
      `${run.quoteName(i)} is not completely stored here: ${missing.slice(0, LISTED).join(', ')}${more} are missing. Import them, or name places that are stored.`,
    );
  }
  notes.push(`${known.name}: ${known.members.join(', ')} (${known.source})`);
  return setOf(members);
};
