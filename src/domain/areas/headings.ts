import { type Expression, LEVEL_WORDS, type LevelWord } from './algebra.ts';
import { parseLevel, parseLevelOrCity } from './level_words.ts';
import { nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { type Container, containerOf } from './qualifiers.ts';

// Rules for places and lists behind headings: "State: Ohio; counties: Lake, Geauga".

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
export function parseHeadedOne(p: Parser): Expression | null {
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
export function isHeading(p: Parser): boolean {
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
 * "State: Ohio; counties: Lake, Geauga", "Counties (Ohio): Lake". Null without a heading.
 * @param place whether the heading of a place may be in front: "pays" is one or many in French
 */
export function parseHeadedList(p: Parser, place = true): Expression | null {
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
    const list = p.region(p);
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
