import type { RemoteBoundary } from '../../adapters/named.ts';
import type { OverpassAnswer } from '../../adapters/overpass.ts';
import { defined } from '../../common/elements.ts';
import { type ProblemError, problem } from '../../core/errors.ts';
import type { Boundary, NamedShape, ResolvedBoundary } from '../boundaries/boundary.ts';
import type { BoundaryId } from '../boundaries/ids.ts';
import type { Flight } from './single_flight.ts';

/** Least number of local ids: boundaries that are not in OpenStreetMap, so no upstream server knows them. */
const LOCAL_IDS = 9_000_000_000_000;
/** Least share of a box that must be inside its parent's box. */
const SHARE_OF_A_CHILD = 0.5;
const PENDING_RETRY_S = 2;

/** Whether an id is local, that is, not in OpenStreetMap: also that of an area of a set. */
export function isLocal(id: string): boolean {
  return id.startsWith('set:') || Number(id.slice(1)) >= LOCAL_IDS;
}

/** Whether a boundary is stored with the best available polygon. */
export function isWhole({ id, has_geometry, source }: NamedShape): boolean {
  return (has_geometry && !source.seed) || isLocal(id);
}

/** Returns the key to ask upstream so that a boundary has its polygon; null if nothing is needed. */
export function questionOf(asked: BoundaryId, found: ResolvedBoundary | null): string | null {
  if (found) {
    return isWhole(found) ? null : found.id;
  }
  if (asked.kind === 'osm') return isLocal(asked.id) ? null : asked.id;
  if (asked.kind === 'code') return null;
  return asked.kind === 'iso' ? `iso:${asked.code}` : `wikidata:${asked.id}`;
}

/** Whether a stored boundary is a seed shape that OpenStreetMap may improve; it is served meanwhile. */
export function isSeed(found: ResolvedBoundary | null): found is ResolvedBoundary {
  return found?.has_geometry === true && found.source.seed && !isLocal(found.id);
}

/** Marks a seed shape as stale, with the time since which it stands in for a better one. */
export function markAsSeed(found: ResolvedBoundary): ResolvedBoundary {
  const { lat, lon } = found.boundary.centroid ?? { lat: 0, lon: 0 };
  const stale = { reason: 'seed', lat, lon, since: found.imported_at };
  return { ...found, boundary: { ...found.boundary, stale } };
}

/** Whether a boundary is marked as a seed that stands in for a better one. */
export function isMarkedSeed({ boundary }: ResolvedBoundary): boolean {
  return boundary.stale?.reason === 'seed';
}

/** Whether a stored boundary answers despite an upstream failure: it is known to have no usable polygon. */
export function answersDespite(found: ResolvedBoundary | null, failure: ProblemError): boolean {
  return found !== null && found.broken !== null && failure.code !== 'geometry_pending';
}

/** Whether an answer contains the requested object. */
export function holds({ elements }: OverpassAnswer, id: string): boolean {
  const [type, number] = [id[0] === 'r' ? 'relation' : 'way', Number(id.slice(1))];
  return elements.some((element) => {
    const { type: given, id: named } = (element ?? {}) as Record<string, unknown>;
    return given === type && named === number;
  });
}

/** Returns the error for a question that is not answered within the caller's wait. */
export function pendingProblem({ key, phase, freeAt }: Flight): ProblemError {
  if (phase === 'waiting') {
    const detail = `${key} is waiting for a free slot of the upstream source.`;
    const wait = Math.ceil((freeAt - performance.now()) / 1000);
    return problem('upstream_busy', detail, { retry_after: Math.max(PENDING_RETRY_S, wait) });
  }
  const detail = `${key} is being fetched from the upstream source.`;
  return problem('geometry_pending', detail, { retry_after: PENDING_RETRY_S });
}

const SEVERITY = ['upstream_unavailable', 'upstream_busy', 'geometry_pending'];

/** Returns the most severe failure: the one that takes longest to pass. */
export function worst(failures: readonly ProblemError[]): ProblemError {
  const rank = ({ code }: ProblemError) => SEVERITY.indexOf(code);
  return defined([...failures].sort((a, b) => rank(a) - rank(b))[0]);
}

/** Splits levels into pairs, in the order in which subdivisions are searched. */
export function pairs(levels: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(levels.length / 2) }, (_, i) => levels.slice(2 * i, 2 * i + 2));
}

/** Whether at least half of a box is inside another, so that neighbors that touch or overlap slightly do not count. */
export function isMostlyInside(box: RemoteBoundary['box'], parent: Boundary['bbox']): boolean {
  if (!box || !parent) return true;
  const [west, south, east, north] = box;
  const width = east >= west ? east - west : east - west + 360;
  const height = north - south;
  const overlap = (a: number, b: number, c: number, d: number) => Math.max(0, Math.min(b, d) - Math.max(a, c));
  const parentEast = parent.east >= parent.west ? parent.east : parent.east + 360;
  // A box can also overlap one turn further east or west.
  const across = Math.max(
    ...[-360, 0, 360].map((turn) => overlap(west + turn, west + turn + width, parent.west, parentEast)),
  );
  const along = overlap(south, north, parent.south, parent.north);
  return across * along >= SHARE_OF_A_CHILD * width * height;
}
