import { type FileHandle, open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Reports progress: `done` of `total` bytes of the file in this phase. */
export type OnProgress = (done: number, total: number, phase: string) => void;

const PIECE = 256 * 1024;

/** How a file is compressed; null if it is not. */
export type Packing = 'gzip' | 'bzip2' | null;

/** The packing of a file, by its first bytes. */
export function packingOf(start: Uint8Array): Packing {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  // "BZh"; the size of a block, 1 … 9, follows.
  if (start[0] === 0x42 && start[1] === 0x5a && start[2] === 0x68) return 'bzip2';
  return null;
}

/**
 * Yields the bytes of a file in pieces, unpacked if it is gzipped or bzip2ed (detected by content; files of several
 * streams, as pbzip2 writes them, are supported). Memory is bounded. The file is closed when the loop over the pieces
 * ends for any reason.
 * @throws Error when the file cannot be read or unpacked
 */
export async function* unpackedBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    yield* fileBytes(file, packingOf(buffer));
  } finally {
    await file.close();
  }
}

/** Yields the bytes of an open file from its start, in pieces, unpacked. Call it again for another pass. */
export async function* fileBytes(
  file: FileHandle,
  packing: Packing,
  onRead?: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  if (packing === 'bzip2') yield* unbzip2(pieces(file, onRead));
  else if (packing === 'gzip') {
    const gunzip = createGunzip({ chunkSize: PIECE });
    // An error of the file destroys gunzip, which throws it in the loop below; the promise only repeats it.
    pipeline(Readable.from(pieces(file, onRead)), gunzip).catch(() => {});
    yield* gunzip;
  } else yield* pieces(file, onRead);
}

/** The most bytes that one piece may unpack to. Maps reach a fifth of it; a decompression bomb exceeds any bound. */
const BURST = 64 * 2 ** 20;

/** Reads bits: a number of them, or null to skip to the next byte. */
interface Bits {
  (count: number | null): number;
  readonly bytesRead: number;
}

/**
 * The decoder of unbzip2-stream. Its stream keeps each byte of a block as a number in a list (2 GB for the largest
 * block), and all blocks of a piece, so only its inner functions are used.
 */
interface Bzip2 {
  /** Reads the start of a stream; returns the size of its blocks in units of 100,000 bytes. */
  header(bits: Bits): number;
  /** Unpacks one block into `put`. Returns the checksum so far, or null at the end of a stream. */
  decompress(bits: Bits, put: (byte: number) => void, work: Int32Array, size: number, checksum: number): number | null;
}

const BLOCK = 100_000;
/** Bytes beyond its size that a packed block may have: tables, and what does not pack. */
const BLOCK_EXTRA = 25_000;

/** Unpacks bzip2, block by block. */
async function* unbzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const require = createRequire(import.meta.url);
  const { header, decompress } = bound(require('unbzip2-stream/lib/bzip2.js') as Bzip2);
  const iterate = require('unbzip2-stream/lib/bit_iterator.js') as (next: () => Uint8Array | undefined) => Bits;
  const queue: Uint8Array[] = [];
  let received = 0;
  let bits: Bits | null = null;
  let work = new Int32Array(0);
  let blockSize = 0;
  let checksum: number | null = null;
  let burst = 0;

  function block(from: Bits): Buffer {
    if (checksum === null) {
      blockSize = BLOCK * header(from);
      if (work.length < blockSize) work = new Int32Array(blockSize);
      checksum = 0;
      return Buffer.alloc(0);
    }
    let bytes = Buffer.allocUnsafe(2 * blockSize);
    let size = 0;
    const put = (byte: number) => {
      if (size === bytes.length) bytes = Buffer.concat([bytes], 2 * size);
      bytes[size++] = byte;
    };
    checksum = decompress(from, put, work, blockSize, checksum);
    if (checksum === null) blockSize = 0;
    burst += size;
    if (burst > BURST) throw new Error(`a piece of it unpacks to more than ${BURST} bytes`);
    return bytes.subarray(0, size);
  }

  function* blocks(isLast: boolean): Generator<Uint8Array> {
    try {
      // A block is unpacked when it has certainly arrived as a whole.
      const least = () => (isLast ? 1 : Math.max(4, BLOCK_EXTRA + blockSize));
      while (bits && received - bits.bytesRead >= least()) {
        const bytes = block(bits);
        if (bytes.length > 0) yield bytes;
      }
      if (isLast && checksum !== null) throw new Error('it ends within a stream');
    } catch (error) {
      throw new Error('the bzip2 data is damaged or ends early', { cause: error });
    }
  }

  for await (const piece of packed) {
    queue.push(piece);
    received += piece.length;
    bits ??= iterate(() => queue.shift());
    burst = 0;
    yield* blocks(false);
  }
  burst = 0;
  yield* blocks(true);
}

/** The decoder's functions use `this`. */
const bound = (decoder: Bzip2): Bzip2 => ({
  header: decoder.header.bind(decoder),
  decompress: decoder.decompress.bind(decoder),
});

async function* pieces(file: FileHandle, onRead?: (done: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead?.(at);
    yield buffer.subarray(0, bytesRead);
  }
}

/** Reads exactly `size` bytes at `position` of a file. @throws Error if the file is too short */
export async function readExactly(file: FileHandle, position: number, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await file.read(buffer, done, size - done, position + done);
    if (bytesRead === 0) throw new Error('the file ends within a blob: it is truncated');
    done += bytesRead;
  }
  return buffer;
}

/** A streaming UTF-8 decoder. It throws on malformed bytes and, in `end`, on an incomplete character. */
export function utf8Decoder(): { decode(piece: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(piece, { stream });
    } catch (error) {
      throw new Error('the text is not valid UTF-8', { cause: error });
    }
  };
  return { decode: (piece) => decode(piece, true), end: () => decode(new Uint8Array(0), false) };
}
