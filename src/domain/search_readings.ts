import type { Kind } from '../schemas.ts';
import { otherSpellings } from './abbreviations.ts';
import { foldName, stripTypeWords } from './fold.ts';
import { kindsOfTypeWords } from './type_kinds.ts';

/**
 * One way to understand a query: a name, maybe what it lies in, maybe the kinds that a type word asks for. "Chaves
 * County, NM" is read as "chaves county" in "nm", and as "chaves" of kind county in "nm".
 */
export interface Reading {
  /** Folded. */
  readonly name: string;
  /** Folded names of what the place lies in, the innermost first. */
  readonly within: readonly string[];
  /** Preferred kinds, the likeliest first; empty for no preference. */
  readonly kinds: readonly Kind[];
  /** How far the reading is from the letters of the query; 0 is the query itself. */
  readonly cost: number;
}

/** What a reading costs, in the steps of the search (whole name 0, without its type word 1, start of a name 3). */
const SPELLED = 0.05;
const TYPE_WORD = 0.3;
const COMMA = 0.2;
const NO_COMMA = 0.4;
const REVERSED = 0.5;

/** The name of what a place lies in has no more words than this. */
const MOST_WORDS = 4;
const MOST_READINGS = 40;

/**
 * Type words behind a name in queries. They are no type words of names, which would lose half of themselves: "Kansas
 * City", "Mexico City".
 */
const ASKED_FOR = new Set(
  'city town village commune municipality area metro ciudad ville stadt citta cidade capital'.split(' '),
);

/** Words between a name and what it lies in. */
const BETWEEN = new Set(
  'in of de del di du da do en dans bei im a à van von et and near der den des dello della nel nella w we u'.split(' '),
);

/**
 * The ways to understand a query, the literal one first, then by cost; at most 40. What a place lies in is a guess until it
 * is looked up: a reading whose `within` is not known as a place is to be dropped.
 * @param q the query as it was typed, at most 200 characters
 */
export function readingsOf(q: string): Reading[] {
  const literal = foldName(q);
  if (literal === '') return [];
  const readings: Reading[] = [...readName(literal, [], 0)];
  const parts = q
    .split(/[,;()（）、，|/]|\s[-–—]\s/u)
    .map(foldName)
    .filter((part) => part !== '');
  if (parts.length > 1) {
    const [first = '', ...rest] = parts;
    readings.push(...readName(first, rest, COMMA));
    const last = parts.at(-1) as string;
    readings.push(...readName(last, parts.slice(0, -1).reverse(), REVERSED));
  } else readings.push(...readWithoutComma(literal.split(' ')));
  const seen = new Set<string>();
  return readings
    .sort((a, b) => a.cost - b.cost)
    .filter(({ name, within, kinds }) => {
      const key = [name, within.join(','), kinds.join()].join('|');
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .slice(0, MOST_READINGS);
}

/** A name as it stands, in other spellings, and without its type words. */
function readName(name: string, within: readonly string[], cost: number): Reading[] {
  const readings: Reading[] = [{ name, within, kinds: [], cost }];
  for (const other of otherSpellings(name)) readings.push({ name: other, within, kinds: [], cost: cost + SPELLED });
  // "U.K." is folded to "u k".
  if (/^\p{L}( \p{L})+$/u.test(name))
    readings.push({ name: name.replaceAll(' ', ''), within, kinds: [], cost: cost + SPELLED });
  for (const rest of withoutTypeWords(name)) {
    const kinds = kindsOfTypeWords(name.replace(rest, ' ').trim());
    const stripped = cost + TYPE_WORD;
    readings.push({ name: rest, within, kinds, cost: stripped });
    for (const other of otherSpellings(rest)) readings.push({ name: other, within, kinds, cost: stripped + SPELLED });
  }
  return readings;
}

function withoutTypeWords(name: string): string[] {
  const space = name.lastIndexOf(' ');
  const asked = space > 0 && ASKED_FOR.has(name.slice(space + 1)) ? [name.slice(0, space)] : [];
  return [...new Set([...stripTypeWords(name), ...asked])];
}

/** The words at the end, or at the start, as what the place lies in. */
function readWithoutComma(words: readonly string[]): Reading[] {
  const readings: Reading[] = [];
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
    const end = words.slice(-count).join(' ');
    const before = words.slice(0, -count);
    while (before.length > 1 && BETWEEN.has(before.at(-1) as string)) before.pop();
    readings.push(...readName(before.join(' '), [end], NO_COMMA));
    // "chaves county new mexico usa"
    for (let more = 1; more <= Math.min(MOST_WORDS, before.length - 1); more++) {
      const [name, inner] = [before.slice(0, -more), before.slice(-more).join(' ')];
      readings.push(...readName(name.join(' '), [inner, end], NO_COMMA + COMMA).slice(0, 2));
    }
    const start = words.slice(0, count).join(' ');
    // A code in front of a name is too often an article: "la rioja".
    if (start.length > 3) readings.push(...readName(words.slice(count).join(' '), [start], REVERSED));
  }
  return readings;
}

/** The forms in which what a place lies in may be known: as it stands, spelled otherwise, without its type word. */
export function formsOfContainer(folded: string): string[] {
  return [...new Set([folded, ...otherSpellings(folded), ...stripTypeWords(folded)])];
}
