import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Semaphore } from '../common/semaphore.ts';
import type { ByteCache } from './cache.ts';
import type { CacheTiers } from './cached.ts';

export type Coding = 'gzip' | 'br';

/** An encoding is used only when it is at most this share of the original. */
const WORTH = 0.9;

/**
 * Compressions at once, because libuv has four threads and reads files with them too. Beyond MOST_WAITING in the queue,
 * none is started.
 */
const AT_ONCE = 2;
const MOST_WAITING = 32;

/**
 * Measured on 1 MB of coordinates in text (bytes left, time). gzip level 4: 26.2 %, 12 ms; 6: 25.0 %, 30 ms; 9: 24.8 %,
 * 183 ms. brotli quality 2: 26.7 %, 12 ms; 4: 26.7 %, 16 ms; 5: 25.8 %, 35 ms; 9: 25.6 %, 135 ms. On pages,
 * descriptions and tiles, which are smaller, brotli 5 leaves a tenth to a fifth less than gzip 4 in about the same
 * time.
 */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = { small: 5, large: 2 } as const;

/** Limit of a small document, in bytes. Larger ones are nearly always coordinates in text. */
const SMALL_BYTES = 512 * 1024;

/** Encoded documents, each made once and cached under the sha256 of the document. */
export class Encodings {
  private readonly cache: ByteCache<CacheTiers>;
  private readonly turns = new Semaphore(AT_ONCE);

  constructor(cache: ByteCache<CacheTiers>) {
    this.cache = cache;
  }

  /**
   * The bytes in a content coding, made in libuv's threads. Null when they would hardly be smaller, which is
   * remembered, and when too many compressions wait. `sha256` is that of `bytes`, in hex.
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

/** One-shot, with a chunk size that fits the usual result: between chunks the work returns to the main thread. */
function compress(bytes: Uint8Array, coding: Coding): Promise<Buffer> {
  const chunkSize = Math.max(16_384, Math.ceil(bytes.byteLength / 3));
  if (coding === 'gzip') return promisify(gzip)(bytes, { level: GZIP_LEVEL, chunkSize });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[bytes.byteLength <= SMALL_BYTES ? 'small' : 'large'],
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  };
  return promisify(brotliCompress)(bytes, { chunkSize, params });
}
