import { defined } from '../../../common/elements.ts';
import { loadQuery } from '../../../db/query.ts';
import { type Level, MAX_MEMBERS } from '../../../domain/areas/algebra.ts';
import { foreignLevelWord, isCondominium, isOfLevel, levelMeant, levelValues } from '../../../domain/areas/levels.ts';
import { meaningOf } from '../../../domain/areas/meaning.ts';
import { isIn } from '../../../domain/areas/names.ts';
import { type Said, said, term } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { isTerritory } from '../../../domain/names/groups.ts';
import { isIndependentCity } from '../../../domain/names/type_kinds.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { distinct, holds, membersOf, setOf } from '../execution/region.ts';
import { sayDistricts } from './states.ts';
import type { Execute, StepContext } from './step.ts';

/** The boundaries of a level that are in a region. */
export const children: Execute<'children'> = async (context, step) => {
  if (step.level !== undefined) return setOf(await childrenOf(context, step.of, step.level));
  const { run, i, notes } = context;
  const [whole, ...others] = membersOf(run.regionAt(step.of));
  if (!whole || others.length > 0)
    throw run.fail(i, said`${run.quote(i)} does not say of which level; write it in front.`);
  const level = await nextLevel(run, whole, i);
  notes.push(said`${levelText(level)}, the next below ${whole.name}`);
  return setOf(await childrenOf(context, step.of, level));
};

/** The level that the words of step `i` ask for in or beside some boundaries; the answer's plan has it. */
export function meantLevel(
  run: PlanRun,
  i: number,
  asked: Level,
  beside: readonly ResolvedBoundary[],
  where: 'in' | 'beside',
): Level {
  const members = beside.map(({ boundary }) => boundary);
  const level = levelMeant(asked, run.words(i)?.text ?? '', members, where);
  if (level !== asked) run.levels.set(i, level);
  return level;
}

/** A level as errors and notes name it. */
export const levelText = (level: Level): Said =>
  typeof level === 'number' ? said`boundaries of admin level ${level}` : said`the level "${term(level)}"`;

/**
 * The boundaries of a level that are in the region of step `part`.
 * @throws could_not_map when one of its boundaries has none, or when there are more than MAX_MEMBERS
 */
export async function childrenOf(
  { run, i, notes }: StepContext,
  part: number,
  asked: Level,
): Promise<ResolvedBoundary[]> {
  const region = run.regionAt(part);
  const parents = membersOf(region);
  const text = run.words(i)?.text ?? '';
  const ofGroup = run.stepAt(part).op === 'group';
  // The states of an organization are its members.
  const areCountries = ofGroup && asked === 'state' && parents.every(({ boundary }) => isOfLevel(boundary, 'country'));
  const level = areCountries ? 'country' : ofGroup ? asked : meantLevel(run, i, asked, parents, 'in');
  if (areCountries) run.levels.set(i, level);
  for (const { name, boundary } of parents) {
    const word = foreignLevelWord(text, boundary.country);
    if (word) throw run.fail(i, said`${run.quote(i)} asks for the level "${word}" in ${name}, where there are none.`);
  }
  // "The countries of Benelux" are its members.
  const isGroup = level === 'country' && ofGroup;
  const isTerritoryOf = ({ boundary }: ResolvedBoundary): boolean => isGroup && isTerritory(boundary.iso ?? '');
  const own = parents.filter((one) => isOfLevel(one.boundary, level) && !isTerritoryOf(one));
  const others = parents.filter((one) => !isOfLevel(one.boundary, level) || isTerritoryOf(one));
  // "The counties of Utah and Salt Lake, Utah" are two, and not all of the state.
  const within = ofGroup ? undefined : own.find((one) => others.some((other) => isIn(one, other)));
  if (within)
    throw run.fail(
      i,
      said`${run.quote(i)} asks for ${levelText(level)} in ${within.name} and in what contains it; name that behind each of them.`,
    );
  // "Will and Iowa counties": names alone that do not mean places of one kind.
  const [itself] = own;
  if (itself && others.length > 0 && areNames(run, part))
    throw run.fail(i, said`${run.quote(i)} asks for ${levelText(level)} in ${itself.name}, which is itself one.`);
  const ids = others.map(({ id }) => id);
  type Row = { readonly revision: number; readonly parent: string | null; readonly id: string | null };
  const rows =
    ids.length === 0
      ? []
      : run.ofRevision(
          await run.ctx.services.db.query<Row>(
            loadQuery('area_children'),
            [ids, ...levelValues(level), MAX_MEMBERS + 1],
            { signal: run.ctx.signal },
          ),
        );
  if (rows.length > MAX_MEMBERS)
    throw run.fail(i, said`${run.quote(i)} has more than ${MAX_MEMBERS} boundaries. Describe fewer.`);
  const found = await run.resolve([...new Set(rows.flatMap(({ id }) => id ?? []))]);
  const fits: ResolvedBoundary[] = [];
  for (const one of found) {
    if (isOfLevel(one.boundary, level)) fits.push(one);
    else if (isCondominium(one.boundary)) notes.push(said`${one.name} is left out: it is a condominium`);
  }
  const fitting = new Set(fits.map(({ id }) => id));
  await run.spend(found.length, i);
  if (own.length > 0 && run.stepAt(part).op !== 'group' && others.length === 0 && parents.length === 1) {
    throw run.fail(
      i,
      said`${run.quote(i)} asks for ${levelText(level)} in ${defined(parents[0]).name}, which is itself one.`,
    );
  }
  const withRows = new Set(rows.flatMap(({ id, parent }) => (id !== null && fitting.has(id) ? [parent] : [])));
  const childless = others.filter(({ id }) => !withRows.has(id));
  // "African countries": a group also has territories.
  if (isGroup && own.length > 0)
    for (const { name } of childless.splice(0)) notes.push(said`${name} is left out: it is a territory, not a country`);
  if (childless.length > 0) {
    const called = childless.length === parents.length ? await calledSo(run, part, level) : null;
    if (called) {
      notes.push(said`read as ${levelText(level)} of these names`);
      return called;
    }
    const names = childless
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ');
    throw run.fail(i, said`${run.quote(i)} asks for ${levelText(level)} in ${names}, where there are none.`);
  }
  const all = distinct([...own, ...fits]);
  if (level === 'state') sayDistricts(run, all);
  const cities = level === 'county' ? all.filter(({ boundary }) => isIndependentCity(boundary)) : [];
  if (cities.length > 0) {
    const [first = ''] = cities.map(({ name }) => name);
    run.choices.push(
      cities.length === 1
        ? said`${first} is a city in no county, and is counted among the counties`
        : said`${cities.length} cities in no county are counted among the counties`,
    );
  }
  if (region.op === 'set') return all;
  const held = all.map((one) => holds(region, one));
  if (held.includes(null))
    throw run.fail(
      i,
      said`${run.quote(i)} asks for boundaries within a distance; say "${levelText(level)} within … km of …".`,
    );
  return all.filter((_, k) => held[k]);
}

/** Whether a step is a list of names alone, without levels. */
function areNames(run: PlanRun, part: number): boolean {
  const list = run.stepAt(part);
  const places = list.op === 'union' ? list.of.map((one) => run.stepAt(one)) : [];
  return (
    places.length > 1 && places.every((one) => one.op === 'place' && one.name !== undefined && one.level === undefined)
  );
}

/** "The cantons of Wiltz and Clervaux": boundaries of a level with the names of places that have none in them. */
async function calledSo(run: PlanRun, part: number, level: Level): Promise<ResolvedBoundary[] | null> {
  const { steps } = run.plan;
  const step = steps[part];
  const places = step?.op === 'union' ? step.of : [];
  const found: ResolvedBoundary[] = [];
  for (const place of places) {
    const named = steps[place];
    if (named?.op !== 'place' || named.name === undefined || named.id !== undefined) return null;
    const meaning = await meaningOf(run.services, { name: named.name, within: named.within, level }, run.preferences);
    if (!('found' in meaning)) return null;
    found.push(meaning.found);
  }
  return found.length === 0 ? null : distinct(found);
}

/** The next admin level below a boundary that has subdivisions with polygons. */
export async function nextLevel(run: PlanRun, whole: ResolvedBoundary, i: number): Promise<number> {
  for (let level = (whole.admin_level ?? 12) + 1; level <= 11; level++) {
    const rows = await run.ctx.services.db.query(loadQuery('area_children'), [[whole.id], ...levelValues(level), 1], {
      signal: run.ctx.signal,
    });
    if (rows[0]?.id) return level;
  }
  throw run.fail(i, said`${run.quote(i)}: ${whole.name} has no stored subdivisions.`);
}
