import { defined } from '../../common/elements.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Database } from '../../db/connect.ts';
import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { capitalsOf, isCityName } from '../names/cities.ts';
import { citiesNamed } from '../names/city_names.ts';
import { isExonym, isOwnName, KNOWN_PLACE } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { importance } from '../names/names.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import type { NameIndex } from '../read_model/name_index.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory } from '../search/lookups.ts';
import type { Hit, SearchedBoundaries } from '../search/model.ts';
import { searchBoundaries } from '../search/search.ts';
import { lettersOf, similarityGrader } from '../search/typos.ts';
import type { Level } from './algebra.ts';
import { isOneSlip } from './amounts.ts';
import { isOfLevel } from './levels.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

/** The services that look names up. */
export interface NameServices {
  readonly db: Database;
  readonly boundaries: SearchedBoundaries & { readonly revision: number };
  readonly names?: NameIndex;
}

/** Preferences of the caller between places of the same name. */
export interface NamePreferences {
  /** ISO 3166-1 alpha-2 codes, in upper case. */
  readonly country?: readonly string[];
  /** Point in degrees. */
  readonly near?: { readonly lat: number; readonly lon: number };
}

/** A boundary that a name can mean. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly parents: readonly { readonly id: string; readonly name: string }[];
}

/** The boundary that a name means, with alternatives, or why there is none. */
export type Meaning =
  | {
      readonly found: ResolvedBoundary;
      readonly rivals: readonly Candidate[];
      readonly because: string | null;
      /** The rivals that are of nearly the same importance: the choice is a guess. */
      readonly guessed: readonly ResolvedBoundary[];
      /** The countries that have the name only in another language. */
      readonly foreign: readonly ResolvedBoundary[];
      /** Whether the name is one slip away from that of the place. */
      readonly slipped?: boolean;
    }
  | { readonly problem: 'not_found' | 'ambiguous' | 'no_geometry'; readonly candidates: readonly Candidate[] };

/** Candidates listed in an error or a plan. */
const LISTED = 5;
/** Search results considered for one name. */
export const LOOKED_AT = 40;
/** Importance difference below which boundaries are of comparable rank: a factor of a hundred in population. */
const COMPARABLE = 2;
/** With `near`, the nearest candidate wins if the next one is more than this many times as far away. */
const NEARER = 3;

/** The lookups of names, in the given countries and level: in memory at the revision that is read, else by statements. */
export function lookupsOf(
  { db, boundaries, names }: NameServices,
  country: readonly string[] | null,
  adminLevel: number | null = null,
): Lookups {
  const filters = { country, kind: null, adminLevel };
  const memory = names?.at(boundaries.revision) ?? null;
  return memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, boundaries, filters);
}

/** Estimates the importance of a boundary from its public fields. */
function weightOf({ boundary, area_km2, type }: ResolvedBoundary): number {
  return importance({
    type,
    kind: boundary.kind,
    place: null,
    adminLevel: boundary.admin_level,
    population: boundary.population,
    areaKm2: area_km2,
    countryCode: boundary.kind === 'country' ? boundary.country : null,
    city: null,
    wikidata: null,
  });
}

/** A boundary as errors and plans list it. */
export const candidateOf = ({ id, name, parents }: Hit | ResolvedBoundary['boundary']): Candidate => ({
  id,
  name,
  parents: parents.map((parent) => ({ id: parent.id, name: parent.name })),
});

/** Whether two boundaries are the same or one contains the other, by the hierarchy. */
export function areNested(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  return a.id === b.id || isIn(a, b) || isIn(b, a);
}

/** Whether boundary `a` is inside `b`, by the hierarchy. */
export function isIn(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  return a.id !== b.id && a.boundary.parents.some(({ id }) => id === b.id);
}

/**
 * Returns the boundary that a name means. Only whole names count, of boundaries with a polygon and, if given, of the
 * level. A place that has the name itself beats a country that has it in another language ("Granada"). Among boundaries that contain each other (the canton and the commune of Luxembourg), the one that search ranks
 * first wins. So does one that is much more important than all others. Among boundaries of comparable rank, first
 * `scope` (the area it is subtracted from, or its companions) decides, then `near`; otherwise the name is ambiguous.
 * The caller's country restricts the search.
 */
export async function meaningOf(
  services: NameServices,
  place: { readonly name: string; readonly within?: string; readonly level?: Level },
  wishes: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null = null,
): Promise<Meaning> {
  const { name, within, level } = place;
  const q = (within === undefined ? name : `${name}, ${within}`).slice(0, 200);
  const all = await searchBoundaries(services, { q, country: wishes.country, near: wishes.near, limit: LOOKED_AT });
  const folded = foldName(name);
  const isWhole = ({ match, interpretation }: Hit) =>
    (match === 'exact' || match === 'alias') &&
    interpretation.ignored === null &&
    (within === undefined ? interpretation.within === null : interpretation.within !== null) &&
    (interpretation.name === folded || folded.replaceAll(' ', '') === interpretation.name);
  const isInside = await containment(services, within);
  const whole = inInnermost(
    all.filter(
      (hit) =>
        hit.kind !== 'postal_code' && isWhole(hit) && isInside(hit) && (level === undefined || isOfLevel(hit, level)),
    ),
  );
  const shaped = whole.filter((hit) => hit.has_geometry);
  if (shaped.length === 0) {
    const city = level === undefined ? null : await cityOfLevel(services, folded, { within, level });
    if (city) return city;
    const slipped = whole.length > 0 ? null : await withSlip(services, all, folded, { within, level }, wishes, scope);
    if (slipped) return slipped;
    const candidates = (whole.length > 0 ? whole : all).slice(0, LISTED).map(candidateOf);
    return { problem: whole.length > 0 ? 'no_geometry' : 'not_found', candidates };
  }
  const found = await services.boundaries.byIds(shaped.map(({ id }) => id));
  const meaning = decide(found, wishes, scope, { folded, leveled: level !== undefined });
  return (await aroundCity(services, meaning, place, wishes, scope)) ?? meaning;
}

/**
 * A city by another name of it ("Badajos") means what its own name means: the province of Badajoz, which has the city.
 * Null if that is nothing else, or no place around it.
 */
async function aroundCity(
  services: NameServices,
  meaning: Meaning,
  { name, ...more }: { readonly name: string; readonly within?: string; readonly level?: Level },
  wishes: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
): Promise<Meaning | null> {
  if (!('found' in meaning) || !CITIES.has(meaning.found.boundary.kind)) return null;
  const own = meaning.found.name;
  if (foldName(own) === foldName(name)) return null;
  const other = await meaningOf(services, { ...more, name: own }, wishes, scope);
  return 'found' in other && isIn(meaning.found, other.found) ? other : null;
}

/** The one boundary of a level that is a city of a name in use: "LA County". Null if there is none, or one in a container. */
async function cityOfLevel(
  services: NameServices,
  folded: string,
  { within, level }: { readonly within?: string; readonly level: Level },
): Promise<Meaning | null> {
  const lookups = lookupsOf(services, null);
  const cities = (await cityBoundaries(lookups, folded)).filter(({ boundary }) => isOfLevel(boundary, level));
  const places = within === undefined ? null : await lookups.containers([foldName(within)]);
  const [first, ...others] = cities.filter(
    ({ boundary }) =>
      places === null ||
      places.some(
        ({ id, country }) =>
          boundary.parents.some((one) => one.id === id) || (country !== null && country === boundary.country),
      ),
  );
  if (!first || others.length > 0) return null;
  const [found] = await services.boundaries.byIds([first.row.id]);
  const because = 'a city of that name is in it';
  return found?.has_geometry ? { found, because, ...{ rivals: [], guessed: [], foreign: [] } } : null;
}

/** Words of levels in all languages, folded: "cantons" is not a slip in the name of a village. */
const LEVEL_WORDS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels }) =>
    [...levels.values()].flatMap(({ one, many }) => [...one, ...many].map((phrase) => foldName(phrase.join(' ')))),
  ),
);

/** Whether a folded word is an adjective of a place in some language: "asturianas" is not a slip in Asturianos. */
const isAdjective = (folded: string): boolean => Object.values(ADJECTIVES).some((one) => one.has(folded));

/** Kinds of places whose names are read with a slip where no level, container or other place says what is meant. */
const WIDELY_KNOWN: ReadonlySet<Kind> = new Set(['country', 'region', 'state', 'province']);

/** Kinds of cities. */
const CITIES: ReadonlySet<Kind> = new Set(['municipality', 'city']);

/** Letters from which a name with one slip is not another one; one less with a level and a container. */
const SLIPPED_FROM = 6;

/**
 * Returns the boundary whose local name is one slip away from a name. All with such a name have to have the same one,
 * among which the rules for that name decide, or contain each other. Null for words of levels, and names of large cities and divisions elsewhere.
 */
async function withSlip(
  services: NameServices,
  hits: readonly Hit[],
  folded: string,
  { within, level }: { readonly within?: string; readonly level?: Level },
  wishes: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
): Promise<Meaning | null> {
  const isSure = within !== undefined && level !== undefined;
  if (folded.length < SLIPPED_FROM - (isSure ? 1 : 0) || isCityName(folded) || countriesWithDivision(folded).length > 0)
    return null;
  if (LEVEL_WORDS.has(folded) || isAdjective(folded)) return null;
  const resembles = similarityGrader(folded, 1);
  const near = hits.filter(({ match, name, has_geometry, interpretation, ...hit }) => {
    // "Georgi" begins like Georgia, and is one letter away from it and from George.
    if ((match !== 'fuzzy' && match !== 'prefix') || !has_geometry || interpretation.ignored !== null) return false;
    if ((interpretation.within !== null) !== (within !== undefined)) return false;
    if (level !== undefined && !isOfLevel({ ...hit, name }, level)) return false;
    return name.split('/').some((part) => {
      if (match === 'prefix') return isOneSlip(folded, foldName(part));
      const letters = lettersOf(foldName(part));
      const step = resembles(letters, letters.length, false);
      return step !== null && step >= 6 && step < 6.2 && foldName(part)[0] === folded[0];
    });
  });
  const found = await services.boundaries.byIds(near.map(({ id }) => id));
  const names = new Set(found.map(({ name }) => foldName(name)));
  const [first, ...others] = found;
  if (!first) return null;
  // "Atlantis" alone does not mean Atlantic County: only names that all know are read with a slip and nothing else.
  const isBare = within === undefined && level === undefined && scope === null;
  if (isBare && !WIDELY_KNOWN.has(first.boundary.kind)) return null;
  // As if the name had been written without the slip.
  const right =
    names.size === 1
      ? await meaningOf(
          services,
          { name: first.name, ...(within && { within }), ...(level && { level }) },
          wishes,
          scope,
        )
      : null;
  if (right && 'found' in right && names.has(foldName(right.found.name)))
    return { ...right, because: 'its name is one letter away', slipped: true };
  const meaning: Meaning =
    names.size === 1 || others.every((other) => areNested(first, other))
      ? decide(found, wishes, scope, { folded: foldName(first.name), leveled: level !== undefined })
      : { problem: 'ambiguous', candidates: found.slice(0, LISTED).map(({ boundary }) => candidateOf(boundary)) };
  return 'found' in meaning ? { ...meaning, because: 'its name is one letter away', slipped: true } : meaning;
}

/**
 * Returns a test whether a hit is inside the place that a code names. Search also reads short codes as the country,
 * since they may abbreviate a type word: "Alaska, TX" finds Alaska.
 */
async function containment(services: NameServices, within: string | undefined): Promise<(hit: Hit) => boolean> {
  const code = foldName(within ?? '');
  const named = code.length > 3 || code === '' ? [] : await lookupsOf(services, null).containers([code]);
  if (named.length === 0) return () => true;
  return (hit) =>
    named.some(
      ({ id, country }) =>
        hit.parents.some((parent) => parent.id === id) || (country !== null && country === hit.country),
    );
}

/**
 * Drops hits that are only inside the country around the best hit's container. "IL" is Illinois, but may also be a
 * division of the United States that is not stored.
 */
function inInnermost(hits: readonly Hit[]): Hit[] {
  const [first] = hits;
  const within = first?.interpretation.within;
  if (!first || !within) return [...hits];
  const line = first.parents.map(({ id }) => id);
  const around = new Set(line.slice(0, Math.max(0, line.indexOf(within.id))));
  return hits.filter(({ interpretation }) => !interpretation.within || !around.has(interpretation.within.id));
}

/** Those of a list that are of nearly the importance of the first, or larger, and neither contain it nor lie in it. */
function rivalsOf([first, ...others]: readonly ResolvedBoundary[]): readonly ResolvedBoundary[] {
  if (!first) return [];
  const people = first.boundary.population;
  const weight = weightOf(first);
  return others.filter((other) => {
    if (areNested(first, other)) return false;
    const many = other.boundary.population;
    const larger = people !== null && many !== null && many >= people;
    return larger || weight - weightOf(other) < COMPARABLE;
  });
}

/** Decides which of several boundaries with one name, in search order, is meant. */
function decide(
  all: readonly ResolvedBoundary[],
  wishes: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
  { folded, leveled }: { readonly folded: string; readonly leveled: boolean },
): Meaning {
  const isForeign = ({ boundary: { kind, country, name } }: ResolvedBoundary): boolean =>
    kind === 'country' && isExonym(folded, country ?? '', name);
  const foreign = all.some((one) => weightOf(one) >= KNOWN_PLACE && isOwnName(folded, one.name))
    ? all.filter(isForeign)
    : [];
  const found = all.filter((one) => !foreign.includes(one));
  const meant = (one: ResolvedBoundary, because: string | null): Meaning => ({
    found: one,
    rivals: all
      .filter(({ id }) => id !== one.id)
      .slice(0, LISTED)
      .map(({ boundary }) => candidateOf(boundary)),
    because,
    guessed: [...foreign, ...rivalsOf([one, ...found.filter((other) => other !== one)])],
    foreign,
  });
  const ambiguous = (list: readonly ResolvedBoundary[]): Meaning => ({
    problem: 'ambiguous',
    candidates: list.slice(0, LISTED).map(({ boundary }) => candidateOf(boundary)),
  });
  const inScope = scope === null ? [] : found.filter(scope);
  const some = inScope.length > 0 ? inScope : found;
  const first = defined(some[0]);
  const close = rivalsOf(some);
  // With a level or a scope, a boundary's own name beats another name of it: "Washington".
  if (close.length > 0 && (leveled || inScope.length > 0)) {
    const [own, ...more] = [first, ...close].filter((one) => one && foldName(one.name) === folded);
    if (own && more.length === 0) {
      return meant(own, 'others have it only as another name');
    }
  }
  if (close.length === 0) {
    const because =
      inScope.length > 0 && inScope.length < found.length
        ? 'it belongs to the area that is described'
        : all.length > 1
          ? rivalsOf(found).length === 0 || some.length > 1
            ? 'it is the most important of its name'
            : 'it belongs to the area that is described'
          : null;
    return meant(first, because);
  }
  const { near } = wishes;
  if (near) {
    const byDistance = [first, ...close].map((one) => ({ one, km: distance(one, near) })).sort((a, b) => a.km - b.km);
    const [nearest, next] = byDistance;
    if (nearest && next && nearest.km * NEARER < next.km) {
      return meant(nearest.one, 'it is the nearest to near');
    }
  }
  return ambiguous([first, ...close, ...some.filter((one) => one !== first && !close.includes(one))]);
}

/** Population, in thousands, from which a city is meant by its name among counties of that name. */
const LARGE_CITY = 100;
/** How many times as large as the next city of its name it has to be. */
const LARGER = 5;

/**
 * The county of the name that the one large city of the name is in ("Dallas": in Texas), by the table of cities; null if
 * there is no such city, or another one of comparable size.
 */
export async function countyOfCity(services: NameServices, name: string): Promise<ResolvedBoundary | null> {
  const folded = foldName(name);
  const [first, second] = citiesNamed(folded).filter(({ country, codes }) => country === 'US' && codes.length > 0);
  if (!first || first.people < LARGE_CITY || (second && second.people * LARGER > first.people)) return null;
  const [home] = await cityBoundaries(lookupsOf(services, null), folded, 'US');
  const [found] = home ? await services.boundaries.byIds([home.row.id]) : [];
  return found?.has_geometry && foldName(found.name) === folded ? found : null;
}

/** The boundaries that a code of a place can mean: a country, and divisions of countries ("AR": Argentina, Arkansas). */
export async function codedBy(
  services: NameServices,
  code: string,
  wishes: NamePreferences,
): Promise<{ readonly country: ResolvedBoundary | null; readonly divisions: readonly ResolvedBoundary[] }> {
  const hits = await searchBoundaries(services, { q: code, country: wishes.country, limit: LOOKED_AT });
  const whole = hits.filter(({ match, has_geometry }) => (match === 'exact' || match === 'alias') && has_geometry);
  const letters = code.toUpperCase();
  const named = whole.filter(({ kind, iso }) => kind === 'country' || iso?.slice(2) === `-${letters}`);
  const found = await services.boundaries.byIds(named.map(({ id }) => id));
  const countries = found.filter(({ boundary }) => boundary.kind === 'country');
  return {
    country: countries.find(({ boundary }) => boundary.iso === letters) ?? countries[0] ?? null,
    divisions: found.filter(({ boundary }) => boundary.kind !== 'country'),
  };
}

/**
 * Returns a boundary of a level of a country, or another country, whose name ends with a name, and which is of comparable
 * rank to the one that the name means: "Jersey" beside New York may be New Jersey. Null if there is none.
 */
export async function longerNamed(
  services: NameServices,
  name: string,
  found: ResolvedBoundary,
  of: { readonly country: string; readonly level: number | null } | 'country',
): Promise<ResolvedBoundary | null> {
  const filters =
    of === 'country' ? { kind: of } : { country: [of.country], ...(of.level === null ? {} : { adminLevel: of.level }) };
  const hits = await searchBoundaries(services, { q: name.slice(0, 200), ...filters, limit: LOOKED_AT });
  return rivalOf(services, foldName(name), found, hits);
}

/**
 * The same among the divisions of the first level of all countries: "Carolina", a town, may be one of two states.
 */
export async function divisionNamed(
  services: NameServices,
  name: string,
  found: ResolvedBoundary,
): Promise<ResolvedBoundary | null> {
  const folded = foldName(name);
  const lookups = lookupsOf(services, null, 4);
  const wanted = { name: folded, code: '', id: null, completesCodes: false, within: null, most: LOOKED_AT };
  const rows = await lookups.names(wanted);
  return rivalOf(services, folded, found, await lookups.boundaries([...new Set(rows.map(({ id }) => id))]));
}

/** The first of some boundaries whose name ends with a folded name and that is of comparable rank; null if none is. */
async function rivalOf(
  services: NameServices,
  folded: string,
  found: ResolvedBoundary,
  hits: readonly Pick<Hit, 'id' | 'name' | 'has_geometry'>[],
): Promise<ResolvedBoundary | null> {
  const longer = hits.find(
    ({ id, name, has_geometry }) => id !== found.id && has_geometry && foldName(name).endsWith(` ${folded}`),
  );
  const [rival] = longer === undefined ? [] : await services.boundaries.byIds([longer.id]);
  return rival && rivalsOf([found, rival]).length > 0 ? rival : null;
}

/** Kilometers from a point to the centroid of a boundary, on a sphere. */
function distance(
  { boundary: { centroid } }: ResolvedBoundary,
  near: { readonly lat: number; readonly lon: number },
): number {
  if (centroid === null) return Number.POSITIVE_INFINITY;
  const radians = Math.PI / 180;
  const a =
    Math.sin(((centroid.lat - near.lat) * radians) / 2) ** 2 +
    Math.cos(centroid.lat * radians) *
      Math.cos(near.lat * radians) *
      Math.sin(((centroid.lon - near.lon) * radians) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}

/**
 * Returns the municipality that is the capital of a country or first-level division, by the table of cities. Null if
 * the table has none or several, or no boundary of that name is stored.
 */
export async function capitalIn(services: NameServices, of: ResolvedBoundary): Promise<ResolvedBoundary | null> {
  const { country, kind } = of.boundary;
  if (country === null) return null;
  const rows = capitalsOf(country, kind === 'country' ? 2 : 1);
  const names = [...new Set(rows.map(({ name }) => name))];
  if (names.length === 0 || (kind === 'country' && names.length > 1)) return null;
  const hits = await lookupsOf(services, [country]).exact(names, [{ id: of.id, country: null }], LOOKED_AT);
  const near = hits.filter(
    ({ folded, kind: own, lat, lon }) =>
      (own === 'municipality' || own === 'city') &&
      rows.some(
        (row) =>
          row.name === folded &&
          lat !== null &&
          lon !== null &&
          Math.abs(row.lat - lat / 1e7) < 0.5 &&
          Math.abs(row.lon - lon / 1e7) < 0.8,
      ),
  );
  const ids = [...new Set(near.map(({ id }) => id))];
  if (ids.length !== 1) return null;
  const [found] = await services.boundaries.byIds(ids);
  return found?.has_geometry ? found : null;
}
