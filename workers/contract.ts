/**
 * The data contract between the server and its geometry workers, and between the kernels.
 *
 * Units: a coordinate is OpenStreetMap's own 32-bit integer of 1e-7 degrees, longitude (x) before latitude (y).
 * All geometry is flat typed arrays: threads exchange only numbers, and shared memory is read without a copy.
 */

/** Interleaved x, y in 1e-7 degrees: vertex v is `coords[2 * v]`, `coords[2 * v + 1]`. */
export type Coords = Int32Array;

/** The number of detail levels. Level k simplifies to a tolerance of 2^k meters, k = 0 … 15 (1 m … 32,768 m). */
export const LEVELS = 16;

/** The level number of unsimplified geometry. */
export const FULL = -1;

/** The weight of a vertex that no level removes. */
export const ALWAYS = 255;

/**
 * The number of admin-level classes of arc ends. Class a (0 … 11) is the boundaries of admin_level at most a + 1; the
 * last class (END_CLASSES - 1) is every boundary, postcode areas included.
 */
export const END_CLASSES = 13;

/**
 * Masks per arc end: one per class (the levels that remove the end), then one for the levels at which it keeps 7
 * digits.
 */
export const MASKS_PER_END = END_CLASSES + 1;

/** Masks of both ends of an arc. */
export const ENDS_PER_ARC = 2 * MASKS_PER_END;

/**
 * Arcs as the kernels read them. `coords` and `weights` may be views of the whole shared heap (the weight of heap
 * vertex v is `weights[v]`) or private arrays; kernels treat both the same. Arc i has the vertices `first[i] … first[i]
 * + length[i] - 1`; a closed arc repeats its first vertex at its end.
 */
export interface ArcTable {
  readonly coords: Coords;
  /** Per vertex, the first level that removes it (ALWAYS: none does). Parallel to `coords`. */
  readonly weights: Uint8Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** 4 per arc: west, south, east, north. */
  readonly box: Int32Array;
  /** Per arc, the signed geodesic area in m2 between it (walked forward) and the equator: Karney's S12, summed. */
  readonly area: Float64Array;
  /**
   * Per arc, the signed change in longitude (1e-7 degrees) from its start to its end, each edge taken the short way
   * round.
   */
  readonly turn: Float64Array;
  /**
   * ENDS_PER_ARC level masks (bit k is level k) per arc: MASKS_PER_END for its first vertex, then as many for its last.
   * Mask c < END_CLASSES has the levels that remove this end when the requested boundaries are of class c. The last
   * mask has the levels at which the end keeps 7 digits because an arc that meets there does; it is the same for all
   * arcs that meet there. Empty when no end is removed or keeps 7 digits.
   */
  readonly ends: Uint16Array;
  /**
   * Per arc, the levels (bit k) at which its inner vertices keep 7 digits, because rounding would make the arc cross.
   */
  readonly exact: Uint16Array;
}

/** What joining arcs reads of a table. */
export type ArcLines = Pick<ArcTable, 'coords' | 'first' | 'length' | 'box'>;

/**
 * A signed reference to an arc of a table: `i` walks arc i forward, `~i` (that is, -i - 1) walks it backward.
 * The interior of a ring is on the left of the walk: shells run counterclockwise, holes clockwise.
 */
export type ArcRef = number;

/**
 * Polygons as rings of arc references. Ring r is `refs[ringEnd[r - 1] … ringEnd[r] - 1]`. Polygon p has the rings
 * `polygonEnd[p - 1] … polygonEnd[p] - 1`, its shell first. An empty multipolygon has three empty arrays.
 */
export interface Rings {
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
}

/**
 * Polygons as coordinates. Ring r has the vertices `ringEnd[r - 1] … ringEnd[r] - 1` of `coords` and is closed: its
 * first vertex is repeated at its end. Polygon p has the rings `polygonEnd[p - 1] … polygonEnd[p] - 1`: the shell
 * (counterclockwise) first, then the holes (clockwise).
 */
export interface Polygons {
  readonly coords: Coords;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /**
   * What the vertices were copied from, in order, and the first vertex of each; the last vertex of a ring repeats its
   * first and is of no piece.
   */
  readonly pieces?: { readonly list: readonly Piece[]; readonly first: Uint32Array };
}

/** Vertices that many polygons have in common. Writers of text keep with them what they have written of them. */
export interface Piece {
  readonly coords: Coords;
  /** By what the writer calls its way of writing: the text of all vertices, with a separator behind each. */
  readonly texts: Map<unknown, Uint8Array>;
}

/** Where a geometry is invalid (1e-7 degrees), with a reason that a mapper can act on. */
export interface GeometryFault {
  readonly reason: string;
  readonly x: number;
  readonly y: number;
}

export const DETAILS = ['low', 'medium', 'high', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** What a writer needs besides the polygons. All text is untrusted input: writers escape it. */
export interface Document {
  /** The canonical boundary id, or null for a merged area. */
  readonly id: string | null;
  /** Title of the document. */
  readonly name: string;
  /** GeoJSON properties, in order. KML and GML have them as data, lists and objects as JSON text. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** [west, south, east, north] in degrees (RFC 7946, 5.2: west > east across the antimeridian); null when empty. */
  readonly bbox: readonly [number, number, number, number] | null;
  readonly attribution: string;
  /** Decimal places of a degree, 0 … 7. */
  readonly digits: number;
  /** Whether GeoJSON has meters of Web Mercator (EPSG:3857) in place of degrees. */
  readonly mercator?: boolean;
  /** Of a merged area without inland water: its area with it, in km2. The property inland_water_km2 is the difference. */
  readonly landKm2?: number;
}

/** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
export type Box = readonly [number, number, number, number];

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
