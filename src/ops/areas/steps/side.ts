import { beyond, said } from '../../../domain/areas/wording/said.ts';
import { membersOf, setOf } from '../execution/region.ts';
import { childrenOf, levelText, nextLevel } from './children.ts';
import type { Execute } from './step.ts';

/** Share of a place that its subdivisions have to cover: of France, a data set may have only Mayotte at a level. */
const LEAST_COVERED = 0.1;

/**
 * The boundaries in a single one whose centroid lies on one side of its centroid.
 * @throws could_not_map when it is not a single boundary, or has no subdivisions that cover a tenth of it
 */
export const side: Execute<'side'> = async (context, step) => {
  const { run, i, notes } = context;
  const region = run.regionAt(step.of);
  const members = membersOf(region);
  const [whole] = members;
  const centroid = whole?.boundary.centroid ?? null;
  if (region.op !== 'set' || !whole || members.length !== 1 || centroid === null) {
    throw run.fail(i, said`${run.quote(i)} needs a single boundary, which is divided at its centroid.`);
  }
  const level = step.level ?? (await nextLevel(run, whole, i));
  const children = await childrenOf(context, step.of, level);
  const covered = children.reduce((sum, { area_km2 }) => sum + (area_km2 ?? 0), 0);
  if (whole.area_km2 !== null && covered < LEAST_COVERED * whole.area_km2)
    throw run.fail(
      i,
      said`${run.quote(i)} is made of ${levelText(level)}, and those that are stored cover less than a tenth of ${whole.name}.`,
    );
  const rule = said`${levelText(level)} whose centroid lies ${beyond(step.direction, `${centroid.lat}, ${centroid.lon}`)}, that of ${whole.name}`;
  notes.push(rule);
  run.choices.push(said`${run.quoteName(i)}: ${rule}`);
  const dx = (lon: number) => ((lon - centroid.lon + 540) % 360) - 180;
  const chosen = children.filter(({ boundary }) => {
    const at = boundary.centroid;
    if (at === null) throw run.fail(i, said`${boundary.name} has no centroid.`);
    if (step.direction.startsWith('north') && !(at.lat > centroid.lat)) return false;
    if (step.direction.startsWith('south') && !(at.lat < centroid.lat)) return false;
    if (step.direction.endsWith('east') && !(dx(at.lon) > 0)) return false;
    return !step.direction.endsWith('west') || dx(at.lon) < 0;
  });
  return setOf(chosen);
};
