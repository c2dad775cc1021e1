import type { PlaceNodes } from '../../../workers/kernels/centre.ts';
import type { Database } from '../../db/connect.ts';
import type { Engine } from '../../geometry/engine.ts';
import type { SourceBoundary } from '../types.ts';
import type { StoredArc, StoredShape, WayRow } from './topology.ts';

/** Where boundaries come from, as a row of table source. */
export interface SourceInfo {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly resolution: string | null;
  /** Shapes that give way to OpenStreetMap's. */
  readonly seed: boolean;
}

/** A relation as the map has it, for the raw tables. */
export interface RawRelation {
  readonly id: number;
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly members: readonly { readonly type: 'n' | 'w' | 'r'; readonly ref: number; readonly role: string }[];
}

/** A label or admin_centre node, for the raw tables. */
export interface RawNode {
  readonly id: number;
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  /** Its place in 1e-7 degrees, NOWHERE when that is not known. */
  readonly x: number;
  readonly y: number;
}

/** A boundary that the map has no more. */
export interface Gone {
  readonly id: string;
  /** Of the removed object: an older one of the same id is ignored. */
  readonly version: number;
  /** The object was deleted (the default); it lost the tags of a boundary; it is part of another border now. */
  readonly reason?: 'deleted' | 'retagged' | 'member';
}

/** Why a boundary cannot take the shape that its ways give, and where (1e-7 degrees; null when it has no place). */
export interface Trouble {
  readonly trouble: string;
  readonly x: number | null;
  readonly y: number | null;
}

/** Vertices that a batch collects, and that a connected region may have before it is divided (batches.ts). */
export interface BatchSize {
  readonly aim: number;
  readonly most: number;
}

export interface StoreInput {
  readonly source: SourceInfo;
  /** The file or package, for the record. */
  readonly file: string;
  readonly boundaries: readonly SourceBoundary[];
  readonly relations?: readonly RawRelation[];
  readonly ways?: ReadonlyMap<number, WayRow>;
  /** Label and admin_centre nodes. */
  readonly nodes?: ReadonlyMap<number, RawNode>;
  /** The time of the data, RFC 3339; null or absent when it is not known. */
  readonly timestamp?: string | null;
  /**
   * The ways are what the map has now, each to be stored, and one that lacks a node now takes the place of one that did
   * not; otherwise they are an extract's, which lacks what its edge cuts.
   */
  readonly current?: boolean;
  /** Ids of boundaries whose area may be what it is. */
  readonly accept?: ReadonlySet<string>;
  /** Boundaries that the map has no more. */
  readonly gone?: readonly Gone[];
  /** Other than usual. */
  readonly batchSize?: BatchSize;
  /** A few among many: the statistics of the tables are good enough as they are. */
  readonly few?: boolean;
}

export interface Broken {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** Degrees; null when the trouble has no place. */
  readonly lat: number | null;
  readonly lon: number | null;
}

export interface StoreSummary {
  /** Boundaries in the source. */
  read: number;
  /** Written for the first time. */
  added: number;
  /** Written over an earlier version. */
  replaced: number;
  unchanged: number;
  /** Left alone because what is stored is newer, or from a better source. */
  older: number;
  /** Stored boundaries made again because a way of theirs changed. */
  reassembled: number;
  /** Removed because the map has them no more. */
  gone: number;
  /** Without a polygon, with the reason. */
  broken: Broken[];
  /** Seed shapes that gave way to a boundary of another id, which answers for theirs. */
  aliased: number;
  /** Seed shapes that overlap a boundary of the same kind and stay. */
  doubles: number;
  /** Arcs that were not stored before. */
  arcs: number;
  /** Stored arcs whose tiers changed because something near them did. */
  retiered: number;
  /** Stored arcs that were read to find that out. */
  loaded: number;
  conflicts: number;
}

export type Progress = (message: string) => void;

/** A row of table boundary that an import may touch. */
export interface StoredBoundary {
  id: string;
  source: string;
  source_id: string;
  source_version: string;
  version: number;
  type: 'administrative' | 'postal_code';
  name: string;
  admin_level: number | null;
  ways: number[];
  has_geometry: boolean;
  meta_hash: string;
  geometry_hash: string | null;
  area_km2: number | null;
  seed: boolean;
  /** Tag type of an OpenStreetMap relation: boundary or multipolygon. */
  relation_type: string | null;
  /** Since when an older shape is kept; null when it is not. */
  stale_since: string | null;
}

/** A boundary to be made: from the source, or only re-assembled from what is stored (input null). */
export interface Candidate {
  readonly id: string;
  readonly input: SourceBoundary | null;
  readonly metaHash: string;
  readonly stored: StoredBoundary | null;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
  /** Of its label and admin_centre nodes, as the source says now, else as they are stored. */
  readonly places?: PlaceNodes | undefined;
}

/** A boundary that was written; input null: only its shape was made again. */
export interface Made {
  readonly id: string;
  readonly input: SourceBoundary | null;
}

/** What a run needs of a database: all of one, or a transaction of it, in which its transactions are parts of that one. */
export interface Storage extends Pick<Database, 'query' | 'exec' | 'transaction'> {
  /** A batch is not begun before the one before it is written: there is one session, which all of them share. */
  readonly inOrder: boolean;
}

/** One run of an import: what it works on, and what it counts. */
export interface Run {
  readonly db: Storage;
  readonly engine: Engine;
  readonly input: StoreInput;
  /** The row of import_run. */
  readonly id: number;
  readonly progress: Progress;
  readonly summary: StoreSummary;
  /** Boundaries of this part; where those without a polygon lie is derived when all parts are stored. */
  readonly later: Set<string>;
}

/** What is cut and assembled, and the stored arcs around it. */
export interface Plan {
  /** The chains of the boundaries to make, then the stored arcs around them. */
  readonly chains: Int32Array[];
  readonly storedFrom: number;
  readonly boundaries: readonly PlannedBoundary[];
  /** The boundaries whose stored shape goes: made again, or removed. */
  readonly remade: readonly string[];
  /** The arcs of those, by id. */
  readonly former: ReadonlyMap<number, StoredArc>;
  /** The stored arcs among the chains, in their order: former ones that other boundaries use, and those around. */
  readonly around: readonly StoredArc[];
  /** The other boundaries that use former arcs. */
  readonly owners: readonly StoredShape[];
  /** Nothing stored is so near that its tiers, or those of what is new, depend on the other. */
  readonly alone: boolean;
}

/** A boundary of a Plan: its chains, as indexes with a sign, and what is wrong with it. */
export interface PlannedBoundary {
  readonly candidate: Candidate;
  readonly chains: readonly number[];
  readonly trouble: Trouble | null;
}
