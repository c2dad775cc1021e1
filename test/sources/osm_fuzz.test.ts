import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { damage, generator, isReaderBug, json, packed, plain, requireSound, sorted, xml } from './osm_damage.ts';

/**
 * Damaged files: every one ends in an extract whose parts hold together, or in a plain Error that says something.
 * RangeError and TypeError would be accidents of the reader. A hang shows as the test's timeout.
 */

/** The share of the seeds that is tried: FUZZ=1 tries all of them, in about a minute. */
const SHARE = Number(process.env.FUZZ ?? 0.05);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['plain pbf', plain, 2000],
  ['sorted pbf', sorted, 2000],
  ['compressed pbf', packed, 500],
  ['xml', xml, 800],
  ['json', json, 800],
  ['gzipped xml', gzipSync(xml), 300],
  ['gzipped pbf', gzipSync(plain), 100],
])('%s, damaged at random', async (name, file, most) => {
  const times = Math.ceil(most * SHARE);
  const path = join(folder, name.replace(' ', '-'));
  await writeFile(path, file);
  requireSound(await readOsmFile(path));
  let failed = 0;
  for (let seed = 1; seed <= times; seed++) {
    await writeFile(path, damage(file, generator(seed * 2_654_435_761)));
    try {
      requireSound(await readOsmFile(path));
    } catch (error) {
      failed++;
      if (isReaderBug(path, error)) throw new Error(`seed ${seed}: ${error}`, { cause: error });
    }
  }
  // Damage that nothing notices would mean that nothing was checked.
  expect(failed).toBeGreaterThan(times / 10);
});

test('random bytes behind every beginning that is recognized', async () => {
  const path = join(folder, 'noise');
  const random = generator(99);
  const starts = [
    plain.subarray(0, 24),
    plain.subarray(0, 80),
    Buffer.from('<'),
    Buffer.from('{'),
    Buffer.from([0x1f, 0x8b, 8]),
    Buffer.alloc(0),
  ];
  for (let n = 0; n < 600; n++) {
    const noise = Buffer.from(Array.from({ length: random(300) }, () => random(256)));
    await writeFile(path, Buffer.concat([defined(starts[n % starts.length]), noise]));
    await expect(readOsmFile(path)).rejects.toThrow(`${path}: `);
  }
});
