import type { Kind } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { foldName } from '../../domain/names/fold.ts';
import { isKnownPlace } from '../../domain/names/known_places.ts';
import { countriesWithDivision } from '../../domain/names/place_names.ts';

/** Kinds of places that are known by their names alone in their own region only. */
const LOCAL: ReadonlySet<Kind> = new Set(['county', 'city', 'municipality']);

/**
 * Whether a name without a level or a container may mean a place that is not stored, rather than the county or
 * municipality of that name: "Ontario", a county of New York, is a province of Canada; "Iberia", a parish of Louisiana,
 * is known as another place. `likely` without a city of the name in the country of the one that is stored, which is
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
  if (!isDivision && !isKnownPlace(folded)) return null;
  const isCity = citiesNamed(folded).some(({ country, codes }) => country === boundary.country && codes.length > 0);
  if (isCity && !isDivision) return null;
  if (isCity) return isListed ? 'likely' : 'possible';
  return isDivision || isListed ? 'likely' : 'possible';
}
