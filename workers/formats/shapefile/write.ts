import { TooLarge } from '../../cancel.ts';
import type { Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import { cutText, uniqueNames } from '../column_names.ts';
import { type CollectionWriter, type Column, type Feature, FormatLimitError } from '../types.ts';
import { Boxes } from '../writing/hilbert.ts';
import { Spool, type SpoolLimits } from '../writing/spool.ts';
import { fileName, type ZipEntry, zip } from '../zip/pack.ts';
import { COLUMN_NAMES } from './names.ts';

const SCALE = 1e7;

/** The largest .shp or .dbf that programs can read. */
const MAX_FILE = 2 ** 31 - 1;

const SHP_HEADER = 100;
const POLYGON = 5;

/** Limits of dBASE: columns, bytes of a value, decimal places. */
const MAX_COLUMNS = 255;
const VALUE_BYTES = 254;
const DECIMALS = 15;

/** Bytes of .dbf and .shx yielded at a time. */
const CHUNK = 1 << 18;

const UTF8 = new TextEncoder();

const WGS84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Types of a .dbf column: characters, numbers, logical values. */
const DBF_TYPES = { string: 'C', integer: 'N', number: 'N', boolean: 'L' } as const;

/** A .dbf column, widened to hold all its values. */
interface Field {
  readonly name: string;
  readonly column: Column;
  width: number;
  decimals: number;
}

/**
 * Writes a zip with a Shapefile (ESRI's technical description of 1998): .shp, .shx, .dbf, .prj and .cpg; polygons in
 * WGS 84, longitude first, shells clockwise. Text is UTF-8. Values that the format cannot hold are changed: column
 * names are cut to 10 bytes and made distinct, texts are cut to 254 bytes, control characters become spaces, and an
 * empty text or a non-finite number becomes null.
 *
 * The .shp starts with its length, and columns are as wide as their longest value, so both wait in spools. Memory: at
 * most 16 MB of each, the largest feature, and about 70 bytes per feature.
 * @throws TooLarge when the .shp or the .dbf is larger than 2 GB, or than `maxBytes`
 * @throws FormatLimitError for more than 255 columns
 */
export async function* writeShapefile(
  features: AsyncIterable<Feature>,
  columns: readonly Column[],
  options: Parameters<CollectionWriter>[2] & SpoolLimits,
): AsyncGenerator<Uint8Array> {
  if (columns.length > MAX_COLUMNS) {
    throw new FormatLimitError(`A Shapefile has at most ${MAX_COLUMNS} columns, and there are ${columns.length}.`);
  }
  const maxFile = Math.min(options.maxBytes ?? MAX_FILE, MAX_FILE);
  const bounds = { ...options, maxBytes: maxFile - SHP_HEADER };
  const shapes = new Spool(bounds);
  const rows = new Spool(bounds);
  try {
    const names = uniqueNames(
      columns.map(({ name }) => name),
      COLUMN_NAMES,
    );
    const fields = columns.map((column, i): Field => ({ name: defined(names[i]), column, width: 1, decimals: 0 }));
    const boxes = new Boxes();
    const shapeLengths: number[] = [];
    const rowLengths: number[] = [];
    for await (const feature of features) {
      const polygons = feature.polygons?.polygonEnd.length ? feature.polygons : null;
      boxes.add(polygons);
      const shape = encodeShape(polygons, boxes, boxes.count - 1);
      await shapes.append(shape);
      shapeLengths.push(shape.length);
      const row = encodeRow(feature, fields);
      await rows.append(row);
      rowLengths.push(row.length);
    }
    if (dbfLength(fields, boxes.count) > maxFile) throw new TooLarge(dbfLength(fields, boxes.count));

    const shp = async function* () {
      yield shpHeader(SHP_HEADER + shapes.length, boxes);
      yield* shapes.chunks();
    };
    const name = fileName(options.name) || 'boundaries';
    const parts: ZipEntry[] = [
      { name: `${name}.shp`, bytes: shp() },
      { name: `${name}.shx`, bytes: shx(shapeLengths, boxes) },
      { name: `${name}.dbf`, bytes: dbf(fields, rows, rowLengths) },
      { name: `${name}.prj`, bytes: UTF8.encode(WGS84) },
      { name: `${name}.cpg`, bytes: UTF8.encode('UTF-8') },
    ];
    yield* zip(parts);
  } finally {
    await Promise.all([shapes.close(), rows.close()]);
  }
}

/** The header of a .shp or a .shx of `length` bytes. */
function shpHeader(length: number, boxes: Boxes): Uint8Array {
  const bytes = new Uint8Array(SHP_HEADER);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, 9994);
  // In words of 16 bits, like all lengths and offsets of the format.
  view.setInt32(24, length / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, POLYGON, true);
  boxes.extent()?.forEach((side, i) => {
    view.setFloat64(36 + 8 * i, side / SCALE, true);
  });
  return bytes;
}

/** A record of a .shp: its number and length (big-endian), then one polygon with all rings, or a null shape. */
function encodeShape(polygons: Polygons | null, boxes: Boxes, feature: number): Uint8Array {
  const rings = polygons?.ringEnd.length ?? 0;
  const points = (polygons?.coords.length ?? 0) / 2;
  const content = polygons ? 44 + 4 * rings + 16 * points : 4;
  const bytes = new Uint8Array(8 + content);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, feature + 1);
  view.setInt32(4, content / 2);
  if (!polygons) return bytes;
  const { coords, ringEnd } = polygons;
  view.setInt32(8, POLYGON, true);
  for (let side = 0; side < 4; side++) view.setFloat64(12 + 8 * side, boxes.get(feature, side) / SCALE, true);
  view.setInt32(44, rings, true);
  view.setInt32(48, points, true);
  let from = 0;
  let at = 52 + 4 * rings;
  for (let r = 0; r < rings; r++) {
    view.setInt32(52 + 4 * r, from, true);
    // Backward: shells are clockwise here, holes counterclockwise.
    for (let v = defined(ringEnd[r]) - 1; v >= from; v--, at += 16) {
      view.setFloat64(at, defined(coords[2 * v]) / SCALE, true);
      view.setFloat64(at + 8, defined(coords[2 * v + 1]) / SCALE, true);
    }
    from = defined(ringEnd[r]);
  }
  return bytes;
}

/** The index of the .shp: offset and length of each record, in words of 16 bits. */
function* shx(lengths: readonly number[], boxes: Boxes): Generator<Uint8Array> {
  yield shpHeader(SHP_HEADER + 8 * lengths.length, boxes);
  let offset = SHP_HEADER;
  for (let from = 0; from < lengths.length; from += CHUNK / 8) {
    const part = lengths.slice(from, from + CHUNK / 8);
    const bytes = new Uint8Array(8 * part.length);
    const view = new DataView(bytes.buffer);
    part.forEach((length, i) => {
      view.setInt32(8 * i, offset / 2);
      view.setInt32(8 * i + 4, (length - 8) / 2);
      offset += length;
    });
    yield bytes;
  }
}

/** The values of a feature as text, each preceded by its length (one byte). Widens the fields to hold them. */
function encodeRow({ values }: Feature, fields: readonly Field[]): Uint8Array {
  const texts = fields.map((field, i) => {
    const text = textOf(defined(values[i]), field.column.type);
    const bytes = UTF8.encode(text);
    if (bytes.length > field.width) field.width = bytes.length;
    if (field.column.type === 'number') {
      const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
      // A number column without decimals would be read as integers.
      field.decimals = Math.max(field.decimals, 1, Math.min(decimals, DECIMALS));
    }
    return bytes;
  });
  const row = new Uint8Array(texts.reduce((sum, text) => sum + 1 + text.length, 0));
  let at = 0;
  for (const text of texts) {
    row[at] = text.length;
    row.set(text, at + 1);
    at += 1 + text.length;
  }
  return row;
}

function textOf(value: Feature['values'][number], type: Column['type']): string {
  if (value === null) return '';
  if (type === 'string') return dbfText(String(value));
  if (type === 'boolean') return value ? 'T' : 'F';
  return Number.isFinite(Number(value)) ? String(value) : '';
}

/** A text as a table of a Shapefile holds it: on one line, without spaces at its end, cut to 254 bytes. */
export function dbfText(text: string): string {
  return cutText(text.replace(/\p{Cc}/gu, ' '), VALUE_BYTES);
}

function dbfHeaderLength(fields: readonly Field[]): number {
  return 32 + 32 * fields.length + 1;
}

function dbfRowLength(fields: readonly Field[]): number {
  return fields.reduce((sum, { width }) => sum + width, 1);
}

function dbfLength(fields: readonly Field[], rows: number): number {
  return dbfHeaderLength(fields) + rows * dbfRowLength(fields) + 1;
}

/**
 * The table: rows of equal length. Text is padded with spaces on the right, numbers on the left; null is all spaces.
 */
async function* dbf(fields: readonly Field[], rows: Spool, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  yield dbfHeader(fields, lengths.length);
  const width = dbfRowLength(fields);
  const atOnce = Math.max(1, Math.floor(CHUNK / width));
  let offset = 0;
  for (let from = 0; from < lengths.length; from += atOnce) {
    const part = lengths.slice(from, from + atOnce);
    const texts = new Uint8Array(part.reduce((sum, length) => sum + length, 0));
    await rows.read(offset, texts);
    offset += texts.length;
    const table = new Uint8Array(width * part.length).fill(0x20);
    let read = 0;
    let start = 0;
    for (let row = 0; row < part.length; row++) {
      // A space: the row is not deleted.
      start++;
      for (const field of fields) {
        const length = defined(texts[read]);
        const text = texts.subarray(read + 1, read + 1 + length);
        const isLeft = field.column.type === 'string' || field.column.type === 'boolean';
        table.set(text, isLeft ? start : start + field.width - length);
        read += 1 + length;
        start += field.width;
      }
    }
    yield table;
  }
  yield Uint8Array.of(0x1a);
}

function dbfHeader(fields: readonly Field[], rows: number): Uint8Array {
  const bytes = new Uint8Array(dbfHeaderLength(fields));
  const view = new DataView(bytes.buffer);
  // dBASE III without memo; last changed on January 1, 1980, so that the same features give the same file.
  bytes.set([3, 80, 1, 1]);
  view.setUint32(4, rows, true);
  view.setUint16(8, bytes.length, true);
  view.setUint16(10, dbfRowLength(fields), true);
  fields.forEach(({ name, column, width, decimals }, i) => {
    const at = 32 + 32 * i;
    bytes.set(UTF8.encode(name), at);
    bytes[at + 11] = DBF_TYPES[column.type].charCodeAt(0);
    bytes[at + 16] = width;
    bytes[at + 17] = decimals;
  });
  bytes[bytes.length - 1] = 0x0d;
  return bytes;
}
