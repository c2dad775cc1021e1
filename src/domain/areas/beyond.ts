import type { Direction, Expression } from './algebra.ts';
import { parsePlaceOf } from './arguments.ts';
import { clip } from './description_error.ts';
import { parseLine } from './lines.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { beyond, said, sideOf } from './wording/said.ts';

// Rules for what lies beyond a place: "the part of Spain north of Madrid", "counties of Texas east of Dallas".

/** A side of a place, or of a parallel or a meridian. */
type Side = { readonly direction: Direction } & (
  | { readonly from: Expression }
  | { readonly at: number; readonly signed?: boolean }
);

/** "north of Madrid" with the place behind it; null if it is not here. */
function parseDirectionOf(p: Parser): Side | null {
  return p.attempt(() => {
    p.sign(',');
    const direction = directionHere(p);
    if (direction === null || !(p.take(p.v.of) || isGenitiveLine(p))) return null;
    const line = parseLine(p, direction);
    if (line !== null) {
      takeLies(p);
      return { direction, at: line.at, ...(line.signed ? {} : { signed: false }) };
    }
    p.take(p.v.articles);
    const from = parsePlaceOf(p);
    // "der Teil von Spanien, der nördlich von Madrid liegt"
    takeLies(p);
    return { direction, from };
  });
}

/** Whether a German line is here, without a preposition: "nördlich des 40. Breitengrads". */
const isGenitiveLine = (p: Parser): boolean =>
  p.v.language === 'de' && /^(?:des|der)$/.test(p.tokens[p.at]?.folded ?? '') && p.tokens[p.at + 1]?.sort === 'number';

function takeLies(p: Parser): void {
  if (p.v.language === 'de' && /^lieg(?:t|en)$/.test(p.tokens[p.at]?.folded ?? '')) p.at++;
}

/** The direction with the longest words that are here, which are taken. */
function directionHere(p: Parser): Direction | null {
  let found: { readonly direction: Direction; readonly end: number } | null = null;
  for (const [direction, phrases] of p.v.beyond) {
    const end = p.find(phrases);
    if (end !== null && (found === null || end > found.end)) found = { direction, end };
  }
  if (found === null) return null;
  p.at = found.end;
  return found.direction;
}

/**
 * What of some place, or which of the boundaries in one, lies beyond another place. Null if no direction is behind it.
 * @param isBracketed whether it is in brackets or behind "the part of", and thus one area
 * @throws DescriptionError where what stands before it may be meant, too
 */
export function parseBeyond(
  p: Parser,
  of: Expression,
  from: number,
  isBracketed = p.tokens[from]?.folded === '(',
): Expression | null {
  const side = parseDirectionOf(p);
  if (side === null) return null;
  const before = p.base.at(-1);
  if (before !== undefined && !isBracketed)
    p.fail(
      'can be read in two ways together with what stands before it; put brackets around what belongs together',
      from,
    );
  const clipped = (whole: Expression): Expression => ({ op: 'clip', of: whole, ...side, words: p.words(from) });
  if (of.op === 'children' && !(isBracketed && p.tokens[from]?.folded !== '('))
    return { ...of, of: clipped(of.of), words: p.words(from) };
  if (of.op === 'place' || of.op === 'group' || isBracketed) return clipped(of);
  return p.fail('is not understood behind a choice; put brackets around what it belongs to', from);
}

/** "the part of Spain that lies north of Madrid" */
export function parseBeyondPart(p: Parser): Expression | null {
  const from = p.at;
  if (!p.take(p.v.parts)) return null;
  const hasOf = p.take(p.v.of);
  if (!hasOf && p.v.language !== 'de') return null;
  p.take(p.v.articles);
  const bracketed = p.inBrackets();
  if (bracketed !== null) return parseBeyond(p, bracketed, from, true);
  // "(the part of) Paris (Texas) (south of …)"
  for (const isQualified of [false, true]) {
    const found = p.attempt(() => {
      const of = parsePlace(p, isQualified);
      return of && parseBeyond(p, of, from, true);
    });
    if (found) return found;
  }
  return null;
}

/**
 * "everything north of Madrid" does not say where that ends, and "north of Spain" may be a part of Spain or what is beyond.
 * @throws DescriptionError that says how to write it
 */
export function refuseBeyondAlone(p: Parser): void {
  const from = p.at;
  const isAll = p.take(p.v.everything);
  // "norte de España" is the north of Spain; "north of Spain" is both.
  const isBare = p.v.language === 'en' && from === 0;
  const direction = isAll || isBare ? directionHere(p) : null;
  if (direction !== null && p.take(p.v.of) && p.at < p.tokens.length) {
    const place = clip(p.words(p.at, p.tokens.length - 1).text);
    p.fail(
      said`does not say what it is a part of: write "the part of … ${beyond(direction, place)}" with the place that contains it, or "${sideOf(direction, place)}" for a part of that place`,
      from,
      p.tokens.length - 1,
    );
  }
  p.at = from;
}
