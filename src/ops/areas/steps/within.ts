import { isOfLevel } from '../../../domain/areas/levels.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { byName, distinct, type Region, setOf } from '../execution/region.ts';
import { near, reach, type Wanted } from './near.ts';
import type { Execute, StepContext } from './step.ts';

/** Boundaries within a distance of themselves that are said. */
const MOST_SAID = 3;

/** Those of some boundaries that are within a distance of a place. */
export const within: Execute<'within'> = async (context, step) => {
  const { run, i } = context;
  return setOf(await atDistance(context, run.regionAt(step.from), step.km, { of: run.setIn(step.of, i) }));
};

/**
 * The boundaries within a distance of those of a region, and those of the region itself that are wanted.
 * @throws could_not_map when the region is cut, or crosses the antimeridian
 */
export async function atDistance(
  { run, i }: StepContext,
  from: Region,
  km: number,
  which: Wanted,
): Promise<ResolvedBoundary[]> {
  if (from.op !== 'set')
    throw run.fail(i, said`${run.quote(i)} asks for a distance to a cut area; name whole boundaries.`);
  const { members } = from;
  const [dx] = reach(members, km * 1000);
  const crossing = members.find(
    ({ west, east }) => (west ?? 0) / 1e7 - dx < -180 || (east ?? 0) / 1e7 + dx > 180 || (east ?? 0) < (west ?? 0),
  );
  if (crossing)
    throw run.fail(i, said`${run.quote(i)} crosses the antimeridian at ${crossing.name}, which distances cannot do.`);
  const met = await near(run, members, which, { meters: km * 1000, apart: false }, i);
  const asked = new Set(which.of?.map(({ id }) => id));
  const own = members.filter((one) =>
    which.of ? asked.has(one.id) : which.level !== undefined && isOfLevel(one.boundary, which.level),
  );
  const alike = which.of ? own.slice(0, MOST_SAID) : [];
  for (const { name } of alike) run.choices.push(said`${name} is one of them: it is at no distance from itself`);
  return distinct([...own, ...[...met.values()].map(({ one }) => one)]).sort(byName);
}
