import { firstOf, type Said, said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { NEAR, SHARED } from '../../../geometry/spatial_relations.ts';
import { byName, type Region, setOf } from '../execution/region.ts';
import { near, type Wanted } from './near.ts';
import type { Execute, StepContext } from './step.ts';

/** Distance in meters up to which boundaries of two sources count as neighbors. */
export const NEAR_METERS = 2_000;

/** Those of some boundaries that border a place. */
export const touching: Execute<'touching'> = async (context, step) => {
  const { run, i } = context;
  return setOf(await bordering(context, run.regionAt(step.border), { of: run.setIn(step.of, i) }));
};

/**
 * The boundaries that share a line with those of a region, or that are of another source and within NEAR_METERS.
 * @throws could_not_map when the region is cut
 */
export async function bordering(
  { run, i, notes }: StepContext,
  border: Region,
  which: Wanted,
): Promise<ResolvedBoundary[]> {
  if (border.op !== 'set')
    throw run.fail(i, said`${run.quote(i)} asks what borders a cut area; name whole boundaries.`);
  const met = [...(await near(run, border.members, which, { meters: NEAR_METERS, apart: true }, i)).values()];
  const { beyond, counted } = onLand(border.members, met);
  if (beyond.length > 0)
    run.choices.push(said`${namesOf(beyond)}: within 2 km, but without a common line on land, so not counted`);
  const close = counted.filter(({ nearness }) => nearness === NEAR);
  if (close.length > 0) {
    notes.push(said`${namesOf(close)}: within 2 km, from another source, so they share no line`);
  }
  notes.push('boundaries that meet it only in single points are not counted; lakes count only where polygons meet');
  return counted.map(({ one }) => one).sort(byName);
}

/**
 * What is near some boundaries, in those that border them and those beyond water. Seed boundaries fit each other: where one
 * of them shares a line with these, those that share none lie beyond water.
 */
export function onLand<T extends { readonly one: ResolvedBoundary; readonly nearness: number }>(
  members: readonly ResolvedBoundary[],
  met: readonly T[],
): { readonly counted: readonly T[]; readonly beyond: readonly T[] } {
  const fits =
    members.every(({ source }) => source.seed) &&
    met.some(({ one, nearness }) => nearness === SHARED && one.source.seed);
  const isBeyond = ({ one, nearness }: T): boolean => fits && nearness === NEAR && one.source.seed;
  return { beyond: met.filter(isBeyond), counted: met.filter((one) => !isBeyond(one)) };
}

/** The first names of some boundaries, and how many more there are. */
const namesOf = (all: readonly { readonly one: ResolvedBoundary }[]): Said =>
  firstOf(
    all.map(({ one }) => one.name),
    3,
  );
