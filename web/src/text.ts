/** The languages of the pages, and how a text takes its values. Without the browser: the server and tests use it too. */
import type { Text } from './texts/en.ts';

/** The languages of the pages, by their own names. */
export const LANGUAGES = { en: 'English', es: 'Español', de: 'Deutsch', fr: 'Français' } as const;
export type Language = keyof typeof LANGUAGES;

/** Whether the pages have a language. */
export const isLanguage = (value: string | null): value is Language =>
  value !== null && Object.hasOwn(LANGUAGES, value);

/** The first of some language tags, such as those of Accept-Language, that the pages have; else English. */
export function languageOf(tags: readonly string[]): Language {
  for (const tag of tags) {
    const [primary = ''] = tag.toLowerCase().split('-');
    if (isLanguage(primary)) return primary;
  }
  return 'en';
}

/** The form of a text for a number; a text without plurals has one form. */
const formOf = (text: Text, n: number, tag: string): string =>
  typeof text === 'string' ? text : (text[new Intl.PluralRules(tag).select(n)] ?? text.other);

/**
 * A text in pieces: what stands as it is, and the names of the values between.
 * @param n the number that decides its plural
 * @param tag the language of the text
 */
export const piecesOf = (text: Text, n: number, tag: string): (string | { readonly name: string })[] =>
  formOf(text, n, tag)
    .split(/\{(\w+)\}/)
    .map((piece, i) => (i % 2 === 0 ? piece : { name: piece }));

/**
 * A text with its values; one with plurals takes the form of `n`.
 * @param tag the language of the text
 * @param numbers the language in which numbers are written
 */
export function filled(
  text: Text,
  values: Readonly<Record<string, string | number>>,
  tag: string,
  numbers: string = tag,
): string {
  const pieces = piecesOf(text, Number(values.n ?? 0), tag).map((piece) => {
    if (typeof piece === 'string') return piece;
    const value = values[piece.name];
    if (value === undefined) return `{${piece.name}}`;
    return typeof value === 'number' ? new Intl.NumberFormat(numbers).format(value) : value;
  });
  return pieces.join('');
}
