import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ByteCache } from './cache.ts';
import type { Tiers } from './cached.ts';
import { Turns } from './turns.ts';

export type Coding = 'gzip' | 'br';

/** What is not a tenth smaller is sent as it is. */
const WORTH = 0.9;

/** Compressions at once: libuv has four threads, and files are read with them. Beyond so many waiting none is begun. */
const AT_ONCE = 2;
const MOST_WAITING = 32;

/**
 * Measured on coordinates in text, 1 MB: gzip at level 4 leaves 26.2 % in 12 ms, at 6 25.0 % in 30 ms, at 9 24.8 % in
 * 183 ms; brotli at quality 2 leaves 26.7 % in 12 ms, at 4 26.7 % in 16 ms, at 5 25.8 % in 35 ms, at 9 25.6 % in 135 ms.
 * Of pages, descriptions and tiles, which are smaller, brotli at quality 5 leaves a tenth to a fifth less than gzip at 4
 * in about the same time.
 */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = { small: 5, large: 2 } as const;

/** Larger documents are nearly always coordinates in text. */
const SMALL_BYTES = 512 * 1024;

/** The encoded variants of documents, each made once and kept in the cache under the sha256 of the document. */
export class Encodings {
  private readonly cache: ByteCache<Tiers>;
  private readonly turns = new Turns(AT_ONCE);

  constructor(cache: ByteCache<Tiers>) {
    this.cache = cache;
  }

  /**
   * The bytes in a content coding, made in libuv's threads; null when they would hardly be smaller, which is
   * remembered, and when too many wait to be compressed. `sha256` is that of `bytes`, hexadecimal.
   */
  async get(sha256: string, bytes: Uint8Array, coding: Coding, signal?: AbortSignal): Promise<Uint8Array | null> {
    const key = `${sha256} ${coding}`;
    if (this.turns.waiting >= MOST_WAITING && !this.cache.has('encodings', key)) return null;
    const make = (stop: AbortSignal) =>
      this.turns.run(async () => {
        stop.throwIfAborted();
        const encoded = await compress(bytes, coding);
        const worth = encoded.byteLength <= bytes.byteLength * WORTH;
        return worth ? { bytes: encoded, size: encoded.buffer.byteLength } : { bytes: new Uint8Array(0), size: 0 };
      });
    const kept = await this.cache.getOrMake('encodings', key, make, signal);
    return kept.bytes.byteLength === 0 ? null : kept.bytes;
  }
}

/** One-shot, so that the usual result is one piece: between pieces the work comes back to the main thread. */
function compress(bytes: Uint8Array, coding: Coding): Promise<Buffer> {
  const chunkSize = Math.max(16_384, Math.ceil(bytes.byteLength / 3));
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: GZIP_LEVEL, chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[bytes.byteLength <= SMALL_BYTES ? 'small' : 'large'],
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  return promisify(brotliCompress)(bytes, { chunkSize, params });
}
