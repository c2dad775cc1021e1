import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/common/elements.ts';
import { hilbert } from '../../../workers/formats/writing/hilbert.ts';
import { Spool } from '../../../workers/formats/writing/spool.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const MB = 1 << 20;

/** Bytes that tell their place. */
function bytesFrom(start: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => ((start + i) * 2_654_435_761) >>> 24);
}

describe('spool', () => {
  it.each([
    ['in memory', 64 * MB],
    ['in a file', MB],
    ['on both sides', 3 * MB],
  ])('gives back any part of what it took: %s', async (_, memoryBytes) => {
    const spool = new Spool({ memoryBytes, directory });
    for (const length of [0, 1, 1000, MB - 1001, 5, 2 * MB, MB + 7, 0, 123_456]) {
      await spool.append(bytesFrom(spool.length, length));
    }
    expect(spool.length).toBe(4 * MB + 123_468);
    for (const [offset, length] of [
      [0, spool.length],
      [MB - 1, 2],
      [3 * MB - 5, MB],
      [spool.length - 1, 1],
      [spool.length, 0],
    ]) {
      const found = new Uint8Array(defined(length));
      await spool.read(defined(offset), found);
      expect(Buffer.from(found).equals(bytesFrom(defined(offset), defined(length)))).toBe(true);
    }
    await expect(spool.read(spool.length, new Uint8Array(1))).rejects.toThrow('shorter');
    const pieces: Uint8Array[] = [];
    for await (const piece of spool.gather([
      [2 * MB, 300_000],
      [5, 10],
      [0, 0],
      [MB, 1],
    ]))
      pieces.push(piece);
    const wanted = [bytesFrom(2 * MB, 300_000), bytesFrom(5, 10), bytesFrom(MB, 1)];
    expect(Buffer.concat(pieces).equals(Buffer.concat(wanted))).toBe(true);
    // The file has no name while it is used, so that no crash leaves it behind.
    expect(readdirSync(directory)).toEqual([]);
    await spool.close();
  });

  it('keeps its bound, and says when its folder is missing', async () => {
    const bounded = new Spool({ maxBytes: 10 });
    await bounded.append(new Uint8Array(10));
    await expect(bounded.append(new Uint8Array(1))).rejects.toThrow('more than 11 bytes');
    const lost = new Spool({ memoryBytes: MB, directory: join(directory, 'none') });
    await expect(lost.append(new Uint8Array(2 * MB))).rejects.toThrow('ENOENT');
    await lost.close();
  });
});

it('the Hilbert curve goes from each cell to one beside it, and visits every one once', () => {
  const cells: [number, number][] = [];
  // The first 4^5 cells of the curve fill a square of 32 by 32.
  for (let x = 0; x < 32; x++) {
    for (let y = 0; y < 32; y++) cells[hilbert(x, y)] = [x, y];
  }
  expect(cells.filter(Boolean)).toHaveLength(1024);
  expect(cells).toHaveLength(1024);
  for (let i = 1; i < cells.length; i++) {
    expect(
      Math.abs(defined(cells[i])[0] - defined(cells[i - 1])[0]) +
        Math.abs(defined(cells[i])[1] - defined(cells[i - 1])[1]),
    ).toBe(1);
  }
  expect(hilbert(65_535, 0)).toBe(2 ** 32 - 1);
});
