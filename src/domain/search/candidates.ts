import type { ContainerHit, ExactHit } from '../read_model/names.ts';
import type { Interpretation, NameMatch } from './hit.ts';
import type { Lookups } from './lookups.ts';
import type { Ranked } from './ranking.ts';
import type { Reading } from './readings.ts';

/** A boundary found by one step of the search. */
export interface Candidate extends Ranked {
  /** Type of the matched name. */
  readonly name_type: string | null;
  readonly interpretation?: Interpretation;
  /** Ids of the places named in the query that contain the boundary. */
  readonly inside?: readonly string[];
  readonly countries?: readonly string[];
}

/** A place that can contain results. */
export interface Container extends ContainerHit {
  /** The words, and the extra cost, if this is the country of a place named in the query that is not stored itself. */
  readonly about?: { readonly words: string; readonly cost: number };
}

/** Alternatives for what must contain the results; null: no restriction. */
export type Within = readonly Container[] | null;

/** Rows that one step of the search returns at most; bounds its time for any query. */
export const STEP_ROWS = 300;

/** First steps of prefix and of fuzzy matches; from PREFIX_STEP on a match is not a whole name. */
export const PREFIX_STEP = 3;

export const FUZZY_STEP = 6;

/** Type of a name that is that of a city in the boundary, which is not stored itself. */
export const AROUND = 'around';

/** Cost of a result whose kind differs from the type word's: after those of that kind, before prefix matches. */
const OTHER_KIND = 1.2;

/** Places taken for an unfinished container name at the end of a query: the weightiest ones. */
export const BEGUN_PLACES = 100;

/** Readings in the order of their cost. */
export const byCost = (readings: readonly ResolvedReading[]): ResolvedReading[] =>
  readings.toSorted((a, b) => a.cost - b.cost);

/** Extra candidates that replace results left out as doubles or as twins without a polygon. */
export const SPARE = 10;

/** A reading with its container places looked up. */
export interface ResolvedReading extends Omit<Reading, 'within'> {
  /** For each place that the query names, the places with that name. */
  readonly within: readonly (readonly Container[])[];
}

/** What readings find, and those that name a container, or had a type word and name none. */
export interface Readings {
  readonly found: Candidate[];
  readonly placed: ResolvedReading[];
  readonly stripped: ResolvedReading[];
}

/** Candidates with what contains them, if the reading names a place: lookups by start and by likeness do not say it. */
export async function locate(
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

function isInside({ id, inside = [], countries = [] }: Candidate | ExactHit, place: Container): boolean {
  if (id === place.id) return false;
  return inside.includes(place.id) || (place.country !== null && countries.includes(place.country));
}

/** The candidates that lie in the places that a reading names, with its cost and interpretation. */
export function applyReading(candidates: readonly Candidate[], reading: ResolvedReading): Candidate[] {
  const [kind = null] = reading.kinds;
  return candidates.flatMap((candidate): Candidate[] => {
    const around = reading.within.flatMap((places) => {
      // "Dorado Dorado" does not say where Dorado is.
      const inside = places.filter((place) => place.about?.words !== reading.name && isInside(candidate, place));
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

/** How a candidate was found, for callers: by its step. */
export function matchOf({ step, name_type }: Candidate): NameMatch {
  if (name_type === AROUND) return AROUND;
  if (step >= FUZZY_STEP) return 'fuzzy';
  if (step >= PREFIX_STEP + 1) return 'word';
  if (step >= PREFIX_STEP) return 'prefix';
  return name_type === 'name' || name_type === 'code' || name_type === 'wikidata' ? 'exact' : 'alias';
}
