import { foldName } from '../names/fold.ts';
import { otherNamesOf } from '../names/place_names.ts';
import { codeOfShortName } from '../names/short_names.ts';
import { isDeclining, nominativesOf } from './declined.ts';
import type { Hit } from './hit.ts';
import { type Rewrite, rewritesOf } from './noise.ts';

/**
 * Returns what a query may mean that finds no whole name as it is written, the likeliest first: its name
 * without noise, which may be a short one ("map of Calif.") or declined ("granice Polski").
 */
export function otherFormsOf(q: string): Rewrite[] {
  const rewrites = rewritesOf(q);
  return [...rewrites, ...rewrites.flatMap(shortNames), ...shortInCountry(q), ...rewrites.flatMap(declined)];
}

/** Words of the name of a country behind another name, at most. */
const MOST_WORDS = 3;

/** A division that a query is short for, with its country behind it: "PEI Canada", "NRW, Deutschland". */
function shortInCountry(q: string): Rewrite[] {
  const words = q.trim().split(/[\s,]+/u);
  for (let count = 1; count <= Math.min(MOST_WORDS, words.length - 1); count++) {
    const code = codeOfShortName(words.slice(0, -count).join(' '));
    const country = foldName(words.slice(-count).join(' '));
    if (code === null || !otherNamesOf(code.slice(0, 2)).some((name) => foldName(name) === country)) continue;
    return [{ q: `iso:${code}`, ignored: null, exactly: true, called: foldName(q) }];
  }
  return [];
}

/** The place that a query is short for, by its code; in a country, a division of that: "NRW Deutschland". */
function shortNames({ q, ignored, country }: Rewrite): Rewrite[] {
  const code = codeOfShortName(q);
  if (code === null || (country !== undefined && !code.startsWith(`${country}-`))) return [];
  return [{ q: `iso:${code}`, ignored, exactly: true, called: foldName(q) }];
}

/** The names that a query without its noise may be the genitive of. */
function declined({ q, ignored }: Rewrite): Rewrite[] {
  if (ignored === null || !isDeclining(ignored)) return [];
  const folded = foldName(q);
  return nominativesOf(folded).map((form) => ({ q: form, ignored, exactly: true, called: folded }));
}

/** Whether a result is what another form of a query means: any, unless only whole names are. */
export const isMeantBy = ({ match }: Hit, { exactly }: Rewrite): boolean =>
  !exactly || match === 'exact' || match === 'alias' || match === 'around';

/** A result of another form of a query, as the query named it, with the words left out. */
export function asTyped(hit: Hit, { ignored, called }: Rewrite): Hit {
  const left = [hit.interpretation.ignored, ignored].filter(Boolean).join(', ');
  const named: Hit = { ...hit, interpretation: { ...hit.interpretation, ignored: left === '' ? null : left } };
  return called === undefined
    ? named
    : { ...named, match: 'alias', interpretation: { ...named.interpretation, name: called } };
}
