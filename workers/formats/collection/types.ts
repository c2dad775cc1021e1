import type { Polygons } from '../../contract.ts';

/** An attribute of a collection. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number';
}

/**
 * One feature: its values in column order, its polygons on the grid of 1e-7 degrees, and its box (west, south, east,
 * north) in 1e-7 degrees.
 */
export interface Feature {
  /** Identifies the feature in its file, where neither its id nor its name does. */
  readonly key?: string;
  readonly values: readonly (string | number | null)[];
  readonly polygons: Polygons | null;
  readonly box: readonly [number, number, number, number] | null;
}

/** Writes a collection of features, in order, and yields its bytes in order. */
export type CollectionWriter = (
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: { readonly name: string; readonly count: number },
) => AsyncIterable<Uint8Array>;

/** The collection exceeds a limit of the format. The message states the limit, for the person who made the request. */
export class FormatLimitError extends Error {
  override name = 'FormatLimitError';
}
