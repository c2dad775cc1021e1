import type { Step } from '../../domain/areas/algebra.ts';
import { ambiguous, type Meaning, rivalsOf } from '../../domain/areas/choice.ts';
import { candidateOf, LISTED } from '../../domain/areas/names.ts';
import { firstOf, said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesOf, largestCity } from '../../domain/names/cities.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { isOwnName, namesInUse } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { type Found, kindOf, placed, placedAs } from './found.ts';
import type { Names } from './in_context.ts';
import { candidatesAt, isAbroad, isNameAlone } from './in_list.ts';
import type { Scope } from './scopes.ts';

/** Population, in thousands, of a city that is not stored and may be meant. */
const LARGE_CITY = 100;

/**
 * Both meanings of a name alone whose place is in another country than all others of its list, where theirs has one of the
 * name: Niger beside Kaduna may be a state of Nigeria. It has to be of the kind of another, or of comparable rank to a place
 * that is not a country. A large city of their country has that rank; if it is not stored, the name is not found. Null if
 * theirs has none.
 */
export async function orInTheirCountry(
  names: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
  own: ResolvedBoundary,
): Promise<Meaning | null> {
  if (scope?.kind !== 'list' || !isNameAlone(step) || step.op !== 'place') return null;
  const others = scope.others.flatMap((k) => names.foundAt(k)?.found ?? []);
  const [country, ...more] = new Set(others.map(({ boundary }) => boundary.country));
  if (country == null || more.length > 0 || !others.every((one) => isAbroad(one, own))) return null;
  const there = (await candidatesAt(names, i)).filter(
    (one) => one.boundary.country === country && one.has_geometry && !others.some(({ id }) => id === one.id),
  );
  const kinds = new Set(others.map(kindOf));
  const alike = there.filter((one) => kinds.has(kindOf(one)));
  const isCountry = own.boundary.kind === 'country';
  const [first, ...rest] = alike.length > 0 || isCountry ? alike : rivalsOf([own, ...there]);
  if (first) return ambiguous([first, own, ...rest].slice(0, LISTED));
  if (isCountry) return null;
  const [city] = citiesOf(country, foldName(step.name ?? ''));
  if (!city || city.people < LARGE_CITY) return null;
  return there[0] ? ambiguous([there[0], own]) : { problem: 'elsewhere', candidates: [candidateOf(own.boundary)] };
}

/** People on a km2 of the densest cities. */
const DENSEST = 100_000;

/**
 * Says that a large city of another country has a name alone, too: "Bari" is a region of Somalia, and a city of Italy. Null, or
 * what is meant instead: no place that has the name as another one, but is too small for the city of that name around it.
 */
export async function cityAbroad(
  { run }: Names,
  step: Step,
  scope: Scope | undefined,
  i: number,
  { found, guessed, rivals }: Found,
): Promise<Meaning | null> {
  if (scope !== undefined || !isNameAlone(step) || step.op !== 'place') return null;
  const folded = foldName(step.name ?? '');
  const { kind, country } = found.boundary;
  const isOwn = isOwnName(folded, found.name);
  const [own] = country === null ? [] : citiesOf(country, folded);
  if (!isOwn && own && own.people * 1_000 > DENSEST * (found.area_km2 ?? Number.POSITIVE_INFINITY))
    return { problem: 'elsewhere', candidates: [candidateOf(found.boundary)] };
  const [named] = citiesNamed(folded).filter(({ people }) => people >= LARGE_CITY);
  const city = largestCity(folded) ?? named;
  if (!city || city.country === country || guessed.length > 0) return null;
  // Of a code it is said what else it is a code of.
  if (/^\p{Lu}{2,3}$/u.test(step.name ?? '')) return null;
  if (kind === 'country' && namesInUse(found.boundary).includes(folded)) return null;
  const others = rivals.filter(({ parents }) => !parents.some(({ id }) => id === found.id));
  run.choices.push(
    others.length > 0
      ? said`${run.quoteName(i)} is read as ${placed(found)}; also so called: ${firstOf(others.map(placedAs), 3)}`
      : said`${run.quoteName(i)} is read as ${placed(found)}; other places of that name are not stored`,
  );
  return null;
}
