import { defined } from '../elements.ts';
import type { City } from './cities.ts';
import { foldName, stripTypeWords } from './fold.ts';
import { alsoCalled, alsoCoded } from './place_names.ts';

/** What the index of names needs to know of a boundary. */
export interface NamedBoundary {
  readonly type: 'administrative' | 'postal_code';
  readonly name: string;
  /** By language code. */
  readonly names: Readonly<Record<string, string>>;
  /** Names of other kinds (alt_name, short_name, …); several in one text are separated by `;`. */
  readonly otherNames: readonly { readonly type: string; readonly text: string }[];
  /** Postcodes and other codes as written; several in one text are separated by `;`. */
  readonly codes: readonly string[];
  /** ISO 3166-1 or 3166-2. */
  readonly iso: string | null;
  /** The ISO 3166-1 alpha-2 code that the boundary itself carries: a country or a territory. */
  readonly countryCode: string | null;
  readonly wikidata: string | null;
  readonly kind: string;
  /** `place` of the linked label or admin_centre node. */
  readonly place: string | null;
  readonly adminLevel: number | null;
  readonly population: number | null;
  readonly areaKm2: number | null;
  /** The city that it is, where it is one (cities.ts). */
  readonly city?: City | null;
}

/** A row of table boundary_name, its boundary_id aside. */
export interface NameRow {
  readonly type: string;
  readonly lang: string | null;
  readonly folded: string;
  readonly ascii: string | null;
  readonly weight: number;
}

/** Longer names are cut, so that a row always fits its index; a query has 200 characters at most. */
const MAX_LENGTH = 200;
/** Later words of a name that it is found by. */
const MAX_WORDS = 8;

/**
 * The rows that boundary_name holds for a boundary, in no promised order and without duplicates: each folded text once
 * (under the first of: name, names by language, other names in the order given, aliases of its ISO code, stripped,
 * word), and each code once.
 * Codes are written without blanks and signs (`US-CA` is `usca`).
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
  // A boundary that shares the code of a country with it, such as its land alone, is called the same.
  for (const code of new Set([boundary.countryCode, boundary.iso])) {
    if (code) for (const text of alsoCalled(code)) named.push(['alias', null, foldName(text)]);
  }
  // Of a division, the name without its type word is that and nothing else, whoever lists it: "Canton Mersch" does not count as "Mersch".
  // "セビリア県" is also asked for as "セビリア"; of a country, what is left of an official name is another word.
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
    if (code) for (const one of [code, ...alsoCoded(code)]) addCode('code', one);
  }
  // "NM" of US-NM: what people write behind a name. Of digits alone it says nothing.
  const division = /^[A-Z]{2}-([A-Z]{2,3})$/.exec(boundary.iso ?? '')?.[1];
  if (division) addCode('code', division);
  if (boundary.wikidata) addCode('wikidata', boundary.wikidata);
  return [...rows.values(), ...codes.values()];
}

/** A code as it is compared: folded, without blanks and signs. */
export function compactCode(text: string): string {
  return foldName(text).replace(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

function cut(folded: string): string {
  return folded.length <= MAX_LENGTH ? folded : [...folded].slice(0, MAX_LENGTH).join('').trimEnd();
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A folded name from its second word on, from its third on, … */
function laterWords(folded: string): string[] {
  const starts = [...folded.matchAll(WORD)].map((match) => match.index);
  return starts.slice(1, MAX_WORDS).map((start) => folded.slice(start));
}

/** What stays as it is. */
const PLAIN = /^[a-z0-9 ]*$/;
const SYMBOLS = '0123456789abcdefghijklmnopqrstuvwxyz';
/** From the CJK radicals on, scripts have thousands of letters. */
const LARGE_SCRIPTS = 0x2e80;

/**
 * A folded text in the 36 letters and digits of ASCII and blanks, for trigrams. Whether pg_trgm sees letters beyond
 * ASCII depends on the locale a cluster was made with (under C it sees none), so every such letter is replaced: one
 * symbol for a letter of an alphabet (neighbors in the alphabet get different ones), three for an ideograph.
 * Different letters may share a symbol: candidates only, distances are measured on the folded text.
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
/** What people call by a name is the town, whatever the size of its administration. */
const PLACE_WEIGHT: Readonly<Record<string, number>> = { city: 5.5, town: 4 };

const CAPITAL_WEIGHT = [0, 0.5, 1];
/** People in the city of its name count less than its own: the city may be larger or smaller than the boundary. */
const CITY_PEOPLE = 0.6;
const WIKIDATA_WEIGHT = 0.2;

/**
 * How likely a boundary is meant when its name is asked for; 0 to about 20, higher is likelier. Countries lead, then
 * territories with a code of their own; below that the kind counts, every factor of ten in population (above a
 * thousand) counts one, every factor of ten in area 0.3, a capital 1 (of a country) or 0.5 (of a first-level division), a
 * Wikidata item 0.2, and a lower admin_level breaks ties. Where the number of people is not known, that of the city counts
 * by 0.6. A city outweighs a county of the same name and people. The figures are this project's own;
 * test/domain/search.test.ts holds what they are to give.
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
  const people = population === null ? CITY_PEOPLE * factors(1000 * (city?.people ?? 0)) : factors(population);
  const size = 0.3 * Math.max(0, Math.log10((boundary.areaKm2 ?? 0) + 1));
  const known = defined(CAPITAL_WEIGHT[city?.capital ?? 0]) + (boundary.wikidata ? WIKIDATA_WEIGHT : 0);
  return Math.round((weight + people + size + known - 0.05 * (boundary.adminLevel ?? 12)) * 1000) / 1000;
}
