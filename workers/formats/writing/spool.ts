import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TooLarge } from '../../cancel.ts';
import { defined } from '../../defined.ts';

const BLOCK = 1 << 20;

/** Bytes of a spool held in memory before they go to its file. */
const MEMORY = 16 * BLOCK;

/** Bytes that `gather` yields at a time; longer pieces are split. */
const CHUNK = 1 << 18;

/** Limits of a writer whose bytes wait in a spool. */
export interface SpoolLimits {
  /** The spool throws TooLarge beyond this. No limit by default, because the caller limits the number of features. */
  readonly maxBytes?: number;
  /** Bytes held in memory before they go to a temporary file; default 16 MB. */
  readonly memoryBytes?: number;
  /** The directory of the temporary file; default the system's own, which may be in memory. */
  readonly directory?: string;
}

/**
 * Holds bytes until their place in the file is known. Up to `memoryBytes` are in memory; the rest is in a temporary
 * file that is already unlinked, so the system frees it when the process ends. Close the spool in a `finally`.
 */
export class Spool {
  readonly #maxBytes: number;
  readonly #memoryBlocks: number;
  readonly #directory: string;
  #file: FileHandle | null = null;
  /** Bytes in the file, a multiple of BLOCK. */
  #filed = 0;
  #blocks: Uint8Array[] = [];
  #length = 0;

  constructor({ maxBytes = Infinity, memoryBytes = MEMORY, directory = tmpdir() }: SpoolLimits = {}) {
    this.#maxBytes = maxBytes;
    this.#directory = directory;
    this.#memoryBlocks = Math.max(1, Math.floor(memoryBytes / BLOCK));
  }

  /** Bytes appended so far. */
  get length(): number {
    return this.#length;
  }

  /**
   * Copies bytes to the end.
   * @throws TooLarge beyond `maxBytes`
   * @throws the file system's error when the temporary file cannot be written
   */
  async append(bytes: Uint8Array): Promise<void> {
    if (this.#length + bytes.length > this.#maxBytes) throw new TooLarge(this.#length + bytes.length);
    for (let from = 0; from < bytes.length; ) {
      const used = this.#length % BLOCK;
      if (used === 0) {
        if (this.#blocks.length >= this.#memoryBlocks) await this.#spill();
        this.#blocks.push(new Uint8Array(BLOCK));
      }
      const count = Math.min(BLOCK - used, bytes.length - from);
      defined(this.#blocks[this.#blocks.length - 1]).set(bytes.subarray(from, from + count), used);
      from += count;
      this.#length += count;
    }
  }

  async #spill(): Promise<void> {
    if (this.#file === null) {
      const path = join(this.#directory, `collection-${randomUUID()}`);
      this.#file = await open(path, 'wx+', 0o600);
      await unlink(path);
    }
    for (const block of this.#blocks) {
      for (let at = 0; at < BLOCK; ) {
        const { bytesWritten } = await this.#file.write(block, at, BLOCK - at, this.#filed + at);
        at += bytesWritten;
      }
      this.#filed += BLOCK;
    }
    this.#blocks = [];
  }

  /**
   * Fills `target` with the bytes from `offset`.
   * @throws RangeError beyond the end of the spool
   */
  async read(offset: number, target: Uint8Array): Promise<void> {
    if (offset + target.length > this.#length) throw new RangeError('the spool is shorter');
    for (let at = 0; at < target.length; ) {
      const from = offset + at;
      if (from < this.#filed) {
        const count = Math.min(this.#filed - from, target.length - at);
        const { bytesRead } = await this.#file!.read(target, at, count, from);
        if (bytesRead === 0) throw new Error('the temporary file was cut short');
        at += bytesRead;
      } else {
        const block = defined(this.#blocks[Math.floor((from - this.#filed) / BLOCK)]);
        const count = Math.min(BLOCK - (from % BLOCK), target.length - at);
        target.set(block.subarray(from % BLOCK, (from % BLOCK) + count), at);
        at += count;
      }
    }
  }

  /** Yields the pieces `[offset, length]` in the given order, combining small ones. */
  async *gather(pieces: Iterable<readonly [offset: number, length: number]>): AsyncGenerator<Uint8Array> {
    let chunk = new Uint8Array(CHUNK);
    let used = 0;
    for (const [offset, length] of pieces) {
      if (used > 0 && used + length > chunk.length) {
        yield chunk.subarray(0, used);
        chunk = new Uint8Array(CHUNK);
        used = 0;
      }
      for (let at = 0; at < length; ) {
        const count = Math.min(chunk.length - used, length - at);
        await this.read(offset + at, chunk.subarray(used, used + count));
        at += count;
        used += count;
        if (used === chunk.length) {
          yield chunk;
          chunk = new Uint8Array(CHUNK);
          used = 0;
        }
      }
    }
    if (used > 0) yield chunk.subarray(0, used);
  }

  /** Yields all bytes in the order they were appended. */
  chunks(): AsyncGenerator<Uint8Array> {
    return this.gather([[0, this.#length]]);
  }

  /** Frees the memory and the temporary file. */
  async close(): Promise<void> {
    this.#blocks = [];
    await this.#file?.close();
    this.#file = null;
  }
}
