import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { compareIds, readBoundaryId } from '../boundaries/ids.ts';
import { isCityName } from '../names/cities.ts';
import { foldName, stripTypeWords } from '../names/fold.ts';
import { compactCode, toAscii } from '../names/names.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import type { NameIndex } from '../read_model/name_index.ts';
import type { ContainerHit, ExactHit, Names, StepOf } from '../read_model/names.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory } from './lookups.ts';
import type { Hit, Interpretation, NameMatch, Search, SearchedBoundaries } from './model.ts';
import { type Ranked, rank, withoutDoubles } from './ranking.ts';
import { formsOfContainer, type Reading, readingsOf } from './readings.ts';
import { allowedEdits, endOfSpelling, similarityGrader, similarityThresholds } from './typos.ts';

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
  /** Extra step cost, if this is the country of a place named in the query that is not stored itself. */
  readonly about?: number;
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
/** Letters from which a query can be a misspelled part of a name. */
const PART_FROM = 6;

/**
 * Searches boundaries by name, best first. A query is read in several ways (search_readings.ts): literally, with words
 * written out or abbreviated, as a name with a type word ("Roosevelt County", "provincia de Sevilla"), and as a name
 * within another place ("Chaves, New Mexico"). All readings are looked up. Matches come in this order: the whole name
 * in any language; a name without its type word, or a former name; codes and ids; the start of a name; later words of a
 * name; misspellings. A match of another reading comes right after the same match of the literal one. Misspellings are
 * searched only if no boundary has the name and the query is not the name of a large city elsewhere. rank()
 * (search_ranking.ts) sorts and has the weights.
 */
export async function searchBoundaries(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries; readonly names?: NameIndex },
  search: Search,
): Promise<Hit[]> {
  const { names } = services;
  const folded = foldName(search.q);
  if (folded === '') return [];
  if (!names) return searchIn(services, null, search, folded);
  const revision = services.boundaries.revision ?? (await names.present());
  return names.use(revision, (memory) => searchIn(services, memory, search, folded));
}

/** Implements searchBoundaries() on the names in memory or, if null, on the database. */
async function searchIn(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries },
  memory: Names | null,
  search: Search,
  folded: string,
): Promise<Hit[]> {
  const { db } = services;
  const { country = null, kind = null, adminLevel = null } = search;
  const filters = { country, kind, adminLevel };
  const hasDigit = /\p{Nd}/u.test(folded);
  const { id, code } = exactKeys(search.q, folded);
  const lookups = memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, services.boundaries, filters);
  const read = search.prefix ? null : searchReadings(lookups, search.q, false);
  const names = (name: string, within: Within) =>
    lookups.names({
      name,
      code: within ? compactCode(name) : code,
      id: within ? null : id,
      completesCodes: hasDigit,
      within,
      most: STEP_ROWS,
    });
  const [literal, understood] = await Promise.all([names(folded, null), read]);
  // If the query completes nothing, its last word may be an unfinished container or type word: "Chaves County, New Me".
  const readings = search.prefix && literal.length === 0 ? await searchReadings(lookups, search.q, true) : understood;
  let found: Candidate[] = [...literal, ...(readings?.found ?? [])];
  if (search.near && literal.length >= STEP_ROWS) {
    found = [...found, ...(await searchNear(db, folded, search.near, [country, kind, adminLevel]))];
  }
  if (readings && !found.some(({ step }) => step < PREFIX_STEP)) {
    // Prefix search in the named place and, while typing, also for the name before a type word.
    const all = byCost([...readings.placed, ...readings.stripped]).slice(0, BEGUN_READINGS);
    for (const reading of search.prefix ? all : readings.placed.slice(0, 1)) {
      const rows = await names(reading.name, reading.within[0] ?? null);
      const started = rows.filter(({ step }) => step < PREFIX_STEP + 1);
      found = [...found, ...applyReading(started, reading)];
      if (started.length > 0) break;
    }
    if (!search.prefix && found.length < Math.min(search.limit, ENOUGH) && !isCityName(folded)) {
      found = [...found, ...(await searchTypos(lookups, folded, found.length > 0, null))];
    }
    const { placed: inside, stripped } = readings;
    // Search misspellings of what was typed before those of its other spellings.
    const typed = [...inside, ...stripped].sort((a, b) => Number(a.respelled) - Number(b.respelled));
    for (const reading of typed.slice(0, search.prefix ? 0 : FUZZY_READINGS)) {
      if (found.length > 0) break;
      if (isCityName(reading.name)) continue;
      const rows = await searchTypos(lookups, reading.name, false, reading.within[0] ?? null);
      found = applyReading(rows, reading);
    }
  }
  const wishes = { near: search.near, wantsCode: hasDigit };
  const order = rank(found, wishes).slice(0, search.limit + SPARE);
  const hitsOf = async (candidates: readonly Candidate[]): Promise<Hit[]> => {
    const read = await lookups.boundaries(candidates.map(({ id }) => id));
    const byId = new Map(read.map((one) => [one.id, one]));
    const known = candidates.filter(({ id }) => byId.has(id));
    const spoken = await spokenOf(services.boundaries, read, known, search, folded);
    return rank(known, { ...wishes, spoken }).map((candidate): Hit => {
      const boundary = byId.get(candidate.id) as Boundary;
      const interpretation = candidate.interpretation ?? { name: folded, within: null, kind: null };
      return { ...boundary, match: matchOf(candidate), interpretation };
    });
  };
  // Read the spare results only if they can matter: for the caller's language, as the twin that has a polygon, or to
  // replace a double.
  if (!search.lang?.length) {
    const first = await hitsOf(order.slice(0, search.limit));
    const kept = withoutDoubles(first, foldName);
    const needsNone = kept.length === search.limit && kept.every(({ has_geometry }) => has_geometry);
    if (needsNone || order.length <= search.limit) return kept;
  }
  return withoutDoubles(await hitsOf(order), foldName).slice(0, search.limit);
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

const byCost = (readings: readonly ResolvedReading[]): ResolvedReading[] =>
  readings.toSorted((a, b) => a.cost - b.cost);

/** Extra candidates that replace results left out as doubles or as twins without a polygon. */
const SPARE = 10;

/** A reading with its container places looked up. */
interface ResolvedReading extends Omit<Reading, 'within'> {
  /** For each place that the query names, the places with that name. */
  readonly within: readonly (readonly Container[])[];
}

/**
 * Returns what the readings other than the literal one find by whole names, and those readings: `placed` name a
 * container, `stripped` had a type word and name none. `typing`: the last word may be unfinished.
 */
async function searchReadings(
  lookups: Lookups,
  q: string,
  typing: boolean,
): Promise<{ found: Candidate[]; placed: ResolvedReading[]; stripped: ResolvedReading[] }> {
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
      rows
        .filter((row) => reading.within.every((places) => places.some((place) => isInside(row, place))))
        .map((row) => ({ ...row, whole: true, step: isFormer(row.name_type) ? 1 : 0 })),
      reading,
    );
  });
  return { found, placed, stripped: free.filter(({ kinds }) => kinds.length > 0) };
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
    // Letters can be several codes: "ME" is Maine and Messina.
    if (places.length === 0 || text.length <= 3) {
      const whole = rows.filter(({ folded, country }) => country?.toLowerCase() === folded && divided.includes(folded));
      const about = text.length <= 3 ? ABOUT_CODE : ABOUT;
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
      places.map(({ id, name, kind, admin_level, country }) => ({
        ...{ folded: start, id, name },
        country: admin_level === 2 || kind === 'country' ? country : null,
      })),
    );
  }
}

function isInside(row: Pick<ExactHit, 'id' | 'inside' | 'countries'>, place: Container): boolean {
  if (row.id === place.id) return false;
  return row.inside.includes(place.id) || (place.country !== null && row.countries.includes(place.country));
}

const isFormer = (type: string | null): boolean => type === 'stripped' || type === 'old_name';

/** Adds the cost of a reading and its interpretation to its candidates. */
function applyReading(candidates: readonly Candidate[], reading: ResolvedReading): Candidate[] {
  const [kind = null] = reading.kinds;
  return candidates.map((candidate) => {
    const misses = reading.kinds.length > 0 && !reading.kinds.includes(candidate.kind);
    // The first kind that the word may mean ranks before the others.
    const place = reading.kinds.indexOf(candidate.kind) / 100;
    const [places = []] = reading.within;
    const within =
      places.find(({ id }) => candidate.inside?.includes(id)) ??
      places.find((place) => place.country !== null && candidate.countries?.includes(place.country)) ??
      places[0];
    return {
      ...candidate,
      step: candidate.step + reading.cost + (within?.about ?? 0) + (misses ? OTHER_KIND : Math.max(0, place)),
      interpretation: {
        name: reading.name,
        within: within ? { id: within.id, name: within.name } : null,
        kind: misses ? null : kind === null ? null : candidate.kind,
      },
    };
  });
}

function matchOf({ step, name_type }: Candidate): NameMatch {
  if (step >= FUZZY_STEP) return 'fuzzy';
  if (step >= PREFIX_STEP + 1) return 'word';
  if (step >= PREFIX_STEP) return 'prefix';
  return name_type === 'name' || name_type === 'code' || name_type === 'wikidata' ? 'exact' : 'alias';
}

/** Reads the query as an id or a code. */
function exactKeys(q: string, folded: string): { id: string | null; code: string } {
  const id = readBoundaryId(q);
  if (id === null) return { id: null, code: compactCode(folded) };
  if (id.kind === 'osm') return { id: id.id, code: compactCode(folded) };
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
