import type { Expression } from './algebra.ts';
import type { Parser } from './parser.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';

/** Places as adjectives after a level: "provincias españolas". */
export function parseAdjectiveAfter(p: Parser): Expression | null {
  return p.v.language === 'en' || p.v.language === 'de' ? null : parseAdjectives(p);
}

/** Adjectives of places, with "and" between them; null if there is none. */
export function parseAdjectives(p: Parser): Expression | null {
  const from = p.at;
  const places: Expression[] = [];
  do {
    const found = adjectiveAt(p, p.at);
    if (found === null) break;
    const words = p.words(p.at, found.end - 1);
    p.at = found.end;
    places.push({ op: 'place', id: `iso:${found.code}`, words });
  } while (isBeforeAdjective(p) && p.separator());
  const [first, ...more] = places;
  return first && more.length > 0 ? { op: 'union', of: places, words: p.words(from) } : (first ?? null);
}

/** The adjective of a place that starts at a token, of one or two words ("North Carolinian"), with its code; null if none. */
export function adjectiveAt(p: Parser, at: number): { readonly code: string; readonly end: number } | null {
  for (const end of [at + 2, at + 1]) {
    const words = p.tokens.slice(at, end).map(({ folded }) => folded);
    const code = words.length === end - at ? ADJECTIVES[p.v.language].get(words.join(' ')) : undefined;
    if (code !== undefined) return { code, end };
  }
  return null;
}

/** Whether "and" or a comma and another adjective follow: "gallegas y asturianas". */
export function isBeforeAdjective(p: Parser): boolean {
  const start = p.at;
  const is = p.separator() && adjectiveAt(p, p.at) !== null;
  p.at = start;
  return is;
}
