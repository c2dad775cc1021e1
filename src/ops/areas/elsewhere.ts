import type { Kind } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesAnywhere } from '../../domain/names/cities.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { foldName } from '../../domain/names/fold.ts';
import { isKnownPlace } from '../../domain/names/known_places.ts';
import { countriesWithDivision } from '../../domain/names/place_names.ts';

/** Population, in thousands, of a city of another country that may be meant, and how much larger than those of its own it is. */
const [LARGE_CITY, LARGER] = [100, 5];

/** Kinds of places that are known by their names alone in their own region only. */
const LOCAL: ReadonlySet<Kind> = new Set(['county', 'city', 'municipality']);

/**
 * Whether a name without a level or a container may mean a place that is not stored, rather than the county or
 * municipality of that name: "Ontario", a county of New York, is a province of Canada; "Iberia", a parish of Louisiana,
 * is known as another place; "Medellín", a village of Spain, is a large city of Colombia. `likely` without a city of the name in the country of the one that is stored, which is
 * `possible` otherwise; null if nothing else is known by the name.
 * @param isListed whether it is listed, and with no other county or municipality of the country: then any known place may be meant
 */
export function elsewhere(
  name: string,
  { boundary }: ResolvedBoundary,
  isListed: boolean,
): 'likely' | 'possible' | null {
  if (!LOCAL.has(boundary.kind)) return null;
  const folded = foldName(name);
  const isDivision = countriesWithDivision(folded).some((country) => country !== boundary.country);
  const cities = citiesNamed(folded).filter(({ country, codes }) => country === boundary.country && codes.length > 0);
  const isCity = cities.length > 0;
  const most = Math.max(LARGE_CITY, LARGER * (cities[0]?.people ?? 0));
  if (isCityFrom(folded, most, boundary.country)) return isCity ? 'possible' : 'likely';
  if (!isDivision && !isKnownPlace(folded)) return null;
  if (isCity && !isDivision) return null;
  if (isCity) return isListed ? 'likely' : 'possible';
  return isDivision || isListed ? 'likely' : 'possible';
}

/** Whether a city of another country has at least some thousands of people. */
const isCityFrom = (folded: string, least: number, own: string | null): boolean =>
  citiesAnywhere(folded).some(({ country, people }) => country !== own && people >= least);
