/** Descriptions whose capitals say nothing: typed in lower case ("us states"), in capitals, as a headline, in quotes. */

import { defined } from '../../common/elements.ts';
import { isPlaceCode } from '../names/place_names.ts';
import { foldsOf, type Lexicon, spansFrom } from './spans.ts';
import { MAX_TOKENS, type Token, tokensOf } from './tokens.ts';
import { GRAMMAR_WORDS, LEVELS, VOCABULARIES } from './vocabulary/languages.ts';

/** Words that names are in only with capitals: as words they are names of other places, or pronouns. */
const CODES: ReadonlySet<string> = new Set(['us', 'eu', 'ue']);
/** What stands between two items of a list. */
const BETWEEN: ReadonlySet<string> = new Set([
  ...[',', ';', '/', '+', '&'],
  ...VOCABULARIES.flatMap(({ and }) => and.flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
]);
/** Words from which a text is a headline or in capitals. */
const SEVERAL = 3;

/**
 * Returns a description as most people write it, at the same offsets: without quotes around all of it, codes in
 * capitals, words of the grammars in lower case where all words have capitals. Null if it is written so.
 */
export function inUsualCase(text: string, lexicon: Pick<Lexicon, 'has'>): string | null {
  const bare = withoutQuotes(text);
  const tokens = tokensOf(bare).slice(0, MAX_TOKENS);
  const lowered = allHaveCapitals(tokens) ? grammarIn(bare, tokens, lexicon) : new Set<number>();
  let usual = '';
  let at = 0;
  tokens.forEach((token, i) => {
    const written = bare.slice(token.from, token.to);
    const other = isCodeInLowerCase(tokens, i)
      ? written.toUpperCase()
      : lowered.has(i)
        ? written.toLowerCase()
        : written;
    // Some letters are two in capitals.
    usual += bare.slice(at, token.from) + (other.length === written.length ? other : written);
    at = token.to;
  });
  usual += bare.slice(at);
  return usual === text ? null : usual;
}

const QUOTED = /^\s*(?:"([^"]+)"|'([^']+)'|“([^“”"]+)”|„([^„“”"]+)[“”]|«([^«»]+)»|‘([^‘’]+)’|`([^`]+)`)\s*[.!?]?\s*$/u;

/** A text without the quotes around all of it, with blanks in their place. */
function withoutQuotes(text: string): string {
  const inside = QUOTED.exec(text)
    ?.slice(1)
    .find((one) => one !== undefined);
  if (inside === undefined) return text;
  const from = text.indexOf(inside);
  return ' '.repeat(from) + inside + ' '.repeat(text.length - from - inside.length);
}

const isWritten = ({ sort, text }: Token): boolean => sort === 'word' && /^\p{L}/u.test(text) && !text.includes(':');

/** Whether every word begins with a capital, words of the grammar too. */
function allHaveCapitals(tokens: readonly Token[]): boolean {
  const words = tokens.filter(isWritten);
  return words.length >= SEVERAL && words.every(({ text }) => /^\p{Lu}/u.test(text));
}

/** The tokens that are words of a grammar and in no known name; none where one of them may be a code among others: "OH, IN, KY". */
function grammarIn(text: string, tokens: readonly Token[], { has }: Pick<Lexicon, 'has'>): ReadonlySet<number> {
  const found = new Set<number>();
  for (let i = 0; i < tokens.length; i++) {
    const token = defined(tokens[i]);
    if (!isWritten(token)) continue;
    const end = spansFrom(tokens, i).find((last) => foldsOf(text, tokens, i, last).some(has));
    if (end !== undefined && end > i) i = end;
    else if (GRAMMAR_WORDS.has(token.folded)) found.add(i);
  }
  const isCode = (i: number) => isPlaceCode(defined(tokens[i]).folded);
  const hasCodes = tokens.some(({ folded }, i) => !found.has(i) && isCode(i) && !CODES.has(folded));
  return hasCodes && [...found].some(isCode) ? new Set() : found;
}

/** Whether a word in lower case is a code: "us", a code before a level, or one beside another in a list. */
function isCodeInLowerCase(tokens: readonly Token[], i: number): boolean {
  const { text, folded } = defined(tokens[i]);
  if (CODES.has(folded)) return true;
  if (text !== text.toLowerCase() || !isPlaceCode(folded)) return false;
  const isPlain = (one: number) =>
    isPlaceCode(tokens[one]?.folded ?? '') && !GRAMMAR_WORDS.has(defined(tokens[one]).folded);
  const isListed = (side: 1 | -1) => BETWEEN.has(tokens[i + side]?.folded ?? '') && isPlain(i + 2 * side);
  return GRAMMAR_WORDS.has(folded)
    ? isListed(-1) || isListed(1)
    : LEVELS.has(tokens[i + 1]?.folded ?? '') || isListed(-1) || isListed(1);
}
