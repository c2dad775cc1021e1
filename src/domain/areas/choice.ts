import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { isExonym, isOwnName, KNOWN_PLACE } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { importance } from '../names/names.ts';
import { areNested, type Candidate, candidateOf, isIn, LISTED, type NamePreferences } from './names.ts';
import type { Sentence } from './wording/said.ts';

/** The boundary that a name means, with alternatives, or why there is none. */
export type Meaning =
  | {
      readonly found: ResolvedBoundary;
      readonly rivals: readonly Candidate[];
      readonly because: Sentence | null;
      /** The rivals that are of nearly the same importance, or that the place is only a part of: the choice is a guess. */
      readonly guessed: readonly ResolvedBoundary[];
      /** The countries that have the name only in another language. */
      readonly foreign: readonly ResolvedBoundary[];
      /** Whether the name is one typo away from that of the place. */
      readonly misspelled?: boolean;
    }
  | {
      readonly problem: 'not_found' | 'ambiguous' | 'elsewhere' | 'no_geometry' | 'no_container';
      readonly candidates: readonly Candidate[];
    };

/** Importance difference below which boundaries are of comparable rank: a factor of a hundred in population. */
const COMPARABLE = 2;

/** With `near`, the nearest candidate wins if the next one is more than this many times as far away. */
const NEARER = 3;

/** Estimates the importance of a boundary from its public fields. */
function weightOf({ boundary, area_km2, type }: ResolvedBoundary): number {
  return importance({
    type,
    kind: boundary.kind,
    place: null,
    adminLevel: boundary.admin_level,
    population: boundary.population,
    areaKm2: area_km2,
    countryCode: boundary.kind === 'country' ? boundary.country : null,
    city: null,
    wikidata: null,
  });
}

/** Those of a list that are of nearly the importance of the first, or larger, and neither contain it nor lie in it. */
export function rivalsOf([first, ...others]: readonly ResolvedBoundary[]): readonly ResolvedBoundary[] {
  if (!first) return [];
  const people = first.boundary.population;
  const weight = weightOf(first);
  return others.filter((other) => {
    if (areNested(first, other)) return false;
    const many = other.boundary.population;
    const larger = people !== null && many !== null && many >= people;
    return larger || weight - weightOf(other) < COMPARABLE;
  });
}

/** How much larger a boundary around a place of its name is where it is another area: not the one province of a region. */
const LARGER = 1.01;

/** Whether a boundary contains another, and more: the province of a city. */
export const isLarger = (one: ResolvedBoundary, part: ResolvedBoundary): boolean =>
  isIn(part, one) && (one.area_km2 ?? 0) > LARGER * (part.area_km2 ?? Number.POSITIVE_INFINITY);

/** A name that several boundaries have, of which none is meant more than the others. */
export const ambiguous = (list: readonly ResolvedBoundary[]): Meaning => ({
  problem: 'ambiguous',
  candidates: list.slice(0, LISTED).map(({ boundary }) => candidateOf(boundary)),
});

/**
 * The first of some boundaries. If that is a municipality, the province around it whose own name is the same: search puts
 * Madrid, a capital, first, and Sevilla behind its province. If it has the name only as another one, the largest place in it
 * whose own name it is: Oviedo, not the province that was called so.
 */
function widest(some: readonly ResolvedBoundary[], folded: string): ResolvedBoundary {
  const first = defined(some[0]);
  const isOwn = ({ name }: ResolvedBoundary): boolean => isOwnName(folded, name);
  const { kind } = first.boundary;
  if (kind === 'municipality' || kind === 'city')
    return some.find((one) => one.boundary.kind !== 'country' && isOwn(one) && isLarger(one, first)) ?? first;
  if (isOwn(first)) return first;
  const own = some.filter((one) => isOwn(one) && isIn(one, first));
  // The province of Murcia is all of the Región de Murcia.
  if (own.some((one) => !isLarger(first, one))) return first;
  return own.find((one) => !own.some((other) => isLarger(other, one))) ?? first;
}

/** Decides which of several boundaries with one name, in search order, is meant. */
export function decide(
  all: readonly ResolvedBoundary[],
  preferences: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
  { folded, leveled }: { readonly folded: string; readonly leveled: boolean },
): Meaning {
  const isForeign = ({ boundary: { kind, country, name } }: ResolvedBoundary): boolean =>
    kind === 'country' && isExonym(folded, country ?? '', name);
  const foreign = all.some((one) => weightOf(one) >= KNOWN_PLACE && isOwnName(folded, one.name))
    ? all.filter(isForeign)
    : [];
  const found = all.filter((one) => !foreign.includes(one));
  const meant = (one: ResolvedBoundary, because: Sentence | null): Meaning => ({
    found: one,
    rivals: all
      .filter(({ id }) => id !== one.id)
      .slice(0, LISTED)
      .map(({ boundary }) => candidateOf(boundary)),
    because,
    guessed: [
      ...foreign,
      ...rivalsOf([one, ...found.filter((other) => other !== one)]),
      ...found.filter((other) => isLarger(other, one)),
    ],
    foreign,
  });
  const inScope = scope === null ? [] : found.filter(scope);
  const some = inScope.length > 0 ? inScope : found;
  const first = widest(some, folded);
  const close = rivalsOf([first, ...some.filter((one) => one !== first)]);
  // With a level or a scope, a boundary's own name beats another name of it: "Washington". So does that of a country: French
  // Guiana is also called Guyana.
  const isCountry = first.boundary.kind === 'country' && foldName(first.name) === folded;
  if (close.length > 0 && (leveled || inScope.length > 0 || isCountry)) {
    const [own, ...more] = [first, ...close].filter((one) => one && foldName(one.name) === folded);
    if (own && more.length === 0) {
      return meant(own, 'others have it only as another name');
    }
  }
  if (close.length === 0) {
    const because =
      inScope.length > 0 && inScope.length < found.length
        ? 'it belongs to the area that is described'
        : all.length > 1
          ? rivalsOf(found).length === 0 || some.length > 1
            ? 'it is the most important of its name'
            : 'it belongs to the area that is described'
          : null;
    return meant(first, because);
  }
  const { near } = preferences;
  if (near) {
    const byDistance = [first, ...close].map((one) => ({ one, km: distance(one, near) })).sort((a, b) => a.km - b.km);
    const [nearest, next] = byDistance;
    if (nearest && next && nearest.km * NEARER < next.km) {
      return meant(nearest.one, 'it is the nearest to near');
    }
  }
  return ambiguous([first, ...close, ...some.filter((one) => one !== first && !close.includes(one))]);
}

/** Kilometers from a point to the centroid of a boundary, on a sphere. */
function distance(
  { boundary: { centroid } }: ResolvedBoundary,
  near: { readonly lat: number; readonly lon: number },
): number {
  if (centroid === null) return Number.POSITIVE_INFINITY;
  const radians = Math.PI / 180;
  const a =
    Math.sin(((centroid.lat - near.lat) * radians) / 2) ** 2 +
    Math.cos(centroid.lat * radians) *
      Math.cos(near.lat * radians) *
      Math.sin(((centroid.lon - near.lon) * radians) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}
