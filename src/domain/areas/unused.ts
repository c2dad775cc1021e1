import { foldName } from '../names/fold.ts';
import { type Expression, PARTS } from './algebra.ts';
import { restrictionsIn } from './restricting.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

/** "But also" and the like, which choose nothing. */
const BOTH_AND: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ bothAnd }) => bothAnd.map((phrase) => phrase.join(' '))),
);

interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The first words of a description that choose (restricting.ts: numbers, negations, borders, directions and the like) and
 * that no step was read from that chooses or names a place; null if each was. Rules take all tokens of a description in
 * their order, so that none is passed over; this finds a rule that takes such a word and does nothing with it.
 * @param text the description without the request around it
 */
export function findUnused(text: string, expression: Expression): Span | null {
  const isUsed = new Uint8Array(text.length);
  for (const { from, to } of spansOf(text, expression)) isUsed.fill(1, from, to);
  for (const { from, to } of restrictionsIn(text, false)) {
    for (let at = from; at < to; at++) if (isUsed[at] === 0 && /[^\s,;]/u.test(text.charAt(at))) return { from, to };
  }
  return null;
}

/**
 * The words of each step without those of the steps that it is made of. A union chooses only by what is in front of its
 * first part ("not only"), or where it is left out: "sin A ni B".
 */
function* spansOf(
  text: string,
  expression: Expression,
  isExcluded = false,
  seen = new Set<Expression>(),
): Generator<Span> {
  if (seen.has(expression)) return;
  seen.add(expression);
  const parts = partsOf(expression);
  for (const { part, key } of parts) yield* spansOf(text, part, isExcluded || key === 'minus', seen);
  const { words, op } = expression;
  // "Dare and Hyde counties, North Carolina": what contains all places of a list is behind it.
  if (op === 'place' && expression.within !== undefined) {
    const from = text.lastIndexOf(expression.within);
    if (from >= 0) yield { from, to: from + expression.within.length };
  }
  if (words === undefined) return;
  const inner = parts
    .flatMap(({ part }) => part.words ?? [])
    .filter(({ from, to }) => from >= words.from && to <= words.to);
  let { from } = words;
  for (const one of inner.toSorted((a, b) => a.from - b.from)) {
    const isRead = op !== 'union' || expression.apart === true || isExcluded || from === words.from;
    if (isRead || BOTH_AND.has(foldName(text.slice(from, one.from)))) yield { from, to: one.from };
    from = Math.max(from, one.to);
  }
  if (op !== 'union') yield { from, to: words.to };
}

/** The steps that a step is made of, with the member that has each. */
function partsOf(expression: Expression): { readonly part: Expression; readonly key: string }[] {
  const given = expression as unknown as Readonly<Record<string, Expression | readonly Expression[] | undefined>>;
  return PARTS.flatMap((key) => {
    const value = given[key];
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value as Expression]).map((part: Expression) => ({ part, key }));
  });
}
