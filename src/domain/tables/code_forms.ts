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

/** A name and a code beside it: "Torino (TO)", "01 - Ain", "AL Autauga". */
export interface NameAndCode {
  readonly name: string;
  readonly code: string;
}

const CODE = '(?:\\d{0,3}[A-Z]{1,3}|\\d{1,3})';
const BESIDE = [
  new RegExp(`^(?<name>.+?)\\s*[([](?<code>${CODE})[)\\]]$`, 'u'),
  new RegExp(`^(?<name>.+?)\\s+[-–—|]\\s+(?<code>${CODE})$`, 'u'),
  new RegExp(`^(?<code>${CODE})(?:\\s*[-–—:|]\\s*|\\s+)(?<name>\\p{L}.+)$`, 'u'),
];

/** The name and the code that a text in one cell has; null if it has not both. */
export function nameAndCode(text: string): NameAndCode | null {
  for (const pattern of BESIDE) {
    const { name, code } = pattern.exec(text.trim())?.groups ?? {};
    if (name !== undefined && code !== undefined) return { name, code };
  }
  return null;
}

/** A word for a kind with a code behind it: "Kt. ZH", "Provincia TO". */
const TYPED = new RegExp(`^(?<word>\\p{L}+)\\.?\\s+(?<code>${CODE})$`, 'u');

/** The code in a text that has only a word for a kind beside it, and the kinds that the word means. */
export function codeOfKind(text: string): { readonly code: string; readonly kinds: readonly Kind[] } | null {
  const { word = '', code = '' } = TYPED.exec(text.trim())?.groups ?? {};
  const kinds = kindsOfTypeWords(foldName(word));
  return kinds.length === 0 ? null : { code, kinds };
}
