import type { Level, Step } from '../../domain/areas/algebra.ts';
import { isLarger } from '../../domain/areas/choice.ts';
import { isOfLevel } from '../../domain/areas/levels.ts';
import { areNested, isIn } from '../../domain/areas/names.ts';
import { said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { foldName } from '../../domain/names/fold.ts';
import { countriesWithDivision } from '../../domain/names/place_names.ts';
import { isIndependentCity } from '../../domain/names/type_kinds.ts';
import { certain, divisionOf, type Found, isSmall, kindOf, placed } from './found.ts';
import type { Names } from './in_context.ts';
import { listedWith, type Scope } from './scopes.ts';

// Rules for what a name of a list means by where the others are. Each returns null where it decides nothing.

/**
 * A name of a list is in the one division of the first level that has a place of each name, if it is ambiguous ("King and
 * Pierce counties" are in Washington) or in another one than the others: "Vigo y Marín" are in Galicia, not Indiana and
 * California. Null if none or several have.
 */
export async function inOneDivision(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
): Promise<Found | null> {
  if (scope?.kind !== 'list' && scope?.kind !== 'level') return null;
  if (step.op !== 'place' || scope.others.length === 0 || isTogether(names, i, scope.others)) return null;
  const level = scope.kind === 'level' ? scope.level : null;
  for (const every of [false, true]) {
    const each = await Promise.all(
      [i, ...scope.others].map((k) => {
        const known = names.foundAt(k)?.found;
        // "Lake and Ohio" are not two counties of Indiana.
        return smallAt(names, k, level, every && (k === i || !known || isSmall(known)));
      }),
    );
    const divisions = each.map((places) => new Set(places.flatMap((one) => divisionOf(one) ?? [])));
    const common = [...(divisions[0] ?? [])].filter((id) => divisions.every((one) => one.has(id)));
    const [own = [], ...others] = each.map((places) => places.filter((one) => divisionOf(one) === common[0]));
    // Beside Camas, Sevilla is the municipality.
    const [alike] = own.filter((one) =>
      others.every((places) => places.every((other) => kindOf(other) === kindOf(one))),
    );
    const found = alike ?? own[0];
    if (common.length !== 1 || !found || own.some((one) => !areNested(one, found))) continue;
    // "Delaware County, PA and Delaware" do not name the county twice.
    if (scope.others.some((k) => names.foundAt(k)?.found.id === found.id)) continue;
    // "Córdoba y Santa Fe" are in Argentina, not in Andalusia.
    if (every && areAbroad(names, [i, ...scope.others], found)) continue;
    names.run.choices.push(said`${names.run.quoteName(i)} is read as ${placed(found)}, where all of the list are`);
    return certain(found, 'a place of each name of the list is in it');
  }
  return null;
}

/** Whether all names of a list are those of divisions of another country, of which none is stored. */
function areAbroad(names: Names, steps: readonly number[], { boundary }: ResolvedBoundary): boolean {
  const countries = steps.map((k) => {
    const step = names.run.stepAt(k);
    return countriesWithDivision(foldName((step.op === 'place' ? step.name : undefined) ?? ''));
  });
  const [first = [], ...others] = countries;
  return first.some((code) => code !== boundary.country && others.every((codes) => codes.includes(code)));
}

/** Whether what a name of a list means is as the others are: in their division, or of the first levels. */
function isTogether(names: Names, i: number, others: readonly number[]): boolean {
  const found = names.foundAt(i)?.found;
  if (!found) return false;
  const divisions = others.map((k) => {
    const other = names.foundAt(k)?.found;
    return other && isSmall(other) ? divisionOf(other) : undefined;
  });
  // Only names of places below the first level say where the others are.
  if (divisions.some((one) => one === undefined)) return true;
  return [found.id, divisionOf(found)].includes(divisions[0]) || divisions.some((one) => one !== divisions[0]);
}

/** What names of lists may mean, by step: a list asks for each of its names with each. */
const CANDIDATES = new WeakMap<Names, Map<number, Promise<readonly ResolvedBoundary[]>>>();

/** The boundaries of any kind that the name of a step may mean. */
export function candidatesAt(names: Names, i: number): Promise<readonly ResolvedBoundary[]> {
  const known = CANDIDATES.get(names) ?? new Map<number, Promise<readonly ResolvedBoundary[]>>();
  CANDIDATES.set(names, known);
  const read = async (): Promise<readonly ResolvedBoundary[]> => {
    const all: ResolvedBoundary[] = [];
    await names.mean(names.run.stepAt(i), (one) => all.push(one) < 0);
    return all;
  };
  const found = known.get(i) ?? read();
  known.set(i, found);
  return found;
}

/**
 * The boundaries below the first level that the name of a step may mean, of a level if one is given: what it was found to
 * mean, or `every` one of its name.
 */
async function smallAt(
  names: Names,
  i: number,
  level: Level | null,
  every: boolean,
): Promise<readonly ResolvedBoundary[]> {
  const step = names.run.stepAt(i);
  const found = names.foundAt(i)?.found;
  const all = [
    ...(found ? [found] : []),
    ...(!found || (every && isNameAlone(step)) ? await candidatesAt(names, i) : []),
  ];
  const asked = level ?? (step.op === 'place' ? step.level : undefined) ?? null;
  const small = all.filter((one) => isSmall(one) && (asked === null || isOfLevel(one.boundary, asked)));
  const counties = asked === 'county' ? small.filter(({ boundary }) => !isIndependentCity(boundary)) : [];
  return counties.length > 0 ? counties : small;
}

/**
 * A name alone in a list of names that are all municipalities in one country, and of which one is nothing else there, is the
 * municipality: Sevilla beside Dos Hermanas is not the province, nor are Madrid and Barcelona beside Bilbao.
 */
export async function municipalityOfList(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
): Promise<Found | null> {
  const whole = names.foundAt(i)?.found;
  if (!isNameAlone(step) || !whole || isMunicipality(whole) || whole.boundary.kind === 'country') return null;
  const beside = listedWith(scope);
  if (beside.length === 0 || !beside.every((k) => isNameAlone(names.run.stepAt(k)))) return null;
  const { country } = whole.boundary;
  const others = await Promise.all(beside.map((k) => meantIn(names, k, country)));
  if (!others.every((places) => places.some(isMunicipality)) || !others.some((places) => places.every(isMunicipality)))
    return null;
  const meaning = await names.mean(step, (one) => isMunicipality(one) && isIn(one, whole));
  return meaning && 'found' in meaning && isMunicipality(meaning.found) && isIn(meaning.found, whole) ? meaning : null;
}

/**
 * A name alone among divisions of one kind is the division around its place whose name is made of it: Valencia beside Aragón
 * and Murcia is the Comunitat Valenciana. Null if there is none.
 */
export async function divisionOfList(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
): Promise<Found | null> {
  const own = names.foundAt(i)?.found;
  if (!isNameAlone(step) || !own) return null;
  const stems = own.name.split('/').map((name) => foldName(name).slice(0, -1));
  const isMade = (word: string): boolean => stems.some((stem) => stem.length >= MADE_FROM && word.startsWith(stem));
  const made = own.boundary.parents.filter(({ name }) => foldName(name).split(' ').slice(1).some(isMade));
  if (made.length === 0) return null;
  const beside = listedWith(scope);
  // The province of the Balearic Islands is the community, too.
  const levels = beside.map(async (k) => {
    const found = names.foundAt(k)?.found ?? own;
    const around = await names.run.resolve(found.boundary.parents.map(({ id }) => id));
    return [found, ...around.filter((one) => !isLarger(one, found))].filter((one) => !isSmall(one)).map(kindOf);
  });
  const [first = [], ...more] = await Promise.all(levels);
  const kinds = first.filter((kind) => kind !== kindOf(own) && more.every((others) => others.includes(kind)));
  const around = await names.run.resolve(made.map(({ id }) => id));
  const found = around.find((one) => kinds.includes(kindOf(one)));
  if (found === undefined) return null;
  names.run.choices.push(said`${names.run.quoteName(i)} is read as ${placed(found)}; also so called: ${placed(own)}`);
  return certain(found, 'its name is made of that of the place in it');
}
const MADE_FROM = 5;

/** The boundaries of a country that a name of a list may mean: with its municipalities, what it was found to mean. */
async function meantIn(names: Names, i: number, country: string | null): Promise<readonly ResolvedBoundary[]> {
  const found = names.foundAt(i)?.found;
  const isThere = ({ boundary }: ResolvedBoundary): boolean => boundary.country === country;
  const all = (await candidatesAt(names, i)).filter(isThere);
  return found ? [found, ...all.filter((one) => isMunicipality(one) && isIn(one, found))].filter(isThere) : all;
}

const isMunicipality = ({ boundary: { kind } }: ResolvedBoundary): boolean => kind === 'municipality';

/** Whether a step is a name without a level or a container. */
export const isNameAlone = (step: Step): boolean =>
  step.op === 'place' && step.id === undefined && step.level === undefined && step.within === undefined;

/**
 * A name alone whose place is in another country than the others of its list, or is the country around them, is the place in
 * theirs, of the kind of one: Bari beside Brindisi is not in Somalia, and Guatemala beside Escuintla is a department, too.
 * Null beside countries.
 */
export async function inTheirCountry(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
): Promise<Found | null> {
  const own = names.foundAt(i)?.found;
  if (scope?.kind !== 'list' || !isNameAlone(step) || !own) return null;
  const others = scope.others.flatMap((k) => names.foundAt(k)?.found ?? []);
  const isElsewhere = own.boundary.kind === 'country' ? isIn : isAbroad;
  if (others.length < scope.others.length || !others.every((one) => isElsewhere(one, own))) return null;
  const isThere = await inCountryOfList(names, scope.others);
  const meaning = isThere && (await names.mean(step, isThere));
  if (!isThere || !meaning || !('found' in meaning) || !isThere(meaning.found)) return null;
  names.run.choices.push(
    said`${names.run.quoteName(i)} is read as ${placed(meaning.found)}, where all of the list are`,
  );
  return certain(meaning.found, 'the others of the list are in its country');
}

/** Whether a place is in another country than one, and not a country. */
export const isAbroad = ({ boundary }: ResolvedBoundary, from: ResolvedBoundary): boolean =>
  boundary.kind !== 'country' && boundary.country !== from.boundary.country;

/**
 * The test whether a candidate is in the one country that all others of its list are in, in none of them and of the kind of
 * one: Valencia beside Alicante and Murcia is not a county of New Mexico. Null where they are in several.
 */
export async function inCountryOfList(
  names: Names,
  others: readonly number[],
): Promise<((candidate: ResolvedBoundary) => boolean) | null> {
  const found = others.flatMap((k) => names.foundAt(k)?.found ?? []);
  const [country, ...more] = new Set(found.map(({ boundary }) => boundary.country));
  if (country == null || more.length > 0) return null;
  // The Región de Murcia is a province, too.
  const alike = await Promise.all(others.map((k) => sameAreaAt(names, k)));
  const kinds = new Set([...found, ...alike.flat()].map(kindOf));
  return (one) =>
    one.boundary.country === country &&
    kinds.has(kindOf(one)) &&
    !found.some((other) => one.id === other.id || isIn(one, other));
}

/** The boundaries of other levels that are the same area as what the name of a step means, and have its name. */
async function sameAreaAt(names: Names, i: number): Promise<readonly ResolvedBoundary[]> {
  const found = names.foundAt(i)?.found;
  return (await candidatesAt(names, i)).filter((one) => found && isIn(one, found) && !isLarger(found, one));
}
