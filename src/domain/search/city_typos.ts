import { isCityName } from '../names/cities.ts';
import { americanCities, citiesInside, citiesNamed, largeCitiesLike } from '../names/city_names.ts';
import { isBrand, isCommonWord, isPersonName } from '../names/common_words.ts';
import { applyReading, type Candidate, FUZZY_STEP, locate, type ResolvedReading } from './candidates.ts';
import { boundariesAround, boundariesOf, cityBoundaries } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';

/** Step of a city with a typo: of a name with one letter wrong. */
const TYPO_STEP = FUZZY_STEP + 0.15;

/** Whether two different texts differ by one letter lost, added or replaced, or two swapped ones. */
export function isOneTypo(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.length !== restB.length) return restA.slice(1) === restB || restB.slice(1) === restA;
  return (
    restA.slice(1) === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  );
}

/**
 * What is around the only large city whose name a folded text of six Latin letters or more has with one typo, and not in the
 * first letter: the names in use of cities are in no index of similar names. "Manhatten" is New York County. Empty for words and
 * names of people.
 */
export async function citiesWithTypo(lookups: Lookups, folded: string): Promise<Candidate[]> {
  // "Vancouver" is in Canada, and "Hannover" not Hanover.
  if (isCityName(folded)) return [];
  const names = largeCitiesLike(folded).filter((name) => isOneTypo(folded, name));
  if (names.length === 0 || isCommonWord(folded) || isPersonName(folded) || isBrand(folded)) return [];
  const codes = names.map((name) => (citiesNamed(name)[0] ?? citiesInside(name)[0])?.codes.join());
  const [name] = names;
  if (name === undefined || new Set(codes).size > 1) return [];
  const [named, inside] = await Promise.all([cityBoundaries(lookups, name), boundariesAround(lookups, name)]);
  const found = named.length > 0 ? named : inside;
  return found.map(({ row }) => ({ ...row, step: TYPO_STEP, whole: false, name_type: null }));
}

/** Letters of a city's name before its state that is known with a typo. */
const PLACED_FROM = 5;
/** Before a typo in the name of a county there: "Austn, TX" is the city. */
const PLACED_STEP = FUZZY_STEP + 0.05;
/** Readings that name a state behind a city. */
const MOST_READINGS = 2;

/** The counties around cities of the United States whose names the readings have with one typo, not in the first letter, in a state: "Seatle, WA". */
export async function placedCitiesWithTypo(
  lookups: Lookups,
  readings: readonly ResolvedReading[],
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const placed = readings.filter(
    ({ name, kinds, within }) =>
      within.length > 0 &&
      (kinds.length === 0 || kinds[0] === 'city') &&
      name.length >= PLACED_FROM &&
      LATIN.test(name),
  );
  for (const reading of placed.slice(0, MOST_READINGS)) {
    const { name } = reading;
    const cities = americanCities(name.charAt(0)).filter(([one]) => isOneTypo(one, name));
    if (cities.length === 0) continue;
    const around = await boundariesOf(
      lookups,
      cities.map(([, city]) => city),
      MOST_CITIES,
    );
    const rows = around.map(({ row }): Candidate => ({ ...row, step: PLACED_STEP, whole: false, name_type: null }));
    found.push(...applyReading(await locate(lookups, rows, reading), reading));
  }
  return found;
}
const LATIN = /^[a-z ]+$/;
/** Cities of names that are one typo away, in all states. */
const MOST_CITIES = 24;
