import { compareIds } from '../boundaries/ids.ts';
import { codesOfDivision } from '../names/division_names.ts';
import { foldName } from '../names/fold.ts';
import { compactCode } from '../names/names.ts';
import { countriesWithDivision, isPlaceCode } from '../names/place_names.ts';
import { codesAroundRegion } from '../names/region_names.ts';
import { codesAroundIsland } from '../names/short_names.ts';
import { isTypeWord, kindsOfTypeWords } from '../names/type_kinds.ts';
import type { ContainerHit } from '../read_model/names.ts';
import {
  applyReading,
  BEGUN_PLACES,
  type Candidate,
  type Container,
  locate,
  PREFIX_STEP,
  type Readings,
  type ResolvedReading,
  type Within,
} from './candidates.ts';
import type { Lookups } from './lookups.ts';
import { formsOfContainer, type Reading, readingsOf } from './readings.ts';

/** Rows for each name of a reading. */
const EXACT_ROWS = 100;

/** Cost of a result in the country of the place named in the query, but perhaps elsewhere in that country. */
const ABOUT = 0.1;

/** The same if the place is named by a code of few letters, which may abbreviate a type word: "Ohio Co." */
export const ABOUT_CODE = 0.5;

/** Rows looked up for each such name. */
const BEGUN_ROWS = 300;

/** Words that such a name may have. */
const BEGUN_WORDS = 3;

/**
 * Returns what the readings other than the literal one find by whole names, and those readings: `placed` name a
 * container, `stripped` had a type word and name none.
 * @param typing whether the last word may be unfinished
 * @param read the readings of the query, if the caller has them
 */
export async function searchReadings(
  lookups: Lookups,
  q: string,
  typing: boolean,
  read = readingsOf(q, typing),
): Promise<Readings> {
  const [, ...all] = read;
  // "14:35" has no place: a number is that of a division behind a name alone.
  const readings = all.filter(({ name, within }) => !within.some((place) => /^\d/.test(place)) || WORD.test(name));
  if (readings.length === 0) return { found: [], placed: [], stripped: [] };
  const containers = await findContainers(lookups, readings);
  const placed = await searchPlaced(lookups, readings, containers);
  const coded = [...(await searchCode(lookups, q)), ...(await searchPlacedCodes(lookups, placed.placed))];
  const asWritten = { ...placed, found: [...placed.found, ...coded] };
  if (!typing || asWritten.found.length > 0) return asWritten;
  await completeContainers(lookups, q, containers);
  return searchPlaced(lookups, readings, containers);
}

/** The same for readings of which the places are looked up. */
async function searchPlaced(
  lookups: Lookups,
  readings: readonly Reading[],
  containers: ReadonlyMap<string, readonly Container[]>,
): Promise<Readings> {
  const known = readings.flatMap((reading): ResolvedReading[] => {
    const within = reading.within.map((text) => containers.get(text) ?? []);
    return within.some((places) => places.length === 0) ? [] : [{ ...reading, within }];
  });
  const placed = known.filter(({ within }) => within.length > 0);
  const free = known.filter(({ within }) => within.length === 0);
  const exact = (list: readonly ResolvedReading[], places: Within) =>
    list.length === 0 ? [] : lookups.exact([...new Set(list.map(({ name }) => name))], places, EXACT_ROWS);
  const [inPlaces, anywhere] = await Promise.all([
    exact(
      placed,
      placed.flatMap(({ within }) => within.flat()),
    ),
    exact(free, null),
  ]);
  const found = known.flatMap((reading) => {
    const rows = (reading.within.length > 0 ? inPlaces : anywhere).filter(({ folded }) => folded === reading.name);
    return applyReading(
      rows.map((row) => ({ ...row, whole: true, step: isFormer(row.name_type) ? 1 : 0 })),
      reading,
    );
  });
  return { found, placed, stripped: free.filter(({ kinds }) => kinds.length > 0) };
}

/** The places of a code of two letters and a word for their kind: "WA state", "state of WA". */
async function searchCode(lookups: Lookups, q: string): Promise<Candidate[]> {
  const folded = foldName(q);
  const { code, kind: typeWords = '' } = CODE_AND_KIND.map((form) => form.exec(folded)?.groups).find(Boolean) ?? {};
  if (code === undefined || !isTypeWord(typeWords) || !(code.length > 2 || isPlaceCode(code))) return [];
  const kinds = kindsOfTypeWords(typeWords);
  const wanted = {
    name: ' ',
    code: code.replace(' ', ''),
    id: null,
    completesCodes: false,
    within: null,
    most: EXACT_ROWS,
  };
  const rows = (await lookups.names(wanted)).filter((row) => row.name_type === 'code' && kinds.includes(row.kind));
  return applyReading(rows, { name: code, within: [], kinds, typeWords, cost: 0, respelled: false });
}

/** The divisions of a country that stands behind their code: "LA, USA". */
async function searchPlacedCodes(lookups: Lookups, placed: readonly ResolvedReading[]): Promise<Candidate[]> {
  const reading = placed.find(
    ({ name, within: [places = [], ...more] }) =>
      CODE.test(name) && more.length === 0 && places.some(({ country }) => country !== null),
  );
  if (reading === undefined) return [];
  const { name } = reading;
  const within = (reading.within[0] ?? []).filter(({ country }) => country !== null);
  const wanted = { name: ' ', code: name, id: null, completesCodes: false, within, most: EXACT_ROWS };
  const rows = (await lookups.names(wanted)).filter(({ name_type }) => name_type === 'code');
  const found = rows.map((row) => ({ ...row, step: 0 }));
  return applyReading(await locate(lookups, found, reading), reading);
}

/** Looks up the container places of the readings, keyed by the text that names them. */
const findContainers = (lookups: Lookups, readings: readonly Reading[]): Promise<Map<string, Container[]>> =>
  placesNamed(lookups, [...new Set(readings.flatMap(({ within }) => within))]);

/**
 * Finds the places that contain others by folded names, by the text. A division that is not stored gives its country, as
 * `about`: if Tuscany is not stored, "Firenze, Toscana" is searched for in Italy.
 */
export async function placesNamed(lookups: Lookups, names: readonly string[]): Promise<Map<string, Container[]>> {
  const forms = new Map(names.map((text) => [text, formsOfContainer(text)]));
  const found = new Map<string, Container[]>();
  if (forms.size === 0) return found;
  const texts = [...forms.values()].flat();
  const countries = new Map(
    texts.map((text) => {
      const coded = [...codesOfDivision(text), ...codesAroundRegion(text)].map((code) => code.slice(0, 2));
      const codes = [...countriesWithDivision(text), ...coded];
      return [text, [...new Set(codes)].map((code) => code.toLowerCase())];
    }),
  );
  const regions = texts.flatMap((text) => [...divisionsAround(text), restOfCompass(text) ?? []].flat());
  const asked = [...new Set([...texts, ...[...countries.values()].flat(), ...regions])];
  const rows = await lookups.containers(asked);
  for (const [text, spelled] of forms) {
    const places = rows.filter((row) => spelled.includes(row.folded) && !dropsCode(text, row, rows));
    if (places.length === 0) places.push(...aroundRegion(text, spelled, rows));
    const divided = spelled.flatMap((form) => countries.get(form) ?? []);
    // Letters can be several codes: "ME" is Maine and, of Italy, Messina. Where the division is stored, it is meant.
    if (places.length === 0 || text.length <= 3) {
      const stored = new Set(places.flatMap(({ country, countries }) => (country === null ? countries : [])));
      const whole = rows.filter(
        ({ folded, country }) =>
          country !== null && country.toLowerCase() === folded && divided.includes(folded) && !stored.has(country),
      );
      const about = { words: text, cost: text.length <= 3 ? ABOUT_CODE : ABOUT };
      places.push(...whole.map((place) => ({ ...place, about })));
    }
    if (places.length > 0) found.set(text, places);
  }
  return found;
}

/** The divisions that a region, coast or island of a folded name is in, as containers are named. */
const divisionsAround = (folded: string): string[] =>
  [...new Set([...codesAroundRegion(folded), ...codesAroundIsland(folded)])]
    .filter((code) => code.length > 2)
    .map(compactCode);

const COMPASS =
  /^(?:(?:north|south)(?:east|west)?(?:ern)?|east(?:ern)?|west(?:ern)?|central|upstate|downstate) (?=\p{L})/u;

/** The rest of a folded text that begins with a part of the compass, or null: "west texas" is in Texas. */
const restOfCompass = (folded: string): string | null => (COMPASS.test(folded) ? folded.replace(COMPASS, '') : null);

/**
 * The divisions around what is none itself, as `about`: the Balearic Islands for "menorca", and Texas for "west texas". No
 * country: "Northern Ireland" is not in Ireland.
 */
function aroundRegion(text: string, spelled: readonly string[], rows: readonly ContainerHit[]): Container[] {
  const divisions = rows.filter(({ country }) => country === null);
  const about = { words: text, cost: ABOUT };
  const coded = spelled.flatMap(divisionsAround);
  const around = divisions.filter(({ folded }) => coded.includes(folded)).map((place) => ({ ...place, about }));
  if (around.length > 0) return around;
  const rest = restOfCompass(text);
  return divisions.filter(({ folded }) => folded === rest).map((place) => ({ ...place, about }));
}

/**
 * Whether a text names a country only without the code of a place in it: "LA USA" is Louisiana in the United States, not
 * the United States with an article.
 */
function dropsCode(text: string, { folded, country }: ContainerHit, rows: readonly ContainerHit[]): boolean {
  if (country === null || text === folded || !text.endsWith(` ${folded}`)) return false;
  const dropped = text.slice(0, -folded.length).trim().split(' ');
  return rows.some((row) => row.country === null && dropped.includes(row.folded) && row.countries.includes(country));
}

/** Adds places whose names start with the last words of the query: "New Me", "Cuenca, Es". */
async function completeContainers(lookups: Lookups, q: string, containers: Map<string, Container[]>): Promise<void> {
  const words = foldName(q).split(' ');
  for (let count = 1; count < words.length && count <= BEGUN_WORDS; count++) {
    const start = words.slice(-count).join(' ');
    const begun = await lookups.begun(start, BEGUN_ROWS);
    const weightiest = begun
      .filter(({ step, type }) => step <= PREFIX_STEP && type === 'administrative')
      .sort((a, b) => b.weight - a.weight || compareIds(a.id, b.id))
      .slice(0, BEGUN_PLACES);
    const places = await lookups.boundaries(weightiest.map(({ id }) => id));
    if (places.length === 0) continue;
    containers.set(start, [
      ...(containers.get(start) ?? []),
      ...places.map(({ id, name, kind, admin_level, country, countries }) => ({
        ...{ folded: start, id, name, countries },
        country: admin_level === 2 || kind === 'country' ? country : null,
      })),
    ]);
  }
}

const WORD = /\p{L}{3}/u;
const CODE = /^[a-z]{2}$/;
/** A word before a code of two letters, or behind it. */
const CODE_AND_KIND = [
  /^(?<code>[a-z]{2}(?: [a-z]{2})?) (?<kind>\p{L}{4,})$/u,
  /^(?<kind>\p{L}{4,})(?: (?:of|de|del|von|di|du|do|da))? (?<code>[a-z]{2})$/u,
];

const isFormer = (type: string | null): boolean => type === 'stripped' || type === 'old_name';
