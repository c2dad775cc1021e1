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
  if (rows.some(({ countries }) => countries.some(isState)))
    return onlyNamesakes(lookups, asked, { code, near: new Set(rows.map(({ id }) => id)) });
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

/** Places of a name that are guessed at most before the code of another division. */
const MOST_NAMESAKES = 3;

/**
 * The places of a name and kind before the code of another division there: the only one in its country, or those in divisions of
 * which the code is one typo away, at most three. Georgia has no "Patrick County", and Virginia alone has one; "Walker County, AK"
 * is in Alabama. The code is said to be ignored.
 */
async function onlyNamesakes(
  lookups: Lookups,
  readings: readonly Reading[],
  { code, near }: { readonly code: string; readonly near: ReadonlySet<string> },
): Promise<Candidate[]> {
  const rows = await lookups.exact([...new Set(readings.map(({ name }) => name))], null, MOST_ROWS);
  const named = readings.flatMap((reading) =>
    rows
      .filter((row) => row.folded === reading.name && reading.kinds.includes(row.kind))
      .map((row) => ({ row, reading })),
  );
  const isOnly = new Set(named.map(({ row }) => row.id)).size === 1;
  const meant = isOnly ? named : named.filter(({ row }) => near.has(row.id));
  if (new Set(meant.map(({ row }) => row.id)).size > MOST_NAMESAKES) return [];
  return meant.map(({ row, reading }): Candidate => {
    const interpretation = { name: reading.name, within: null, kind: row.kind, ignored: code };
    return { ...row, step: MISCODED_STEP, whole: true, partial: true, name_type: null, interpretation };
  });
}
