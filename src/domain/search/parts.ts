import { isOwnName, namesInUse } from '../names/exonyms.ts';
import { type Candidate, PREFIX_STEP } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { COUNTRY, DIVISION, TOWN } from './slips.ts';
import { isOtherwiseSpelled } from './typos.ts';

/** Letters up to which an unfinished word begins the name of a village, or that of a country in some language, by chance. */
const FEW_LETTERS = 6;

/** A word in Latin letters with nothing beside it. */
const ALONE = /^\p{Script=Latin}+$/u;

/**
 * Some candidates, if a word alone means one of them, the others behind it, or else none: villages, whose names have most
 * words that there are, it means only by the whole name, by one of two names ("Laion/Lajen"), or by the first word; larger
 * places by any part of the name. A common word means a part of the name of a country alone ("Costa"). All candidates for
 * a query of several words, or in another script.
 */
export async function meantByPart(
  lookups: Lookups,
  found: readonly Candidate[],
  folded: string,
  isCommon: boolean,
): Promise<Candidate[]> {
  if (!ALONE.test(folded)) return [...found];
  const isPart = ({ step, name_type }: Candidate): boolean => step >= PREFIX_STEP && name_type !== 'code';
  const needs = (one: Candidate, isAlias = one.name_type === 'alias'): number =>
    partNeeds(one, { letters: folded.length, isAlias, isCommon });
  const meant = new Set(found.filter((one) => !isPart(one) || one.weight >= needs(one)));
  // A row may be that of an alias where the name itself begins so, too. Read the names of others only if nothing else is meant.
  const unsure = found.filter((one) => !meant.has(one) && one.weight >= needs(one, false));
  if (meant.size === 0) unsure.push(...found.filter(({ whole }) => whole));
  const read = unsure.length === 0 ? [] : await lookups.boundaries([...new Set(unsure.map(({ id }) => id))]);
  const byId = new Map(read.map((one) => [one.id, one]));
  for (const one of unsure) {
    const boundary = byId.get(one.id);
    if (!boundary) continue;
    const isBegun = namesInUse(boundary).some((name) => name.startsWith(folded));
    if ((one.whole && isOwnName(folded, boundary.name)) || one.weight >= needs(one, !isBegun)) meant.add(one);
  }
  if (meant.size === 0) return [];
  return found.map((one) => (meant.has(one) ? one : { ...one, unlikely: true }));
}

/** Importance that a place needs to be meant by a part of its name. */
function partNeeds(
  { step, whole }: Candidate,
  { letters, isAlias, isCommon }: { readonly letters: number; readonly isAlias: boolean; readonly isCommon: boolean },
): number {
  if (isCommon) return whole && !isAlias ? COUNTRY : Number.POSITIVE_INFINITY;
  const isLater = step >= PREFIX_STEP + 1;
  if (whole) return !isLater ? 0 : step >= PREFIX_STEP + 2 ? DIVISION : TOWN;
  if (isAlias && letters <= FEW_LETTERS) return Number.POSITIVE_INFINITY;
  return isLater || letters <= FEW_LETTERS ? DIVISION : TOWN;
}

/**
 * Puts the names that an unfinished word begins behind the countries that it is one lost letter or two swapped ones from:
 * "Boliva" is Bolivia before Bolívar, which lacks a letter as well.
 */
export function besideTypos(found: readonly Candidate[], typos: readonly Candidate[]): Candidate[] {
  const isLikely = typos.some(({ step, weight }) => isOtherwiseSpelled(step) && weight >= COUNTRY);
  const begun = (one: Candidate): boolean => one.step >= PREFIX_STEP && !one.whole;
  return [...found.map((one) => (isLikely && begun(one) ? { ...one, unlikely: true } : one)), ...typos];
}
