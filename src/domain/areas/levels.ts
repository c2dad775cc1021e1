import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { isIndependentCity } from '../names/type_kinds.ts';
import type { Level, LevelWord } from './algebra.ts';

/** The fields of a boundary that determine its level. */
export interface Leveled {
  readonly admin_level: number | null;
  readonly kind: Kind;
  readonly country: string | null;
  readonly name?: string;
}

/**
 * The admin_level of each level word in a country, from its own administration. A word without entry has no meaning
 * there, so "the cantons of Spain" is an error. Countries that are not listed use KINDS.
 */
const COUNTRIES: Readonly<Record<string, Partial<Record<LevelWord, number>>>> = {
  US: { state: 4, county: 6 },
  ES: { community: 4, region: 4, province: 6, municipality: 8 },
  FR: { region: 4, department: 6, municipality: 8 },
  LU: { canton: 6, municipality: 8 },
  LI: { district: 6, municipality: 8 },
  MT: { municipality: 8 },
  DE: { state: 4, district: 6, county: 6, municipality: 8 },
  AT: { state: 4, district: 6, municipality: 8 },
  CH: { canton: 4, district: 6, municipality: 8 },
  IT: { region: 4, province: 6, municipality: 8 },
  BE: { region: 4, province: 6, municipality: 8 },
  PT: { district: 6, municipality: 7 },
  NL: { province: 4, municipality: 8 },
  JP: { region: 4, province: 4, municipality: 7 },
  PL: { region: 4, province: 4, county: 6, municipality: 7 },
  UA: { region: 4, province: 4, district: 6, municipality: 7 },
};

/** Words for a level that some countries alone have, folded, with their ISO 3166-1 codes (CLDR, ISO 3166-2). */
const LOCAL_WORDS: Readonly<Record<string, readonly string[]>> = {
  oblast: ['RU', 'UA', 'BY', 'BG', 'KZ', 'KG'],
  voivodeship: ['PL'],
  prefecture: ['JP', 'GR', 'CN', 'MA', 'CF', 'GN', 'TG', 'AL'],
  ken: ['JP'],
};
const LOCAL_WORD = /(?<!\p{L})(oblast|voivodeship|prefecture|ken)s?(?!\p{L})/u;

/**
 * Returns the word for a level of a text that a country does not have, though the level itself may exist there: "oblast"
 * in "oblasts of Spain". Null for words in general use.
 */
export function foreignLevelWord(text: string, country: string | null): string | null {
  const [, word] = LOCAL_WORD.exec(foldName(text)) ?? [];
  return word === undefined || country === null || LOCAL_WORDS[word]?.includes(country) ? null : word;
}

/** German words for the states of these countries alone. */
const GERMAN_STATES = /(?<!\p{L})bundesland(?:e?s|er|ern)?(?!\p{L})/u;

/** The countries, by ISO 3166-1 codes, whose boundaries alone a word for a level in a text means; null for words in general use. */
export function countriesOfWord(text: string): readonly string[] | null {
  const folded = foldName(text);
  const [, word = ''] = LOCAL_WORD.exec(folded) ?? [];
  return LOCAL_WORDS[word] ?? (GERMAN_STATES.test(folded) ? ['AT', 'DE'] : null);
}

/** The kinds that a level word means in countries without a table. */
const KINDS: Readonly<Record<LevelWord, readonly Kind[]>> = {
  country: ['country'],
  state: ['state'],
  community: [],
  region: ['region'],
  province: ['province'],
  county: ['county'],
  department: [],
  canton: [],
  district: ['district'],
  municipality: ['municipality', 'city'],
  borough: ['borough'],
};

/** A condominium belongs to two countries, so it is a district of neither, whatever its admin_level. */
const SHARED = /\b[ck]ondomini(?:um|o)\b/i;

/** Whether a boundary is a condominium by its name; such a boundary matches no level word. */
export function isCondominium({ name }: Leveled): boolean {
  return name !== undefined && SHARED.test(name);
}

/** Whether a boundary has the level of states without being one: the District of Columbia. */
export const isFederalDistrict = ({ iso }: { readonly iso: string | null }): boolean => iso === 'US-DC';

/** Whether a boundary is of a level. */
export function isOfLevel(one: Leveled, level: Level): boolean {
  const { admin_level, kind, country } = one;
  if (typeof level === 'number') return admin_level === level;
  if (isCondominium(one)) return false;
  if (level === 'country') return admin_level === 2 && kind === 'country';
  const table = COUNTRIES[country ?? ''];
  // An independent city is a city and, as statistics count it, one of the counties.
  if (level === 'municipality' && isIndependentCity(one)) return true;
  if (table) return admin_level !== null && table[level] === admin_level;
  return KINDS[level].includes(kind);
}

/** German words that mean countries, and the states of a federation. */
const STATES = /staaten(?!\p{L})/u;

/**
 * The level that a text asks for beside or in some boundaries: "Staaten" are countries beside countries, and states in a
 * country that has them or beside one of these.
 */
export function levelMeant(level: Level, text: string, members: readonly Leveled[], where: 'in' | 'beside'): Level {
  if (level !== 'country' || members.length === 0 || !STATES.test(foldName(text))) return level;
  const asksStates = (one: Leveled): boolean =>
    where === 'in'
      ? isOfLevel(one, 'country') && knowsLevel(one.country, 'state')
      : !isOfLevel(one, 'country') && isOfLevel(one, 'state');
  return members.every(asksStates) ? 'state' : level;
}

/** Whether a level is a number, "country", or a word in the country's table. */
export function knowsLevel(country: string | null, level: Level): boolean {
  return typeof level === 'number' || level === 'country' || COUNTRIES[country ?? '']?.[level] !== undefined;
}

/** Whether a place is in a country whose table has a level, and is above that level. */
export function isAboveLevel({ country, admin_level }: Leveled, level: Level): boolean {
  const lower = typeof level === 'number' ? level : COUNTRIES[country ?? '']?.[level];
  return lower !== undefined && admin_level !== null && admin_level < lower;
}

/** The countries, by ISO 3166-1 codes, in which a word for a level has a meaning of its own: those of the table. */
export const countriesOfLevel = (level: LevelWord): readonly string[] =>
  Object.keys(COUNTRIES).filter((country) => COUNTRIES[country]?.[level] !== undefined);

/** Returns the SQL parameters to select boundaries of a level: $countries, $levels, $decided, $kinds, $admin_level. */
export function levelValues(
  level: Level | null,
): readonly [string[], number[], string[], readonly string[], number | null] {
  if (typeof level === 'number') return [[], [], [], [], level];
  if (level === 'country') return [[], [], [], [], 2];
  if (level === null) return [[], [], [], [], null];
  const rows = Object.entries(COUNTRIES).flatMap(([country, table]) => {
    const found = table[level];
    return found === undefined ? [] : [[country, found] as const];
  });
  return [rows.map(([country]) => country), rows.map(([, found]) => found), Object.keys(COUNTRIES), KINDS[level], null];
}
