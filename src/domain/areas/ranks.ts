/** Rules for ranks: "the three largest", "second", "top 5". */

import type { Expression, Words } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { startsComparison } from './comparisons_read.ts';
import type { Parser } from './parser.ts';
import { list } from './vocabulary/phrases.ts';
import type { Language } from './vocabulary/vocabulary.ts';

/** A ranking: how many boundaries, and by what measure. */
export interface Rank {
  readonly count: number;
  readonly by: 'area' | 'population' | null;
  readonly order: 'most' | 'least';
  /** Whether no number was given. */
  readonly single: boolean;
  /** The one at this place of the order alone: 2 for "the second largest". */
  readonly nth?: number;
}

/** "the three largest", "top 5": a rank in front of a level. Null if none is here. */
export function parseSuperlative(p: Parser): Rank | null {
  return p.attempt((): Rank | null => {
    const nth = parseNthRank(p);
    if (nth) return nth;
    const top = p.take(p.v.top);
    const bottom = !top && p.take(BOTTOM);
    const count = parseCount(p);
    if ((top || bottom) && count === null) return null;
    const order = parseOrderBefore(p);
    // "the largest three counties"
    if (!top && count === null && order !== null) {
      const behind = parseCount(p);
      if (behind !== null) return { ...order, count: behind, single: false };
    }
    if (top && order === null) return { count: count as number, by: null, order: 'most', single: false };
    if (bottom && order === null) return { count: count as number, by: null, order: 'least', single: false };
    if (order === null) return null;
    return { ...order, count: count ?? 1, single: count === null };
  });
}

/** The last ones of an order: "bottom 3". */
const BOTTOM = list('bottom');
/** Words that rank by area in front of a level alone: behind one, "mayor" begins a comparison. */
const GREATER = list('mayor, mayores');
const LESSER = list('menor, menores');
/** Words that rank only in front of a level. */
export const RANKS_BEFORE = [BOTTOM, GREATER, LESSER].flat();

function parseOrderBefore(p: Parser): Pick<Rank, 'by' | 'order'> | null {
  const order = parseOrder(p);
  if (order !== null || p.v.language !== 'es') return order;
  return p.take(GREATER) ? { by: 'area', order: 'most' } : p.take(LESSER) ? { by: 'area', order: 'least' } : null;
}

function parseOrder(p: Parser): Pick<Rank, 'by' | 'order'> | null {
  // Longest phrases first: "largest by population" before "largest".
  const tables = [
    [p.v.mostPeople, 'population', 'most'],
    [p.v.leastPeople, 'population', 'least'],
    [p.v.largest, 'area', 'most'],
    [p.v.smallest, 'area', 'least'],
  ] as const;
  for (const [phrases, by, order] of tables) if (p.take(phrases)) return { by, order };
  return null;
}

/** A rank behind a level, of a number given before it: "cantones más grandes". */
export function parseOrderAfter(p: Parser, count: number | null): Rank | null {
  // "provincias más grandes que Teruel"
  if (startsComparison(p)) return null;
  return p.attempt((): Rank | null => {
    const order = parseOrder(p);
    return order === null ? null : { ...order, count: count ?? 1, single: count === null };
  });
}

/** "second", "2nd", "segunda", "deuxième" in front of a superlative or a level, as a number; null if none is here. */
export function parseOrdinal(p: Parser): number | null {
  const token = p.tokens[p.at];
  const ending = p.tokens[p.at + 1];
  if (token?.sort === 'number' && ending?.from === token.to && /^(?:nd|rd|th|st|a|o|e|eme)$/.test(ending.folded)) {
    const value = Number(token.text);
    if (!Number.isInteger(value) || value < 1 || value > 100) return null;
    p.at += 2;
    return value;
  }
  const value = token?.sort === 'word' ? ORDINALS[p.v.language].get(token.folded) : undefined;
  if (value === undefined) return null;
  p.at++;
  return value;
}

const FIRST_TEN: Readonly<Record<Language, string>> = {
  en: 'first second third fourth fifth sixth seventh eighth ninth tenth',
  es: 'primer segund tercer cuart quint sext septim octav noven decim',
  de: 'erst zweit dritt viert funft sechst siebt acht neunt zehnt',
  fr: 'premier deuxieme troisieme quatrieme cinquieme sixieme septieme huitieme neuvieme dixieme',
};
const ORDINAL_ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [''],
  es: ['', 'o', 'a'],
  de: ['e', 'en', 'er'],
  fr: [''],
};
const ORDINALS: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  en: ordinals('en'),
  es: ordinals('es'),
  de: ordinals('de'),
  fr: ordinals('fr'),
};

function ordinals(language: Language): ReadonlyMap<string, number> {
  return new Map(
    FIRST_TEN[language]
      .split(' ')
      .flatMap((stem, i) => ORDINAL_ENDINGS[language].map((ending) => [stem + ending, i + 1] as const)),
  );
}

/** "zweitgrößte": an ordinal and a superlative in one word. */
export function parseOrdinalOrder(p: Parser): (Pick<Rank, 'by' | 'order'> & { readonly nth: number }) | null {
  if (p.v.language !== 'de') return null;
  const folded = p.tokens[p.at]?.folded ?? '';
  const [, stem = '', rest = ''] =
    /^(zweit|dritt|viert|funft|sechst|siebt|acht|neunt|zehnt)(\p{L}{4,})$/u.exec(folded) ?? [];
  const nth = FIRST_TEN.de.split(' ').indexOf(stem) + 1;
  if (nth < 1) return null;
  for (const [phrases, by, order] of [
    [p.v.mostPeople, 'population', 'most'],
    [p.v.leastPeople, 'population', 'least'],
    [p.v.largest, 'area', 'most'],
    [p.v.smallest, 'area', 'least'],
  ] as const) {
    if (!phrases.some((phrase) => phrase.length === 1 && phrase[0] === rest)) continue;
    p.at++;
    return { nth, by, order };
  }
  return null;
}

/** A rank behind an ordinal: "second largest". Null if none is here. */
export function parseNthRank(p: Parser): Rank | null {
  return p.attempt((): Rank | null => {
    const compound = parseOrdinalOrder(p);
    if (compound) return { ...compound, count: compound.nth, single: true };
    const nth = parseOrdinal(p);
    const order = nth === null ? null : parseOrder(p);
    return nth === null || order === null ? null : { ...order, nth, count: nth, single: true };
  });
}

/**
 * The `count` first of a set by a rank.
 * @throws DescriptionError when the rank names no measure
 */
export function ranked(p: Parser, of: Expression, { by, order, count, nth }: Rank, from: number): Expression {
  if (by === null) p.fail('needs "by area" or "by population"', from, p.at - 1);
  const first = (number: number): Expression => ({
    ...{ op: 'rank', of, by: by as 'area' | 'population', order, count: number, words: p.words(from) },
  });
  if (nth === undefined || nth === 1) return first(nth ?? count);
  return { op: 'difference', of: first(nth), minus: first(nth - 1), words: p.words(from) };
}

/**
 * A rank among those that something leaves: "the three largest countries of Europe, not counting Russia". Null for what is
 * no rank of them.
 */
export function rankedWithout(of: Expression, minus: Expression, words: Words): Expression | null {
  if (of.op === 'rank') return { ...of, of: { op: 'difference', of: of.of, minus, words }, words };
  // "the second largest"
  if (of.op !== 'difference' || of.of.op !== 'rank' || of.minus.op !== 'rank' || of.minus.of !== of.of.of) return null;
  const [first, others] = [rankedWithout(of.of, minus, words), rankedWithout(of.minus, minus, words)];
  return first && others && { op: 'difference', of: first, minus: others, words };
}
