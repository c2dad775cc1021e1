/** What the page and the worker that reads files say to each other. */

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
}

/** What was read: bounded, however large the file is. */
export interface Preview {
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
  /** What the reader says of the file: what is left out, changed or uncertain. */
  readonly notices: readonly string[];
}

export type Reply = { readonly preview: Preview } | { readonly failed: string };
