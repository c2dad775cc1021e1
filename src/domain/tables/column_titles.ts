import { LRUCache } from 'lru-cache';
import { foldName } from '../names/fold.ts';
import {
  CODES,
  IDS,
  KINDS_OF_PLACES,
  NAMES,
  OF_ANY_SORT,
  OF_ANYTHING,
  OF_FIRMS,
  OF_OFFICES,
  OF_OFFICIAL_CODES,
  OF_OTHERS,
  OF_PERSONS,
  OF_TEAMS,
} from './column_words.ts';

/** The level of countries. */
const COUNTRY_LEVEL = 2;

/** The rank of columns of states; those of countries follow. */
export const STATES = KINDS_OF_PLACES.findIndex(({ words }) => words.has('state'));

/** Words for codes that German words end with: "Kreisschlüssel", "Gemeindekennziffer". */
const CODES_AT_END = /(?:schlussel|schluessel|kennziffer|kennzahl|kennung)$/;

/** What programs write before and after a word for a place, without a blank: "codprov", "NOMMUN", "STATEFP", "countyname". */
const CODE_BEFORE = /^(?:codigo|code|cod|cd|kod|id|c)(?=[a-z]{3})/;
const CODE_AFTER = /(?<=^[a-z]{3,})(?:codigo|code|cod|cd|fp|id|nr|num|no|key)$/;
const NAME_BEFORE = /^(?:nombre|name|nom|nm|n)(?=[a-z]{3})/;
const NAME_AFTER = /(?<=^[a-z]{3,})(?:nombre|name|nam|nm)$/;
/** Short words for places that are only known behind such a part. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['mun', 'municipio'],
  ['com', 'commune'],
  ['pro', 'prov'],
  ['reg', 'region'],
  ['auto', 'ccaa'],
]);

/** The parts of a word that is written together: of a place and of its code or name. Empty if it has none. */
function partsOfWord(word: string): string[] {
  const [german] = CODES_AT_END.exec(word) ?? [];
  if (german !== undefined) return german === word ? [] : ['code', word.slice(0, -german.length)];
  if (OF_PLACES.has(word)) return [];
  for (const [part, form] of [
    ['code', CODE_BEFORE],
    ['name', NAME_BEFORE],
  ] as const) {
    const rest = word.replace(form, '');
    const place = SHORT.get(rest) ?? rest;
    if (rest !== word && OF_PLACES.has(place)) return [part, place];
  }
  for (const [part, form] of [
    ['code', CODE_AFTER],
    ['name', NAME_AFTER],
  ] as const) {
    const place = word.replace(form, '');
    if (place !== word && OF_PLACES.has(place)) return [part, place];
  }
  return [];
}

/** All words for places of a sort. */
const OF_PLACES: ReadonlySet<string> = new Set(KINDS_OF_PLACES.flatMap(({ words }) => [...words]));

/** Characters of the name of a column that are looked at. */
const MOST_CHARACTERS = 200;
/** The words of names that were asked for last: each is asked for its words many times while the columns are looked for. */
const WORDS = new LRUCache<string, readonly string[]>({ max: 4_000 });

/**
 * The words of the name of a column, folded, those in the plural also as one: "counties" is "county" as well; of a German
 * word for a code, both parts; and of British spellings, the American ones.
 */
export function wordsOf(name: string): readonly string[] {
  const shown = name.slice(0, MOST_CHARACTERS);
  const known = WORDS.get(shown);
  if (known !== undefined) return known;
  const folded = foldName(shown.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/['’]/g, ' '));
  const words = [...folded.split(' '), folded.replaceAll(' ', '')].flatMap((word) => {
    const singles = [word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')];
    return [word, ...partsOfWord(word), ...singles, word.replace(/our$/, 'or')];
  });
  WORDS.set(shown, words);
  return words;
}

/** Names of columns that programs give, which say nothing: "Unnamed: 0", "col1", "Field3", "Spalte 2". */
const GIVEN =
  /^(?:(?:unnamed|col|column|columna|colonne|colonna|coluna|field|feld|campo|champ|spalte|var|f|v|x) ?\d{0,4})?$/;

/**
 * Whether the name of a column says that it has something else than places: people, things, or teams, which are those of
 * countries at most.
 */
export function saysOther(name: string, adminLevel: number | null = null): boolean {
  const isOfPlace = wordsOf(name).some((word) => OF_PLACES.has(word) || (NAMES.has(word) && !OF_ANYTHING.has(word)));
  if (isOfPlace) return false;
  if (has(name, OF_TEAMS)) return adminLevel !== COUNTRY_LEVEL;
  return [OF_OTHERS, OF_OFFICES, OF_PERSONS].some((some) => has(name, some));
}

/** Whether the name of a column says nothing of what it has. */
export const saysNothingOfCells = (name: string): boolean => GIVEN.test(foldName(name));

/** Whether the name of a column has one of some words. */
export const has = (name: string, some: ReadonlySet<string>): boolean => wordsOf(name).some((word) => some.has(word));

/** Whether the name of a column is a word for states that is one for places of any sort as well. */
export const saysAnySort = (name: string): boolean => has(name, OF_ANY_SORT);

/** How far out the place is that a column is for; -1 if its name has no word for a kind. */
export function rankOf(name: string): number {
  if (has(name, OF_OFFICES)) return -1;
  // "st_road" is of a street.
  return foldName(name) === 'st' ? STATES : KINDS_OF_PLACES.findIndex(({ words }) => has(name, words));
}

/**
 * Whether the name of a column says whose codes it has: of a place ("county_code") or of an office ("FIPS"); "code" does not.
 * @param isLong whether the codes have more than three digits: firms number their regions from 1 on
 */
export const saysWhoseCodes = (name: string, isLong = true): boolean =>
  has(name, OF_OFFICIAL_CODES) || (rankOf(name) >= 0 && (isLong || !has(name, OF_FIRMS)));

/** Whether the name of a column says that it has codes or ids. */
export const isCodeColumn = (name: string): boolean => has(name, CODES) || has(name, IDS);
