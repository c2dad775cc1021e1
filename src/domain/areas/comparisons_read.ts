import { parseNumber } from './amounts.ts';
import type { Parser } from './parser.ts';
import { COMPARISONS, type Comparison, type Measure } from './vocabulary/comparisons.ts';
import type { Phrase } from './vocabulary/vocabulary.ts';

// Words that compare: rules that take them, without the place behind them.

/** Takes the longest phrase of a table that is here, and returns its row; null if there is none. */
function takeRow<T extends readonly [Phrase, ...unknown[]]>(p: Parser, table: readonly T[]): T | null {
  for (const row of table) {
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
  for (const isBefore of [false, true]) {
    p.at = start;
    if (isBefore && !p.take(words.before)) break;
    const row = takeRow(p, words.direct);
    if (row) return { by: row[1], is: row[2] };
  }
  p.at = start;
  return null;
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

/** Whether words that compare with a place start here: "larger than", "at least twice as large as". */
export function startsComparison(p: Parser): boolean {
  const start = p.at;
  const words = COMPARISONS[p.v.language];
  let is = takeDirect(p) !== null;
  if (!is) {
    p.at = start;
    if (takeBound(p) === null) p.take(words.before);
    takeMultiple(p);
    is = takeEqual(p) !== null;
  }
  p.at = start;
  return is;
}

/** Whether "or larger" or the like is here, which is not another place. */
export function isOrMore(p: Parser): boolean {
  const { orMore, orLess } = COMPARISONS[p.v.language];
  return p.find(orMore) !== null || p.find(orLess) !== null;
}
