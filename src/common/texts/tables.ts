/** The texts that the server writes for people, by language. */
import { type Language, wordingIn } from '../languages.ts';
import { texts as de } from './de.ts';
import { texts as en, type Key, type Texts } from './en.ts';
import { texts as es } from './es.ts';
import { texts as fr } from './fr.ts';

export type { Key, Texts } from './en.ts';

export const TABLES: Readonly<Record<Language, Texts>> = { en, es, de, fr };

/** The texts of one language without markup, such as those of mails. */
export interface PlainWords {
  /** A text with its values. Numbers are written as the language does. */
  (key: Key, values?: Readonly<Record<string, string | number>>): string;
  readonly language: Language;
}

/** The texts of a language; of English for one that is stored as null: what was written before languages were. */
export function plainWordsIn(stored: string | null): PlainWords {
  const language = wordingIn(stored === null ? [] : [stored]);
  const say = (key: Key, values: Readonly<Record<string, string | number>> = {}): string =>
    TABLES[language][key].replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? value.toLocaleString(language) : (value ?? place);
    });
  return Object.assign(say, { language });
}
