import type { Expression } from './algebra.ts';
import { elidedAt } from './directions.ts';
import type { Parser } from './parser.ts';

/** Two places that share a word of their names; null if they are not both known. */
export function parseElided(p: Parser): Expression | null {
  const from = p.at;
  for (const { names, end } of elidedAt(p.tokens, from)) {
    if (!names.every((name) => p.lexicon.has(name))) continue;
    p.at = end + 1;
    const words = p.words(from);
    return { op: 'union', of: names.map((name) => ({ op: 'place', name, words })), words };
  }
  return null;
}
