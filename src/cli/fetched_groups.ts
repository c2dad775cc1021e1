import { createWriteStream, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { partOf } from '../../workers/formats/geoparquet/part.ts';
import type { FetchedFile } from '../adapters/file_fetch.ts';
import { openRanges, type RangeOptions } from '../adapters/file_ranges.ts';
import { countryCodeOf } from '../sources/countries.ts';

/** Addresses of GeoParquet files. */
export const PARQUET_ADDRESS = /^https?:[^?#]*\.(geo)?parquet([?#]|$)/i;

/** What is wanted of a file. */
export interface WantedRows {
  readonly box?: readonly [number, number, number, number];
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** ISO 3166-1 code, of two or three letters, of the column `country`, if there is one. */
  readonly country: string | undefined;
}

/** A fetched part, and the values that its rows must have by columns that a flag asked for. */
export type FetchedGroups = FetchedFile & { readonly where?: Readonly<Record<string, readonly string[]>> };

/**
 * Fetches the groups of rows of a GeoParquet file that may have what is wanted, as a file of their own; null if the server
 * does not give parts of files.
 * @throws FileFetchError, Unreadable
 */
export async function fetchGroups(
  address: string,
  { box, values, country }: WantedRows,
  options: RangeOptions,
  show: (message: string) => void,
): Promise<FetchedGroups | null> {
  const file = await openRanges(address, options);
  if (file === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'boundary-download-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const code = country === undefined ? null : countryCodeOf(country);
    const byCountry: Readonly<Record<string, readonly string[]>> = code === null ? {} : { [COUNTRY]: [code] };
    const part = await partOf(file, { ...(box && { box }), values: { ...byCountry, ...values } });
    const path = join(folder, basename(new URL(address).pathname));
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(1);
    show(
      `fetching ${part.groups} of ${part.allGroups} groups of rows: ${mb(part.bytes)} of ${mb(file.size)} MB, by the statistics of its columns`,
    );
    await pipeline(part.pieces, createWriteStream(path));
    const isFiltered = code !== null && part.columns.includes(COUNTRY);
    return { path, address, remove, ...(isFiltered && { where: byCountry }) };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await file.close();
  }
}

/** The column of a row's country in files of Overture. */
const COUNTRY = 'country';
