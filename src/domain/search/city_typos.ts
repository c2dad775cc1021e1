import { citiesInside, citiesNamed, type NamedCity } from '../names/city_names.ts';
import { isBrand, isCommonWord, isPersonName } from '../names/common_words.ts';
import { type Candidate, FUZZY_STEP } from './candidates.ts';
import { boundariesAround, cityBoundaries } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';
import { ALPHABET } from './typos.ts';

/** Step of a city with a typo: of a name with one letter wrong. */
const TYPO_STEP = FUZZY_STEP + 0.15;
/** Letters of a word alone from which one typo is not likelier another word. */
const FROM = 6;
/** People, in thousands, of a city that is meant by a name with a typo. */
const KNOWN = 300;
const LATIN = /^[a-z]+(?: [a-z]+)*$/;

/** The texts with one letter lost, swapped with the next, replaced or added, all but the first; about fifty for each letter. */
function* spellings(folded: string): Generator<string> {
  for (let at = 1; at <= folded.length; at++) {
    const [before, after] = [folded.slice(0, at), folded.slice(at)];
    yield before + after.slice(1);
    if (after.length > 1) yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
    for (const letter of ALPHABET) {
      yield before + letter + after;
      yield before + letter + after.slice(1);
    }
  }
}

const isLarge = ({ people, isWord }: NamedCity): boolean => people >= KNOWN && !isWord;

/**
 * What is around the only large city whose name a folded text of six Latin letters or more has with one typo, and not in the first letter: the
 * names in use of cities are in no index of similar names. "Manhatten" is New York County. Empty for words and names of people.
 */
export async function citiesWithTypo(lookups: Lookups, folded: string): Promise<Candidate[]> {
  if (folded.length < FROM || !LATIN.test(folded)) return [];
  if (isCommonWord(folded) || isPersonName(folded) || isBrand(folded)) return [];
  const meant = new Map<string, string>();
  for (const name of spellings(folded)) {
    const city = citiesNamed(name).find(isLarge) ?? citiesInside(name).find(isLarge);
    if (city !== undefined) meant.set(`${city.country} ${city.codes.join()}`, name);
  }
  const [name, ...more] = meant.values();
  if (name === undefined || more.length > 0) return [];
  const [named, inside] = await Promise.all([cityBoundaries(lookups, name), boundariesAround(lookups, name)]);
  const found = named.length > 0 ? named : inside;
  return found.map(({ row }) => ({ ...row, step: TYPO_STEP, whole: false, name_type: null }));
}
