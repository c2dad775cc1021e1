import { lettersOf } from './typos.ts';

/** Rows of letters on the keyboards of most languages with Latin letters. */
const KEYBOARDS = [
  ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
];
/** Letters that are written for each other because they sound alike. */
const ALIKE = 'aeiouy ckq szcx bvw fv pb td mn jygi lr uvw hjx'.split(' ');

/** Importance (names.ts) of a place that is meant in spite of a wrong first letter: of large divisions and countries. */
const FOR_FIRST_LETTER = 9;
/**
 * The same for two typos, one in a part of the name, an odd letter too many, or an odd one in a short word: of counties,
 * divisions, and towns of 100,000 people.
 */
const FOR_MORE = 5.5;
/** The same for a common word: of large divisions and countries, and none below. */
const FOR_COMMON = 9;
/** Letters from which a common word may still be a slip. */
const COMMON_FROM = 5;
/** Letters up to which most words are one letter from some village. */
const SHORT = 6;
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
 * Creates a function that returns the importance that a place needs to be meant by a word alone with a typo. People seldom
 * get a first letter wrong, except by a key beside it or one that sounds alike; and two typos, or a typo in one word of
 * a longer name, make another word. It is 0 for every other typo, and for words in other scripts than the Latin one. A common
 * word is one only with two letters swapped or one doubled: "pairs".
 * @param query the folded word
 * @param isCommon whether it is a common word
 * @returns takes the first `length` code points of a name and its step by similarityGrader()
 */
export function evidenceNeeded(
  query: string,
  isCommon: boolean,
): (name: Uint32Array, length: number, step: number) => number {
  const letters = lettersOf(query);
  if (!/^\p{Script=Latin}/u.test(query)) return () => 0;
  return (name, length, step) => {
    const isMore = step >= PART_STEP || step % 1 > TWO_TYPOS - 1e-6;
    if (isMore) return isCommon ? Number.POSITIVE_INFINITY : FOR_MORE;
    let at = 0;
    while (at < length && letters[at] === name[at]) at++;
    const [typed, before, after] = [letters[at], letters[at - 1], letters[at + 1]];
    const meant = name[at];
    const isDoubled = letters.length > length && (typed === before || typed === after);
    const isSwapped = letters.length === length && typed === name[at + 1] && after === meant;
    if (isCommon) {
      return (isDoubled || isSwapped) && letters.length >= COMMON_FROM ? FOR_COMMON : Number.POSITIVE_INFINITY;
    }
    if (typed === undefined || letters.length < length || isDoubled || isSwapped) return 0;
    const near = letters.length > length ? [before, after] : [meant];
    if (near.some((other) => isOneOf(KEYS, typed, other))) return 0;
    if (letters.length === length && isOneOf(SOUNDS, typed, meant)) return 0;
    return at === 0 ? FOR_FIRST_LETTER : letters.length <= SHORT ? FOR_MORE : 0;
  };
}

const isOneOf = (pairs: ReadonlySet<string>, a: number, b: number | undefined): boolean =>
  b !== undefined && pairs.has(String.fromCodePoint(a, b));
