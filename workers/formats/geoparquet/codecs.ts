import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Decompress } from 'fzstd';
import { snappyUncompress } from 'hyparquet';
import { unpackHadoopLz4, unpackLz4 } from './lz4.ts';

/** Unpacks the bytes of a page of `size` bytes. Given other bytes, it fails or returns another number of bytes. */
type Codec = (bytes: Uint8Array, size: number) => Uint8Array;

/** The ways to compress a page that are read, by their names in the format. */
export const CODECS: Readonly<Record<string, Codec>> = {
  SNAPPY(bytes, size) {
    const whole = new Uint8Array(size);
    if (size > 0) snappyUncompress(bytes, whole);
    return whole;
  },
  GZIP: (bytes, size) => gunzipSync(bytes, { maxOutputLength: Math.max(1, size) }),
  BROTLI: (bytes, size) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, size) }),
  ZSTD: unpackZstd,
  LZ4: unpackHadoopLz4,
  LZ4_RAW: unpackLz4,
};

/** Block by block, so that a page that holds more than it says is never in memory as a whole. */
function unpackZstd(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let length = 0;
  const stream = new Decompress((block) => {
    whole.set(block, length);
    length += block.length;
  });
  stream.push(bytes, true);
  return whole.subarray(0, length);
}
