import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { compareIds, readBoundaryId } from '../boundaries/ids.ts';
import { cityOf, isCityName } from '../names/cities.ts';
import { citiesNamed, namesLargeCity } from '../names/city_names.ts';
import { isExonym, isOwnName, KNOWN_PLACE } from '../names/exonyms.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { compactCode, toAscii } from '../names/names.ts';
import { countriesWithDivision, isPlaceCode } from '../names/place_names.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { NameIndex } from '../read_model/name_index.ts';
import type { ContainerHit, ExactHit, Names, StepOf } from '../read_model/names.ts';
import { cityBoundaries } from './city_lookups.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory } from './lookups.ts';
import type { Hit, Interpretation, NameMatch, Search, SearchedBoundaries } from './model.ts';
import { isMarkup, isNoise, type Rewrite, rewritesOf, withoutFlags } from './noise.ts';
import { type Ranked, rank, withoutDoubles } from './ranking.ts';
import { formsOfContainer, type Reading, readingsOf } from './readings.ts';
import { allowedEdits, endOfSpelling, lettersOf, similarityGrader, similarityThresholds } from './typos.ts';

export { type NamedBoundary, type NameRow, nameRows } from '../names/names.ts';

/** A boundary found by one step of the search. */
interface Candidate extends Ranked {
  /** Type of the matched name. */
  readonly name_type: string | null;
  readonly interpretation?: Interpretation;
  /** Ids of the places named in the query that contain the boundary. */
  readonly inside?: readonly string[];
  readonly countries?: readonly string[];
}

/** A place that can contain results. */
interface Container extends ContainerHit {
  /** The words, and the extra cost, if this is the country of a place named in the query that is not stored itself. */
  readonly about?: { readonly words: string; readonly cost: number };
}
/** Alternatives for what must contain the results; null: no restriction. */
type Within = readonly Container[] | null;

/** Rows that one step of the search returns at most; bounds its time for any query. */
const STEP_ROWS = 300;
/** The same for one lookup of misspellings. */
const TYPO_ROWS = 200;
/** Number of matches that makes a search for misspellings unnecessary. */
const ENOUGH = 5;
/** Rows for each name of a reading. */
const EXACT_ROWS = 100;
/** First steps of prefix and of fuzzy matches; from PREFIX_STEP on a match is not a whole name. */
const PREFIX_STEP = 3;
const FUZZY_STEP = 6;
/** Cost of a result whose kind differs from the type word's: after those of that kind, before prefix matches. */
const OTHER_KIND = 1.2;
/** Cost of a result in the country of the place named in the query, but perhaps elsewhere in that country. */
const ABOUT = 0.1;
/** The same if the place is named by a code of few letters, which may abbreviate a type word: "Ohio Co." */
const ABOUT_CODE = 0.5;
/** Readings that are searched with misspellings. */
const FUZZY_READINGS = 4;
/** Places taken for an unfinished container name at the end of a query: the weightiest ones. */
const BEGUN_PLACES = 100;
/** Rows looked up for each such name. */
const BEGUN_ROWS = 300;
/** Words that such a name may have. */
const BEGUN_WORDS = 3;
/** Readings that are searched by prefix. */
const BEGUN_READINGS = 6;
/** Letters and digits from which a code is completed that is not being typed. */
const COMPLETED_FROM = 3;
/** Step of a boundary that has another name, of a city in it: between a name and a code. */
const CITY_STEP = 0.5;
/** Readings of which the name is looked up as that of a city. */
const CITY_READINGS = 4;
/** Names of the candidates that are compared with those of cities. */
const HOME_NAMES = 3;
/** Letters from which a query can be a misspelled part of a name. */
const PART_FROM = 6;

/**
 * Searches boundaries by name, best first. A query is read in several ways (readings.ts): literally, with words
 * written out or abbreviated, as a name with a type word ("Roosevelt County", "provincia de Sevilla"), and as a name
 * within another place ("Chaves, New Mexico"). All readings are looked up. Matches come in this order: the whole name
 * in any language; a name without its type word, or a former name; codes and ids; the start of a name; later words of a
 * name; misspellings. A match of another reading comes right after the same match of the literal one. Misspellings are
 * searched only if no boundary has the name and the query is not the name of a large city elsewhere. rank()
 * (ranking.ts) sorts and has the weights. Every result lies in the place that its interpretation names.
 */
export async function searchBoundaries(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries; readonly names?: NameIndex },
  search: Search,
): Promise<Hit[]> {
  const { names } = services;
  const flagged = withoutFlags(search.q);
  const asked = flagged === null ? search : rewritten(search, flagged);
  if (asked === null || foldName(asked.q) === '') return [];
  if (!names) return searchIn(services, null, asked, foldName(asked.q));
  const revision = services.boundaries.revision ?? (await names.present());
  return names.use(revision, (memory) => searchIn(services, memory, asked, foldName(asked.q)));
}

/** A search with another query; null if that is for a country that the search excludes. */
function rewritten(search: Search, { q, country }: Rewrite): Search | null {
  if (country === undefined) return { ...search, q };
  if (search.country && !search.country.includes(country)) return null;
  return { ...search, q, country: [country] };
}

/** Implements searchBoundaries() on the names in memory or, if null, on the database. */
async function searchIn(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries },
  memory: Names | null,
  search: Search & { readonly corrected?: boolean; readonly rewritten?: boolean },
  folded: string,
): Promise<Hit[]> {
  const { db } = services;
  const { country = null, kind = null, adminLevel = null } = search;
  const filters = { country, kind, adminLevel };
  const hasDigit = /\p{Nd}/u.test(folded);
  const markup = isMarkup(search.q);
  const { id, code } = exactKeys(search.q, folded);
  const coded = await idsOfCode(db, search.q);
  const lookups = memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, services.boundaries, filters);
  const read = search.prefix ? null : searchReadings(lookups, search.q, false);
  const names = (name: string, within: Within) =>
    lookups.names({
      name,
      code: within ? compactCode(name) : code,
      id: within ? null : (id ?? coded[0] ?? null),
      completesCodes: hasDigit && (search.prefix === true || code.length >= COMPLETED_FROM),
      within,
      most: STEP_ROWS,
    });
  const [literal, understood] = await Promise.all([names(folded, null), read]);
  // If the query completes nothing, its last word may be an unfinished container or type word: "Chaves County, New Me".
  const readings = search.prefix && literal.length === 0 ? await searchReadings(lookups, search.q, true) : understood;
  const others = coded.slice(1).map((one) => lookups.names({ ...BY_ID_ALONE, name: folded, code, id: one }));
  const ofCode = await Promise.all(others);
  let found: Candidate[] = [...ofCode.flat(), ...literal, ...(readings?.found ?? [])];
  if (search.near && literal.length >= STEP_ROWS) {
    found = [...found, ...(await searchNear(db, folded, search.near, [country, kind, adminLevel]))];
  }
  // A level or a kind that the city does not have asks for another place.
  const isLargeCity = isCityName(folded) || (kind === null && adminLevel === null && namesLargeCity(folded));
  const isFound = (): boolean => found.some(({ step, partial }) => step < PREFIX_STEP && partial !== true);
  const isName = ({ step, name_type }: Candidate): boolean => step < PREFIX_STEP && name_type !== 'code';
  if (!search.prefix && !markup && !literal.some((row) => isName(row) && row.step < CITY_STEP)) {
    const cities = await searchCities(lookups, search.q, folded, {
      found,
      readings: found.some(isName) ? null : readings,
    });
    // What only begins like the name of a city is another place.
    if (cities.length > 0) found = [...found.filter(({ step }) => step < PREFIX_STEP), ...cities];
    // "Sevila" is a name of the city in another language, and a slip: other places called Sevilla follow.
    if (await isSlip(lookups, cities, folded)) found.push(...(await searchTypos(lookups, folded, true, null)));
  }
  if (isLargeCity && !search.prefix && !literal.some(isName)) found = await ofCityWord(lookups, found, folded);
  if (!search.prefix && !isFound()) {
    const hits = await searchRewrites(services, memory, search);
    if (hits.length > 0) return hits;
    // What only begins like the name of a large city, or like an article, is another place.
    if (markup || isNoise(folded)) return [];
    if (isElsewhere(folded)) return [];
    if (isLargeCity) found = await ofItsCity(lookups, found, folded);
  }
  if (readings && (search.prefix || !isLargeCity) && !found.some(({ step }) => step < PREFIX_STEP)) {
    // Prefix search in the named place and, while typing, also for the name before a type word.
    const all = byCost([...readings.placed, ...readings.stripped]).slice(0, BEGUN_READINGS);
    const kinded = readings.placed.find(({ kinds }) => kinds.length > 0);
    for (const reading of search.prefix ? all : new Set([readings.placed[0] ?? [], kinded ?? []].flat())) {
      const rows = await names(reading.name, reading.within[0] ?? null);
      // "Dade County, Florida": what follows a hyphen, where no name begins so.
      const begun = rows.filter(({ step }) => step < PREFIX_STEP + 1);
      const later =
        search.prefix || reading !== kinded ? [] : rows.filter(({ step, whole }) => step < PREFIX_STEP + 2 && whole);
      const started = applyReading(await locate(lookups, begun.length > 0 ? begun : later, reading), reading);
      found = [...found, ...started];
      if (started.length > 0) break;
    }
    if (!search.prefix && found.length < Math.min(search.limit, ENOUGH)) {
      found = [...found, ...(await searchTypos(lookups, folded, found.length > 0, null))];
    }
    const { placed: inside, stripped } = readings;
    // Search misspellings of what was typed before those of its other spellings.
    const typed = [...inside, ...stripped].sort((a, b) => Number(a.respelled) - Number(b.respelled));
    for (const reading of typed.slice(0, search.prefix ? 0 : FUZZY_READINGS)) {
      if (found.length > 0) break;
      if (isCityName(reading.name) || (await lookups.containers([reading.name])).length > 0) continue;
      // "me" may be Messina, but no more so beside a slip in a name.
      if (reading.within.some((places) => places.every(({ about }) => about?.cost === ABOUT_CODE))) continue;
      const rows = await searchTypos(lookups, reading.name, false, reading.within[0] ?? null);
      found = applyReading(await locate(lookups, rows, reading), reading);
    }
  }
  if (found.length === 0 && !search.prefix && !search.corrected && !isLargeCity) {
    const corrected = await correct(lookups, search.q);
    if (corrected !== null) {
      const hits = await searchIn(services, memory, { ...search, q: corrected, corrected: true }, foldName(corrected));
      return hits.map((hit) => ({ ...hit, match: 'fuzzy' }));
    }
  }
  const homes = await homeCounties(lookups, found, folded);
  const wishes = { near: search.near, wantsCode: hasDigit, homes };
  const order = rank(found, wishes).slice(0, search.limit + SPARE);
  const hitsOf = async (candidates: readonly Candidate[]): Promise<Hit[]> => {
    const read = await lookups.boundaries(candidates.map(({ id }) => id));
    const byId = new Map(read.map((one) => [one.id, one]));
    const known = candidates.filter(({ id }) => byId.has(id));
    const spoken = await spokenOf(services.boundaries, read, known, search, folded);
    const foreign = foreignNames(byId, known, folded);
    return rank(known, { ...wishes, spoken, foreign }).map((candidate): Hit => {
      const boundary = byId.get(candidate.id) as Boundary;
      const interpretation = candidate.interpretation ?? { name: folded, within: null, kind: null, ignored: null };
      return { ...boundary, match: matchOf(candidate), interpretation };
    });
  };
  // Read the spare results only if they can matter: for the caller's language, as the twin that has a polygon, or to
  // replace a double.
  const preferred = await services.boundaries.sourceOrder?.();
  if (!search.lang?.length && !preferred?.size) {
    const first = await hitsOf(order.slice(0, search.limit));
    const kept = withoutDoubles(first, foldName);
    const needsNone = kept.length === search.limit && kept.every(({ has_geometry }) => has_geometry);
    if (needsNone || order.length <= search.limit) return kept;
  }
  return withoutDoubles(await hitsOf(order), foldName, preferred).slice(0, search.limit);
}

/** Whether a folded text names something of which no boundary is stored: a continent, or a country that no longer exists. */
const isElsewhere = (folded: string): boolean => groupOf(folded) !== null;

/** What other forms of a query find, the first that finds anything: without words for maps, with a code alone. */
async function searchRewrites(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries },
  memory: Names | null,
  search: Search & { readonly rewritten?: boolean },
): Promise<Hit[]> {
  if (search.rewritten) return [];
  for (const rewrite of rewritesOf(search.q)) {
    const asked = rewritten(search, rewrite);
    const folded = asked === null ? '' : foldName(asked.q);
    if (asked === null || folded === '') continue;
    const hits = await searchIn(services, memory, { ...asked, rewritten: true }, folded);
    if (hits.length === 0) continue;
    if (rewrite.ignored === null) return hits;
    return hits.map((hit) => {
      const ignored = [hit.interpretation.ignored, rewrite.ignored].filter(Boolean).join(', ');
      return { ...hit, interpretation: { ...hit.interpretation, ignored } };
    });
  }
  return [];
}

/** What a query finds by another name of a city, alone or in a place: "Brooklyn", "Florence, Italy", "LA County". */
async function searchCities(
  lookups: Lookups,
  q: string,
  folded: string,
  { found: known, readings }: { readonly found: readonly Candidate[]; readonly readings: Readings | null },
): Promise<Candidate[]> {
  const candidates = async (name: string): Promise<Candidate[]> =>
    (await cityBoundaries(lookups, name)).map(({ row, boundary }, i) => ({
      ...{ ...row, step: CITY_STEP + i / 1000, whole: true, name_type: 'alias' },
      ...{ inside: boundary.parents.map(({ id }) => id), countries: boundary.countries },
    }));
  // "LA" is a state and a country; "L.A." is the city.
  const initials = /^\s*(?:\p{L}\.){2,}\s*$/u.test(q) ? folded.replaceAll(' ', '') : null;
  const found =
    initials === null && (await isIsoCode(lookups, known, folded)) ? [] : await candidates(initials ?? folded);
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
  return found;
}

/** Whether a folded text is one slip from the stored name of one of some cities. */
async function isSlip(lookups: Lookups, cities: readonly Candidate[], folded: string): Promise<boolean> {
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
async function ofItsCity(lookups: Lookups, candidates: readonly Candidate[], folded: string): Promise<Candidate[]> {
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
async function ofCityWord(lookups: Lookups, found: readonly Candidate[], folded: string): Promise<Candidate[]> {
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

/** The counties that the cities are in which people mean by the names found: Dallas County in Texas for "Dallas". */
async function homeCounties(
  lookups: Lookups,
  found: readonly Candidate[],
  folded: string,
): Promise<ReadonlySet<string>> {
  const counties = found.filter(({ step, kind }) => step < PREFIX_STEP && kind === 'county');
  const names = new Set([folded, ...counties.flatMap(({ interpretation }) => interpretation?.name ?? [])]);
  const homes = new Set<string>();
  if (counties.length < 2) return homes;
  for (const name of [...names].slice(0, HOME_NAMES)) {
    // The largest city of the name alone.
    const [first] = await cityBoundaries(lookups, name, 'US');
    if (first) homes.add(first.row.id);
  }
  return homes;
}

/** Returns the ids of candidates whose name in the caller's first language is what was typed, or starts with it. */
async function spokenOf(
  boundaries: SearchedBoundaries,
  read: readonly Boundary[],
  candidates: readonly Candidate[],
  { lang }: Search,
  folded: string,
): Promise<ReadonlySet<string>> {
  const spoken = new Set<string>();
  // Only the first language: a person who reads German first may not know the name in their second language.
  if (!lang || lang.length === 0 || read.length < 2) return spoken;
  const naming = { prefer: lang.slice(0, 1), names: lang.slice(0, 1) };
  const shown = await boundaries.show(read, naming);
  const names = new Map(shown.map(({ id, name, names }) => [id, Object.keys(names ?? {}).length > 0 ? name : null]));
  for (const { id, step, interpretation } of candidates) {
    const name = names.get(id);
    const typed = interpretation?.name ?? folded;
    if (!name) continue;
    const known = foldName(name);
    if (known === typed || (step >= PREFIX_STEP && known.startsWith(typed))) spoken.add(id);
  }
  return spoken;
}

/**
 * Returns the ids of the countries whose name was typed in a language that is not theirs, if another place has the
 * typed text as its own name: "Granada" is a province of Spain and, in Spanish, Grenada.
 */
function foreignNames(
  read: ReadonlyMap<string, Boundary>,
  candidates: readonly Candidate[],
  folded: string,
): ReadonlySet<string> {
  const foreign = new Set<string>();
  const whole = candidates.filter(
    ({ step, interpretation }) => step < 1 && (interpretation?.name ?? folded) === folded,
  );
  const local = (id: string): string => read.get(id)?.name ?? '';
  const countries = whole.filter(({ id, kind }) => kind === 'country' && !isOwnName(folded, local(id)));
  if (countries.length === 0 || !whole.some(({ id, weight }) => weight >= KNOWN_PLACE && isOwnName(folded, local(id))))
    return foreign;
  for (const { id } of countries) if (isExonym(folded, read.get(id)?.country ?? '', local(id))) foreign.add(id);
  return foreign;
}

const byCost = (readings: readonly ResolvedReading[]): ResolvedReading[] =>
  readings.toSorted((a, b) => a.cost - b.cost);

/** Extra candidates that replace results left out as doubles or as twins without a polygon. */
const SPARE = 10;

/** A reading with its container places looked up. */
interface ResolvedReading extends Omit<Reading, 'within'> {
  /** For each place that the query names, the places with that name. */
  readonly within: readonly (readonly Container[])[];
}

/** What readings find, and those that name a container, or had a type word and name none. */
interface Readings {
  readonly found: Candidate[];
  readonly placed: ResolvedReading[];
  readonly stripped: ResolvedReading[];
}

/**
 * Returns what the readings other than the literal one find by whole names, and those readings: `placed` name a
 * container, `stripped` had a type word and name none. `typing`: the last word may be unfinished.
 */
async function searchReadings(lookups: Lookups, q: string, typing: boolean): Promise<Readings> {
  const [, ...readings] = readingsOf(q, typing);
  if (readings.length === 0) return { found: [], placed: [], stripped: [] };
  const containers = await findContainers(lookups, readings);
  if (typing) await completeContainers(lookups, q, containers);
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

/** Candidates with what contains them, if the reading names a place: lookups by start and by likeness do not say it. */
async function locate(
  lookups: Lookups,
  candidates: readonly Candidate[],
  { within }: ResolvedReading,
): Promise<readonly Candidate[]> {
  if (within.length === 0 || candidates.length === 0) return candidates;
  const read = await lookups.boundaries([...new Set(candidates.map(({ id }) => id))]);
  const byId = new Map(read.map((one) => [one.id, one]));
  return candidates.flatMap((candidate) => {
    const boundary = byId.get(candidate.id);
    if (!boundary) return [];
    return { ...candidate, inside: boundary.parents.map(({ id }) => id), countries: boundary.countries };
  });
}

/** Looks up the container places of the readings, keyed by the text that names them. */
async function findContainers(lookups: Lookups, readings: readonly Reading[]): Promise<Map<string, Container[]>> {
  const forms = new Map<string, string[]>();
  for (const text of readings.flatMap(({ within }) => within)) forms.set(text, formsOfContainer(text));
  const found = new Map<string, Container[]>();
  if (forms.size === 0) return found;
  const texts = [...forms.values()].flat();
  // "Firenze, Toscana": if Tuscany is not stored, search in Italy.
  const countries = new Map(texts.map((text) => [text, countriesWithDivision(text).map((code) => code.toLowerCase())]));
  const asked = [...new Set([...texts, ...[...countries.values()].flat()])];
  const rows = await lookups.containers(asked);
  for (const [text, spelled] of forms) {
    const places = rows.filter(({ folded }) => spelled.includes(folded));
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

/** Adds places whose names start with the last words of the query: "New Me", "Cuenca, Es". */
async function completeContainers(lookups: Lookups, q: string, containers: Map<string, Container[]>): Promise<void> {
  const words = foldName(q).split(' ');
  for (let count = 1; count < words.length && count <= BEGUN_WORDS; count++) {
    const start = words.slice(-count).join(' ');
    if (containers.has(start)) continue;
    const begun = await lookups.begun(start, BEGUN_ROWS);
    const weightiest = begun
      .filter(({ step, type }) => step <= PREFIX_STEP && type === 'administrative')
      .sort((a, b) => b.weight - a.weight || compareIds(a.id, b.id))
      .slice(0, BEGUN_PLACES);
    const places = await lookups.boundaries(weightiest.map(({ id }) => id));
    if (places.length === 0) continue;
    containers.set(
      start,
      places.map(({ id, name, kind, admin_level, country, countries }) => ({
        ...{ folded: start, id, name, countries },
        country: admin_level === 2 || kind === 'country' ? country : null,
      })),
    );
  }
}

function isInside({ id, inside = [], countries = [] }: Candidate | ExactHit, place: Container): boolean {
  if (id === place.id) return false;
  return inside.includes(place.id) || (place.country !== null && countries.includes(place.country));
}

const isFormer = (type: string | null): boolean => type === 'stripped' || type === 'old_name';

/** The candidates that lie in the places that a reading names, with its cost and interpretation. */
function applyReading(candidates: readonly Candidate[], reading: ResolvedReading): Candidate[] {
  const [kind = null] = reading.kinds;
  return candidates.flatMap((candidate): Candidate[] => {
    const around = reading.within.flatMap((places) => {
      const inside = places.filter((place) => isInside(candidate, place));
      return inside.find(({ about }) => about === undefined) ?? inside[0] ?? [];
    });
    if (around.length < reading.within.length) return [];
    const [within = null] = around;
    const about = around.find((place) => place.about)?.about;
    const misses = reading.kinds.length > 0 && !reading.kinds.includes(candidate.kind);
    // The first kind that the word may mean ranks before the others.
    const place = reading.kinds.indexOf(candidate.kind) / 100;
    const unused = [misses ? reading.typeWords : '', about?.words ?? ''].filter((words) => words !== '');
    const one: Candidate = {
      ...candidate,
      partial: unused.length > 0,
      step: candidate.step + reading.cost + (about?.cost ?? 0) + (misses ? OTHER_KIND : Math.max(0, place)),
      interpretation: {
        name: reading.name,
        within: within ? { id: within.id, name: within.name } : null,
        kind: misses ? null : kind === null ? null : candidate.kind,
        ignored: unused.length === 0 ? null : unused.join(', '),
      },
    };
    return [one];
  });
}

function matchOf({ step, name_type }: Candidate): NameMatch {
  if (step >= FUZZY_STEP) return 'fuzzy';
  if (step >= PREFIX_STEP + 1) return 'word';
  if (step >= PREFIX_STEP) return 'prefix';
  return name_type === 'name' || name_type === 'code' || name_type === 'wikidata' ? 'exact' : 'alias';
}

/** A lookup for one id. */
const BY_ID_ALONE = { completesCodes: false, within: null, most: STEP_ROWS } as const;

/** The boundaries of a query that is a code with its scheme: `nuts:DE212`. */
async function idsOfCode(db: Database, q: string): Promise<string[]> {
  const id = readBoundaryId(q);
  if (id?.kind !== 'code') return [];
  const rows = await db.query(loadQuery('boundary_coded'), [[id.id]]);
  return rows.flatMap((row) => (row.id === null ? [] : [row.id])).sort(compareIds);
}

/** Reads the query as an id or a code. */
function exactKeys(q: string, folded: string): { id: string | null; code: string } {
  const id = readBoundaryId(q);
  // "-1" is the id of a relation, "[a-z]+" no code.
  if (id === null && isMarkup(q)) return { id: null, code: folded };
  if (id?.kind === 'osm' && q.trim().startsWith('-')) return { id: id.id, code: ` ${folded}` };
  if (id === null) return { id: null, code: compactCode(folded) };
  if (id.kind === 'osm') return { id: id.id, code: compactCode(folded) };
  if (id.kind === 'code') return { id: null, code: compactCode(folded) };
  return { id: null, code: compactCode(id.kind === 'iso' ? id.code : id.id) };
}

/** Half the height of the box searched around a place, in degrees of latitude. */
const NEAR_DEGREES = 1;

/** Finds names near a place that equal or start with the query; thousands of matches elsewhere may hide them. */
async function searchNear(
  db: Database,
  folded: string,
  near: { readonly lat: number; readonly lon: number },
  filters: readonly unknown[],
): Promise<Candidate[]> {
  const width = Math.min(90, NEAR_DEGREES / Math.max(0.01, Math.cos((near.lat * Math.PI) / 180)));
  const [west, east] = [near.lon - width, near.lon + width];
  // A box across the antimeridian is searched as two boxes.
  const beyond = west < -180 ? 360 : east > 180 ? -360 : 0;
  return db.query(loadQuery('search_near'), [
    folded,
    [west, west + beyond],
    [near.lat - NEAR_DEGREES, near.lat + NEAR_DEGREES],
    [east, east + beyond],
    ...filters,
    STEP_ROWS,
  ]);
}

/** Words for a kind that people misspell: shorter ones are one letter from too many others. */
const MISSPELLED =
  'county province provincia municipality municipio parish borough district department prefecture'.split(' ');
/** Kinds of the places that people write behind a name. */
const WRITTEN_BEHIND: readonly string[] = ['country', 'state', 'region', 'province'];
/** Steps of the whole names that are one or two slips away; those of parts of names are greater. */
const CORRECTED_STEP = FUZZY_STEP + 0.3;

/**
 * Returns a query that finds nothing, with the right word for a kind in place of one with a slip ("Couty"), and the
 * right place behind the name ("Alabasma"). Null if there is nothing to correct.
 */
async function correct(lookups: Lookups, q: string): Promise<string | null> {
  const parts = q.split(/[,;]/).map(foldName);
  if (parts.length > 3 || parts.includes('')) return null;
  const known = new Set<string>();
  for (const word of new Set(parts.flatMap((part) => part.split(' ')))) {
    if (kindWord(word) !== word && (await lookups.exact([word], null, 1)).length > 0) known.add(word);
  }
  // Whoever types the name of a stored place means it: "Paris" is not "parish". Behind a name it is a slip ("Clay Conty"),
  // unless it is the name of a city.
  const isMeant = (word: string, at: number): boolean => known.has(word) && (at === 0 || citiesNamed(word).length > 0);
  const wordOf = (word: string, at: number): string => (isMeant(word, at) ? word : kindWord(word));
  const [name = '', ...places] = parts.map((part) => part.split(' ').map(wordOf).join(' '));
  const words = name.split(' ');
  // Without a comma, the last words may be the place.
  const guesses: [name: string, place: string][] =
    places.length > 0
      ? [[[name, ...places.slice(0, -1)].join(', '), places.at(-1) as string]]
      : [2, 1].flatMap((count) =>
          words.length > count
            ? [[words.slice(0, -count).join(' '), words.slice(-count).join(' ')] as [string, string]]
            : [],
        );
  for (const [before, place] of guesses) {
    const behind = await placeLike(lookups, place);
    if (behind !== null) return `${before}, ${behind}`;
  }
  const corrected = [name, ...places].join(', ');
  return corrected === parts.join(', ') ? null : corrected;
}

/** The word for a kind that a word is one slip away from, or else the word. */
function kindWord(word: string): string {
  if (word.length < 5 || kindsOfTypeWords(word).length > 0) return word;
  const resembles = similarityGrader(word, 1);
  const isLike = (known: string): boolean =>
    (resembles(lettersOf(known), known.length, false) ?? FUZZY_STEP + 1) < CORRECTED_STEP;
  return MISSPELLED.find(isLike) ?? word;
}

/** The name of the place that contains others and has a name one or two slips away; null if none or several do. */
async function placeLike(lookups: Lookups, folded: string): Promise<string | null> {
  if (allowedEdits(folded) === 0 || isCityName(folded) || kindsOfTypeWords(folded).length > 0) return null;
  if ((await lookups.containers([folded])).length > 0 || countriesWithDivision(folded).length > 0) return null;
  if ((await lookups.exact([folded], null, 1)).length > 0) return null;
  const similar = (await searchTypos(lookups, folded, false, null)).filter(
    ({ step, kind }) => step < CORRECTED_STEP && WRITTEN_BEHIND.includes(kind),
  );
  const [best] = similar.toSorted((a, b) => a.step - b.step || b.weight - a.weight);
  const [found] = best ? await lookups.boundaries([best.id]) : [];
  return found?.name ?? null;
}

/** Finds names that resemble a query. `known`: other matches exist, so only the first, closest likeness is tried. */
async function searchTypos(lookups: Lookups, folded: string, known: boolean, within: Within): Promise<Candidate[]> {
  // "LA County" is two letters and a type word, not two slips from every county with a two-letter name.
  const words = folded.split(' ').filter((word) => kindsOfTypeWords(word).length === 0);
  const own = words.length > 0 ? words.join(' ') : folded;
  const allowed = Math.min(...[folded, own, ...stripTypeWords(folded)].map(allowedEdits));
  // A postcode with one digit wrong is another postcode.
  if (allowed === 0 || !/\p{L}[\p{L}\p{M}]/u.test(folded)) return [];
  const ascii = toAscii(folded);
  const spellings = lookups.slips(folded);
  const resembles = similarityGrader(folded, allowed);
  const stepOf: StepOf = (name, length, later) => {
    const step = resembles(name, length, later);
    return step !== null && step >= FUZZY_STEP + 1 && folded.length < PART_FROM ? null : step;
  };
  const found: Candidate[] = [];
  for (const likeness of similarityThresholds(folded, ascii)) {
    const asked = { ascii: likeness < 1 ? ascii : null, likeness, spellings, end: endOfSpelling(folded) };
    for (const row of await lookups.similar({ ...asked, within, most: TYPO_ROWS }, stepOf)) {
      found.push({ ...row, whole: false, name_type: null });
    }
    if (known || found.length > 0) break;
  }
  return found;
}
