/**
 * What passes between the server and its geometry workers, and between the kernels.
 *
 * Units: a coordinate is OpenStreetMap's own 32-bit integer of 1e-7 degrees, longitude (x) before latitude (y).
 * Everything is flat typed arrays, so that nothing but numbers crosses a thread and shared memory needs no copy.
 */

/** Interleaved x, y in 1e-7 degrees: vertex v is `coords[2 * v]`, `coords[2 * v + 1]`. */
export type Coords = Int32Array;

/** The number of detail levels: level k simplifies to a tolerance of T = 2^k meters, k = 0 … 15 (1 m … 32,768 m). */
export const LEVELS = 16;

/** The level that stands for the untouched geometry. */
export const FULL = -1;

/** A weight byte of a vertex that no level removes. */
export const ALWAYS = 255;

/**
 * Admin-level classes of arc ends: class a (0 … 11) is "boundaries of admin_level at most a + 1", the last class
 * (END_CLASSES - 1) is "every boundary", postcode areas included.
 */
export const END_CLASSES = 13;

/** Masks of an arc end: one per class (the levels at which it is gone), then one for the levels where it keeps 7 digits. */
export const MASKS_PER_END = END_CLASSES + 1;

/** The masks of both ends of an arc. */
export const ENDS_PER_ARC = 2 * MASKS_PER_END;

/**
 * Arcs as the kernels read them. `coords` and `weights` may be views of the whole shared heap (vertex v of the heap
 * has its byte at `weights[v]`), or private arrays: kernels never care. Arc i has the vertices
 * `first[i] … first[i] + length[i] - 1`; a closed arc repeats its first vertex at its end.
 */
export interface ArcTable {
  readonly coords: Coords;
  /** Per vertex, the first level at which it is gone (ALWAYS: never). Parallel to `coords`. */
  readonly weights: Uint8Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** 4 per arc: west, south, east, north. */
  readonly box: Int32Array;
  /** Per arc, the signed geodesic area in m2 between it (walked forward) and the equator: Karney's S12, summed. */
  readonly area: Float64Array;
  /** Per arc, the signed turn in longitude (1e-7 degrees), each edge taken the short way round. */
  readonly turn: Float64Array;
  /**
   * ENDS_PER_ARC per arc: for its first vertex, then for its last, MASKS_PER_END masks of levels (bit k). The first
   * END_CLASSES say where that arc end is gone when the boundaries asked for are of the class; the last, where its
   * coordinates keep 7 digits because those of an arc that meets there do (all arcs that meet there say the same).
   * Empty when no end is ever removed or kept so.
   */
  readonly ends: Uint16Array;
  /** Per arc, the levels (bit k) at which its inner vertices keep 7 digits, because rounding would make it cross. */
  readonly exact: Uint16Array;
}

/**
 * A signed reference to an arc of a table: `i` walks arc i forward, `~i` (that is -i - 1) walks it backward.
 * The interior of a ring is on the left of the walk: shells run counter-clockwise, holes clockwise.
 */
export type ArcRef = number;

/**
 * Polygons as rings of arc references. Ring r is `refs[ringEnd[r - 1] … ringEnd[r] - 1]`, polygon p the rings
 * `polygonEnd[p - 1] … polygonEnd[p] - 1`, its shell first. An empty multipolygon has three empty arrays.
 */
export interface Rings {
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
}

/**
 * Polygons laid out as coordinates. Ring r has the vertices `ringEnd[r - 1] … ringEnd[r] - 1` of `coords` and is
 * closed: its first vertex is repeated at its end. Polygon p has the rings `polygonEnd[p - 1] … polygonEnd[p] - 1`,
 * shell (counter-clockwise) first, then holes (clockwise).
 */
export interface Polygons {
  readonly coords: Coords;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
}

/** A place of trouble, in 1e-7 degrees, with a reason that a mapper would understand. */
export interface Trouble {
  readonly reason: string;
  readonly x: number;
  readonly y: number;
}

export const FORMATS = ['geojson', 'kml', 'wkt', 'svg', 'gml'] as const;
export type Format = (typeof FORMATS)[number];

export const DETAILS = ['low', 'medium', 'high', 'full'] as const;
export type Detail = (typeof DETAILS)[number];

/** What a writer needs beside the polygons. All text is hostile input: writers escape it. */
export interface Document {
  /** The canonical boundary id, or null for a merged area. */
  readonly id: string | null;
  /** Title of the document. */
  readonly name: string;
  /** GeoJSON properties, in order; the other formats take what their readers know (name, attribution, scalars). */
  readonly properties: Readonly<Record<string, unknown>>;
  /** [west, south, east, north] in degrees (RFC 7946 section 5.2: west > east across the antimeridian), or null when empty. */
  readonly bbox: readonly [number, number, number, number] | null;
  readonly attribution: string;
  /** Digits after the decimal point of a degree, 0 … 7. */
  readonly digits: number;
}

/** West, south, east, north in 1e-7 degrees; west > east across the antimeridian. */
export type Box = readonly [number, number, number, number];
