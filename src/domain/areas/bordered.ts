import { defined } from '../../common/elements.ts';
import { foldName } from '../names/fold.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import type { Expression } from './algebra.ts';
import { parsePlaceOf, parseSingle, refuseMore } from './arguments.ts';
import { clip } from './description_error.ts';
import { parseLevel } from './level_words.ts';
import { backToName, nameAt, takeOf } from './name_at.ts';
import { parseNeither } from './neither.ts';
import type { Parser } from './parser.ts';
import { anyOf, parsePlace, parsePlaces } from './places.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { list } from './vocabulary/phrases.ts';
import type { Around, Phrase } from './vocabulary/vocabulary.ts';
import { said } from './wording/said.ts';

// Rules for what borders a place, or each of several.

/** The places that "that border …" names, each of which is bordered: "both France and Italy"; null if there is none. */
export function parseBordered(p: Parser): readonly Expression[] | null {
  return p.attempt(() => {
    p.sign(',');
    const one = parseOnBorder(p);
    if (one) return [one];
    const first = p.tokens[p.at]?.folded;
    for (const form of p.v.border) {
      if (form.before[0] !== first) continue;
      const each = parseEach(p, form) ?? parseRepeated(p, form);
      if (each) return each;
    }
    for (const { before, after } of p.v.border) {
      const end = p.peek(before);
      if (end === null) continue;
      p.at = end;
      // "que limitan con El Grado"
      backToName(p);
      if (nameAt(p, p.at) === null) p.take(p.v.articles);
      if (p.at >= p.tokens.length) p.fail('a place is expected');
      if (after.length === 0) return [parsePlaceOf(p)];
      const from = p.at;
      const of = p.attempt(() => parseOneOf(p));
      if (of !== null && p.find(p.v.and) !== null) refuseMore(p, from);
      if (of === null || !p.take(after)) return null;
      return [of];
    }
    return null;
  });
}

/** "on the Portuguese border", "on the Alabama border", "on the border with Portugal", "en la frontera portuguesa" */
function parseOnBorder(p: Parser): Expression | null {
  for (const { before, after } of p.v.onBorder) {
    const found = p.attempt(() => {
      const from = p.peek(before);
      if (from === null) return null;
      p.at = from;
      const adjective = parseAdjective(p);
      if (after.length === 0) {
        p.take(adjective === null ? p.v.articles : []);
        return adjective ?? parsePlaceOf(p);
      }
      const place = adjective ?? parsePlace(p, false);
      if (place === null || !p.take(after)) return null;
      refuseMore(p, from);
      return place;
    });
    if (found) return found;
  }
  return null;
}

/** The place that an adjective means: "Portuguese". Null for another word. */
function parseAdjective(p: Parser): Expression | null {
  const code = ADJECTIVES[p.v.language].get(p.tokens[p.at]?.folded ?? '');
  if (code === undefined) return null;
  p.at++;
  return { op: 'place', id: `iso:${code}`, words: p.words(p.at - 1) };
}

/** The place that "that do not border …" names; null if there is none. */
export function parseOffBorder(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    const neither = parseNeither(p);
    if (neither) return { op: 'union', of: neither, words: p.words(from) };
    for (const { before, after } of p.v.offBorder) {
      const end = p.peek(before);
      if (end === null) continue;
      p.at = end;
      p.take(p.v.articles);
      if (after.length === 0) return parsePlaceOf(p);
      const of = p.attempt(() => parseOneOf(p));
      if (of !== null && p.take(after)) return of;
    }
    return null;
  });
}

/** Those of a set that do not border a place. The place itself stays, if it is one of the set, and a choice says so. */
export function notTouching(p: Parser, of: Expression, border: Expression, from: number): Expression {
  const words = p.words(from);
  p.choices.push(said`"${clip(border.words?.text ?? '')}" does not border itself: it stays where it is one of them`);
  const each = alternatives(p, border).map((one): Expression => ({ op: 'touching', of, border: one, words }));
  const minus: Expression = each.length === 1 ? defined(each[0]) : { op: 'union', of: each, words };
  return { op: 'difference', of, minus, words };
}

/**
 * Whether a set of what borders a place ends here, so that "but not Nebraska" may mean that place or what borders it.
 * What is in brackets has one meaning, and so have the neighbors of a place, which no verb selects; those too with `isAgain`,
 * where a preposition says of what they may not be neighbors.
 */
export function isBordering(p: Parser, of: Expression, isAgain = false): boolean {
  if (p.tokens[p.at - 1]?.folded === ')') return false;
  // "that border Utah or Nevada"
  if (of.op === 'union') return of.of.every((one) => isBordering(p, one, isAgain));
  if (of.op === 'touching') return true;
  if (of.op !== 'neighbors' || of.words === undefined || (of.level === undefined && !isAgain)) return false;
  if (isAgain) return true;
  const { from, to } = of.words;
  const isNoun = (i: number): boolean =>
    p.find(p.v.neighboring, i) !== null ||
    [...p.v.neighborLevels.values()].some((phrases) => p.find(phrases, i) !== null);
  return ![...p.tokens.keys()].some((i) => p.tokenAt(i).from >= from && p.tokenAt(i).to <= to && isNoun(i));
}

/**
 * "that border both France and Italy", "que limitan tanto con Sevilla como con Málaga": "both" stands behind the form, or
 * before its preposition, which is repeated then. Null without "both".
 */
function parseEach(p: Parser, { before, after }: Pick<Around, 'before' | 'after'>): readonly Expression[] | null {
  return p.attempt(() => {
    const preposition = takeBoth(p, before);
    if (preposition === null) return null;
    const places = parseEachPlace(p, preposition);
    return places !== null && (after.length === 0 || p.take(after)) ? places : null;
  });
}

/** "que lindan con Soria y con Burgos", "die an Soria und an Burgos grenzen": the preposition of each is written again. */
function parseRepeated(p: Parser, { before, after }: Pick<Around, 'before' | 'after'>): readonly Expression[] | null {
  const last = before.at(-1) ?? '';
  if (!REPEATED.has(last)) return null;
  return p.attempt(() => {
    const end = p.peek(before);
    if (end === null) return null;
    p.at = end;
    const places = parsePlaces(p, () => p.take(p.v.and) && p.take([[last]]));
    return places !== null && places.length > 1 && (after.length === 0 || p.take(after)) ? places : null;
  });
}
const REPEATED: ReadonlySet<string> = new Set(['con', 'an', 'with']);

/** Takes a form with "both", and returns the preposition that stands between the places, if any; null without "both". */
function takeBoth(p: Parser, before: Phrase): Phrase | null {
  const start = p.at;
  const end = p.peek(before);
  if (end !== null) {
    p.at = end;
    if (p.take(p.v.both)) return [];
  }
  const last = before.slice(-1);
  const verb = p.peek(before.slice(0, -1), start);
  if (verb !== null) {
    p.at = verb;
    if (p.take(p.v.both) && p.take([last])) return last;
  }
  p.at = start;
  return null;
}

/** "France and Italy", "A, B and C", behind "both"; null if they are not several. */
function parseEachPlace(p: Parser, preposition: Phrase): readonly Expression[] | null {
  const from = p.at;
  const places: Expression[] = [];
  for (let isLast = false; ; ) {
    if (places.length > 0) p.take([preposition]);
    p.take(p.v.articles);
    if (p.at >= p.tokens.length) p.fail('a place is expected');
    places.push(parseSingle(p));
    if (isLast) break;
    const comma = p.sign(',');
    isLast = p.take(p.v.and) || p.take(p.v.bothAnd);
    if (!comma && !isLast) return null;
  }
  refuseMore(p, from);
  return places;
}

/** "(die an) Soria oder Burgos (grenzen)": one place, or several with "or" between them. */
function parseOneOf(p: Parser): Expression | null {
  const from = p.at;
  // The preposition may be written again: "an Soria oder an Burgos".
  const or = p.v.or.flatMap((phrase) => [[...phrase, 'an'], phrase]);
  const places = parsePlaces(p, () => p.take(or), parsePlace);
  return places && anyOf(p, places, from);
}

/** The places of "Utah or Nevada", each of which may be bordered; what is in brackets is one area. */
export function alternatives(p: Parser, border: Expression): readonly Expression[] {
  if (border.op !== 'union' || border.words === undefined) return [border];
  const { from } = border.words;
  const before = p.tokens.findLast((token) => token.from < from);
  return before?.folded === '(' ? [border] : border.of;
}

/**
 * Refuses "(counties bordering) Washington in Idaho", where both are states of one country: what contains the counties may be
 * behind what they border.
 */
export function refuseTwoStates(p: Parser, border: Expression): void {
  if (border.op !== 'place' || border.within === undefined || border.level !== undefined) return;
  const { text = '', from = 0 } = border.words ?? {};
  const homes = countriesWithDivision(foldName(border.within));
  if (/[,(]/.test(text) || !countriesWithDivision(foldName(border.name ?? '')).some((one) => homes.includes(one)))
    return;
  const start = p.tokens.findIndex((token) => token.from >= from);
  p.fail(
    'can be read in two ways together with what stands before it; put brackets around what belongs together',
    start,
    p.at - 1,
  );
}

/** Those of a set that border each of some places; behind "or", any of its places. */
export function touchingEach(p: Parser, given: Expression, borders: readonly Expression[], from: number): Expression {
  let of = given;
  for (const border of borders) {
    const [set, words] = [of, p.words(from)];
    const each = alternatives(p, border).map((one): Expression => ({ op: 'touching', of: set, border: one, words }));
    of = each.length === 1 ? defined(each[0]) : { op: 'union', of: each, words };
  }
  return of;
}

/** The one neighbor of a place, which is checked to be the only one. */
export const onlyNeighbor = (p: Parser, of: Expression, from: number): Expression => ({
  op: 'counted',
  of: { op: 'neighbors', of, words: p.words(from) },
  count: 1,
  words: p.words(from),
});

/** "the neighbors of X", "the neighbors of both X and Y" */
export function parseNeighbors(p: Parser): Expression | null {
  const from = p.at;
  // "the only neighbor of Portugal"
  const only = p.attempt((): Expression | null => {
    p.take(p.v.articles);
    if (!p.take(p.v.onlyNeighbor) || !takeOf(p)) return null;
    p.take(p.v.articles);
    return onlyNeighbor(p, parsePlaceOf(p), from);
  });
  if (only) return only;
  // "what borders Andorra"
  const isQuestion = p.take(p.v.whatBorders);
  if (!isQuestion) {
    p.take(p.v.all) || p.take(p.v.articles);
    if (!p.take(p.v.neighbors) || !takeOf(p)) return null;
  }
  const [first, ...others] = p.attempt(() => (p.take(p.v.both) ? parseEachPlace(p, []) : null)) ?? [];
  p.take(p.v.articles);
  const of: Expression = { op: 'neighbors', of: first ?? parsePlaceOf(p), words: p.words(from) };
  return touchingEach(p, of, others, from);
}

/** Behind a level: what borders the places before it, where a pronoun stands in front of the verb, or none does. */
const AROUND_THEM = list(
  [
    'que la rodean, que lo rodean, que las rodean, que los rodean, de alrededor, a su alrededor, de su alrededor, que tiene alrededor',
    'qui l entourent, qui les entourent, qui la bordent, qui le bordent, qui les bordent, qui l avoisinent, autour, alentour, aux alentours',
    'die es umgeben, die sie umgeben, die ihn umgeben, die daran grenzen, drumherum, rundherum, ringsum, rundum, ringsherum',
  ].join(', '),
);

/** "(Soria y) las provincias que la rodean": what borders the places before it. Null for something else. */
export function parseAroundThem(p: Parser): Expression | null {
  const from = p.at;
  if (p.v.language === 'en' || p.base.length === 0) return null;
  p.take(p.v.all);
  p.take(p.v.articles);
  const level = parseLevel(p, 'many');
  p.sign(',');
  if (level === null || !p.take(AROUND_THEM)) return null;
  const words = p.words(from);
  const of: Expression = p.base.length === 1 ? defined(p.base[0]) : { op: 'union', of: [...p.base], words: undefined };
  return { op: 'neighbors', of, level, words };
}
