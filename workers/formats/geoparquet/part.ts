/** Parts of a GeoParquet file elsewhere: the groups of rows that may have what is wanted, as a file of their own. */
import { type FileMetaData, parquetMetadataAsync, type RowGroup } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { Unreadable } from '../reading/document.ts';

/** A file of which ranges of bytes can be read. */
export interface Ranges {
  readonly size: number;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** What rows must have. */
export interface Wanted {
  /** West, south, east, north in degrees; rows whose box does not meet it are not wanted. West > east crosses 180 degrees. */
  readonly box?: readonly [number, number, number, number];
  /** By column: the texts of which a row must have one. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
}

/** Groups of rows of a file, as a file. */
export interface Part {
  /** The file in pieces, in order. */
  readonly pieces: AsyncGenerator<Uint8Array>;
  readonly groups: number;
  readonly allGroups: number;
  /** Names of the columns, of nested ones with dots. */
  readonly columns: readonly string[];
  /** Bytes of the groups that are read. */
  readonly bytes: number;
}

/** Bytes at the end of a file that are read first: most footers fit. */
const FOOTER_BYTES = 16_384;
/** The most bytes of a footer. */
const MOST_FOOTER = 64 * 2 ** 20;
/** The most bytes that are asked for at once. */
const PIECE = 8 * 2 ** 20;

/**
 * The groups of rows that may have what is wanted, by the statistics of columns and those of the bbox covering column
 * (GeoParquet 1.1). A column without statistics excludes nothing.
 * @throws Unreadable for a file that is not Parquet
 */
export async function partOf(file: Ranges, wanted: Wanted): Promise<Part> {
  const metadata = await footerOf(file);
  const chosen = metadata.row_groups.filter((group) => mayHave(group, metadata, wanted));
  const places = chosen.map(placeOf);
  const bytes = places.reduce((sum, { start, end }) => sum + end - start, 0);
  const allGroups = metadata.row_groups.length;
  const [first] = metadata.row_groups;
  const columns = first?.columns.map(({ meta_data: data }) => data?.path_in_schema.join('.') ?? '') ?? [];
  return { pieces: piecesOf(file, metadata, chosen), groups: chosen.length, allGroups, columns, bytes };
}

async function footerOf(file: Ranges): Promise<FileMetaData> {
  const slice = async (start: number, end = file.size): Promise<ArrayBuffer> => {
    if (end - start > MOST_FOOTER) throw new Unreadable('its footer is larger than 64 MiB');
    return new Uint8Array(await file.read(start, end)).buffer;
  };
  try {
    return await parquetMetadataAsync(
      { byteLength: file.size, slice },
      { initialFetchSize: FOOTER_BYTES, geoparquet: false },
    );
  } catch (error) {
    if (error instanceof Unreadable || (error as Error).constructor !== Error) throw error;
    throw new Unreadable(`it is not a Parquet file: ${(error as Error).message}`);
  }
}

/** Where the columns of a group are in its file. */
function placeOf({ columns }: RowGroup): { readonly start: number; readonly end: number } {
  let [start, end] = [Number.POSITIVE_INFINITY, 0];
  for (const { meta_data: data } of columns) {
    if (!data) throw new Unreadable('a column is not described');
    const first = startOf(data);
    start = Math.min(start, first);
    end = Math.max(end, first + Number(data.total_compressed_size));
  }
  return { start, end };
}

type ColumnData = NonNullable<RowGroup['columns'][number]['meta_data']>;

/** A dictionary is before the pages of its column; some writers state 0 where there is none. */
const startOf = ({ dictionary_page_offset: dictionary, data_page_offset: data }: ColumnData): number =>
  dictionary ? Math.min(Number(dictionary), Number(data)) : Number(data);

function mayHave(group: RowGroup, metadata: FileMetaData, { box, values = {} }: Wanted): boolean {
  const limits = (path: string): readonly [unknown, unknown] => {
    const column = group.columns.find(({ meta_data: data }) => data?.path_in_schema.join('.') === path)?.meta_data;
    const { min_value, max_value, min, max } = column?.statistics ?? {};
    return [min_value ?? min, max_value ?? max];
  };
  for (const [column, texts] of Object.entries(values)) {
    const [min, max] = limits(column);
    if (typeof min !== 'string' || typeof max !== 'string') continue;
    // Limits may be cut to a prefix: what begins as a limit does is within it.
    if (!texts.some((text) => text >= min && (text <= max || text.startsWith(max)))) return false;
  }
  const covering = coveringOf(metadata);
  if (box === undefined || covering === null) return true;
  const [xmin, ymin, xmax, ymax] = (['xmin', 'ymin', 'xmax', 'ymax'] as const).map((side) => limits(covering[side]));
  const isDisjoint = (lowest: unknown, highest: unknown, from: number, to: number): boolean =>
    (typeof lowest === 'number' && lowest > to) || (typeof highest === 'number' && highest < from);
  const [west, south, east, north] = box;
  if (isDisjoint(ymin?.[0], ymax?.[1], south, north)) return false;
  if (west <= east) return !isDisjoint(xmin?.[0], xmax?.[1], west, east);
  return !(isDisjoint(xmin?.[0], xmax?.[1], west, 180) && isDisjoint(xmin?.[0], xmax?.[1], -180, east));
}

type Covering = Readonly<Record<'xmin' | 'ymin' | 'xmax' | 'ymax', string>>;

/** The columns of the box of each row, as the file's metadata name them; null if it has none. */
function coveringOf({ key_value_metadata: pairs }: FileMetaData): Covering | null {
  try {
    const geo = JSON.parse(pairs?.find(({ key }) => key === 'geo')?.value ?? 'null') as {
      readonly primary_column?: string;
      readonly columns?: Readonly<Record<string, { readonly covering?: { readonly bbox?: Record<string, string[]> } }>>;
    } | null;
    const box = geo?.columns?.[geo.primary_column ?? 'geometry']?.covering?.bbox;
    const [xmin, ymin, xmax, ymax] = ['xmin', 'ymin', 'xmax', 'ymax'].map((side) => box?.[side]?.join('.'));
    return xmin && ymin && xmax && ymax ? { xmin, ymin, xmax, ymax } : null;
  } catch {
    // Whoever reads the file says what is wrong with it.
    return null;
  }
}

const MAGIC = Buffer.from('PAR1');

async function* piecesOf(
  file: Ranges,
  metadata: FileMetaData,
  chosen: readonly RowGroup[],
): AsyncGenerator<Uint8Array> {
  yield MAGIC;
  let at = MAGIC.length;
  const moved: RowGroup[] = [];
  for (const group of chosen) {
    const { start, end } = placeOf(group);
    moved.push(movedBy(group, at - start));
    for (let from = start; from < end; from += PIECE) yield await file.read(from, Math.min(end, from + PIECE));
    at += end - start;
  }
  const rows = chosen.reduce((sum, { num_rows }) => sum + num_rows, 0n);
  const footer = new ByteWriter();
  const { metadata_length: _length, ...rest } = metadata;
  writeMetadata(footer, { ...rest, row_groups: moved, num_rows: rows } as FileMetaData);
  footer.appendBytes(MAGIC);
  yield footer.getBytes();
}

/** A group whose columns are at another place, with what a reader needs: no indexes and no statistics. */
function movedBy(group: RowGroup, by: number): RowGroup {
  const move = (offset: bigint): bigint => offset + BigInt(by);
  const columns = group.columns.map(({ file_path, meta_data: data }) => {
    if (!data) throw new Unreadable('a column is not described');
    const { type, encodings, path_in_schema, codec, num_values, total_uncompressed_size, total_compressed_size } = data;
    const dictionary = data.dictionary_page_offset;
    return {
      ...(file_path !== undefined && { file_path }),
      file_offset: move(BigInt(startOf(data))),
      meta_data: {
        ...{ type, encodings, path_in_schema, codec, num_values, total_uncompressed_size, total_compressed_size },
        data_page_offset: move(data.data_page_offset),
        ...(dictionary && { dictionary_page_offset: move(dictionary) }),
      },
    };
  });
  return { columns, total_byte_size: group.total_byte_size, num_rows: group.num_rows };
}
