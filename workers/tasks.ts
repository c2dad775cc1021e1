import type { Box, Detail, Document, Format, Polygons, Rings } from './contract.ts';
import type { PlaceNodes } from './kernels/centre.ts';
import type { CoverageFeature } from './kernels/clean.ts';
import type { PerPoint } from './kernels/locate_many.ts';
import type { Reach } from './kernels/reach.ts';
import type { Slivers } from './kernels/slivers.ts';

/** Which heap a task reads: null is the common one, given to the worker when it started. */
export type TaskHeap = { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number } | null;

/** What every task carries: where its flag of cancellation, and its times, lie in shared memory. */
export interface TaskBase {
  readonly flag: number;
}

/** Milliseconds of the one clock that all threads of a process share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Lay one boundary out at a level and write it. */
export interface RenderTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/** Merge boundaries: the union of `include` minus the union of `exclude` (indexes into `boundaries`). */
export interface MergeTask extends TaskBase {
  readonly heap: TaskHeap;
  /** Per boundary its arcs as signed slots. */
  readonly boundaries: readonly Int32Array[];
  readonly include: readonly number[];
  readonly exclude: readonly number[];
  readonly detail: Detail;
  readonly endClass: number;
  readonly format: Format;
  /** bbox, digits and the properties area_km2, detail and tolerance_m are filled by the worker. */
  readonly document: Document;
  readonly maxBytes: number;
}

/** The same by an overlay on the grid of integers: for boundaries whose arcs cross. */
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

/** The second half of an overlay whose first half PostGIS ran. */
export interface FinishTask extends OverlayTask {
  /** The result in units of 1e-7 degrees. */
  readonly wkb: Uint8Array;
}

/** How near pairs of boundaries are. See kernels/nearness.ts. */
export interface NearTask extends TaskBase {
  readonly heap: TaskHeap;
  /** As in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Two indexes of boundaries and the meters of each pair; negative: only arcs are compared. */
  readonly pairs: Float64Array;
}

/** How a region is made of boundaries (indexes) and of other regions. Boxes are west, south, east, north in 1e-7 degrees. */
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

/** Overlay boundaries as a tree says. See region.ts. */
export interface RegionTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly tree: RegionTree;
  /** Whether arcs of the boundaries are recorded to cross. */
  readonly conflict: boolean;
  readonly detail: Detail;
  readonly format: Format;
  readonly document: Document;
  readonly maxBytes: number;
}

/** Bytes written, or why none were. `trouble`: the strategy cannot vouch for the result, the next one must do it. */
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

/** Where a point lies: 1 inside, 0 on the border, -1 outside, per boundary. */
export interface LocateTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  readonly x: number;
  readonly y: number;
}

/** Measure the arcs of a boundary. See kernels/border.ts. */
export interface BorderTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
}

/** Where points lie, each in a boundary of its own: 1 inside, 0 on the border, -1 outside. */
export interface LocateAllTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Int32Array[];
  /** index into `boundaries`, x, y, index, x, y …; x and y in 1e-7 degrees, multiples of 1/2. */
  readonly points: Float64Array;
}

/** The boxes that hold points. See kernels/locate_many.ts. */
export interface BoxesAtTask extends TaskBase {
  readonly tree: ArrayBufferLike | null;
  readonly boxes: Int32Array;
  /** x, y of each in 1e-7 degrees. */
  readonly points: Int32Array;
}

/** Which of their candidates points lie in. See kernels/locate_many.ts. */
export interface LocateAmongTask extends TaskBase {
  readonly heap: TaskHeap;
  /** The signed slots of boundary i are `refs[refFrom[i]] … refs[refEnd[i] - 1]`; others may have none yet. */
  readonly refs: Int32Array;
  readonly refFrom: Uint32Array;
  readonly refEnd: Uint32Array;
  readonly points: Int32Array;
  readonly candidates: PerPoint;
}

/** The union of each of many groups of boundaries as one collection. See dissolve.ts. */
export interface DissolveTask extends TaskBase {
  readonly heap: TaskHeap;
  /** The signed slots of all boundaries; those of boundary i end before `refEnd[i]`. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Pairs of slots whose arcs are recorded to cross. */
  readonly conflicts: Int32Array;
  /** Of the groups. */
  readonly names: readonly string[];
  /** Indexes of boundaries; those of group g end before `groupEnd[g]`. */
  readonly groupMembers: Uint32Array;
  readonly groupEnd: Uint32Array;
  /** Relative to the largest group, where no level is given. */
  readonly detail: Detail | null;
  readonly level: number | null;
  /** Members of the GeoJSON collection beside its features; detail and tolerance_m come before them. Null: areas are asked for. */
  readonly members: Readonly<Record<string, unknown>> | null;
  /** Of the document, or of the coordinates of all areas. */
  readonly maxBytes: number;
}

/** The area of a group, laid out. */
export interface DissolvedArea {
  readonly polygons: Polygons;
  /** West > east across the antimeridian; null when empty. */
  readonly box: Box | null;
  readonly areaKm2: number;
  /** False: overlaid. */
  readonly exact: boolean;
}

/** The area of each group, in order. */
export interface DissolvedAreas {
  readonly kind: 'areas';
  readonly level: number;
  readonly areas: readonly DissolvedArea[];
}

/** A written collection, or areas; or why there is neither: trouble names the group. */
export type DissolveResult =
  | DissolvedAreas
  | Exclude<WriteResult, { kind: 'trouble' }>
  | (Extract<WriteResult, { kind: 'trouble' }> & { readonly group: string });

/** What each pair of two lists of boundaries has in common. See crosswalk.ts. */
export interface CrosswalkTask extends TaskBase {
  readonly heap: TaskHeap;
  /** As in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  readonly conflicts: Int32Array;
  /** Indexes of boundaries. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly maxPairs: number;
}

/** The pairs with a common area, by their places in `a`, then `b`; or why there are none. */
export type CrosswalkResult =
  | {
      readonly kind: 'pairs';
      /** Places in `a` and in `b`. */
      readonly a: Uint32Array;
      readonly b: Uint32Array;
      readonly areaKm2: Float64Array;
      /** Per pair, 1 where the area is that of arcs, 0 where borders cross and were overlaid. */
      readonly exact: Uint8Array;
      /** Per place in `a` and in `b`, the area of the boundary in km2. */
      readonly wholeA: Float64Array;
      readonly wholeB: Float64Array;
    }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'trouble'; readonly index: readonly number[]; readonly reason: string };

/** Boxes to be packed into a tree (kernels/pack_boxes.ts). */
export interface PackTask extends TaskBase {
  readonly boxes: Int32Array;
}

/** The share of each child's area that lies in a parent. */
export interface ShareTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  /** child, parent, child, parent … as indexes into `boundaries`. */
  readonly pairs: Uint32Array;
  /** Per pair, 1 when arcs of the two are recorded to cross: then an overlay measures it. */
  readonly conflicts: Uint8Array;
}

/** A chain of vertices to be cut: an OSM way, a ring of a coverage, or an arc already stored. */
export type Chain = Int32Array;

/** Cut chains into arcs, assemble boundaries of them, and work out all that is stored. See build.ts. */
export interface BuildTask extends TaskBase {
  readonly chains: readonly Chain[];
  /** chains[storedFrom …] are arcs that are stored already and that other boundaries use; the others are new. */
  readonly storedFrom: number;
  /** Per stored chain: its class and whether it is main, as other boundaries make them; whether it is in a conflict. */
  readonly stored: {
    readonly arcClass: Uint8Array;
    readonly main: Uint8Array;
    readonly conflicted: Uint8Array;
  };
  /** PlaceNodes (x, y) where deleted arcs ended: what is left there may go on as one. */
  readonly loose: Int32Array;
  readonly boundaries: readonly BoundaryToBuild[];
}

export interface BoundaryToBuild {
  /** The chains of its border, with repetitions. */
  readonly chains: Uint32Array;
  /** 13: not administrative. */
  readonly adminLevel: number;
  /** What the source says of its middle; absent: nothing. */
  readonly places?: PlaceNodes;
}

export interface BuiltArcs {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** 16 bytes per arc. */
  readonly hashes: Uint8Array;
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
  /** Per arc, the smallest end class of a boundary that uses it. */
  readonly arcClass: Uint8Array;
  /** Per arc, 1 when it is in the shell of the largest part of a boundary. */
  readonly main: Uint8Array;
  /** What the tiers depend on. */
  readonly reach: Reach;
  readonly area: Float64Array;
  readonly turn: Float64Array;
  readonly box: Int32Array;
}

export interface BuiltBoundary {
  readonly rings: Rings;
  /** Its polygon with the largest area. */
  readonly largest: number;
  readonly areaKm2: number;
  readonly box: readonly [number, number, number, number];
  readonly centre: readonly [number, number];
  readonly geometryHash: Uint8Array;
  readonly ewkb: Uint8Array;
}

export interface BuildResult {
  /** Arcs that a boundary of the task, or a stored one, uses; their tiers as if there were no others. */
  readonly arcs: BuiltArcs;
  /** Pairs of an arc of a shell and an arc of a hole in it, of the boundaries of the task. */
  readonly links: Int32Array;
  /** Per stored chain: the signed arcs that a walk over it enters, forward and backward, and the arcs it is part of now. */
  readonly storedArcs: readonly {
    readonly forward: Int32Array;
    readonly backward: Int32Array;
    readonly parts: Int32Array;
  }[];
  readonly boundaries: readonly (
    | BuiltBoundary
    | { readonly trouble: string; readonly x: number; readonly y: number }
  )[];
  readonly conflicts: readonly { a: number; b: number; kind: 'cross' | 'touch' | 'overlap'; x: number; y: number }[];
}

/** Work out the tiers of some arcs of an arrangement, of which a part is given. See kernels/simplify.ts. */
export interface TierTask extends TaskBase {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly arcClass: Uint8Array;
  readonly main: Uint8Array;
  readonly links: Int32Array;
  readonly linked: Uint8Array;
  /** Cells of which all arcs are given, up to the class. */
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
  /** What that depends on which was worked out. */
  readonly reach: Reach;
  /** Per arc, 1 when what was to be done of it is not final. */
  readonly open: Uint8Array;
  /** Cells that must be given first, up to which class. */
  readonly missing: Float64Array;
  readonly missingClass: Uint8Array;
  /** Arcs whose links must be given first. */
  readonly unlinked: Int32Array;
}

/** Clean a coverage. See kernels/clean.ts. */
export interface CleanTask extends TaskBase {
  readonly features: readonly CoverageFeature[];
  readonly slivers?: Slivers;
}

/** Read back for tests and the overlay: the polygons of a boundary at full detail. */
export interface PolygonsTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly rings: Rings;
  readonly level: number;
  readonly endClass: number;
}

export type { Polygons };
