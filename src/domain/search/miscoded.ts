import { applyReading, type Candidate, FUZZY_STEP } from './candidates.ts';
import type { Lookups } from './lookups.ts';
import type { Reading } from './readings.ts';
import { ALPHABET } from './typos.ts';

/** Step of a county whose state is written with a wrong code: after a typo in a name. */
const MISCODED_STEP = FUZZY_STEP + 0.2;
/** The same if a letter of the code is lost or both are swapped, which people do more often than they type another. */
const LIKELIER = 0.05;
/** One to three letters at the end. */
const CODE_BEHIND = /[\s,][a-z]{1,3}\s*$/i;
/** Rows for the name. */
const MOST_ROWS = 100;

/** The codes of two letters that a text of one to three letters may be with one typo, and whether it is a likely one. */
function codesLike(folded: string): Map<string, boolean> {
  const codes = new Map<string, boolean>();
  const [first = '', second, third] = folded;
  if (third !== undefined) {
    // "AAZ": one letter too many.
    for (let at = 0; at < 3; at++) codes.set(folded.slice(0, at) + folded.slice(at + 1), true);
    return codes;
  }
  if (second === undefined) {
    for (const letter of ALPHABET) codes.set(letter + first, true).set(first + letter, true);
    return codes;
  }
  for (const letter of ALPHABET) codes.set(first + letter, false).set(letter + second, false);
  codes.set(second + first, true);
  codes.delete(folded);
  return codes;
}

/**
 * What a name with a word for its kind means before a code of a division with one typo: "Cayuga County, YN", "Lake County, F".
 * Only whole names count, in the divisions of codes that are one letter away, or, before the code of another division, of one
 * place in the country. Empty for other queries.
 * @param all the readings of the query
 */
export async function searchMiscoded(lookups: Lookups, q: string, all: readonly Reading[]): Promise<Candidate[]> {
  if (!CODE_BEHIND.test(q)) return [];
  const readings = all.filter(
    ({ kinds, within: [place = '', ...more] }) => kinds.length > 0 && more.length === 0 && /^[a-z]{1,3}$/.test(place),
  );
  const [first] = readings;
  if (first === undefined) return [];
  const code = first.within[0] as string;
  const codes = codesLike(code);
  const places = (await lookups.containers([...codes.keys()])).filter(({ country }) => country === null);
  if (places.length === 0) return [];
  const coded = await lookups.containers([code]);
  const asked = readings.filter(({ within }) => within[0] === code);
  const names = [...new Set(asked.map(({ name }) => name))];
  const rows = await lookups.exact(names, places, MOST_ROWS);
  const isState = (country: string): boolean =>
    coded.some((one) => one.country === null && one.countries.includes(country));
  if (rows.some(({ countries }) => countries.some(isState))) return onlyNamesake(lookups, asked, code);
  return asked.flatMap((reading) => {
    const named = rows.filter((row) => row.folded === reading.name && reading.kinds.includes(row.kind));
    const found = named.map((row) => {
      const around = places.find(({ id }) => row.inside.includes(id));
      return {
        ...row,
        step: MISCODED_STEP - (codes.get(around?.folded ?? '') ? LIKELIER : 0),
        whole: true,
        name_type: null,
      };
    });
    return applyReading(found, { ...reading, within: [places] });
  });
}

/**
 * The only place of a name and kind in its country, before the code of another division there: Georgia has no "Patrick County",
 * and Virginia alone has one. The code is said to be ignored. Empty where several places have the name.
 */
async function onlyNamesake(lookups: Lookups, readings: readonly Reading[], code: string): Promise<Candidate[]> {
  const rows = await lookups.exact([...new Set(readings.map(({ name }) => name))], null, MOST_ROWS);
  const found = readings.flatMap((reading) =>
    rows
      .filter((row) => row.folded === reading.name && reading.kinds.includes(row.kind))
      .map((row): Candidate => {
        const interpretation = { name: reading.name, within: null, kind: row.kind, ignored: code };
        return { ...row, step: MISCODED_STEP, whole: true, partial: true, name_type: null, interpretation };
      }),
  );
  return new Set(found.map(({ id }) => id)).size === 1 ? found : [];
}
