import { Turns } from '../../../common/turns.ts';
import { loadQuery } from '../../../db/query.ts';
import { firstOf, said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { setOf } from '../execution/region.ts';
import { borderOf, type Side, sideOf } from '../shores/land.ts';
import { shoreline } from '../shores/shoreline.ts';
import { sidesIn } from '../shores/sides.ts';
import { sidesBeside } from '../shores/sides_beside.ts';
import type { Execute } from './step.ts';

/**
 * The boundaries that touch the sea, or that do not. A coast is a part of a country's border with no country on its
 * other side, unless it surrounds a lake or a sea enclosed by land. A boundary is coastal if its border includes such a
 * part.
 * @throws could_not_map when it is unknown for one of them
 */
export const coast: Execute<'coast'> = async ({ run, i, notes }, step) => {
  const of = run.setIn(step.of, i);
  const line = await shoreline(run);
  if (line.missing.length > 0) {
    throw run.fail(
      i,
      said`${run.quote(i)}: coasts need all countries to be stored; ${line.missing.length} are not (${firstOf(line.missing, 3, 'others')}).`,
    );
  }
  const sides = new Map<string, Side>();
  const groups = new Map<string, ResolvedBoundary[]>();
  const beside = new Set(line.beside.map(({ id }) => id));
  const other: string[] = [];
  for (const one of of) {
    const [parent] = one.boundary.parents.filter(({ id }) => line.lands.has(id));
    if (line.lands.has(one.id)) sides.set(one.id, sideOf(borderOf(one.id, line), line, null));
    else if (beside.has(one.id)) other.push(one.id);
    else if (parent && one.admin_level !== null) {
      const key = `${parent.id} ${one.admin_level}`;
      const group = groups.get(key);
      if (group) group.push(one);
      else groups.set(key, [one]);
    } else sides.set(one.id, 'unknown');
  }
  if (other.length > 0) {
    const found = await sidesBeside(run, line.beside, line, null, new Turns(run.ctx.signal));
    for (const id of other) sides.set(id, found.get(id) ?? 'unknown');
  }
  for (const [key, members] of groups) {
    const [country = '', level] = key.split(' ');
    await sidesIn(run, country, Number(level), members, line, sides, i);
  }
  await checkWays(run, of, sides);
  const unknown = of.filter(({ id }) => sides.get(id) === 'unknown');
  if (unknown.length > 0) {
    const names = firstOf(
      unknown.map(({ name }) => name),
      3,
    );
    throw run.fail(
      i,
      unknown.length === 1
        ? said`${run.quote(i)}: whether ${names} touches the sea is not known from the stored data.`
        : said`${run.quote(i)}: whether ${names} touch the sea is not known from the stored data.`,
    );
  }
  notes.push('a coast is a border of a country with no land beyond it; lakes and seas that land encloses do not count');
  return setOf(of.filter(({ id }) => sides.get(id) === step.is));
};

/** In OpenStreetMap, ways that are coastlines or sea borders say more than polygons: their boundaries are coastal. */
async function checkWays(run: PlanRun, of: readonly ResolvedBoundary[], sides: Map<string, Side>): Promise<void> {
  const asked = of.filter(({ id, source }) => source.id === 'osm' && sides.get(id) !== 'coastal').map(({ id }) => id);
  if (asked.length === 0) return;
  const rows = await run.ctx.services.db.query(loadQuery('area_shore_ways'), [asked], {
    signal: run.ctx.signal,
  });
  for (const { id } of rows) sides.set(id, 'coastal');
}
