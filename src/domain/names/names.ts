import { defined } from '../../common/elements.ts';
import type { City } from './cities.ts';
import { foldName, stripTypeWords } from './fold.ts';
import { otherCodesOf, otherNamesOf } from './place_names.ts';

/** The fields of a boundary that its rows in the name index are made from. */
export interface NamedBoundary {
  readonly type: 'administrative' | 'postal_code';
  readonly name: string;
  /** Names by language code. */
  readonly names: Readonly<Record<string, string>>;
  /** Other kinds of names (alt_name, short_name, …). One text may hold several, separated by `;`. */
  readonly otherNames: readonly { readonly type: string; readonly text: string }[];
  /** Postcodes and other codes as written. One text may hold several, separated by `;`. */
  readonly codes: readonly string[];
  /** ISO 3166-1 or 3166-2. */
  readonly iso: string | null;
  /** The boundary's own ISO 3166-1 alpha-2 code, if it is a country or a territory. */
  readonly countryCode: string | null;
  readonly wikidata: string | null;
  readonly kind: string;
  /** `place` tag of the linked label or admin_centre node. */
  readonly place: string | null;
  readonly adminLevel: number | null;
  readonly population: number | null;
  readonly areaKm2: number | null;
  /** The city that the boundary represents, if any (cities.ts). */
  readonly city?: City | null;
}

/** A row of table boundary_name, without its boundary_id. */
export interface NameRow {
  readonly type: string;
  readonly lang: string | null;
  readonly folded: string;
  readonly ascii: string | null;
  readonly weight: number;
}

/** Longest indexed name; longer ones are cut, so a row always fits its index. A query has at most 200 characters. */
const MAX_LENGTH = 200;
/** Number of words of a name from which it can be found: the first one and the seven after it. */
const MAX_WORDS = 8;

/**
 * Returns the rows of boundary_name for a boundary, without duplicates and in no guaranteed order. Each folded text
 * appears once, under the first of these sources: name, names by language, other names in the order given, aliases of
 * its ISO code, name without type word ("stripped"), later words ("word"). Each code appears once, without blanks and
 * punctuation (`US-CA` is `usca`).
 */
export function nameRows(boundary: NamedBoundary): NameRow[] {
  const weight = importance(boundary);
  const rows = new Map<string, NameRow>();
  const add = (type: string, lang: string | null, folded: string): void => {
    const text = cut(folded);
    if (text === '' || rows.has(text)) return;
    rows.set(text, { type, lang, folded: text, ascii: type === 'word' ? null : toAscii(text), weight });
  };
  const named: [type: string, lang: string | null, folded: string][] = [['name', null, foldName(boundary.name)]];
  for (const [lang, text] of Object.entries(boundary.names)) named.push(['name', lang, foldName(text)]);
  for (const other of boundary.otherNames) {
    for (const text of other.text.split(';')) named.push([other.type, null, foldName(text)]);
  }
  // Aliases go by code, so a boundary that shares a country's code, such as its land area alone, gets the same names.
  for (const code of new Set([boundary.countryCode, boundary.iso])) {
    if (code) for (const text of otherNamesOf(code)) named.push(['alias', null, foldName(text)]);
  }
  // A division's name without its type word must stay of type "stripped", even if an alias list has it as a full name:
  // "Canton Mersch" does not count as "Mersch". "セビリア県" must also be found as "セビリア". A country's official name without
  // its type word is not the country's name, so aliases come first there.
  const isDivision = boundary.iso !== null && boundary.countryCode === null;
  const own = named.filter(([type]) => type !== 'alias');
  const aliases = named.filter(([type]) => type === 'alias');
  const strip = (list: typeof named): void => {
    for (const [type, lang, folded] of list) {
      if (type !== 'old_name') for (const rest of stripTypeWords(folded)) add('stripped', lang, rest);
    }
  };
  for (const [type, lang, folded] of own) add(type, lang, folded);
  if (isDivision) strip(own);
  for (const [type, lang, folded] of aliases) add(type, lang, folded);
  strip(isDivision ? aliases : own);
  for (const { type, lang, folded } of [...rows.values()]) {
    if (type === 'alias') continue;
    for (const rest of laterWords(folded)) add('word', lang, rest);
  }
  const codes = new Map<string, NameRow>();
  const addCode = (type: string, code: string): void => {
    const compact = cut(compactCode(code));
    if (compact !== '' && !codes.has(compact)) {
      codes.set(compact, { type, lang: null, folded: compact, ascii: null, weight });
    }
  };
  for (const text of boundary.codes) for (const code of text.split(';')) addCode('code', code);
  for (const code of [boundary.iso, boundary.countryCode]) {
    if (code) for (const one of [code, ...otherCodesOf(code)]) addCode('code', one);
  }
  // "NM" of US-NM, which people write behind a name. Digits alone would mean nothing.
  const division = /^[A-Z]{2}-([A-Z]{2,3})$/.exec(boundary.iso ?? '')?.[1];
  if (division) addCode('code', division);
  if (boundary.wikidata) addCode('wikidata', boundary.wikidata);
  return [...rows.values(), ...codes.values()];
}

/** Returns the form in which codes are compared: folded, without blanks and punctuation. */
export function compactCode(text: string): string {
  return foldName(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

/**
 * Whether a text is written as the code of a division of one letter or digit: "ES-P" (ISO 3166-2). Its letters alone may be
 * a country's code ("ESP"), which is never written so.
 */
export const isShortDivisionCode = (text: string): boolean =>
  /^\s*[a-z]{2}\s*[-_\u2010\u2011 ]\s*[a-z0-9]\s*$/iu.test(text);

function cut(folded: string): string {
  return folded.length <= MAX_LENGTH ? folded : [...folded].slice(0, MAX_LENGTH).join('').trimEnd();
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns a folded name from its second word on, from its third word on, and so on. */
function laterWords(folded: string): string[] {
  const starts = [...folded.matchAll(WORD)].map((match) => match.index);
  return starts.slice(1, MAX_WORDS).map((start) => folded.slice(start));
}

/** Texts that toAscii() returns unchanged. */
const PLAIN = /^[a-z0-9 ]*$/;
const SYMBOLS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** First code point (CJK radicals) from which scripts have thousands of letters. */
const LARGE_SCRIPTS = 0x2e80;

/**
 * Returns a folded text in the 36 letters and digits of ASCII and blanks, for trigrams. Whether pg_trgm recognizes
 * letters beyond ASCII depends on the cluster's locale (under C it does not), so each such letter is replaced: a letter
 * of an alphabet by one symbol (neighbors in the alphabet get different ones), an ideograph by three. Different letters
 * may share a symbol, so use the result only to find candidates and measure distances on the folded text.
 */
export function toAscii(folded: string): string {
  if (PLAIN.test(folded)) return folded;
  let out = '';
  for (const letter of folded) {
    const point = letter.codePointAt(0) ?? 0;
    if (/[a-z0-9]/.test(letter)) out += letter;
    else if (point < 0x80 || !/[\p{L}\p{N}\p{M}]/u.test(letter)) out += ' ';
    else if (point < LARGE_SCRIPTS) out += SYMBOLS[point % 36];
    else out += [1296, 36, 1].map((place) => SYMBOLS.charAt(Math.floor(point / place) % 36)).join('');
  }
  return out;
}

const KIND_WEIGHT: Readonly<Record<string, number>> = {
  country: 12,
  state: 6.5,
  region: 6,
  province: 6,
  county: 5,
  city: 5.5,
  district: 4,
  municipality: 3.5,
  borough: 2.5,
  ward: 2,
  neighbourhood: 1.5,
  postal_code: 0,
};
/** Minimum weight of a municipality by its `place`: people mean the town, whatever the size of its administration. */
const PLACE_WEIGHT: Readonly<Record<string, number>> = { city: 5.5, town: 4 };

const CAPITAL_WEIGHT = [0, 0.5, 1];
/** Factor for the city's population if the boundary's is unknown: the city may be larger or smaller. */
const CITY_PEOPLE = 0.6;
/** The same for the cities of a county, above 30,000 people: it tells the counties of a name apart, and moves few others. */
const COUNTY_PEOPLE = 0.4;
const FEW = Math.log10(30);
const WIKIDATA_WEIGHT = 0.2;

/**
 * Returns how likely a boundary is meant when its name is searched: 0 to about 20, higher is likelier. Countries come
 * first, then territories with their own code. The weight is the sum of: the kind; 1 for every factor of ten in
 * population above a thousand; 0.3 for every factor of ten in area; 1 for a national capital or 0.5 for that of a
 * first-level division; 0.2 for a Wikidata item. A lower admin_level breaks ties. If the population is unknown, the
 * city's counts, times 0.6; of a county of the United States, that of all its cities above 30,000, times 0.4. A city
 * outweighs a county of the same name and population. The figures are this project's own; test/domain/search.test.ts holds the expected results.
 */
export function importance(
  boundary: Omit<NamedBoundary, 'name' | 'names' | 'otherNames' | 'codes' | 'iso' | 'wikidata'> &
    Partial<Pick<NamedBoundary, 'wikidata'>>,
): number {
  if (boundary.type === 'postal_code') return 0;
  const { city = null, population } = boundary;
  let weight = KIND_WEIGHT[boundary.kind] ?? 3;
  if (boundary.kind === 'municipality') weight = Math.max(weight, PLACE_WEIGHT[boundary.place ?? ''] ?? 0);
  if (boundary.countryCode) weight = Math.max(weight, 10);
  const factors = (count: number) => Math.max(0, Math.log10(count + 1) - 3);
  const urban = factors(1000 * (city?.people ?? 0));
  const unknown = boundary.kind === 'county' ? COUNTY_PEOPLE * Math.max(0, urban - FEW) : CITY_PEOPLE * urban;
  const people = population === null ? unknown : factors(population);
  const size = 0.3 * Math.max(0, Math.log10((boundary.areaKm2 ?? 0) + 1));
  const known = defined(CAPITAL_WEIGHT[city?.capital ?? 0]) + (boundary.wikidata ? WIKIDATA_WEIGHT : 0);
  return Math.round((weight + people + size + known - 0.05 * (boundary.adminLevel ?? 12)) * 1000) / 1000;
}
