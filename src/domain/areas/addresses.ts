import { foldName } from '../names/fold.ts';
import { groupAt, nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';

// Places behind commas: what contains the one before, or one more of a list.

/**
 * Index of the last token of what contains a container that ends at a token: "Lugo, Galicia, Spain". The end of the container
 * without one.
 * @param contained the name of the container; where that is a code, of the place in it
 * @throws DescriptionError where a list goes on behind it
 */
export function endOfAddress(p: Parser, end: number, contained: string): number {
  const at = end + 2;
  if (p.tokens[end + 1]?.folded !== ',' || at >= p.tokens.length) return end;
  const group = groupAt(p, at);
  const last = group ?? nameAt(p, at);
  if (last === null) return end;
  const around = p.text.slice(p.tokenAt(at).from, p.tokenAt(last).to);
  const isAround = group !== null || p.lexicon.relation(foldName(contained), foldName(around)) === 'inside';
  if (!isAround) return end;
  // "Harris, Texas, USA; Cook, Illinois, USA"
  const isEnd = p.tokens[last + 1]?.folded === ';' || !p.isListed(last + 1);
  if (group === null && isEnd) return last;
  return p.fail(
    'can be read in two ways together with what stands before it; put brackets around what belongs together',
    at,
    last,
  );
}

/** Whether names alone, of which none is in the next one, go on with a list up to its end behind a name that ends at a token. */
export function isInListOfNames(p: Parser, end: number, text: string): boolean {
  const start = p.at;
  let [previous, count] = [foldName(text), 0];
  p.at = end + 1;
  for (; p.at < p.tokens.length && !(p.tokenAt(p.at).folded === '.' && p.at === p.tokens.length - 1); count++) {
    const isComma = p.sign(',');
    const isAnd = p.take(p.v.and);
    const last = isComma || isAnd ? nameAt(p, p.at) : null;
    const name = last === null ? '' : foldName(p.text.slice(p.tokenAt(p.at).from, p.tokenAt(last).to));
    const relation = isAnd ? null : p.lexicon.relation(previous, name);
    if (last === null || (relation !== null && relation !== 'peers')) break;
    [previous, p.at] = [name, last + 1];
  }
  const is = count > 0 && p.at >= p.tokens.length - (p.tokens.at(-1)?.folded === '.' ? 1 : 0);
  p.at = start;
  return is;
}
