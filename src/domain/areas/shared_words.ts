import { foldName } from '../names/fold.ts';
import { mayBeIn } from './addresses.ts';
import type { Expression } from './algebra.ts';
import { clip } from './description_error.ts';
import { isBare, withParts } from './expressions.ts';
import { onlyStateOf } from './level_words.ts';
import type { Parser } from './parser.ts';
import { parseSharedContainer } from './qualifiers.ts';
import { said } from './wording/said.ts';

// What the last item of a list says of all: the level behind it, and the place that contains it.

/** Whether a level follows a bare name: "Huelva provinces", not "the provinces of Huelva". */
export function isLevelBehind(one: Expression): boolean {
  if (one.op !== 'children' || one.of.op !== 'place' || one.of.within !== undefined) return false;
  return one.words !== undefined && one.words.from === one.of.words?.from;
}

type Place = Extract<Expression, { op: 'place' }>;

/** Whether an item is a name and its container behind a comma: "Salt Lake, Utah". */
export const isCommaPair = (one: Expression): one is Place =>
  one.op === 'place' && one.level === undefined && one.within !== undefined && one.words?.text.includes(',') === true;

/** The two places that "Salt Lake, Utah" is where what contains all of a list is named behind it. */
function divided(p: Parser, one: Expression): Expression[] {
  if (!isCommaPair(one)) return [one];
  const said = p.choices.findIndex((choice) => String(choice).includes(`"${clip(`${one.name}, ${one.within}`)}"`));
  if (said >= 0) p.choices.splice(said, 1);
  return [one.name, one.within].map((name): Place => ({ op: 'place', name, words: one.words }));
}

/**
 * "Harris, Fort Bend and Montgomery counties in Texas", "Sevilla and Huelva provinces": the level behind the last name,
 * and the place behind that, are those of all names. Null if the list is something else.
 */
export function shareLevel(p: Parser, items: readonly Expression[], from: number): Expression | null {
  const whole = items.at(-1);
  const last = whole && unfiltered(whole);
  if (whole && last && last !== whole) {
    // "Utah and Nevada counties that border Arizona": what the filters choose from are the counties of both.
    const all = shareLevel(p, [...items.slice(0, -1), last], from);
    return all && withPart(whole, last, all);
  }
  if (last?.op !== 'children' || !isLevelBehind(last)) return null;
  const given = [...items.slice(0, -1), last.of];
  // "Ohio and Lake and Porter counties in Indiana"
  const isAnd = items.length > 2 && startsWithAnd(p, items);
  if (isAnd && p.splitsLists) return splitFirst(p, items, from);
  const apart = apartAt(p, items);
  if (apart > 0) {
    const rest = shareLevel(p, items.slice(apart), from);
    return rest && { op: 'union', of: [...items.slice(0, apart), rest], words: p.words(from) };
  }
  const isNamed = (one: Expression): boolean => isBare(one) || isCommaPair(one);
  if (!given.every(isNamed)) return null;
  const only = given.every(isBare) ? onlyStateOf(last.words?.text ?? '') : null;
  const within = parseSharedContainer(p) ?? (only === null ? null : { within: only });
  const level = only === 'Alaska' && within?.within === only ? 'county' : last.level;
  if (isAnd) {
    p.hasShared = true;
    p.choices.push(said`"${clip(p.words(from).text)}" is read as one list; "and" does not begin another area there`);
  }
  // "Salt Lake, Utah and Summit counties, UT" are three counties.
  if (within === null && !given.every(isBare)) return null;
  const names = given.flatMap((one) => (isBare(one) ? [one] : divided(p, one)));
  const of = names.map((one) => (within === null ? one : ({ ...one, ...within } as Expression)));
  return { op: 'children', of: { op: 'union', of, words: p.words(from) }, level, words: p.words(from) };
}

/** The boundaries that filters choose from; an expression without filters as it is. */
function unfiltered(one: Expression): Expression {
  return 'of' in one && !Array.isArray(one.of) && FILTERS.has(one.op) ? unfiltered(one.of as Expression) : one;
}
const FILTERS: ReadonlySet<Expression['op']> = new Set([
  ...(['touching', 'within', 'bordered', 'coast', 'measured', 'compared', 'named'] as const),
  // "that do not border Arizona"
  'difference' as const,
]);

/** An expression with another part in place of one, wherever it is. */
const withPart = (one: Expression, part: Expression, by: Expression): Expression =>
  one === part ? by : withParts(one, (of) => withPart(of, part, by));

/** Whether a word is between the first two items of a list, not a sign. */
function startsWithAnd(p: Parser, [first, second]: readonly Expression[]): boolean {
  const [end, start] = [first?.words?.to ?? 0, second?.words?.from ?? 0];
  return /\p{L}/u.test(p.text.slice(end, start)) && !/[,;]/u.test(p.text.slice(end, start));
}

/** Words in front of a place of which all is meant. */
const ALL_OF = /(?<!\p{L})(?:all|whole|entire|toda?|todo el|ganz|tout|toute)(?: of)?(?: the)?\s*$/iu;

/**
 * How many of the first items are apart from a level behind the last: those in front of a semicolon where other signs divide the
 * rest ("Texas; Custer and Love counties"), and the first as a whole ("all of Texas and Custer and Love counties").
 */
function apartAt(p: Parser, items: readonly Expression[]): number {
  const between = items.slice(1).map((one, k) => p.text.slice(items[k]?.words?.to ?? 0, one.words?.from ?? 0));
  const isSemicolon = between.map((text) => text.includes(';'));
  if (isSemicolon.includes(true)) return isSemicolon.includes(false) ? isSemicolon.lastIndexOf(true) + 1 : 0;
  const isWhole = items.length > 2 && ALL_OF.test(p.text.slice(0, items[0]?.words?.from ?? 0));
  return isWhole && startsWithAnd(p, items) ? 1 : 0;
}

/** The first item, and the others with the level and the container behind the last one. */
function splitFirst(p: Parser, [first, ...others]: readonly Expression[], from: number): Expression | null {
  const rest = first === undefined ? null : shareLevel(p, others, from);
  return !first || !rest ? null : { op: 'union', of: [first, rest], words: p.words(from) };
}

/**
 * "Delaware, Montgomery and Jefferson in Pennsylvania": three names or more, each of which a place in the container of the last
 * one has, are in it. The items as they are without them.
 */
export function shareContainer(p: Parser, items: readonly Expression[]): readonly Expression[] {
  const [last, others] = [items.at(-1), items.slice(0, -1)];
  if (last?.op !== 'place' || last.within === undefined || last.level !== undefined || isCommaPair(last)) return items;
  const { within, within_level } = last;
  const isInside = (one: Expression): boolean =>
    one.op === 'place' && isBare(one) && mayBeIn(p, foldName(one.name ?? ''), foldName(within));
  if (others.length < 2 || !others.every(isInside)) return items;
  p.choices.push(said`"${clip(within)}" is read as what contains the places before it, not as one more of them`);
  return items.map((one) => ({ ...one, within, ...(within_level ? { within_level } : {}) }) as Expression);
}

/**
 * "Harris County and Dallas County in Texas": "in …" of a place applies to earlier ones of the same level, up to one that has its
 * own.
 */
export function shareQualifier(items: readonly Expression[]): readonly Expression[] {
  let shared: Place | null = null;
  const shares = (item: Expression): Expression => {
    if (item.op !== 'place' || item.level === undefined) return item;
    if (item.within !== undefined) shared = item;
    if (item.within !== undefined || shared === null || shared.level !== item.level) return item;
    const { within, within_level } = shared;
    return within_level === undefined ? { ...item, within } : { ...item, within, within_level };
  };
  return items.toReversed().map(shares).reverse();
}
