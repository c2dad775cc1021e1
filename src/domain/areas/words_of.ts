import { foldName } from '../names/fold.ts';

/** A word of a text: its folded form, and the offsets of its first character and after its last. */
export interface Word {
  readonly folded: string;
  readonly from: number;
  readonly to: number;
}

/** Characters of a description in which places may be taken back: a longer one says so in sentences, which are not read. */
export const MOST_TAKEN_BACK = 300;

/** The words of a text, in order. */
export const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu), ({ 0: word, index: from }) => ({
    folded: foldName(word),
    from,
    to: from + word.length,
  }));

/** Folded phrases of comma-separated lists, with the words of the longest. */
export interface Phrases {
  readonly all: ReadonlySet<string>;
  readonly longest: number;
}

/** Reads comma-separated phrases; apostrophes and hyphens divide words. */
export function phrasesOf(...lists: readonly string[]): Phrases {
  const all = lists.flatMap((text) =>
    text.split(', ').map((one) => foldName(one.replaceAll("'", ' ').replaceAll('’', ' ').replaceAll('-', ' '))),
  );
  return { all: new Set(all), longest: Math.max(...all.map((one) => one.split(' ').length)) };
}

/** Words of the longest phrase that begins at a word; 0 if none does. */
export function phraseAt(words: readonly Word[], at: number, { all, longest }: Phrases): number {
  for (let count = Math.min(longest, words.length - at); count > 0; count--) {
    const phrase = words.slice(at, at + count).map(({ folded }) => folded);
    if (all.has(phrase.join(' '))) return count;
  }
  return 0;
}

/** A text without blanks and signs at its ends, and its offset in the text. */
export function bareOf(text: string, signs = '.,;:!?()"\'“”„«»*|'): { readonly text: string; readonly from: number } {
  const isOut = (at: number): boolean => /\s/u.test(text.charAt(at)) || signs.includes(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isOut(from)) from++;
  while (to > from && isOut(to - 1)) to--;
  return { text: text.slice(from, to), from };
}
