import { defined } from '../../common/elements.ts';
import { type Expression, LEVEL_WORDS, type LevelWord } from './algebra.ts';
import { checkBordering, isCorrection, takeHesitation } from './but_not.ts';
import { isLongCode } from './coded.ts';
import { parseCountedLevel, parseLevel, parseLevelOrCity } from './level_words.ts';
import { groupAt, nameAt, skipArticle } from './name_at.ts';
import { countriesIn } from './outside.ts';
import type { Parser } from './parser.ts';
import { type Container, containerOf, endsWithPlace, isAllIn, parseSharedContainer } from './qualifiers.ts';
import { isBare, isLevelBehind, shareLevel, shareQualifier } from './shared_words.ts';
import { isIsoCode } from './spans.ts';
import { parseTakenFrom } from './taken_from.ts';
import { parseItem } from './terms.ts';
import { parseBareNames, parseContained } from './whole_lists.ts';

// Rules for a whole description: lists and differences of items.

/**
 * Parses a whole description.
 * @throws DescriptionError, which quotes the words that are not understood
 */
export function parseAll(p: Parser): Expression {
  // "include: … exclude: …"
  if (p.take(p.v.include) && p.sign(':')) p.isListing = true;
  const listed = parseHeadedOne(p) ?? parseHeadedList(p) ?? parseHeadedList(p, false);
  const region = listed ?? parseTakenFrom(p) ?? parseContained(p) ?? parseBareNames(p) ?? parseRegion(p);
  if (p.at < p.tokens.length) p.fail('is not understood', p.at, p.tokens.length - 1);
  return region;
}

/** A place behind a heading with its level: "state: Ohio". Null if there is none. */
function parseHeadedPlace(p: Parser): { readonly name: string; readonly level: LevelWord } | null {
  return p.attempt(() => {
    if (!isHeading(p)) return null;
    const level = parseLevelOrCity(p);
    p.sign(':');
    const from = skipArticle(p);
    const end = nameAt(p, from);
    if (end === null || level === null) return null;
    p.at = end + 1;
    return { name: p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to), level };
  });
}

/** One place as a form has it: "Country: Peru", "County: Lake, State: Ohio", "State: OH; County: Lake". Null if more follows. */
function parseHeadedOne(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    const first = parseHeadedPlace(p);
    const second = first !== null && p.separator() ? parseHeadedPlace(p) : null;
    if (first === null || p.at < p.tokens.length) return null;
    const isLarger = second !== null && LEVEL_WORDS.indexOf(first.level) < LEVEL_WORDS.indexOf(second.level);
    const [own, around] = isLarger ? [second, first] : [first, second];
    const within = around === null ? null : containerOf(p, around.name, around.level);
    return { op: 'place', name: own.name, ...within, level: own.level, words: p.words(from) };
  });
}

/** The same as what contains other places. */
function parseHeadedContainer(p: Parser): Container | null {
  const found = parseHeadedPlace(p);
  return found && containerOf(p, found.name, found.level);
}

/** Whether a level and a colon are here: "state: Ohio". */
function isHeading(p: Parser): boolean {
  const start = p.at;
  const is = parseLevelOrCity(p) !== null && p.sign(':');
  p.at = start;
  return is;
}

/** A place in brackets in front of a colon: "(Colorado):". Null if there is none. */
function parseBracketedPlace(p: Parser): Container | null {
  return p.attempt((): Container | null => {
    if (!p.sign('(')) return null;
    const from = skipArticle(p);
    const end = nameAt(p, from);
    if (end === null) return null;
    p.at = end + 1;
    if (!p.sign(')') || p.tokens[p.at]?.folded !== ':') return null;
    return { within: p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to) };
  });
}

/**
 * A list behind a heading with its level: "Counties:", "States: Ohio, Iowa", also with the place that contains all:
 * "State: Ohio; counties: Lake, Geauga", "Counties (Ohio): Lake". Null if there is no heading.
 * @param place whether the heading of a place may be in front: "pays" is one or many in French
 */
function parseHeadedList(p: Parser, place = true): Expression | null {
  return p.attempt((): Expression | null => {
    const from = p.at;
    const headed = place ? parseHeadedContainer(p) : null;
    if (headed !== null && !p.separator()) p.sign('.');
    p.take(p.v.all) || p.take(p.v.articles);
    const level = parseLevel(p, 'many');
    const before = headed ?? (level === null ? null : parseBracketedPlace(p));
    if (level === null || !p.sign(':')) return null;
    p.sign(';');
    p.isListing = true;
    const list = parseRegion(p);
    const behind = before === null && p.separator() ? parseHeadedContainer(p) : null;
    const within = before ?? behind;
    const leveled = (one: Expression): Expression => {
      if (one.op !== 'place' || one.name === undefined || one.level !== undefined) return one;
      return { ...one, level, ...(one.within === undefined ? within : null) };
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
    const isSigned = takeHesitation(p) || p.at > start;
    const isButNot = p.find(p.v.butNot) !== null && p.find(p.v.butNot) === p.find([...p.v.without, ...p.v.not]);
    if (!p.take(p.v.without) && !(isSigned && p.take(p.v.not)) && !p.minus()) {
      p.at = start;
      return of;
    }
    if (p.sign(':')) p.isListing = true;
    const outer = p.base;
    p.base = [of];
    p.take(p.v.of.filter((phrase) => phrase.length === 1 && (phrase[0] === 'de' || phrase[0] === 'von')));
    takeInGroup(p);
    const [before, reduced] = [p.excluding, p.reduced];
    p.excluding = true;
    p.reduced = of;
    const minus = parseSum(p);
    p.excluding = before;
    p.reduced = reduced;
    p.base = outer;
    if (isButNot) checkBordering(p, of, minus, start);
    if (isBracketed && !p.sign(')')) p.fail('a closing bracket is expected');
    of = { op: 'difference', of: minus.op === 'group' ? countriesIn(p, of) : of, minus, words: p.words(from) };
  }
}

/** sum := item ((AND | OR | ',' | ';') item)* */
function parseSum(p: Parser): Expression {
  const from = p.at;
  const outerBoth = p.isBoth;
  // "both provinces of Extremadura" is a number.
  const isNumber = !isLongCode(p) && p.attempt(() => parseCountedLevel(p)) !== null;
  if (isNumber) p.at = from;
  // "both Koreas" is a group.
  const isGroup = groupAt(p, from) !== null;
  p.isBoth = !isNumber && !isGroup && (p.take(p.v.both) || p.take(p.v.either));
  const outer = p.base;
  const items: Expression[] = [parseItem(p)];
  // Places with nothing but commas between them, and whether semicolons alone divide them from others.
  const chains: Expression[][] = [[...items]];
  let divided = true;
  for (;;) {
    const start = p.at;
    // "Harris and Dallas counties, Texas"
    if (items.length > 1 && isLevelBehind(defined(items.at(-1))) && endsWithPlace(p)) break;
    if (items.length > 1 && isAllIn(p)) break;
    if (!p.separator()) break;
    // "counties: Lake, Geauga; state: Ohio"
    if (isHeading(p)) {
      p.at = start;
      break;
    }
    const isComma = p.tokenAt(start).folded === ',' && p.at === start + 1;
    if (!isComma && p.tokenAt(start).folded !== ';') divided = false;
    p.base = items;
    // "Texas, not Harris County"
    const isLess =
      p.find(p.v.without) !== null || (p.at === start + 1 && (p.find(p.v.not) !== null || isCorrection(p)));
    if (p.at >= p.tokens.length || isLess) {
      if (isLess) {
        p.at = start;
        break;
      }
      p.fail('a place is expected');
    }
    // Behind a comma it may say what contains the place: "León, de España".
    if (p.tokens[p.at - 1]?.sort === 'word' && items.every(isBare)) takeOfAgain(p);
    // "(not Addison County, not Rutland County)"
    if (p.excluding) p.take(p.v.not);
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
    if (!p.sign('(')) return null;
    p.take(p.v.articles);
    const level = parseLevel(p, 'many') ?? parseLevelOrCity(p);
    return level !== null && p.sign(')') && isBare(defined(items.at(-1))) ? level : null;
  });
  // "Burgos y Soria (provincias)"; "Burgos (provincia) y Soria (provincia)"
  const leveled = bracketed === null ? 0 : items.every(isBare) ? items.length : 1;
  for (let k = items.length - leveled; k < items.length; k++)
    items[k] = { ...items[k], level: bracketed } as Expression;
  if (items.length === 1) return defined(items[0]);
  // "Cuba, New Mexico; Poland, Ohio" names two places, "Jersey, New York and Connecticut" three.
  if (!p.isListing && (divided || chains.every(({ length }) => length === 2))) {
    for (const [one, other, ...more] of chains)
      if (one && other && more.length === 0 && isPair(one, other)) p.pairs.push([one, other]);
  }
  // "Napa and Sonoma, both in California"
  const shared = items.every((one) => one.op === 'place' && one.within === undefined) && isAllIn(p);
  const within = shared ? parseSharedContainer(p) : null;
  if (within !== null)
    return { op: 'union', of: items.map((one) => ({ ...one, ...within }) as Expression), words: p.words(from) };
  return shareLevel(p, items, from) ?? { op: 'union', of: shareQualifier(items), words: p.words(from) };
}

/** Passes over "in" in front of a group: "that are not in NATO". */
function takeInGroup(p: Parser): void {
  p.attempt(() => ((p.take(p.v.inside) || p.take(p.v.of)) && groupAt(p, skipArticle(p)) !== null ? true : null));
}

/** Passes over a preposition that a place of a list repeats: "(la carte) du Togo et du Bénin". */
function takeOfAgain(p: Parser): void {
  if (p.v.language === 'en' || nameAt(p, p.at) !== null) return;
  p.attempt(() => (p.take(p.v.of) && nameAt(p, skipArticle(p)) !== null ? true : null));
}

/** Whether two items may be one place in another; two codes are not: "AK, HI". */
function isPair(one: Expression, other: Expression): boolean {
  if (one.op !== 'place' || other.op !== 'place') return false;
  return ![one.name, other.name].every((name) => isIsoCode(name ?? ''));
}
