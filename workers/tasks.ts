import type { Box, Detail, Document, Format, Polygons, Rings } from './contract.ts';
import type { PlaceNodes } from './kernels/centre.ts';
import type { CoverageFeature } from './kernels/clean.ts';
import type { PerPoint } from './kernels/locate_many.ts';
import type { DependencyCells } from './kernels/reach.ts';
import type { Slivers } from './kernels/slivers.ts';

/** The heap that a task reads; null is the common heap, which the worker gets when it starts. */
export type TaskHeap = { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number } | null;

/** What every task carries: the index of its cancel flag and of its two times in shared memory. */
export interface TaskBase {
  readonly flag: number;
}

/** Milliseconds of the monotonic clock that all threads of a process share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Lays out one boundary at a level and writes it in a format. */
export interface RenderTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/** Merges boundaries: the union of `include` minus the union of `exclude` (indexes into `boundaries`). */
export interface MergeTask extends TaskBase {
  readonly heap: TaskHeap;
  /** Per boundary, its arcs as signed slots of the heap. */
  readonly boundaries: readonly Int32Array[];
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly detail: Detail;
  readonly endClass: number;
  readonly format: Format;
  /** The worker fills in bbox, digits, and the properties area_km2, detail and tolerance_m. */
  readonly document: Document;
  readonly maxBytes: number;
}

/** The merge as an overlay on the integer grid, for boundaries whose arcs cross. */
export interface OverlayTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly detail: Detail;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/** The second half of an overlay whose first half PostGIS computed. */
export interface FinishTask extends OverlayTask {
  /** The overlay's result, in 1e-7 degrees. */
  readonly wkb: Uint8Array;
}

/** Compares pairs of boundaries: shared arc, near, or far. See kernels/nearness.ts. */
export interface NearTask extends TaskBase {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Three numbers per pair: the indexes of two boundaries, and a distance in meters (negative: compare arcs only). */
  readonly pairs: Float64Array;
}

/** A region as an expression over boundaries (indexes). Boxes are west, south, east, north in 1e-7 degrees. */
export type RegionTree =
  | { readonly op: 'set'; readonly of: readonly number[] }
  | { readonly op: 'union'; readonly of: readonly RegionTree[] }
  | { readonly op: 'difference'; readonly of: RegionTree; readonly minus: RegionTree }
  | { readonly op: 'intersection'; readonly of: RegionTree; readonly with: RegionTree }
  | {
      readonly op: 'clip';
      readonly of: RegionTree;
      readonly boxes: readonly (readonly [number, number, number, number])[];
    }
  | { readonly op: 'buffer'; readonly of: RegionTree; readonly km: number };

/** Evaluates a region's tree by overlays. See region.ts. */
export interface RegionTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly tree: RegionTree;
  /** Whether any two arcs of these boundaries are recorded as crossing. */
  readonly conflict: boolean;
  readonly detail: Detail;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/**
 * The bytes written, or why there are none. `trouble`: this strategy cannot guarantee a valid result, so the caller
 * tries the next one. `x` and `y` are in 1e-7 degrees.
 */
export type WriteResult =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly sha256: string;
      readonly areaKm2: number;
      readonly level: number;
    }
  | { readonly kind: 'too_large'; readonly bytes: number }
  | { readonly kind: 'trouble'; readonly reason: string; readonly x: number; readonly y: number };

/** Locates one point (1e-7 degrees) in each boundary: 1 inside, 0 on the border, -1 outside. */
export interface LocateTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  readonly x: number;
  readonly y: number;
}

/** Measures the arcs of a boundary (signed slots). See kernels/border.ts. */
export interface BorderTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
}

/** Locates points, each in one boundary of its own: 1 inside, 0 on the border, -1 outside. */
export interface LocateAllTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  /** Three numbers per point: an index into `boundaries`, x, y. x and y are multiples of 1/2, in 1e-7 degrees. */
  readonly points: Float64Array;
}

/** Finds the boxes that contain each point. See kernels/locate_many.ts. */
export interface BoxesAtTask extends TaskBase {
  readonly tree: ArrayBufferLike | null;
  readonly boxes: Int32Array;
  /** x, y per point, in 1e-7 degrees. */
  readonly points: Int32Array;
}

/** Finds which of its candidate boundaries contain each point. See kernels/locate_many.ts. */
export interface LocateAmongTask extends TaskBase {
  readonly heap: TaskHeap;
  /**
   * The signed slots of boundary i are `refs[refFrom[i]] … refs[refEnd[i] - 1]`. Boundaries that are not candidates may
   * have none.
   */
  readonly refs: Int32Array;
  readonly refFrom: Uint32Array;
  readonly refEnd: Uint32Array;
  readonly points: Int32Array;
  readonly candidates: PerPoint;
}

/** Merges each of many groups of boundaries, into one collection. See dissolve.ts. */
export interface DissolveTask extends TaskBase {
  readonly heap: TaskHeap;
  /** The signed slots of all boundaries. Those of boundary i end before `refEnd[i]`. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Pairs of slots whose arcs are recorded as crossing. */
  readonly conflicts: Int32Array;
  /** The name of each group. */
  readonly names: readonly string[];
  /** Indexes of boundaries. Those of group g end before `groupEnd[g]`. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
  /** Applies to the largest group, and only when `level` is null. */
  readonly detail: Detail | null;
  readonly level: number | null;
  /**
   * Members of the GeoJSON collection besides `features`; detail and tolerance_m precede them. Null: return areas
   * instead of a document.
   */
  readonly members: Readonly<Record<string, unknown>> | null;
  /** Limits the document, or the coordinates of all areas together. */
  readonly maxBytes: number;
}

/** The merged area of one group. */
export interface DissolvedArea {
  readonly polygons: Polygons;
  /** West > east across the antimeridian; null when empty. */
  readonly box: Box | null;
  readonly areaKm2: number;
  /** False: computed by an overlay. */
  readonly exact: boolean;
}

/** The area of each group, in order. */
export interface DissolvedAreas {
  readonly kind: 'areas';
  readonly level: number;
  readonly areas: readonly DissolvedArea[];
}

/** A written collection, or areas, or why there is neither: `trouble` names the group that failed. */
export type DissolveResult =
  | DissolvedAreas
  | Exclude<WriteResult, { kind: 'trouble' }>
  | (Extract<WriteResult, { kind: 'trouble' }> & { readonly group: string });

/** Computes the common area of each pair of two lists of boundaries. See crosswalk.ts. */
export interface CrosswalkTask extends TaskBase {
  readonly heap: TaskHeap;
  /** `refs`, `refEnd` and `conflicts` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  readonly conflicts: Int32Array;
  /** Indexes of boundaries. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly maxPairs: number;
}

/** The pairs with a common area, ordered by their positions in `a`, then in `b`; or why there are none. */
export type CrosswalkResult =
  | {
      readonly kind: 'pairs';
      /** Per pair, a position in the task's `a` and one in its `b`. */
      readonly a: Uint32Array;
      readonly b: Uint32Array;
      readonly areaKm2: Float64Array;
      /** Per pair, 1 when the area comes from arcs, 0 when the borders cross and an overlay measured it. */
      readonly exact: Uint8Array;
      /** Per position in the task's `a` and `b`, the area of the whole boundary in km2. */
      readonly wholeA: Float64Array;
      readonly wholeB: Float64Array;
    }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'trouble'; readonly index: readonly number[]; readonly reason: string };

/** Packs boxes into a search tree (kernels/pack_boxes.ts). Four numbers per box: west, south, east, north. */
export interface PackTask extends TaskBase {
  readonly boxes: Int32Array;
}

/** Computes the share (0 … 1) of each child's area that is inside its parent. */
export interface ShareTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  /** child, parent, child, parent … as indexes into `boundaries`. Pairs with the same parent are adjacent. */
  readonly pairs: Uint32Array;
  /** Per pair, 1 when arcs of the two are recorded as crossing; an overlay then measures the share. */
  readonly conflicts: Uint8Array;
}

/** A chain of vertices (x, y in 1e-7 degrees) to cut: an OSM way, a ring of a coverage, or a stored arc. */
export type Chain = Int32Array;

/** Cuts chains into arcs and assembles boundaries from them. See build.ts. */
export interface BuildTask extends TaskBase {
  readonly chains: readonly Chain[];
  /** chains[storedFrom …] are stored arcs that other boundaries use; the chains before them are new. */
  readonly storedFrom: number;
  /**
   * Per stored chain: its class and main flag, as the boundaries that use it set them, and whether it is in a conflict.
   */
  readonly stored: {
    readonly arcClass: Uint8Array;
    readonly main: Uint8Array;
    readonly conflicted: Uint8Array;
  };
  /** Vertices (x, y) at which deleted arcs ended: the two arcs that remain there may be joined into one. */
  readonly loose: Int32Array;
  readonly boundaries: readonly BoundaryToBuild[];
}

export interface BoundaryToBuild {
  /** Indexes of the chains of its border; a chain may be repeated. */
  readonly chains: Uint32Array;
  /** 1 … 12; 13: not an administrative boundary. */
  readonly adminLevel: number;
  /** The places that the source gives for its center; absent when it gives none. */
  readonly places?: PlaceNodes;
}

/** Arcs as they were cut and joined, without tiers. */
export interface AssembledArcs {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** 16 bytes per arc. */
  readonly hashes: Uint8Array;
  /** Per arc, the smallest end class of a boundary that uses it. */
  readonly arcClass: Uint8Array;
  /** Per arc, 1 when it is in the shell of the largest part of a boundary. */
  readonly main: Uint8Array;
  readonly area: Float64Array;
  readonly turn: Float64Array;
  readonly box: Int32Array;
}

/** The tiers of arcs. */
export interface TiersOfArcs {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  /** The cells that the tiers of each arc depend on. */
  readonly reach: DependencyCells;
}

export interface BuiltArcs extends AssembledArcs, TiersOfArcs {}

export interface AssembledBoundary {
  readonly rings: Rings;
  /** Index of its polygon with the largest area. */
  readonly largest: number;
}

export interface BuiltBoundary extends AssembledBoundary {
  readonly areaKm2: number;
  readonly box: readonly [number, number, number, number];
  readonly center: readonly [number, number];
  readonly geometryHash: Uint8Array;
  readonly ewkb: Uint8Array;
}

/** Arcs cut from chains, and the boundaries assembled from them or why they do not assemble. */
export interface AssembleResult {
  /** Arcs that a boundary of the task, or a stored boundary, uses. */
  readonly arcs: AssembledArcs;
  /** Pairs of arcs, for the task's boundaries: an arc of a shell, and an arc of a hole in that shell. */
  readonly links: Int32Array;
  /**
   * Per stored chain: the signed arcs that replace it when walked forward and backward, and the arcs it is now part of.
   */
  readonly storedArcs: readonly {
    readonly forward: Int32Array;
    readonly backward: Int32Array;
    readonly parts: Int32Array;
  }[];
  readonly boundaries: readonly (AssembledBoundary | BuildTrouble)[];
  readonly conflicts: readonly { a: number; b: number; kind: 'cross' | 'touch' | 'overlap'; x: number; y: number }[];
}

/** Why a boundary does not assemble, and where (1e-7 degrees). */
export interface BuildTrouble {
  readonly trouble: string;
  readonly x: number;
  readonly y: number;
}

/** An assembled arrangement with the tiers that its arcs have if no other arcs exist. */
export interface TieredArrangement extends AssembleResult {
  readonly arcs: BuiltArcs;
}

/** Everything that is stored of an arrangement. */
export interface BuildResult extends TieredArrangement {
  readonly boundaries: readonly (BuiltBoundary | BuildTrouble)[];
}

/** Describes assembled boundaries: areas, boxes, centers, hashes and polygons. */
export interface DescribeTask extends TaskBase {
  readonly arcs: Pick<AssembledArcs, 'coords' | 'first' | 'length' | 'area' | 'turn' | 'box'>;
  readonly boundaries: readonly (AssembledBoundary & Pick<BoundaryToBuild, 'places'>)[];
}

/** Computes the tiers of all arcs of an arrangement, as if no other arcs existed. */
export interface TierAllTask extends TaskBase {
  readonly arcs: Pick<AssembledArcs, 'coords' | 'first' | 'length' | 'arcClass' | 'main'>;
  readonly links: Int32Array;
}

/** Computes the tiers of some arcs of an arrangement, given part of that arrangement. See kernels/simplify.ts. */
export interface TierTask extends TaskBase {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly arcClass: Uint8Array;
  readonly main: Uint8Array;
  readonly links: Int32Array;
  readonly linked: Uint8Array;
  /** Keys of the cells whose arcs up to class `cellClass[i]` are all given. */
  readonly cells: Float64Array;
  readonly cellClass: Uint8Array;
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  readonly todoWeights: Uint8Array;
  readonly todoEnds: Uint16Array;
  readonly todoDigits: Uint8Array;
}

export interface TierResult {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  /** The cells that the computed tiers depend on. */
  readonly reach: DependencyCells;
  /** Per arc, 1 when its result is not final. */
  readonly open: Uint8Array;
  /** Cells, and the class up to which their arcs must be given, before the open arcs can be finished. */
  readonly missing: Float64Array;
  readonly missingClass: Uint8Array;
  /** Arcs whose links must be given before the open arcs can be finished. */
  readonly unlinked: Int32Array;
}

/** Removes slivers from a coverage. See kernels/clean.ts. */
export interface CleanTask extends TaskBase {
  readonly features: readonly CoverageFeature[];
  readonly slivers?: Slivers;
}

/** Returns the polygons of one boundary, for tests and for the overlay. */
export interface PolygonsTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
}

export type { Polygons };
