import { expect, it } from 'vitest';
import { lastZoomOf, writePmtiles } from '../../../workers/formats/pmtiles/write.ts';
import type { Feature } from '../../../workers/formats/types.ts';

const OPTIONS = { name: 'made', count: 0, level: 3, attribution: '' };

async function written(features: readonly Feature[]): Promise<number> {
  async function* given() {
    yield* features;
  }
  let bytes = 0;
  for await (const part of writePmtiles(given(), [{ name: 'name', type: 'string' }], OPTIONS)) bytes += part.length;
  return bytes;
}

it('ends at the zoom whose tolerance is that of the collection', () => {
  expect([-1, 0, 1, 2, 3, 7, 15].map(lastZoomOf)).toEqual([14, 14, 14, 13, 12, 8, 0]);
});

it('is an archive without a tile where nothing has polygons', async () => {
  expect(await written([{ values: ['nothing'], polygons: null, box: null }])).toBeGreaterThan(127);
});

it('refuses more vertices than it may hold', async () => {
  const polygons = { coords: new Int32Array(12_000_000), ringEnd: Uint32Array.of(6e6), polygonEnd: Uint32Array.of(1) };
  const one = { values: ['large'], polygons, box: null };
  await expect(written([one, one])).rejects.toThrow(/more than 8000000 vertices/);
});
