import type { Outline } from '../arcs/sea_outlines.ts';
import type { Limits } from '../cancel.ts';
import type { Box, Document, Polygons } from '../contract.ts';

/** An attribute of a collection. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
}

/** The value of a column; null: none. */
export type Value = string | number | boolean | null;

/**
 * One feature: its values in column order, its polygons on the grid of 1e-7 degrees, and its box (west, south, east,
 * north) in 1e-7 degrees.
 */
export interface Feature {
  /** Identifies the feature in a file where neither ids nor names do. */
  readonly key?: string;
  readonly values: readonly Value[];
  readonly polygons: Polygons | null;
  readonly box: readonly [number, number, number, number] | null;
  /** By which formats with lines say where these are at sea; null or absent: not known. */
  readonly outline?: Outline | null;
}

/** The value of a column as text; null when it is missing. */
export function textOf({ values }: Feature, columns: readonly Column[], name: string): string | null {
  const value = values[columns.findIndex((column) => column.name === name)] ?? null;
  return value === null ? null : String(value);
}

/** The values of a feature, keyed by column name. */
export function properties({ values }: Pick<Feature, 'values'>, columns: readonly Column[]): Record<string, Value> {
  return Object.fromEntries(columns.map(({ name }, i) => [name, values[i] ?? null]));
}

/** Decimal places of a degree in collections: those of the grid of 1e-7 degrees. */
export const COLLECTION_DIGITS = 7;

/** What a text format needs from the whole collection. All text is untrusted input: writers escape it. */
export interface About {
  readonly name: string;
  readonly attribution: string;
  readonly columns: readonly Column[];
  /** The box of all features in 1e-7 degrees; west > east across the antimeridian; null without features. */
  readonly box: Box | null;
  /** Decimal places of a degree at this level; they set the grid of a picture. */
  readonly digits: number;
  /** False: attributes only (csv). */
  readonly geometry: boolean;
}

/** Writes a collection of features, in order, and yields its bytes in order. */
export type CollectionWriter = (
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: { readonly name: string; readonly count: number },
) => AsyncIterable<Uint8Array>;

/** Options of all formats that are written in a thread of their own, as it gets them. */
export interface FileOptions {
  readonly name: string;
  readonly count: number;
  readonly attribution: string;
  /** The level of the areas: FULL or 0 … 15. */
  readonly level: number;
  /** Decimal places of a degree, 0 … 7, in the files of a zip. */
  readonly digits: number;
  /** Limits of each file in a zip. */
  readonly limits: Limits;
}

/** Writes a file from polygons. `single`: how the files in a zip are written. */
export type FileWriter = (
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: FileOptions & { readonly single: SingleFormat },
) => AsyncIterable<Uint8Array>;

/** A format of files of one area. */
export interface SingleFormat {
  readonly extension: string;
  readonly document: (polygons: Polygons, doc: Document, limits?: Limits) => Uint8Array;
}

/** The collection exceeds a limit of the format. The message states the limit, for the person who made the request. */
export class FormatLimitError extends Error {
  override name = 'FormatLimitError';
}
