import type { Expression } from './algebra.ts';
import { clip } from './description_error.ts';
import { isBare, withParts } from './expressions.ts';
import { onlyStateOf } from './level_words.ts';
import type { Parser } from './parser.ts';
import { parseSharedContainer } from './qualifiers.ts';

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
  const isNamed = (one: Expression): boolean => isBare(one) || isCommaPair(one);
  if (!given.every(isNamed)) return null;
  const only = given.every(isBare) ? onlyStateOf(last.words?.text ?? '') : null;
  const within = parseSharedContainer(p) ?? (only === null ? null : { within: only });
  const level = only === 'Alaska' && within?.within === only ? 'county' : last.level;
  if (isAnd) p.hasShared = true;
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

/** The first item, and the others with the level and the container behind the last one. */
function splitFirst(p: Parser, [first, ...others]: readonly Expression[], from: number): Expression | null {
  const rest = first === undefined ? null : shareLevel(p, others, from);
  return !first || !rest ? null : { op: 'union', of: [first, rest], words: p.words(from) };
}

/** "Harris County and Dallas County in Texas": "in …" of the last place applies to earlier ones of the same level. */
export function shareQualifier(items: readonly Expression[]): readonly Expression[] {
  const last = items.at(-1);
  if (last?.op !== 'place' || last.within === undefined || last.level === undefined) return items;
  const { within, within_level, level } = last;
  const container = within_level === undefined ? { within } : { within, within_level };
  return items.map((item) =>
    item.op === 'place' && item.level === level && item.within === undefined ? { ...item, ...container } : item,
  );
}
