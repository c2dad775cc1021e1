/** Longer queries are searched as written only. */
const MAX_LETTERS = 48;

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

/** Short words of the Latin alphabet have so few spellings one slip away that each can be looked up. */
const SHORT = /^[a-z]{4,5}$/;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The word_similarity (pg_trgm) that a name needs to be looked at: what is left, at worst, of a query after one slip
 * that is not looked up itself (see slips). A word of n letters has n + 1 trigrams; a wrong letter spoils three, and the
 * three that the name has instead count against it.
 * Null: every slip is looked up.
 */
export function likenessWanted(folded: string, ascii: string): number | null {
  if (SHORT.test(folded)) return null;
  const trigrams = ascii
    .split(' ')
    .filter((word) => word !== '')
    .reduce((sum, word) => sum + word.length + 1, 0);
  if (trigrams <= 5) return 0.39;
  return trigrams === 6 ? 0.33 : 0.4;
}

/**
 * Spellings one slip away: all of a short Latin word (299 at most); of others those that share too few trigrams with
 * it, two neighbours swapped and one letter dropped.
 */
export function slips(folded: string): string[] {
  const letters = [...folded];
  const short = SHORT.test(folded);
  const spellings = new Set<string>();
  for (let i = 0; i <= letters.length; i++) {
    const [before, from, after] = [letters.slice(0, i), letters.slice(i), letters.slice(i + 1)].map((one) =>
      one.join(''),
    );
    if (i < letters.length) spellings.add((before + after).trim());
    if (i > 0 && i < letters.length) {
      spellings.add((letters.slice(0, i - 1).join('') + letters[i] + letters[i - 1] + after).trim());
    }
    if (!short) continue;
    for (const letter of ALPHABET) spellings.add(before + letter + after).add(before + letter + from);
    if (i > 0 && i < letters.length) spellings.add(`${before} ${from}`).add(`${before} ${after}`.trim());
  }
  spellings.delete(folded);
  spellings.delete('');
  return [...spellings];
}

/**
 * How a folded name resembles a folded query, as a step after the good matches (smaller is closer), or null when it
 * does not: 5.5 every word of the query starts a word of the name; from 6 the whole name is within the allowed slips;
 * from 7 as many of its words are; from 8 its start is (queries of six letters and more).
 */
export function resemblance(query: string, name: string): number | null {
  const words = name.split(' ');
  const wanted = query.split(' ');
  if (wanted.length > 1 && wanted.every((word) => words.some((other) => other.startsWith(word)))) return 5.5;
  const allowed = allowedSlips(query);
  const letters = [...query];
  const whole = distance(letters, [...name], allowed);
  if (whole <= allowed) return 6 + whole / 10;
  let inside = allowed + 1;
  for (let i = 0; i + wanted.length <= words.length; i++) {
    const run = words.slice(i, i + wanted.length).join(' ');
    inside = Math.min(inside, distance(letters, [...run], allowed));
  }
  if (inside <= allowed) return 7 + inside / 10;
  if (letters.length < 6) return null;
  const starts = startDistance(letters, [...name].slice(0, letters.length + allowed));
  return starts <= allowed ? 8 + starts / 10 : null;
}

/** Slips between two words; anything above `most` when there are more. */
function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const last = lastRow(a, b);
  return last[b.length];
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
      let best = Math.min(old[j] + 1, row[j - 1] + 1, old[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, older[j - 2] + 1);
      row[j] = Math.min(best, 255);
    }
  }
  return row;
}
