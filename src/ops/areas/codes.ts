import { defined } from '../../common/elements.ts';
import { loadQuery } from '../../db/query.ts';
import { type Level, MAX_MEMBERS, type Step } from '../../domain/areas/algebra.ts';
import { isAboveLevel, levelValues } from '../../domain/areas/levels.ts';
import { isIn } from '../../domain/areas/names.ts';
import { isNoName } from '../../domain/areas/no_names.ts';
import { codedBy } from '../../domain/areas/other_readings.ts';
import { joined, said, term } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { foldName } from '../../domain/names/fold.ts';
import { couldNotMap } from './execution/findings.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { membersOf } from './execution/region.ts';
import { certain, type Found, kindOf } from './found.ts';
import type { Scope } from './scopes.ts';

const CODE = /^[A-Za-z]{2}$/;
const rankOf = ([first]: readonly ResolvedBoundary[]): number =>
  first === undefined || first.boundary.kind === 'country' ? 100 : (first.admin_level ?? 99);

/**
 * Reads codes of two letters that are listed together ("TX, OK, AR and LA") as places of one kind: as divisions of one
 * country if it has them all, or else as countries. The names listed with them decide, too.
 * @param foundAt what the name of a step was found to mean
 * @returns what each code means, by its step
 * @throws could_not_map with all readings if no single one fits
 */
export async function meaningsOfCodes(
  run: PlanRun,
  foundAt: (i: number) => Found | null,
): Promise<ReadonlyMap<number, Found>> {
  const { steps } = run.plan;
  const meanings = new Map<number, Found>();
  for (const [at, step] of steps.entries()) {
    if (step.op !== 'union') continue;
    const places = step.of.flatMap((part) => {
      // "FL (not Monroe County), AL"
      const whole = defined(steps[part]);
      const i = whole.op === 'difference' ? whole.of : part;
      const one = defined(steps[i]);
      return one.op === 'place' && one.id === undefined ? [{ i, name: one.name ?? '', one }] : [];
    });
    const codes = places.filter(
      ({ name, one }) =>
        CODE.test(name) && !isNoName(name, true) && one.within === undefined && one.level === undefined,
    );
    if (codes.length === 0 || places.length < 2) continue;
    const read = await Promise.all(codes.map(({ name }) => codedBy(run.services, name, run.preferences)));
    const named = places.flatMap((place) => {
      const meaning = codes.includes(place) ? null : foundAt(place.i);
      return meaning ? [meaning.found] : [];
    });
    const isDivided = steps.some((one) => 'of' in one && one.of === at);
    const chosen = (isDivided ? null : divisionsAtHome(run, codes, read, named)) ?? oneReading(run, codes, read, named);
    for (const [k, { i }] of codes.entries()) {
      meanings.set(i, certain(defined(chosen[k]), 'the codes of a list are read as places of one kind'));
    }
  }
  return meanings;
}

/**
 * Reads a code alone by what it is with: divided into boundaries of a level, as the one place that has such ("the DE
 * counties" are those of Delaware, not of Germany); beside boundaries of one country, as the division of that ("counties of
 * Ohio that border IN"). Null for other names, and if that does not decide.
 */
export async function codeInContext(run: PlanRun, step: Step, scope: Scope | undefined): Promise<Found | null> {
  if (step.op !== 'place' || step.id !== undefined || step.level !== undefined || step.within !== undefined)
    return null;
  const { name = '' } = step;
  if (!mayDecide(name, scope)) return null;
  const { country, divisions } = await codedBy(run.services, name, run.preferences);
  const coded = country === null ? divisions : [country, ...divisions];
  const fits =
    scope.kind === 'level' ? await withLevel(run, coded, scope.level) : divisionsBeside(run, divisions, scope.of);
  const [found, ...more] = fits;
  if (found === undefined || more.length > 0) return null;
  const others = coded.filter((one) => one !== found).map((one) => one.name);
  if (others.length > 0) run.choices.push(said`${name}: read as ${found.name}; also codes of ${joined(others)}`);
  return certain(found, 'the words around it decide among the places of this code');
}

/** Whether the words around a name may say which place of a code it means. */
export const mayDecide = (
  name: string,
  scope: Scope | undefined,
): scope is Extract<Scope, { kind: 'level' | 'beside' }> =>
  /^[A-Z]{2}$/u.test(name) && ((scope?.kind === 'level' && scope.alone) || scope?.kind === 'beside');

/** The places that may have boundaries of a level; of several, those that have. */
async function withLevel(run: PlanRun, places: readonly ResolvedBoundary[], level: Level): Promise<ResolvedBoundary[]> {
  const above = places.filter(({ boundary }) => isAboveLevel(boundary, level));
  if (above.length < 2) return above;
  const rows = await run.ctx.services.db.query<{ readonly parent: string | null; readonly id: string | null }>(
    loadQuery('area_children'),
    [above.map(({ id }) => id), ...levelValues(level), MAX_MEMBERS],
    { signal: run.ctx.signal },
  );
  return above.filter(({ id }) => rows.some((row) => row.parent === id && row.id !== null));
}

/** The divisions of the one country that has the boundaries of a step, if they are divisions themselves. */
function divisionsBeside(
  run: PlanRun,
  divisions: readonly ResolvedBoundary[],
  of: number,
): readonly ResolvedBoundary[] {
  const region = run.regions[of];
  const members = region ? membersOf(region) : [];
  const countries = new Set(members.map(({ boundary }) => boundary.country));
  const [home] = countries;
  if (countries.size !== 1 || members.some(({ boundary }) => boundary.kind === 'country')) return [];
  return divisions.filter(({ boundary }) => boundary.country === home);
}

/**
 * The divisions of a country that codes mean beside boundaries of it that are of another kind: "DE, Cecil County MD" is in the
 * United States. Null for others, for a code of a city ("LA and Ventura"), and if one is in a division whose code is there,
 * which may only say where it is: "OR, Lane County".
 */
function divisionsAtHome(
  run: PlanRun,
  codes: readonly { readonly i: number; readonly name: string }[],
  read: readonly Awaited<ReturnType<typeof codedBy>>[],
  named: readonly ResolvedBoundary[],
): readonly ResolvedBoundary[] | null {
  const [home, ...more] = new Set(named.map(({ boundary }) => boundary.country));
  const isBelow = named.every((one) => rankOf([one]) > FIRST_RANK && one.boundary.kind !== 'country');
  if (home === undefined || more.length > 0 || !isBelow) return null;
  const divisions = read.map((one) => one.divisions.filter(({ boundary }) => boundary.country === home));
  const found = divisions.flatMap(([first, ...others]) => (first && others.length === 0 ? [first] : []));
  const isCity = codes.some(({ name }) => citiesNamed(foldName(name)).length > 0);
  if (found.length < codes.length || isCity || found.some((one) => rankOf([one]) > FIRST_RANK)) return null;
  if (named.some((one) => found.some((division) => isIn(one, division)))) return null;
  for (const [k, { name }] of codes.entries()) {
    const one = defined(read[k]);
    const others = (one.country === null ? one.divisions : [one.country, ...one.divisions]).filter(
      (other) => other !== found[k],
    );
    const place = defined(found[k]).name;
    if (others.length > 0)
      run.choices.push(said`${name}: read as ${place}; also codes of ${joined(others.map((other) => other.name))}`);
  }
  return found;
}
/** The level of the first divisions of a country, of which people write the codes. */
const FIRST_RANK = 4;

/** The boundaries that the codes of a list mean. @throws could_not_map */
function oneReading(
  run: PlanRun,
  codes: readonly { readonly i: number; readonly name: string }[],
  read: readonly Awaited<ReturnType<typeof codedBy>>[],
  named: readonly ResolvedBoundary[],
): readonly ResolvedBoundary[] {
  const kinds = new Set(read.flatMap(({ divisions }) => divisions.map(kindOf)));
  const readings = [
    ...[...kinds].map((kind) => read.map(({ divisions }) => divisions.find((one) => kindOf(one) === kind) ?? null)),
    read.map(({ country }) => country),
  ];
  const whole = readings.filter((places): places is ResolvedBoundary[] => !places.includes(null));
  const fits = whole.filter(([first]) => named.every((one) => first && kindOf(one) === kindOf(first)));
  // Divisions before countries, and those of the first level before those of the second: "CA and CO" are in Spain, too.
  const [first, second] = (named.length > 0 ? fits : whole).toSorted((a, b) => rankOf(a) - rankOf(b));
  const texts = codes.map(({ name }) => name.toUpperCase());
  if (first && (second === undefined || rankOf(first) < rankOf(second))) {
    const others = whole.filter((one) => one !== first).map((one) => joined(one.map(({ name }) => name)));
    if (others.length > 0)
      run.choices.push(
        said`${texts.join(', ')}: read as ${first.map(({ name }) => name).join(', ')}; also codes of ${joined(others, term('; or of '))}`,
      );
    return first;
  }
  const sides = readings
    .filter((places) => places.some((place) => place !== null))
    .map((places) =>
      joined(places.map((place, k) => (place ? `${texts[k]} ${place.name}` : said`${texts[k] ?? ''} is none`))),
    )
    .slice(0, 3);
  const reason = said`The codes ${texts.join(', ')} are not read as places of one kind: ${joined(sides, term('; or '))}. Write the names.`;
  throw couldNotMap([run.unmapped(defined(codes[0]).i, reason)], run.language);
}
