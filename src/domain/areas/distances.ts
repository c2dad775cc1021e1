import type { Expression } from './algebra.ts';
import { parseNumber } from './amounts.ts';
import { parsePlaceOf } from './arguments.ts';
import { takeBound } from './comparisons_read.ts';
import type { Parser } from './parser.ts';
import { COMPARISONS } from './vocabulary/comparisons.ts';
import { DISTANCE_WORDS } from './vocabulary/distances.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { list } from './vocabulary/phrases.ts';
import type { Around, Language } from './vocabulary/vocabulary.ts';

// Rules for distances: what is near a place, and a place with a margin.

/** Behind the width of a margin. */
const AROUND_IT = list(
  'all around it, around it, on all sides, a su alrededor, alrededor, rundherum, ringsherum, drumherum, ringsum, tout autour, autour',
);

/** Whether a distance with its introduction starts here: "within three miles". */
export function isDistance(p: Parser): boolean {
  const start = p.at;
  const is = p.v.within.some(({ before }) => {
    const end = p.peek(before);
    if (end === null) return false;
    if (before.length > 1) return true;
    p.at = end;
    const amount = parseNumber(p);
    const unit = p.tokens[p.at];
    p.at = start;
    return amount !== null && unit?.sort === 'word' && p.v.units.has(unit.folded);
  });
  p.at = start;
  return is;
}

const NAUTICAL_MILES = list(
  'nautical miles, nautical mile, nmi, millas náuticas, milla náutica, milles marins, mille marin, milles nautiques, Seemeilen, Seemeile',
);

/** A number with a unit of length, in kilometers. */
function parseKilometers(p: Parser): number | null {
  const start = p.at;
  const amount = parseNumber(p);
  const unit = p.tokens[p.at];
  const isNautical = p.take(NAUTICAL_MILES);
  const factor = isNautical ? 1.852 : unit?.sort === 'word' ? p.v.units.get(unit.folded) : undefined;
  // "less than 5,000 people" starts like a distance.
  if (amount === null || factor === undefined) return null;
  if (!isNautical) p.at++;
  // Not 92.60000000000001 km.
  const km = Number((amount.value * factor).toPrecision(12));
  if (!(km > 0 && km <= 1000)) p.fail('is not a distance of up to 1000 km', start, p.at - 1);
  return km;
}

/**
 * A distance with a bound in front of it or behind it, in kilometers: "within 20 km", "at most 20 km", "20 km or less".
 * Null without a bound.
 */
function parseBoundedKilometers(p: Parser, within: readonly Around[]): number | null {
  const words = DISTANCE_WORDS[p.v.language];
  const first = p.tokens[p.at];
  if (first?.sort !== 'number' && !BEGINNINGS[p.v.language].has(first?.folded ?? '')) return null;
  return p.attempt(() => {
    // "nicht weiter als" is a bound by itself.
    const lying = p.find(words.lying);
    const isFar = lying !== null && lying - p.at > 2 && p.find(NO_FARTHER) !== null;
    const form = within.find(({ before }) => p.peek(before) !== null);
    if (form) p.at += form.before.length;
    else if (lying !== null) p.at = lying;
    const inner = form ? undefined : within.find(({ before }) => p.peek(before) !== null);
    if (inner) p.at += inner.before.length;
    const bound = takeBound(p);
    if (bound !== null && bound !== 'at_most' && bound !== 'less') return null;
    const km = parseKilometers(p);
    const isBehind = p.take(COMPARISONS[p.v.language].orLess) || p.take(words.bound);
    return form || inner || isFar || isBehind || bound !== null ? km : null;
  });
}
/** By language, the words that begin a distance; a number may, too. */
const BEGINNINGS = Object.fromEntries(
  VOCABULARIES.map(({ language, within, numbers }) => [
    language,
    new Set([
      ...[...within.map(({ before }) => before), ...DISTANCE_WORDS[language].lying].flatMap(([word]) => word ?? []),
      ...COMPARISONS[language].bounds.flatMap(([[word]]) => word ?? []),
      ...[...numbers.keys()].flatMap((words) => words.split(' ', 1)),
    ]),
  ]),
) as unknown as Readonly<Record<Language, ReadonlySet<string>>>;
const NO_FARTHER = list(
  'no farther than, no further than, not farther than, not further than, nicht weiter als, die nicht weiter als',
);

/** "within 20 km of Vaduz", in one of the forms of the language, with the distance in kilometers; null otherwise. */
export function parseNearby(
  p: Parser,
  within: readonly Around[],
): { readonly km: number; readonly place: Expression } | null {
  return p.attempt(() => {
    const km = parseBoundedKilometers(p, within);
    if (km === null || !p.take(p.v.from)) return null;
    p.take(p.v.articles);
    const place = parsePlaceOf(p);
    p.take(DISTANCE_WORDS[p.v.language].end);
    return { km, place };
  });
}

/** "10 km around Vaduz", "a 10 km buffer around Vaduz", "a radius of 10 km around Vaduz" */
function parseDistanceAround(p: Parser): { readonly km: number; readonly place: Expression } | null {
  return p.attempt(() => {
    const margin = parseWidth(p);
    if (margin === null || !(p.take(p.v.around) || (margin.isZone && p.take(p.v.from)))) return null;
    p.take(p.v.articles);
    return { km: margin.km, place: parsePlaceOf(p) };
  });
}

/** "20 km", "a 20 km buffer", "a radius of 20 km": in kilometers, and whether a word for a zone is there. */
function parseWidth(p: Parser): { readonly km: number; readonly isZone: boolean } | null {
  return p.attempt(() => {
    p.take(p.v.indefinite) || p.take(p.v.articles);
    const isBefore = p.take(p.v.zone);
    if (isBefore) p.take(p.v.of);
    const km = parseKilometers(p);
    return km === null ? null : { km, isZone: isBefore || p.take(p.v.zone) };
  });
}

/** "within 20 km of Vaduz": all points, not boundaries. */
export function parseBuffer(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.everything);
  const near = parseNearby(p, p.v.within) ?? parseDistanceAround(p);
  if (!near) return null;
  return { op: 'buffer', of: near.place, km: near.km, words: p.words(from) };
}

/** "within 20 km of Vaduz" behind a place. */
export function parseWithin(p: Parser): Expression | null {
  const from = p.at;
  const near = parseNearby(p, p.v.within);
  return near && { op: 'buffer', of: near.place, km: near.km, words: p.words(from) };
}

/**
 * The part of a place that is near another: "Texas within 100 km of Mexico". Null if no distance is behind it.
 * @throws DescriptionError behind several places, as all may be meant
 */
export function parsePartWithin(p: Parser, of: Expression, from: number): Expression | null {
  const near = parseWithin(p);
  if (near === null) return null;
  if (p.base.length > 0) {
    p.fail(
      'can be read in two ways together with what stands before it; put brackets around what belongs together',
      from,
    );
  }
  return { op: 'intersection', of, with: near, words: p.words(from) };
}

/** A margin behind a place: "Andorra with a 50 km buffer". */
export function parseWidened(p: Parser, of: Expression, from: number): Expression | null {
  return p.attempt(() => {
    const isWidened = p.take(p.v.widened);
    if (!isWidened && !p.take(p.v.alongWith)) return null;
    const margin = parseWidth(p);
    // "Huesca and Teruel buffered by 20 km"
    if (margin !== null && isWidened && p.base.length > 0) p.fail('can mean several of the places before it', from);
    if (margin !== null) p.take(AROUND_IT);
    return margin !== null && (isWidened || margin.isZone)
      ? { op: 'buffer', of, km: margin.km, words: p.words(from) }
      : null;
  });
}

/**
 * A margin as an item of a list: "Andorra plus 20 km", "Andorra and everything within 20 km".
 * @throws DescriptionError behind several places, as it may be that of one of them
 */
export function parseMargin(p: Parser): Expression | null {
  const from = p.at;
  const [of, ...others] = p.base;
  if (of === undefined) return null;
  const km = p.attempt(() => {
    p.take(p.v.everything);
    const form = p.v.within.find(({ before }) => p.peek(before) !== null);
    if (form) p.at += form.before.length;
    const margin = parseWidth(p);
    const next = p.tokens[p.at];
    const ends = next === undefined || next.folded === ')' || p.find(p.v.without) !== null || p.isListed(p.at);
    return margin !== null && ends ? margin.km : null;
  });
  if (km === null) return null;
  if (others.length > 0) p.fail('can mean several of the places before it', from);
  return { op: 'buffer', of, km, words: p.words(from) };
}
