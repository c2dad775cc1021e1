/** What the page and the worker that reads files say to each other. */

/** How a file is written in another format. */
export interface Wanted {
  readonly format: string;
  /** Merges all areas into one. */
  readonly merge: boolean;
  /** Makes areas valid that are not; without it the file is refused. */
  readonly repair: boolean;
}

/** A file to read. */
export interface Asked {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The other files of a shapefile, by extension with the dot. */
  readonly beside: Readonly<Record<string, Uint8Array>>;
  /** The address of the table of reference systems. */
  readonly table: string;
  /** What the file does not say. */
  readonly layer?: string;
  readonly crs?: string;
  /** Converts the file; without it the file is only read. */
  readonly wanted?: Wanted;
}

/** A file in another format, and what of the file that was read is not in it. */
export interface Converted {
  readonly bytes: Uint8Array;
  readonly features: number;
  /** Features without an area, points and lines, and rings smaller than a centimeter, which are left out. */
  readonly empty: number;
  readonly left: number;
  readonly collapsed: number;
  /** What else became different, and the areas that were repaired, as sentences. */
  readonly changes: readonly string[];
  readonly repairs: readonly string[];
}

/** What was read: bounded, however large the file is. */
export interface Preview {
  /** As operations take it. */
  readonly format: string;
  readonly features: number;
  readonly points: number;
  /** Degrees: west, south, east, north; null without areas. */
  readonly box: readonly [number, number, number, number] | null;
  readonly shapes: GeoJSON.FeatureCollection;
  readonly columns: readonly string[];
  /** Columns that are not in the table. */
  readonly moreColumns: number;
  readonly rows: readonly (readonly string[])[];
  /** Features with an area, of which the map may show fewer. */
  readonly areas: number;
  /** Features with a position that is not a longitude and latitude, which are not on the map. */
  readonly misplaced: number;
  /** Points and lines, which are left out. */
  readonly left: number;
  /** Whether its points have heights, which are left out. */
  readonly heights: boolean;
  /** The first of its layers, by name. */
  readonly layers: readonly string[];
  /** What the reader says of the file besides, in English. */
  readonly notices: readonly string[];
}

export type Reply =
  | { readonly preview: Preview }
  | { readonly converted: Converted }
  /** `isInvalid`: an area is not valid, which a repair may change. `layers`: one of these has to be chosen. */
  | { readonly failed: string; readonly isInvalid?: boolean; readonly layers?: readonly string[] };
