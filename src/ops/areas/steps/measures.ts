import { firstOf, said, term } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { populationOf } from '../../../domain/boundaries/populations.ts';
import type { PlanRun } from '../execution/plan_run.ts';

/** Says of which years the populations are that a table has, not the source of a boundary. */
function sayYears(run: PlanRun, of: readonly ResolvedBoundary[]): void {
  const years = of.flatMap(({ boundary: { iso, population } }) => {
    const tabled = populationOf(iso);
    return tabled !== null && tabled.population === population ? [tabled.source.year] : [];
  });
  for (const year of [...new Set(years)].sort()) run.choices.push(said`populations are those of ${year}`);
}

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
  if (by === 'population') sayYears(run, of);
  return values;
}
