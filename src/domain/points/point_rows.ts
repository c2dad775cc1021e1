/** A row of the input, with its point in 1e-7 degrees or the reason that it has none. */
export interface PointRow {
  /** The row without its line end. */
  readonly text: string;
  /** Number of the line on which the row starts, from 1. */
  readonly line: number;
  readonly x: number;
  readonly y: number;
  /** Why the row has no point; null if it has one. */
  readonly fault: string | null;
}

/** Cells added to a row; a null value means that nothing was found. */
export type AddedCells = readonly (readonly [column: string, value: string | null])[];

/** What the first line of a table says. */
export interface PointTable {
  readonly columns: readonly string[];
  readonly separator: string;
}

/** Reads rows from a text that arrives in chunks, and writes each with columns added. */
export interface PointRows {
  /** Returns the rows that are complete so far. @throws invalid_input, only before the first row */
  push(text: string): PointRow[];
  /** Returns the remaining rows at the end of the text. @throws as push does */
  end(): PointRow[];
  /** Why no further row can be read; null while reading can go on. */
  readonly failure: string | null;
  /** The output before the first row; null until it is known. */
  head(columns: readonly string[]): string | null;
  /** A row with its added cells. `first`: this is the first row of the output. */
  row(row: PointRow, added: AddedCells, first: boolean): string;
  /** A row that holds only an error. */
  errorRow(columns: readonly string[], error: string, first: boolean): string;
  /** The output after the last row. */
  readonly tail: string;
  /** The columns and what separates them; null where rows are objects, and before the first row. */
  readonly table: PointTable | null;
  /** The values of a row in the order of columns, as text: '' for none. Rows of a table have the columns of the table. */
  values(text: string, columns: readonly string[]): string[];
}

export const POINT_FORMATS = ['text/csv', 'application/x-ndjson', 'application/geo+json'] as const;
export type PointFormat = (typeof POINT_FORMATS)[number];
