import type { Expression, LevelWord } from './algebra.ts';
import { parseLevel } from './level_words.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';

// The rule for words that no other rule reads: the name of a place that is not known.

/** A word for a level that ends the name of a place: "Wasington County". Null if there is none. */
function levelAtEnd(p: Parser, number: 'one' | 'many'): LevelWord | null {
  const start = p.at;
  const level = parseLevel(p, number);
  const next = p.tokens[p.at];
  const isEnd = next === undefined || next.sort === 'sign' || p.isListed(p.at) || isContained(p, number);
  p.at = start;
  return isEnd ? level : null;
}

/** Whether "in" or "of", or a code that ends the description, follows the level that names share: "counties in Ohio". */
function isContained(p: Parser, number: 'one' | 'many'): boolean {
  return number === 'many' && (p.find(p.v.inside) !== null || p.find(p.v.of) !== null || p.isCodeAt(p.at));
}

/** A comma and the one place that follows it, behind a name with its level. */
function parseContainerBehind(p: Parser): string | null {
  return p.attempt((): string | null => {
    if (!p.sign(',')) return null;
    const end = nameAt(p, p.at);
    if (end === null) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    p.at = end + 1;
    return text;
  });
}

/** Words with which no known name starts, read as an unknown place. */
export function parseUnknownPlace(p: Parser): Expression {
  const from = p.at;
  const token = p.tokens[p.at];
  if (token === undefined) p.fail('a place is expected');
  if (token.sort !== 'word') p.fail('is not understood', from);
  const stops = [p.v.and, p.v.or, p.v.without];
  let level: LevelWord | null = null;
  let shared: LevelWord | null = null;
  while (
    p.at < p.tokens.length &&
    p.tokenAt(p.at).sort !== 'sign' &&
    !stops.some((phrases) => p.find(phrases) !== null)
  ) {
    if (p.at > from && p.v.language === 'en') {
      level = levelAtEnd(p, 'one');
      shared = level === null ? levelAtEnd(p, 'many') : null;
    }
    if (level !== null || shared !== null) break;
    p.at++;
  }
  if (p.at === from) p.fail('is not understood', from);
  // Counted in words: the language that understands most of a description explains its error best.
  p.unknown += p.at - from;
  const name = p.words(from).text.slice(0, 200);
  const unknown = { op: 'place', name, words: p.words(from) } as const;
  // "King and Snohomsh counties"
  if (shared !== null && parseLevel(p, 'many') !== null)
    return { op: 'children', of: unknown, level: shared, words: p.words(from) };
  if (level === null) return unknown;
  // "Wasington County, Ohio"
  parseLevel(p, 'one');
  const within = parseContainerBehind(p);
  const place = { op: 'place', name, level, words: p.words(from) } as const;
  return within === null ? place : { ...place, within };
}
