import type { Expression } from './algebra.ts';
import { parseBare, parseSingle, refuseMore } from './arguments.ts';
import { parseWithin } from './distances.ts';
import type { Parser } from './parser.ts';

/** "the intersection of X and Y", "the parts of X in Y", "the part of X within 20 km of Y" */
export function parseParts(p: Parser): Expression | null {
  const from = p.at;
  if (p.take(p.v.intersection)) {
    if (!p.take(p.v.of)) return null;
    p.take(p.v.articles);
    const of = parseSingle(p);
    if (!p.take(p.v.and)) return null;
    p.take(p.v.articles);
    const other = parseSingle(p);
    refuseMore(p, from);
    return { op: 'intersection', of, with: other, words: p.words(from) };
  }
  if (p.take(p.v.difference)) {
    p.take(p.v.of);
    p.take(p.v.articles);
    const of = parseSingle(p);
    if (!p.take(p.v.and)) return null;
    p.take(p.v.articles);
    const minus = parseSingle(p);
    refuseMore(p, from);
    return { op: 'difference', of, minus, words: p.words(from) };
  }
  if (!p.take(p.v.parts) || !p.take(p.v.of)) return null;
  p.take(p.v.articles);
  const of = parseBare(p);
  const near = parseWithin(p);
  if (near !== null) return { op: 'intersection', of, with: near, words: p.words(from) };
  if (!p.take(p.v.inside)) return null;
  p.take(p.v.articles);
  const other = parseSingle(p);
  refuseMore(p, from);
  return { op: 'intersection', of, with: other, words: p.words(from) };
}
