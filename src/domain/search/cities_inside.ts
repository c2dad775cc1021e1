import { largestCity } from '../names/cities.ts';
import { citiesInside } from '../names/city_names.ts';
import { codesAroundIsland } from '../names/short_names.ts';
import { AROUND, applyReading, byCost, type Candidate, locate, type Readings } from './candidates.ts';
import { boundariesAround } from './city_lookups.ts';
import type { Lookups } from './lookups.ts';
import { placesOfCode } from './sounds_like.ts';

/** Step of the county around a city: after whole names and codes. */
const AROUND_STEP = 2.1;
/** Step of one that is meant before a county of the city's name: "Austin, Texas" is not Austin County. */
const MEANT_STEP = -0.1;
/** People, in thousands, from which a city is meant so: alone, and before its state. */
const MEANT_ALONE = 200;
const MEANT_IN_STATE = 100;
/** Readings of which the name is looked up. */
const MOST_READINGS = 4;

/**
 * The counties and municipalities around a city of the name of a query, alone or before a place, that is not stored itself:
 * Cook County for "Chicago", Venezia for "Mestre". Empty where a municipality of the name is found, and for a query with a word
 * for a kind other than a city.
 */
export async function citiesWithin(
  lookups: Lookups,
  folded: string,
  { found, readings }: { readonly found: readonly Candidate[]; readonly readings: Readings | null },
): Promise<Candidate[]> {
  const named = byCost(readings?.placed ?? []).filter(
    ({ name, kinds }) => (kinds.length === 0 || kinds.includes('city')) && citiesInside(name).length > 0,
  );
  const [first] = citiesInside(folded).filter(({ isWord }) => !isWord);
  // "Vancouver" is in Canada.
  const isAlone = first !== undefined && (largestCity(folded)?.country ?? first.country) === first.country;
  const islands = await islandsWithin(lookups, folded, readings);
  if (named.length === 0 && !isAlone) return islands;
  const isCity = ({ step, kind, partial }: Candidate): boolean =>
    step < 1 && !partial && (kind === 'municipality' || kind === 'city');
  if (found.some(isCity)) return [];
  const around = isAlone ? await candidatesOf(lookups, folded, MEANT_ALONE) : [];
  for (const reading of named.slice(0, MOST_READINGS)) {
    const kinds = { kinds: [], typeWords: '' };
    around.push(...applyReading(await candidatesOf(lookups, reading.name, MEANT_IN_STATE), { ...reading, ...kinds }));
  }
  return around;
}

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
async function candidatesOf(lookups: Lookups, name: string, meant: number): Promise<Candidate[]> {
  return (await boundariesAround(lookups, name)).map(({ row, boundary, people }, i): Candidate => {
    const inside = { inside: boundary.parents.map(({ id }) => id), countries: boundary.countries };
    const step = boundary.country === 'US' && people >= meant ? MEANT_STEP : AROUND_STEP;
    return { ...row, step: step + i / 1000, whole: true, name_type: AROUND, ...inside };
  });
}
