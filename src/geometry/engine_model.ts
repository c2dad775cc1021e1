import type { Database } from '../db/connect.ts';
import type { ByteCache } from './cache.ts';
import type { TaskTimes } from './pool.ts';

/** What the engine needs to know of a boundary that has a shape. */
export interface BoundaryRef {
  readonly id: string;
  /** The arrangement whose shape is meant (src/common/arrangements.ts); absent: the present one. */
  readonly arrangement?: number;
  /** Hex; identifies the arcs and tier bytes of the shape. */
  readonly ringHash: string;
  /**
   * Arc ends stay at the junctions among boundaries of this level and above (levels.ts, endClassOf). Null: at the
   * junctions of all boundaries. It is null for a boundary without a level, and for every boundary when a tolerance is
   * requested: then neighbors of different levels fit at one tolerance. That costs 0.4 % more vertices in Luxembourg,
   * 1.1 % in Liechtenstein, 0.3 % in Malta and 0.1 % in Anhui, over all levels and tolerances from 2 m to 1 km.
   */
  readonly adminLevel: number | null;
  /** The database that has the shape, where that is another than the engine's, such as one as of a date. */
  readonly db?: Database;
}

/** A finished document. */
export interface RenderedDocument {
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, in hex. */
  readonly sha256: string;
  readonly level: number;
  readonly areaKm2: number;
  /** False when its parts were overlaid: borders of two of them cross, or it is cut or widened. */
  readonly exact: boolean;
  readonly size: number;
}

export interface EngineOptions {
  readonly threads: number;
  readonly arcBytes: number;
  /** Where finished documents are kept. */
  readonly cache: Pick<ByteCache<{ readonly documents: RenderedDocument }>, 'getOrMake' | 'makeNow'>;
  readonly maxResponseBytes: number;
  /** Limit of tasks that wait for a thread. */
  readonly maxQueue?: number;
  /** Receives the seconds that each attempt of a strategy took; onTimes, those of each task of the pool. */
  readonly onStrategy?: (strategy: Strategy, seconds: number) => void;
  readonly onTimes?: TaskTimes;
}

/** The strategies of a merge, in the order they are tried. */
export type Strategy = 'arcs' | 'overlay';

/**
 * What to do when an import has given a boundary another shape than the requested one: continue with the new shape, or
 * throw ArcsMoved, so that the caller can start again with fresh data about the boundary.
 */
export type MovedPolicy = 'follow' | 'refuse';

/** Boundaries to merge, by their indexes in a list. */
export interface Group {
  readonly name: string;
  readonly members: readonly number[];
}
