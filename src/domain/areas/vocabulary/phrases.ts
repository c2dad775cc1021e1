import { foldName } from '../../fold.ts';
import type { LevelWord } from '../algebra.ts';
import type { Around, Phrase } from './vocabulary.ts';

/** Words as a phrase, folded; apostrophes and hyphens part words. */
export const phrase = (text: string): Phrase => foldName(text.replaceAll("'", ' ').replaceAll('-', ' ')).split(' ');
/** Phrases with commas between them, the longest first. */
export const list = (text: string): readonly Phrase[] =>
  (text === '' ? [] : text.split(/,\s*/).map(phrase)).sort((a, b) => b.length - a.length);
/** Lists of phrases by what they mean. */
export const map = <K extends string>(rows: Readonly<Record<K, string>>): ReadonlyMap<K, readonly Phrase[]> =>
  new Map(Object.entries<string>(rows).map(([key, text]) => [key as K, list(text)]));
/** The phrases of each level, for one and for many. */
export const levels = (rows: Readonly<Record<LevelWord, readonly [one: string, many: string]>>) =>
  new Map(
    Object.entries<readonly [string, string]>(rows).map(([key, [one, many]]) => [
      key as LevelWord,
      { one: list(one), many: list(many) },
    ]),
  );
/** What stands around an argument, with commas between: "before _ after|after". The longest first. */
export const around = (text: string): readonly Around[] =>
  text
    .split(/,\s*/)
    .map((one) => {
      const [before = '', after = ''] = one.split('_');
      return {
        before: phrase(before.trim()),
        after: after.trim() === '' ? [] : list(after.replaceAll('|', ',')),
      };
    })
    .sort((a, b) => b.before.length - a.before.length);
/** Words with blanks between them as the numbers from `from` on. */
export const numbers = (text: string, from = 1) =>
  new Map(text.split(' ').map((word, i) => [foldName(word), i + from]));
/** Numbers by words, folded. */
export const values = (rows: Readonly<Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, value]) => [foldName(key), value]));

/** Kilometers in the units that all languages abbreviate alike. */
export const UNITS = { km: 1, kms: 1, m: 0.001 };
