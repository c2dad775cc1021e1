import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { isCityName } from './cities.ts';
import { SHORTEST_SOUND, soundOf } from './sounds.ts';

/** The boundaries that a city is called by, by their official codes. */
export interface NamedCity {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Codes of its municipality or, in the United States, of its county; of five counties for New York City; or none. */
  readonly codes: readonly string[];
  /** Population in thousands. */
  readonly people: number;
  /** Whether the name is a word, and means the city only before the place around it: "madison". */
  readonly isWord?: true;
}

type Cities = ReadonlyMap<string, readonly NamedCity[]>;

let tables: { readonly cities: Cities; readonly inside: Cities } | undefined;

/** Reads data/city_names.json, made by scripts/make_city_names.ts. */
function load(): NonNullable<typeof tables> {
  if (tables) return tables;
  const read = JSON.parse(readFileSync(join(packageRoot(), 'data', 'city_names.json'), 'utf8')) as Readonly<
    Record<'cities' | 'inside', Readonly<Record<string, readonly string[]>>>
  >;
  tables = { cities: byName(read.cities), inside: byName(read.inside) };
  return tables;
}

/** In front of a name that means the city only before the place around it. */
const PLACED = '@';

/** The cities of a table by each of their names, the largest first. */
function byName(table: Readonly<Record<string, readonly string[]>>): Cities {
  const found = new Map<string, NamedCity[]>();
  for (const [country, rows] of Object.entries(table)) {
    for (const row of rows) {
      const [codes = '', people, ...names] = row.split(';');
      const city = { country, codes: codes === '' ? [] : codes.split('+'), people: Number(people) };
      for (const text of names) {
        const isWord = text.startsWith(PLACED);
        const name = isWord ? text.slice(PLACED.length) : text;
        const others = found.get(name);
        const named: NamedCity = isWord ? { ...city, isWord } : city;
        if (others) others.push(named);
        else found.set(name, [named]);
      }
    }
  }
  for (const list of found.values()) list.sort((a, b) => b.people - a.people);
  return found;
}

/**
 * The cities that a folded text names, in any language or colloquially, the largest first: "florence" is 048017 in Italy,
 * "brooklyn" the county 36047 in the United States. Source: GeoNames.
 */
export function citiesNamed(folded: string): readonly NamedCity[] {
  return load().cities.get(folded) ?? [];
}

/**
 * The cities of a folded name that are only a part of the county or municipality of another name that they are in, the
 * largest first: "chicago" is in 17031, "mestre" in 027042.
 */
export function citiesInside(folded: string): readonly NamedCity[] {
  return load().inside.get(folded) ?? [];
}

/** Population, in thousands, from which another name of a city means it and no place that begins so. */
const LARGE = 100;

/** Whether a folded text names a city of at least 100,000 people, also by a name in another language. */
export function namesLargeCity(folded: string): boolean {
  return isCityName(folded) || (folded.length > 3 && citiesNamed(folded).some(({ people }) => people >= LARGE));
}

/** Population, in thousands, of a city that is meant by its name with a typo. */
const MISTYPED = 60;
/** Letters of a name that is still known with a typo. */
const SHORTEST = 6;

let mistyped: ReadonlyMap<string, readonly string[]> | undefined;

const groupKey = (first: string, length: number): string => `${first}${length}`;

/** The names of cities of so many people in Latin letters, by their first letter and their length. */
function byLength(): ReadonlyMap<string, readonly string[]> {
  if (mistyped) return mistyped;
  const found = new Map<string, string[]>();
  const { cities, inside } = load();
  for (const [name, [city]] of [...cities, ...inside]) {
    const isKnown = city !== undefined && city.people >= MISTYPED && !city.isWord && city.codes.length > 0;
    if (!isKnown || name.length < SHORTEST || !/^[a-z ]+$/.test(name)) continue;
    const key = groupKey(name.charAt(0), name.length);
    found.set(key, [...(found.get(key) ?? []), name]);
  }
  mistyped = found;
  return found;
}

/** The names of large cities that begin like a folded text of six letters or more and are at most one letter longer or shorter. */
export function largeCitiesLike(folded: string): string[] {
  if (folded.length < SHORTEST) return [];
  return [-1, 0, 1].flatMap((more) => byLength().get(groupKey(folded.charAt(0), folded.length + more)) ?? []);
}

/** Population, in thousands, from which a town is also meant where a smaller place has its name. */
const TOWN = 20;

/** Whether a folded text names a town of at least 20,000 people of which the boundary has another name. */
export const namesTown = (folded: string): boolean => citiesNamed(folded).some(({ people }) => people >= TOWN);

/** Names of cities by their sounds; null where cities of several codes sound so. */
let sounds: ReadonlyMap<string, string | null> | undefined;

/**
 * The name of the only city that a folded text of six letters or more sounds like, among those with a code: "filadelfia" is
 * "philadelphia". Null if there is none.
 */
export function cityOfSound(folded: string): string | null {
  if (folded.length < SHORTEST_SOUND) return null;
  if (sounds === undefined) {
    const found = new Map<string, string | null>();
    for (const [name, [city]] of load().cities) {
      if (name.length < SHORTEST_SOUND || city === undefined || city.codes.length === 0) continue;
      const sound = soundOf(name);
      const other = found.get(sound);
      const isSame = other == null ? other === undefined : citiesNamed(other)[0]?.codes.join() === city.codes.join();
      found.set(sound, isSame ? name : null);
    }
    sounds = found;
  }
  return sounds.get(soundOf(folded)) ?? null;
}

type Named = readonly [name: string, city: NamedCity];
let american: ReadonlyMap<string, readonly Named[]> | undefined;

/** The names that begin with a folded letter of cities of the United States of 100,000 people or more, with each such city. */
export const largeAmericanCities = (letter: string): readonly Named[] =>
  americanCities(letter).filter(([, { people }]) => people >= LARGE);

/** The names that begin with a folded letter of cities of the United States in counties of known codes, with each such city. */
export function americanCities(letter: string): readonly Named[] {
  if (american === undefined) {
    const { cities, inside } = load();
    const found = new Map<string, Named[]>();
    for (const [name, list] of [...cities, ...inside]) {
      const coded = list.filter((city) => city.country === 'US' && city.codes.length > 0);
      const named = found.get(name.charAt(0)) ?? [];
      found.set(name.charAt(0), named);
      named.push(...coded.map((city): Named => [name, city]));
    }
    american = found;
  }
  return american.get(letter) ?? [];
}
