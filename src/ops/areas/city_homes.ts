import type { Level } from '../../domain/areas/algebra.ts';
import { isOfLevel } from '../../domain/areas/levels.ts';
import { boundariesAt } from '../../domain/boundaries/reverse.ts';
import { largestCity } from '../../domain/names/cities.ts';
import { foldName } from '../../domain/names/fold.ts';
import { geometryOf } from '../boundaries/document.ts';
import type { PlanRun } from './execution/plan_run.ts';

/**
 * The boundary of a level that the largest city of a name is in, or null: Maricopa County for the counties around Phoenix.
 * It is a suggestion alone, since the place of the city is known to a tenth of a degree.
 */
export async function homeOfCity(run: PlanRun, name: string, level: Level) {
  const city = largestCity(foldName(name));
  return city && homeAt(run, city, level);
}

/** The boundary of a level of a country at a place in degrees; null if there is none. */
export async function homeAt(
  { ctx, reading }: PlanRun,
  city: { readonly lat: number; readonly lon: number; readonly country: string },
  level: Level,
) {
  const around = await boundariesAt(reading, city, (boundaries, x, y) =>
    ctx.services.engine.points.locate(boundaries.map(geometryOf), x, y, ctx.signal),
  );
  const homes = around.filter(({ boundary }) => boundary.country === city.country && isOfLevel(boundary, level));
  return homes[0] ?? null;
}
