import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/common/elements.ts';
import { writeShapefile } from '../../../workers/formats/shapefile/write.ts';
import type { Feature } from '../../../workers/formats/types.ts';
import {
  type Collection,
  counties,
  each,
  expectSame,
  type Found,
  hostile,
  made,
  readWithGdal,
  readZip,
  ringArea,
  run,
  spain,
  writeTo,
} from './support.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'shapefile-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;

/** Writes a collection and gives the file in the way in which GDAL reads zip archives. */
async function written(collection: Collection, more: object = {}): Promise<string> {
  // A name of its own, because GDAL remembers archives.
  const file = join(directory, `collection-${files++}.zip`);
  await writeTo(file, writeShapefile, collection, more);
  return `/vsizip/${file}`;
}

/** What GDAL finds, its rings turned round: shells must run clockwise, holes counter-clockwise. */
function readTurned(file: string): Found[] {
  return readWithGdal(file).map(({ values, multi }) => {
    for (const polygon of multi ?? []) {
      polygon.forEach((ring, r) => {
        expect(ringArea(ring) < 0).toBe(r === 0);
      });
    }
    return { values, multi: multi?.map((polygon) => polygon.map((ring) => ring.toReversed())) ?? null };
  });
}

/** Values as a .dbf holds them. */
function asDbf({ values }: Feature): unknown[] {
  return values.map((value) => {
    if (typeof value !== 'string') return value;
    const cut = Buffer.from(value.replace(/\p{Cc}/gu, ' ')).subarray(0, 254);
    return (
      cut
        .toString()
        .replace(/\uFFFD$/, '')
        .trimEnd() || null
    );
  });
}

const NAMES = ['id', 'name', 'a long nam', 'a long n_2', 'Name_2', 'площа', 'geom', 'fid'];

describe('zipped Shapefile', () => {
  it.each([
    ['municipalities of Spain', spain, undefined],
    ['counties of the United States', counties, undefined],
    ['made features', () => made(1, 1000), NAMES],
    ['one feature', () => made(4, 1), NAMES],
  ] as const)('GDAL reads what was written: %s', async (_, make, names) => {
    const collection = make();
    const file = await written(collection);
    expectSame(collection, readTurned(file), names, asDbf);
  });

  it('has a layer in WGS 84 with its extent and its fields, in five files', async () => {
    const collection = spain();
    const file = await written(collection);
    const layer = run('ogrinfo', ['-al', '-so', file]);
    expect(layer).toContain('Layer name: municipalities');
    expect(layer).toContain('Geometry: Polygon');
    expect(layer).toContain(`Feature Count: ${collection.features.length}`);
    expect(layer).toContain('Extent: (-18.156683, 27.637723) - (4.309792, 43.789148)');
    expect(layer).toContain('ID["EPSG",4326]');
    expect(layer).toMatch(/^id: String \(\d+\.0\)$/m);
    expect(layer).toMatch(/^population: Integer \(7\.0\)$/m);
    expect(layer).toMatch(/^area_km2: Real \(\d+\.15\)$/m);
    const names = readZip(file.slice('/vsizip/'.length)).map(({ name }) => name);
    expect(names).toEqual(['shp', 'shx', 'dbf', 'prj', 'cpg'].map((extension) => `municipalities.${extension}`));
  });

  it('cuts texts between characters, at 254 bytes', async () => {
    const columns = [
      { name: 'id', type: 'string' },
      { name: 'text', type: 'string' },
    ] as const;
    const texts = ['x'.repeat(254), 'x'.repeat(255), 'é'.repeat(200), '東'.repeat(100), `x${'🚀'.repeat(100)}`];
    const features = texts.map((text, i) => ({ values: [`r${i}`, text], polygons: null, box: null }));
    const read = readWithGdal(await written({ name: 'cut', columns, features })).map(({ values }) => values.text);
    expect(read).toEqual(['x'.repeat(254), 'x'.repeat(254), 'é'.repeat(127), '東'.repeat(84), `x${'🚀'.repeat(63)}`]);
  });

  it('names columns in at most ten bytes, each different', async () => {
    const names = [
      'id',
      ...Array.from({ length: 12 }, () => 'population'),
      'ΠΛΗΘΥΣΜΟΣ',
      'πληθυσμος',
      'name:zh-Hant-TW',
    ];
    const columns = names.map((name) => ({ name, type: 'string' }) as const);
    const features = [{ values: names.map((_, i) => `v${i}`), polygons: null, box: null }];
    const { values } = defined(readWithGdal(await written({ name: 'names', columns, features }))[0]);
    expect(Object.values(values)).toEqual(names.map((_, i) => `v${i}`));
    for (const name of Object.keys(values)) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(10);
    expect(Object.keys(values)).toContain('populati_9');
    expect(Object.keys(values)).toContain('populat_12');
  });

  it('writes an empty collection, and one without polygons', async () => {
    const empty = await written({ ...made(5, 0), features: [] });
    expect(readWithGdal(empty)).toEqual([]);
    const without = made(6, 40);
    const collection = { ...without, features: without.features.filter(({ box }) => box === null) };
    expectSame(collection, readWithGdal(await written(collection)), NAMES, asDbf);
  });

  it('keeps names that a stranger chose apart from the format', async () => {
    const collection = { ...hostile(), name: '../../C:\\con' };
    const file = await written(collection);
    expect(run('ogrinfo', ['-q', file])).toContain('1: Ccon (Polygon)');
    const names = ['id', 'name', 'x" INTEGER', 'column'];
    const found = readTurned(file);
    expectSame(collection, found, names, (feature) =>
      asDbf({ ...feature, values: feature.values.map((value) => Buffer.from(String(value)).toString()) }),
    );
  });

  it('is the same whether the records wait in memory or in a file, and yields small pieces', async () => {
    const collection = spain();
    const inMemory = readFileSync((await written(collection)).slice('/vsizip/'.length));
    const file = join(directory, 'spilled.zip');
    const { largest } = await writeTo(file, writeShapefile, collection, { memoryBytes: 1 << 20 });
    expect(readFileSync(file).equals(inMemory)).toBe(true);
    expect(largest).toBeLessThanOrEqual(1 << 20);
  });

  it('says that more than 2 GB, or the bound, are too much: of the .shp or of the .dbf', async () => {
    await expect(written(spain(), { maxBytes: 100_000 })).rejects.toThrow('more than');
    const wide = { name: 'text', type: 'string' } as const;
    const features = ['x'.repeat(254), ...Array.from({ length: 999 }, () => 'x')].map((text) => ({
      values: [text],
      polygons: null,
      box: null,
    }));
    await expect(written({ name: 'wide', columns: [wide], features }, { maxBytes: 255_000 })).rejects.toThrow(
      'more than',
    );
    await written({ name: 'wide', columns: [wide], features }, { maxBytes: 256_000 });
  });

  it('refuses more than 255 columns', async () => {
    const columns = Array.from({ length: 256 }, (_, i) => ({ name: `c${i}`, type: 'string' }) as const);
    const written = writeShapefile(each([]), columns, { name: 'many', count: 0 });
    await expect(written.next()).rejects.toThrow('at most 255 columns');
  });
});
