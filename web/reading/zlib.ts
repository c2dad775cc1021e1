/** What the readers use of node:zlib, over fflate: no more than `maxOutputLength` bytes are ever in memory. */
import { Gunzip, Inflate } from 'fflate';

interface Options {
  readonly maxOutputLength?: number;
}

class TooLong extends Error {
  readonly code = 'ERR_BUFFER_TOO_LARGE';
}

/** Bytes that a stream takes at once: what they unpack to is counted in between. */
const STEP = 65_536;

function unpacked(stream: Gunzip | Inflate, bytes: Uint8Array, { maxOutputLength = 2 ** 31 - 1 }: Options): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  stream.ondata = (part) => {
    length += part.length;
    if (length > maxOutputLength) throw new TooLong('the output is too long');
    parts.push(part.slice());
  };
  for (let from = 0; from < bytes.length; from += STEP) {
    stream.push(bytes.subarray(from, from + STEP), from + STEP >= bytes.length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @throws Error for what is damaged; with the code ERR_BUFFER_TOO_LARGE for more than `maxOutputLength` bytes */
export const gunzipSync = (bytes: Uint8Array, options: Options = {}): Uint8Array =>
  unpacked(new Gunzip(), bytes, options);

/** @throws like gunzipSync() */
export const inflateRawSync = (bytes: Uint8Array, options: Options = {}): Uint8Array =>
  unpacked(new Inflate(), bytes, options);

/** @throws always: browsers have no Brotli for scripts */
export function brotliDecompressSync(): never {
  throw new Error('Brotli is not unpacked in a browser');
}
