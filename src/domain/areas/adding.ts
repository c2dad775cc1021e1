import type { Parser } from './parser.ts';
import { ADDING } from './vocabulary/adding.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

// Rules for what is added behind an exclusion: "Texas except Harris County, plus Ohio".

/** Words that begin one for "without", in any language. */
const WITHOUT: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ without }) => without.flatMap(([word]) => word ?? [])),
);

/** Whether an exclusion begins here. */
const isExclusion = (p: Parser): boolean => p.find(p.v.without) !== null || p.find(p.v.not) !== null;

/** Whether a place with an exclusion of its own is here: "and Utah without Rich County". */
function isExcept(p: Parser, parseItem: ((p: Parser) => unknown) | null): boolean {
  if (parseItem === null) return false;
  if (p.tokens.filter(({ folded }) => WITHOUT.has(folded)).length < 2) return false;
  const start = p.at;
  const { isBoth, base } = p;
  const is = p.attempt(() => {
    parseItem(p);
    p.sign('(', ',');
    return p.find(p.v.without) === null && !p.minus() ? null : true;
  });
  p.at = start;
  p.isBoth = isBoth;
  p.base = base;
  return is ?? false;
}

/**
 * Takes words behind what is left out that add to the whole, which always do so or only to what they are not a part of
 * (`perhaps`). Null if the exclusion goes on or ends here.
 * @param excluded number of places that are left out so far
 * @param parseItem the rule for what may have an exclusion of its own: "and Utah without Rich County"
 */
export function takeAdding(
  p: Parser,
  excluded: number,
  parseItem: ((p: Parser) => unknown) | null = null,
): 'always' | 'perhaps' | null {
  const { always, perhaps } = ADDING[p.v.language];
  return p.attempt((): 'always' | 'perhaps' | null => {
    const isComma = p.sign(',', '.', '–', '—');
    const isSemicolon = !isComma && p.sign(';');
    if (p.take(always) || (!isComma && !isSemicolon && p.sign('+')))
      return isExclusion(p) || p.at >= p.tokens.length ? null : 'always';
    if (!p.addsPerhaps) return null;
    const isSoft = p.take(perhaps);
    const isAnd = isSoft || p.take(p.v.and);
    if (isExclusion(p) || p.at >= p.tokens.length) return null;
    const isPerhaps =
      isSoft || isSemicolon || (isComma && isAnd && excluded === 1) || ((isComma || isAnd) && isExcept(p, parseItem));
    return isPerhaps ? 'perhaps' : null;
  });
}
