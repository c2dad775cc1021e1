import { isOfLevel } from '../../../domain/areas/levels.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { boundariesAt } from '../../../domain/boundaries/reverse.ts';
import { geometryOf } from '../../boundaries/document.ts';
import { setOf } from '../execution/region.ts';
import { levelText } from './children.ts';
import type { Execute, StepContext, StepOf } from './step.ts';

/**
 * The boundary of a level that a point is in.
 * @throws could_not_map without one, and where the coordinates may be in the other order
 */
export const at: Execute<'at'> = async (context, step) => {
  const { run, i, notes } = context;
  const { lat, lon } = step;
  const found = await locate(context, step, { lat, lon });
  const turned = step.sure === false ? await locate(context, step, { lat: lon, lon: lat }) : null;
  if (found && turned)
    throw run.fail(
      i,
      said`${run.quote(i)} is in ${found.name}, or with the longitude first in ${turned.name}; write "lat ${lat} lon ${lon}" or "lat ${lon} lon ${lat}".`,
    );
  if (!found)
    throw run.fail(i, said`${run.quote(i)}: no boundary of ${levelText(step.level)} is stored at ${lat}, ${lon}.`);
  notes.push(said`latitude ${lat}, longitude ${lon}`);
  return setOf([found]);
};

async function locate(
  { run }: StepContext,
  { level }: StepOf<'at'>,
  point: { readonly lat: number; readonly lon: number },
): Promise<ResolvedBoundary | null> {
  if (Math.abs(point.lat) > 90) return null;
  const { ctx, reading } = run;
  const around = await boundariesAt(reading, point, (boundaries, x, y) =>
    ctx.services.engine.points.locate(boundaries.map(geometryOf), x, y, ctx.signal),
  );
  return around.findLast(({ boundary }) => isOfLevel(boundary, level)) ?? null;
}
