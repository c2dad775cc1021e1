import { defined } from '../../common/elements.ts';
import { adjectiveAt, parseAdjectiveAfter } from './adjectives.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { isEach, parseCount } from './amounts.ts';
import { parseNamesBehind } from './apposition.ts';
import { parsePlaceOf } from './arguments.ts';
import { alternatives, parseBordered, refuseTwoStates, touchingEach } from './bordered.ts';
import { parseComparedAlone } from './compared.ts';
import { parseContainers } from './containers.ts';
import { isCountedBorders } from './counted_borders.ts';
import { parseNearby } from './distances.ts';
import { parseCoastPhrase, parseCoastWord, parseFilters } from './filters.ts';
import { isPlural, parseCountedLevel, parseLevel } from './level_words.ts';
import { parseListed } from './listed.ts';
import { genitiveAt, takeOf } from './name_at.ts';
import {
  FIRST_LEVELS,
  parseAllOfCountry,
  parseInWorld,
  parseOfOnlyCountry,
  parseOutsideGroup,
} from './no_container.ts';
import { parseInEach, rankedInEach, takeFront, takeRespectively } from './of_each.ts';
import { takeApart } from './outside.ts';
import type { Parser } from './parser.ts';
import { anyOf, parsePlaces } from './places.ts';
import { parsePartsOfCity } from './qualifiers.ts';
import { parseOrderAfter, parseOrdinal, parseSuperlative, type Rank, ranked } from './ranks.ts';
import { list } from './vocabulary/phrases.ts';

// Rules for sets of boundaries of one level: "the three largest cantons of Luxembourg", "US states".

/** "the three largest cantons of Luxembourg that border Germany" */
export function parseMembers(p: Parser): Expression | null {
  const from = p.at;
  const before = takeRespectively(p);
  const isAll = p.take(p.v.all);
  if (!isAll) p.take(p.v.articles);
  const isOfEach = before || takeRespectively(p);
  let rank = parseSuperlative(p);
  const neighbor = rank === null && (p.take(p.v.neighboring) || takeBordering(p));
  let shore = parseCoastWord(p);
  let compound: LevelWord | null = null;
  for (const [word, phrases] of p.v.neighborLevels) if (compound === null && p.take(phrases)) compound = word;
  let shored: LevelWord | null = null;
  for (const [is, table] of [
    ['coastal', p.v.coastLevels],
    ['landlocked', p.v.inlandLevels],
  ] as const) {
    for (const [word, phrases] of table) if (shored === null && p.take(phrases)) [shored, shore] = [word, is];
  }
  const isFree = rank === null && compound === null;
  const countedShore = isFree ? parseCountedShore(p) : null;
  const counted = countedShore ?? (isFree ? p.attempt(() => parseCountedLevel(p)) : null);
  shore ??= countedShore?.shore ?? null;
  let level: LevelWord | null = compound ?? shored ?? counted?.level ?? parseMapLevel(p) ?? parseLevel(p, 'many');
  if (p.isOneEach && rank !== null) level ??= parseLevel(p, 'one');
  let single = false;
  let isEvery = false;
  let isLater = false;
  if (level === null) {
    p.at = from;
    takeRespectively(p);
    // "every canton in Luxembourg", "the largest municipality of Liechtenstein"
    const each = p.find(p.v.each);
    const strong = isEach(p);
    isEvery = strong;
    p.at = each ?? p.at;
    takeRespectively(p);
    rank = parseSuperlative(p);
    shore = parseCoastWord(p);
    // "la segunda provincia más grande"
    const nth = rank === null ? parseOrdinal(p) : null;
    level = parseLevel(p, 'one');
    if (level === null) return null;
    shore ??= parseCoastWord(p);
    rank ??= parseOrderAfter(p, 1);
    if (nth !== null) {
      if (rank === null) return null;
      rank = { ...rank, nth, count: nth };
    }
    single = rank?.count === 1 || rank?.nth !== undefined;
    // "la provincia extremeña más grande"
    isLater = rank === null && !strong;
    if (isLater && (p.v.language === 'de' || adjectiveAt(p, p.at) === null)) return null;
  } else {
    shore ??= parseCoastWord(p);
    rank ??= parseOrderAfter(p, counted?.count ?? null);
  }
  shore ??= parseCoastWord(p) ?? shoreBefore(p);
  const parts = level === 'borough' && rank === null && shore === null ? parsePartsOfCity(p) : null;
  if (parts !== null) return parseFilters(p, checked(p, parts, counted?.count ?? null, from), from);
  if (rank && rank.by !== null && !single && rank.single && !p.isOneEach && isPlural(p, from)) {
    // "the largest cantons" does not give a number.
    p.fail('does not say how many', from, p.at - 1);
  }
  const spanishNeighbor =
    !neighbor &&
    compound === null &&
    p.find(p.v.border.map(({ before }) => before)) === null &&
    // "limitrophes à la fois de Jaén et de Cordoue"
    p.attempt(() => (p.take(p.v.neighboring) && p.find(p.v.both) === null ? true : null)) !== null;
  const start = p.at;
  let of: Expression | null = null;
  if (neighbor || compound !== null || spanishNeighbor) {
    const [base] = p.base;
    if (takeOf(p)) {
      p.take(p.v.articles);
      of = { op: 'neighbors', of: parsePlaceOf(p), level, words: p.words(from) };
    } else if (base && p.base.length === 1) {
      // "Schaan et les communes voisines"
      of = { op: 'neighbors', of: base, level, words: p.words(from) };
    } else return null;
  } else if (rank === null && shore === null) {
    const places = parseListed(p, level);
    if (places) return checked(p, places, counted?.count ?? null, from);
  }
  const inEach = rank === null || of !== null ? null : parseInEach(p);
  if (inEach !== null && rank !== null) return rankedInEach(p, inEach, { level, rank: completeRank(p, rank), from });
  of ??= parseFilteredFirst(p, level, from);
  if (of === null) {
    const container = parseAdjectiveAfter(p) ?? parseContainers(p, level);
    if (container) {
      const listed = rank === null && shore === null ? parseListedIn(p, container, level) : null;
      if (listed) return checked(p, listed, counted?.count ?? null, from);
      // "las provincias andaluzas de Jaén y Cádiz"
      const named = rank === null && shore === null ? parseNamesBehind(p, level, container) : null;
      if (named) return checked(p, { op: 'union', of: named, words: p.words(from) }, counted?.count ?? null, from);
      if (rank && container.op === 'union' && isOfEach)
        return rankedInEach(p, container.of, { level, rank: completeRank(p, rank), from });
      if (rank && container.op === 'union')
        p.fail('can mean of each or of all together; put brackets around what belongs together', from, p.at - 1);
      of =
        container.op === 'side' && container.level === undefined
          ? { ...container, level, words: p.words(from) }
          : { op: 'children', of: container, level, words: p.words(from) };
    } else {
      p.at = start;
      const front = takeFront(p);
      if (rank && front?.op === 'union') return rankedInEach(p, front.of, { level, rank: completeRank(p, rank), from });
      of = front && { op: 'children', of: front, level, words: p.words(from) };
      of ??= parseAnywhere(p, level, from) ?? (isAll || isEvery ? parseAllOfCountry(p, level, from) : null);
      // "Wyoming except for the 3 largest counties"
      if (rank !== null && p.reduced?.op === 'place')
        of ??= { op: 'children', of: p.reduced, level, words: p.words(from) };
      of ??= parseOutsideGroup(p, level, from);
      of ??= level === 'country' ? null : parseComparedAlone(p, level, from, FIRST_LEVELS.includes(level));
      of ??= level === 'country' ? parseInWorld(p, rank !== null || shore !== null, from) : null;
      of ??= parseOfOnlyCountry(p, level, rank !== null || shore !== null, from);
    }
  }
  if (of === null) return null;
  // "los cinco estados de EE. UU. con más habitantes"
  if (rank === null && (counted || isLater)) rank = parseOrderAfter(p, counted?.count ?? 1);
  if (isLater && rank === null) return null;
  const filtered = parseFilters(p, onShore(p, of, shore, from), from);
  return rank ? ranked(p, filtered, completeRank(p, rank), from) : checked(p, filtered, counted?.count ?? null, from);
}

/** "all but the two largest counties of Ohio": those of a rank are left out of the others. Null for something else. */
export function parseAllBut(p: Parser): Expression | null {
  const from = p.at;
  if (!p.take(ALL_BUT)) return null;
  const few = parseMembers(p);
  return few?.op === 'rank' ? { op: 'difference', of: few.of, minus: few, words: p.words(from) } : null;
}
const ALL_BUT = list(
  'all but, all except, everything but, todos menos, todas menos, todos salvo, todas salvo, alle bis auf, alle außer, tous sauf, toutes sauf',
);

/** "the two landlocked countries" */
function parseCountedShore(p: Parser) {
  return p.attempt(() => {
    const count = parseCount(p);
    const shore = count === null ? null : parseCoastWord(p);
    const level = shore === null ? null : parseLevel(p, 'many');
    return count === null || level === null ? null : { count, level, shore };
  });
}

/** Names of a level behind a colon, in the place before it: "(counties of Ohio): Lake, Geauga". */
function parseListedIn(p: Parser, container: Expression, level: LevelWord): Expression | null {
  return p.attempt((): Expression | null => {
    if (container.op !== 'place' || container.name === undefined || !p.sign(':')) return null;
    const { name } = container;
    const listed = parseListed(p, level);
    if (listed?.op !== 'union') return null;
    const of = listed.of.map((one) =>
      one.op === 'place' && one.within === undefined ? { ...one, within: name } : one,
    );
    return { ...listed, of };
  });
}

/**
 * Filters in front of the container: "(counties) over 10,000 km2 in Texas", "sin costa de Andalucía". Null if there are none.
 * @param level null if no word says it: the next below the container is meant
 */
export function parseFilteredFirst(p: Parser, level: LevelWord | null, from: number): Expression | null {
  return p.attempt(() => {
    const start = p.at;
    if (start >= p.tokens.length) return null;
    const unknown: Expression = { op: 'group', name: '', words: p.words(from, from) };
    if (parseFilters(p, unknown, from) === unknown) return null;
    const container = parseContainers(p);
    if (container === null || container.op === 'side') return null;
    const end = p.at;
    const members: Expression = {
      op: 'children',
      of: container,
      ...(level === null ? {} : { level }),
      words: p.words(from),
    };
    p.at = start;
    const filtered = parseFilters(p, members, from);
    p.at = end;
    return filtered;
  });
}

/** "without a coast" between a level and its container, which may begin with the same word: "of the coast of Texas". */
function shoreBefore(p: Parser): 'coastal' | 'landlocked' | null {
  return p.attempt(() => {
    const shore = parseCoastPhrase(p);
    return p.find(p.v.of) === null && genitiveAt(p, p.at) === null ? null : shore;
  });
}

/** "county map": a level and a word for a map of it. */
export function parseMapLevel(p: Parser): LevelWord | null {
  return p.attempt(() => {
    if (INDEFINITE.has(p.tokens[p.at]?.folded ?? '')) p.at++;
    for (const [level, phrases] of p.v.mapLevels) if (p.take(phrases)) return level;
    return null;
  });
}
/** Indefinite articles, of which others begin no set: "a county map". */
const INDEFINITE: ReadonlySet<string> = new Set(['a', 'un', 'una', 'une', 'ein', 'eine']);

/** Takes "bordering" in front of a level: "Missouri and bordering states". */
const takeBordering = (p: Parser): boolean => p.v.language === 'en' && p.take([['bordering']]);

/** A set, with a check of the number that the words give: "the eight provinces of Andalusia". */
export function checked(p: Parser, of: Expression, count: number | null, from: number): Expression {
  return count === null ? of : { op: 'counted', of, count, words: p.words(from) };
}

/** Completes a rank with a following "by area" or "by population". */
export function completeRank(p: Parser, rank: Rank): Rank {
  if (rank.by === 'population') return rank;
  if (p.take(p.v.byPopulation)) return { ...rank, by: 'population' };
  return p.take(p.v.byArea) ? { ...rank, by: 'area' } : rank;
}

/** Those of a set that are by the sea, or that are not. */
export function onShore(p: Parser, all: Expression, is: 'coastal' | 'landlocked' | null, from: number): Expression {
  const of = takeApart(p, all, from);
  return is === null ? of : { op: 'coast', of, is, words: p.words(from) };
}

/** "die an Burgos grenzenden Provinzen": the place is between the article and the participle. */
export function parseParticipleMembers(p: Parser): Expression | null {
  if (p.v.language !== 'de') return null;
  const from = p.at;
  p.take(p.v.all) || p.take(p.v.articles);
  if (p.tokens[p.at]?.folded !== 'an') return null;
  p.at++;
  p.take(p.v.articles);
  const places = parsePlaces(p, () => p.take(p.v.or));
  if (places === null || !/^(?:an)?grenzenden?$/.test(p.tokens[p.at]?.folded ?? '')) return null;
  p.at++;
  const level = parseLevel(p, 'many');
  if (level === null) return null;
  const words = p.words(from);
  const each = places.map((of): Expression => ({ op: 'neighbors', of, level, words }));
  return anyOf(p, each, from);
}

/** A level without "of …": a following distance or border defines the area. */
function parseAnywhere(p: Parser, level: LevelWord, from: number): Expression | null {
  if (isCountedBorders(p)) return null;
  return p.attempt((): Expression | null => {
    const near = p.attempt(() => {
      p.sign(',');
      return parseNearby(p, p.v.within);
    });
    if (near) return { op: 'around', from: near.place, km: near.km, level, words: p.words(from) };
    const [first, ...others] = parseBordered(p) ?? [];
    if (!first) return null;
    refuseTwoStates(p, first);
    const each = alternatives(p, first).map((of): Expression => ({ op: 'neighbors', of, level, words: p.words(from) }));
    const set: Expression = each.length === 1 ? defined(each[0]) : { op: 'union', of: each, words: p.words(from) };
    return touchingEach(p, set, others, from);
  });
}
