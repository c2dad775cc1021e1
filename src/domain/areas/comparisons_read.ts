import { parseNumber } from './amounts.ts';
import type { Parser } from './parser.ts';
import { COMPARISONS, type Comparison, type Measure } from './vocabulary/comparisons.ts';
import { NUMBER_WORDS } from './vocabulary/number_words.ts';
import type { Language, Phrase } from './vocabulary/vocabulary.ts';

// Words that compare: rules that take them, without the place behind them.

type Row = readonly [Phrase, ...unknown[]];

/** Tables by the first words of their phrases. They are constant: each is divided once. */
const divided = new WeakMap<readonly Row[], ReadonlyMap<string, readonly Row[]>>();

function byFirstWord<T extends Row>(table: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const known = divided.get(table) as ReadonlyMap<string, readonly T[]> | undefined;
  if (known) return known;
  const groups = new Map<string, T[]>();
  for (const row of table) {
    const [[first = '']] = row;
    const group = groups.get(first);
    if (group) group.push(row);
    else groups.set(first, [row]);
  }
  divided.set(table, groups);
  return groups;
}

/** Takes the longest phrase of a table that is here, and returns its row; null if there is none. */
function takeRow<T extends Row>(p: Parser, table: readonly T[]): T | null {
  for (const row of byFirstWord(table).get(p.tokens[p.at]?.folded ?? '') ?? []) {
    const end = p.peek(row[0]);
    if (end === null) continue;
    p.at = end;
    return row;
  }
  return null;
}

/** "larger than", "with more people than": the measure and how it is compared; null if nothing compares so. */
export function takeDirect(p: Parser): { readonly by: Measure; readonly is: Comparison } | null {
  const words = COMPARISONS[p.v.language];
  const start = p.at;
  const had = takeHad(p);
  const size = had === null ? null : takeRow(p, words.sizes);
  if (had !== null && size) return { by: had, is: size[1] };
  for (const isBefore of [false, true]) {
    p.at = start;
    if (isBefore && !p.take(words.before)) break;
    const row = takeRow(p, words.direct);
    if (row) return { by: row[1], is: row[2] };
  }
  p.at = start;
  return null;
}

/** "with a population": the measure that what follows compares; null if none is named so. */
export function takeHad(p: Parser): Measure | null {
  const { had } = COMPARISONS[p.v.language];
  return p.take(had.population) ? 'population' : p.take(had.area) ? 'area' : null;
}

/** Whether words between two tokens are of the other measure: "a population smaller than" is not of areas. */
export function isOfOther(p: Parser, by: Measure, from: number, to: number): boolean {
  const { words } = COMPARISONS[p.v.language];
  const other = words[by === 'area' ? 'population' : 'area'];
  for (let at = from; at < to; at++) if (p.find(other, at) !== null) return true;
  return false;
}

/** "at least", also behind "with" or "that are"; null without a bound. */
export function takeBound(p: Parser): Comparison | null {
  const words = COMPARISONS[p.v.language];
  const start = p.at;
  for (const isBefore of [false, true]) {
    p.at = start;
    if (isBefore && !p.take(words.before)) break;
    const row = takeRow(p, words.bounds);
    if (row) return row[1];
  }
  p.at = start;
  return null;
}

/** "twice", "3 times": a multiple; null if there is none. */
export function takeMultiple(p: Parser): number | null {
  const words = COMPARISONS[p.v.language];
  for (let count = 4; count > 0; count--) {
    const tokens = p.tokens.slice(p.at, p.at + count);
    const value = words.multiples.get(tokens.map(({ folded }) => folded).join(' '));
    if (tokens.length < count || value === undefined) continue;
    p.at += count;
    return value;
  }
  return p.attempt(() => {
    const number = parseNumber(p);
    return number !== null && number.value > 0 && p.take(words.times) ? number.value : null;
  });
}

/** "as large as", also behind "that are": the measure; null if nothing says so. */
export function takeEqual(p: Parser): Measure | null {
  const words = COMPARISONS[p.v.language];
  const start = p.at;
  const row = takeRow(p, words.equal) ?? (p.take(words.before) ? takeRow(p, words.equal) : null);
  if (row) return row[1];
  p.at = start;
  return null;
}

/** By language, the words that begin a comparison; a number may, too. */
const BEGINNINGS: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: beginningsOf('en'),
  es: beginningsOf('es'),
  de: beginningsOf('de'),
  fr: beginningsOf('fr'),
};

function beginningsOf(language: Language): ReadonlySet<string> {
  const { before, had, direct, bounds, multiples, equal } = COMPARISONS[language];
  const phrases = [
    before,
    had.area,
    had.population,
    ...[direct, bounds, equal].map((rows) => rows.map(([one]) => one)),
  ];
  const numbers = [...multiples.keys(), ...NUMBER_WORDS[language].keys()].map((words) => words.split(' '));
  return new Set([...phrases.flat(), ...numbers].flatMap(([first]) => first ?? []));
}

/** Whether the word at a token may begin a comparison; the rules need not try where it does not. */
export function mayCompare(p: Parser, at: number): boolean {
  const token = p.tokens[at];
  return token !== undefined && (token.sort === 'number' || BEGINNINGS[p.v.language].has(token.folded));
}

/** Whether words that compare with a place start here: "larger than", "at least twice as large as". */
export function startsComparison(p: Parser): boolean {
  if (!mayCompare(p, p.at)) return false;
  const start = p.at;
  const words = COMPARISONS[p.v.language];
  let is = takeDirect(p) !== null;
  if (!is) {
    p.at = start;
    const had = takeHad(p);
    if (takeBound(p) === null) p.take(words.before);
    takeMultiple(p);
    is = had === null ? takeEqual(p) !== null : p.find(words.that) !== null;
  }
  p.at = start;
  return is;
}

/** Whether "or larger" or the like is here, which is not another place. */
export function isOrMore(p: Parser): boolean {
  const { orMore, orLess } = COMPARISONS[p.v.language];
  return p.find(orMore) !== null || p.find(orLess) !== null;
}
