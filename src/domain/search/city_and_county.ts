import { hasCity, liesIn } from '../names/cities.ts';
import { foldName } from '../names/fold.ts';
import type { Hit } from './hit.ts';
import type { Rewrite } from './noise.ts';

/** What stands between a city and the county that it is in: a comma, a bracket, or "in". */
const BETWEEN = /[,;(]|\sin\s/iu;

/** Kinds that contain so much else that they do not stand for a city in them. */
const LARGER: readonly string[] = ['country', 'state', 'region'];

/**
 * Returns the query for the county behind a city of which no boundary is stored: "Amarillo, Potter County" is Potter
 * County, without Amarillo. Empty unless the text in front is a city of 30,000 people.
 */
export function countyOfCity(q: string): Rewrite[] {
  const between = BETWEEN.exec(q);
  if (between === null) return [];
  const city = foldName(q.slice(0, between.index));
  const county = q
    .slice(between.index + between[0].length)
    .replaceAll(/[()]/g, ' ')
    .trim();
  return county === '' || !hasCity(city) ? [] : [{ q: county, ignored: city, exactly: true, city }];
}

/** Those of some results that a city lies in, and that are at most as large as a county or province. */
export function around(city: string, hits: readonly Hit[]): Hit[] {
  return hits.filter(
    ({ country, kind, bbox }) =>
      country !== null && bbox !== null && !LARGER.includes(kind) && liesIn(country, city, bbox),
  );
}
