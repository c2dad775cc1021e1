import type { Expression } from './algebra.ts';
import { Grammar } from './grammar.ts';
import { Misread } from './misread.ts';
import type { Lexicon } from './spans.ts';
import { MOST_TOKENS, tokensOf } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Language } from './vocabulary/vocabulary.ts';

/** A description that was understood, with the ways in which else it may be read. */
export interface Parsed {
  readonly expression: Expression;
  readonly language: Language;
  /** What was decided among several readings, in words. */
  readonly choices: readonly string[];
  /** Words that are not a known name. */
  readonly unknown: number;
  /** Two places with only a comma between them, neither known to lie in the other. */
  readonly pairs: readonly (readonly [Expression, Expression])[];
}

/**
 * A description in English, Spanish, German or French as an expression. Each language is tried; what more than one
 * understands must mean the same. Pure: all it knows of names is the lexicon. Throws Misread that quotes the words which
 * are not understood.
 */
export function parseDescription(text: string, lexicon: Lexicon): Parsed {
  const tokens = tokensOf(text);
  const whole = { text: text.slice(0, 200), from: 0, to: text.length };
  if (tokens.every(({ sort }) => sort === 'sign')) throw new Misread('The description names no place.', whole);
  if (tokens.length > MOST_TOKENS) throw new Misread(`The description has more than ${MOST_TOKENS} words.`, whole);
  let best: Parsed | null = null;
  let unknown = Number.POSITIVE_INFINITY;
  let failure: { readonly error: Misread; readonly at: number } | null = null;
  for (const vocabulary of VOCABULARIES) {
    const parser = new Grammar(text, tokens, vocabulary, lexicon);
    try {
      const expression = parser.parse();
      if (parser.unknown < unknown) {
        best = {
          expression,
          language: vocabulary.language,
          choices: parser.choices,
          pairs: parser.pairs,
          unknown: parser.unknown,
        };
        unknown = parser.unknown;
      }
    } catch (error) {
      if (!(error instanceof Misread)) throw error;
      if (failure === null || error.words.from > failure.at) failure = { error, at: error.words.from };
    }
  }
  // A language that fails at one place explains more than one that takes all for a single unknown name.
  if (best && (failure === null || unknown < tokens.length / 2)) return best;
  throw (failure as { error: Misread }).error;
}
