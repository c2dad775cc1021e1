/** An expression in words of the caller's language: how a description was understood. */
import type { Expression } from '../algebra.ts';
import { inBoundedWords, toEnglish } from '../say.ts';
import { germanOf } from './reading_de.ts';
import { spanishOf } from './reading_es.ts';
import { frenchOf } from './reading_fr.ts';
import type { Language } from './said.ts';

const WORDS = { es: spanishOf, de: germanOf, fr: frenchOf } as const;

/**
 * Renders an expression in a language, as toEnglish() does in English: parseDescription() reads the text back as the same
 * expression, unless a level is a number. Names are those of the expression.
 */
export function toReading(expression: Expression, language: Language): string {
  return language === 'en' ? toEnglish(expression) : inBoundedWords(expression, WORDS[language]);
}
