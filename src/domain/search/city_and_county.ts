import { hasCity, liesIn } from '../names/cities.ts';
import { citiesInside, citiesNamed } from '../names/city_names.ts';
import { foldName } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { boundariesAround, cityBoundaries } from './city_lookups.ts';
import type { Hit } from './hit.ts';
import type { Lookups } from './lookups.ts';
import type { Rewrite } from './noise.ts';

/** What stands between a city and the county that it is in: a comma, a bracket, or "in". */
const BETWEEN = /[,;(]|\sin\s/iu;

/** What joins a consolidated city and its county. */
const JOINED = /[-–/]/u;

/** Kinds that contain so much else that they do not stand for a city in them. */
const LARGER: readonly string[] = ['country', 'state', 'region'];

/** Words that the name of a city in front of its county can have. */
const MOST_WORDS = 4;
/** Cities of one name whose county is looked up. */
const MOST_CITIES = 12;

/** Whether a folded text names a city, or a town of the United States, of which the county is known. */
const isCity = (folded: string): boolean =>
  hasCity(folded) || citiesInside(folded).length > 0 || citiesNamed(folded).some(({ country }) => country === 'US');

/**
 * Returns the queries for the county behind a city of which no boundary is stored, the likeliest first: "Amarillo, Potter County"
 * is Potter County, without Amarillo, and "canon city fremont county co" is Fremont County. Empty unless the text in front is a
 * city.
 * A consolidated city is written with its county: "Macon-Bibb County", "Louisville/Jefferson County, KY".
 */
export function countyOfCity(q: string): Rewrite[] {
  const joined = q.split(JOINED);
  const [first = '', second = ''] = joined;
  if (joined.length === 2 && second.trim() !== '' && isCity(foldName(first))) {
    const [county = '', ...state] = second.split(',');
    const named = isCountyWord(foldName(county.trim().split(/\s/u).at(-1) ?? '')) ? county : `${county.trim()} County`;
    return [{ q: [named, ...state].join(','), ignored: null, exactly: true, city: foldName(first) }];
  }
  const between = BETWEEN.exec(q);
  if (between === null) return countyBehind(q.trim().split(/\s+/));
  const city = foldName(q.slice(0, between.index));
  const county = q
    .slice(between.index + between[0].length)
    .replaceAll(/[()]/g, ' ')
    .trim();
  const behind = county === '' || !isCity(city) ? [] : [{ q: county, ignored: city, exactly: true as const, city }];
  return behind.length > 0 ? behind : countyBehind(q.trim().split(/\s+/));
}

/** The same without a comma, for a county with the word for its kind. */
function countyBehind(words: readonly string[]): Rewrite[] {
  const kind = words.findIndex((word, at) => at > 1 && isCountyWord(foldName(word)));
  const found: Rewrite[] = [];
  for (let count = Math.min(MOST_WORDS, kind - 1); count > 0; count--) {
    const city = foldName(words.slice(0, count).join(' '));
    if (isCity(city)) found.push({ q: words.slice(count).join(' '), ignored: city, exactly: true, city });
  }
  return found;
}

const isCountyWord = (word: string): boolean => word.length > 3 && kindsOfTypeWords(word).includes('county');

/** Those of some results that a city lies in, and that are at most as large as a county or province. */
export async function around(lookups: Lookups, city: string, hits: readonly Hit[]): Promise<Hit[]> {
  const small = hits.filter(({ kind }) => !LARGER.includes(kind));
  if (small.length === 0) return [];
  const homes = [...(await boundariesAround(lookups, city, MOST_CITIES)), ...(await cityBoundaries(lookups, city))];
  const known = new Set(homes.map(({ boundary }) => boundary.id));
  return small.filter(
    ({ id, country, bbox }) => known.has(id) || (country !== null && bbox !== null && liesIn(country, city, bbox)),
  );
}
