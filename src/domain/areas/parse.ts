import { Turns } from '../../common/turns.ts';
import type { Expression } from './algebra.ts';
import { withNominatives } from './declined.ts';
import { clip, DescriptionError } from './description_error.ts';
import { parseAll, parseRegion } from './grammar.ts';
import { sayLeftOut } from './labels.ts';
import { withoutLetter } from './letters.ts';
import { withoutLevelTails } from './level_tails.ts';
import { type Message, withoutMessage } from './messages.ts';
import { Parser } from './parser.ts';
import { pointFault } from './points.ts';
import { withoutReplaced } from './replaced.ts';
import { withoutRequest } from './requests.ts';
import { checkRivers } from './rivers.ts';
import { joinExclusions, joinSignedLines } from './separated.ts';
import { writtenOut } from './shorthand.ts';
import type { Lexicon } from './spans.ts';
import { readTable } from './tables.ts';
import { MAX_TOKENS, type Token, tokensOf } from './tokens.ts';
import { findUnused } from './unused.ts';
import { VOCABULARIES, WORDS_BY_LANGUAGE } from './vocabulary/languages.ts';
import { mixedFor } from './vocabulary/mixed.ts';
import { type Language, smallWords, type Vocabulary } from './vocabulary/vocabulary.ts';
import { type Sentence, said, term, termOf } from './wording/said.ts';

/** A parsed description with the decisions made between its possible readings. */
export interface Parsed {
  readonly expression: Expression;
  readonly language: Language;
  /** Sentences on how ambiguities were resolved. */
  readonly choices: readonly Sentence[];
  /** Number of words that are not a known name. */
  readonly unknown: number;
  /** Pairs of places separated only by a comma, neither known to contain the other. */
  readonly pairs: readonly (readonly [Expression, Expression])[];
  /** The reading that counts where this one has no area: of a word that adds or goes on with an exclusion. */
  readonly otherwise?: Parsed;
}

/**
 * Parses a description in English, Spanish, German or French. Tries each language and keeps the reading with the fewest
 * unknown words; others have a turn of this thread before each one. All knowledge of names comes from the lexicon.
 * @throws DescriptionError, which quotes the words that are not understood; the reason of the signal of `turns`
 */
export async function parseDescription(asked: string, lexicon: Lexicon, turns = new Turns()): Promise<Parsed> {
  const given = joinSignedLines(asked);
  if (typeof given === 'number') {
    const words = { text: asked.slice(given, given + 80), from: given, to: asked.length };
    throw new DescriptionError(
      said`"${clip(words.text)}" (character ${given + 1}) ${term('is not understood there')}.`,
      words,
    );
  }
  let parsed: Parsed | null = null;
  let failure: DescriptionError | null = null;
  try {
    parsed = await parseWhole(given, lexicon, turns);
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    failure = error;
  }
  if (parsed !== null && parsed.unknown < 1) return parsed;
  for (const text of [given, withoutRequest(withoutLetter(given))]) {
    const message = withoutMessage(text, lexicon);
    const read = message && (await parseMessage(message, lexicon, turns));
    if (read) return read;
  }
  if (parsed !== null) return parsed;
  throw failure;
}

/** A message without what says nothing of its area, which a choice names; null if the rest is not understood. */
async function parseMessage({ text, leftOut }: Message, lexicon: Lexicon, turns: Turns): Promise<Parsed | null> {
  try {
    const parsed = await parseWhole(text, lexicon, turns);
    return parsed.unknown < 1 ? { ...parsed, choices: [sayLeftOut(leftOut), ...parsed.choices] } : null;
  } catch (error) {
    if (error instanceof DescriptionError) return null;
    throw error;
  }
}

/** The same without leaving out sentences around the area. @throws as parseDescription() */
export async function parseWhole(given: string, lexicon: Lexicon, turns: Turns): Promise<Parsed> {
  const table = readTable(given);
  if (table !== null) return { ...table, choices: [], pairs: [], unknown: 0 };
  const short = writtenOut(given);
  const text = withNominatives(short, tokensOf(short).slice(0, MAX_TOKENS), lexicon);
  const plain = withoutLetter(text);
  const early = withoutReplaced(plain, lexicon);
  const bare = withoutLevelTails(withoutRequest(joinExclusions(early.text)));
  const kept = early.choices.length > 0 ? { ...early, text: bare } : withoutReplaced(bare, lexicon);
  const asked = kept.text;
  const tokens = tokensOf(asked);
  const whole = { text: text.slice(0, 200), from: 0, to: text.length };
  if (tokens.every(({ sort }) => sort === 'sign')) throw new DescriptionError('The description names no place.', whole);
  if (tokens.length > MAX_TOKENS)
    throw new DescriptionError(said`The description has more than ${MAX_TOKENS} words.`, whole);
  const written = { text, quoted: given };
  const one = await readIn(VOCABULARIES, written, tokens, lexicon, turns);
  const several = one.unknown >= 1 ? await readIn(mixedFor(tokens), written, tokens, lexicon, turns) : null;
  const isMixed = several?.unknown === 0;
  const { best, failure } = isMixed ? several : one;
  const unknown = best?.unknown ?? Number.POSITIVE_INFINITY;
  // A language that fails at one place explains more than one that reads everything as a single unknown name.
  if (best && unknown > 0 && unknown >= tokens.length / 2 && isOtherLanguage(tokens))
    throw new DescriptionError(said`"${clip(text.trim())}" is not understood. ${term(LANGUAGES_READ)}`, whole);
  if (best && (failure === null || unknown < tokens.length / 2)) {
    const unused = findUnused(asked, best.expression);
    if (unused !== null) {
      const words = { text: text.slice(unused.from, unused.to), from: unused.from, to: unused.to };
      throw new DescriptionError(
        said`"${clip(words.text)}" (character ${words.from + 1}) ${term('is not understood there')}.`,
        words,
      );
    }
    const mixed = isMixed ? [term('words of several languages are read together')] : [];
    const withChoices = (one: Parsed): Parsed => {
      const rivers = checkRivers(text, one.expression, one.language);
      return { ...one, choices: [...kept.choices, ...mixed, ...one.choices, ...rivers] };
    };
    const { otherwise, ...first } = best;
    const isRead = otherwise !== undefined && findUnused(asked, otherwise.expression) === null;
    return { ...withChoices(first), ...(isRead && { otherwise: withChoices(otherwise) }) };
  }
  const { error } = failure as { error: DescriptionError };
  const fault = pointFault(given);
  if (fault !== null) throw fault;
  if (!isOtherLanguage(tokens)) throw error;
  throw new DescriptionError(said`${termOf(error.sentence)} ${term(LANGUAGES_READ)}`, error.words);
}

/** The best reading of a description in some languages, and the failure that explains most. */
interface Readings {
  readonly best: Parsed | null;
  /** The unknown words of the best reading; infinite without one. */
  readonly unknown: number;
  readonly failure: { readonly error: DescriptionError; readonly at: number } | null;
}

async function readIn(
  vocabularies: readonly Vocabulary[],
  { text, quoted }: { readonly text: string; readonly quoted: string },
  tokens: readonly Token[],
  lexicon: Lexicon,
  turns: Turns,
): Promise<Readings> {
  let best: Parsed | null = null;
  let unknown = Number.POSITIVE_INFINITY;
  let failure: Readings['failure'] = null;
  for (const vocabulary of vocabularies) {
    await turns.next();
    try {
      const parsed = parseIn(() => new Parser(text, tokens, vocabulary, lexicon, parseRegion, quoted));
      if (parsed.unknown >= unknown) continue;
      unknown = parsed.unknown;
      best = parsed;
    } catch (error) {
      if (!(error instanceof DescriptionError)) throw error;
      // A language that understands all but what contains a level explains more than one that stops at a sign.
      const at = error.without === null ? error.words.from : text.length;
      if (failure === null || at > failure.at) failure = { error, at };
    }
  }
  return { best, unknown, failure };
}

/**
 * Parses with words that may add to the whole as adding and, if there are such, also without; and a list whose first item
 * may be apart from the level behind the last, as one list and as two. @throws DescriptionError
 */
function parseIn(open: () => Parser): Parsed {
  const parsed = (parser: Parser): Parsed => {
    const expression = parseAll(parser);
    const { choices, pairs, unknown, v } = parser;
    return { expression, language: v.language, choices, pairs, unknown };
  };
  const [parser, other] = [open(), open()];
  parser.addsPerhaps = true;
  other.splitsLists = true;
  const isOpen = () => parser.hasAdded || parser.hasShared;
  let first: Parsed;
  try {
    first = parsed(parser);
  } catch (error) {
    if (!(error instanceof DescriptionError) || !isOpen()) throw error;
    return parsed(other);
  }
  if (!isOpen()) return first;
  try {
    return { ...first, otherwise: parsed(other) };
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    return first;
  }
}

/** The end of the error for a description in another language. */
export const LANGUAGES_READ =
  'Descriptions are understood in English, Spanish, German and French; names in any language.';

/** Function words of other languages in Latin script that are none of the four. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  'della dello delle degli gli nella che con e il do da dos das nos nas com sem em os uma alle van het een zonder met provincies gemeenten oraz bez wszystkie w z och utan alla i med uden og uten ilceleri ve semua dan tanpa toate fara si tutte tutti senza todas todos'.split(
    ' ',
  ),
);

/**
 * Whether a description that is not understood is in a language that is not read: in another script, or with words such
 * as articles of another language and fewer of the four.
 */
export function isOtherLanguage(tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ sort }) => sort === 'word');
  if (words.some(({ text }) => /\p{L}/u.test(text) && !/[\p{Script=Latin}]/u.test(text))) return true;
  const known = new Set(
    VOCABULARIES.flatMap((one) => smallWords(one).flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
  );
  const lower = words.filter(({ text }) => text === text.toLowerCase());
  // "w virginia" is not Polish.
  // "con" is a word of the language that has most of the others: "que limitan con".
  const [own] = WORDS_BY_LANGUAGE.map((set) => ({ set, count: lower.filter(({ folded }) => set.has(folded)).length }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ set }) => set);
  const isForeign = ({ folded, from }: Token): boolean =>
    (from > 0 || folded.length > 1) && OTHER_WORDS.has(folded) && !known.has(folded) && own?.has(folded) !== true;
  const foreign = lower.filter(isForeign).length;
  return foreign > 0 && foreign >= lower.filter(({ folded }) => known.has(folded)).length;
}
