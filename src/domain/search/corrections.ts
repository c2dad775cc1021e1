import { isCityName } from '../names/cities.ts';
import { citiesNamed } from '../names/city_names.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { toAscii } from '../names/names.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { StepOf } from '../read_model/names.ts';
import { type Candidate, FUZZY_STEP, type Within } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { allowedEdits, endOfSpelling, lettersOf, similarityGrader, similarityThresholds } from './typos.ts';

/** The same for one lookup of misspellings. */
const TYPO_ROWS = 200;

/** Letters from which a query can be a misspelled part of a name. */
const PART_FROM = 6;

/** Words for a kind that people misspell: shorter ones are one letter from too many others. */
const MISSPELLED = (
  'county province provincia municipality municipio parish borough district department prefecture state estado region ' +
  'departamento distrito provincie provinz gemeinde commune voivodeship governorate landkreis bundesland'
).split(' ');

/** Kinds of the places that people write behind a name. */
const WRITTEN_BEHIND: readonly string[] = ['country', 'state', 'region', 'province'];

/** Steps of the whole names that are one or two slips away; those of parts of names are greater. */
export const CORRECTED_STEP = FUZZY_STEP + 0.3;

/**
 * Returns a query that finds nothing, with the right word for a kind in place of one with a slip ("Couty"), and the
 * right place behind the name ("Alabasma"). Null if there is nothing to correct.
 */
export async function correct(lookups: Lookups, q: string): Promise<string | null> {
  const parts = q.split(/[,;]/).map(foldName);
  if (parts.length > 3 || parts.includes('')) return null;
  const known = new Set<string>();
  for (const word of new Set(parts.flatMap((part) => part.split(' ')))) {
    if (kindWord(word) !== word && (await lookups.exact([word], null, 1)).length > 0) known.add(word);
  }
  // Whoever types the name of a stored place means it: "Paris" is not "parish". Behind a name it is a slip ("Clay Conty"),
  // unless it is the name of a city.
  const isMeant = (word: string, at: number): boolean => known.has(word) && (at === 0 || citiesNamed(word).length > 0);
  const wordOf = (word: string, at: number): string => (isMeant(word, at) ? word : kindWord(word));
  const [name = '', ...places] = parts.map((part) => part.split(' ').map(wordOf).join(' '));
  const words = name.split(' ');
  // Without a comma, the last words may be the place.
  const guesses: [name: string, place: string][] =
    places.length > 0
      ? [[[name, ...places.slice(0, -1)].join(', '), places.at(-1) as string]]
      : [2, 1].flatMap((count) =>
          words.length > count
            ? [[words.slice(0, -count).join(' '), words.slice(-count).join(' ')] as [string, string]]
            : [],
        );
  for (const [before, place] of guesses) {
    const behind = await placeLike(lookups, place);
    if (behind !== null) return `${before}, ${behind}`;
  }
  const corrected = [name, ...places].join(', ');
  return corrected === parts.join(', ') ? null : corrected;
}

/** The word for a kind that a word is one slip away from, or else the word. */
function kindWord(word: string): string {
  if (word.length < 4 || kindsOfTypeWords(word).length > 0) return word;
  const resembles = similarityGrader(word, 1);
  const isLike = (known: string): boolean =>
    (word.length > 4 || known[0] === word[0]) &&
    (resembles(lettersOf(known), known.length, false) ?? FUZZY_STEP + 1) < CORRECTED_STEP;
  return MISSPELLED.find(isLike) ?? word;
}

/** The name of the place that contains others and has a name one or two slips away; null if none or several do. */
async function placeLike(lookups: Lookups, folded: string): Promise<string | null> {
  if (allowedEdits(folded) === 0 || isCityName(folded) || kindsOfTypeWords(folded).length > 0) return null;
  if (isKnownPlace(folded) || (await lookups.containers([folded])).length > 0) return null;
  if ((await lookups.exact([folded], null, 1)).length > 0) return null;
  const similar = (await searchTypos(lookups, folded, true, null)).filter(
    ({ step, kind }) => step < CORRECTED_STEP && WRITTEN_BEHIND.includes(kind),
  );
  const [best] = similar.toSorted((a, b) => a.step - b.step || b.weight - a.weight);
  const [found] = best ? await lookups.boundaries([best.id]) : [];
  return found?.name ?? null;
}

/** Finds names that resemble a query. `known`: other matches exist, so only the first, closest likeness is tried. */
export async function searchTypos(
  lookups: Lookups,
  folded: string,
  known: boolean,
  within: Within,
): Promise<Candidate[]> {
  // "LA County" is two letters and a type word, not two slips from every county with a two-letter name.
  const words = folded.split(' ').filter((word) => kindsOfTypeWords(word).length === 0);
  const own = words.length > 0 ? words.join(' ') : folded;
  const allowed = Math.min(...[folded, own, ...stripTypeWords(folded)].map(allowedEdits));
  // A postcode with one digit wrong is another postcode.
  if (allowed === 0 || !/\p{L}[\p{L}\p{M}]/u.test(folded)) return [];
  const ascii = toAscii(folded);
  const spellings = lookups.slips(folded);
  const resembles = similarityGrader(folded, allowed);
  const stepOf: StepOf = (name, length, later) => {
    const step = resembles(name, length, later);
    return step !== null && step >= FUZZY_STEP + 1 && folded.length < PART_FROM ? null : step;
  };
  const found: Candidate[] = [];
  for (const likeness of similarityThresholds(folded, ascii)) {
    const asked = { ascii: likeness < 1 ? ascii : null, likeness, spellings, end: endOfSpelling(folded) };
    for (const row of await lookups.similar({ ...asked, within, most: TYPO_ROWS }, stepOf)) {
      found.push({ ...row, whole: false, name_type: null });
    }
    if (known || found.length > 0) break;
  }
  return found;
}
