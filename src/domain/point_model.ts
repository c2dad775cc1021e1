/** A row as it came, with its point in 1e-7 degrees or why it has none. */
export interface PointRow {
  /** Without its line end. */
  readonly text: string;
  /** On which it begins, from 1. */
  readonly line: number;
  readonly x: number;
  readonly y: number;
  /** Null: it has a point. */
  readonly trouble: string | null;
}

/** A cell that is added to a row: a name, and null where nothing was found. */
export type Added = readonly (readonly [column: string, value: string | null])[];

/** Reads rows out of a text that comes in pieces, and writes each with columns added. */
export interface PointRows {
  /** The rows that are whole by now. Throws invalid_input before the first row. */
  push(text: string): PointRow[];
  /** What is left when the text has ended. Throws as push does. */
  end(): PointRow[];
  /** Why no further row can be read, once that is so. */
  readonly broken: string | null;
  /** What stands before the first row; null as long as that is not known. */
  head(columns: readonly string[]): string | null;
  /** A row with what is added to it. `first`: no row is before it. */
  row(row: PointRow, added: Added, first: boolean): string;
  /** A row that has nothing but an error. */
  errorRow(columns: readonly string[], error: string, first: boolean): string;
  /** What stands behind the last row. */
  readonly tail: string;
}

export const POINT_FORMATS = ['text/csv', 'application/x-ndjson', 'application/geo+json'] as const;
export type PointFormat = (typeof POINT_FORMATS)[number];
