import { foldName } from '../names/fold.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { isCodeAtEnd } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import {
  ARTICLES,
  ASKED,
  AT_END,
  BESIDE_HEADINGS,
  DRAWN,
  FOR,
  HEADINGS,
  LINES,
  MADE,
  MOST_WORDS,
  OF,
  QUESTIONS,
  SIDES,
  SOLD,
  THINGS,
  WITH,
} from './vocabulary/requests.ts';

const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels }) =>
    [...levels.values()].flatMap(({ one, many }) => [...one, ...many].flatMap(([first]) => first ?? [])),
  ),
);
/** Words for what borders a place, which a question may have in place of a level. */
const NEIGHBORS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ neighbors }) => neighbors.flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
);
/** Words behind a question in which its level is: "five biggest counties". */
const BEFORE_LEVEL = 3;
/** Letters from which a word before a period ends a sentence: "St. Louis" does not. */
const ENDS_SENTENCE = 4;

/** A word of a text: its folded form, and the offsets of its first character and after its last. */
interface Word {
  readonly folded: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A description without the request around it, with blanks in its place, so that all offsets stay: "Hi team, please show me
 * a map of Texas. Many thanks" is "Texas". Only phrases of vocabulary/requests.ts are left out, never a code ("HI, AK").
 * The same text if nothing else is left.
 */
export function withoutRequest(given: string): string {
  // A question inside of a text ends a sentence, as a period does.
  const text = given.replaceAll(/[¿¡]/gu, ' ').replaceAll(/[!?]+(?=\s*[^\s!?])/gu, (signs) => '.'.padEnd(signs.length));
  const letters = text.split('');
  const blank = (from: number, to: number): void => void letters.fill(' ', from, to);
  let isAny = false;
  for (const words of sentencesOf(text)) {
    for (const [from, to] of headingsWithin(words, text)) blank(from, to);
    const [first, last] = keptOf(words, text);
    const [start, end] = [words[0]?.from ?? 0, words.at(-1)?.to ?? 0];
    if (first > last) blank(start, afterSigns(text, end));
    else {
      isAny = true;
      const [before, after] = [words[first - 1], words[last + 1]];
      if (before) blank(start, afterSigns(text, before.to));
      if (!after) continue;
      // A bracket that closes there stays.
      for (let at = words[last]?.to ?? 0; at < after.from; at++) if (afterSigns(text, at) > at) blank(at, at + 1);
      blank(after.from, afterSigns(text, end));
    }
  }
  if (!isAny) return given;
  const isSign = (at: number): boolean => /[\s!?]/u.test(letters[at] ?? '');
  let [start, end] = [0, letters.length];
  while (start < end && isSign(start)) start++;
  while (end > start && isSign(end - 1)) end--;
  blank(0, start);
  blank(end, letters.length);
  return letters.join('');
}

/** The offset behind blanks, commas and other signs that divide, but no brackets or quotation marks. */
function afterSigns(text: string, at: number): number {
  let end = at;
  while (end < text.length && /[\s,;:=.!?]/u.test(text.charAt(end))) end++;
  return end;
}

/** The words of each sentence of a text; one begins behind a period and a blank, with a capital. */
function sentencesOf(text: string): Word[][] {
  const sentences: Word[][] = [];
  let before: Word | null = null;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const next: Word = { folded: foldName(word), from: index, to: index + word.length };
    const between = before === null ? '' : text.slice(before.to, index);
    const begins: boolean =
      before === null ||
      (/^[^\p{L}]*[.!?]\s/u.test(between) &&
        /^\p{Lu}/u.test(word) &&
        (before.to - before.from >= ENDS_SENTENCE || isCodeAtEnd(text.slice(before.from), word)));
    if (begins) sentences.push([]);
    sentences.at(-1)?.push(next);
    before = next;
  }
  return sentences;
}

/** The first and the last word of a sentence that belong to an area; the first is behind the last if all are. */
function keptOf(words: readonly Word[], text: string): readonly [first: number, last: number] {
  /** Words of a phrase of a set from a word on; 0 if there is none. */
  const countAt = (set: ReadonlySet<string>, at: number): number => {
    for (let count = Math.min(MOST_WORDS, words.length - at); count > 0; count--)
      if (isPhrase(words.slice(at, at + count), set, text)) return count;
    return 0;
  };
  const after = (set: ReadonlySet<string>, at: number): number => {
    let end = at;
    for (let count = countAt(set, end); count > 0; count = countAt(set, end)) end += count;
    return end;
  };
  let first = after(ASKED, 0);
  for (let heading = headingAt(words, first, text); heading > 0; heading = headingAt(words, first, text))
    first += heading;
  first = after(ASKED, first);
  const question = countAt(QUESTIONS, first);
  if (question > 0) {
    const from = first + question + countAt(ARTICLES, first + question);
    // "what are the five biggest counties in Nevada"
    if (words.slice(from, from + BEFORE_LEVEL).some(({ folded }) => LEVELS.has(folded) || NEIGHBORS.has(folded)))
      first += question;
  }
  const thing = after(MADE, after(ARTICLES, first));
  const things = countAt(THINGS, thing);
  // "the border with France" is a line, and not France.
  const isShared = countAt(LINES, thing) === things && countAt(WITH, thing + things) > 0;
  const links = things === 0 || isShared ? 0 : countAt(OF, thing + things);
  if (links > 0) first = thing + things + links;
  let last = words.length;
  for (let count = MOST_WORDS; count > 0; count--) {
    const end = words.slice(last - count, last);
    const isDrawn = last - count > first && !LEVELS.has(words[last - count - 1]?.folded ?? '');
    if (last - count < first || !(isPhrase(end, AT_END, text) || (isDrawn && isPhrase(end, DRAWN, text)))) continue;
    last -= count;
    count = MOST_WORDS + 1;
  }
  return [first, last - 1];
}

/** The offsets of headings inside of a list: "Depot A = Huelva; Depot B = Cádiz". */
function headingsWithin(words: readonly Word[], text: string): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  if (!/[:=]/u.test(text)) return found;
  for (const [i, { from }] of words.entries()) {
    const before = words[i - 1];
    if (!before || !/[;,\n]/u.test(text.slice(before.to, from))) continue;
    const last = words[i + headingAt(words, i, text) - 1];
    if (last && last !== before) found.push([from, afterSigns(text, last.to)]);
  }
  return found;
}

/** Words in the longest heading. */
const MOST_HEADING = 6;

/**
 * Words of a heading from a word on, which a colon or an equals sign ends: "Territory:", "Q3 team 4 =", "New area for Bob:".
 * 0 if there is none. It says nothing but what the area is used for: a noun for that, and words that go with it.
 */
function headingAt(words: readonly Word[], at: number, text: string): number {
  for (let count = 1; count <= Math.min(MOST_HEADING, words.length - at); count++) {
    const heading = words.slice(at, at + count);
    const [first, last, next] = [heading[0], heading.at(-1), words[at + count]];
    if (!first || !last || !next || !/^(?:\s*[:=]|\s[-–—]\s)/u.test(text.slice(last.to, next.from))) continue;
    if (!/^[\p{L}\p{M}\p{N}\s'’#/-]+$/u.test(text.slice(first.from, last.to))) return 0;
    const isNoun = ({ folded }: Word): boolean => HEADINGS.has(folded);
    const isWith = ({ folded, from }: Word, i: number): boolean =>
      BESIDE_HEADINGS.has(folded) ||
      /^(?:\p{L}{0,2}\d{1,4}|\p{L})$/u.test(folded) ||
      (FOR.has(heading[i - 1]?.folded ?? '') && /^\p{Lu}/u.test(text.slice(from)) && !isKnownPlace(folded));
    const isSide = heading.some(({ folded }) => SIDES.has(folded));
    if (!heading.some(isNoun) || (isSide && !heading.some(({ folded }) => SOLD.has(folded)))) return 0;
    return heading.every((word, i) => isNoun(word) || isWith(word, i) || SIDES.has(word.folded)) ? count : 0;
  }
  return 0;
}

/** Whether some words are a phrase of a set, without signs between them, and no code: "HI, AK", "show ME, NH". */
function isPhrase(words: readonly Word[], set: ReadonlySet<string>, text: string): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last || !set.has(words.map(({ folded }) => folded).join(' '))) return false;
  const written = text.slice(first.from, last.to);
  if (!/^[\p{L}\p{M}\p{N}\s'’-]+$/u.test(written)) return false;
  const isCapital = words.length > 1 && written === written.toUpperCase();
  return isCapital || !words.some(({ from, to }) => /^\p{Lu}{2}$/u.test(text.slice(from, to)));
}
