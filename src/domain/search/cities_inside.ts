import { otherSpellings } from '../names/abbreviations.ts';
import { countiesOfTown, numberOfState } from '../names/american_towns.ts';
import { largestCity } from '../names/cities.ts';
import { citiesInside, citiesNamed, type NamedCity } from '../names/city_names.ts';
import { codesAroundIsland } from '../names/short_names.ts';
import {
  AROUND,
  applyReading,
  byCost,
  type Candidate,
  locate,
  type Readings,
  type ResolvedReading,
} from './candidates.ts';
import { boundariesOf } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';
import { placesOfCode } from './sounds_like.ts';

/** Step of the county around a city: after whole names and codes. */
const AROUND_STEP = 2.1;
/** Step of one that is meant before a county of the city's name: "Austin, Texas" is not Austin County. */
const MEANT_STEP = -0.1;
/** People, in thousands, from which a city is meant so: alone, and before its state. */
const MEANT_ALONE = 100;
const MEANT_IN_STATE = 80;
/** Readings of which the name is looked up. */
const MOST_READINGS = 4;
/** Cities of one name that are looked up before a place: the United States have eight called Springfield. */
const MOST_PLACED = 12;

/**
 * The counties and municipalities around a city of the name of a query, alone or before a place, that is not stored itself:
 * Cook County for "Chicago", Venezia for "Mestre". Empty where a municipality of the name is found, and for a query with a word
 * for a kind other than a city.
 */
export async function citiesWithin(
  lookups: Lookups,
  folded: string,
  {
    q,
    found,
    readings,
  }: { readonly q: string; readonly found: readonly Candidate[]; readonly readings: Readings | null },
): Promise<Candidate[]> {
  const islands = await islandsWithin(lookups, folded, readings);
  const isCity = ({ step, kind, partial }: Candidate): boolean =>
    step < 1 && !partial && (kind === 'municipality' || kind === 'city');
  // "Salinas" is a village of Spain, and a larger city in Monterey County.
  if (found.some(isCity)) return [...islands, ...(await besideStored(lookups, folded))];
  const named = byCost(readings?.placed ?? []).filter(
    (reading) =>
      (reading.kinds.length === 0 || reading.kinds.includes('city')) &&
      (citiesInside(reading.name).length > 0 || countiesOfTown(reading.name).length > 0),
  );
  // "city of Scranton", but "Iowa City" is not a city called Iowa.
  const asked = readings?.stripped.find(({ name, kinds }) => kinds.includes('city') && folded.endsWith(` ${name}`));
  // "Ft Lauderdale"
  const typed = asked?.name ?? folded;
  const name = [typed, ...otherSpellings(typed)].find((form) => citiesInside(form).length > 0) ?? typed;
  const around = await citiesAlone(lookups, name, { found, asked });
  if (named.length === 0 && around.length === 0) return islands;
  for (const reading of named.slice(0, MOST_READINGS)) {
    // "Canton, MI" is not the canton of Michigan.
    const isNamed =
      reading.kinds.length === 0 && found.some(({ interpretation }) => interpretation?.name === reading.name);
    const inPlace = await candidatesOf(lookups, reading.name, {
      meant: isNamed ? MEANT_IN_STATE : 0,
      most: MOST_PLACED,
      towns: await townsOf(lookups, reading, q),
    });
    around.push(...applyReading(inPlace, { ...reading, kinds: [], typeWords: '' }));
  }
  return around;
}

/** Two capitals, or a place behind a comma: "Hope, in" and "help me" name no state. */
const WRITTEN_CODE = /[,;]|(?<![\p{L}\p{N}])\p{Lu}{2}(?![\p{L}\p{N}])/u;

/** The towns of the name of a reading in the state that it names. */
async function townsOf(lookups: Lookups, { name, within }: ResolvedReading, q: string): Promise<NamedCity[]> {
  const codes = countiesOfTown(name);
  const places = within.flat().filter(({ country, countries }) => country === null && countries.includes('US'));
  const written = places.filter(({ folded }) => isWritten(folded, q)).map(({ id }) => id);
  if (codes.length === 0 || written.length === 0) return [];
  const states = (await lookups.boundaries(written)).flatMap(({ iso }) => numberOfState(iso ?? '') ?? []);
  return codes
    .filter((code) => states.includes(code.slice(0, 2)))
    .map((code) => ({ country: 'US', codes: [code], people: 0 }));
}

const isWritten = (state: string, q: string): boolean => state.length > 2 || WRITTEN_CODE.test(q);

/**
 * The counties and municipalities around the cities of a folded name alone. Before places of that name comes the county around
 * a large city; that around a smaller one follows the first of them. Empty for words, and for cities elsewhere.
 * @param options.asked the reading, if a word for a city stands in front of the name: no county of the name is meant
 */
async function citiesAlone(
  lookups: Lookups,
  name: string,
  options: { found: readonly Candidate[]; asked: ResolvedReading | undefined },
): Promise<Candidate[]> {
  const { found, asked } = options;
  const [first] = citiesInside(name).filter(({ isWord }) => !isWord || asked !== undefined);
  // "Vancouver" is in Canada.
  if (first === undefined || (largestCity(name)?.country ?? first.country) !== first.country) return [];
  // A town with a county of its name: "Macon" is in Missouri, and a larger one in Bibb County.
  const namesake = citiesNamed(name).find(({ country, codes }) => country === 'US' && codes.length > 0);
  if (namesake !== undefined && first.people <= namesake.people) return [];
  if (asked !== undefined) return applyReading(await candidatesOf(lookups, name, { meant: 0 }), asked);
  // "Iowa City" is not a place called Iowa: nothing has the whole name.
  const isNamed = found.some(({ step, interpretation }) => step < 1 && interpretation === undefined);
  // Ontario is a city, too, but a division is meant.
  const isDivision = found.some(
    ({ step, kind, name_type, interpretation }) =>
      step < 1 && interpretation === undefined && name_type === 'name' && DIVISIONS.has(kind),
  );
  const meant = namesake !== undefined || isDivision ? Number.POSITIVE_INFINITY : isNamed ? MEANT_ALONE : 0;
  const [largest, ...others] = await candidatesOf(lookups, name, { meant });
  return largest === undefined ? [] : [{ ...largest, isBesideFirst: true }, ...(namesake === undefined ? others : [])];
}

/** People, in thousands, from which a city follows a municipality of its name. */
const BESIDE = 50;

/**
 * The county around the largest city of a folded name that stored municipalities have as well; it follows the first of them. Empty
 * where a larger city of the name is in another country, and for words.
 */
async function besideStored(lookups: Lookups, name: string): Promise<Candidate[]> {
  const [first] = citiesInside(name).filter(({ isWord }) => !isWord);
  if (first === undefined || first.country !== 'US' || first.people < BESIDE) return [];
  if ((largestCity(name)?.country ?? first.country) !== first.country) return [];
  const [largest] = await candidatesOf(lookups, name, { meant: Number.POSITIVE_INFINITY, most: 1 });
  return largest === undefined ? [] : [{ ...largest, isBesideFirst: true }];
}

const DIVISIONS: ReadonlySet<string> = new Set([
  'country',
  'state',
  'province',
  'region',
  'canton',
  'territory',
  'community',
]);

/** The divisions that an island is a part of, alone or before a place: the Balearic Islands for "Majorca, Spain". */
async function islandsWithin(lookups: Lookups, folded: string, readings: Readings | null): Promise<Candidate[]> {
  const around = async (name: string): Promise<Candidate[]> => {
    if (!isIsland(name)) return [];
    const found = await Promise.all(codesAroundIsland(name).map((code) => placesOfCode(lookups, code)));
    return found.flat().map((one) => ({ ...one, step: AROUND_STEP, name_type: AROUND }));
  };
  const found = await around(folded);
  const named = byCost(readings?.placed ?? []).filter(({ name, kinds }) => kinds.length === 0 && isIsland(name));
  for (const reading of named.slice(0, MOST_READINGS)) {
    found.push(...applyReading(await locate(lookups, await around(reading.name), reading), reading));
  }
  return found;
}

const isIsland = (name: string): boolean => codesAroundIsland(name).length > 0;

/** The boundaries around the cities of a name, the largest first; counties around cities of `meant` people before others. */
async function candidatesOf(
  lookups: Lookups,
  name: string,
  {
    meant,
    most,
    towns = [],
  }: { readonly meant: number; readonly most?: number; readonly towns?: readonly NamedCity[] },
): Promise<Candidate[]> {
  const cities = citiesInside(name);
  const all = [...(await boundariesOf(lookups, cities, most)), ...(await boundariesOf(lookups, towns))];
  return all.map(({ row, boundary, people }, i): Candidate => {
    const inside = { inside: boundary.parents.map(({ id }) => id), countries: boundary.countries };
    const step = boundary.country === 'US' && people >= meant ? MEANT_STEP : AROUND_STEP;
    return { ...row, step: step + i / 1000, whole: true, name_type: AROUND, ...inside };
  });
}
