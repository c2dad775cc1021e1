/** What readers and writers use of node:zlib, over fflate, in bounds for a page. */
import { Deflate, deflateSync, Gunzip, Inflate } from 'fflate';

interface Options {
  readonly maxOutputLength?: number;
}

class TooLong extends Error {
  readonly code = 'ERR_BUFFER_TOO_LARGE';
}

/** Bytes that a stream takes at once: what they unpack to is counted in between. */
const STEP = 65_536;
/** Most bytes that are unpacked of one file, in all: a worker reads one file. */
export const MOST_UNPACKED = 512 * 2 ** 20;

let total = 0;
let isFull = false;

/** Whether a file was refused because it unpacks to more than MOST_UNPACKED. */
export const isTooMuch = (): boolean => isFull;

/** @param size what the file says that it unpacks to: where that is so, its bytes are in memory once */
function unpacked(stream: Gunzip | Inflate, bytes: Uint8Array, size: number, longest: number): Uint8Array {
  const most = Math.min(longest, MOST_UNPACKED - total);
  let whole = new Uint8Array(Math.min(size, most));
  let length = 0;
  stream.ondata = (part) => {
    const end = length + part.length;
    if (end > most) {
      isFull ||= most < longest;
      throw new TooLong('the output is too long');
    }
    if (end > whole.length) {
      const longer = new Uint8Array(Math.min(most, Math.max(end, 2 * whole.length)));
      longer.set(whole.subarray(0, length));
      whole = longer;
    }
    whole.set(part, length);
    length = end;
  };
  for (let from = 0; from < bytes.length; from += STEP) {
    stream.push(bytes.subarray(from, from + STEP), from + STEP >= bytes.length);
  }
  total += length;
  return whole.subarray(0, length);
}

/** The size at the end of a gzip: that of its last member. */
const sizeOf = (bytes: Uint8Array): number =>
  bytes.length < 18 ? 0 : new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true);

/** @throws Error for what is damaged; with the code ERR_BUFFER_TOO_LARGE for more than `maxOutputLength` or MOST_UNPACKED bytes */
export const gunzipSync = (bytes: Uint8Array, { maxOutputLength = 2 ** 31 - 1 }: Options = {}): Uint8Array =>
  unpacked(new Gunzip(), bytes, sizeOf(bytes), maxOutputLength);

/** @throws like gunzipSync() */
export const inflateRawSync = (bytes: Uint8Array, { maxOutputLength }: Options = {}): Uint8Array =>
  unpacked(new Inflate(), bytes, maxOutputLength ?? 0, maxOutputLength ?? 2 ** 31 - 1);

/** @throws always: browsers have no Brotli for scripts */
export function brotliDecompressSync(): never {
  throw new Error('Brotli is not unpacked in a browser');
}

interface Level {
  readonly level: 4;
}

export const deflateRawSync = (bytes: Uint8Array, { level }: Level): Uint8Array => deflateSync(bytes, { level });

/** Compresses what pipeline() of node.ts gives it, piece by piece, while it is read. */
export class DeflateRaw {
  source: AsyncIterable<Uint8Array> | null = null;
  readonly #level: Level;

  constructor(level: Level) {
    this.#level = level;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const made: Uint8Array[] = [];
    const deflate = new Deflate(this.#level, (part) => made.push(part));
    for await (const piece of this.source ?? []) {
      deflate.push(piece);
      yield* made.splice(0);
    }
    deflate.push(new Uint8Array(0), true);
    yield* made;
  }
}

export const createDeflateRaw = (level: Level): DeflateRaw => new DeflateRaw(level);

/** What each byte does to a checksum, by the polynomial of PNG and zip (ISO 3309). */
const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The CRC-32 of bytes, after that of what is before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = ~before;
  for (const byte of bytes) value = (value >>> 8) ^ (CRC[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
