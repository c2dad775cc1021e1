import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readIsolated, readingMinutes } from '../../src/sources/read_isolated.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-apart-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [0, 5],
  [80_000, 5],
  [9_999_999, 5],
  [10_000_000, 6],
  [55_000_000, 10],
  [100_000_000, 15],
  [4e9, 15],
])('a file of %i bytes may take %i minutes', (bytes, minutes) => {
  expect(readingMinutes(bytes)).toBe(minutes);
});

test('a file is read in a process of its own, and one that is canceled is not', async () => {
  const path = join(folder, 'areas.csv');
  writeFileSync(path, 'id,name,wkt\n1,One,"POLYGON((0 0,1 0,1 1,0 0))"\n');
  const asked = {
    path,
    options: { source: 'set', adminLevel: 8, map: { id: 'id', name: 'name' } },
    tiling: { snapMeters: null, overlaps: 'keep', gaps: 'keep' },
    mostAreas: 10,
    mostVertices: 100,
  } as const;
  const about = { org: 'a', shown: 'the file', official: () => Promise.resolve([]) };
  expect(await readIsolated(asked, about, new AbortController().signal)).toMatchObject({ areas: 1, vertices: 3 });
  await expect(readIsolated(asked, about, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

test('the files of one organization are read one at a time, and hold up no other', async () => {
  const path = join(folder, 'more.csv');
  writeFileSync(path, 'id,name,wkt\n1,One,"POLYGON((0 0,1 0,1 1,0 0))"\n');
  const asked = {
    path,
    options: { source: 'set', adminLevel: 8, map: { id: 'id', name: 'name' } },
    tiling: { snapMeters: null, overlaps: 'keep', gaps: 'keep' },
    mostAreas: 10,
    mostVertices: 100,
  } as const;
  const never = new AbortController().signal;
  const read = (org: string) =>
    readIsolated(asked, { org, shown: 'the file', official: () => Promise.resolve([]) }, never);
  let ended = 0;
  const many = Array.from({ length: 12 }, () => read('a').finally(() => ended++));
  const outcomes = Promise.allSettled(many);
  expect(await read('b')).toMatchObject({ areas: 1 });
  // Seven were refused at once; of the five others, four wait for each other.
  expect(ended).toBeLessThan(7 + 4);
  const refused = (await outcomes).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused.map(({ code }) => code)).toEqual(Array(7).fill('queue_full'));
  expect(await read('a')).toMatchObject({ areas: 1 });
}, 60_000);
