import type { Expression, LevelWord } from './algebra.ts';
import { parseAreaUnit, parseNumber, takePeople } from './amounts.ts';
import { parsePlaceOf } from './arguments.ts';
import {
  isOfOther,
  mayCompare,
  startsComparison,
  takeBound,
  takeDirect,
  takeEqual,
  takeHad,
  takeMultiple,
} from './comparisons_read.ts';
import { clip } from './description_error.ts';
import type { Parser } from './parser.ts';
import { AREA_BEHIND, COMPARISONS, type Comparison, type Measure } from './vocabulary/comparisons.ts';
import { list } from './vocabulary/phrases.ts';
import { said } from './wording/said.ts';

// Rules for comparisons: with a place ("larger than Texas"), and with a number behind a bound ("at least 500 km2").

interface Compared {
  readonly by: Measure;
  readonly is: Comparison;
  readonly times?: number;
  readonly with: Expression;
}

/** "larger than Texas", "with at least twice the population of Utah": those of a set that compare so. Null without one. */
export function parseComparedFilter(p: Parser, of: Expression, from: number): Expression | null {
  const found = parseCompared(p);
  return found && { op: 'compared', of, ...found, words: p.words(from) };
}

function parseCompared(p: Parser): Compared | null {
  if (!mayCompare(p, p.tokens[p.at]?.folded === ',' ? p.at + 1 : p.at)) return null;
  return p.attempt((): Compared | null => {
    p.sign(',');
    if (!startsComparison(p)) return null;
    const words = COMPARISONS[p.v.language];
    const start = p.at;
    const [direct, bound] = [takeDirect(p), p.at];
    const compared = direct === null ? takeBounded(p) : { ...direct, ...timesOf(takeMultiple(p)) };
    if (compared === null || isOfOther(p, compared.by, start, p.at)) return null;
    p.take(words.that);
    p.take(p.v.articles);
    // "larger than 500" names no place.
    if (isNumberHere(p)) return null;
    const place = parsePlaceOf(p);
    p.take(words.after);
    const [isMore, isLess] = [p.take(words.orMore), p.take(words.orLess)];
    if (compared.is === null && !isMore && !isLess)
      p.fail('asks for an equal size, which no two places have; write "at least" or "at most" in front', bound);
    const is = isMore ? 'at_least' : isLess ? 'at_most' : (compared.is as Comparison);
    return { ...compared, is, with: place };
  });
}

/** Whether a number is here, in digits or words. */
function isNumberHere(p: Parser): boolean {
  const start = p.at;
  const is = parseNumber(p) !== null;
  p.at = start;
  return is;
}

const timesOf = (times: number | null): { readonly times?: number } => (times === null ? {} : { times });

/** "at least twice as large as"; the comparison is null where nothing bounds it. */
function takeBounded(p: Parser) {
  const had = takeHad(p);
  const is = takeBound(p);
  const times = takeMultiple(p);
  const by = had !== null && p.find(COMPARISONS[p.v.language].that) !== null ? had : takeEqual(p);
  return by === null ? null : { by, is, ...timesOf(times) };
}

/**
 * "provinces larger than Teruel": those of the country of the place, which a choice says. Null if nothing compares.
 * @param isFirst whether the level is one directly below countries, so that the place is of it
 */
export function parseComparedAlone(p: Parser, level: LevelWord, from: number, isFirst: boolean): Expression | null {
  const [start, chosen] = [p.at, p.choices.length];
  const place = parseCompared(p)?.with;
  p.at = start;
  p.choices.length = chosen;
  if (place?.op !== 'place') return null;
  const words = p.words(from);
  p.choices.push(said`"${clip(words.text)}" is read as those of the country of "${clip(place.words?.text ?? '')}"`);
  const known: Expression = isFirst ? { ...place, level: place.level ?? level } : place;
  return { op: 'children', of: { op: 'containing', of: known, level: 'country', words }, level, words };
}

/** Verbs that compare by themselves. */
const EXCEEDING = list(
  'that exceed, which exceed, exceeding, surpassing, that surpass, que superan, dépassant, qui dépassent',
);

/** "of at least 500 km2", "with 2 million or more people". Null without a bound and a unit. */
export function parseBoundFilter(p: Parser, of: Expression, from: number): Expression | null {
  if (!mayCompare(p, p.at)) return null;
  return p.attempt((): Expression | null => {
    const words = COMPARISONS[p.v.language];
    const isIntroduced = [words.before, words.had.population, EXCEEDING].some((phrases) => p.find(phrases) !== null);
    // People are had, or exceed a number, but not covered: "with at least 500 people".
    const had = takeHad(p);
    let is = takeBound(p);
    if (is === null) p.take(words.before);
    const than = parseNumber(p);
    if (than === null) return null;
    const before = takeOrMore(p);
    const unit = parseAreaUnit(p);
    const isPeople = unit === null && isIntroduced && takePeople(p);
    if (unit === null && !isPeople && had !== 'population') return null;
    // "a population of 500 km2" is nothing.
    if (had !== null && (had === 'population') !== (unit === null)) return null;
    const after = takeOrMore(p);
    is ??= before ?? after;
    if (is === null) return null;
    p.take(AREA_BEHIND);
    p.take(words.after);
    const by = unit === null ? 'population' : 'area';
    return { op: 'measured', of, by, is, than: than.value * (unit ?? 1), words: p.words(from) };
  });
}

/** "or more", "or less", a plus sign. */
function takeOrMore(p: Parser): Comparison | null {
  const words = COMPARISONS[p.v.language];
  if (p.take(words.orMore) || p.sign('+')) return 'at_least';
  return p.take(words.orLess) ? 'at_most' : null;
}
