import type { Kind } from '../../core/schemas.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';

/** A code in a column that a program took for one of floating-point numbers: "1001.0". */
const FRACTION = /^(\d{1,20})\.0{1,20}$/;
/** Digits of codes that lose zeros: of counties and municipalities, not of regions; and of regions, which have two. */
const ZEROS_FROM = 4;
const ZEROS_TO = 7;

/** A code as it was before a program took it for a number with decimals. */
export const withoutFraction = (text: string): string => text.trim().replace(FRACTION, '$1');

/** A code of digits with one and two zeros in front: 1001 may be 01001, and 1 may be 01. */
export function withZeros(code: string): string[] {
  if (/^[1-9]$/.test(code)) return [`0${code}`];
  if (!/^[1-9]\d+$/.test(code)) return [];
  return [`0${code}`, `00${code}`].filter(({ length }) => length > ZEROS_FROM && length <= ZEROS_TO);
}

/** A code of digits behind that of its country ("ES_28079"), and as the US Census Bureau writes those of all levels. */
const IN_COUNTRY = /^([A-Z]{2})[-_:. ]?(\d{4,12})$/i;
const CENSUS = /^\d{7}(US)(\d{2,12})$/i;
/** A code behind the word for its office or its sort: "FIPS 48201", "COM-01004". */
const BEHIND_WORD = /^(fips|insee|ine|ags|istat|ibge|bfs|geoid|com|dep|mun|county)[-_:. ]?(\d{2,12})$/i;

/** A code without the country or the word in front of it; `country` is folded, null where the text says none. */
export interface ShortCode {
  readonly country: string | null;
  readonly code: string;
}

/** The code that a text has behind that of a country or behind a word; null if it has none. */
export function shortCode(text: string): ShortCode | null {
  const [, country, code] = CENSUS.exec(text) ?? IN_COUNTRY.exec(text) ?? [];
  if (country !== undefined && code !== undefined) return { country: country.toUpperCase(), code };
  const [, , digits] = BEHIND_WORD.exec(text) ?? [];
  return digits === undefined ? null : { country: null, code: digits };
}

/** A name and a code beside it: "Torino (TO)", "01 - Ain", "AL Autauga". */
export interface NameAndCode {
  readonly name: string;
  readonly code: string;
}

/** A code of an office: capitals, digits, or digits with capitals behind them ("2A"). */
const CODE = /^(?:\d{1,3}|\d{0,3}[A-Z]{1,3})$/;
const IN_BRACKETS = /^[([]([\dA-Z]{1,6})[)\]]$/;
const SIGN = /^[-–—:|]$/;

/** The name and the code that a text in one cell has; null if it has not both. */
export function nameAndCode(text: string): NameAndCode | null {
  const [, placed = '', inKind = ''] = /^([^()]+)\(([^()]+)\)$/.exec(text.trim()) ?? [];
  const ofKind = codeOfKind(inKind);
  if (ofKind !== null) return { name: placed.trim(), code: ofKind.code };
  const words = text.trim().split(/\s+/);
  const [first = '', second = ''] = words;
  const last = words.at(-1) ?? '';
  const inBrackets = IN_BRACKETS.exec(last)?.[1] ?? '';
  if (words.length > 1 && CODE.test(inBrackets)) return { name: words.slice(0, -1).join(' '), code: inBrackets };
  if (words.length > 2 && CODE.test(last) && SIGN.test(words.at(-2) ?? '')) {
    return { name: words.slice(0, -2).join(' '), code: last };
  }
  // In capitals, the last word may be part of the name.
  const before = words.slice(0, -1).join(' ');
  if (words.length > 1 && /^[A-Z]{2}$/.test(last) && /\p{Ll}/u.test(before)) return { name: before, code: last };
  const code = first.endsWith(':') ? first.slice(0, -1) : first;
  const name = words.slice(SIGN.test(second) ? 2 : 1).join(' ');
  return CODE.test(code) && /^\p{L}/u.test(name) ? { name, code } : null;
}

/** The code in a text that has only a word for a kind in front of it, and the kinds that the word means: "Kt. ZH". */
export function codeOfKind(text: string): { readonly code: string; readonly kinds: readonly Kind[] } | null {
  const [word = '', code = '', ...more] = text.trim().split(/\s+/);
  if (more.length > 0 || !CODE.test(code)) return null;
  const kinds = kindsOfTypeWords(foldName(word));
  return kinds.length === 0 ? null : { code, kinds };
}
