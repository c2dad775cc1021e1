import { cityOf } from '../names/cities.ts';
import { citiesNamed } from '../names/city_names.ts';
import { halvesOf } from '../names/exonyms.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import { isIndependentCity, kindsOfTypeWords } from '../names/type_kinds.ts';
import {
  applyReading,
  BEGUN_PLACES,
  byCost,
  type Candidate,
  FUZZY_STEP,
  PREFIX_STEP,
  type Readings,
  SPARE,
} from './candidates.ts';
import { type CityBoundary, cityBoundaries } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';
import { allowedEdits, lettersOf, similarityGrader } from './typos.ts';

/** Step of a boundary that has another name, of a city in it: between a name and a code. */
export const CITY_STEP = 0.5;

/** The same for one half of its name: after the names that are stored. */
const HALF_STEP = 0.005;

/** Readings of which the name is looked up as that of a city. */
const CITY_READINGS = 4;

/** Names of the candidates that are compared with those of cities. */
const HOME_NAMES = 3;

/** The boundaries of the cities that a folded text names, the largest first: they follow those of that name. */
export async function citiesBeside(lookups: Lookups, folded: string): Promise<Candidate[]> {
  return (await cityBoundaries(lookups, folded)).map(({ row, boundary }, i) => ({
    // One of two names in a name is its own: "Vitoria".
    ...{ ...row, step: (halvesOf(boundary.name).includes(folded) ? HALF_STEP : CITY_STEP) + i / 1000 },
    ...{ whole: true, name_type: 'alias' },
    ...{ inside: boundary.parents.map(({ id }) => id), countries: boundary.countries },
  }));
}

/** What a query finds by another name of a city, alone or in a place: "Brooklyn", "Florence, Italy", "LA County". */
export async function searchCities(
  lookups: Lookups,
  q: string,
  folded: string,
  { found: known, readings }: { readonly found: readonly Candidate[]; readonly readings: Readings | null },
): Promise<Candidate[]> {
  const candidates = (name: string): Promise<Candidate[]> => citiesBeside(lookups, name);
  // "LA" is a state and a country; "L.A." is the city.
  const initials = /^\s*(?:\p{L}\.){2,}\s*$/u.test(q) ? folded.replaceAll(' ', '') : null;
  const found =
    citiesNamed(initials ?? folded).length === 0 || (initials === null && (await isIsoCode(lookups, known, folded)))
      ? []
      : await candidates(initials ?? folded);
  const named = byCost([...(readings?.placed ?? []), ...(readings?.stripped ?? [])]).filter(
    ({ name }) => citiesNamed(name).length > 0,
  );
  // "LA County": the name is an article, too.
  const space = folded.lastIndexOf(' ');
  const [name, typeWords] = [folded.slice(0, Math.max(0, space)), folded.slice(space + 1)];
  const kinds = kindsOfTypeWords(typeWords);
  if (named.length === 0 && kinds.length > 0 && citiesNamed(name).length > 0)
    named.push({ name, within: [], kinds, typeWords, cost: 0, respelled: false });
  for (const reading of named.slice(0, CITY_READINGS)) {
    found.push(...applyReading(await candidates(reading.name), reading));
  }
  const called = found.length === 0 ? [] : await namesakes(lookups, found, folded);
  return [...called, ...found, ...(await searchParts(lookups, folded))];
}

/** Steps by which what has the whole name of a city comes before it, where a query has the last words of that name. */
const NAMESAKE = 0.01;
/** Rows for such a name. */
const NAMESAKE_ROWS = 20;

/** The larger boundaries that have the name of a city of which a text is the end: the province for "Tenerife". */
async function namesakes(lookups: Lookups, cities: readonly Candidate[], folded: string): Promise<Candidate[]> {
  const read = await lookups.boundaries([...new Set(cities.map(({ id }) => id))]);
  const names = [...new Set(read.map(({ name }) => foldName(name)))].filter((name) => name.endsWith(` ${folded}`));
  if (names.length === 0) return [];
  const least = Math.max(...cities.map(({ weight }) => weight));
  const rows = (await lookups.exact(names, null, NAMESAKE_ROWS)).filter(({ weight }) => weight > least);
  return rows.map((row) => ({ ...row, step: CITY_STEP - NAMESAKE, whole: true, name_type: 'alias' }));
}

/** Words of the name of a city of several counties: "New York City". */
const PART_WORDS = 3;

/** A county of a city that is several together, with that city behind it: "Queens NYC", "the Bronx, New York City". */
async function searchParts(lookups: Lookups, folded: string): Promise<Candidate[]> {
  const words = folded.split(' ');
  for (let count = 1; count <= Math.min(PART_WORDS, words.length - 1); count++) {
    const city = words.slice(-count).join(' ');
    if (!citiesNamed(city).some(({ country, codes }) => country === 'US' && codes.length > 1)) continue;
    const written = words.slice(0, -count).join(' ').replace(/^the /, '');
    const names = [written, ...stripTypeWords(written)];
    const called = (await Promise.all(names.map((name) => cityBoundaries(lookups, name, 'US')))).flat();
    const isMeant = ({ boundary }: CityBoundary): boolean =>
      names.includes(foldName(boundary.name)) || called.some((one) => one.row.id === boundary.id);
    return (await cityBoundaries(lookups, city, 'US')).filter(isMeant).map(({ row, boundary }): Candidate => {
      const state = boundary.parents.at(-1);
      const within = state ? { id: state.id, name: state.name } : null;
      const interpretation = { name: written, within, kind: null, ignored: null };
      return { ...row, step: CITY_STEP, whole: true, name_type: 'alias', interpretation };
    });
  }
  return [];
}

/** Whether a folded text is one typo from the stored name of one of some cities. */
export async function isTypo(lookups: Lookups, cities: readonly Candidate[], folded: string): Promise<boolean> {
  if (cities.length === 0 || allowedEdits(folded) === 0) return false;
  const grade = similarityGrader(folded, 1);
  const read = await lookups.boundaries(cities.map(({ id }) => id));
  return read.some(({ name }) => {
    const letters = lettersOf(foldName(name));
    const step = grade(letters, letters.length, false);
    return step !== null && step >= FUZZY_STEP && step < FUZZY_STEP + 1;
  });
}

/** Whether one of some candidates has a folded text as its ISO 3166 code, and not only as a code of another list. */
async function isIsoCode(lookups: Lookups, candidates: readonly Candidate[], folded: string): Promise<boolean> {
  if (!isPlaceCode(folded)) return false;
  const coded = candidates.filter(({ name_type }) => name_type === 'code').slice(0, SPARE);
  const letters = folded.toUpperCase();
  const read = await lookups.boundaries(coded.map(({ id }) => id));
  return read.some(({ iso }) => iso === letters || iso?.slice(2) === `-${letters}`);
}

/** Those of some candidates that are the city of the name, or a part of the same city. */
export async function ofItsCity(
  lookups: Lookups,
  candidates: readonly Candidate[],
  folded: string,
): Promise<Candidate[]> {
  const likely = candidates.toSorted((a, b) => a.step - b.step || b.weight - a.weight).slice(0, BEGUN_PLACES);
  const read = new Map((await lookups.boundaries(likely.map(({ id }) => id))).map((one) => [one.id, one]));
  return likely.filter(({ id, step, partial }) => {
    const { country = null, centroid = null } = read.get(id) ?? {};
    if (partial) return false;
    if (step < PREFIX_STEP) return true;
    return country !== null && centroid !== null && cityOf(country, [folded], centroid.lat, centroid.lon) !== null;
  });
}

/** Some candidates without those in which a large city with "City" in its name is not: Jersey City is in no Jersey. */
export async function ofCityWord(lookups: Lookups, found: readonly Candidate[], folded: string): Promise<Candidate[]> {
  const others = found.filter(({ interpretation }) => interpretation?.kind != null && interpretation.within === null);
  if (others.length === 0) return [...found];
  const near = new Set((await inItsCity(lookups, others, folded)).map(({ id }) => id));
  return found.filter((one) => !others.includes(one) || near.has(one.id));
}

/** Those of some candidates that the city of a folded name lies in or beside. */
async function inItsCity(lookups: Lookups, found: readonly Candidate[], folded: string): Promise<Candidate[]> {
  const read = new Map((await lookups.boundaries(found.map(({ id }) => id))).map((one) => [one.id, one]));
  return found.filter(({ id }) => {
    const { country = null, centroid = null } = read.get(id) ?? {};
    return country !== null && centroid !== null && cityOf(country, [folded], centroid.lat, centroid.lon) !== null;
  });
}

/**
 * The counties that the cities are in which people mean by the names found: Dallas County in Texas for "Dallas". Beside a
 * city that is in no county, the county of its name in its state: that of St. Louis in Missouri.
 */
export async function homeCounties(
  lookups: Lookups,
  found: readonly Candidate[],
  folded: string,
): Promise<ReadonlySet<string>> {
  const counties = found.filter(({ step, kind }) => step < PREFIX_STEP && kind === 'county');
  const names = new Set([folded, ...counties.flatMap(({ interpretation }) => interpretation?.name ?? [])]);
  const homes = new Set<string>();
  if (counties.length < 2) return homes;
  // "Victoria" is a state of Australia before a county of Texas.
  const largest = Math.max(...counties.map(({ weight }) => weight));
  if (found.some(({ step, kind, weight }) => step === 0 && kind === 'state' && weight > largest)) return homes;
  for (const name of [...names].slice(0, HOME_NAMES)) {
    // The largest city of the name alone.
    const [first] = await cityBoundaries(lookups, name, 'US');
    if (!first) continue;
    homes.add(first.row.id);
    if (!isIndependentCity(first.boundary)) continue;
    const state = first.boundary.parents.at(-1)?.id;
    for (const { id, parents } of await lookups.boundaries(counties.map((county) => county.id)))
      if (parents.at(-1)?.id === state) homes.add(id);
  }
  return homes;
}
