import { foldName } from '../names/fold.ts';
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
  return [...rewrites, ...rewrites.flatMap(shortNames), ...rewrites.flatMap(declined)];
}

/** The place that a query is short for, by its code. */
function shortNames({ q, ignored, country }: Rewrite): Rewrite[] {
  const code = country === undefined ? codeOfShortName(q) : null;
  return code === null ? [] : [{ q: `iso:${code}`, ignored, exactly: true, called: foldName(q) }];
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
