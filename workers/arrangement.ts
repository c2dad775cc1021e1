/** Arrangements of arcs: what is cut, assembled, described and tiered, in this order. */

import type { PlaceNodes } from './arcs/center.ts';
import type { DependencyCells } from './arcs/reach.ts';
import type { Rings } from './contract.ts';

/** A chain of vertices (x, y in 1e-7 degrees) to cut: an OSM way, a ring of a coverage, or a stored arc. */
export type Chain = Int32Array;

/** Cuts chains into arcs and assembles boundaries from them. See build.ts. */
export interface BuildTask {
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
export interface DescribeTask {
  readonly arcs: Pick<AssembledArcs, 'coords' | 'first' | 'length' | 'area' | 'turn' | 'box'>;
  readonly boundaries: readonly (AssembledBoundary & Pick<BoundaryToBuild, 'places'>)[];
}

/** Computes the tiers of all arcs of an arrangement, as if no other arcs existed. */
export interface TierAllTask {
  readonly arcs: Pick<AssembledArcs, 'coords' | 'first' | 'length' | 'arcClass' | 'main'>;
  readonly links: Int32Array;
  /** Per arc, 1 when its digits are not asked for: those that are stored count. */
  readonly stored: Uint8Array;
}
