import { foldName } from '../names/fold.ts';
import { isSchemeOf } from '../names/group_schemes.ts';
import { type AreaGroup, groupOf, groupOfScheme, startsShortName } from '../names/groups.ts';
import type { Expression } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { parseLevel } from './level_words.ts';
import { groupAt, nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { spansFrom } from './spans.ts';

// Rules for the name of a group, with the scheme or the year that it is of.

/** A group by its name: "all members of Benelux", "the South (US Census Bureau)", "the EU (as of 2003)". */
export function parseGroup(p: Parser, from: number): Expression | null {
  for (const skip of [false, true]) {
    // "all members of Benelux"
    if (skip && !p.take(p.v.articles) && !p.take(p.v.all)) break;
    const start = p.at;
    const end = groupAt(p, start);
    if (end === null) continue;
    const found = groupOf(p.text.slice(p.tokenAt(start).from, p.tokenAt(end).to), p.lexicon.has);
    // "Iberia Parish" is in Louisiana.
    if (nameAt(p, start) === end && p.v.language === 'en' && isLevelAt(p, end + 1)) return null;
    p.at = end + 1;
    const group = takeYear(p, start) ?? found;
    takeScheme(p, group?.source ?? '');
    return { op: 'group', name: group?.name ?? '', words: p.words(from) };
  }
  return parseWithScheme(p, from);
}

/** Whether a word for one of a level is at a token. */
function isLevelAt(p: Parser, at: number): boolean {
  const start = p.at;
  p.at = at;
  const is = parseLevel(p, 'one') !== null;
  p.at = start;
  return is;
}

/** A name that is a group only with its scheme behind it: "the South, as defined by the Census Bureau". */
function parseWithScheme(p: Parser, from: number): Expression | null {
  p.at = from;
  const start = skipArticle(p);
  if (!startsShortName(p.tokens[start]?.folded ?? '')) return null;
  for (const end of spansFrom(p.tokens, start)) {
    const group = groupOfScheme(p.words(start, end).text);
    p.at = end + 1;
    if (group !== null && takeScheme(p, group.source)) return { op: 'group', name: group.name, words: p.words(from) };
  }
  return null;
}

/** Words of a scheme or a year behind a group: "as defined by the United States Census Bureau". */
const MOST_WORDS = 12;

/**
 * Takes the longest words behind a name that fit, also in brackets or behind a sign. Null if none do.
 * @param fit what the words mean, from a token on and up to another one
 */
function takeBehind<T>(p: Parser, fit: (from: number, end: number) => T | null): T | null {
  return p.attempt(() => {
    const isBracketed = p.sign('(');
    if (!isBracketed) p.sign(',', '-', '–', '—');
    const start = p.at;
    let end = start;
    while (end < start + MOST_WORDS && (p.tokens[end]?.sort ?? 'sign') !== 'sign') end++;
    // "(Stand: 2012)"
    if (isBracketed && p.tokens[end]?.folded === ':' && p.tokens[end + 1]?.sort === 'number') end += 2;
    for (; end > start; end--) {
      const fitting = fit(start, end - 1);
      if (fitting === null) continue;
      p.at = end;
      return isBracketed && !p.sign(')') ? null : fitting;
    }
    return null;
  });
}

/** Takes the scheme that a group is of: "(UN M49)", ", according to the Census Bureau". Whether it is there. */
function takeScheme(p: Parser, source: string): boolean {
  return takeBehind(p, (from, end) => isSchemeOf(source, foldName(p.words(from, end).text)) || null) ?? false;
}

/** The group that starts at a token, as it was in the year behind a sign: "EU (as of 2003)". Null without one. */
function takeYear(p: Parser, start: number): AreaGroup | null {
  if (p.tokens[p.at]?.sort !== 'sign') return null;
  const name = p.words(start).text;
  return takeBehind(p, (from, end) => {
    const { text } = p.words(from, end);
    return /\d{4}$/.test(text) ? (groupOf(`${name} ${text}`) ?? groupOf(`${name} in ${text}`)) : null;
  });
}

/** "(NATO)'s twelve founding members": a group with words for its members behind it. Null for something else. */
export function parseOwnMembers(p: Parser, of: Expression, from: number): Expression | null {
  if (of.op !== 'group' || p.at >= p.tokens.length) return null;
  const count = p.attempt(() => parseCount(p));
  for (const end of p.at < p.tokens.length ? spansFrom(p.tokens, p.at) : []) {
    const group = groupOf(`${of.name} ${p.words(p.at, end).text}`);
    if (group === null) continue;
    p.at = end + 1;
    const members: Expression = { op: 'group', name: group.name, words: p.words(from) };
    return count === null ? members : { op: 'counted', of: members, count, words: p.words(from) };
  }
  return null;
}

/** A group whose name begins with a number, which is not a count: "48 contiguous states", "all 50 states". */
export function parseNumberedGroup(p: Parser): Expression | null {
  const from = p.at;
  p.take(p.v.all);
  const start = p.at;
  if (!/^\d/.test(p.tokens[start]?.folded ?? '')) return null;
  const end = p.tokens[start + 1]?.sort === 'word' ? spansFrom(p.tokens, start + 1) : [];
  for (const last of end) {
    const group = groupOf(p.text.slice(p.tokenAt(start).from, p.tokenAt(last).to));
    if (group === null) continue;
    p.at = last + 1;
    return { op: 'group', name: group.name, words: p.words(from) };
  }
  return null;
}
