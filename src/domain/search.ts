import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Kind } from '../schemas.ts';
import { type Boundaries, type Summary, toSummary } from './boundaries.ts';
import { foldName } from './fold.ts';
import { compareIds, parseBoundaryId } from './ids.ts';
import { compactCode, toAscii } from './names.ts';
import { allowedSlips, endOfSpelling, likenessesWanted, resemblance, slips } from './typos.ts';

export { type NamedBoundary, type NameRow, nameRows } from './names.ts';

/** What to look for. */
export interface Search {
  /** A name in any language, a code, a postcode or a boundary id; 1 to 200 characters. */
  readonly q: string;
  /** ISO 3166-1 alpha-2 codes in upper case; a disputed place is in all of its countries. */
  readonly country?: readonly string[];
  readonly kind?: Kind;
  readonly adminLevel?: number;
  /** Degrees; what lies nearer comes earlier among equally good matches. */
  readonly near?: { readonly lat: number; readonly lon: number };
  readonly limit: number;
}

/** A boundary that was found: `step` says how well it matches, smaller is better. */
interface Candidate {
  readonly id: string;
  readonly step: number;
  readonly weight: number;
  readonly whole: boolean;
  readonly type: 'administrative' | 'postal_code';
  readonly west: number | null;
  readonly south: number | null;
  readonly east: number | null;
  readonly north: number | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

type TypoRow = Omit<Candidate, 'step' | 'whole'> & { readonly folded: string; readonly later: boolean };

/** Most rows that one step of the search brings: bounds its time, whatever the query. */
const STEP_ROWS = 300;
const TYPO_ROWS = 200;
/** With as many good matches as this, nobody needs what only resembles the query. */
const ENOUGH = 5;

/**
 * Boundaries by name, best first: the whole name in any language, then without its type word or a former name, then
 * codes and ids, then the start of a name, later words of a name, and last what is a slip of the keyboard away (only
 * when there are fewer than five, or fewer than `limit`, better ones). Among equals the more important and, with
 * `near`, the nearer come first, then the lower id. Postcode areas come after all others unless the query has a digit.
 * Nothing but what it is given decides the order, so the same query gives the same answer on every database.
 */
export async function searchBoundaries(
  services: { readonly db: Database; readonly boundaries: Pick<Boundaries, 'byIds'> },
  search: Search,
): Promise<Summary[]> {
  const folded = foldName(search.q);
  if (folded === '') return [];
  const filters = [search.country ?? null, search.kind ?? null, search.adminLevel ?? null];
  const hasDigit = /\p{Nd}/u.test(folded);
  const { id, code } = exactKeys(search.q);
  let found = await services.db.query<Candidate>(loadQuery('search_names'), [
    folded,
    code,
    id,
    hasDigit,
    ...filters,
    STEP_ROWS,
  ]);
  if (search.near && found.length >= STEP_ROWS) {
    found = [...found, ...(await searchNear(services.db, folded, search.near, filters))];
  }
  if (found.length < Math.min(search.limit, ENOUGH)) {
    found = [...found, ...(await searchTypos(services.db, folded, filters, found.length > 0))];
  }
  const best = bestOfEach(found);
  const order = rank(best, search.near, hasDigit).slice(0, search.limit);
  return (await services.boundaries.byIds(order)).map((match) => toSummary(match.boundary));
}

/** What the query is when it is read as an id or a code. */
function exactKeys(q: string): { id: string | null; code: string } {
  try {
    const id = parseBoundaryId(q);
    if (id.kind === 'osm') return { id: id.id, code: compactCode(q) };
    return { id: null, code: compactCode(id.kind === 'iso' ? id.code : id.id) };
  } catch {
    return { id: null, code: compactCode(q) };
  }
}

/** Half the side of the box that is searched around a place, in degrees of latitude. */
const NEAR_DEGREES = 1;

/** Names that are or start with the query in the neighbourhood: among thousands of matches the steps may miss them. */
async function searchNear(
  db: Database,
  folded: string,
  near: { readonly lat: number; readonly lon: number },
  filters: readonly unknown[],
): Promise<Candidate[]> {
  const width = Math.min(90, NEAR_DEGREES / Math.max(0.01, Math.cos((near.lat * Math.PI) / 180)));
  const [west, east] = [near.lon - width, near.lon + width];
  // A box across the antimeridian is searched as two.
  const beyond = west < -180 ? 360 : east > 180 ? -360 : 0;
  return db.query<Candidate>(loadQuery('search_near'), [
    folded,
    [west, west + beyond],
    [near.lat - NEAR_DEGREES, near.lat + NEAR_DEGREES],
    [east, east + beyond],
    ...filters,
    STEP_ROWS,
  ]);
}

/** `known`: whether something is found already, so that two slips are not asked about. */
async function searchTypos(
  db: Database,
  folded: string,
  filters: readonly unknown[],
  known: boolean,
): Promise<Candidate[]> {
  // One digit off is another postcode.
  if (allowedSlips(folded) === 0 || !/\p{L}[\p{L}\p{M}]/u.test(folded)) return [];
  const ascii = toAscii(folded);
  const spellings = slips(folded);
  const found: Candidate[] = [];
  for (const likeness of likenessesWanted(folded, ascii)) {
    const rows = await db.transaction(async (tx) => {
      await tx.query(loadQuery('search_threshold'), [String(likeness)]);
      const values = [likeness < 1 ? ascii : null, spellings, endOfSpelling(folded), TYPO_ROWS, ...filters];
      return tx.query<TypoRow>(loadQuery('search_typos'), values);
    });
    for (const row of rows) {
      const step = resemblance(folded, row.folded, row.later);
      if (step !== null) found.push({ ...row, step, whole: false });
    }
    if (known || found.length > 0) break;
  }
  return found;
}

function bestOfEach(found: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of found) {
    const other = best.get(candidate.id);
    if (!other || candidate.step < other.step) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}

/** A completion at the end of a word counts as two factors of ten in population. */
const WHOLE_WORD = 2;
const POSTCODES_LAST = 100;

function rank(candidates: readonly Candidate[], near: Search['near'], wantsCode: boolean): string[] {
  const keyed = candidates.map((candidate) => {
    const postcode = candidate.type === 'postal_code';
    const importance = candidate.weight + (postcode && wantsCode ? POSTCODES_LAST : 0);
    return {
      id: candidate.id,
      step: candidate.step + (postcode && !wantsCode ? POSTCODES_LAST : 0),
      score: importance + (candidate.whole ? WHOLE_WORD : 0) + (near ? nearness(candidate, near) : 0),
    };
  });
  keyed.sort((a, b) => a.step - b.step || b.score - a.score || compareIds(a.id, b.id));
  return keyed.map((item) => item.id);
}

const NEAR_WEIGHT = 5;
const HALF_KM = 100;

/** 5 at the place itself, half of it 100 km away, nothing for what has no place. */
function nearness(candidate: Candidate, near: { readonly lat: number; readonly lon: number }): number {
  const { west, south, east, north, lat, lon } = candidate;
  if (west === null || south === null || east === null || north === null || lat === null || lon === null) return 0;
  const clampedLat = Math.min(Math.max(near.lat, south / 1e7), north / 1e7);
  const toBox = kilometres(near.lat, clampedLat, longitudesToBox(near.lon, west / 1e7, east / 1e7));
  const toCentre = kilometres(near.lat, lat / 1e7, turn(near.lon - lon / 1e7));
  // Inside a large area one is near it, but nearer to a small one.
  return NEAR_WEIGHT / (1 + Math.max(toBox, toCentre / 10) / HALF_KM);
}

/** Degrees of longitude from a meridian to a box; 0 inside. */
function longitudesToBox(lon: number, west: number, east: number): number {
  const inside = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
  return inside ? 0 : Math.min(turn(lon - west), turn(lon - east));
}

/** The shorter way around, in degrees. */
function turn(degrees: number): number {
  const around = Math.abs(degrees) % 360;
  return around > 180 ? 360 - around : around;
}

/** Great-circle distance on a sphere of 6,371 km (haversine formula). */
function kilometres(latA: number, latB: number, lonDegrees: number): number {
  const radians = Math.PI / 180;
  const a =
    Math.sin(((latB - latA) * radians) / 2) ** 2 +
    Math.cos(latA * radians) * Math.cos(latB * radians) * Math.sin((lonDegrees * radians) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
}
