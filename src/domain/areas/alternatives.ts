import type { Expression } from './algebra.ts';
import type { Parser } from './parser.ts';

/**
 * Checks that a whole description does not leave open which place is meant: "Texas or Oklahoma" may be one of them or both.
 * "And/or", "both" and a place that something is said of ("that border Texas or Oklahoma") leave nothing open.
 * @throws DescriptionError, which quotes the list
 */
export function checkAlternatives(p: Parser, whole: Expression): void {
  const expression = whole.op === 'difference' ? whole.of : whole;
  if (expression.op !== 'union' || !expression.of.every(({ op }) => op === 'place' || op === 'group')) return;
  const has = (phrases: Parser['v']['or'], at: number): boolean =>
    phrases.some((phrase) => p.peek(phrase, at) !== null);
  const ors = [...p.tokens.keys()].filter((at) => has(p.v.or, at));
  if (ors.length === 0 || p.tokens.some((_, at) => has(p.v.both, at))) return;
  const { of } = expression;
  for (const [k, { words }] of of.slice(1).entries()) {
    const [from, to] = [of[k]?.words?.to ?? 0, words?.from ?? 0];
    const isBetween = (at: number): boolean => p.tokenAt(at).from >= from && p.tokenAt(at).to <= to;
    const or = ors.find(isBetween);
    if (or !== undefined && !p.tokens.some((_, at) => isBetween(at) && has(p.v.and, at)))
      p.fail('is behind "or", so that one of them may be meant; write "and" for all', or + 1, p.tokens.length - 1);
  }
}
