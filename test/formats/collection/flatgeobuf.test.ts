import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, four } from '../../../src/common/elements.ts';
import { writeFlatgeobuf } from '../../../workers/formats/flatgeobuf/write.ts';
import {
  type Collection,
  counties,
  expectSame,
  hostile,
  made,
  readWithGdal,
  run,
  spain,
  touching,
  wellFormed,
  writeTo,
} from './support.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flatgeobuf-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function written(collection: Collection, more: object = {}): Promise<string> {
  const file = join(directory, 'collection.fgb');
  await writeTo(file, writeFlatgeobuf, collection, more);
  return file;
}

/** The ids in leaves whose boxes touch the rectangle, found in the bytes of the index by walking it from its root. */
function searchIndex(file: string, box: readonly number[], count: number): number {
  const [west, south, east, north] = four(box);
  const bytes = readFileSync(file);
  const start = 12 + bytes.readUInt32LE(8);
  const levels = [count];
  while (defined(levels[0]) > 1 || levels.length === 1) levels.unshift(Math.ceil(defined(levels[0]) / 16));
  const total = levels.reduce((sum, nodes) => sum + nodes);
  const leaves = total - count;
  const features = start + 40 * total;
  let found = 0;
  const visit = (node: number, levelEnd: number, level: number): void => {
    for (let n = node; n < Math.min(node + 16, levelEnd); n++) {
      const at = start + 40 * n;
      const side = (s: number) => bytes.readDoubleLE(at + 8 * s);
      if (side(0) > east || side(1) > north || side(2) < west || side(3) < south) continue;
      const offset = Number(bytes.readBigUInt64LE(at + 32));
      if (n < leaves) {
        visit(offset, levelEnd + defined(levels[level + 1]), level + 1);
      } else {
        // A feature is a buffer with its size in front.
        expect(bytes.readUInt32LE(features + offset)).toBeLessThanOrEqual(bytes.length - features - offset - 4);
        found++;
      }
    }
  };
  visit(0, 1, 0);
  return found;
}

describe('FlatGeobuf', () => {
  it.each([
    ['municipalities of Spain', spain, [-1, 41, 0, 42]],
    ['counties of the United States', counties, [-100, 40, -99, 41]],
    ['made features', () => made(1, 500), [178.5, -90, 179.5, 90]],
    ['sixteen features', () => made(2, 16), [-10, -50, 10, 50]],
    ['seventeen features', () => made(3, 17), [-180, -90, 180, 90]],
    ['one feature', () => made(4, 1), [-180, -90, 180, 90]],
  ] as const)('GDAL reads what was written: %s', async (_, make, box) => {
    const collection = make();
    const file = await written(collection);
    expectSame(collection, readWithGdal(file));
    const found = readWithGdal(file, '-spat', ...box.map(String)).map(({ values }) => String(values.id));
    const wanted = touching(collection, box);
    expect(wanted.length).toBeGreaterThan(0);
    // GDAL looks at the geometry after the index.
    expect(wanted).toEqual(expect.arrayContaining(found));
    expect(searchIndex(file, box, collection.features.length)).toBe(wanted.length);
  });

  it('has a layer of MultiPolygons in WGS 84 with its extent and its fields', async () => {
    const collection = spain();
    const file = await written(collection);
    const layer = run('ogrinfo', ['-al', '-so', file]);
    expect(layer).toContain('Layer name: municipalities');
    expect(layer).toContain('Geometry: Multi Polygon');
    expect(layer).toContain(`Feature Count: ${collection.features.length}`);
    expect(layer).toContain('ID["EPSG",4326]');
    for (const line of ['id: String', 'name: String', 'population: Integer64', 'area_km2: Real'])
      expect(layer).toContain(line);
  });

  it('GDAL finds with the index what it finds by its own', async () => {
    const file = await written(spain());
    const own = join(directory, 'own.fgb');
    run('ogr2ogr', ['-f', 'FlatGeobuf', own, file]);
    const box = ['-spat', '-3.9', '40.2', '-3.4', '40.6'];
    const ids = (path: string) =>
      readWithGdal(path, ...box)
        .map(({ values }) => values.id)
        .sort();
    expect(ids(file)).toEqual(ids(own));
    expect(ids(file).length).toBeGreaterThan(10);
  });

  it('writes an empty collection, and one without polygons', async () => {
    const empty = { ...made(5, 0), features: [] };
    const file = await written(empty);
    expect(readWithGdal(file)).toEqual([]);
    expect(run('ogrinfo', ['-al', '-so', file])).toContain('Feature Count: 0');
    const without = made(6, 40);
    const collection = { ...without, features: without.features.filter(({ box }) => box === null) };
    expectSame(collection, readWithGdal(await written(collection)));
  });

  it('keeps names that a stranger chose apart from the format', async () => {
    const collection = hostile();
    const values = defined(collection.features[0]).values.map((value) => wellFormed(String(value)));
    expectSame(collection, readWithGdal(await written(collection)), undefined, () => values);
  });

  it('is the same whether the features wait in memory or in a file, and yields small pieces', async () => {
    const collection = spain();
    const inMemory = readFileSync(await written(collection));
    const file = join(directory, 'spilled.fgb');
    const { largest } = await writeTo(file, writeFlatgeobuf, collection, { memoryBytes: 1 << 20 });
    expect(readFileSync(file).equals(inMemory)).toBe(true);
    expect(largest).toBeLessThanOrEqual(1 << 20);
  });

  it('stops at its bound', async () => {
    await expect(written(spain(), { maxBytes: 100_000 })).rejects.toThrow('more than');
  });
});
