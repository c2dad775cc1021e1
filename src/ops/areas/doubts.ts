import { defined, only } from '../../common/elements.ts';
import type { Step } from '../../domain/areas/algebra.ts';
import type { Meaning } from '../../domain/areas/choice.ts';
import { candidateOf, lookupsOf } from '../../domain/areas/names.ts';
import { isArticle, isSide } from '../../domain/areas/no_names.ts';
import { codedBy, divisionNamed, longerNamed } from '../../domain/areas/other_readings.ts';
import { LANGUAGES } from '../../domain/areas/vocabulary/vocabulary.ts';
import { joined, said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isCityName } from '../../domain/names/cities.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { isOwnName, namesInUse } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { codesAroundIsland } from '../../domain/names/short_names.ts';
import { isIndependentCity, isTypeWord } from '../../domain/names/type_kinds.ts';
import { cityBoundaries } from '../../domain/search/city_lookups.ts';
import { isKindWord } from '../../domain/search/noise.ts';
import { homeElsewhere, longerBeside, longerTown } from './city_doubts.ts';
import { elsewhere } from './elsewhere.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { certain, divisionOf, type Found, isSmall, isTown, kindOf, placed } from './found.ts';
import type { Names } from './in_context.ts';
import type { Scope } from './scopes.ts';

/** A place of a plan, its step, and what it is listed with or taken out of. */
interface Listed {
  readonly step: Extract<Step, { op: 'place' }>;
  readonly i: number;
  readonly scope: Scope | undefined;
}

/** What divides two places of a list. */
const COMMA = ', ';

/**
 * A meaning, or why it is in doubt: the places that it is listed with are of another kind, and one of their kind has a
 * name that ends so ("Jersey, New York and Connecticut"), or a country has the name in another language.
 */
export async function doubt(names: Names, { step, i, scope }: Listed, meaning: Found): Promise<Meaning> {
  const { run } = names;
  const { found, foreign } = meaning;
  const name = step.name ?? '';
  const isBare = step.level === undefined && step.within === undefined;
  const others = scope?.kind === 'list' ? scope.others.flatMap((k) => names.foundAt(k)?.found ?? []) : [];
  const excluded = scope?.kind === 'base' ? (scope.others ?? []).flatMap((k) => names.foundAt(k)?.found ?? []) : [];
  const city = step.level === 'county' ? await cityOfBoth(names, step, i, found) : null;
  if (city) return { problem: 'ambiguous', candidates: [city, found].map(({ boundary }) => candidateOf(boundary)) };
  if (isCapitalAbroad(name, found)) return { problem: 'elsewhere', candidates: [candidateOf(found.boundary)] };
  // "Ada and Lane County, Oregon": the one Ada is in Idaho.
  const end = scope?.kind === 'list' && scope.next ? names.foundAt(scope.next.i)?.found : undefined;
  if (isBare && end && kindOf(end) === kindOf(found) && isSmall(found))
    if (divisionOf(end) !== divisionOf(found))
      return { problem: 'not_found', candidates: [candidateOf(found.boundary)] };
  const isAmong = others.some(({ boundary }) => boundary.country === found.boundary.country);
  const isNear = others.some((one) => one.boundary.country === found.boundary.country && isSmall(one));
  if (isBare && !isNear && (scope === undefined || scope.kind === 'list') && !isNarrowed(run)) {
    const other = elsewhere(name, found, others.length > 0);
    if (other === 'likely') return { problem: 'elsewhere', candidates: [candidateOf(found.boundary)] };
    if (other === 'possible')
      run.choices.push(said`${run.quoteName(i)} is read as ${placed(found)}; other places of that name are not stored`);
  }
  if (isBare && (await isPartOfNames(run, i, name, found)))
    return { problem: 'elsewhere', candidates: [candidateOf(found.boundary)] };
  if (isBare && codesAroundIsland(foldName(name)).length > 0 && !isOwnName(foldName(name), found.name))
    run.choices.push(said`${run.quoteName(i)} is read as ${placed(found)}; other places of that name are not stored`);
  if (isBare && others.length === 0) await sayOtherCodes(run, name, found);
  const namesake = isBare ? await namesakeOf(run, name, meaning, others) : null;
  if (namesake && !isReadAs(name, found)) return { ...certain(namesake), guessed: [found] };
  if (namesake)
    return { problem: 'ambiguous', candidates: [namesake, found].map(({ boundary }) => candidateOf(boundary)) };
  const [first] = others;
  const areOneKind = first !== undefined && others.every((other) => kindOf(other) === kindOf(first));
  let rival: ResolvedBoundary | null = null;
  if (foreign.length > 0 && !isAmong && areOneKind && first.boundary.kind === 'country') rival = defined(foreign[0]);
  else if (areOneKind && first.boundary.kind !== 'country' && kindOf(first) !== kindOf(found) && !isAmong)
    rival =
      (await longerNamed(run.services, name, found, {
        country: first.boundary.country ?? '',
        level: first.admin_level,
      })) ?? (isBare ? await withSide(names, step, first) : null);
  else if (found.boundary.kind === 'country' && foldName(name) !== foldName(found.name) && scope?.kind !== 'base')
    rival = await longerNamed(run.services, name, found, 'country');
  // "Carolina" is a town, and the end of two states; Ávila is a province, whatever Ciego de Ávila is.
  else if (isBare && !isAmong && scope?.kind !== 'base' && scope?.kind !== 'inside' && isTown(found))
    rival = await divisionNamed(run.services, name, found);
  if (rival === null && isBare && areOneKind && !isAmong && scope?.kind === 'list' && scope.others.includes(i + 1))
    sayTown(run, i, found, first);
  const beside =
    rival === null
      ? ((await cityBeside(run, name, found, others)) ??
        (await homeOf(run, { step, i, scope }, found, [...others, ...excluded])) ??
        (isBare ? await longerBeside(run, name, found, others) : null) ??
        (isBare && scope === undefined && !isNarrowed(run) ? await longerTown(run, name, found) : null))
      : null;
  if (beside !== null)
    return { problem: 'ambiguous', candidates: [beside, found].map(({ boundary }) => candidateOf(boundary)) };
  if (rival === null && isBare) sayOtherName(run, i, name, meaning);
  if (rival === null) return meaning;
  return { problem: 'ambiguous', candidates: [found, rival].map(({ boundary }) => candidateOf(boundary)) };
}

/**
 * The place whose own name is that of a country in another language alone, where no countries are beside it: "San Bartolomé"
 * is Saint-Barthélemy in Spanish, and a town. Null without one.
 */
async function namesakeOf(
  run: PlanRun,
  name: string,
  { found, rivals }: Found,
  others: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  const folded = foldName(name);
  if (found.boundary.kind !== 'country' || name.length <= CODE || namesInUse(found.boundary).includes(folded))
    return null;
  if (others.some(({ boundary }) => boundary.kind === 'country')) return null;
  const own = rivals.find((one) => one.kind !== 'country' && isOwnName(folded, one.name));
  return own ? only(await run.reading.lookup([own.id])) : null;
}

/** Letters of a code at most. */
const CODE = 3;

/**
 * Whether the words of a name, with an article that the place has not, are a part of the names of other places: "La Palma" is
 * not Palma, but an island with Santa Cruz de la Palma. So is a word for a kind behind an article: "the Republic". "The Hudson"
 * is a river, and no county: no language writes an article before a town that has none.
 */
async function isPartOfNames(run: PlanRun, i: number, name: string, found: ResolvedBoundary): Promise<boolean> {
  const words = foldName(run.words(i)?.text ?? '');
  const folded = foldName(name);
  if (words === folded || !words.endsWith(` ${folded}`)) return false;
  if (!folded.includes(' ') && (isTypeWord(folded) || isKindWord(folded))) return true;
  if (!isTown(found)) return false;
  if (isArticle(words.slice(0, -folded.length - 1))) return citiesNamed(words).length === 0;
  return found.boundary.kind === 'municipality' && (await lookupsOf(run.services, null).begun(words, 1)).length > 0;
}

/** The independent city of a name and state where a city and county is asked for: Baltimore is one of each. Null without one. */
async function cityOfBoth(
  names: Names,
  step: Listed['step'],
  i: number,
  county: ResolvedBoundary,
): Promise<ResolvedBoundary | null> {
  if (!foldName(names.run.words(i)?.text ?? '').includes('city and county')) return null;
  const isCity = (one: ResolvedBoundary): boolean =>
    isIndependentCity(one.boundary) && divisionOf(one) === divisionOf(county);
  const meaning = await names.mean({ op: 'place', name: step.name, within: step.within }, isCity);
  return meaning && 'found' in meaning && isCity(meaning.found) ? meaning.found : null;
}

/**
 * The place of the kind of the others of a list, of whose part a name with a direction may be: South Georgia is an island, and
 * beside Florida a part of a state. Null without one.
 */
async function withSide(names: Names, step: Listed['step'], other: ResolvedBoundary): Promise<ResolvedBoundary | null> {
  const [side = '', ...rest] = (step.name ?? '').split(' ');
  if (!isSide(foldName(side)) || rest.length === 0) return null;
  const meaning = await names.mean({ op: 'place', name: rest.join(' ') }, (one) => kindOf(one) === kindOf(other));
  return meaning && 'found' in meaning && kindOf(meaning.found) === kindOf(other) ? meaning.found : null;
}

/** Letters of a name that is not an abbreviation, at least. */
const WRITTEN_OUT = 5;

/** Says what is read where a country or a town has another name: "Great Britain" is the United Kingdom, and "Ibiza" a town. */
function sayOtherName(run: PlanRun, i: number, name: string, { found, guessed }: Found): void {
  const folded = foldName(name);
  if (folded.replaceAll(' ', '').length < WRITTEN_OUT || guessed.length > 0) return;
  const isCountry = found.boundary.kind === 'country';
  if (!isCountry && !isTown(found)) return;
  if (namesInUse(found.boundary).includes(folded) || (isCountry && isReadAs(name, found))) return;
  run.choices.push(said`${run.quoteName(i)} is read as ${placed(found)}`);
}

/** Says what else the code of a country or a division is a code of: "LA" is Laos, and Louisiana. */
async function sayOtherCodes(run: PlanRun, name: string, found: ResolvedBoundary): Promise<void> {
  if (!/^[A-Z]{2}$/u.test(name)) return;
  const { country, divisions } = await codedBy(run.services, name, run.preferences);
  const others = [country, ...divisions].flatMap((one) => (one === null || one.id === found.id ? [] : [one.name]));
  if (others.length > 0) run.choices.push(said`${name}: read as ${found.name}; also codes of ${joined(others)}`);
}

/** Whether a name is that of a large city, and of a country only in a language that is not read: "Tunis", "Brasilia". */
function isCapitalAbroad(name: string, { boundary }: ResolvedBoundary): boolean {
  const folded = foldName(name);
  if (boundary.kind !== 'country' || boundary.country === null || !isCityName(folded)) return false;
  return !namesInUse(boundary).includes(folded) && !isReadAs(name, { boundary });
}

/** Whether a country has a name in a language that is read. */
const isReadAs = (name: string, { boundary: { country } }: Pick<ResolvedBoundary, 'boundary'>): boolean =>
  COUNTRIES.some((names) => foldName(names.of(country ?? '') ?? '') === foldName(name));

const COUNTRIES = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }));

/** Whether the caller says in which country, or near which point, places are. */
function isNarrowed({ preferences: { country, near } }: PlanRun): boolean {
  return (country ?? []).length > 0 || near !== undefined;
}

/** Says that a country in front of a comma and a division of another is not read as a town in it: "Norway, Michigan and Ohio". */
function sayTown(run: PlanRun, i: number, found: ResolvedBoundary, next: ResolvedBoundary): void {
  if (found.boundary.kind !== 'country' || next.boundary.kind === 'country') return;
  const [own, other] = [run.words(i), run.words(i + 1)];
  if (own === null || other === null || other.from - own.to > COMMA.length) return;
  run.choices.push(
    said`${run.quoteName(i)} is read as the country; for a place of that name, write "${own.text} in ${other.text}"`,
  );
}

/**
 * The city of a name in the country of the places that a country of that name is listed with: "Grenade, Malaga and
 * Almeria" are three cities of Spain.
 */
async function cityBeside(
  run: PlanRun,
  name: string,
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  const [country = null, ...more] = new Set(others.map(({ boundary }) => boundary.country));
  if (found.boundary.kind !== 'country' || country === null || country === found.boundary.country) return null;
  if (more.length > 0 || others.some(({ boundary }) => boundary.kind === 'country')) return null;
  const [city] = await cityBoundaries(lookupsOf(run.services, [country]), foldName(name), country);
  if (city === undefined) return null;
  const { name: own, parents } = city.boundary;
  // Beside provinces, the province of its name.
  const same = parents.find((one) => one.kind === others[0]?.boundary.kind && foldName(one.name) === foldName(own));
  return only(await run.reading.lookup([same?.id ?? city.row.id]));
}

/** The county of a large city of a name, unless what it is taken out of, or a level, says what is meant. */
const homeOf = async (
  run: PlanRun,
  { step, i, scope }: Listed,
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
) => (scope?.kind === 'level' ? null : homeElsewhere(run, { step, i, scope }, found, others));
