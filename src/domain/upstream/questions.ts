import type { Named } from '../../adapters/named.ts';
import type { OverpassAnswer } from '../../adapters/overpass.ts';
import { defined } from '../../elements.ts';
import { type ProblemError, problem } from '../../errors.ts';
import type { Boundary, NamedShape, ResolvedBoundary } from '../boundary.ts';
import type { BoundaryId } from '../ids.ts';
import type { Flight } from './single_flight.ts';

/** Ids of boundaries that have none in OpenStreetMap: no one upstream knows them. */
const LOCAL_IDS = 9_000_000_000_000;
/** The part of a box that has to lie in that of its parent. */
const SHARE_OF_A_CHILD = 0.5;
const PENDING_RETRY_S = 2;

/** Whether ids of this number are only ours. */
export function isLocal(id: string): boolean {
  return Number(id.slice(1)) >= LOCAL_IDS;
}

/** Whether a boundary is there with the best polygon that there is. */
export function isWhole({ id, has_geometry, source }: NamedShape): boolean {
  return (has_geometry && !source.seed) || isLocal(id);
}

/** What is to be asked upstream so that a boundary is there with its polygon; null: nothing. */
export function questionOf(asked: BoundaryId, found: ResolvedBoundary | null): string | null {
  if (found) {
    return isWhole(found) ? null : found.id;
  }
  if (asked.kind === 'osm') return isLocal(asked.id) ? null : asked.id;
  return asked.kind === 'iso' ? `iso:${asked.code}` : `wikidata:${asked.id}`;
}

/** Whether what is stored is a seed shape that OpenStreetMap may have a better one for: it is served meanwhile. */
export function isSeed(found: ResolvedBoundary | null): found is ResolvedBoundary {
  return found?.has_geometry === true && found.source.seed && !isLocal(found.id);
}

/** A seed shape, saying that it is one and since when it stands in for a better one. */
export function asSeed(found: ResolvedBoundary): ResolvedBoundary {
  const { lat, lon } = found.boundary.centroid ?? { lat: 0, lon: 0 };
  const stale = { reason: 'seed', lat, lon, since: found.imported_at };
  return { ...found, boundary: { ...found.boundary, stale } };
}

/** Whether a boundary says that it stands in for a better one. */
export function saysSeed({ boundary }: ResolvedBoundary): boolean {
  return boundary.stale?.reason === 'seed';
}

/** Whether what is stored answers all the same when the upstream cannot: a boundary that is known to have no polygon. */
export function standsFor(found: ResolvedBoundary | null, failure: ProblemError): boolean {
  return found !== null && found.broken !== null && failure.code !== 'geometry_pending';
}

/** An answer to a question for one object has it, or nothing. */
export function holds({ elements }: OverpassAnswer, id: string): boolean {
  const [type, number] = [id[0] === 'r' ? 'relation' : 'way', Number(id.slice(1))];
  return elements.some((element) => {
    const { type: given, id: named } = (element ?? {}) as Record<string, unknown>;
    return given === type && named === number;
  });
}

/** What callers are told of a question that is not answered within their wait. */
export function notYet({ key, phase, freeAt }: Flight): ProblemError {
  if (phase === 'waiting') {
    const detail = `${key} waits for a free slot of the upstream source.`;
    const wait = Math.ceil((freeAt - Date.now()) / 1000);
    return problem('upstream_busy', detail, { retry_after: Math.max(PENDING_RETRY_S, wait) });
  }
  const detail = `${key} is being fetched from the upstream source.`;
  return problem('geometry_pending', detail, { retry_after: PENDING_RETRY_S });
}

const SEVERITY = ['upstream_unavailable', 'upstream_busy', 'geometry_pending'];

/** The one that takes longest to pass. */
export function worst(failures: readonly ProblemError[]): ProblemError {
  const rank = ({ code }: ProblemError) => SEVERITY.indexOf(code);
  return defined([...failures].sort((a, b) => rank(a) - rank(b))[0]);
}

/** Levels two by two: the subdivisions of a boundary are looked for in that order. */
export function pairs(levels: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(levels.length / 2) }, (_, i) => levels.slice(2 * i, 2 * i + 2));
}

/** Whether at least half of a box lies in another: what only touches a boundary, or spills over into it, does not. */
export function liesIn(box: Named['box'], parent: Boundary['bbox']): boolean {
  if (!box || !parent) return true;
  const [west, south, east, north] = box;
  const width = east >= west ? east - west : east - west + 360;
  const height = north - south;
  const overlap = (a: number, b: number, c: number, d: number) => Math.max(0, Math.min(b, d) - Math.max(a, c));
  const parentEast = parent.east >= parent.west ? parent.east : parent.east + 360;
  // The same box is met again a turn further east or west.
  const across = Math.max(
    ...[-360, 0, 360].map((turn) => overlap(west + turn, west + turn + width, parent.west, parentEast)),
  );
  const along = overlap(south, north, parent.south, parent.north);
  return across * along >= SHARE_OF_A_CHILD * width * height;
}
