import { firstOf, joined, said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { groupOf } from '../../../domain/names/groups.ts';
import { setOf } from '../execution/region.ts';
import type { Execute } from './step.ts';

/** Codes of missing members that an error lists. */
const LISTED = 5;

/** How the source of a group begins that others count in another way: its members are said. */
const NAMED_READING = 'a named reading';

/** The members of a named group of countries or states. @throws could_not_map unless all of them are stored */
export const group: Execute<'group'> = async ({ run, i, notes }, { name }) => {
  const known = groupOf(name);
  if (known === null) throw run.fail(i, said`${run.quoteName(i)} is not a known group.`);
  const found = await run.reading.lookup(known.members.map((code) => `iso:${code}`));
  const members = found.filter((one): one is ResolvedBoundary => one?.has_geometry === true);
  if (members.length < known.members.length) {
    const stored = new Set(members.map(({ boundary }) => boundary.iso));
    const missing = known.members.filter((code) => !stored.has(code));
    throw run.fail(
      i,
      said`${run.quoteName(i)} is not completely stored here: ${firstOf(missing, LISTED)} are missing. Import them, or name places that are stored.`,
    );
  }
  // "Latin America" is a part of the words that name the group.
  if (/ and /.test(known.name)) run.choices.push(said`${run.quoteName(i)} is read as ${known.name}`);
  if (known.source.startsWith(NAMED_READING))
    run.choices.push(said`${run.quoteName(i)} is read as ${joined(members.map(({ name }) => name))}`);
  notes.push(said`${known.name}: ${known.members.join(', ')} (${known.source})`);
  return setOf(members);
};
