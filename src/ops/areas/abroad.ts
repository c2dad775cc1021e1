import type { Step } from '../../domain/areas/algebra.ts';
import { ambiguous, type Meaning, rivalsOf } from '../../domain/areas/choice.ts';
import { candidateOf, LISTED } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesOf } from '../../domain/names/cities.ts';
import { foldName } from '../../domain/names/fold.ts';
import { kindOf } from './found.ts';
import type { Names } from './in_context.ts';
import { candidatesAt, isAbroad, isNameAlone } from './in_list.ts';
import type { Scope } from './scopes.ts';

/** Population, in thousands, of a city that is not stored and may be meant. */
const LARGE_CITY = 100;

/**
 * Both meanings of a name alone whose place is in another country than all others of its list, where theirs has one of the
 * name: Niger beside Kaduna may be a state of Nigeria. It has to be of the kind of another, or of comparable rank to a place
 * that is not a country, which a large city of theirs may be, too: that makes the name unknown if it is not stored. Null if theirs
 * has none.
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
