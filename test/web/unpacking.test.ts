import { deflateRawSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';

/** The module as a worker of a page loads it, for one file. */
let zlib: typeof import('../../web/reading/zlib.ts');
beforeEach(async () => {
  vi.resetModules();
  zlib = await import('../../web/reading/zlib.ts');
});

const MIB = 2 ** 20;
const text = Buffer.from(Array.from({ length: 30_000 }, (_, i) => `line ${i * 7919}\n`).join(''));

describe('unpacking in a page', () => {
  test('gives what was packed, in memory once', () => {
    for (const bytes of [
      zlib.gunzipSync(gzipSync(text)),
      zlib.inflateRawSync(deflateRawSync(text), { maxOutputLength: text.length }),
    ]) {
      expect(Buffer.compare(bytes, text)).toBe(0);
      expect(bytes.buffer.byteLength).toBe(text.length);
    }
  });

  test('of several members, and of a size that is not so', () => {
    const two = Buffer.concat([gzipSync(text), gzipSync(Buffer.from('end'))]);
    expect(Buffer.compare(zlib.gunzipSync(two), Buffer.concat([text, Buffer.from('end')]))).toBe(0);
    for (const size of [0, 1, 2 ** 32 - 1]) {
      const packed = gzipSync(text);
      packed.writeUInt32LE(size, packed.length - 4);
      expect(Buffer.compare(zlib.gunzipSync(packed), text)).toBe(0);
    }
  });

  test('takes no more than its reader asks for', () => {
    expect(() => zlib.gunzipSync(gzipSync(text), { maxOutputLength: 1000 })).toThrow('too long');
    expect(() => zlib.inflateRawSync(deflateRawSync(text), { maxOutputLength: 1000 })).toThrow('too long');
    expect(zlib.isTooMuch()).toBe(false);
  });

  test('takes 512 MiB of one file, in all', () => {
    const packed = gzipSync(Buffer.alloc(300 * MIB), { level: 1 });
    expect(zlib.gunzipSync(packed).length).toBe(300 * MIB);
    expect(zlib.isTooMuch()).toBe(false);
    expect(() => zlib.gunzipSync(packed)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
    expect(zlib.isTooMuch()).toBe(true);
  });
});
