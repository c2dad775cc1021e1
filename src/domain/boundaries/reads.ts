import type { SingleFlight } from '../../common/single_flight.ts';
import type { SizedLru } from '../../common/sized_lru.ts';
import type { Database } from '../../db/connect.ts';
import type { Naming } from '../names/languages.ts';
import type { Boundary, LocalizedBoundary, NamedShape, ResolvedBoundary } from './boundary.ts';
import type { Boxes, PackBoxes } from './box_index.ts';
import type { BoxesLimits } from './boxes.ts';
import type { BoundaryId } from './ids.ts';
import type { GroundOf, Land } from './land.ts';
import type { MaritimeLines } from './maritime.ts';
import type { PointCandidate } from './point_candidates.ts';
import type { BoundaryRow, SharedObjects } from './rows.ts';
import type { CachedTileBoundary, TileBoundary, TileView } from './tile_model.ts';

/**
 * A view of the boundaries at one revision of the data: everything read through it is consistent. Ids are in any form
 * (docs/contract.md, Boundaries) unless a method says canonical. Every method throws DataMoved if the data has changed
 * and the answer is not in memory.
 */
export interface Snapshot {
  readonly revision: number;
  /**
   * The boundary that each id names, in the order given, repetitions kept. Aliases are followed. If several boundaries
   * carry the same wikidata id or ISO code, the result is an administrative one, then one with geometry, then one of
   * the source that the operator prefers, then the lowest admin_level, then the lowest id; the others are in `also`.
   * @throws invalid_id, or not_found that names every unknown id
   */
  resolve(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /** Like resolve(), but null for an unknown id. @throws invalid_id */
  lookup(ids: readonly string[]): Promise<(ResolvedBoundary | null)[]>;
  /** Like resolve(), with only the fields that a merge needs: several times as fast. */
  shapes(ids: readonly string[]): Promise<NamedShape[]>;
  /** Like resolve(), for one id. */
  get(id: string): Promise<ResolvedBoundary>;
  /** Boundaries by canonical id, in the order given. Unknown ids are left out; aliases are not followed. */
  byIds(ids: readonly string[]): Promise<ResolvedBoundary[]>;
  /** The boundaries and their parents with names in the caller's languages, in the order given. */
  show<T extends Boundary>(boundaries: readonly T[], naming: Naming): Promise<(T & LocalizedBoundary)[]>;
  /** The JSON of each result of show(), cached by the languages of `naming`. Do not modify the bytes. */
  written(boundaries: readonly Boundary[], naming: Naming): Promise<Uint8Array[]>;
  /** What is known of the land of boundaries with a polygon, by canonical id. */
  landOf(ids: readonly string[]): Promise<ReadonlyMap<string, Land>>;
  /** The order of the sources that the operator prefers, from 1; others have none. */
  sourceOrder(): Promise<ReadonlyMap<string, number>>;
  /** Whether any of the countries (ISO 3166-1 alpha-2) has a postcode area stored with its polygon. */
  hasPostcodes(countries: readonly string[]): Promise<boolean>;
  /** Canonical ids of the boundaries with a shape whose bounding box contains the point (degrees), borders included. */
  around(lat: number, lon: number): Promise<string[]>;
  /** The administrative boundaries that a tile shows, the lowest admin_level first, then the largest. */
  tileBoundaries(view: TileView, signal?: AbortSignal): Promise<TileBoundary[]>;
  /** The ways of borders that the map marks as borders at sea; none of a past date or state. */
  maritimeLines(): Promise<MaritimeLines>;
  /**
   * The answer for `key` at this revision: from memory, or made by `make`, single-flight, and then cached. `key` must
   * be unique over all kinds of answers. Null and failures are not cached. Do not modify the bytes.
   */
  once(key: string, make: () => Promise<Uint8Array | null>): Promise<Uint8Array | null>;
  /** The answer that keep() cached under the key for this revision, while it is in memory. */
  kept<T extends Answer>(key: string): T | undefined;
  /** Caches an answer of this revision in memory. `key` must be unique over all kinds of answers. */
  keep<T extends Answer>(key: string, answer: T): void;
}

/** A cached answer or part of one, small except for its bytes. Do not modify it. */
export interface Answer {
  readonly bytes: Uint8Array;
}

/**
 * The boundaries of the database; each method is that of a Snapshot at the current revision. Memory caches recently used
 * boundaries and the boxes of all of them, for one revision at a time.
 */
export interface Boundaries extends Omit<Snapshot, 'revision' | 'once' | 'kept' | 'keep'> {
  /**
   * Runs `work` on the current data, and again from the start if the data changes before it can finish on one revision.
   * @throws what `work` throws, and rate_limited if the data keeps changing
   */
  withSnapshot<T>(work: (reading: Snapshot) => Promise<T>): Promise<T>;
  /** The current revision; null if the database has to be asked for it, as withSnapshot() does. */
  currentRevision(): number | null;
  /**
   * The moment from which on the current revision could be read, `2026-11-25T10:00:00.000Z`; a promise if the database has
   * to be asked, null if it is not recorded.
   */
  recordedAt(): string | null | Promise<string | null>;
  /**
   * What memory holds of the current revision, with the boxes of all boundaries; null if the database has to be asked
   * for the revision, or the boxes are not in memory. Use it at once: it does not see later changes.
   */
  inMemory(): InMemory | null;
  /**
   * The results of lookup() for `texts`, all of them found.
   * @throws not_found that names every unknown id, and says what became of those that were boundaries once
   */
  requireFound(texts: readonly string[], found: readonly (ResolvedBoundary | null)[]): Promise<ResolvedBoundary[]>;
  /** Reads the boxes of all boundaries into memory. False if they changed meanwhile, or memory does not hold boxes. */
  warm(): Promise<boolean>;
  /**
   * Reads boundaries into memory by canonical id, in the order given, while there is room without evicting others.
   * Stops early if the data changes.
   * @returns how many of the ids were read
   */
  readAhead(ids: readonly string[]): Promise<number>;
  /** What memory holds: bytes by kind, and the number of boundaries whose boxes it has; hits and misses so far. */
  held(): {
    readonly bytes: Readonly<Record<string, number>>;
    readonly boxes: number;
    /** Lookups of boundaries since the process started. */
    readonly counts: { readonly hits: number; readonly misses: number };
  };
}

/**
 * Lookups that memory answers at once, at one revision of the data. Each returns null, unless it says otherwise, when
 * memory does not hold all that the lookup needs; a Snapshot then reads it from the database.
 */
export interface InMemory {
  readonly revision: number;
  /**
   * The boundaries with a polygon whose closed box contains a point (1e-7 degrees, not on the antimeridian), in no
   * guaranteed order.
   */
  around(x: number, y: number): PointCandidate[] | null;
  /** The boundary that carries an ISO code, as Snapshot.lookup() finds it; undefined when memory does not tell. */
  withIso(code: string): ResolvedBoundary | null | undefined;
  /** Like Snapshot.written(), for boundaries by canonical id. */
  written(ids: readonly string[], naming: Naming): Uint8Array[] | null;
  /** What points within a boundary are on, which is then kept as `ground` of it. */
  groundOf(boundary: Pick<PointCandidate, 'id' | 'ground'>): GroundOf | null;
  /** Like Snapshot.hasPostcodes(). */
  hasPostcodes(countries: readonly string[]): boolean | null;
  /** The answer that keep() cached under the key; undefined if memory does not hold it. */
  kept(key: string): Uint8Array | undefined;
  /** Caches an answer, like Snapshot.keep(). The bytes must have a buffer of their own. */
  keep(key: string, bytes: Uint8Array): void;
}

/** Thrown when the data changes while an answer is being made from it. */
export class DataMoved extends Error {}

export interface BoundariesOptions {
  /** Maximum bytes of cached boundaries, boxes not included; 16 MB by default. */
  readonly bytes?: number;
  /** Packs the boxes of all boundaries; without it, points are looked up in the database. */
  readonly packBoxes?: PackBoxes;
  /** When those are read without warm(); at the first point by default. */
  readonly boxesLimits?: BoxesLimits;
  /** Reads the revision in place of `db`, where a statement of that costs more. */
  readonly present?: Database;
  /** Whether `db` reads area sets, of which only those that a call reads are looked at. */
  readonly ofSets?: boolean;
}

export type Names = Readonly<Record<string, string>>;

export interface ResolveRow extends BoundaryRow {
  readonly form: BoundaryId['kind'];
  readonly key: string;
}

/** A row with the revision it was read at. A left join returns one row without an id if there are no results. */
export type WithRevision<T> = T & { readonly revision: number };

export type OrNulls<T> = T | { readonly [K in keyof T]: null };

/** What memory holds of one revision of the data. */
export interface State {
  readonly revision: number;
  /** By form and key of the id; null: no boundary has it. */
  readonly documents: SizedLru<ResolvedBoundary | null>;
  /** By canonical id. */
  readonly shapes: SizedLru<NamedShape>;
  /** By languages and canonical id. */
  readonly names: SizedLru<Names>;
  /** JSON by naming and canonical id. */
  readonly written: SizedLru<Uint8Array>;
  /** By languages and canonical id. */
  readonly tiles: SizedLru<CachedTileBoundary>;
  /** Whole answers by key. */
  readonly answers: SizedLru<Answer>;
  /** Whole answers that are being made. */
  readonly inFlight: SingleFlight<Uint8Array | null>;
  /** By country. */
  readonly postcodes: Map<string, boolean>;
  /** What memory answers at once, with the boxes of the revision; null until it is asked for. */
  lookups: { readonly boxes: Boxes; readonly inMemory: InMemory } | null;
  readonly shared: SharedObjects;
  /** The one Snapshot of the revision, once it is asked for: making one takes twenty functions. */
  snapshot: Snapshot | null;
  /** See Snapshot.sourceOrder(); null until it is read. */
  order: ReadonlyMap<string, number> | null;
  /** See Snapshot.maritimeLines(); null until they are read, or when memory has no room for them. */
  maritime: MaritimeLines | null;
}
