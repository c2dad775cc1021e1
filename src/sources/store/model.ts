import type { Database } from '../../db/connect.ts';
import type { WayRow } from '../../domain/topology.ts';
import type { Engine } from '../../geometry/engine.ts';
import type { SourceBoundary } from '../types.ts';

/** Where boundaries come from, as a row of table source. */
export interface SourceInfo {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly licence: string;
  readonly attribution: string;
  readonly resolution: string | null;
  /** Shapes that give way to OpenStreetMap's. */
  readonly starter: boolean;
}

/** A relation as the map has it, for the raw tables. */
export interface RawRelation {
  readonly id: number;
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly members: readonly { readonly type: 'n' | 'w' | 'r'; readonly ref: number; readonly role: string }[];
}

export interface StoreInput {
  readonly source: SourceInfo;
  /** The file or package, for the record. */
  readonly file: string;
  readonly boundaries: readonly SourceBoundary[];
  readonly relations?: readonly RawRelation[];
  readonly ways?: ReadonlyMap<number, WayRow>;
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
  /** Stored boundaries made anew because a way of theirs changed. */
  reassembled: number;
  /** Without a polygon, with the reason. */
  broken: Broken[];
  /** Starter shapes that gave way to a boundary of another id, which answers for theirs. */
  aliased: number;
  /** Starter shapes that overlap a boundary of the same kind and stay. */
  doubles: number;
  arcs: number;
  /** Stored arcs whose tiers changed because something near them did. */
  retiered: number;
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
  starter: boolean;
}

/** A boundary to be made: from the source, or only re-assembled from what is stored (input null). */
export interface Candidate {
  readonly id: string;
  readonly input: SourceBoundary | null;
  readonly metaHash: string;
  readonly stored: StoredBoundary | null;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
}

/** A boundary that was written; input null: only its shape was made anew. */
export interface Made {
  readonly id: string;
  readonly input: SourceBoundary | null;
}

/** One run of an import: what it works on, and what it counts. */
export interface Run {
  readonly db: Database;
  readonly engine: Engine;
  readonly input: StoreInput;
  /** The row of import_run. */
  readonly id: number;
  readonly progress: Progress;
  readonly summary: StoreSummary;
}
