import type { Boundary } from '../boundaries/boundary.ts';
import { citiesInside, citiesNamed, type NamedCity } from '../names/city_names.ts';
import { compactCode } from '../names/names.ts';
import type { NameHit } from '../read_model/names.ts';
import type { Lookups } from './lookups.ts';

/** Cities of one name whose boundaries are looked up: the largest ones. */
const MOST_CITIES = 3;
/** Boundaries looked up for each code: codes of other countries can be the same. */
const CODE_ROWS = 50;
/** The step of search_names for a whole code. */
const CODE_STEP = 2;

/** A boundary found by the official code of a city, with the row that found it. */
export interface CityBoundary {
  readonly row: NameHit;
  readonly boundary: Boundary;
  /** People of the city, in thousands. */
  readonly people: number;
}

/** Whether a boundary is of the kind that a code of a city means: a county of the United States, or a municipality. */
const isHome = ({ kind, country, admin_level }: Boundary): boolean =>
  country === 'US' ? admin_level === 6 : kind === 'municipality' || kind === 'city';

/**
 * The boundaries of the cities that a folded text names (city_names.ts), in the filters of the search. At most three
 * cities, and five boundaries of one city.
 * @param country ISO 3166-1 alpha-2: of this country alone
 */
export function cityBoundaries(lookups: Lookups, folded: string, country?: string): Promise<CityBoundary[]> {
  return boundariesOf(
    lookups,
    citiesNamed(folded).filter((city) => country === undefined || city.country === country),
  );
}

/**
 * The counties and municipalities around the cities of a folded name that have another one: Cook County for "chicago".
 * @param most cities that are looked up at most, the largest ones
 */
export function boundariesAround(lookups: Lookups, folded: string, most = MOST_CITIES): Promise<CityBoundary[]> {
  return boundariesOf(lookups, citiesInside(folded), most);
}

/** The boundaries that have the codes of some cities, of at most `most` of them. */
export async function boundariesOf(
  lookups: Lookups,
  cities: readonly NamedCity[],
  most = MOST_CITIES,
): Promise<CityBoundary[]> {
  const found: CityBoundary[] = [];
  for (const city of cities.filter(({ codes }) => codes.length > 0).slice(0, most)) {
    for (const code of city.codes) {
      const key = compactCode(code);
      const wanted = { name: key, code: key, id: null, completesCodes: false, within: null, most: CODE_ROWS };
      const rows = (await lookups.names(wanted)).filter(
        ({ step, type }) => step === CODE_STEP && type === 'administrative',
      );
      if (rows.length === 0) continue;
      const read = new Map((await lookups.boundaries(rows.map(({ id }) => id))).map((one) => [one.id, one]));
      for (const row of rows) {
        const boundary = read.get(row.id);
        if (boundary?.country === city.country && isHome(boundary)) found.push({ row, boundary, people: city.people });
      }
    }
  }
  return found;
}
