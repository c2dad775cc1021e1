import type { Expression } from './algebra.ts';
import { Grammar } from './grammar.ts';
import { DescriptionError } from './misread.ts';
import type { Lexicon } from './spans.ts';
import { MAX_TOKENS, tokensOf } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Language } from './vocabulary/vocabulary.ts';

/** A parsed description with the decisions made between its possible readings. */
export interface Parsed {
  readonly expression: Expression;
  readonly language: Language;
  /** Sentences on how ambiguities were resolved. */
  readonly choices: readonly string[];
  /** Number of words that are not a known name. */
  readonly unknown: number;
  /** Pairs of places separated only by a comma, neither known to contain the other. */
  readonly pairs: readonly (readonly [Expression, Expression])[];
}

/**
 * Parses a description in English, Spanish, German or French. Tries each language and keeps the reading with the fewest
 * unknown words. Pure: all knowledge of names comes from the lexicon.
 * @throws DescriptionError, which quotes the words that are not understood
 */
export function parseDescription(text: string, lexicon: Lexicon): Parsed {
  const tokens = tokensOf(text);
  const whole = { text: text.slice(0, 200), from: 0, to: text.length };
  if (tokens.every(({ sort }) => sort === 'sign')) throw new DescriptionError('The description names no place.', whole);
  if (tokens.length > MAX_TOKENS)
    throw new DescriptionError(`The description has more than ${MAX_TOKENS} words.`, whole);
  let best: Parsed | null = null;
  let unknown = Number.POSITIVE_INFINITY;
  let failure: { readonly error: DescriptionError; readonly at: number } | null = null;
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
      if (!(error instanceof DescriptionError)) throw error;
      if (failure === null || error.words.from > failure.at) failure = { error, at: error.words.from };
    }
  }
  // A language that fails at one place explains more than one that reads everything as a single unknown name.
  if (best && (failure === null || unknown < tokens.length / 2)) return best;
  throw (failure as { error: DescriptionError }).error;
}
