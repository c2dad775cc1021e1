/** The areas of a file as read, before coordinates become integers. */

/** Longitude and latitude in degrees, as in the file. */
export type Position = readonly [lon: number, lat: number];

/** A shell and its holes, each a list of positions, closed or not, in any direction. */
export type PolygonRings = readonly (readonly Position[])[];

export interface ReadFeature {
  /** Null when the format has none or it is not text. */
  readonly id: string | null;
  readonly name: string | null;
  /** As in GeoJSON; the values from some other formats are always text. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly PolygonRings[];
}

export interface ReadDocument {
  /** The name of the whole document, if it has one. */
  readonly name: string | null;
  readonly features: readonly ReadFeature[];
  /** Points and lines, which are left out. */
  readonly left: number;
}

/**
 * Maximum nesting of elements, brackets and collections: far above what any program writes. Readers recurse, and some
 * search all ancestors at every step.
 */
export const MAX_DEPTH = 100;

/** A file cannot be read. The message states what is wrong with it, for the person who supplied the file. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
