import type { Kind } from '../../core/schemas.ts';
import { isCityName } from '../names/cities.ts';
import { citiesNamed } from '../names/city_names.ts';
import { namesInUse } from '../names/exonyms.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { toAscii } from '../names/names.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import { codesAroundRegion } from '../names/region_names.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { StepOf } from '../read_model/names.ts';
import { type Candidate, FUZZY_STEP, type ResolvedReading, type Within } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { isKindWord } from './noise.ts';
import { COUNTRY, evidenceNeeded, type OtherWord, TOWN } from './slips.ts';
import { soundingLike } from './sounds_like.ts';
import {
  ALPHABET,
  allowedEdits,
  endOfSpelling,
  isOtherwiseSpelled,
  isShortWord,
  leastShareOf,
  lettersOf,
  oneEditAway,
  similarityGrader,
  similarityThresholds,
} from './typos.ts';

/** The same for one lookup of misspellings. */
const TYPO_ROWS = 200;

/** Letters from which a query can be a misspelled part of a name. */
const PART_FROM = 6;

/** Words for a kind that people misspell: shorter ones are one letter from too many others. */
const MISSPELLED = (
  'county province municipality municipio parish borough district department prefecture state estado region ' +
  'departamento distrito provincie provinz gemeinde commune voivodeship governorate landkreis bundesland bundesstaat ' +
  'census area provincia parroquia comarca ayuntamiento arrondissement condado comunidad autonoma contea cnty'
)
  .split(' ')
  .map((word) => ({ word, letters: lettersOf(word) }));

/** Kinds of the places that people write behind a name. */
const WRITTEN_BEHIND: readonly string[] = ['country', 'state', 'region', 'province'];

/** Steps of the whole names that are one or two typos away; those of parts of names are greater. */
export const CORRECTED_STEP = FUZZY_STEP + 0.3;

/** Places that a misspelled one may be: each is one more search. */
const MOST_PLACES = 3;

/**
 * Returns what a query that finds nothing may mean, the likeliest first: with the right word for a kind in place of one
 * with a typo ("Couty"), and with a place behind the name that resembles the one written ("Alabasma"). At most four.
 */
export async function correctionsOf(lookups: Lookups, q: string): Promise<string[]> {
  const parts = q.split(/[,;]/).map(foldName);
  if (parts.length > 3 || parts.includes('')) return [];
  const kindWords = new Map(parts.flatMap((part) => part.split(' ')).map((word) => [word, '']));
  const known = new Set<string>();
  for (const word of kindWords.keys()) {
    const meant = kindWord(word);
    kindWords.set(word, meant);
    if (meant !== word && (await lookups.exact([word], null, 1)).length > 0) known.add(word);
  }
  // Whoever types the name of a stored place means it: "Paris" is not "parish". Behind a name it is a typo ("Clay Conty"),
  // unless it is the name of a city.
  const isMeant = (word: string, at: number): boolean => known.has(word) && (at === 0 || citiesNamed(word).length > 0);
  const wordOf = (word: string, at: number): string => (isMeant(word, at) ? word : (kindWords.get(word) ?? word));
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
  const corrected = [name, ...places].join(', ');
  const typed = corrected === parts.join(', ') ? [] : [corrected];
  for (const [before, place] of guesses) {
    // "blah blah" is not a place in itself, and what follows a word for a kind is the name, but for "Republic County, Kanas".
    const isKind = before.split(' ').every((word) => kindsOfTypeWords(word).length > 0);
    const behind =
      before === place || (isKind && (places.length === 0 || !before.includes(' ')))
        ? []
        : await placesLike(lookups, place);
    if (behind.length > 0) return [...behind.map((one) => `${before}, ${one}`), ...typed];
  }
  return typed;
}

/** The word for a kind that a word is one typo away from, or else the word. */
function kindWord(word: string): string {
  if (word.length < 4 || isKindWord(word)) return word;
  const resembles = similarityGrader(word, 1);
  const { length } = lettersOf(word);
  const isLike = (known: (typeof MISSPELLED)[number]): boolean =>
    Math.abs(known.letters.length - length) <= 1 &&
    (word.length > 4 || known.word[0] === word[0]) &&
    (resembles(known.letters, known.letters.length, false) ?? FUZZY_STEP + 1) < CORRECTED_STEP;
  return MISSPELLED.find(isLike)?.word ?? word;
}

/** The names of the places that contain others and have a name one or two typos away, the closest first. */
async function placesLike(lookups: Lookups, folded: string): Promise<string[]> {
  // "Kingdom" is a word for a kind, "Unted Kingdom" is none.
  if (isCityName(folded) || folded.split(' ').every((word) => kindsOfTypeWords(word).length > 0)) return [];
  if (isKnownPlace(folded) || (await lookups.containers([folded])).length > 0) return [];
  // A village contains nothing that people would look for: "Hancock County, Mane" is in Maine.
  const named = await lookups.exact([folded], null, MOST_PLACES);
  if (named.some(({ kind, weight }) => weight >= TOWN || WRITTEN_BEHIND.includes(kind))) return [];
  const similar =
    allowedEdits(folded) > 0 ? await searchTypos(lookups, folded, true, null) : await withLetterMore(lookups, folded);
  const ids = [...similar, ...(await soundingLike(lookups, folded))]
    .filter(({ step, kind }) => step < CORRECTED_STEP && WRITTEN_BEHIND.includes(kind))
    .sort((a, b) => a.step - b.step || b.weight - a.weight)
    .map(({ id }) => id);
  const found = await lookups.boundaries([...new Set(ids)].slice(0, MOST_PLACES));
  return found.length === 0 ? regionsLike(folded) : [...new Set(found.map((place) => place.name))];
}

/** Letters from which the name of a region that is not stored is still known with a typo. */
const REGION_FROM = 6;

/** The only division or region that contains stored places, is not stored itself and has a name one typo away: "engalnd". */
function regionsLike(folded: string): string[] {
  if (folded.length < REGION_FROM) return [];
  const isRegion = (text: string): boolean =>
    countriesWithDivision(text).length > 0 || codesAroundRegion(text).length > 0;
  const found = oneEditAway(folded).filter(isRegion);
  return found.length === 1 ? found : [];
}

/** The names that a text of three letters is, with one letter lost: "Ioa". Others so short are codes. */
async function withLetterMore(
  lookups: Lookups,
  folded: string,
): Promise<{ id: string; step: number; kind: Kind; weight: number }[]> {
  if (!THREE_LETTERS.test(folded)) return [];
  const found = await lookups.exact(withOneMore(folded), null, MOST_PLACES);
  return found.map(({ id, kind, weight }) => ({ id, kind, weight, step: FUZZY_STEP }));
}

const THREE_LETTERS = /^[a-z]{3}$/;

/** The texts that have one letter more than another. */
const withOneMore = (folded: string): string[] => [
  ...new Set(
    [...folded, ''].flatMap((_, at) => [...ALPHABET].map((letter) => folded.slice(0, at) + letter + folded.slice(at))),
  ),
];

/** The same, with a word for its kind in a place, where a name so short is not a code: "Hll County, MT". */
export async function withLetterLost(lookups: Lookups, { name, kinds, within }: ResolvedReading): Promise<Candidate[]> {
  if (!THREE_LETTERS.test(name) || kinds.length === 0 || within.length === 0) return [];
  const found = await lookups.exact(withOneMore(name), within[0] ?? null, MOST_PLACES);
  return found.map((row) => ({ ...row, step: FUZZY_STEP + 0.1, whole: false, name_type: null }));
}

/** Added to the step of a name that the query is an unlikely typo of; and then, if it is a likely one of another name. */
const UNLIKELY = 100;
const BEHIND = 1.5;

const rankedStep = (step: number): number =>
  step < UNLIKELY ? step : Math.round((step - UNLIKELY + BEHIND) * 1000) / 1000;

/** Finds names that resemble a query. `known`: other matches exist, so only the first, closest likeness is tried. */
export function searchTypos(lookups: Lookups, folded: string, known: boolean, within: Within): Promise<Candidate[]> {
  return similarTo(lookups, folded, { known, within, needed: () => 0 });
}

/**
 * Like searchTypos(), for a query with nothing beside the name: a word alone is an unlikely typo only in the name of a
 * place that is known well enough (evidenceNeeded()). If it is a typo in one name, others that it is similar to follow.
 */
export async function searchLikelyTypos(
  lookups: Lookups,
  folded: string,
  { known, word }: { readonly known: boolean; readonly word: OtherWord },
): Promise<Candidate[]> {
  const isPhrase = folded.includes(' ');
  const needed = !isPhrase ? evidenceNeeded(folded, word) : word === null ? () => 0 : neededOfPhrase;
  const found = await similarTo(lookups, folded, { known, within: null, needed });
  if (word !== 'common' || found.length === 0) return found;
  // "chien" is not a typo in the French name of China.
  const read = await lookups.boundaries([...new Set(found.map(({ id }) => id))]);
  const resembles = similarityGrader(folded, 1);
  const isLike = (name: string): boolean => isOtherwiseSpelled(resembles(lettersOf(name), name.length, false) ?? 0);
  const inUse = new Set(read.filter((one) => namesInUse(one).some(isLike)).map(({ id }) => id));
  // Several words of which one has a letter lost or too many are a country in any language: "Ivory Cost".
  const isCountry = ({ step, weight }: Candidate): boolean => isPhrase && weight >= COUNTRY && isOtherwiseSpelled(step);
  return found.filter((one) => one.step < FUZZY_STEP + 1 && (inUse.has(one.id) || isCountry(one)));
}

/** Importance that a place needs to be meant by several common words: a country, by a letter lost, added or swapped. */
const neededOfPhrase: ReturnType<typeof evidenceNeeded> = (_name, _length, step) =>
  isOtherwiseSpelled(step) ? COUNTRY : Number.POSITIVE_INFINITY;

async function similarTo(
  lookups: Lookups,
  folded: string,
  { known, within, needed }: { known: boolean; within: Within; needed: ReturnType<typeof evidenceNeeded> },
): Promise<Candidate[]> {
  // "LA County" is two letters and a type word, not two typos from every county with a two-letter name.
  const words = folded.split(' ').filter((word) => kindsOfTypeWords(word).length === 0);
  const own = words.length > 0 ? words.join(' ') : folded;
  const allowed = Math.min(...[folded, own, ...stripTypeWords(folded)].map(allowedEdits));
  // A postcode with one digit wrong is another postcode.
  if (allowed === 0 || !/\p{L}[\p{L}\p{M}]/u.test(folded)) return [];
  const ascii = toAscii(folded);
  const spellings = lookups.typos(folded);
  // Every spelling of a short word is looked up, and no other name is similar to it.
  const share = isShortWord(folded) ? 1 : leastShareOf(folded, ascii);
  const resembles = similarityGrader(folded, allowed);
  const stepOf: StepOf = (name, length, { type, weight }) => {
    const step = resembles(name, length, type === 'word');
    // A part of a name with a typo is a guess, and in a name from other languages one more: "Ana Costa" is not Ivory Coast.
    if (step === null || (step >= FUZZY_STEP + 1 && (folded.length < PART_FROM || type === 'alias'))) return null;
    return weight < needed(name, length, step, type) ? step + UNLIKELY : step;
  };
  const found: Candidate[] = [];
  for (const likeness of similarityThresholds(folded, ascii)) {
    const asked = { ascii: likeness < 1 ? ascii : null, likeness, share, spellings, end: endOfSpelling(folded) };
    const rows = await lookups.similar({ ...asked, within, most: TYPO_ROWS }, stepOf);
    if (rows.some(({ step }) => step < UNLIKELY)) {
      for (const row of rows) found.push({ ...row, step: rankedStep(row.step), whole: false, name_type: null });
    }
    if (known || found.length > 0) break;
  }
  return found;
}
