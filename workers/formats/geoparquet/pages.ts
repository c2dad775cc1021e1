import { type FileMetaData, parquetSchema, type SchemaTree } from 'hyparquet';
import { Unreadable } from '../reading/model.ts';
import { CODECS } from './codecs.ts';
import { Cursor, count, damaged, numberAt, readStruct, requireCount } from './thrift.ts';

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
/** Maximum nesting of geometry collections; more is an attack. */
const NESTED = 8;
const WIDTHS: Readonly<Record<string, number>> = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 };
/** Codes of the format (parquet.thrift). */
const PAGES = { data: 0, dictionary: 2, dataV2: 3 } as const;
const ENCODINGS = {
  plain: 0,
  plainDictionary: 2,
  rle: 3,
  delta: 5,
  deltaLength: 6,
  deltaBytes: 7,
  rleDictionary: 8,
  split: 9,
};

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

/** The type of a column's values, and how deeply they may be nested. */
interface Shape {
  readonly type: string;
  readonly width: number;
  readonly definition: number;
  readonly repetition: number;
}

/** Bytes that values of dictionaries, and unpacked pages, may still take. */
interface Repeated {
  left: number;
  pages: number;
}

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

/** A page with uncompressed levels and values. */
interface Page {
  readonly type: number;
  readonly values: number;
  readonly encoding: number;
  /** Sizes of the levels in the body of a version 2 page; null when they precede the values, each with its length. */
  readonly levels: { readonly repetition: number; readonly definition: number; readonly nulls: number } | null;
  readonly body: DataView;
}

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

/**
 * Checks the levels and values of a data page. `known` has the bytes of each value in the dictionary, null without one.
 */
function checkValues(
  { values, encoding, levels, body }: Page,
  shape: Shape,
  known: readonly number[] | null,
  repeated: Repeated,
): void {
  const at = new Cursor(body);
  const present = (most: number, length: number | undefined): number => {
    if (most === 0) return values;
    const end = at.offset + (length ?? at.uint32()) + (length === undefined ? 4 : 0);
    const found = readRuns(at, bits(most), values, most);
    if (at.offset > end || end > body.byteLength) throw damaged('levels are longer than they say');
    at.offset = end;
    return found;
  };
  present(shape.repetition, levels?.repetition);
  const full = present(shape.definition, levels?.definition);
  const left = levels && shape.definition > 0 ? values - levels.nulls : full;
  if (left !== full) throw damaged('a page has another number of nulls than it says');
  if (encoding === ENCODINGS.plain) {
    checkPlain(at, shape, left);
    return;
  }
  if (encoding === ENCODINGS.rleDictionary || encoding === ENCODINGS.plainDictionary) {
    if (known === null) throw damaged('its dictionary is missing');
    const width = at.uint8();
    if (left > 0 && known.length === 0) throw damaged('its dictionary is empty');
    if (width > 32) throw damaged('a dictionary has numbers of more than 32 bits');
    const spend = (value: number, times: number): void => {
      repeated.left -= (known[value] ?? 0) * times;
      if (repeated.left < 0) throw new Unreadable('its rows repeat large values too often: it would not fit in memory');
    };
    if (width > 0) readRuns(at, width, left, known.length - 1, spend);
    else spend(0, left);
    return;
  }
  if (encoding === ENCODINGS.rle && shape.type === 'BOOLEAN') {
    at.uint32();
    readRuns(at, 1, left, 1);
    return;
  }
  if (encoding === ENCODINGS.split && shape.width > 0) {
    at.take(left * shape.width);
    return;
  }
  if (encoding === ENCODINGS.delta && (shape.type === 'INT32' || shape.type === 'INT64')) {
    checkDelta(at, left, null);
    return;
  }
  if (encoding === ENCODINGS.deltaLength && shape.type === 'BYTE_ARRAY') {
    let sum = 0;
    checkDelta(at, left, (length) => {
      sum += requireCount(length);
    });
    at.take(sum);
    return;
  }
  throw new Unreadable(
    `a column is encoded in a way that is not read (${encoding}): write it plain or with a dictionary`,
  );
}

/** Checks plain values, and returns the bytes of each; none for BOOLEAN, which has no dictionaries. */
function checkPlain(at: Cursor, { type, width }: Shape, values: number): number[] {
  if (type === 'BOOLEAN') {
    at.take(Math.ceil(values / 8));
    return [];
  }
  if (type === 'BYTE_ARRAY') {
    const lengths: number[] = [];
    for (let i = 0; i < values; i++) lengths.push(at.take(at.uint32()).byteLength);
    return lengths;
  }
  at.take(values * width);
  return Array<number>(values).fill(width);
}

/**
 * Reads `values` numbers of `width` bits, run-length encoded or bit-packed, and returns how many equal `most`.
 * Calls `each`, if given, with every number and how often it follows itself.
 * @throws Unreadable when one is higher than `most`, or when their number differs
 */
function readRuns(
  at: Cursor,
  width: number,
  values: number,
  most: number,
  each?: (value: number, times: number) => void,
): number {
  let highest = 0;
  for (let seen = 0; seen < values; ) {
    const header = at.varint();
    const size = header >>> 1;
    if ((header & 1) === 0) {
      if (size === 0 || size > values - seen) throw damaged('a run is longer than its page');
      let value = 0;
      for (let b = 0; b < Math.ceil(width / 8); b++) value += at.uint8() * 2 ** (8 * b);
      if (value > most) throw damaged('a number is higher than the highest');
      if (value === most) highest += size;
      each?.(value, size);
      seen += size;
      continue;
    }
    const own = Math.min(8 * size, values - seen);
    if (own === 0 || 8 * size - own > 7) throw damaged('packed numbers are longer than their page');
    // Some writers omit the unused bytes at the end.
    const packed = at.take(Math.max(Math.ceil((own * width) / 8), Math.min(size * width, at.left)));
    for (let i = 0, bit = 0; i < own; i++, bit += width) {
      const value = bitsAt(packed, bit, width);
      if (value > most) throw damaged('a number is higher than the highest');
      if (value === most) highest++;
      each?.(value, 1);
    }
    seen += own;
  }
  return highest;
}

/** Checks delta-encoded numbers. Calls `each`, if given, with every number; they may then have at most 32 bits. */
function checkDelta(at: Cursor, values: number, each: ((value: number) => void) | null): void {
  const [block, minis, total] = [at.varint(), at.varint(), at.varint()];
  if (minis === 0 || block === 0 || block > 2 ** 20 || block % (32 * minis) !== 0 || total !== values) {
    throw damaged('differences are in blocks of no size');
  }
  const size = block / minis;
  let value = Number(at.zigzag());
  if (values > 0) each?.(value);
  for (let seen = 1; seen < values; ) {
    const least = Number(at.zigzag());
    const widths = at.take(minis);
    for (let m = 0; m < minis && seen < values; m++) {
      const width = widths.getUint8(m);
      if (width > (each ? 32 : 64)) throw damaged('a difference has too many bits');
      const packed = at.take((size * width) / 8);
      for (let i = 0; i < size && seen < values; i++, seen++) {
        if (!each) continue;
        value += least + bitsAt(packed, i * width, width);
        each(value);
      }
    }
  }
}

/** A number of up to 32 bits, lowest bit first. */
function bitsAt(bytes: DataView, bit: number, width: number): number {
  let value = 0;
  for (let done = 0; done < width; ) {
    const from = (bit + done) & 7;
    const some = Math.min(8 - from, width - done);
    value += ((bytes.getUint8((bit + done) >> 3) >> from) & ((1 << some) - 1)) * 2 ** done;
    done += some;
  }
  return value;
}

const bits = (most: number): number => 32 - Math.clz32(most);

/**
 * The offset at which a geometry in well-known binary ends. Parts of a collection have their own byte order.
 * @throws RangeError when it is cut off
 */
export function wkbEnd(view: DataView, start = 0, depth = 0): number {
  const little = view.getUint8(start) === 1;
  const code = view.getUint32(start + 1, little);
  const [type, flags] = [code % 1000, Math.floor(code / 1000)];
  if (type < 1 || type > 7 || flags > 3 || depth > NESTED) throw damaged('a geometry is of no known type');
  const position = 8 * (flags === 0 ? 2 : flags === 3 ? 4 : 3);
  let at = start + 5;
  const next = (): number => {
    at += 4;
    return view.getUint32(at - 4, little);
  };
  if (type === 1) at += position;
  else if (type === 2) at = next() * position + at;
  else if (type === 3) for (let rings = next(); rings > 0; rings--) at = next() * position + at;
  else for (let parts = next(); parts > 0; parts--) at = wkbEnd(view, at, depth + 1);
  if (at > view.byteLength) throw new RangeError('cut off');
  return at;
}
