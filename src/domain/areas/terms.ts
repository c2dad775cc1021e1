import { defined } from '../../common/elements.ts';
import { foldName } from '../names/fold.ts';
import { mayBeIn } from './addresses.ts';
import { parseAdjectiveMembers } from './adjective_members.ts';
import { parseAdjectivePlace } from './adjective_places.ts';
import { adjectiveAt } from './adjectives.ts';
import type { Expression } from './algebra.ts';
import { parseCount, parseDirection, parseSidedHalf } from './amounts.ts';
import { parseListWithin } from './apposition.ts';
import { parseAnaphor, parseCapital, parseClip, parseContainingOne, parseHalfBehind, parseSide } from './arguments.ts';
import { parseBeyond, parseBeyondPart, refuseBeyondAlone } from './beyond.ts';
import { onlyNeighbor, parseAroundThem, parseNeighbors } from './bordered.ts';
import { parseCities, parseCoded } from './coded.ts';
import { parseBuffer, parseMargin, parsePartWithin, parseWidened } from './distances.ts';
import { parseElided } from './elided.ts';
import { parseCoastWord, parseFilters, parseThose } from './filters.ts';
import { parseGroupMembers } from './group_members.ts';
import { parseNumberedGroup, parseOwnMembers } from './groups_named.ts';
import { parseCountedLevel, parseLevel } from './level_words.ts';
import {
  checked,
  completeRank,
  onShore,
  parseAllBut,
  parseFilteredFirst,
  parseMembers,
  parseParticipleMembers,
} from './members.ts';
import { backToName, groupAt, nameAt, skipArticle } from './name_at.ts';
import { parseBehindFront } from './of_each.ts';
import { parseNonMembers } from './outside.ts';
import type { Parser } from './parser.ts';
import { parseParts } from './parts.ts';
import { parsePlace } from './places.ts';
import { parseAtPoint } from './points.ts';
import { takeAllOfLevel } from './qualifiers.ts';
import { parseOrderAfter, parseSuperlative, ranked } from './ranks.ts';
import { parseTwoRanks } from './two_ranks.ts';
import { parseUnknownPlace } from './unknown_place.ts';

// Rules for the items of a list: parseTerm() has the order in which rules are tried.

/** Quotation marks, as they open and close; apostrophes are one sign. */
const OPENING = ['"', '“', '”', '„', '«', "'"];
const CLOSING = ['"', '“', '”', '»', "'"];

/** Depth to which brackets can be nested. */
const MOST_NESTED = 8;

/** One item of a list: a place, boundaries of a level, or what is in brackets, with what follows it. */
export function parseItem(p: Parser): Expression {
  if (++p.nested > MOST_NESTED * 3) p.fail('is nested too deep');
  try {
    return parseTerm(p);
  } finally {
    p.nested--;
  }
}

function parseTerm(p: Parser): Expression {
  const from = p.at;
  if (p.sign('(')) {
    if (p.nested > MOST_NESTED * 2) p.fail('is nested too deep');
    // "[Nevada, Utah]" is a list, also of two.
    const [before, mayAdd] = [p.isListing, p.mayAdd];
    p.mayAdd = false;
    p.isListing ||= p.tokenAt(from).text !== '(';
    const inner = p.region(p);
    p.isListing = before;
    p.mayAdd = mayAdd;
    if (!p.sign(')')) p.fail('a closing bracket is expected');
    return parseBeyond(p, inner, from) ?? parseFilters(p, parsePostfix(p, inner, from), from);
  }
  refuseBeyondAlone(p);
  const rules = [
    () => parseNumberedGroup(p),
    () => parseQuoted(p),
    () => parseThose(p),
    () => parseListWithin(p),
    () => parseAtPoint(p),
    () => parseElided(p),
    () => parseCoded(p),
    () => parseAdjectivePlace(p),
    () => parseCities(p),
    () => parseBeyondPart(p),
    () => parseRankedOf(p),
    () => parseTwoRanks(p, parseRankedSet),
    () => parseNonMembers(p, parseRankedSet),
    () => parseAllBut(p),
    () => parseCountedOf(p),
    () => parseAroundThem(p),
    () => parseAnaphoric(p),
    () => parseClip(p),
    () => parseParts(p),
    () => parseBuffer(p),
    () => parseMargin(p),
    () => parseContainingOne(p),
    () => parseLeveledName(p),
    () => parseMembers(p),
    () => parseBehindFront(p, parseRankedSet),
    () => parseParticipleMembers(p),
    () => parseSide(p),
    () => parseNeighbors(p),
    () => parseCapital(p),
    () => parseAdjectiveMembers(p),
    () => parseOneOfThose(p),
    () => parseGroupMembers(p),
    () => parseFilteredFirst(p, null, p.at),
    () => parsePlace(p),
  ];
  for (const rule of rules) {
    const found = p.attempt(rule);
    if (found) {
      // Nothing that belongs to it is behind a semicolon.
      if (p.at >= p.tokens.length || p.tokens[p.at]?.folded === ';') return found;
      const whole = parsePostfix(p, found, from);
      const all = whole.op === 'place' ? takeAllOfLevel(p) : null;
      if (all) {
        const of: Expression = { op: 'children', of: whole, level: all.level, words: p.words(from) };
        return checked(p, of, all.count, from);
      }
      const near = whole.op === 'place' || whole.op === 'group' ? parsePartWithin(p, whole, from) : null;
      return (
        near ?? parseHalfBehind(p, whole, from) ?? parseWidened(p, whole, from) ?? parseBeyond(p, whole, from) ?? whole
      );
    }
  }
  return parseWhole(p) ?? parseUnknownPlace(p);
}

/** A name that begins with a word for a level, and ends with an adjective, which is not a level of a place: "le Pays basque". */
function parseLeveledName(p: Parser): Expression | null {
  if (p.v.language === 'en' || p.v.language === 'de') return null;
  const from = p.at;
  const end = nameAt(p, skipArticle(p));
  if (end === null || end === p.at || !p.attempt(() => parseLevel(p, 'one') !== null && adjectiveAt(p, end) !== null))
    return null;
  p.at = from;
  return parsePlace(p);
}

/** A set with one rank. */
const parseRankedSet = (p: Parser): Expression | null =>
  p.attempt(() => parseRankedOf(p)) ??
  p.attempt(() => parseMembers(p)) ??
  p.attempt(() => parseAdjectiveMembers(p)) ??
  p.attempt(() => parseGroupMembers(p));

/** A name in quotation marks: "Huesca". */
function parseQuoted(p: Parser): Expression | null {
  if (!p.sign(...OPENING)) return null;
  const place = parsePlace(p, false);
  return place !== null && p.sign(...CLOSING) ? place : null;
}

/** "the 3 largest of (…)" */
function parseRankedOf(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.articles);
  const rank = parseSuperlative(p);
  if (rank === null || rank.by === null || !p.take(p.v.of)) return null;
  const of = p.inBrackets();
  return of && ranked(p, of, rank, from);
}

/** "all 8 of (…)": a check of their number. */
function parseCountedOf(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.all);
  const count = parseCount(p);
  if (count === null || !p.take(p.v.of)) return null;
  const of = p.inBrackets();
  return of && { op: 'counted', of, count, words: p.words(from) };
}

/** "celui de Wiltz" after "les cantons … sauf", or after one place of a level. */
function parseOneOfThose(p: Parser): Expression | null {
  const from = p.at;
  const base = p.base.at(-1);
  // "la provincia de Sevilla y la de Huelva"
  const isLeveled = base?.op === 'children' || (base?.op === 'place' && base.level !== undefined);
  if (!isLeveled || !p.take(p.v.thatOf)) return null;
  p.take(p.v.articles);
  // "la de Las Palmas"
  backToName(p);
  const place = parsePlace(p, false);
  if (place?.op !== 'place') return null;
  // "Washington County in Oregon and that of Utah": the one of the same name, or the county of Utah.
  const isSame = base.op === 'place' && base.within !== undefined;
  if (isSame && mayBeIn(p, foldName(base.name ?? ''), foldName(place.name ?? '')))
    p.fail(
      'can be read in two ways together with what stands before it; put brackets around what belongs together',
      from,
      p.at - 1,
    );
  return { ...place, level: base.level, words: p.words(from) };
}

function parseWhole(p: Parser): Expression | null {
  return p.attempt(() => {
    if (!p.take(p.v.whole)) return null;
    // "the Dakotas" is a group.
    if (groupAt(p, p.at) === null) p.take(p.v.articles);
    // "toda La Rioja"
    backToName(p);
    if (p.at >= p.tokens.length) return null;
    return parseItem(p);
  });
}

/** After a place: "'s cantons", "'s neighbors", "'s capital". */
function parsePostfix(p: Parser, of: Expression, from: number): Expression {
  const found = p.attempt((): Expression | null => {
    const token = p.tokens[p.at];
    const possessive = token?.folded === 's' && token.glue === "'";
    if (possessive) p.at++;
    else if (!p.sign("'")) return null;
    const before = p.base.at(-1);
    // "Spain and France's neighbors" may mean the neighbors of both.
    if (before?.op === 'place' || before?.op === 'group') {
      p.fail(
        'can be read in two ways together with what stands before it; put brackets around what belongs together',
        from,
      );
    }
    const words = () => p.words(from);
    const half = parseSidedHalf(p);
    if (half !== null) return { op: 'clip', of, direction: half, words: words() };
    // "Nevada's northern counties"
    const side = p.attempt(() => {
      const direction = parseDirection(p, p.v.sided);
      const level = direction === null ? null : parseLevel(p, 'many');
      return level === null || direction === null ? null : { direction, level };
    });
    if (side !== null) return { op: 'side', of, ...side, words: words() };
    const members = p.attempt(() => parseOwnMembers(p, of, from));
    if (members !== null) return members;
    if (p.take(p.v.onlyNeighbor)) return onlyNeighbor(p, of, from);
    if (p.take(p.v.neighbors)) return { op: 'neighbors', of, words: words() };
    const beside = p.attempt(() => {
      const number = parseCount(p);
      return number !== null && p.take(p.v.neighbors) ? number : null;
    });
    if (beside !== null)
      return { op: 'counted', of: { op: 'neighbors', of, words: words() }, count: beside, words: words() };
    if (p.take(p.v.capital)) return { op: 'capital', of, words: words() };
    if (p.take(p.v.neighboring)) {
      const level = parseLevel(p, 'many');
      return level && { op: 'neighbors', of, level, words: words() };
    }
    return parseTwoRanks(p, (one) => parseOwned(one, of, from)) ?? parseOwned(p, of, from);
  });
  return found ?? of;
}

/** "88 counties", "largest county" behind a possessive. */
function parseOwned(p: Parser, of: Expression, from: number): Expression | null {
  const rank = parseSuperlative(p);
  // "Ohio's 88 counties"
  const count = rank === null ? parseCount(p) : null;
  // "Oregon's coastal counties"
  const shore = parseCoastWord(p);
  const level = parseLevel(p, rank?.single ? 'one' : 'many') ?? (p.isOneEach ? parseLevel(p, 'many') : null);
  if (!level) return null;
  const members = onShore(p, { op: 'children', of, level, words: p.words(from) }, shore, from);
  const filtered = parseFilters(p, rank ? ranked(p, members, completeRank(p, rank), from) : members, from);
  return count === null ? filtered : { op: 'counted', of: filtered, count, words: p.words(from) };
}

/** "its neighbors", "its capital", "their cantons". */
function parseAnaphoric(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.articles);
  for (const [level, phrases] of p.v.neighborLevels) {
    if (p.base.length === 1 && p.take(phrases)) {
      const after = p.at;
      if (!p.take(p.v.of)) return { op: 'neighbors', of: defined(p.base[0]), level, words: p.words(from) };
      p.at = after;
      return null;
    }
  }
  p.at = from;
  const of = parseAnaphor(p, p.v.its, false) ?? parseAnaphor(p, p.v.their, true);
  if (!of) return null;
  // "its six founding members"
  const members = p.attempt(() => parseOwnMembers(p, of, from));
  if (members !== null) return members;
  if (p.take(p.v.capital)) return { op: 'capital', of, words: p.words(from) };
  if (p.take(p.v.neighboring)) {
    const level = parseLevel(p, 'many');
    if (level) return { op: 'neighbors', of, level, words: p.words(from) };
    p.at--;
  }
  if (p.take(p.v.onlyNeighbor)) return onlyNeighbor(p, of, from);
  if (p.take(p.v.neighbors)) return { op: 'neighbors', of, words: p.words(from) };
  for (const [level, phrases] of p.v.neighborLevels) {
    if (p.take(phrases)) return { op: 'neighbors', of, level, words: p.words(from) };
  }
  // "its two largest counties"
  let rank = parseSuperlative(p);
  let level = parseLevel(p, rank?.single ? 'one' : 'many');
  // "su provincia más grande", "sus dos provincias más grandes"
  if (rank === null && level === null) {
    const counted = p.attempt(() => parseCountedLevel(p));
    level = counted?.level ?? parseLevel(p, 'one');
    rank = level === null ? null : parseOrderAfter(p, counted?.count ?? 1);
    if (rank === null) level = null;
  }
  if (level === null) p.fail('is not understood', from, p.at);
  if (rank !== null) {
    const members = parseFilters(p, { op: 'children', of, level, words: p.words(from) }, from);
    return ranked(p, members, completeRank(p, rank), from);
  }
  // "sus provincias vecinas"
  if (p.take(p.v.neighboring)) return { op: 'neighbors', of, level, words: p.words(from) };
  return parseFilters(p, { op: 'children', of, level, words: p.words(from) }, from);
}
