import { readSetId } from '../../common/set_ids.ts';
import { isCommonWord } from '../names/common_words.ts';
import { isOwnName, namesInUse } from '../names/exonyms.ts';
import { foldName, isUnspaced } from '../names/fold.ts';
import { applyReading, type Candidate, FUZZY_STEP, PREFIX_STEP, type ResolvedReading } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { isNoise } from './noise.ts';
import { COUNTRY, DIVISION, LARGE, TOWN } from './slips.ts';
import { allowedEdits, isOtherwiseSpelled, lettersOf, similarityGrader } from './typos.ts';

/** Letters up to which an unfinished word begins the name of a village by chance. */
const FEW_LETTERS = 6;
/** The same for other places, and for the name of a country in some language: "dog" begins one of East Timor. */
const FEWEST_LETTERS = 3;

/** Letters up to which an unfinished word begins a name that only other languages use by chance: "mavi", the Blue Nile. */
const FEW_FOREIGN = 5;
/** Candidates of which the names are read. */
const MOST_READ = 40;

/** A word with nothing beside it. */
const ALONE = /^[\p{L}\p{M}]+$/u;

/**
 * Some candidates, if a word alone means one of them, the others behind it, or else none: villages, whose names have most
 * words that there are, it means only by the whole name, by one of two names ("Laion/Lajen"), or by the first word; larger
 * places, and areas of sets, by any part of the name. A common word means a part of the name of a country alone ("Costa"). All candidates for
 * a query of several words, or in another script.
 */
export async function meantByPart(
  lookups: Lookups,
  found: readonly Candidate[],
  folded: string,
  isCommon: boolean,
): Promise<Candidate[]> {
  if (!ALONE.test(folded)) return [...found];
  // People who call an area of theirs "Zone 5" look for "zone".
  const needs = (one: Candidate): number => (readSetId(one.id) === null ? partNeeds(one, folded.length, isCommon) : 0);
  const meant = new Set(found.filter((one) => one.weight >= needs(one)));
  // What is meant only by a name in use everywhere, and what may be one of two names, if nothing else is meant.
  const isShort = isCommon || (folded.length <= FEW_FOREIGN && !isUnspaced(folded));
  const parts = [...meant].filter((one) => isShort && one.step >= PREFIX_STEP && readSetId(one.id) === null);
  const likeliest = new Set(parts.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_READ));
  const halves = meant.size > parts.length ? [] : found.filter((one) => one.whole && !meant.has(one));
  const asked = [...new Set([...likeliest, ...halves].map(({ id }) => id))];
  const read = asked.length === 0 ? [] : await lookups.boundaries(asked);
  const byId = new Map(read.map((one) => [one.id, one]));
  for (const one of parts) {
    const inUse = byId.get(one.id);
    if (!inUse || !namesInUse(inUse).some((name) => ` ${name}`.includes(` ${folded}`))) meant.delete(one);
  }
  for (const one of halves) if (isOwnName(folded, byId.get(one.id)?.name ?? '')) meant.add(one);
  if (meant.size === 0) return [];
  return found.map((one) => (meant.has(one) ? one : { ...one, unlikely: true }));
}

/** Importance that a place needs to be meant by a part of its name. */
function partNeeds({ step, whole }: Candidate, letters: number, isCommon: boolean): number {
  if (step < PREFIX_STEP) return 0;
  const isMiddle = step >= PREFIX_STEP + 2;
  if (isCommon) return whole && !isMiddle ? COUNTRY : Number.POSITIVE_INFINITY;
  const isLater = step >= PREFIX_STEP + 1;
  if (whole) return !isLater ? 0 : letters <= FEWEST_LETTERS ? COUNTRY : isMiddle ? DIVISION : TOWN;
  if (letters <= FEWEST_LETTERS) return isLater ? Number.POSITIVE_INFINITY : COUNTRY;
  if (letters < FEW_LETTERS) return LARGE;
  return isLater || letters === FEW_LETTERS ? DIVISION : TOWN;
}

/** Likenesses of which the names are compared: the likeliest. */
const COMPARED = 20;
/** Letters up to which a typo in a name of a country in another language is a chance. */
const SHORT = 6;

/**
 * Puts the places that a text resembles only by a name in another language behind those that it resembles by a name in use:
 * "Quesda" is Quesada, not the Portuguese name of Kedah. Countries, in long words, stay where they are.
 */
export async function foreignTyposLast(
  lookups: Lookups,
  found: readonly Candidate[],
  folded: string,
): Promise<Candidate[]> {
  const likely = found
    .filter(({ step }) => step >= FUZZY_STEP && step < FUZZY_STEP + 1)
    .toSorted((a, b) => a.step - b.step || b.weight - a.weight)
    .slice(0, COMPARED);
  if (likely.length < 2) return [...found];
  const resembles = similarityGrader(folded, allowedEdits(folded));
  const isLike = (name: string): boolean => {
    const letters = lettersOf(name);
    return (resembles(letters, letters.length, false) ?? FUZZY_STEP + 1) < FUZZY_STEP + 1;
  };
  const read = await lookups.boundaries([...new Set(likely.map(({ id }) => id))]);
  const inUse = new Set(read.filter((one) => namesInUse(one).some(isLike)).map(({ id }) => id));
  const isForeign = (one: Candidate): boolean =>
    likely.includes(one) && !inUse.has(one.id) && (one.kind !== 'country' || folded.length <= SHORT);
  if (inUse.size === 0 || !likely.some(isForeign)) return [...found];
  return found.map((one) => (isForeign(one) ? { ...one, unlikely: true } : one));
}

/** Importance of ten times as many people. */
const TENFOLD = 1;

/**
 * Puts the names that a word begins behind larger places that it is one lost letter or two swapped ones from: the names that
 * it begins unfinished behind countries, since "Boliva" is Bolivia before Bolívar, which lacks a letter as well; villages
 * behind towns ten times as large, since "Sabadel" is Sabadell before Sabadel-Lauzès.
 */
export function besideTypos(found: readonly Candidate[], typos: readonly Candidate[]): Candidate[] {
  const likely = Math.max(...typos.filter(({ step }) => isOtherwiseSpelled(step)).map(({ weight }) => weight));
  const isLess = ({ step, whole, weight }: Candidate): boolean =>
    step >= PREFIX_STEP && ((likely >= COUNTRY && !whole) || (likely >= TOWN && weight <= likely - TENFOLD));
  return [...found.map((one) => (isLess(one) ? { ...one, unlikely: true } : one)), ...typos];
}

/** Whether a folded text is two or more common words, with articles and prepositions: "white wine" is not White Pine. */
export function isPhrase(folded: string): boolean {
  const words = folded.split(' ').filter((word) => !isNoise(word));
  return words.length > 1 && words.every(isCommonWord);
}

/**
 * The largest municipality whose name begins with a whole text that is another name of much smaller ones: Torrejón de Ardoz beside
 * Torrejón del Rey for "Torrejón". It follows the first result.
 */
export function largerParts(found: readonly Candidate[], cities: readonly Candidate[]): Candidate[] {
  const least = Math.max(...cities.map(({ weight }) => weight)) + TENFOLD;
  const larger = found.filter(
    ({ step, whole, weight, kind }) =>
      step >= PREFIX_STEP && step < PREFIX_STEP + 1 && whole && weight >= least && kind === 'municipality',
  );
  return larger
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 1)
    .map((one) => ({ ...one, isBesideFirst: true }));
}

/** Rows of the names with a word. */
const WORD_ROWS = 100;

/**
 * The counties of which the name has a word behind a hyphen that a query has before a word for a county, without a place:
 * "Dade County" is one of Georgia and one of Missouri, and may be Miami-Dade.
 */
export async function behindHyphen(lookups: Lookups, stripped: readonly ResolvedReading[]): Promise<Candidate[]> {
  const reading = stripped.find(({ name, kinds }) => kinds.includes('county') && ALONE.test(name));
  if (reading === undefined) return [];
  const wanted = { name: reading.name, code: ' ', id: null, completesCodes: false, within: null, most: WORD_ROWS };
  const rows = (await lookups.names(wanted)).filter(
    ({ step, whole, kind }) => kind === 'county' && whole && step > PREFIX_STEP && step < PREFIX_STEP + 2,
  );
  const hyphenated = new Set(
    (await lookups.boundaries(rows.map(({ id }) => id)))
      .filter(({ name }) => foldName(name).endsWith(` ${reading.name}`) && name.includes('-'))
      .map(({ id }) => id),
  );
  return applyReading(
    rows.filter(({ id }) => hyphenated.has(id)),
    reading,
  );
}
