import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';
import { foldName } from './fold.ts';

const read = <T>(name: string): T => JSON.parse(readFileSync(join(packageRoot(), 'data', name), 'utf8')) as T;

interface Places {
  readonly names: ReadonlyMap<string, readonly string[]>;
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

let places: Places | undefined;

function load(): Places {
  if (places) return places;
  const table = read<Readonly<Record<'names' | 'codes', Readonly<Record<string, string>>>>>('place_names.json');
  const lists = (texts: Readonly<Record<string, string>>) =>
    new Map(Object.entries(texts).map(([code, list]) => [code, list.split(';').flatMap(withJoined)]));
  places = { names: lists(table.names), codes: lists(table.codes) };
  return places;
}

/** A name and, of an abbreviation with periods, what people write without them: "EE. UU.", "EEUU". Two letters are a code. */
const withJoined = (name: string): readonly string[] =>
  ABBREVIATION.test(name) ? [name, name.replace(/[.\s]/gu, '')] : [name];
const ABBREVIATION = /^(?:\p{L}{2,3}\.\s?){2,}$|^(?:\p{L}\.\s?){3,}$/u;

/**
 * Returns other names of a country or first-level division: former and short names, abbreviations, and its name in the
 * major languages (data/place_names.json, made by scripts/make_place_names.ts).
 * @param code ISO 3166-1 alpha-2 or ISO 3166-2
 */
export function otherNamesOf(code: string): readonly string[] {
  return load().names.get(code) ?? [];
}

/** Returns the ISO 3166 codes of that table with the names of each. */
export const codesWithNames = (): Iterable<readonly [string, readonly string[]]> => load().names;

/** Returns other codes of a country or first-level division, same table: FIPS 10-4 and, for Spain, NUTS 2021. */
export function otherCodesOf(code: string): readonly string[] {
  return load().codes.get(code) ?? [];
}

/** Returns the letters of the ISO 3166-2 code of a division of a country by one of its names, from the same table; null if none. */
export function codeOfDivision(country: string, name: string): string | null {
  for (const [code, names] of load().names)
    if (code.startsWith(`${country}-`) && names.includes(name)) return code.slice(country.length + 1);
  return null;
}

/** Whether a first-level division of a country has a name that ends with a folded word: Central Macedonia in Greece. */
export function hasDivisionEndingWith(country: string, folded: string): boolean {
  for (const [code, names] of load().names)
    if (code.startsWith(`${country}-`) && names.some((name) => foldName(name).endsWith(` ${folded}`))) return true;
  return false;
}

/** Whether a folded text of two letters is the code of a country or, without the country, of a first-level division. */
export function isPlaceCode(folded: string): boolean {
  return (
    /^[a-z]{2}$/.test(folded) && (load().names.has(folded.toUpperCase()) || countriesWithDivision(folded).length > 0)
  );
}

let homes: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the countries (ISO 3166-1 alpha-2) with a first-level division of this folded name or code, from the same
 * table. This identifies places in a query of which no boundary is stored.
 */
export function countriesWithDivision(folded: string): readonly string[] {
  if (!homes) {
    const found = new Map<string, string[]>();
    for (const [code, names] of load().names) {
      const country = code.slice(0, 2);
      if (country === code) continue;
      // "Patti, ME", "Annecy (74)": people also write the letters or the number of the division's code.
      const letters = /^[A-Z]{2}-([A-Z]{2,3}|\d\d|\d[AB])$/.exec(code)?.[1] ?? code;
      for (const name of [...names, letters].map(foldName)) {
        const known = found.get(name);
        if (!known) found.set(name, [country]);
        else if (!known.includes(country)) known.push(country);
      }
    }
    homes = found;
  }
  return homes.get(folded) ?? [];
}
