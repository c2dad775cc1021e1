import { existsSync, readFileSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MOST_BYTES, openDocument, type Reading } from '../../../workers/formats/read.ts';
import { type OpenedDocument, Unreadable } from '../../../workers/formats/reading/document.ts';
import { formatOf, type Readable, START_BYTES } from '../../../workers/formats/registry.ts';

/** Bytes of a gzip that hold the first START_BYTES bytes of nearly any file. */
const PACKED = 16 * START_BYTES;
/** Z_SYNC_FLUSH: unpacks what is there of a gzip that is cut off. */
const PARTIAL = { finishFlush: 2 };

/** Extensions of the files that belong to a shapefile and are read with it. */
const BESIDE = ['.dbf', '.prj', '.cpg'];

/**
 * The format of a file by its first bytes, else by its extension, also of what is gzipped; null for none that is read.
 * JSON of any kind is `geojson`.
 * @param byExtension whether its extension counts
 */
export async function formatOfFile(path: string, byExtension = true): Promise<Readable | null> {
  const start = await firstBytes(path);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const name = isGzip ? path.replace(/\.gz$/i, '') : path;
  return formatOf(isGzip ? unpackedStart(start) : start, byExtension ? extname(name) : '');
}

/** The format in a file in any other than JSON, which is read piece by piece; null for JSON and for no known format. */
export async function openFile(path: string, options: Omit<Reading, 'beside'>): Promise<OpenedDocument | null> {
  const format = await formatOfFile(path);
  if (format === null || JSON_FORMATS.includes(format)) return null;
  requireWhole(path);
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Unreadable(`a ${format} file of more than 2 GiB is not read: split it`);
  const beside = format === 'shapefile' ? filesBeside(path) : {};
  if (format === 'shapefile' && !('.dbf' in beside)) {
    throw new Unreadable('this is a shapefile, and the .dbf with its attributes is not beside it');
  }
  return openDocument(format, readFileSync(path), { ...options, beside });
}

/**
 * A GeoPackage that a program has open may keep its last changes in a file beside it.
 * @throws Unreadable where it does: without them, the areas would be older ones
 */
export function requireWhole(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) return;
  throw new Unreadable(
    `changes of it are still in ${basename(log)}: close the program that has it open, then try again`,
  );
}

const JSON_FORMATS: readonly Readable[] = ['geojson', 'geojsonseq', 'ndjson', 'topojson'];

/** The files of a shapefile beside its .shp, by extension in lower case. */
export function filesBeside(path: string): Record<string, Uint8Array> {
  return Object.fromEntries(pathsBeside(path).map(([extension, file]) => [extension, readFileSync(file)]));
}

/** The paths of these files, by extension; none for a file with another extension than that of a shapefile. */
export function pathsBeside(path: string): [extension: string, file: string][] {
  if (extname(path).toLowerCase() !== '.shp') return [];
  const stem = path.slice(0, -4);
  return BESIDE.flatMap((extension): [string, string][] => {
    const found = [extension, extension.toUpperCase()].find((one) => existsSync(stem + one));
    return found === undefined || !statSync(stem + found).isFile() ? [] : [[extension, stem + found]];
  });
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PACKED), 0, PACKED, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function unpackedStart(packed: Uint8Array): Uint8Array {
  try {
    return gunzipSync(packed, { ...PARTIAL, maxOutputLength: 2 ** 28 });
  } catch {
    // Whoever reads the file says what is wrong with it.
    return new Uint8Array(0);
  }
}
