import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { clip } from './description_error.ts';
import type { Lexicon } from './spans.ts';
import {
  IN_LIST,
  INSTEAD,
  LEAVING_OUT,
  MARKS,
  NOT_BUT,
  ONLY,
  REPLACE,
  SHORT_MARKS,
  TAKEN_BACK,
} from './vocabulary/replacements.ts';
import { LEVEL_PHRASES, LINKS } from './vocabulary/small.ts';
import { type Sentence, said } from './wording/said.ts';
import { bareOf, MOST_TAKEN_BACK, phraseAt, type Word, wordsOf } from './words_of.ts';

// Places that a description takes back: "not Kansas but Nebraska", "Utah instead of Idaho", "Maine, no wait, Vermont".

/** A description without the places that it takes back, with blanks in their place. */
export interface Kept {
  readonly text: string;
  readonly choices: readonly Sentence[];
}

/** What is left out, what stands in its place, and the text with blanks where words were. */
interface Change {
  readonly out: string;
  readonly by: string;
  readonly text: string;
}

/** A description, its words, and whether a part of it is nothing but known names. */
interface Given {
  readonly text: string;
  readonly words: readonly Word[];
  isNames(part: string): boolean;
}

/**
 * A description without the places that it takes back, at the same offsets. Only whole names count on both sides, and a
 * place that is taken back is nowhere else in it; otherwise the text is unchanged, so that the grammar refuses it.
 */
export function withoutReplaced(text: string, lexicon: Pick<Lexicon, 'has'>): Kept {
  if (text.length > MOST_TAKEN_BACK) return { text, choices: [] };
  const isNames = (part: string): boolean => {
    const names = namesIn(part);
    return names.length > 0 && names.every((one) => isName(one, lexicon));
  };
  const given: Given = { text, words: wordsOf(text), isNames };
  const change = notBut(given) ?? instead(given) ?? corrected(given) ?? takenBack(given) ?? replacedInList(given);
  if (change === null) return { text, choices: [] };
  const [out, by] = [clip(bareOf(change.out).text), clip(bareOf(change.by).text)];
  return { text: change.text, choices: [said`"${out}" is left out: "${by}" stands in its place`] };
}

const blanks = (length: number): string => ' '.repeat(length);

/** The offset of a word, or the end of the text. */
const startOf = ({ text, words }: Given, at: number): number => words[at]?.from ?? text.length;

/** The part of a text from one word up to another, without the signs between it and the next. */
const partOf = (given: Given, from: number, to: number): string =>
  to <= from ? '' : given.text.slice(startOf(given, from), given.words[to - 1]?.to ?? 0);

/** What is between a word and the one before it. */
const gapBefore = ({ text, words }: Given, at: number): string => text.slice(words[at - 1]?.to ?? 0, words[at]?.from);

/** The last part of a description in place of an earlier one, if both are names. */
function lastOnly(given: Given, out: string, at: number): Change | null {
  const from = startOf(given, at);
  const by = given.text.slice(from);
  if (!given.isNames(out) || !given.isNames(by)) return null;
  return { out, by, text: blanks(from) + by };
}

/** "not Kansas but Nebraska" */
function notBut(given: Given): Change | null {
  const { words } = given;
  for (const { not, only, but, also } of NOT_BUT) {
    const start = phraseAt(words, 0, not);
    if (start === 0 || phraseAt(words, start, only) > 0) continue;
    for (let at = start + 1; at < words.length; at++) {
      const count = phraseAt(words, at, but);
      if (count === 0 || phraseAt(words, at + count, also) > 0) continue;
      const found = lastOnly(given, partOf(given, start, at), at + count);
      if (found) return found;
    }
  }
  return null;
}

/** "Utah instead of Idaho", "instead of Idaho, Utah" */
function instead(given: Given): Change | null {
  const { text, words, isNames } = given;
  const first = phraseAt(words, 0, INSTEAD);
  for (let at = 1; first > 0 && at < words.length; at++) {
    if (!/[,;]/u.test(gapBefore(given, at))) continue;
    const [out, rest] = [partOf(given, first, at), text.slice(startOf(given, at))];
    return isNames(out) && isNames(rest) && !shares(rest, out) ? lastOnly(given, out, at) : null;
  }
  for (let at = 1; at < words.length; at++) {
    const count = phraseAt(words, at, INSTEAD);
    if (count === 0) continue;
    const [by, out] = [partOf(given, 0, at), partOf(given, at + count, words.length)];
    if (!isNames(by) || !isNames(out) || shares(by, out)) return null;
    const end = words[at - 1]?.to ?? 0;
    return { out, by, text: text.slice(0, end) + blanks(text.length - end) };
  }
  return null;
}

/** Whether a gap between words has a sign that ends a part of a sentence. */
const isEnding = (gap: string): boolean => /[,;.…?!–—:]|\s-\s/u.test(gap);

/** "Maine, no wait, Vermont": as many places behind it as in front of it, or "Maine, Vermont, sorry, only Vermont". */
function corrected(given: Given): Change | null {
  const { words } = given;
  for (let at = 1; at < words.length; at++) {
    if (!isEnding(gapBefore(given, at))) continue;
    let end = at;
    for (let count = markAt(given, end); count > 0; count = markAt(given, end)) end += count;
    if (end === at || end >= words.length || phraseAt(words, end, LEAVING_OUT) > 0) continue;
    const [out, by] = [partOf(given, 0, at), partOf(given, end, words.length)];
    const only = phraseAt(words, end, ONLY);
    if (only > 0) return lastOnly(given, out, end + only);
    // "the province of Soria, no, Segovia" may mean the city.
    if (namesIn(out).length === namesIn(by).length && hasLevel(out) === hasLevel(by)) return lastOnly(given, out, end);
  }
  return null;
}

/** Words of a mark at a word; a short one is between signs, or in front of another one. */
function markAt(given: Given, at: number): number {
  const count = phraseAt(given.words, at, MARKS);
  if (count > 0 || phraseAt(given.words, at, SHORT_MARKS) === 0) return count;
  return isEnding(gapBefore(given, at + 1)) || phraseAt(given.words, at + 1, MARKS) > 0 ? 1 : 0;
}

/** "scratch Utah, use Nevada" */
function takenBack(given: Given): Change | null {
  const { words } = given;
  let first = 0;
  for (let count = phraseAt(words, 0, MARKS); count > 0; count = phraseAt(words, first, MARKS)) first += count;
  for (const { before, between } of TAKEN_BACK) {
    const count = phraseAt(words, first, before);
    if (count === 0) continue;
    const start = first + count;
    for (let at = start + 1; at < words.length; at++) {
      const count = phraseAt(words, at, between);
      const found = count === 0 ? null : lastOnly(given, partOf(given, start, at), at + count);
      if (found) return found;
    }
  }
  return null;
}

/** "replace Utah with Nevada in: Utah, Idaho": the place is once in the list. */
function replacedInList(given: Given): Change | null {
  const { text, words, isNames } = given;
  for (const { verb, by: between } of REPLACE) {
    const start = phraseAt(words, 0, verb);
    if (start === 0) continue;
    const at = words.findIndex((_, i) => i > start && phraseAt(words, i, between) > 0);
    const head = words.findIndex((_, i) => i > at + 1 && gapBefore(given, i).includes(':'));
    if (at < 0 || head < 0) return null;
    let end = head;
    for (let i = at + 2; i < head; i++) if (i + phraseAt(words, i, IN_LIST) === head) end = Math.min(end, i);
    const [out, by] = [partOf(given, start, at), partOf(given, at + phraseAt(words, at, between), end)];
    const list = text.slice(startOf(given, head));
    if (!isNames(out) || !isNames(by) || !isNames(list) || shares(list, by) || namesIn(out).length > 1) return null;
    const kept = withoutItem(list, out);
    if (kept === null) return null;
    const first = startOf(given, at + phraseAt(words, at, between));
    const front = `${blanks(first)}${by};`.padEnd(startOf(given, head));
    return { out, by, text: front + kept };
  }
  return null;
}

/** A list with semicolons, without an item that is once in it; null if it is not, or is all of it. */
function withoutItem(list: string, item: string): string | null {
  const folded = foldName(item);
  let [kept, found, left] = ['', 0, 0];
  for (const part of list.split(/(?<=[,;])/u)) {
    const isIt = foldName(bareOf(part).text) === folded;
    if (isIt) found++;
    else left++;
    kept += isIt ? blanks(part.length) : part.replaceAll(',', ';');
  }
  return found === 1 && left > 0 ? kept : null;
}

/** Whether two lists of names have one in common. */
function shares(one: string, other: string): boolean {
  const names = new Set(namesIn(one).map(foldName));
  return namesIn(other).some((name) => names.has(foldName(name)));
}

/** The items of a list, without signs and "not" around them. */
const namesIn = (list: string): string[] =>
  list
    .split(/[,;+&/]|(?<=\s)(?:and|y|e|und|et|or|o|oder|ou|nor|ni|noch)(?=\s)/iu)
    .map((item) => bareOf(item).text)
    .map((item) => (/^not\s/iu.test(item) ? bareOf(item.slice(3)).text : item))
    .filter((item) => item !== '');

/** Whether a word for a level is in a list. */
const hasLevel = (list: string): boolean => wordsOf(list).some(({ folded }) => LEVEL_PHRASES.has(folded));

/** Whether an item is a known name, perhaps with its level: "the state of Ohio", "Cook County". */
function isName(item: string, { has }: Pick<Lexicon, 'has'>): boolean {
  const words = item.split(/\s+/u);
  const isKnown = (part: readonly string[]): boolean => {
    const text = part.join(' ');
    // "l'Algérie"
    const names = [text, text.replace(/^[ld]['’]/iu, '')].map(foldName);
    return names.some((folded) => folded !== '' && (has(folded) || groupOf(folded) !== null));
  };
  if (isKnown(words)) return true;
  for (let start = 0; start < words.length; start++) {
    const before = foldName(words[start - 1] ?? '');
    if (start > 0 && !LINKS.has(before) && !LEVEL_PHRASES.has(before)) return false;
    if (isKnown(words.slice(start))) return true;
    const last = words.slice(start, -1);
    if (last.length > 0 && LEVEL_PHRASES.has(foldName(words.at(-1) ?? '')) && isKnown(last)) return true;
  }
  return false;
}
