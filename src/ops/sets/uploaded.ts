/** Files of areas that a caller sends: written to a private folder, read in a process of its own, and removed. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asProblem, problem } from '../../core/errors.ts';
import type { ReadOptions } from '../../sources/coverage/options.ts';
import type { OfficialChains, TilingOptions } from '../../sources/coverage/tiling.ts';
import { type Asked, type ReadApart, readApart } from '../../sources/read_apart.ts';

/** Limit of a file in bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file, and the property for each of ours that is not found by its name. */
export type Given = {
  /** Without the dot; '' where the beginning of the file says its format. */
  readonly extension: string;
  readonly columns: Readonly<Record<string, string>>;
} & ({ readonly bytes: Uint8Array } | { readonly chunks: AsyncIterable<Uint8Array> });

/** How areas are made of a file. */
export interface Making {
  readonly most: Pick<Asked, 'mostAreas' | 'mostVertices'>;
  readonly tiling: TilingOptions;
  readonly official: OfficialChains;
}

/** The bytes of a file up to the limit of files. @throws too_large */
export async function* upTo(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw problem('too_large', `A file of areas has at most ${MOST_BYTES} bytes.`);
    yield chunk;
  }
}

/**
 * The areas of a file. A client that waits gets them even after the deadline of its call: reading has a limit of its own.
 * @throws too_large, and what readApart() throws
 */
export async function readGiven(
  given: Given,
  options: Pick<ReadOptions, 'layer' | 'crs' | 'encoding'>,
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
      for await (const chunk of upTo('bytes' in given ? [given.bytes] : given.chunks)) await file.write(chunk);
    } finally {
      await file.close();
    }
    // The level only lets the reader know that all areas are of one.
    const wanted = { source: 'set', adminLevel: 8, map: given.columns, ...options };
    const asked = { path, options: wanted, tiling: made.tiling, ...most };
    return await readApart(asked, { shown: 'the file', official: made.official }, left.signal);
  } finally {
    signal.removeEventListener('abort', leave);
    await rm(folder, { recursive: true, force: true });
  }
}
