import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { unpackedBytes } from '../../src/sources/osm/bytes.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';

const hasBzip2 = (() => {
  try {
    return execFileSync('bzip2', ['--help'], { stdio: 'ignore' }) === null;
  } catch {
    return false;
  }
})();
const data = process.env.REAL_DATA_DIR;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-bzip2-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function put(content: Uint8Array): Promise<string> {
  const path = join(folder, `${files++}.bin`);
  await writeFile(path, content);
  return path;
}

async function unpacked(content: Uint8Array): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of unpackedBytes(await put(content))) parts.push(piece);
  return Buffer.concat(parts);
}

/** An empty map, packed by bzip2 1.0.8. */
const PACKED = Buffer.from(
  'QlpoOTFBWSZTWSZMb94AAA3ZgAAQUAHxByYnnQAgAEhKKNGjYoaZGDUAGjQA0bqRVeUpCDvtCoPQb0/rpHnFrXngvgUUknbTJNLoQRCEPi7kinChIEyY37w=',
  'base64',
);
const MAP = '<osm version="0.6"><node id="1" version="1" lat="1" lon="2"/></osm>\n';

describe('bzip2', () => {
  it('is unpacked, one stream or several', async () => {
    expect((await unpacked(PACKED)).toString()).toBe(MAP);
    expect((await unpacked(Buffer.concat([PACKED, PACKED, PACKED]))).toString()).toBe(MAP.repeat(3));
  });

  it('leaves other bytes as they are, and unpacks gzip', async () => {
    expect((await unpacked(Buffer.from(MAP))).toString()).toBe(MAP);
    expect((await unpacked(gzipSync(MAP))).toString()).toBe(MAP);
    expect((await unpacked(Buffer.alloc(0))).length).toBe(0);
  });

  it('is recognized by its content when a map is read', async () => {
    expect((await readOsmFile(await put(PACKED))).read).toMatchObject({ nodes: 1, bytes: PACKED.length });
  });

  it('cut or damaged anywhere is an error', async () => {
    for (let end = 4; end < PACKED.length; end++) {
      await expect(unpacked(PACKED.subarray(0, end)), `cut at ${end}`).rejects.toThrow('bzip2');
    }
    for (let at = 0; at < PACKED.length; at++) {
      const damaged = Buffer.from(PACKED);
      damaged[at] = defined(damaged[at]) ^ 0x55;
      const read = await unpacked(damaged).then(
        (bytes) => bytes.toString(),
        (error: Error) => error.message,
      );
      // A damaged start is not a bzip2 any more and passed on as it is; the size of a block may grow unnoticed.
      if (at > 3) expect(read).toMatch('bzip2');
    }
  });
});

describe.skipIf(!hasBzip2)('bzip2 files (needs bzip2)', () => {
  const pack = (bytes: Uint8Array) => execFileSync('bzip2', ['-c'], { input: bytes, maxBuffer: 2 ** 28 });
  /** Text that is many blocks long and does not repeat itself. */
  const text = Buffer.from(
    Array.from({ length: 200_000 }, (_, i) => `${(i * 2_654_435_761) % 4_294_967_296}\n`).join(''),
  );

  it('of several blocks, and of several streams as pbzip2 and lbzip2 write them', async () => {
    const whole = pack(text);
    expect((await unpacked(whole)).equals(text)).toBe(true);
    const cut = 1_000_003;
    const parts = Buffer.concat([pack(text.subarray(0, cut)), pack(text.subarray(cut)), pack(Buffer.alloc(0))]);
    expect((await unpacked(parts)).equals(text)).toBe(true);
    await expect(unpacked(whole.subarray(0, -3))).rejects.toThrow('bzip2');
  });

  it('that unpack to far more than any map are refused', async () => {
    const bomb = Buffer.concat(Array.from({ length: 8 }, () => pack(Buffer.alloc(10_000_000))));
    await expect(unpacked(bomb)).rejects.toThrow('bzip2');
  }, 60_000);

  it('take a few times the size of one block, whatever that unpacks to', async () => {
    // One block of 900,000 bytes unpacks to 46 MB. In a process of its own, whose memory is only of this.
    const path = await put(pack(Buffer.alloc(45_000_000)));
    const script = `
      const { unpackedBytes } = await import(${JSON.stringify(new URL('../../src/sources/osm/bytes.ts', import.meta.url))});
      const before = process.resourceUsage().maxRSS;
      let size = 0;
      for await (const piece of unpackedBytes(${JSON.stringify(path)})) size += piece.length;
      console.log(JSON.stringify({ size, more: process.resourceUsage().maxRSS - before }));`;
    const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    const { size, more } = JSON.parse(out.toString()) as { size: number; more: number };
    expect(size).toBe(45_000_000);
    expect(more).toBeLessThan(300_000);
  }, 60_000);

  it.skipIf(!data)('of a real map are the map (needs REAL_DATA_DIR)', async () => {
    const path = join(data as string, 'osm/monaco-2023.boundaries.osm.pbf');
    const { read: _, ...plain } = await readOsmFile(path);
    const { read, ...same } = await readOsmFile(await put(pack(await readFile(path))));
    expect(same).toEqual(plain);
    expect(read.nodes).toBeGreaterThan(0);
  });
});
