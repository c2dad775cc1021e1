import { type Expression, type LevelWord, MAX_MEMBERS } from './algebra.ts';
import { parseNumber } from './amounts.ts';
import { takeBound } from './comparisons_read.ts';
import { parseLevel } from './level_words.ts';
import type { Parser } from './parser.ts';
import type { Comparison } from './vocabulary/comparisons.ts';
import { COMPARISONS } from './vocabulary/comparisons.ts';
import { COUNTED_BORDERS } from './vocabulary/counted_borders.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import type { Language } from './vocabulary/vocabulary.ts';

// Rules for filters by the number of neighbors: "with only one neighbor", "that border exactly eight states".

interface Number {
  readonly is: Comparison | 'exactly';
  readonly count: number;
}

/** "exactly two", "at least five", "a single", "three or more", behind which `other` is passed over. Null without a number. */
function takeNumber(p: Parser): Number | null {
  const words = COUNTED_BORDERS[p.v.language];
  return p.attempt((): Number | null => {
    const isExact = p.take(words.exactly);
    const bound = isExact ? null : takeBound(p);
    const count = takeNone(p) ? 0 : p.take(words.one) ? 1 : (parseNumber(p)?.value ?? null);
    if (count === null || !Number.isInteger(count) || count > MAX_MEMBERS) return null;
    const compared = COMPARISONS[p.v.language];
    const behind = p.take(compared.orMore) ? 'at_least' : p.take(compared.orLess) ? 'at_most' : null;
    if (behind !== null && bound !== null) return null;
    p.take(words.other);
    return { is: bound ?? behind ?? 'exactly', count };
  });
}

/** Takes "no" or "0". */
function takeNone(p: Parser): boolean {
  if (p.take(COUNTED_BORDERS[p.v.language].none)) return true;
  if (p.tokens[p.at]?.text !== '0') return false;
  p.at++;
  return true;
}

/** Takes "neighbors", "neighboring counties", "Nachbarprovinzen": what is counted, with its level if it is said. */
function takeNeighbors(p: Parser): { readonly level: LevelWord | null } | null {
  const words = COUNTED_BORDERS[p.v.language];
  return p.attempt(() => {
    const isBefore = p.take(words.neighboring);
    const level = parseLevel(p, 'many') ?? parseLevel(p, 'one');
    if (level === null) {
      if (isBefore) p.at--;
      return p.take(words.neighbors) ? { level } : null;
    }
    return isBefore || p.take(words.neighboring) || p.take(words.neighbors) ? { level } : null;
  });
}

/** Articles that "a single" and the like begin with. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'un', 'una', 'une', 'ein', 'eine', 'einen', 'einem', 'einer']);

/** The number of neighbors in "that border exactly eight other states"; null if nothing counts them so. */
function parseVerb(p: Parser) {
  const words = COUNTED_BORDERS[p.v.language];
  for (const { before, after } of [...words.by, ...p.v.border]) {
    const end = p.peek(before);
    if (end === null) continue;
    const found = p.attempt(() => {
      p.at = end;
      // "that border a country bordering Germany": an article does not count here.
      const number = ARTICLES.has(p.tokens[end]?.folded ?? '') ? null : takeNumber(p);
      if (number === null) return null;
      const level = parseLevel(p, 'many') ?? parseLevel(p, 'one');
      // "that border three others"
      const isCounted = level !== null || p.find(words.other, p.at - 1) === p.at || p.take(words.neighbors);
      return isCounted && (after.length === 0 || p.take(after)) ? { ...number, level } : null;
    });
    if (found) return found;
  }
  return null;
}

/** By language, the words that begin such a filter. */
const BEGINNINGS = Object.fromEntries(
  VOCABULARIES.map(({ language, border }) => {
    const { has, by, without } = COUNTED_BORDERS[language];
    return [
      language,
      new Set([...has, ...without, ...[...by, ...border].map(({ before }) => before)].flatMap(([word]) => word ?? [])),
    ];
  }),
) as unknown as Readonly<Record<Language, ReadonlySet<string>>>;

/** Whether such a filter is here. */
export function isCountedBorders(p: Parser): boolean {
  if (p.at >= p.tokens.length) return false;
  const start = p.at;
  const is = parseCountedBorders(p, { op: 'group', name: '', words: p.words(p.at) }, p.at) !== null;
  p.at = start;
  return is;
}

/** Those of a set with so many neighbors. Null if nothing says a number of them. */
export function parseCountedBorders(p: Parser, of: Expression, from: number): Expression | null {
  const words = COUNTED_BORDERS[p.v.language];
  const first = p.tokens[p.tokens[p.at]?.folded === ',' ? p.at + 1 : p.at];
  if (!BEGINNINGS[p.v.language].has(first?.folded ?? '')) return null;
  return p.attempt((): Expression | null => {
    p.sign(',');
    if (p.take(words.without)) return { op: 'bordered', of, is: 'exactly', count: 0, words: p.words(from) };
    const had = p.attempt((): (Number & { readonly level: LevelWord | null }) | null => {
      if (!p.take(words.has)) return null;
      const number = takeNumber(p);
      const counted = number === null ? null : takeNeighbors(p);
      // "die genau zwei Nachbarn haben"
      p.take(words.has.filter(([word]) => word === 'haben'));
      const compared = COMPARISONS[p.v.language];
      // "with 3 neighbors or fewer"
      const behind = p.take(compared.orMore) ? 'at_least' : p.take(compared.orLess) ? 'at_most' : null;
      if (number === null || counted === null || (behind !== null && number.is !== 'exactly')) return null;
      return { ...number, is: behind ?? number.is, level: counted.level };
    });
    const found = had ?? parseVerb(p);
    if (found === null) return null;
    const { is, count, level } = found;
    return { op: 'bordered', of, is, count, ...(level === null ? {} : { level }), words: p.words(from) };
  });
}
