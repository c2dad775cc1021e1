import type { TaskTimes } from './pool.ts';

/** What the engine needs to know of a boundary that has a shape. */
export interface BoundaryRef {
  readonly id: string;
  /** Hex; names the arcs and tier bytes of the shape. */
  readonly ringHash: string;
  /**
   * Arc ends stay at the junctions among boundaries of this level and above (levels.ts, endClassOf). Null: at those of
   * all boundaries, as for one without a level, and as for every one where a tolerance is asked for: among those,
   * neighbors of different levels fit at one tolerance. That costs 0.4 % more vertices in Luxembourg, 1.1 % in
   * Liechtenstein, 0.3 % in Malta and 0.1 % in Anhui, over all levels and tolerances from 2 m to 1 km.
   */
  readonly adminLevel: number | null;
}

export interface EngineOptions {
  readonly threads: number;
  readonly arcBytes: number;
  readonly cacheBytes: number;
  readonly maxResponseBytes: number;
  /** Tasks that may wait for a thread. */
  readonly maxQueue?: number;
  /** Told how long each attempt by a strategy took, in seconds, and what each task of the pool took. */
  readonly onStrategy?: (strategy: Strategy, seconds: number) => void;
  readonly onTimes?: TaskTimes;
}

/** The strategies of a merge, in the order in which they are tried. */
export type Strategy = 'arcs' | 'overlay';

/**
 * What is done where an import has given a boundary another shape than the one that is asked for: go on with that, or
 * refuse it, so that the caller can begin again with all that it knows of the boundary.
 */
export type Moved = 'follow' | 'refuse';

/** Boundaries that are merged, by their places in a list. */
export interface Group {
  readonly name: string;
  readonly members: readonly number[];
}
