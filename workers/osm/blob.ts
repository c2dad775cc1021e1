/**
 * The framing of OpenStreetMap's PBF (wiki.openstreetmap.org/wiki/PBF_Format). A file is a sequence of: the length of a
 * BlobHeader (4 bytes, big-endian), the BlobHeader, a Blob. A Blob has the file's header or a PrimitiveBlock, whose
 * strings and groups are located here. All functions throw a plain Error on bytes that break the format.
 */
import { inflate, inflateSync } from 'node:zlib';
import { countPacked, Message, type Packed, text } from './protobuf.ts';

/** Limits of the format in bytes: a BlobHeader, and a Blob both stored and unpacked. */
export const MAX_BLOB_HEADER = 64 * 1024;
export const MAX_BLOB = 32 * 1024 * 1024;

/** The number of objects in a blob. */
export interface PbfCounts {
  nodes: number;
  ways: number;
  relations: number;
}

export interface PbfHeader {
  /** True when the file declares that nodes, ways and relations follow one another, each by ascending id. */
  sorted: boolean;
  /** Replication time as RFC 3339 UTC, or null. */
  timestamp: string | null;
  /** The extent that the file covers; absent when it states none. */
  bbox?: MapBox;
}

/** West, south, east, north in degrees. */
export type MapBox = readonly [west: number, south: number, east: number, north: number];

/** Reads a BlobHeader: the blob's type (OSMHeader, OSMData, or another type to skip) and its size in bytes. */
export function decodeBlobHeader(bytes: Uint8Array): { type: string; size: number } {
  const message = new Message(bytes);
  let type = '';
  let size = -1;
  while (message.next()) {
    if (message.field === 1) type = message.string();
    else if (message.field === 3) size = message.intField();
    else message.skip();
  }
  if (type === '' || size < 0) throw new Error('a blob header lacks its type or size');
  if (size > MAX_BLOB) throw new Error(`a blob of ${size} bytes exceeds the limit of ${MAX_BLOB}`);
  return { type, size };
}

const CODECS: Readonly<Record<number, string>> = { 4: 'lzma', 5: 'bzip2', 6: 'lz4', 7: 'zstd' };

/** The unpacked bytes of a Blob, at most 32 MiB; its data may be raw or compressed with zlib. */
export function unpackBlob(blob: Uint8Array): Uint8Array {
  const { raw, packed, size } = contentOf(blob);
  if (raw !== null) return raw;
  try {
    return checkSize(inflateSync(packed, inflateOptions(size)), size);
  } catch (error) {
    throw unpackError(size, error);
  }
}

/** Like unpackBlob, in the runtime's thread pool, so that the caller can read another blob meanwhile. */
export async function unpackBlobAsync(blob: Uint8Array): Promise<Uint8Array> {
  const { raw, packed, size } = contentOf(blob);
  if (raw !== null) return raw;
  return new Promise((resolve, reject) => {
    inflate(packed, inflateOptions(size), (error, bytes) => {
      try {
        if (error) throw error;
        resolve(checkSize(bytes, size));
      } catch (fault) {
        reject(unpackError(size, fault));
      }
    });
  });
}

/** One byte more than declared, to detect a longer stream; one chunk, so that nothing is copied. */
function inflateOptions(size: number): { chunkSize: number; maxOutputLength: number } {
  const limit = Math.max(64, size + 1);
  return { chunkSize: limit, maxOutputLength: limit };
}

function checkSize(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new Error(`it unpacks to ${bytes.length} bytes`);
  return bytes;
}

function unpackError(size: number, cause: unknown): Error {
  return new Error(`a blob of ${size} bytes does not unpack`, { cause });
}

type Content =
  | { readonly raw: Uint8Array; readonly packed: null; readonly size: number }
  | { readonly raw: null; readonly packed: Uint8Array; readonly size: number };

/** The content of a Blob: raw bytes, or compressed bytes and their declared size, both within the limit. */
function contentOf(blob: Uint8Array): Content {
  const message = new Message(blob);
  let raw: Uint8Array | null = null;
  let packed: Uint8Array | null = null;
  let size = -1;
  while (message.next()) {
    if (message.field === 1) raw = message.view();
    else if (message.field === 2) size = message.intField();
    else if (message.field === 3) packed = message.view();
    else if (message.field in CODECS) {
      throw new Error(`a blob is compressed with ${CODECS[message.field]}; only zlib is read (osmium cat -o converts)`);
    } else message.skip();
  }
  if (raw !== null && packed === null) {
    if (raw.length > MAX_BLOB) throw new Error(`a blob of ${raw.length} bytes exceeds the limit of ${MAX_BLOB}`);
    return { raw, packed, size: raw.length };
  }
  if (packed === null || raw !== null) throw new Error('a blob holds no data');
  if (size < 0 || size > MAX_BLOB) throw new Error(`a blob claims ${size} bytes; the limit is ${MAX_BLOB}`);
  return { raw, packed, size };
}

const KNOWN_FEATURES = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/** Reads the OSMHeader blob. @throws when the file requires a feature that is not supported, such as history */
export function decodeHeader(blob: Uint8Array): PbfHeader {
  const message = new Message(unpackBlob(blob));
  const header: PbfHeader = { sorted: false, timestamp: null };
  while (message.next()) {
    if (message.field === 1) {
      const bbox = readBox(message.message());
      if (bbox !== null) header.bbox = bbox;
    } else if (message.field === 4) {
      const feature = message.string();
      if (feature === 'HistoricalInformation')
        throw new Error('the file holds history; one state of the map is needed');
      if (!KNOWN_FEATURES.has(feature)) throw new Error(`the file requires the feature ${feature}, which is not read`);
    } else if (message.field === 5) {
      if (message.string() === 'Sort.Type_then_ID') header.sorted = true;
    } else if (message.field === 32) {
      const seconds = message.intField();
      // Date has no text beyond this.
      if (seconds > 0 && seconds < 8.64e12)
        header.timestamp = `${new Date(seconds * 1000).toISOString().slice(0, -5)}Z`;
    } else message.skip();
  }
  return header;
}

/** A HeaderBBox: left, right, top and bottom in nanodegrees; null when they make no box. */
function readBox(message: Message): MapBox | null {
  const sides = new Array<number>(5).fill(Number.NaN);
  while (message.next()) {
    if (message.field >= 1 && message.field <= 4) sides[message.field] = message.sintField() / 1e9;
    else message.skip();
  }
  const [, west = Number.NaN, east = Number.NaN, north = Number.NaN, south = Number.NaN] = sides;
  return boxOf(west, south, east, north);
}

/** A box of degrees; null when the numbers are none. */
export function boxOf(west: number, south: number, east: number, north: number): MapBox | null {
  const isBox = west >= -180 && east <= 180 && west <= east && south >= -90 && north <= 90 && south <= north;
  return isBox ? [west, south, east, north] : null;
}

/** A PrimitiveBlock whose parts are located but not yet read. */
export interface Block {
  bytes: Uint8Array;
  groups: Packed[];
  counts: PbfCounts;
  /** Nanodegrees per unit, and offsets in nanodegrees. */
  granularity: number;
  latOffset: number;
  lonOffset: number;
  /** Start and end of each string in `bytes`, two numbers each. */
  strings: number[];
  /** Strings decoded so far, by index. */
  decoded: (string | undefined)[];
}

/** Counts the objects of an unpacked OSMData blob and locates its strings. */
export function openBlock(bytes: Uint8Array): Block {
  const block: Block = {
    bytes,
    groups: [],
    counts: { nodes: 0, ways: 0, relations: 0 },
    granularity: 100,
    latOffset: 0,
    lonOffset: 0,
    strings: [],
    decoded: [],
  };
  let table: Message | null = null;
  const message = new Message(bytes);
  while (message.next()) {
    if (message.field === 1) table = message.message();
    else if (message.field === 2) {
      const group = message.message();
      block.groups.push({ start: group.position, end: group.end });
      countGroup(group, block.counts);
    } else if (message.field === 17) block.granularity = message.intField();
    else if (message.field === 19) block.latOffset = message.intField();
    else if (message.field === 20) block.lonOffset = message.intField();
    else message.skip();
  }
  while (table?.next()) {
    if (table.field === 1) {
      const length = table.length();
      block.strings.push(table.position, table.position + length);
      table.position += length;
    } else table.skip();
  }
  return block;
}

function countGroup(group: Message, counts: PbfCounts): void {
  while (group.next()) {
    if (group.field === 1) counts.nodes++;
    else if (group.field === 3) counts.ways++;
    else if (group.field === 4) counts.relations++;
    else if (group.field === 2) {
      const dense = group.message();
      while (dense.next()) {
        if (dense.field === 1) counts.nodes += countPacked(dense.bytes, packed(dense));
        else dense.skip();
      }
      continue;
    }
    group.skip();
  }
}

/**
 * Locates the packed field at the cursor. The wire format allows a writer to split such a field, but no OSM writer
 * does. Reading only one part of two would give a wrong border, so a second part (`before` is not EMPTY) throws.
 */
export function packed(message: Message, before: Packed = EMPTY): Packed {
  if (before !== EMPTY) throw new Error(`protobuf field ${message.field} comes in several parts, which is not read`);
  const length = message.length();
  const start = message.position;
  message.position += length;
  return { start, end: message.position };
}

/** An absent field; compared by identity. */
export const EMPTY: Packed = { start: 0, end: 0 };

/** The string with this index. @throws when the table does not have it */
export function stringAt(block: Block, index: number): string {
  const known = block.decoded[index];
  if (known !== undefined) return known;
  if (!(index >= 0 && 2 * index < block.strings.length)) throw new Error(`string ${index} is not in its table`);
  const string = text(block.bytes.subarray(block.strings[2 * index], block.strings[2 * index + 1]));
  block.decoded[index] = string;
  return string;
}
