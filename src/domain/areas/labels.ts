import { defined } from '../../common/elements.ts';
import { clip } from './description_error.ts';
import { type Token, tokensOf } from './tokens.ts';
import { LEVELS, VOCABULARIES } from './vocabulary/languages.ts';
import { LETTER_HEADINGS, PLACED } from './vocabulary/messages.ts';
import { BESIDE_HEADINGS, FOR, HEADINGS, SIDES } from './vocabulary/requests.ts';
import { joined, type Sentence, said } from './wording/said.ts';

// Labels in front of a list of places: "Swing states: Ohio, Iowa", "Zona norte: Galicia, Asturias", "zone 1 (Ohio, Iowa)".

/** Words of a label. */
const MOST_WORDS = 5;

/** A description with blanks in place of a label, and the words of the label. */
export interface Unlabeled {
  readonly text: string;
  readonly label: string;
}

/**
 * A description without the label in front of its list of places, at the same offsets: the name of a zone, which may have a
 * number or a side, or words in front of a level in the plural, which stays. Null without a label, or if what is behind it is
 * one place: "north zone: Ohio" may be a part of that.
 * @param saysNothing whether a part of the text names no place and chooses nothing
 * @param beginsName whether the name of a place begins at a token
 */
export function withoutLabel(
  text: string,
  saysNothing: (part: { readonly from: number; readonly to: number }) => boolean,
  beginsName: (tokens: readonly Token[], at: number) => boolean,
): Unlabeled | null {
  const tokens = tokensOf(text);
  const end = tokens.findIndex(({ sort }) => sort === 'sign');
  const sign = tokens[end];
  const unsigned = unsignedLabel(tokens, beginsName);
  if (unsigned !== null) return without(text, [unsigned]);
  if (!sign || end < 1 || end > MOST_WORDS || !/^[:(]$/.test(sign.folded) || !isList(tokens.slice(end + 1)))
    return null;
  const words = tokens.slice(0, end);
  const last = defined(words.at(-1));
  if (sign.folded === ':' && words.length > 1 && LEVELS.has(last.folded)) {
    const part = { from: defined(words[0]).from, to: last.from };
    return saysNothing(part) ? without(text, [part]) : null;
  }
  if (!isZone(words)) return null;
  const label = { from: defined(words[0]).from, to: sign.to };
  if (sign.folded === ':') return without(text, [label]);
  const closing = defined(tokens.at(/^[.;]$/.test(defined(tokens.at(-1)).folded) ? -2 : -1));
  return closing.folded === ')' ? without(text, [label, closing]) : null;
}

/** The words of a label with a list of places right behind them: "Sales region ND, SD", "Lieferungen nach CH und AT". */
function unsignedLabel(
  tokens: readonly Token[],
  beginsName: (tokens: readonly Token[], at: number) => boolean,
): { readonly from: number; readonly to: number } | null {
  const count = tokens.findIndex((_, at) => beginsName(tokens, at));
  const words = tokens.slice(0, count);
  const [first, last] = [words[0], words.at(-1)];
  if (count < 1 || count > MOST_WORDS || !first || !last || !isList(tokens.slice(count))) return null;
  const isLink = FOR.has(last.folded) || PLACED.has(last.folded);
  const named = isLink ? words.slice(0, -1) : words;
  const isNoun = HEADINGS.has(named.at(-1)?.folded ?? '');
  // "South zone of Ohio and Indiana"
  const isPart = isLink && named.some(({ folded }) => SIDES.has(folded));
  return isNoun && !isPart && isZone(named) ? { from: first.from, to: last.to } : null;
}

/** Whether words are the name of a zone: a side, or a noun for one, and words, numbers and sides that go with it. */
function isZone(words: readonly Token[]): boolean {
  const isBeside = ({ folded }: Token): boolean =>
    HEADINGS.has(folded) || BESIDE_HEADINGS.has(folded) || SIDES.has(folded) || /^(?:\d{1,4}|\p{L})$/u.test(folded);
  // The subject of a letter.
  if (words.some(({ folded }) => LETTER_HEADINGS.subject.has(folded))) return false;
  const isSide = words.length === 1 && words.every(({ folded }) => SIDES.has(folded));
  return isSide || (words.some(({ folded }) => HEADINGS.has(folded)) && words.every(isBeside));
}

/** Whether several items are here, with a comma, a semicolon or "and" between them. */
const isList = (tokens: readonly Token[]): boolean =>
  tokens.slice(1, -1).some(({ folded }) => /^[,;+&]$/.test(folded) || AND.has(folded));
const AND: ReadonlySet<string> = new Set(VOCABULARIES.flatMap(({ and }) => and.map((phrase) => phrase.join(' '))));

function without(text: string, parts: readonly { readonly from: number; readonly to: number }[]): Unlabeled {
  let written = text;
  for (const { from, to } of parts) written = written.slice(0, from) + ' '.repeat(to - from) + written.slice(to);
  const { from, to } = defined(parts[0]);
  return { text: written, label: text.slice(from, to).replace(/[:(]$/u, '').trim() };
}

/** The sentence on words of a description that name no area. */
export const sayLeftOut = (words: readonly string[]): Sentence =>
  said`left out: ${joined(words.map((one) => said`"${clip(one)}"`))}`;
