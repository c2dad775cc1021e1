import { firstOf, said, term } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { PlanRun } from '../execution/plan_run.ts';

/** The area in km2 or the population of each boundary. @throws could_not_map when one is unknown */
export function measuresOf(
  run: PlanRun,
  of: readonly ResolvedBoundary[],
  by: 'area' | 'population',
  i: number,
): (readonly [ResolvedBoundary, number])[] {
  const unknown: string[] = [];
  const values = of.map((one) => {
    const value = by === 'area' ? one.area_km2 : one.boundary.population;
    if (value === null) unknown.push(one.name);
    return [one, value ?? 0] as const;
  });
  if (unknown.length > 0) {
    throw run.fail(
      i,
      said`${run.quote(i)} needs the ${term(by)} of each, which is unknown for ${unknown.length} of ${of.length}: ${firstOf(unknown, 3, 'others')}.`,
    );
  }
  return values;
}
