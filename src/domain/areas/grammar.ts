import { defined } from '../../common/elements.ts';
import { groupOf } from '../names/groups.ts';
import { parseAdjectiveMembers } from './adjective_members.ts';
import { adjectiveAt } from './adjectives.ts';
import type { Expression } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { parseAnaphor, parseCapital, parseClip, parseContainingOne, parseSide } from './arguments.ts';
import { parseBeyond, parseBeyondPart, refuseBeyondAlone } from './beyond.ts';
import { parseNeighbors } from './bordered.ts';
import { isLongCode, parseCities, parseCoded } from './coded.ts';
import { parseBuffer, parseMargin, parsePartWithin, parseWidened } from './distances.ts';
import { parseElided } from './elided.ts';
import { parseCoastWord, parseFilters } from './filters.ts';
import { parseCountedLevel, parseLevel } from './level_words.ts';
import { parseFilteredFirst, parseMembers, parseParticipleMembers } from './members.ts';
import { nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parseParts } from './parts.ts';
import { parsePlace } from './places.ts';
import { endsWithPlace } from './qualifiers.ts';
import { parseSuperlative, ranked } from './ranks.ts';
import { isBare, isLevelBehind, shareLevel, shareQualifier } from './shared_words.ts';
import { isIsoCode } from './spans.ts';
import { parseUnknownPlace } from './unknown_place.ts';

// Rules for a whole description: lists, differences and brackets. parseTerm() has the order in which rules are tried.

/** Quotation marks, as they open and close; apostrophes are one sign. */
const OPENING = ['"', '“', '”', '„', '«', "'"];
const CLOSING = ['"', '“', '”', '»', "'"];

/** Depth to which brackets can be nested. */
const MOST_NESTED = 8;

/**
 * Parses a whole description.
 * @throws DescriptionError, which quotes the words that are not understood
 */
export function parseAll(p: Parser): Expression {
  // "include: … exclude: …"
  if (p.take(p.v.include) && p.sign(':')) p.isListing = true;
  const region = parseHeadedList(p) ?? parseRegion(p);
  if (p.at < p.tokens.length) p.fail('is not understood', p.at, p.tokens.length - 1);
  return region;
}

/** A place behind a heading with its level: "state: Ohio". Null if there is none. */
function parseHeadedPlace(p: Parser): string | null {
  return p.attempt((): string | null => {
    if (!isHeading(p)) return null;
    parseLevel(p, 'one');
    p.sign(':');
    const from = skipArticle(p);
    const end = nameAt(p, from);
    if (end === null) return null;
    p.at = end + 1;
    return p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to);
  });
}

/** Whether a level and a colon are here: "state: Ohio". */
function isHeading(p: Parser): boolean {
  const start = p.at;
  const is = parseLevel(p, 'one') !== null && p.sign(':');
  p.at = start;
  return is;
}

/**
 * A list behind a heading with its level: "Counties:", "States: Ohio, Iowa", also with the place that contains all:
 * "State: Ohio; counties: Lake, Geauga". Null if there is no heading.
 */
function parseHeadedList(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    const before = parseHeadedPlace(p);
    if (before !== null) p.separator();
    p.take(p.v.all) || p.take(p.v.articles);
    const level = parseLevel(p, 'many');
    if (level === null || !p.sign(':')) return null;
    p.sign(';');
    p.isListing = true;
    const list = parseRegion(p);
    const behind = before === null && p.separator() ? parseHeadedPlace(p) : null;
    const within = before ?? behind;
    const leveled = (one: Expression): Expression => {
      if (one.op !== 'place' || one.name === undefined || one.level !== undefined) return one;
      return { ...one, level, ...(within === null || one.within !== undefined ? {} : { within }) };
    };
    if (list.op === 'place') return leveled(list);
    return list.op === 'union' ? { op: 'union', of: list.of.map(leveled), words: p.words(from) } : list;
  });
}

/** region := sum (WITHOUT sum)* */
export function parseRegion(p: Parser): Expression {
  const from = p.at;
  let of = parseSum(p);
  for (;;) {
    const start = p.at;
    p.sign(',', ';', '.');
    // "Oregon (excluding Lane County)"
    const isBracketed = p.sign('(');
    if (!p.take(p.v.without) && !p.minus()) {
      p.at = start;
      return of;
    }
    if (p.sign(':')) p.isListing = true;
    const outer = p.base;
    p.base = [of];
    p.take(p.v.of.filter((phrase) => phrase.length === 1 && (phrase[0] === 'de' || phrase[0] === 'von')));
    const before = p.excluding;
    p.excluding = true;
    const minus = parseSum(p);
    p.excluding = before;
    p.base = outer;
    if (isBracketed && !p.sign(')')) p.fail('a closing bracket is expected');
    of = { op: 'difference', of, minus, words: p.words(from) };
  }
}

/** sum := item ((AND | OR | ',' | ';') item)* */
function parseSum(p: Parser): Expression {
  const from = p.at;
  const outerBoth = p.isBoth;
  // "both provinces of Extremadura" is a number.
  const isNumber = !isLongCode(p) && p.attempt(() => parseCountedLevel(p)) !== null;
  if (isNumber) p.at = from;
  p.isBoth = !isNumber && (p.take(p.v.both) || p.take(p.v.either));
  const outer = p.base;
  const items: Expression[] = [parseItem(p)];
  // Places with nothing but commas between them, and whether semicolons alone divide them from others.
  const chains: Expression[][] = [[...items]];
  let divided = true;
  for (;;) {
    const start = p.at;
    // "Harris and Dallas counties, Texas"
    if (items.length > 1 && isLevelBehind(defined(items.at(-1))) && endsWithPlace(p)) break;
    if (!p.separator()) break;
    // "counties: Lake, Geauga; state: Ohio"
    if (isHeading(p)) {
      p.at = start;
      break;
    }
    const isComma = p.tokenAt(start).folded === ',' && p.at === start + 1;
    if (!isComma && p.tokenAt(start).folded !== ';') divided = false;
    p.base = items;
    if (p.at >= p.tokens.length || p.find(p.v.without) !== null) {
      if (p.find(p.v.without) !== null) {
        p.at = start;
        break;
      }
      p.fail('a place is expected');
    }
    const item = parseItem(p);
    items.push(item);
    if (isComma) chains.at(-1)?.push(item);
    else chains.push([item]);
  }
  p.base = outer.length > 0 ? outer : [];
  // "both Virginias" is not Virginia; "both Dakotas" is a group.
  if (p.isBoth && items.length === 1 && items[0]?.op === 'place')
    p.fail('is one place, and "both" asks for two', from, p.at - 1);
  p.isBoth = outerBoth;
  const bracketed = p.attempt(() => {
    const level = p.sign('(') ? (parseLevel(p, 'many') ?? parseLevel(p, 'one')) : null;
    return level !== null && p.sign(')') && items.every(isBare) ? level : null;
  });
  // "Burgos y Soria (provincias)"
  if (bracketed !== null) for (const [k, one] of items.entries()) items[k] = { ...one, level: bracketed } as Expression;
  if (items.length === 1) return defined(items[0]);
  // "Cuba, New Mexico; Poland, Ohio" names two places, "Jersey, New York and Connecticut" three.
  if (!p.isListing && (divided || chains.every(({ length }) => length === 2))) {
    for (const [one, other, ...more] of chains)
      if (one && other && more.length === 0 && isPair(one, other)) p.pairs.push([one, other]);
  }
  return shareLevel(p, items, from) ?? { op: 'union', of: shareQualifier(items), words: p.words(from) };
}

/** Whether two items may be one place in another; two codes are not: "AK, HI". */
function isPair(one: Expression, other: Expression): boolean {
  if (one.op !== 'place' || other.op !== 'place') return false;
  return ![one.name, other.name].every((name) => isIsoCode(name ?? ''));
}

function parseItem(p: Parser): Expression {
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
    const inner = parseRegion(p);
    if (!p.sign(')')) p.fail('a closing bracket is expected');
    return parseBeyond(p, inner, from) ?? parseFilters(p, parsePostfix(p, inner, from), from);
  }
  refuseBeyondAlone(p);
  const rules = [
    () => parseQuoted(p),
    () => parseElided(p),
    () => parseCoded(p),
    () => parseCities(p),
    () => parseBeyondPart(p),
    () => parseRankedOf(p),
    () => parseCountedOf(p),
    () => parseAnaphoric(p),
    () => parseClip(p),
    () => parseParts(p),
    () => parseBuffer(p),
    () => parseMargin(p),
    () => parseContainingOne(p),
    () => parseLeveledName(p),
    () => parseMembers(p),
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
      const whole = parsePostfix(p, found, from);
      const near = whole.op === 'place' || whole.op === 'group' ? parsePartWithin(p, whole, from) : null;
      return near ?? parseWidened(p, whole, from) ?? parseBeyond(p, whole, from) ?? whole;
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
  const place = parsePlace(p, false);
  if (place?.op !== 'place') return null;
  return { ...place, level: base.level, words: p.words(from) };
}

/** A group with filters: "EU-Länder mit mehr als 20 Millionen Einwohnern", "the three largest African countries". */
function parseGroupMembers(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.all) || p.take(p.v.articles);
  const rank = parseSuperlative(p);
  const shore = parseCoastWord(p);
  if (rank === null && shore === null) p.at = from;
  const group = parsePlace(p);
  if (group?.op !== 'group') return null;
  // Territories are neither ranked nor landlocked.
  const isOfCountries = groupOf(group.name)?.members.every((code) => code.length === 2) === true;
  const members: Expression =
    (rank || shore) && isOfCountries ? { op: 'children', of: group, level: 'country', words: p.words(from) } : group;
  const shored: Expression = shore === null ? members : { op: 'coast', of: members, is: shore, words: p.words(from) };
  const filtered = parseFilters(p, shored, from);
  if (rank) return ranked(p, filtered, rank, from);
  return filtered === group ? null : filtered;
}

function parseWhole(p: Parser): Expression | null {
  return p.attempt(() => {
    if (!p.take(p.v.whole)) return null;
    p.take(p.v.articles);
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
    if (p.take(p.v.neighbors)) return { op: 'neighbors', of, words: words() };
    if (p.take(p.v.capital)) return { op: 'capital', of, words: words() };
    if (p.take(p.v.neighboring)) {
      const level = parseLevel(p, 'many');
      return level && { op: 'neighbors', of, level, words: words() };
    }
    const rank = parseSuperlative(p);
    // "Ohio's 88 counties"
    const count = rank === null ? parseCount(p) : null;
    const level = parseLevel(p, rank?.single ? 'one' : 'many');
    if (!level) return null;
    const members: Expression = { op: 'children', of, level, words: words() };
    const filtered = parseFilters(p, rank ? ranked(p, members, rank, from) : members, from);
    return count === null ? filtered : { op: 'counted', of: filtered, count, words: words() };
  });
  return found ?? of;
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
  if (p.take(p.v.capital)) return { op: 'capital', of, words: p.words(from) };
  if (p.take(p.v.neighboring)) {
    const level = parseLevel(p, 'many');
    if (level) return { op: 'neighbors', of, level, words: p.words(from) };
    p.at--;
  }
  if (p.take(p.v.neighbors)) return { op: 'neighbors', of, words: p.words(from) };
  for (const [level, phrases] of p.v.neighborLevels) {
    if (p.take(phrases)) return { op: 'neighbors', of, level, words: p.words(from) };
  }
  const level = parseLevel(p, 'many');
  if (level === null) p.fail('is not understood', from, p.at);
  // "sus provincias vecinas"
  if (p.take(p.v.neighboring)) return { op: 'neighbors', of, level, words: p.words(from) };
  return parseFilters(p, { op: 'children', of, level, words: p.words(from) }, from);
}
