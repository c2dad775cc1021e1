import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { writeAll } from '../common/write_all.ts';
import { problem } from '../core/errors.ts';

/** Limits of a file that is written. */
export interface HashedFileOptions {
  /** The most bytes that it may have. */
  readonly most: number;
  /** Ends the writing. */
  readonly signal: AbortSignal;
  /** What the error of a larger file says besides, for whoever asked for it. */
  readonly advice?: string;
}

/**
 * Writes a file, which only its owner can read, as its parts arrive, and hashes them. Returns the SHA-256 in hex, and the
 * number of bytes.
 * @throws too_large beyond `most`; the reason of the signal when it has aborted
 */
export async function writeHashed(
  path: string,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { most, signal, advice }: HashedFileOptions,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(path, 'w', 0o600);
  try {
    for await (const part of parts) {
      signal.throwIfAborted();
      bytes += part.byteLength;
      if (bytes > most) {
        const detail = `The file has more than ${most} bytes.`;
        throw problem('too_large', advice === undefined ? detail : `${detail} ${advice}`);
      }
      hash.update(part);
      await writeAll(file, part);
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}
