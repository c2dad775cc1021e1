import { defined } from '../../common/elements.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import { DIRECTIONS, type Direction, type Expression } from './algebra.ts';
import { parseAreaUnit, parseDirection, parseNumber, parseSidedHalf } from './amounts.ts';
import { isOrMore, startsComparison } from './comparisons_read.ts';
import { parseLevel } from './level_words.ts';
import { genitiveAt, groupAt, nameAt, takeOf } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { parseAtPoint } from './points.ts';
import { parseSuperlative } from './ranks.ts';
import { foldsOf, spansFrom } from './spans.ts';
import type { Token } from './tokens.ts';
import { parseUnknownPlace } from './unknown_place.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { list } from './vocabulary/phrases.ts';
import type { Phrase } from './vocabulary/vocabulary.ts';

// Rules for what is derived from a place: its half, its neighbors, what is near it or contains it.

/** An argument that is one place: "the neighbors of X", "within 5 km of X". */
function parseArgument(p: Parser): Expression {
  const from = p.at;
  const it = parseAnaphor(p, p.v.it, false) ?? parseAnaphor(p, p.v.them, true);
  if (it) return it;
  p.take(p.v.either);
  const items = [parseSingle(p), ...parseMoreBeforeOr(p)];
  while (p.find(p.v.or) !== null && !isOrMore(p) && p.take(p.v.or)) {
    // "limítrofes con Soria o con Burgos"
    if (p.v.language !== 'en') p.take(PREPOSITIONS);
    items.push(parseSingle(p));
  }
  const one: Expression = items.length === 1 ? defined(items[0]) : { op: 'union', of: items, words: p.words(from) };
  refuseMore(p, from);
  return one;
}

/** Names between commas in front of "or": ", B" of "A, B or C". None if no "or" follows. */
function parseMoreBeforeOr(p: Parser): readonly Expression[] {
  const found = p.attempt(() => {
    const items: Expression[] = [];
    while (p.sign(',')) {
      if (p.find(p.v.or) !== null) break;
      const place = p.attempt(() => parsePlace(p, false));
      if (place === null) return null;
      items.push(place);
    }
    return items.length > 0 && p.find(p.v.or) !== null && !isOrMore(p) ? items : null;
  });
  return found ?? [];
}

/** Prepositions that other languages write again behind "or". */
const PREPOSITIONS = list('con, con la, de, de la, del, du, d, a, à, an, an die, von');

/** One place, or what is in brackets: a side or a half of it, its capital, what contains it. */
export function parseSingle(p: Parser): Expression {
  p.take(p.v.whole);
  const inner = p.inBrackets();
  if (inner !== null) return inner;
  for (const rule of [
    () => parseAtPoint(p),
    () => parseContainingOne(p),
    () => parseSide(p),
    () => parseCapital(p),
    () => parsePlace(p),
  ]) {
    const found = p.attempt(rule);
    if (found) return found;
  }
  return parseUnknownPlace(p);
}

/** A place without "in …" after it. */
export function parseBare(p: Parser): Expression {
  const inner = p.inBrackets();
  if (inner !== null) return inner;
  return p.attempt(() => parsePlace(p, false)) ?? parseUnknownPlace(p);
}

/**
 * An argument after "of".
 * @throws DescriptionError when nothing follows
 */
export function parsePlaceOf(p: Parser): Expression {
  if (p.at >= p.tokens.length) p.fail('a place is expected');
  return parseArgument(p);
}

/** "of": a preposition or, in German, a genitive. @throws DescriptionError if it is missing */
function requireOf(p: Parser): void {
  if (p.take(p.v.of)) p.take(p.v.articles);
  else if (p.v.language !== 'de') p.fail('"of" and a place are expected');
}

/** "the north of A and B" is ambiguous: requires brackets. */
export function refuseMore(p: Parser, from: number): void {
  if (isOrMore(p)) return;
  const start = p.at;
  const more = p.separator();
  const next = p.tokens[p.at];
  const clear =
    !more ||
    next === undefined ||
    next.folded === '(' ||
    p.find(p.v.without) !== null ||
    p.find(p.v.relative) !== null ||
    startsComparison(p) ||
    startsPhrase(p);
  const end = p.at;
  p.at = start;
  if (!clear) {
    p.fail(
      'can be read in two ways together with what follows it; put brackets around what belongs together',
      from,
      end,
    );
  }
}

/** Whether something other than a bare place starts here: a level, "all", "its". */
export function startsPhrase(p: Parser): boolean {
  const start = p.at;
  p.take(p.v.all) || p.take(p.v.articles);
  // "die 20.000 km² übersteigen" has no number of boundaries.
  const isMeasured = p.attempt(() => (parseNumber(p) !== null && parseAreaUnit(p) !== null ? true : null)) !== null;
  const rank = isMeasured ? null : parseSuperlative(p);
  const phrase =
    rank !== null ||
    parseLevel(p, 'many') !== null ||
    p.find(p.v.its) !== null ||
    p.find(p.v.their) !== null ||
    p.find(p.v.neighbors) !== null ||
    parseSidedHalf(p) !== null;
  p.at = start;
  return phrase;
}

/**
 * What "it" or "them" means: the places named before. Null if no such word, or no place before it, is here.
 * @throws DescriptionError when a singular can mean several places
 */
export function parseAnaphor(p: Parser, phrases: readonly Phrase[], plural: boolean): Expression | null {
  const from = p.at;
  if (!p.take(phrases)) return null;
  if (p.base.length === 0) {
    p.at = from;
    return null;
  }
  if (!plural && p.base.length > 1) p.fail('can mean several of the places before it', from);
  return p.base.length === 1 ? defined(p.base[0]) : { op: 'union', of: [...p.base], words: p.words(from) };
}

/** "Iowa, southern half only", "Soria (la mitad oriental)": the half of the one place in front. Null if more follows. */
export function parseHalfBehind(p: Parser, of: Expression, from: number): Expression | null {
  if (p.base.length > 0) return null;
  return p.attempt(() => {
    const isBracketed = p.sign('(');
    if (!isBracketed && !p.sign(',', '-', '–', '—', ':')) return null;
    p.take(JUST);
    const direction = parseSidedHalf(p);
    p.take(JUST);
    if (direction === null || (isBracketed && !p.sign(')'))) return null;
    if (p.at < p.tokens.length && p.find(p.v.without) === null) return null;
    return { op: 'clip', of, direction, words: p.words(from) };
  });
}
const JUST = list('only, just, of it, solo, sólo, solamente, nur, davon, seulement, uniquement');

/** "the south of Spain", "southern Spain" */
export function parseSide(p: Parser): Expression | null {
  const from = p.at;
  const of = p.attempt((): { direction: Direction; of: Expression } | null => {
    p.take(p.v.articles);
    const direction = parseDirection(p, p.v.sides);
    if (direction === null) return null;
    if (!p.take(p.v.of)) {
      if (p.v.language !== 'de' || genitiveAt(p, p.at) === null) return null;
    } else p.take(p.v.articles);
    if (p.at >= p.tokens.length) return null;
    return { direction, of: parsePlaceOf(p) };
  });
  if (of) return { op: 'side', of: of.of, direction: of.direction, words: p.words(from) };
  p.at = from;
  // A known name is not a side: "Northern Ireland", "South Africa".
  if (nameAt(p, p.at) !== null) return null;
  p.take(p.v.articles);
  if (nameAt(p, p.at) !== null || groupAt(p, p.at) !== null || isElsewhere(p)) return null;
  const start = p.at;
  const direction = parseDirection(p, p.v.sided);
  // "south Spain" is neither a name nor a side.
  if (direction === null || (p.v.sides.get(direction) ?? []).some((phrase) => p.peek(phrase, start) === p.at))
    return null;
  if (nameAt(p, p.at) === null) return null;
  const place = parsePlace(p);
  if (place === null) return null;
  refuseMore(p, from);
  return { op: 'side', of: place, direction, words: p.words(from) };
}

/** Whether the name of a division starts here that is not stored: "Northern Ireland" is not the north of Ireland. */
function isElsewhere(p: Parser): boolean {
  if (p.at >= p.tokens.length) return false;
  return spansFrom(p.tokens, p.at).some(
    (end) =>
      end > p.at && foldsOf(p.text, p.tokens, p.at, end).some((folded) => countriesWithDivision(folded).length > 0),
  );
}

/** "the capital of X" */
export function parseCapital(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.articles);
  if (!p.take(p.v.capital)) return null;
  // "municipios de Madrid menos la capital"
  const whole = p.reduced?.op === 'children' ? p.reduced.of : p.reduced;
  if (whole?.op === 'place' && p.at > from + 1 && p.at >= p.tokens.length)
    return { op: 'capital', of: whole, words: p.words(from) };
  if (!p.take(p.v.of)) return null;
  p.take(p.v.articles);
  return { op: 'capital', of: parsePlaceOf(p), words: p.words(from) };
}

/** "the northern half of X": cut by a line, whatever boundaries are there. */
export function parseClip(p: Parser): Expression | null {
  const from = p.at;
  const direction = parseSidedHalf(p);
  if (direction === null) return p.hasToken(isHalf) ? parseHalfThat(p) : null;
  requireOf(p);
  return { op: 'clip', of: parsePlaceOf(p), direction, words: p.words(from) };
}

/** Whether a token is a half or a quarter, in any language. */
const isHalf = ({ folded }: Token): boolean => HALVES.has(folded);
const HALVES: ReadonlySet<string> = new Set(VOCABULARIES.flatMap(({ half, quarter }) => [...half, ...quarter].flat()));

/** "the half of Nevada that lies to the west" */
function parseHalfThat(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.articles);
  const isHalf = p.take(p.v.half);
  if ((!isHalf && !p.take(p.v.quarter)) || !takeOf(p)) return null;
  p.take(p.v.articles);
  const of = p.attempt(() => parsePlace(p, false));
  p.sign(',');
  const direction = of === null ? null : parseDirection(p, p.v.beyond);
  if (of === null || direction === null || isHalf !== DIRECTIONS.indexOf(direction) < 4) return null;
  return p.find(p.v.of) === null ? { op: 'clip', of, direction, words: p.words(from) } : null;
}

/** "the canton that contains Beaufort" */
export function parseContainingOne(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.all) || p.take(p.v.each) || p.take(p.v.articles);
  const level = parseLevel(p, 'one') ?? parseLevel(p, 'many');
  if (level === null) return null;
  const start = p.at;
  p.sign(',');
  for (const { before, after } of p.v.containing) {
    const end = p.peek(before);
    if (end === null) continue;
    p.at = end;
    const of = parseContainedPlaces(p);
    if (after.length > 0 && !p.take(after)) break;
    return { op: 'containing', of, level, words: p.words(from) };
  }
  p.at = start;
  return null;
}

/** Places joined by "and" after "contains". */
function parseContainedPlaces(p: Parser): Expression {
  const from = p.at;
  const items = [parseSingle(p)];
  while (p.find(p.v.and) !== null) {
    const start = p.at;
    p.take(p.v.and);
    const next = startsPhrase(p) ? null : p.attempt(() => parsePlace(p));
    if (next === null) {
      p.at = start;
      break;
    }
    items.push(next);
  }
  return items.length === 1 ? defined(items[0]) : { op: 'union', of: items, words: p.words(from) };
}
