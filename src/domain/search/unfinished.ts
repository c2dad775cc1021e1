import { isCommonWord, isPersonName } from '../names/common_words.ts';
import { foldName } from '../names/fold.ts';
import { applyReading, type Candidate, FUZZY_STEP, PREFIX_STEP } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import type { Reading } from './readings.ts';

/** Step of a name in a place whose name is not written to its end: that of one typo. */
const UNFINISHED_STEP = FUZZY_STEP + 0.1;
/** Letters from which a word begins the name of a place behind another name. */
const FEWEST_LETTERS = 5;
/** Words of such a query. */
const MOST_WORDS = 8;
/** Rows for the beginning, and for the names. */
const BEGUN_ROWS = 100;
const MOST_ROWS = 100;
/** Kinds of the places that people write behind a name. */
const BEHIND: readonly string[] = ['country', 'state', 'region', 'province'];

/**
 * What a whole name means before a place of which the last letters are missing: "Jackson Missou", "Hampden, Massach". Only
 * whole names count, in the country or divisions that begin so. Empty for other queries.
 * @param all the readings of the query
 */
export async function searchUnfinished(lookups: Lookups, q: string, all: readonly Reading[]): Promise<Candidate[]> {
  const isBegun = (place: string): boolean =>
    place.length >= FEWEST_LETTERS && /^[\p{L} ]+$/u.test(place) && !isCommonWord(place) && !isPersonName(place);
  const literal = foldName(q);
  if (literal.split(' ').length > MOST_WORDS) return [];
  const readings = all.filter(
    ({ within: [place = '', ...more] }) => more.length === 0 && isBegun(place) && literal.endsWith(` ${place}`),
  );
  const found: Candidate[] = [];
  for (const place of new Set(readings.map(({ within }) => within[0] as string))) {
    const begun = (await lookups.begun(place, BEGUN_ROWS)).filter(
      ({ step, type, kind }) => step === PREFIX_STEP && type === 'administrative' && BEHIND.includes(kind),
    );
    if (begun.length === 0) continue;
    const read = await lookups.boundaries(begun.map(({ id }) => id));
    const places = read.map(({ id, name, kind, admin_level, country, countries }) => ({
      ...{ folded: place, id, name, countries },
      country: admin_level === 2 || kind === 'country' ? country : null,
    }));
    const asked = readings.filter(({ within }) => within[0] === place);
    const rows = await lookups.exact([...new Set(asked.map(({ name }) => name))], places, MOST_ROWS);
    for (const reading of asked) {
      const named = rows.filter(({ folded }) => folded === reading.name);
      const whole = named.map((row) => ({ ...row, step: UNFINISHED_STEP, whole: true, name_type: null }));
      found.push(...applyReading(whole, { ...reading, within: [places] }));
    }
  }
  return found.filter(({ partial }) => !partial);
}
