/** Sentences about an area, which are written in the caller's language only when the answer is. */
import { defined } from '../../../common/elements.ts';
import type { Language } from '../../../common/languages.ts';
import type { Direction } from '../algebra.ts';
import { SENTENCES as de } from './de.ts';
import { SENTENCES as es } from './es.ts';
import { SENTENCES as fr } from './fr.ts';

/** The languages of descriptions, and of the sentences about them. */
export { LANGUAGES, type Language, wordingIn } from '../../../common/languages.ts';

const TABLES: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = { es, de, fr };

/** A sentence: in English if it has no values, else by said. */
export type Sentence = string | Said;
/** What stands in a sentence: a name or a number as it is, or words that have a translation. */
export type Value = string | number | Said;

/** The English text of a sentence with its values in places. */
export class Said {
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[]) {
    this.texts = texts;
    this.values = values;
  }

  /** The sentence in English. */
  toString(): string {
    return this.texts.map((text, i) => (i === 0 ? text : `${this.values[i - 1] ?? ''}${text}`)).join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A sentence with values, as a template: its English text is the key of its translations. */
export const said = (texts: TemplateStringsArray, ...values: readonly Value[]): Said => new Said(texts, values);

/** Values one behind the other, with a separator between each two. */
export function joined(values: readonly Value[], separator: Value = ', '): Said {
  const between = values.slice(1).flatMap((value): Value[] => [separator, value]);
  return new Said(
    Array.from({ length: 2 * Math.max(1, values.length) }, () => ''),
    [...values.slice(0, 1), ...between],
  );
}

/** A word or phrase without values that has a translation. */
export const term = (text: string): Said => new Said([text], []);

/** A sentence as a part of another one. */
export const termOf = (sentence: Sentence): Said => (typeof sentence === 'string' ? term(sentence) : sentence);

/** What lies on one side of a place: "north of Burgos". */
export const beyond = (direction: Direction, place: Value): Said => new Said([`${direction} of `, ''], [place]);

/** A side of a place: "the north of Burgos". */
export const sideOf = (direction: Direction, place: Value): Said => new Said([`the ${direction} of `, ''], [place]);

/** The first names of a list; behind them how many more there are or, with 'others', that there are. */
export function firstOf(names: readonly Value[], most: number, rest: 'more' | 'others' = 'more'): Said {
  const first = joined(names.slice(0, most));
  if (names.length <= most) return first;
  return rest === 'more' ? said`${first} and ${names.length - most} more` : said`${first} and others`;
}

/** The key of a sentence in the tables: `"{0}" is read as "{1}"`. */
export const keyOf = (texts: readonly string[]): string =>
  texts.map((text, i) => (i === 0 ? text : `{${i - 1}}${text}`)).join('');

/** A sentence in a language; in English where it has no translation. */
export function inLanguage(sentence: Sentence, language: Language): string {
  if (language === 'en') return String(sentence);
  const table = TABLES[language];
  if (typeof sentence === 'string') return (Object.hasOwn(table, sentence) && table[sentence]) || sentence;
  const values = sentence.values.map((value) => (value instanceof Said ? inLanguage(value, language) : String(value)));
  const key = keyOf(sentence.texts);
  if (!Object.hasOwn(table, key)) return new Said(sentence.texts, values).toString();
  return defined(table[key]).replace(/\{(\d+)\}/g, (_, i: string) => defined(values[Number(i)]));
}
