import { foldName } from '../../names/fold.ts';
import type { Direction, LevelWord } from '../algebra.ts';
import type { Around, Phrase } from './vocabulary.ts';

/** Folds a text into a phrase; apostrophes and hyphens separate words. */
export const phrase = (text: string): Phrase => foldName(text.replaceAll("'", ' ').replaceAll('-', ' ')).split(' ');
/** Splits comma-separated phrases, the longest first. */
export const list = (text: string): readonly Phrase[] =>
  (text === '' ? [] : text.split(/,\s*/).map(phrase)).sort((a, b) => b.length - a.length);
/** Joins each phrase of a comma-separated list with each of the next ones: for verbs in all their forms. */
export const cross = (...parts: readonly string[]): readonly Phrase[] =>
  list(
    parts
      .map((part) => part.split(/,\s*/))
      .reduce((all, next) => all.flatMap((one) => next.map((other) => `${one} ${other}`.trim())))
      .join(', '),
  );
/** Splits lists of phrases, keyed by meaning. */
export const map = <K extends string>(rows: Readonly<Record<K, string>>): ReadonlyMap<K, readonly Phrase[]> =>
  new Map(Object.entries<string>(rows).map(([key, text]) => [key as K, list(text)]));
/** The phrases "before north", for each of the directions. */
export const beyond = (befores: string, directions: Readonly<Record<Direction, string>>) =>
  new Map(
    Object.entries<string>(directions).map(([key, words]) => [
      key as Direction,
      [...cross(befores, words), ...list(words)].sort((a, b) => b.length - a.length),
    ]),
  );
/** Splits the singular and plural phrases of each level. */
export const levels = (rows: Readonly<Record<LevelWord, readonly [one: string, many: string]>>) =>
  new Map(
    Object.entries<readonly [string, string]>(rows).map(([key, [one, many]]) => [
      key as LevelWord,
      { one: list(one), many: list(many) },
    ]),
  );
/** Splits comma-separated patterns "before _ after|after" around an argument, the longest first. */
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
/** Maps folded words to numbers. */
export const values = (rows: Readonly<Record<string, number>>) =>
  new Map(Object.entries(rows).map(([key, value]) => [foldName(key), value]));

/** Kilometers per unit, for abbreviations shared by all languages. */
export const UNITS = { km: 1, kms: 1, m: 0.001 };
