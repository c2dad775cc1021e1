import { lettersOf } from './typos.ts';

/** Rows of letters on the keyboards of most languages with Latin letters. */
const KEYBOARDS = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
];
/** Letters that are written for each other because they sound alike. */
const ALIKE = 'aeiouy ckq szcx bvw fv pb td mn jygi lr uvw hjx аоеёэияыую αε ηιυ οω'.split(' ');

/** Importance (names.ts) of towns of 10,000 people, */
export const TOWN = 4.5;
/** of counties, of divisions, and of towns of 100,000 people, */
export const DIVISION = 5.5;
/** of states, and of the divisions and counties that most people know, */
export const LARGE = 6.5;
/** and of countries and the largest divisions. */
export const COUNTRY = 9;
const NEVER = Number.POSITIVE_INFINITY;

/** Letters from which a common word may still be a slip. */
const COMMON_FROM = 5;
/** Letters up to which a name that only other languages use is too near to other words. */
const SHORT_ALIAS = 6;
/** Letters from which any two typos in a word may be slips. */
const LONG = 10;
/** Letters from which a word in another script than the Latin one has a typo. */
const SHORTEST_ELSEWHERE = 5;
/** Step of similarityGrader() from which a part of a name is similar. */
const PART_STEP = 7;
/** Fraction of a step from which a name is two typos away. */
const TWO_TYPOS = 0.2;

/** Pairs of letters that are beside each other on a keyboard. */
const KEYS: ReadonlySet<string> = new Set(KEYBOARDS.flatMap(neighbors));
/** Pairs of letters that sound alike. */
const SOUNDS: ReadonlySet<string> = new Set(
  ALIKE.flatMap((letters) => [...letters].flatMap((a) => [...letters].map((b) => a + b))),
);

/** Pairs of neighbors on a keyboard, both ways around; each row is half a key to the right of the one above. */
function neighbors(rows: readonly string[]): string[] {
  return rows.flatMap((row, i) =>
    [...row].flatMap((letter, k) =>
      [row[k + 1], rows[i + 1]?.[k], rows[i + 1]?.[k - 1]].flatMap((other) =>
        other === undefined ? [] : [letter + other, other + letter],
      ),
    ),
  );
}

/**
 * Importance that a place needs for a slip in its name, by the letters of the word: the shorter a word, the more names are
 * one letter away from it by chance, and the fewer of them are meant.
 */
const NEEDED: Readonly<
  Record<'likely' | 'headless' | 'near' | 'start' | 'odd' | 'first' | 'two' | 'part', (letters: number) => number>
> = {
  // A letter lost, doubled or swapped with its neighbor.
  likely: (letters) => (letters < 5 ? TOWN : 0),
  // A key beside the right one, or a letter that sounds like it.
  near: (letters) => (letters < 5 ? LARGE : letters < 6 ? TOWN : 0),
  // The first letter lost: "oranges" is not Doranges.
  headless: () => TOWN,
  // A key beside the first letter, or one that sounds like it: "hirondelle" is not Girondelle.
  start: () => TOWN,
  odd: (letters) => (letters < 5 ? COUNTRY : letters < 6 ? LARGE : letters < 7 ? DIVISION : 0),
  first: (letters) => (letters < 5 ? NEVER : COUNTRY),
  two: (letters) => (letters < 10 ? LARGE : DIVISION),
  // One in a part of the name.
  part: (letters) => (letters < 8 ? NEVER : letters < 10 ? LARGE : DIVISION),
};

/** What a word is beside a typo: a common word, a name of people or a brand (common_words.ts), or none of these. */
export type OtherWord = 'common' | 'person' | null;

/**
 * Creates a function that returns the importance that a place needs to be meant by a word alone with a typo. It grows with
 * the shortness of the word and with what people seldom do: they get a first letter wrong only by a key beside it or one
 * that sounds alike, and two typos, or one in a part of a longer name, mostly make another word. It is 0 for likely typos
 * in long words. A common word is one only with two letters swapped or
 * one doubled: "pairs"; a name of people also with one letter lost, and only in a name that most people know. A short word, or
 * one with another first letter, is none in a name of a country in other languages.
 * @param query the folded word
 * @param word what else it is
 * @returns takes the first `length` code points of a name, its step by similarityGrader(), and its type
 */
export function evidenceNeeded(
  query: string,
  word: OtherWord,
): (name: Uint32Array, length: number, step: number, type?: string) => number {
  const letters = lettersOf(query);
  const isLatin = /^\p{Script=Latin}/u.test(query);
  return (name, length, step, type) => {
    const slip = step >= PART_STEP ? 'part' : step % 1 > TWO_TYPOS - 1e-6 ? 'two' : slipIn(letters, name, length);
    if (!isLatin) return neededElsewhere(slip, letters.length);
    if (type === 'alias' && (letters.length <= SHORT_ALIAS || slip === 'first')) return NEVER;
    if (word === 'common') return slip === 'turned' && letters.length >= COMMON_FROM ? COUNTRY : NEVER;
    if (word === 'person') return slip === 'turned' || slip === 'likely' || slip === 'headless' ? LARGE : NEVER;
    if (slip === 'two' && letters.length < LONG && areOddLetters(letters, name, length)) return NEVER;
    return NEEDED[slip === 'turned' ? 'likely' : slip](letters.length);
  };
}

/**
 * The same in other scripts, whose words are shorter, and in which most names are those of other languages: the keys beside
 * each other are not known there.
 */
function neededElsewhere(slip: ReturnType<typeof slipIn> | 'part' | 'two', letters: number): number {
  if (letters < SHORTEST_ELSEWHERE) return NEVER;
  if (slip === 'part') return COUNTRY;
  const isLikely = slip === 'turned' || slip === 'likely' || slip === 'near';
  return isLikely ? 0 : letters > SHORT_ALIAS ? DIVISION : COUNTRY;
}

/** Whether two letters of a word are others, and one of them is neither beside the right one nor sounds like it: "Georgiou", "Georgien". */
function areOddLetters(letters: Uint32Array, name: Uint32Array, length: number): boolean {
  if (letters.length !== length) return false;
  let odd = 0;
  let others = 0;
  for (const [at, typed] of letters.entries()) {
    const meant = name[at];
    if (typed === meant) continue;
    others++;
    if (!isOneOf(KEYS, typed, meant) && !isOneOf(SOUNDS, typed, meant)) odd++;
  }
  return others === 2 && odd > 0 && !(letters.toSorted().join() === name.slice(0, length).toSorted().join());
}

/** What one typo in a word is: two letters swapped or one doubled (`turned`), one lost (`likely`), or another (NEEDED). */
function slipIn(
  letters: Uint32Array,
  name: Uint32Array,
  length: number,
): 'turned' | 'likely' | 'headless' | 'near' | 'start' | 'odd' | 'first' {
  let at = 0;
  while (at < length && letters[at] === name[at]) at++;
  const [typed, before, after] = [letters[at], letters[at - 1], letters[at + 1]];
  const meant = name[at];
  const isDoubled = letters.length > length && (typed === before || typed === after);
  const isSwapped = letters.length === length && typed === name[at + 1] && after === meant;
  if (isDoubled || isSwapped) return 'turned';
  if (typed === undefined || letters.length < length) return at === 0 ? 'headless' : 'likely';
  const near = letters.length > length ? [before, after] : [meant];
  const isNear =
    near.some((other) => isOneOf(KEYS, typed, other)) || (letters.length === length && isOneOf(SOUNDS, typed, meant));
  if (at === 0) return isNear ? 'start' : 'first';
  return isNear ? 'near' : 'odd';
}

const isOneOf = (pairs: ReadonlySet<string>, a: number, b: number | undefined): boolean =>
  b !== undefined && pairs.has(String.fromCodePoint(a, b));
