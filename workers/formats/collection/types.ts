import type { Polygons } from '../../contract.ts';

/** One attribute of a collection. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number';
}

/** One feature: its values in the order of the columns, its polygons on the grid of 1e-7 degrees, its box [west, south, east, north] in 1e-7 degrees. */
export interface Feature {
  readonly values: readonly (string | number | null)[];
  readonly polygons: Polygons | null;
  readonly box: readonly [number, number, number, number] | null;
}

/** Writes a collection. Features come in order; the writer may be asynchronous and yields bytes in order. */
export type CollectionWriter = (
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: { readonly name: string; readonly count: number },
) => AsyncIterable<Uint8Array>;

/** A collection has more than a format holds: the message says what of, for the person who asked. */
export class WriterRefuses extends Error {
  override name = 'WriterRefuses';
}
