import type { PlaceNodes } from '../../../workers/arcs/center.ts';
import type { MapBox } from '../../../workers/osm/blob.ts';
import type { PlacingRecord } from '../../../workers/projections/notices.ts';
import type { Database } from '../../db/connect.ts';
import type { Engine } from '../../geometry/engine.ts';
import type { SourceBoundary } from '../types.ts';
import type { StoreSummary } from './summary.ts';
import type { StoredArc, StoredShape } from './topology.ts';
import type { WayRow } from './topology_writes.ts';

/** A source of boundaries, as a row of table source. */
export interface SourceInfo {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly license: string;
  readonly attribution: string;
  readonly resolution: string | null;
  /** Whether boundaries of OpenStreetMap replace its shapes. */
  readonly seed: boolean;
  /** As its publisher names it; absent when not stated. */
  readonly edition?: string;
  /** Absent when its files state none. */
  readonly placing?: PlacingRecord;
  /** Whether its areas end at the shore: then they are land. Those of seed data do. */
  readonly land?: boolean;
}

/** The columns of a source, as the statement store_put_source takes them. */
export function sourceColumns({
  id,
  name,
  url,
  license,
  attribution,
  resolution,
  seed,
  edition = '',
  placing,
  land = seed,
}: SourceInfo) {
  const { referenceSystem = null, accuracyM = null } = placing ?? {};
  const about = [id, name, url, license, attribution, resolution, seed, referenceSystem, accuracyM] as const;
  return [...about, edition === '' ? null : edition, land] as const;
}

/** A relation as OpenStreetMap has it, for the raw tables. */
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
  /** Its place in 1e-7 degrees; NOWHERE when unknown. */
  readonly x: number;
  readonly y: number;
}

/** A boundary that OpenStreetMap no longer has. */
export interface RemovedBoundary {
  readonly id: string;
  /** Version of the removed object; an older object of the same id is ignored. */
  readonly version: number;
  /** Deleted (the default); lost its boundary tags (`retagged`); or now part of another border (`member`). */
  readonly reason?: 'deleted' | 'retagged' | 'member';
}

/** Why a boundary cannot take the shape of its ways, and where (1e-7 degrees; null when the problem has no place). */
export interface ShapeFault {
  readonly trouble: string;
  readonly x: number | null;
  readonly y: number | null;
}

/** A line between land and water: x, y in 1e-7 degrees, land on its left. */
export interface CoastLine {
  readonly id: number;
  readonly version: number;
  readonly coords: Int32Array;
}

/** What renewing the land needs of a run. */
export type LandRun = BuildRun & Pick<Run, 'db'>;

/** How many vertices a batch collects (`aim`), and how many a region may have before it is divided (batches.ts). */
export interface BatchSize {
  readonly aim: number;
  readonly most: number;
}

export interface StoreInput {
  readonly source: SourceInfo;
  /** Name of the file or package, recorded with the run. */
  readonly file: string;
  readonly boundaries: readonly SourceBoundary[];
  readonly relations?: readonly RawRelation[];
  readonly ways?: ReadonlyMap<number, WayRow>;
  /** Label and admin_centre nodes. */
  readonly nodes?: ReadonlyMap<number, RawNode>;
  /** Time of the data, RFC 3339; null or absent when unknown. */
  readonly timestamp?: string | null;
  /**
   * Whether the ways are the current state of the map: all are stored, and a way that now lacks a node replaces a
   * complete one. Otherwise they come from an extract, whose edge cuts ways: an incomplete way never replaces a
   * complete one.
   */
  readonly current?: boolean;
  /** Ids of boundaries that skip the check of their area (gate.ts). */
  readonly accept?: ReadonlySet<string>;
  /**
   * Whether its boundaries take the place of seed boundaries that match only in name, country and place. Those of
   * OpenStreetMap do (the default); those of a coverage if the person who imports it says so.
   */
  readonly replace?: boolean;
  /** Coastlines, with land on their left; those of OpenStreetMap by the id of their way. */
  readonly coast?: readonly CoastLine[];
  /** Ids of coastlines that are in the file without all of their nodes. */
  readonly cutCoast?: readonly number[];
  /** The extent that the file states to cover; null or absent when it states none. */
  readonly bbox?: MapBox | null;
  /**
   * When what a boundary is made of changed, RFC 3339, by ids as `r1` and `w1`. What is made of it is valid from the
   * newest of these times at the earliest (valid_from.ts); all else from its import.
   */
  readonly changedAt?: ReadonlyMap<string, string>;
  /** Boundaries that OpenStreetMap no longer has. */
  readonly deleted?: readonly RemovedBoundary[];
  /** Overrides the default size of batches. */
  readonly batchSize?: BatchSize;
  /** Whether the input is small beside what is stored: the planner's statistics are then not refreshed. */
  readonly few?: boolean;
}

export type Progress = (message: string) => void;

/** A row of table boundary that an import may touch. */
export interface StoredBoundary {
  id: string;
  source: string;
  source_id: string;
  source_version: string;
  version: number;
  imported_at: Date;
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
  /** When the stored shape became stale; null while it is current. */
  stale_since: string | null;
}

/** A boundary to build: from the source, or reassembled from stored data (input null). */
export interface Candidate {
  readonly id: string;
  readonly input: SourceBoundary | null;
  readonly metaHash: string;
  readonly stored: StoredBoundary | null;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
  /** Places of its label and admin_centre nodes: those of the source or, with a null input, the stored ones. */
  readonly places?: PlaceNodes | undefined;
}

/** A boundary that was written; input is null when only its shape was reassembled. */
export interface WrittenBoundary {
  readonly id: string;
  readonly input: SourceBoundary | null;
}

/** What a run uses of a database: the database itself, or an open transaction that the run's transactions join. */
export interface Storage extends Pick<Database, 'query' | 'exec' | 'transaction'> {
  /** Whether each batch waits until the one before is written, because all share one session. */
  readonly inOrder: boolean;
}

/** The level of a boundary that is not administrative or has none, as the tiers count it. */
export const NOT_ADMINISTRATIVE = 13;

/** What building an arrangement needs of a run. */
export type BuildRun = Pick<Run, 'engine' | 'progress' | 'summary'>;

/** One run of an import: its input, its database and its counts. */
export interface Run {
  readonly db: Storage;
  readonly engine: Engine;
  readonly input: StoreInput;
  /** Id of its row in import_run. */
  readonly id: number;
  readonly progress: Progress;
  readonly summary: StoreSummary;
  /** Ids of the boundaries of this part. Those without a polygon are placed after all parts are stored. */
  readonly later: Set<string>;
}

/** The input of one build: the chains to cut, the boundaries to assemble, and the stored arcs around them. */
export interface BuildPlan {
  /** The arrangement that is changed: all stored arcs of a plan are of it. */
  readonly arrangement: number;
  /** The chains of the boundaries to build, then (from index `storedFrom`) the stored arcs of `around`. */
  readonly chains: Int32Array[];
  readonly storedFrom: number;
  readonly boundaries: readonly PlannedBoundary[];
  /** Ids of the boundaries whose stored shape is discarded: they are rebuilt or removed. */
  readonly remade: readonly string[];
  /** The stored arcs of `remade`, by id. */
  readonly former: ReadonlyMap<number, StoredArc>;
  /** The stored arcs among the chains, in their order: former arcs that other boundaries use, then nearby arcs. */
  readonly around: readonly StoredArc[];
  /** Boundaries outside `remade` that use former arcs. */
  readonly owners: readonly StoredShape[];
  /** The seed boundaries among `remade` whose place a boundary takes, with its id. */
  readonly superseded: ReadonlyMap<string, string>;
  /** Whether nothing stored is near enough for tiers to depend on one another. */
  readonly isolated: boolean;
}

/** A boundary of a BuildPlan: its chains (indexes into BuildPlan.chains), or the reason why it has none. */
export interface PlannedBoundary {
  readonly candidate: Candidate;
  readonly chains: readonly number[];
  readonly trouble: ShapeFault | null;
}
