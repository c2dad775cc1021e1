import type { RemoteBoundary } from '../../adapters/named.ts';
import type { OverpassAnswer } from '../../adapters/overpass.ts';
import type { NamedShape, ResolvedBoundary } from '../boundaries/boundary.ts';
import type { SubdivisionFilter } from '../boundaries/children.ts';
import type { CallerKind } from './budget.ts';
import type { Servers } from './servers.ts';

export type { RemoteBoundary } from '../../adapters/named.ts';
export type { OverpassAnswer } from '../../adapters/overpass.ts';

/** Result of storing an answer's boundaries. */
export interface Stored {
  /** Boundaries in the answer, and whether each has a polygon. */
  readonly outcomes: ReadonlyMap<string, 'found' | 'broken'>;
  /** Ids of other boundaries that the new ways did not suffice to rebuild: they need newer members. */
  readonly outdated: readonly string[];
}

/** Stores upstream answers through the same rings, arcs, validity and kinds as an import. */
export interface UpstreamSink<T = unknown> {
  /** Reads an answer with geometry. @throws a plain Error if it is incomplete */
  read(answer: OverpassAnswer): T;
  /** Stores the result of read(). */
  put(read: T): Promise<Stored>;
  /** Stores boundaries without polygons unless already stored. Returns the ids of elements that are boundaries. */
  name(named: readonly RemoteBoundary[], within: { country: string | null }): Promise<string[]>;
}

/** The caller that waits for an answer. */
export interface UpstreamCaller {
  readonly who: CallerKind;
  readonly signal?: AbortSignal;
}

/** Fetches boundaries that are not stored from the upstream source on demand. */
export interface Upstream {
  /**
   * Returns boundaries with their polygons, as Boundaries.resolve() does, after fetching those that are not stored or
   * have no polygon. A seed shape of an OpenStreetMap relation is returned at once, marked stale, while the better one
   * is fetched; if the source has nothing better, the seed stays and is not stale. If everything is stored, this costs
   * a single lookup.
   * @throws geometry_pending if fetching takes longer than the configured wait (it continues), upstream_busy,
   * upstream_unavailable; all with retry_after
   */
  resolve(ids: readonly string[], asker: UpstreamCaller): Promise<ResolvedBoundary[]>;
  /** Like resolve(), for the shapes only, as Boundaries.shapes(). */
  shapes(ids: readonly string[], asker: UpstreamCaller): Promise<NamedShape[]>;
  /**
   * Returns the parent of a list of subdivisions, after asking the upstream for them if the boundary came from there
   * without any.
   * @throws what requireSubdivided() throws and, if no subdivisions are stored, the failure of the upstream
   */
  subdivided(id: string, which: SubdivisionFilter, asker: UpstreamCaller): Promise<ResolvedBoundary>;
  /** Returns canonical ids of what contains a point (degrees) outside stored boundaries; empty on any failure. */
  at(lat: number, lon: number, asker: UpstreamCaller): Promise<string[]>;
  /** Schedules boundaries (canonical ids) to be fetched again, in the background and within the budget. */
  refetch(ids: readonly string[]): Promise<void>;
  /** Starts refreshing outdated boundaries, until close(). */
  start(): void;
  /** Fetches one boundary that is due. Returns whether there was one. */
  refreshOne(): Promise<boolean>;
  /** Number of questions in flight in this process. */
  pending(): number;
  readonly counts: Servers['counts'];
  breakers: Servers['breakers'];
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  /** Milliseconds that a caller waits for a fetch. */
  readonly waitMs: number;
  readonly refreshDays: number;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}
