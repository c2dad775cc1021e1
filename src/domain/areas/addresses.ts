import { foldName } from '../names/fold.ts';
import { groupAt, nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import type { Relation } from './spans.ts';

// Places behind commas: what contains the one before, or one more of a list.

/** Relations of a name to a place that has one of that name in it. */
const INSIDE: ReadonlySet<Relation | null> = new Set(['inside', 'both', 'beside']);

/** Whether the place of an address, "Getafe, Madrid, España", goes on behind a token with what contains a place of a folded name. */
export function isAddressAt(p: Parser, at: number, name: string): boolean {
  const last = p.tokens[at]?.folded === ',' ? nameAt(p, at + 1) : null;
  if (last === null || last < p.tokens.length - 1) return false;
  return mayBeIn(p, name, foldName(p.text.slice(p.tokenAt(at + 1).from, p.tokenAt(last).to)));
}

/** A relation that leaves nothing open. */
export const SURELY_INSIDE: ReadonlySet<Relation | null> = new Set(['inside']);

/**
 * Index of the last token of what contains a container that ends at a token: "Lugo, Galicia, Spain". The end of the container
 * without one.
 * @param contained the name of the container; where that is a code, of the place in it
 * @param fits the relations of that name to what contains it
 * @throws DescriptionError where a list goes on behind it
 */
export function endOfAddress(p: Parser, end: number, contained: string, fits = INSIDE): number {
  const at = end + 2;
  if (p.tokens[end + 1]?.folded !== ',' || at >= p.tokens.length) return end;
  const group = groupAt(p, at);
  const last = group ?? nameAt(p, at);
  if (last === null) return end;
  const around = p.text.slice(p.tokenAt(at).from, p.tokenAt(last).to);
  const isAround = group !== null || fits.has(p.lexicon.relation(foldName(contained), foldName(around)));
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

/** Whether a name may be one of a place in another one, by their folded names. */
export const mayBeIn = (p: Parser, name: string, place: string): boolean => INSIDE.has(p.lexicon.relation(name, place));

/**
 * Whether a list goes on behind two names, up to "in" and a place that both may be in: "Franklin, Washington and Orange in
 * Vermont" are three counties.
 * @param names the folded names
 * @param at the token behind them
 */
export function areBothInLast(p: Parser, names: readonly string[], at: number): boolean {
  if (!p.isListed(at) || p.tokens.slice(at).some(({ folded }) => folded === ';')) return false;
  const last = p.tokens.length - 1;
  for (let start = last; start > at; start--) {
    if (nameAt(p, start) !== last) continue;
    const place = foldName(p.text.slice(p.tokenAt(start).from, p.tokenAt(last).to));
    const isInside = p.v.inside.some((phrase) => p.peek(phrase, start - phrase.length) === start);
    // "Gandía, Valencia, Spain" is one place, and "Nerja, Málaga y Ronda, Málaga" are two.
    const isComma = p.tokenAt(start - 1).folded === ',' && !names.includes(place) && hasAnd(p, at, start);
    return (isInside || isComma) && names.every((name) => mayBeIn(p, name, place));
  }
  return false;
}

/** Whether a word that joins a list is between two tokens. */
function hasAnd(p: Parser, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (p.find(p.v.and, at) !== null) return true;
  return false;
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
