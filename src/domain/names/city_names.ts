import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { isCityName } from './cities.ts';

/** The boundaries that a city is called by, by their official codes. */
export interface NamedCity {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Codes of its municipality or, in the United States, of its county; of five counties for New York City; or none. */
  readonly codes: readonly string[];
  /** Population in thousands. */
  readonly people: number;
}

let cities: ReadonlyMap<string, readonly NamedCity[]> | undefined;

/** Reads data/city_names.json, made by scripts/make_city_names.ts. */
function load(): ReadonlyMap<string, readonly NamedCity[]> {
  if (cities) return cities;
  const table = JSON.parse(readFileSync(join(packageRoot(), 'data', 'city_names.json'), 'utf8')) as {
    readonly cities: Readonly<Record<string, readonly string[]>>;
  };
  const found = new Map<string, NamedCity[]>();
  for (const [country, rows] of Object.entries(table.cities)) {
    for (const row of rows) {
      const [codes = '', people, ...names] = row.split(';');
      const city = { country, codes: codes === '' ? [] : codes.split('+'), people: Number(people) };
      for (const name of names) {
        const others = found.get(name);
        if (others) others.push(city);
        else found.set(name, [city]);
      }
    }
  }
  for (const list of found.values()) list.sort((a, b) => b.people - a.people);
  cities = found;
  return found;
}

/**
 * The cities that a folded text names, in any language or colloquially, the largest first: "florence" is 048017 in Italy,
 * "brooklyn" the county 36047 in the United States. Source: GeoNames.
 */
export function citiesNamed(folded: string): readonly NamedCity[] {
  return load().get(folded) ?? [];
}

/** Population, in thousands, from which another name of a city means it and no place that begins so. */
const LARGE = 100;

/** Whether a folded text names a city of at least 100,000 people, also by a name in another language. */
export function namesLargeCity(folded: string): boolean {
  return isCityName(folded) || (folded.length > 3 && citiesNamed(folded).some(({ people }) => people >= LARGE));
}
