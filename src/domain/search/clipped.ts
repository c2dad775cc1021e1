import { citiesNamed, largeAmericanCities, type NamedCity } from '../names/city_names.ts';
import { isBrand, isCommonWord, isPersonName } from '../names/common_words.ts';
import { foldName } from '../names/fold.ts';
import { AROUND, applyReading, type Candidate, FUZZY_STEP, locate, type Readings } from './candidates.ts';
import { boundariesOf } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';

/** Step of what a clipped name means: before a typo in another name. */
const CLIPPED_STEP = FUZZY_STEP + 0.05;
/** People, in thousands, of a city that is meant by a clipped name alone. */
const MEANT_ALONE = 250;
/** Letters at the beginning of a name, and "y". */
const CLIPPED = /^([a-z]{3,6})y$/;
/** "B'more": the beginning and the end of a name. */
const CONTRACTED = /^\s*(\p{L}{1,2})['’](\p{L}{3,})\s*$/u;
/** Two to four capitals in front of a place: "KC Missouri", "OC, California". */
const INITIALS = /^\s*(\p{Lu}{2,4})[\s,]/u;
/** Rows for the counties that begin with a letter. */
const MOST_ROWS = 300;
/** Readings whose name is looked up. */
const MOST_READINGS = 4;

const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('');

/** The cities of one code of which a name with a first letter fits, the only code that does; empty where several do. */
function onlyCity(letter: string, fits: (name: string, city: NamedCity) => boolean): NamedCity[] {
  const found = largeAmericanCities(letter).flatMap(([name, city]) => (fits(name, city) ? [city] : []));
  const [first] = found;
  return first !== undefined && new Set(found.map(({ codes }) => codes.join())).size === 1 ? [first] : [];
}

/** The counties around some cities, with what contains them. */
async function counties(lookups: Lookups, cities: readonly NamedCity[]): Promise<Candidate[]> {
  // Of Philadelphia, but around Cincinnati.
  const isCity = (name: string): boolean =>
    citiesNamed(name).some(({ codes }) => cities.some((one) => one.codes.join() === codes.join()));
  return (await boundariesOf(lookups, cities, cities.length)).map(({ row, boundary }) => ({
    ...{ ...row, step: CLIPPED_STEP, whole: true, name_type: isCity(foldName(boundary.name)) ? null : AROUND },
    ...{ inside: boundary.parents.map(({ id }) => id), countries: boundary.countries },
  }));
}

/**
 * What is around the only large city of the United States whose name people shorten like a query: "Cincy", "B'more", and in
 * front of a place "Indy, Indiana" and "KC Missouri". "OC California" is the only county there with these initials. Empty for
 * words and names of people, and where several fit.
 */
export async function clippedCities(lookups: Lookups, q: string, readings: Readings | null): Promise<Candidate[]> {
  const folded = foldName(q);
  const [, start, end] = CONTRACTED.exec(q) ?? [];
  if (start !== undefined && end !== undefined) {
    const [first, last] = [foldName(start), foldName(end)];
    const fits = (name: string): boolean => name.startsWith(first) && name.endsWith(last) && !name.includes(' ');
    return counties(
      lookups,
      onlyCity(first.charAt(0), (name, { people }) => fits(name) && people >= MEANT_ALONE),
    );
  }
  const stem = stemOf(folded);
  if (stem !== null)
    return counties(
      lookups,
      onlyCity(stem.charAt(0), (name, { people }) => name.startsWith(stem) && people >= MEANT_ALONE),
    );
  const found: Candidate[] = [];
  const [, capitals] = INITIALS.exec(q) ?? [];
  for (const reading of (readings?.placed ?? []).slice(0, MOST_READINGS)) {
    const begun = stemOf(reading.name);
    const letters = capitals !== undefined && foldName(capitals) === reading.name ? reading.name : null;
    if (begun === null && letters === null) continue;
    const fits = (name: string): boolean =>
      begun === null ? name.includes(' ') && initialsOf(name) === letters : name.startsWith(begun);
    const letter = (begun ?? letters ?? '').charAt(0);
    const cities = largeAmericanCities(letter).flatMap(([name, city]) => (fits(name) ? [city] : []));
    const distinct = [...new Map(cities.map((city) => [city.codes.join(), city])).values()];
    const around = applyReading(await counties(lookups, distinct), reading);
    if (around.length === 0 && letters?.endsWith('c'))
      around.push(...(await countyOfInitials(lookups, letters, reading)));
    if (new Set(around.map(({ id }) => id)).size === 1) found.push(...around);
  }
  return found;
}

/** The counties in a place whose name, with the word for a county, has some initials: "oc". */
async function countyOfInitials(
  lookups: Lookups,
  letters: string,
  reading: Readings['placed'][number],
): Promise<Candidate[]> {
  const wanted = { name: letters.charAt(0), code: ' ', id: null, completesCodes: false, most: MOST_ROWS };
  const rows = (await lookups.names({ ...wanted, within: reading.within[0] ?? null })).filter(
    ({ kind }) => kind === 'county',
  );
  const read = new Map((await lookups.boundaries(rows.map(({ id }) => id))).map((one) => [one.id, one]));
  const called = rows.filter(({ id }) => `${initialsOf(foldName(read.get(id)?.name ?? ''))}c` === letters);
  const found = called.map((row) => ({ ...row, step: CLIPPED_STEP, whole: true, name_type: null }));
  return applyReading(await locate(lookups, found, reading), reading);
}

/** The beginning of a name that a folded word may be short for; null for words and names of people. */
function stemOf(folded: string): string | null {
  const [, stem] = CLIPPED.exec(folded) ?? [];
  if (stem === undefined || isCommonWord(folded) || isPersonName(folded) || isBrand(folded)) return null;
  return stem;
}
