import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Entry, tileId } from '../../workers/formats/tile/pmtiles.ts';
import { defined } from '../common/elements.ts';
import { invalidInput, problem } from '../core/errors.ts';
import type { FileEntry } from '../domain/library/file_entry.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';
import { type TilePlace, tileOf } from './boundary_tiles.ts';

/** The header and the root directory of an archive are within this many bytes (PMTiles, version 3). */
const FRONT_BYTES = 16_384;
const HEADER_BYTES = 127;
/** The largest directory, tile or metadata, both packed and unpacked. */
const MOST_BYTES = 16 * 1024 * 1024;
/** The most directories from the root to a tile; real archives have fewer. */
const MOST_STEPS = 4;

type Archive = Pick<FileEntry, 'sha256' | 'format' | 'bytes'>;
type Needed = Pick<Services, 'cache' | 'files'>;

/** The header of an archive: the positions of its parts, its zooms and its bounds. */
interface Header {
  readonly root: Part;
  readonly metadata: Part;
  readonly leaves: number;
  readonly tiles: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east and north in degrees. */
  readonly bounds: readonly number[];
}

interface Part {
  readonly offset: number;
  readonly length: number;
}

/** The description of a saved archive. */
export interface ArchiveInfo {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: readonly number[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Whether a file is an archive of tiles, which are served from it as they are. */
export const isArchive = ({ format }: Pick<FileEntry, 'format'>): boolean => format === 'pmtiles';

const unreadable = (reason: string) =>
  invalidInput([{ path: 'id', code: 'unreadable', message: `the archive cannot be read: ${reason}` }]);

/**
 * The tile of an archive of the library at a place, unpacked; empty if the archive does not have it. Reads only the
 * directories that lead to the tile, which are cached in memory, and the tile.
 * @throws not_found beyond its last zoom; invalid_input for an archive that cannot be read
 */
export async function archiveTile(
  services: Needed,
  archive: Archive,
  place: TilePlace,
  signal?: AbortSignal,
): Promise<Tile> {
  const header = headerOf(await front(services, archive, signal));
  if (place.z > header.maxZoom) {
    throw problem('not_found', `The tiles of this file end at zoom ${header.maxZoom}. Overzoom those.`);
  }
  const { z, x, y } = place;
  const make = async (stop: AbortSignal): Promise<Tile> => {
    const found = await find(services, archive, header, tileId(z, x, y), stop);
    return found ? tileOf(await unpacked(await readPart(services, archive, found))) : tileOf(new Uint8Array(0));
  };
  return services.cache.getOrMake('tiles', `archive ${archive.sha256} ${z}/${x}/${y}`, make, signal);
}

/** The description of an archive of the library. @throws invalid_input for one that cannot be read */
export async function readArchiveInfo(services: Needed, archive: Archive, signal?: AbortSignal): Promise<ArchiveInfo> {
  const { minZoom, maxZoom, bounds, metadata } = headerOf(await front(services, archive, signal));
  const text = (await unpacked(await readPart(services, archive, metadata))).toString();
  try {
    const parsed: unknown = JSON.parse(text);
    const members = typeof parsed === 'object' && parsed !== null ? parsed : {};
    return { minZoom, maxZoom, bounds, metadata: members as Record<string, unknown> };
  } catch {
    throw unreadable('its metadata is not JSON');
  }
}

/** The position of a tile in the file; null if the archive does not have it. */
async function find(
  services: Needed,
  archive: Archive,
  header: Header,
  id: number,
  signal: AbortSignal,
): Promise<Part | null> {
  let part = header.root;
  for (let step = 0; step < MOST_STEPS; step++) {
    const entry = entryOf(entriesOf(await directory(services, archive, part, signal)), id);
    if (!entry) return null;
    if (entry.run > 0) return { offset: header.tiles + entry.offset, length: entry.length };
    part = { offset: header.leaves + entry.offset, length: entry.length };
  }
  throw unreadable('its directories are nested too deeply');
}

/** The entry of a directory (sorted by id) that covers an id: a run of tiles, or a leaf directory; else null. */
function entryOf(entries: readonly Entry[], id: number): Entry | null {
  let [low, high] = [0, entries.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (defined(entries[middle]).id <= id) low = middle;
    else high = middle - 1;
  }
  const entry = entries[low];
  if (!entry || entry.id > id) return null;
  return entry.run === 0 || id < entry.id + entry.run ? entry : null;
}

/** The first bytes of an archive, from the cache of tiles. */
async function front(services: Needed, archive: Archive, signal?: AbortSignal): Promise<Buffer> {
  const make = async (): Promise<Tile> => {
    const length = Math.min(FRONT_BYTES, archive.bytes);
    return held(await readPart(services, archive, { offset: 0, length }));
  };
  const { bytes } = await services.cache.getOrMake('tiles', `archive ${archive.sha256} front`, make, signal);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** An unpacked directory, from the cache of tiles. */
async function directory(services: Needed, archive: Archive, part: Part, signal: AbortSignal): Promise<Uint8Array> {
  const make = async (): Promise<Tile> => held(await unpacked(await readPart(services, archive, part)));
  const key = `archive ${archive.sha256} at ${part.offset}`;
  return (await services.cache.getOrMake('tiles', key, make, signal)).bytes;
}

const held = (bytes: Uint8Array): Tile => ({ bytes, sha256: '', size: bytes.byteLength });

function headerOf(bytes: Buffer): Header {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 7) !== 'PMTiles' || bytes[7] !== 3) {
    throw unreadable('it is not PMTiles version 3');
  }
  const number = (index: number): number => Number(bytes.readBigUInt64LE(8 + 8 * index));
  const degrees = (index: number): number => bytes.readInt32LE(102 + 4 * index) / 1e7;
  return {
    root: { offset: number(0), length: number(1) },
    metadata: { offset: number(2), length: number(3) },
    leaves: number(4),
    tiles: number(6),
    minZoom: bytes.readUInt8(100),
    maxZoom: bytes.readUInt8(101),
    bounds: [degrees(0), degrees(1), degrees(2), degrees(3)],
  };
}

async function readPart({ files }: Needed, archive: Archive, { offset, length }: Part): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0);
  if (length > MOST_BYTES || offset + length > archive.bytes) throw unreadable('a part of it is outside of the file');
  const parts: Uint8Array[] = [];
  for await (const part of await files.read(archive, { from: offset, to: offset + length - 1 })) parts.push(part);
  return Buffer.concat(parts);
}

/** Gunzips a part of an archive; all parts of our archives are gzipped. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  return promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }).catch(() => {
    throw unreadable('a part of it is damaged or too large');
  });
}

/** Decodes the entries of a directory: columns of varints, seven bits per byte (PMTiles, version 3). */
function entriesOf(bytes: Uint8Array): Entry[] {
  let at = 0;
  const next = (): number => {
    let [value, factor] = [0, 1];
    for (; at < bytes.length; factor *= 128) {
      const byte = defined(bytes[at++]);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw unreadable('a directory ends early');
  };
  const count = next();
  if (count > bytes.length) throw unreadable('a directory ends early');
  const column = (): number[] => Array.from({ length: count }, next);
  let id = 0;
  const ids = column().map((step) => {
    id += step;
    return id;
  });
  const [runs, lengths] = [column(), column()];
  const entries: Entry[] = [];
  column().forEach((place, i) => {
    const before = entries[i - 1];
    const offset = place === 0 && before ? before.offset + before.length : place - 1;
    entries.push({ id: defined(ids[i]), run: defined(runs[i]), offset, length: defined(lengths[i]) });
  });
  return entries;
}
