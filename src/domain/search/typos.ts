import { defined } from '../../common/elements.ts';

/** Letters of a query beyond which misspellings are not searched. */
const MAX_LETTERS = 48;

/** Letters of a query, and of a name, from which they may be two typos apart. */
const TWO_TYPOS_FROM = 8;

/** Letters from which a query can match the start of a name with typos. */
const STARTS_FROM = 7;

/**
 * Returns how many typos a folded query may be away from a name. A typo is a wrong, missing or extra letter, or two
 * swapped ones. One from four letters on (three in scripts of thousands of letters), two from eight on, none above 48.
 */
export function allowedEdits(folded: string): 0 | 1 | 2 {
  const letters = [...folded].length;
  if (letters > MAX_LETTERS) return 0;
  if (letters >= TWO_TYPOS_FROM) return 2;
  return letters >= (/[\u2e80-\uffff]|[\u{20000}-\u{3ffff}]/u.test(folded) ? 3 : 4) ? 1 : 0;
}

const LOOKED_UP = /^[a-z]{4,7}$/;
/** Whether a folded text is a Latin word that is short enough to look up every spelling within one typo. */
export const isShortWord = (folded: string): boolean => LOOKED_UP.test(folded);
/** The letters that a typo may be. */
export const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Returns spellings one typo away. For a Latin word of up to seven letters, all of them (405 at most). For others only
 * those that may share too few trigrams with the word: two neighbors swapped or one letter dropped.
 */
export function oneEditAway(folded: string): string[] {
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
  if (isShortWord(folded)) {
    for (let i = 0; i <= folded.length; i++) {
      const [before, after] = [folded.slice(0, i), folded.slice(i)];
      for (const letter of `${ALPHABET} `) {
        // A blank is only tried between letters.
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
 * Returns the suffix of the last text, in code point order, that counts as starting with a spelling: for a short query
 * only whole words (a blank follows), otherwise any start.
 */
export function endOfSpelling(folded: string): string {
  return [...folded].length < STARTS_FROM ? '!' : '\u{10ffff}';
}

/** Least word_similarity of most names that people would accept for the query. */
const LIKE = 0.4;

/**
 * Returns the values of word_similarity (pg_trgm) to try in turn until something is found. First the least that one
 * typo leaves, if not every spelling is looked up, which few names reach; then what two typos may leave. If every
 * spelling is looked up, 1, which no name but the query itself has.
 *
 * A wrong letter spoils three of the n trigrams of a word, and the three that the name has instead also count: n - 3 in
 * common of n + 3 altogether. Of several words, some may be missing in between.
 */
export function similarityThresholds(folded: string, ascii: string): number[] {
  if (isShortWord(folded)) return [1];
  const words = ascii.split(' ').filter((word) => word !== '');
  const trigrams = new Set<string>();
  for (const word of words) for (let i = 0; i <= word.length; i++) trigrams.add(`  ${word} `.slice(i, i + 3));
  const count = trigrams.size;
  const oneTypo = (count - 3) / (count + 3) - 1e-3;
  if (words.length === 1 && oneTypo > LIKE) return [oneTypo, LIKE];
  // In words this short, one more typo would make another word.
  if (count <= 5) return [0.39];
  return [count === 6 ? 0.33 : LIKE];
}

/** Trigrams that one typo spoils at most: two swapped letters are in four. */
const SPOILED = 4;

/**
 * Returns the least share of the trigrams of a query that a name has to which similarityGrader() gives a step: all but
 * those that the allowed typos spoil, or but the last one of each word. 0 for other letters than those of toAscii(), which are
 * written with several.
 */
export function leastShareOf(folded: string, ascii: string): number {
  if (folded !== ascii) return 0;
  const words = ascii.split(' ');
  const trigrams = new Set(words.flatMap((word) => [...`${word} `].map((_, i) => `  ${word} `.slice(i, i + 3))));
  const spoiled = Math.max(SPOILED * allowedEdits(folded), words.length);
  return Math.max(0, (trigrams.size - spoiled) / trigrams.size);
}

/** Returns the code points of a text. */
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

/** Added to a step for a letter too many that is not a doubled one. */
const ADDED = 0.03;

/**
 * Creates a function that grades how a folded name resembles a folded query. It returns a step after the good matches
 * (smaller is closer), or null: 5.5 every word of the query starts a word of the name; from 6 the whole name is within
 * the allowed typos; from 7 as many consecutive words of it are; from 8 its start is within one typo (queries of seven
 * or more letters).
 * @param allowed the maximum number of typos (allowedEdits)
 * @returns grades the first `length` code points of a name; `later`: they are a name without its first words
 */
export function similarityGrader(
  query: string,
  allowed: number,
): (name: Uint32Array, length: number, later: boolean) => number | null {
  const letters = lettersOf(query);
  const wanted = query.split(' ').map(lettersOf);
  return (name, length, later) => {
    if (wanted.length > 1 && wanted.every((word) => startsWord(word, name, length))) return 5.5;
    const whole = distance(letters, name, 0, length, allowed);
    if (whole <= allowed && (whole < 2 || isOneName(letters, wanted, name, length))) {
      // Tie-breaker: people drop, double and swap letters more often than they add another or replace one, least often the
      // first letter.
      const replaced = letters.length === length && sorted(name.slice(0, length)) !== sorted(letters);
      const added = letters.length > length && !isDoubled(letters, name, length);
      const unusual = (replaced ? 0.05 : added ? ADDED : 0) + (letters[0] === name[0] ? 0 : 0.02);
      return (later ? 7 : 6) + whole / 10 + unusual;
    }
    let inside = allowed + 1;
    for (let from = 0, words = 1, to = -1; to < length; ) {
      to = endOfWord(name, length, to + 1);
      // Windows of as many words as the query has.
      if (words++ < wanted.length) continue;
      const apart = distance(letters, name, from, to, allowed);
      if (apart < 2 || (apart <= allowed && fitWords(wanted, name, from, to))) inside = Math.min(inside, apart);
      from = endOfWord(name, length, from) + 1;
    }
    // So do two typos in one word of a name.
    if (inside <= (wanted.length === 1 ? Math.min(allowed, 1) : allowed)) return 7 + inside / 10;
    // "Macondo" is not the beginning of Maconcourt.
    if (letters.length < STARTS_FROM || wanted.length === 1) return null;
    // Two typos in a part of a name would make it another word.
    const starts = startDistance(letters, name, Math.min(length, letters.length + 1), 1);
    return starts <= 1 ? 8 + starts / 10 : null;
  };
}

/** Whether a name can be the one meant by a query, of these words, that is two typos away from it. */
function isOneName(letters: Uint32Array, wanted: readonly Uint32Array[], name: Uint32Array, length: number): boolean {
  // "my house" is not Mulhouse: a blank is one typo, and then no other.
  if (blanks(name, length) !== wanted.length - 1) return false;
  // Two typos in a name of seven letters, or beside another first letter, make another word: Westeros is not Western.
  if (wanted.length === 1 && (length < TWO_TYPOS_FROM || letters[0] !== name[0])) return false;
  return fitWords(wanted, name, 0, length);
}

/** Whether a step of similarityGrader() is that of a whole name with one letter missing, too many or swapped. */
export function isOtherwiseSpelled(step: number): boolean {
  return [0, ADDED].some((more) => Math.abs(step - 6.1 - more) < 1e-6);
}

/** Whether the first letter in which a longer text differs from a name is the one before or behind it again. */
function isDoubled(letters: Uint32Array, name: Uint32Array, length: number): boolean {
  let at = 0;
  while (at < length && letters[at] === name[at]) at++;
  return letters[at] === letters[at - 1] || letters[at] === letters[at + 1];
}

/** Articles of which another one makes another name. */
const ARTICLES: ReadonlySet<string> = new Set('la las los les els'.split(' '));

/** Letters from which a word of several can have two typos. */
const WORD_FROM = 4;

/** Whether no short word of several has two typos: "ana costa" is not "la costa". True if the numbers of words differ. */
function fitWords(wanted: readonly Uint32Array[], name: Uint32Array, from: number, to: number): boolean {
  if (wanted.length === 1) return true;
  const ends: number[] = [];
  for (let end = from - 1; end < to; ) {
    end = endOfWord(name, to, end + 1);
    ends.push(end);
  }
  if (ends.length !== wanted.length) return true;
  return wanted.every((word, i) => {
    const [start, end] = [i === 0 ? from : (ends[i - 1] as number) + 1, ends[i] as number];
    if (Math.min(word.length, end - start) >= WORD_FROM) return true;
    const apart = distance(word, name, start, end, 1);
    // Nor does a name have one typo in its article and one in its noun: "las ramblas" is not "la rambla".
    return apart === 0 || (apart === 1 && !ARTICLES.has(String.fromCodePoint(...word)));
  });
}

const sorted = (letters: Uint32Array): string => letters.toSorted().join();

const BLANK = 0x20;

/** Number of blanks in the first letters of a name. */
function blanks(name: Uint32Array, length: number): number {
  let count = 0;
  for (let i = 0; i < length; i++) if (name[i] === BLANK) count++;
  return count;
}

/** Returns where the word ends that starts at `from`. */
function endOfWord(name: Uint32Array, length: number, from: number): number {
  let to = from;
  while (to < length && name[to] !== BLANK) to++;
  return to;
}

/** Whether some word of a name starts with these letters. */
function startsWord(word: Uint32Array, name: Uint32Array, length: number): boolean {
  for (let from = 0; from + word.length <= length; from = endOfWord(name, length, from) + 1) {
    let same = 0;
    while (same < word.length && name[from + same] === word[same]) same++;
    if (same === word.length) return true;
  }
  return false;
}

/** Three reusable rows of distances, from so many letters of a query to every start of a name. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_LETTERS + 4)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Returns the typos between `a`, of at most 48 letters, and the letters of a name from `from` up to `to`; any value
 * above `most` if there are more. Optimal string alignment (Damerau 1964, each letter edited once), computed only in
 * the band of `most` cells around the diagonal, where distances can be at most `most`.
 */
function distance(a: Uint32Array, name: Uint32Array, from: number, to: number, most: number): number {
  if (Math.abs(to - from - a.length) > most) return most + 1;
  const row = lastRow(a, name, from, to, most);
  return row === null ? most + 1 : defined(row[to - from]);
}

/** Returns the distance to the nearest start of a name. */
function startDistance(a: Uint32Array, name: Uint32Array, length: number, most: number): number {
  if (a.length - length > most) return most + 1;
  const row = lastRow(a, name, 0, length, most);
  let least = most + 1;
  for (let j = a.length - most; row !== null && j <= Math.min(length, a.length + most); j++) {
    least = Math.min(least, defined(row[j]));
  }
  return least;
}

/** Returns the last row of distances inside the band; null if all exceed `most`. */
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
    // The distance to an empty text; left of the band, a value too large to count.
    let best = first === 1 ? i : most + 1;
    let least = best;
    row[first - 1] = best;
    const [letter, before] = [a[i - 1], a[i - 2]];
    for (let j = first; j <= last; j++) {
      const other = name[from + j - 1];
      const replaced = defined(old[j - 1]) + (letter === other ? 0 : 1);
      best = best < replaced ? best + 1 : replaced;
      // The band of the previous row ends one cell earlier.
      if (j < i + most && defined(old[j]) < best) best = defined(old[j]) + 1;
      if (i > 1 && j > 1 && before === other && letter === name[from + j - 2]) {
        best = Math.min(best, defined(older[j - 2]) + 1);
      }
      row[j] = best;
      if (best < least) least = best;
    }
    // A swap in the next row starts from the row before this one, whose minimum is at least `least` - 1.
    if (least > most) return null;
  }
  return row;
}
