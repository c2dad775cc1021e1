/** Files of areas that a caller sends: written to a private folder, read in a process of its own, and removed. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { asProblem, invalidInput, problem } from '../../core/errors.ts';
import type { ReadOptions } from '../../sources/coverage/options.ts';
import type { OfficialChains, TilingOptions } from '../../sources/coverage/tiling.ts';
import { type Asked, type ReadApart, readApart } from '../../sources/read_apart.ts';

/** Limit of a file that is sent, in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Limit of a file of the library in bytes: one that was sent gzipped is there as it unpacks. */
export const MOST_STORED_BYTES = 8 * MOST_BYTES;

/** A file, and the property for each of ours that is not found by its name. */
export type Given = {
  /** Without the dot; '' where the beginning of the file says its format. */
  readonly extension: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Limit of its bytes, unless it is that of a file that is sent. */
  readonly mostBytes?: number;
} & ({ readonly bytes: Uint8Array } | { readonly chunks: AsyncIterable<Uint8Array> });

/** How areas are made of a file. */
export interface Making {
  readonly most: Pick<Asked, 'mostAreas' | 'mostVertices'>;
  readonly tiling: TilingOptions;
  readonly official: OfficialChains;
  /** The organization whose set it is. */
  readonly org: string;
}

/** The bytes of a file up to its limit. @throws too_large */
export async function* bytesOf(given: Given): AsyncGenerator<Uint8Array, void, undefined> {
  const { mostBytes = MOST_BYTES } = given;
  let bytes = 0;
  for await (const chunk of 'bytes' in given ? [given.bytes] : given.chunks) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw problem('too_large', `A file of areas has at most ${mostBytes} bytes.`);
    yield chunk;
  }
}

/** Unpacks a gzip. @throws invalid_input for one that is damaged, too_large for more than a file of the library may have */
export async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  // An error destroys gunzip, which throws it in the loop below.
  pipeline(packed, gunzip, () => {});
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MOST_STORED_BYTES) {
        throw problem('too_large', `A file of areas unpacks to at most ${MOST_STORED_BYTES} bytes.`);
      }
      yield chunk;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_')) throw error;
    throw invalidInput([{ path: 'file', code: 'unreadable', message: `the gzip is damaged: ${message}` }]);
  }
}

/**
 * The areas of a file. A client that waits gets them even after the deadline of its call: reading has a limit of its own.
 * @throws too_large, and what readApart() throws
 */
export async function readGiven(
  given: Given,
  options: Pick<ReadOptions, 'layer' | 'crs' | 'encoding' | 'lone'>,
  { most, ...made }: Making,
  signal: AbortSignal,
): Promise<ReadApart> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-set-'));
  const left = new AbortController();
  const leave = () => {
    // A client that left, a job that ended; not a deadline, which is a problem to answer with.
    if (asProblem(signal.reason) === null) left.abort(signal.reason);
  };
  signal.addEventListener('abort', leave);
  try {
    const path = join(folder, given.extension === '' ? 'areas' : `areas.${given.extension}`);
    const file = await open(path, 'w', 0o600);
    try {
      for await (const chunk of bytesOf(given)) await file.write(chunk);
    } finally {
      await file.close();
    }
    // The level only lets the reader know that all areas are of one.
    const wanted = { source: 'set', adminLevel: 8, map: given.columns, ...options };
    const asked = { path, options: wanted, tiling: made.tiling, ...most };
    return await readApart(asked, { org: made.org, shown: 'the file', official: made.official }, left.signal);
  } finally {
    signal.removeEventListener('abort', leave);
    await rm(folder, { recursive: true, force: true });
  }
}
