/** What a file of areas is read as, before coordinates become integers. */

/** Longitude and latitude in degrees, as the file has them. */
export type Position = readonly [lon: number, lat: number];

/** A shell and its holes; each a list of positions, closed or not, in any direction. */
export type PolygonRings = readonly (readonly Position[])[];

export interface ReadFeature {
  /** Null where the format has none, or something that is not text. */
  readonly id: string | null;
  readonly name: string | null;
  /** As GeoJSON has them; of the other formats the values are text. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly polygons: readonly PolygonRings[];
}

export interface ReadDocument {
  /** Of the document as a whole, where it has one. */
  readonly name: string | null;
  readonly features: readonly ReadFeature[];
  /** Points and lines, which no area is made of. */
  readonly left: number;
}

/**
 * How deep elements, brackets and collections may lie in one another: far beyond what any program writes. What reads
 * them goes down by calls, and some of it looks through all that is around at every step.
 */
export const MAX_DEPTH = 100;

/** A file is not what it should be; the message says what is wrong in it, for the person who gave it. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
