import { parseAdjectives } from './adjectives.ts';
import type { Expression, Level } from './algebra.ts';
import { parseAreaUnit, parseNumber, takePeople } from './amounts.ts';
import { notTouching, parseBordered, parseOffBorder, touchingEach } from './bordered.ts';
import { parseBoundFilter, parseComparedFilter } from './compared.ts';
import { parseCountedBorders } from './counted_borders.ts';
import { parseNearby } from './distances.ts';
import { parseEuroFilter } from './euro.ts';
import { parseInsideGroup } from './inside_group.ts';
import { parseNameFilter } from './lettered.ts';
import { parseOutside } from './outside.ts';
import type { Parser } from './parser.ts';
import { parseSuperlative, ranked } from './ranks.ts';
import { AREA_BEHIND, COMPARISONS } from './vocabulary/comparisons.ts';

// Rules for filters on a set of boundaries: coast, population, area, distance, border. Those by name are in areas/lettered.ts.

/** Parses any number of filters after a set. */
export function parseFilters(p: Parser, given: Expression, from: number): Expression {
  let of = given;
  for (;;) {
    const next = parseFilter(p, of, from) ?? parseFilterBehindAnd(p, of, from);
    if (next === null) return of;
    of = next;
  }
}

function parseFilter(p: Parser, of: Expression, from: number): Expression | null {
  return (
    p.attempt((): Expression | null => {
      p.sign(',');
      return (
        parseCoastFilter(p, of, from) ??
        parseComparedFilter(p, of, from) ??
        parseRange(p, of, from) ??
        parsePeopleFilter(p, of, from) ??
        parseAreaFilter(p, of, from) ??
        parseBoundFilter(p, of, from) ??
        parseNameFilter(p, of, from) ??
        parseEuroFilter(p, of, from) ??
        parseInsideGroup(p, of, from)
      );
    }) ??
    p.attempt((): Expression | null => {
      p.sign(',');
      const near = parseNearby(p, p.v.within);
      return near && { op: 'within', of, from: near.place, km: near.km, words: p.words(from) };
    }) ??
    parseCountedBorders(p, of, from) ??
    parseOutside(p, of, from) ??
    p.attempt((): Expression | null => {
      p.sign(',');
      const border = parseOffBorder(p);
      return border && notTouching(p, of, border, from);
    }) ??
    p.attempt((): Expression | null => {
      const borders = parseBordered(p);
      return borders && touchingEach(p, of, borders, from);
    })
  );
}

/** "and which touch Portugal", "y tienen costa" behind another filter: both hold. Null without a word that selects. */
function parseFilterBehindAnd(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt(() => {
    p.sign(',');
    const start = p.at;
    if (p.at >= p.tokens.length) return null;
    // "bigger than Ohio but smaller than Texas", "with more than 500 km2 and at most 900 km2"
    if (p.take(COMPARISONS[p.v.language].but)) {
      const compared =
        parseComparedFilter(p, of, from) ??
        parsePeopleFilter(p, of, from) ??
        parseAreaFilter(p, of, from) ??
        parseBoundFilter(p, of, from);
      if (compared) return compared;
      p.at = start;
    }
    if (!p.take(p.v.and) || p.find(p.v.relative) === null) return null;
    const filtered = parseFilter(p, of, from);
    return filtered ?? (p.take(p.v.relative) ? parseFilter(p, of, from) : null);
  });
}

/** "those that border Canada" behind "without": a part of the set that it is left out of. Null if there is none. */
export function parseThose(p: Parser): Expression | null {
  const from = p.at;
  const of = p.reduced;
  if (of === null || !SETS.has(of.op)) return null;
  const ranked = parseRankedThose(p, of, from);
  if (ranked !== null || !p.take(p.v.those)) return ranked;
  const adjective = parseAdjectiveThose(p, of, from);
  if (adjective !== null) return adjective;
  // "los vecinos de Soria" are all its neighbors, also those outside the set; "las que limitan con Soria" are part of it.
  const isRelative = p.find(p.v.relative, p.tokens[p.at]?.folded === ',' ? p.at + 1 : p.at) !== null;
  if (p.v.language !== 'en' && !isRelative) return null;
  const filtered = parseFilters(p, of, from);
  return filtered === of ? null : filtered;
}
/** "the five largest" behind "without": those of the set that it is left out of. */
function parseRankedThose(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt(() => {
    p.take(p.v.articles);
    const rank = parseSuperlative(p);
    const isEnd = p.at >= p.tokens.length || p.tokens[p.at]?.folded === ')';
    return rank === null || !isEnd ? null : ranked(p, of, rank.by === null ? { ...rank, by: 'area' } : rank, from);
  });
}

/** "las catalanas" behind "without": those of its level in that place. */
function parseAdjectiveThose(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt((): Expression | null => {
    const place = parseAdjectives(p);
    const level = levelIn(of);
    return place && level !== undefined ? { op: 'children', of: place, level, words: p.words(from) } : null;
  });
}

/** The level of a set, where its words say one. */
function levelIn(of: Expression): Level | undefined {
  if ('level' in of && of.level !== undefined) return of.level;
  return 'of' in of && !Array.isArray(of.of) ? levelIn(of.of as Expression) : undefined;
}

const SETS: ReadonlySet<Expression['op']> = new Set([
  ...(['children', 'touching', 'neighbors', 'coast', 'measured', 'named', 'around', 'within', 'group'] as const),
]);

function parseCoastFilter(p: Parser, of: Expression, from: number): Expression | null {
  const is = parseCoastPhrase(p);
  return is && { op: 'coast', of, is, words: p.words(from) };
}

/** "on the coast", "without a coast" behind a level or a set. */
export function parseCoastPhrase(p: Parser): 'coastal' | 'landlocked' | null {
  return p.take(p.v.onCoast) ? 'coastal' : p.take(p.v.offCoast) ? 'landlocked' : null;
}

/** "coastal", "landlocked" next to a level. */
export function parseCoastWord(p: Parser): 'coastal' | 'landlocked' | null {
  return p.take(p.v.coastal) ? 'coastal' : p.take(p.v.landlocked) ? 'landlocked' : null;
}

/** "between 500 and 1,000 km2", "with between 1 and 2 million people". */
function parseRange(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt((): Expression | null => {
    const isBetween = p.find(p.v.between) !== null;
    if (!p.take(isBetween ? p.v.between : p.v.ranging)) return null;
    const least = parseNumber(p);
    if (least === null) return null;
    // "between 500 km2 and 1,000 km2"
    const own = parseAreaUnit(p);
    const isHyphen = p.tokens[p.at]?.glue === '-';
    if (!isHyphen && !p.take(isBetween ? [...p.v.and, ...p.v.to] : p.v.to)) return null;
    const most = parseNumber(p);
    if (most === null) return null;
    const unit = parseAreaUnit(p);
    if (unit === null && (own !== null || !takePeople(p))) return null;
    // "between 1 and 2 million": the factor is that of both.
    const factor = unit === null && least.factor === 1 ? most.factor : 1;
    const low = least.value * (own ?? unit ?? factor);
    const by = unit === null ? 'population' : 'area';
    const more: Expression = { op: 'measured', of, by, is: 'more', than: low, words: p.words(from) };
    return { op: 'measured', of: more, by, is: 'less', than: most.value * (unit ?? 1), words: p.words(from) };
  });
}

function parsePeopleFilter(p: Parser, of: Expression, from: number): Expression | null {
  for (const [counted, plain, is] of [
    [p.v.morePeople, p.v.morePopulation, 'more'],
    [p.v.lessPeople, p.v.lessPopulation, 'less'],
  ] as const) {
    const found = p.attempt((): Expression | null => {
      const needsWord = p.find(plain) === null;
      if (!p.take(plain) && !p.take(counted)) return null;
      const start = p.at;
      const than = parseNumber(p);
      if (than === null) {
        if (!needsWord || p.find(p.v.people) !== null) p.fail('a number is expected', start);
        return null;
      }
      if (!takePeople(p) && needsWord) return null;
      return { op: 'measured', of, by: 'population', is, than: than.value, words: p.words(from) };
    });
    if (found) return found;
  }
  return null;
}

function parseAreaFilter(p: Parser, of: Expression, from: number): Expression | null {
  for (const [phrases, is] of [
    [p.v.moreArea, 'more'],
    [p.v.lessArea, 'less'],
  ] as const) {
    const found = p.attempt((): Expression | null => {
      if (!p.take(phrases)) return null;
      const than = parseNumber(p);
      const factor = than === null ? null : parseAreaUnit(p);
      if (than === null || factor === null) return null;
      // "mit mehr als 17.000 km2 Fläche"
      p.take(AREA_BEHIND);
      p.take(COMPARISONS[p.v.language].after);
      return { op: 'measured', of, by: 'area', is, than: than.value * factor, words: p.words(from) };
    });
    if (found) return found;
  }
  return null;
}
