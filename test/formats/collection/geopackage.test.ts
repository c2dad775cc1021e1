import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/common/elements.ts';
import { writeGeopackage } from '../../../workers/formats/geopackage/write.ts';
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
  directory = mkdtempSync(join(tmpdir(), 'geopackage-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function written(collection: Collection, more: object = {}): Promise<string> {
  const file = join(directory, 'collection.gpkg');
  rmSync(file, { force: true });
  await writeTo(file, writeGeopackage, collection, { date: new Date(0), ...more });
  return file;
}

/** The rows of a statement that SQLite, as GDAL has it, runs on the file, as text. */
function query(file: string, sql: string): string[] {
  // The layer that stands for the result: a line a value.
  return [...run('ogrinfo', ['-q', file, '-sql', sql]).matchAll(/^ {2}\S.* \(\w+\) = (.*)$/gm)].map(([, value]) =>
    defined(value),
  );
}

/** What SQLite itself says of the file, its tables, indexes and R-tree. */
function expectSound(file: string, table: string): void {
  expect(query(file, 'PRAGMA integrity_check')).toEqual(['ok']);
  expect(query(file, 'PRAGMA foreign_key_check')).toEqual([]);
  expect(query(file, `SELECT rtreecheck('rtree_${table}_geom')`)).toEqual(['ok']);
}

const NAMES = [
  'id',
  'name',
  'a long name of a column',
  'a long name of another',
  'Name_2',
  'площадь',
  'geom_2',
  'fid_2',
];

describe('GeoPackage', () => {
  it.each([
    ['municipalities of Spain', spain, [-1, 41, 0, 42]],
    ['counties of the United States', counties, [-100, 40, -99, 41]],
    ['made features', () => made(1, 3000), [178.5, -90, 179.5, 90]],
    ['as many as fill a node', () => made(2, 58), [-10, -50, 10, 50]],
    ['one more', () => made(2, 60), [-10, -50, 10, 50]],
    ['one feature', () => made(4, 1), [-180, -90, 180, 90]],
  ] as const)('GDAL reads what was written, and SQLite finds it sound: %s', async (_, make, box) => {
    const collection = make();
    const file = await written(collection);
    expectSound(file, collection.name);
    expectSame(collection, readWithGdal(file), collection.name === 'made' ? NAMES : undefined);
    const [west, south, east, north] = box;
    const sql = `SELECT t.id FROM rtree_${collection.name}_geom r JOIN ${collection.name} t ON t.fid = r.id
      WHERE r.minx <= ${east} AND r.maxx >= ${west} AND r.miny <= ${north} AND r.maxy >= ${south}`;
    expect(query(file, sql).sort()).toEqual(touching(collection, box));
    const found = readWithGdal(file, '-spat', ...box.map(String)).map(({ values }) => String(values.id));
    expect(touching(collection, box)).toEqual(expect.arrayContaining(found));
    expect(found.length).toBeGreaterThan(0);
  });

  it('has a layer of MultiPolygons in WGS 84 with its extent and its fields', async () => {
    const collection = spain();
    const layer = run('ogrinfo', ['-al', '-so', await written(collection)]);
    expect(layer).toContain('Layer name: municipalities');
    expect(layer).toContain('Geometry: Multi Polygon');
    expect(layer).toContain(`Feature Count: ${collection.features.length}`);
    expect(layer).toContain('Extent: (-18.156683, 27.637723) - (4.309792, 43.789148)');
    expect(layer).toContain('ID["EPSG",4326]');
    for (const line of ['id: String', 'name: String', 'population: Integer64', 'area_km2: Real']) {
      expect(layer).toContain(line);
    }
  });

  it('has rows that need overflow pages of every length around their limits', async () => {
    const columns = [
      { name: 'id', type: 'string' },
      { name: 'text', type: 'string' },
    ] as const;
    const lengths = [...Array.from({ length: 60 }, (_, i) => 4020 + i), 8140, 8150, 8160, 12_300, 100_000];
    const features = lengths.map((length, i) => ({
      values: [`r${i}`, 'x'.repeat(length)],
      polygons: null,
      box: null,
    }));
    const collection = { name: 'long', columns, features };
    const file = await written(collection);
    expectSound(file, 'long');
    expectSame(collection, readWithGdal(file));
  });

  it('can be edited: the index follows', async () => {
    const collection = made(7, 400);
    const file = await written(collection);
    run('ogr2ogr', ['-append', '-nln', 'made', file, await copyOf(file)]);
    run('ogrinfo', ['-q', file, '-sql', 'DELETE FROM made WHERE fid % 3 = 0']);
    expectSound(file, 'made');
    const shaped = query(file, 'SELECT count(*) FROM made WHERE geom IS NOT NULL');
    expect(query(file, 'SELECT count(*) FROM rtree_made_geom')).toEqual(shaped);
    expect(Number(shaped[0])).toBeGreaterThan(400);
  });

  async function copyOf(file: string): Promise<string> {
    const copy = join(directory, 'copy.geojson');
    rmSync(copy, { force: true });
    run('ogr2ogr', ['-f', 'GeoJSON', copy, file]);
    return copy;
  }

  it('writes an empty collection, and one without polygons', async () => {
    const empty = await written({ ...made(5, 0), features: [] });
    expectSound(empty, 'made');
    expect(readWithGdal(empty)).toEqual([]);
    const without = made(6, 40);
    const collection = { ...without, features: without.features.filter(({ box }) => box === null) };
    const file = await written(collection);
    expectSound(file, 'made');
    expectSame(collection, readWithGdal(file), NAMES);
  });

  it('keeps names that a stranger chose apart from the format', async () => {
    const collection = hostile();
    const file = await written(collection);
    expect(query(file, 'PRAGMA integrity_check')).toEqual(['ok']);
    const values = defined(collection.features[0]).values.map((value) => wellFormed(String(value)));
    const names = ['id', 'name', 'x" INTEGER); DROP TABLE gpkg_contents; --', 'column'];
    expectSame(collection, readWithGdal(file), names, () => values);
    for (const name of ['sqlite_master', 'gpkg_contents', 'RTREE_x', '', '"', '日本'.repeat(100)]) {
      const named = await written({ ...collection, name });
      expect(query(named, 'PRAGMA integrity_check')).toEqual(['ok']);
      expect(readWithGdal(named)).toHaveLength(1);
    }
  });

  it('is the same whether the pages wait in memory or in a file, and yields small pieces', async () => {
    const collection = spain();
    const inMemory = readFileSync(await written(collection));
    const file = join(directory, 'spilled.gpkg');
    const { largest } = await writeTo(file, writeGeopackage, collection, { memoryBytes: 1 << 20, date: new Date(0) });
    expect(readFileSync(file).equals(inMemory)).toBe(true);
    expect(largest).toBeLessThanOrEqual(1 << 20);
  });

  it('stops at its bound', async () => {
    await expect(written(spain(), { maxBytes: 100_000 })).rejects.toThrow('more than');
  });
});
