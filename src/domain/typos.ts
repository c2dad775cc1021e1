import { defined } from '../elements.ts';

/** Longer queries are searched as written only. */
const MAX_LETTERS = 48;

/** Letters of a query from which on the start of a name is taken for it, slips and all. */
const STARTS_FROM = 7;

/**
 * How many slips (a letter wrong, missing, too many, or two swapped) a folded query may be away from a name: one from
 * four letters on (three in scripts of thousands of letters), two from eight on, none beyond 48.
 */
export function allowedSlips(folded: string): 0 | 1 | 2 {
  const letters = [...folded].length;
  if (letters > MAX_LETTERS) return 0;
  if (letters >= 8) return 2;
  return letters >= (/[\u2e80-\uffff]|[\u{20000}-\u{3ffff}]/u.test(folded) ? 3 : 4) ? 1 : 0;
}

/** Words of the Latin alphabet that may be one slip off have so few spellings that each can be looked up. */
const LOOKED_UP = /^[a-z]{4,7}$/;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Spellings one slip away: of a Latin word of up to seven letters all (405 at most); otherwise those that may share too
 * few trigrams with it, two neighbors swapped and one letter dropped.
 * @param mayFollow of the alphabet and the blank, at least what follows a start in names: other letters are not tried
 */
export function slips(folded: string, mayFollow: (start: string) => string = () => `${ALPHABET} `): string[] {
  const spellings = new Set<string>();
  let [from, last] = [0, ''];
  for (const letter of folded) {
    const at = from + last.length;
    const after = folded.slice(at + letter.length);
    spellings.add((folded.slice(0, at) + after).trim());
    if (last !== '') spellings.add((folded.slice(0, from) + letter + last + after).trim());
    from = at;
    last = letter;
  }
  if (LOOKED_UP.test(folded)) {
    for (let i = 0; i <= folded.length; i++) {
      const [before, after] = [folded.slice(0, i), folded.slice(i)];
      for (const letter of mayFollow(before)) {
        // A blank is a letter between others.
        if (letter === ' ' && (i === 0 || i >= folded.length - 1)) continue;
        spellings.add(before + letter + after).add(before + letter + after.slice(1));
      }
    }
  }
  spellings.delete(folded);
  spellings.delete('');
  return [...spellings];
}

/**
 * What stands behind the last text that begins with a spelling: of a short query, a word of it (what follows a blank in
 * the order of code points), else any start.
 */
export function endOfSpelling(folded: string): string {
  return [...folded].length < STARTS_FROM ? '!' : '\u{10ffff}';
}

/** The word_similarity that most names have that people would take for the query. */
const LIKE = 0.4;

/**
 * The values of word_similarity (pg_trgm) to ask for in turn, until something is found: first what is left, at worst,
 * of a word after one slip that is not looked up itself, which few names have, then what may be left after two. 1, which
 * no name has that is not the query, where every slip is looked up.
 *
 * A wrong letter spoils three of the n trigrams of a word, and the three that the name has instead count against it:
 * n - 3 in common of n + 3 altogether. Of several words some may be missing in between.
 */
export function likenessesWanted(folded: string, ascii: string): number[] {
  if (LOOKED_UP.test(folded)) return [1];
  const words = ascii.split(' ').filter((word) => word !== '');
  const trigrams = new Set<string>();
  for (const word of words) for (let i = 0; i <= word.length; i++) trigrams.add(`  ${word} `.slice(i, i + 3));
  const count = trigrams.size;
  const oneSlip = (count - 3) / (count + 3) - 1e-3;
  if (words.length === 1 && oneSlip > LIKE) return [oneSlip, LIKE];
  // Of words that short, a name of one slip more would be another word.
  if (count <= 5) return [0.39];
  return [count === 6 ? 0.33 : LIKE];
}

/** The code points of a text. */
export function lettersOf(text: string): Uint32Array {
  const letters = new Uint32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) as number;
    if (point > 0xffff) i++;
    letters[count++] = point;
  }
  return letters.subarray(0, count);
}

/**
 * Tells how folded names resemble a folded query, as a step after the good matches (smaller is closer), or null when
 * one does not: 5.5 every word of the query starts a word of the name; from 6 the whole name is within the allowed
 * slips; from 7 as many of its words are; from 8 its start is but for one (queries of seven letters and more).
 * @param allowed the most slips (allowedSlips)
 * @returns of the first `length` code points of a name; `later`: it is but what another name has behind its first words
 */
export function resemblanceTo(
  query: string,
  allowed: number,
): (name: Uint32Array, length: number, later: boolean) => number | null {
  const letters = lettersOf(query);
  const wanted = query.split(' ').map(lettersOf);
  return (name, length, later) => {
    if (wanted.length > 1 && wanted.every((word) => startsWord(word, name, length))) return 5.5;
    const whole = distance(letters, name, 0, length, allowed);
    if (whole <= allowed) {
      // A breaker of ties: people lose, double and swap letters more often than they write another, the first least of all.
      const replaced = letters.length === length && sorted(name.slice(0, length)) !== sorted(letters);
      return (later ? 7 : 6) + whole / 10 + ((replaced ? 0.05 : 0) + (letters[0] === name[0] ? 0 : 0.02));
    }
    let inside = allowed + 1;
    for (let from = 0, words = 1, to = -1; to < length; ) {
      to = endOfWord(name, length, to + 1);
      // As many words as the query has, from each on.
      if (words++ < wanted.length) continue;
      inside = Math.min(inside, distance(letters, name, from, to, allowed));
      from = endOfWord(name, length, from) + 1;
    }
    if (inside <= allowed) return 7 + inside / 10;
    if (letters.length < STARTS_FROM) return null;
    // Two slips in a part of a name are another word.
    const starts = startDistance(letters, name, Math.min(length, letters.length + 1), 1);
    return starts <= 1 ? 8 + starts / 10 : null;
  };
}

const sorted = (letters: Uint32Array): string => letters.toSorted().join();

const BLANK = 0x20;

/** Where the word ends that starts at `from`. */
function endOfWord(name: Uint32Array, length: number, from: number): number {
  let to = from;
  while (to < length && name[to] !== BLANK) to++;
  return to;
}

/** Whether a word of a name starts with these letters. */
function startsWord(word: Uint32Array, name: Uint32Array, length: number): boolean {
  for (let from = 0; from + word.length <= length; from = endOfWord(name, length, from) + 1) {
    let same = 0;
    while (same < word.length && name[from + same] === word[same]) same++;
    if (same === word.length) return true;
  }
  return false;
}

/** Three rows of distances, from so many letters of a query to every start of a name, that are used again. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_LETTERS + 4)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Slips between `a`, of at most 48 letters, and the letters of a name from `from` up to `to`; anything above `most` when
 * there are more. Optimal string alignment (Damerau 1964, each letter edited once), of which only the distances are
 * worked out that can be at most `most`: those less than so many places off the diagonal.
 */
function distance(a: Uint32Array, name: Uint32Array, from: number, to: number, most: number): number {
  if (Math.abs(to - from - a.length) > most) return most + 1;
  const row = lastRow(a, name, from, to, most);
  return row === null ? most + 1 : defined(row[to - from]);
}

/** The same to the start of a name that is nearest. */
function startDistance(a: Uint32Array, name: Uint32Array, length: number, most: number): number {
  if (a.length - length > most) return most + 1;
  const row = lastRow(a, name, 0, length, most);
  let least = most + 1;
  for (let j = a.length - most; row !== null && j <= Math.min(length, a.length + most); j++) {
    least = Math.min(least, defined(row[j]));
  }
  return least;
}

/** The last row of the distances, as far as they are worked out; null: all are above `most`. */
function lastRow(a: Uint32Array, name: Uint32Array, from: number, to: number, most: number): Uint8Array | null {
  const length = to - from;
  let [older, old, row] = ROWS;
  for (let j = 0; j <= length && j <= most + 1; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const next = older;
    older = old;
    old = row;
    row = next;
    const first = i > most ? i - most : 1;
    const last = Math.min(length, i + most);
    // The distance to no letter; before the first that is worked out, one that is too large.
    let best = first === 1 ? i : most + 1;
    let least = best;
    row[first - 1] = best;
    const [letter, before] = [a[i - 1], a[i - 2]];
    for (let j = first; j <= last; j++) {
      const other = name[from + j - 1];
      const replaced = defined(old[j - 1]) + (letter === other ? 0 : 1);
      best = best < replaced ? best + 1 : replaced;
      // The row before ends one sooner.
      if (j < i + most && defined(old[j]) < best) best = defined(old[j]) + 1;
      if (i > 1 && j > 1 && before === other && letter === name[from + j - 2]) {
        best = Math.min(best, defined(older[j - 2]) + 1);
      }
      row[j] = best;
      if (best < least) least = best;
    }
    // A swap starts two rows before, where nothing was less than one below this.
    if (least > most) return null;
  }
  return row;
}
