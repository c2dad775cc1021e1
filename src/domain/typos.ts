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
 */
export function slips(folded: string): string[] {
  const letters = [...folded];
  const spellings = new Set<string>();
  for (let i = 0; i < letters.length; i++) {
    const [before, after] = [letters.slice(0, i).join(''), letters.slice(i + 1).join('')];
    spellings.add((before + after).trim());
    if (i > 0) spellings.add((letters.slice(0, i - 1).join('') + letters[i] + letters[i - 1] + after).trim());
  }
  if (LOOKED_UP.test(folded)) {
    for (let i = 0; i <= folded.length; i++) {
      const [before, after] = [folded.slice(0, i), folded.slice(i)];
      // A blank is a letter between others.
      const inside = i > 0 && i < folded.length - 1;
      for (const letter of inside ? `${ALPHABET} ` : ALPHABET) {
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

/**
 * How a folded name resembles a folded query, as a step after the good matches (smaller is closer), or null when it
 * does not: 5.5 every word of the query starts a word of the name; from 6 the whole name is within the allowed slips;
 * from 7 as many of its words are; from 8 its start is but for one (queries of seven letters and more). `later`: the name is but what
 * another name has behind its first words; `allowed`: the most slips (allowedSlips).
 */
export function resemblance(query: string, name: string, later: boolean, allowed: number): number | null {
  const words = name.split(' ');
  const wanted = query.split(' ');
  if (wanted.length > 1 && wanted.every((word) => words.some((other) => other.startsWith(word)))) return 5.5;
  const letters = [...query];
  const whole = distance(letters, [...name], allowed);
  if (whole <= allowed) return (later ? 7 : 6) + whole / 10 + unlikeliness(query, name);
  let inside = allowed + 1;
  for (let i = 0; i + wanted.length <= words.length; i++) {
    const run = words.slice(i, i + wanted.length).join(' ');
    inside = Math.min(inside, distance(letters, [...run], allowed));
  }
  if (inside <= allowed) return 7 + inside / 10;
  if (letters.length < STARTS_FROM) return null;
  // Two slips in a part of a name are another word.
  const starts = startDistance(letters, [...name].slice(0, letters.length + 1));
  return starts <= 1 ? 8 + starts / 10 : null;
}

/** A breaker of ties: people lose, double and swap letters more often than they write another, the first least of all. */
function unlikeliness(query: string, name: string): number {
  const replaced = query.length === name.length && [...query].sort().join('') !== [...name].sort().join('');
  return (replaced ? 0.05 : 0) + (query[0] === name[0] ? 0 : 0.02);
}

/** Slips between two words; anything above `most` when there are more. */
function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const last = lastRow(a, b);
  return defined(last[b.length]);
}

/** Slips between `a` and the start of `b` that is nearest to it. */
function startDistance(a: readonly string[], b: readonly string[]): number {
  return Math.min(...lastRow(a, b));
}

/**
 * Optimal string alignment distances (Damerau 1964, each letter edited once) from all of `a` to every start of `b`.
 */
function lastRow(a: readonly string[], b: readonly string[]): Uint8Array {
  const width = b.length + 1;
  let [older, old, row] = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];
  for (let j = 0; j < width; j++) row[j] = Math.min(j, 255);
  for (let i = 1; i <= a.length; i++) {
    [older, old, row] = [old, row, older];
    row[0] = Math.min(i, 255);
    for (let j = 1; j < width; j++) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(defined(old[j]) + 1, defined(row[j - 1]) + 1, defined(old[j - 1]) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, defined(older[j - 2]) + 1);
      row[j] = Math.min(best, 255);
    }
  }
  return row;
}
