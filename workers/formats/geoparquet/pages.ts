import { type FileMetaData, parquetSchema, type SchemaTree } from 'hyparquet';
import { Unreadable } from '../reading/document.ts';
import { CODECS } from './codecs.ts';
import { checkPlain, checkValues, ENCODINGS, type Page, type Repeated, type Shape } from './page_values.ts';
import { Cursor, count, damaged, numberAt, readStruct } from './thrift.ts';

/** Rows (or values) that any file may claim beyond its size allows, such as a column of nulls only. */
const FREE_ROWS = 100_000;
/** The same for cells: a file of nulls only may have as many columns as rows. */
const FREE_CELLS = 4_000_000;
/** Bytes that values of dictionaries, which a file stores once and its rows repeat, may take beyond its size. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Most bytes that one byte of Snappy expands to: a copy of 64 bytes takes three. */
const SNAPPY_RATIO = 22;
/** The most bytes of one page. */
const PAGE_BYTES = 256 * 1024 * 1024;
/** Bytes that all pages may unpack to beyond a multiple of the size of the file. */
const FREE_PAGES = 256 * 1024 * 1024;
const PAGES_RATIO = 100;
const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };
/** Codes of the format (parquet.thrift). */
const PAGES = { data: 0, dictionary: 2, dataV2: 3 } as const;
/**
 * Checks that every page of a Parquet file holds what its header and the footer declare, because the reader used later
 * trusts them: a damaged number would make it allocate an array of billions, or return a missing value. Time and memory,
 * also those of the reader, are limited by the size of the file: rows that repeat one large value are refused.
 * @throws Unreadable when the file contradicts itself
 * @throws RangeError when something is cut off
 */
export function checkPages(file: ArrayBuffer, metadata: FileMetaData): void {
  const tree = parquetSchema(metadata);
  const repeated: Repeated = {
    left: FREE_BYTES + SNAPPY_RATIO * file.byteLength,
    pages: FREE_PAGES + PAGES_RATIO * file.byteLength,
  };
  let rows = 0;
  let cells = 0;
  for (const { num_rows, columns } of metadata.row_groups) {
    const own = count(num_rows);
    rows += own;
    if (rows > FREE_ROWS + 8 * file.byteLength) throw damaged('it is too small for its rows');
    cells += own * columns.length;
    if (cells > FREE_CELLS + 8 * file.byteLength) throw damaged('it is too small for its cells');
    if (columns.length !== leaves(tree)) throw damaged('a group of rows lacks a column');
    for (const { meta_data, file_path } of columns) {
      if (!meta_data) throw damaged('a column is not described');
      if (file_path) throw new Unreadable(`its column ${meta_data.path_in_schema.join('.')} is in another file`);
      checkColumn(file, tree, meta_data, own, repeated);
    }
  }
  if (rows !== count(metadata.num_rows)) throw damaged('the number of its rows is not that of its groups');
}

type ColumnMeta = NonNullable<FileMetaData['row_groups'][number]['columns'][number]['meta_data']>;

function checkColumn(file: ArrayBuffer, tree: SchemaTree, meta: ColumnMeta, rows: number, repeated: Repeated): void {
  const shape = shapeOf(tree, meta);
  const data = count(meta.data_page_offset);
  const dictionary = meta.dictionary_page_offset ? count(meta.dictionary_page_offset) : data;
  const start = Math.min(data, dictionary);
  const size = count(meta.total_compressed_size);
  if (start + size > file.byteLength) throw damaged('a column is cut off');
  const pages = new Cursor(new DataView(file, start, size));
  if (count(meta.num_values) > FREE_ROWS + 8 * file.byteLength) throw damaged('it is too small for its values');
  let values = 0;
  let known: readonly number[] | null = null;
  while (pages.left > 1) {
    const page = readPage(pages, meta.codec, repeated);
    if (page.type === PAGES.dictionary) {
      if (page.encoding !== ENCODINGS.plain && page.encoding !== ENCODINGS.plainDictionary)
        throw damaged('a dictionary is not plain');
      known = checkPlain(new Cursor(page.body), shape, page.values);
      continue;
    }
    values += page.values;
    if (values > count(meta.num_values)) throw damaged('a column has more values than it says');
    checkValues(page, shape, known, repeated);
  }
  if (values !== count(meta.num_values)) throw damaged('a column has fewer values than it says');
  if (shape.repetition === 0 && values !== rows) throw damaged('a column has a value too few or too many');
}

function shapeOf(tree: SchemaTree, { path_in_schema, type }: ColumnMeta): Shape {
  let node: SchemaTree | undefined = tree;
  let [definition, repetition] = [0, 0];
  for (const name of path_in_schema) {
    node = node.children.find(({ element }) => element.name === name);
    if (!node) throw damaged(`there is no column ${name}`);
    if (node.element.repetition_type === undefined) throw damaged(`the column ${name} may be nothing known`);
    if (node.element.repetition_type !== 'REQUIRED') definition++;
    if (node.element.repetition_type === 'REPEATED') repetition++;
  }
  if (node.element.type !== type || node.children.length > 0) throw damaged('a column has another type than it says');
  const width = type === 'FIXED_LEN_BYTE_ARRAY' ? (node.element.type_length ?? 0) : (WIDTHS[type] ?? 0);
  if (width < 0 || (width === 0 && type !== 'BYTE_ARRAY' && type !== 'BOOLEAN')) throw damaged('a type has no width');
  return { type, width, definition, repetition };
}

const leaves = ({ children }: SchemaTree): number =>
  children.reduce((sum, child) => sum + (child.children.length > 0 ? leaves(child) : 1), 0);

function readPage(pages: Cursor, codec: string | undefined, room: Repeated): Page {
  const header = readStruct(pages, 0);
  const type = numberAt(header, 1);
  const [size, packed] = [numberAt(header, 2), numberAt(header, 3)];
  const own = header.get(type === PAGES.data ? 5 : type === PAGES.dictionary ? 7 : 8);
  if (!(own instanceof Map)) throw damaged('a page has no header of its kind');
  if (![PAGES.data, PAGES.dictionary, PAGES.dataV2].some((one) => one === type)) throw damaged('a page is of no kind');
  const values = numberAt(own, 1);
  const bytes = pages.take(packed);
  if (type !== PAGES.dataV2) {
    return { type, values, encoding: numberAt(own, 2), levels: null, body: unpacked(bytes, size, codec, room) };
  }
  const levels = { definition: numberAt(own, 5), repetition: numberAt(own, 6), nulls: numberAt(own, 2) };
  const before = levels.definition + levels.repetition;
  if (before > Math.min(packed, size) || levels.nulls > values) throw damaged('a page is shorter than its levels');
  const rest = new DataView(bytes.buffer, bytes.byteOffset + before, packed - before);
  const body = own.get(7) === false ? rest : unpacked(rest, size - before, codec, room);
  const whole = new Uint8Array(before + body.byteLength);
  whole.set(new Uint8Array(bytes.buffer, bytes.byteOffset, before));
  whole.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), before);
  return { type, values, encoding: numberAt(own, 4), levels, body: new DataView(whole.buffer) };
}

/**
 * Unpacks the bytes of a page.
 * @throws Unreadable unless they unpack to `size` bytes
 */
function unpacked(bytes: DataView, size: number, codec: string | undefined, room: Repeated): DataView {
  if (codec === undefined) throw damaged('a column is compressed in no known way');
  if (codec === 'UNCOMPRESSED') {
    if (size !== bytes.byteLength) throw damaged('a page has another size than it says');
    return bytes;
  }
  const unpack = CODECS[codec];
  if (unpack === undefined) {
    throw new Unreadable(`its pages are compressed with ${codec}: write it with zstd, snappy or without compression`);
  }
  if (codec === 'SNAPPY' && size > SNAPPY_RATIO * bytes.byteLength + 64) {
    throw damaged('a page is too small for what it holds');
  }
  room.pages -= size;
  if (size > PAGE_BYTES || room.pages < 0) throw new Unreadable('its pages unpack to too many bytes for its size');
  let whole: Uint8Array;
  try {
    whole = unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), size);
  } catch {
    throw damaged(`a page is not ${codec}`);
  }
  if (whole.byteLength !== size) throw damaged('a page has another size than it says');
  return new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
}
