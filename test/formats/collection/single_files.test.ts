import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/common/elements.ts';
import { extension, FORMATS, singleFormat, writeDocument } from '../../../workers/formats/registry.ts';
import type { CollectionWriter } from '../../../workers/formats/types.ts';
import { fileName, zip } from '../../../workers/formats/zip/pack.ts';
import { writeZip } from '../../../workers/formats/zip/write.ts';
import { multiOf } from '../gdal.ts';
import { HOSTILE } from '../support.ts';
import { type Collection, counties, each, expectSame, hostile, made, readZip, run, spain, writeTo } from './support.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'zip-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function written(collection: Collection, more: object = {}): Promise<string> {
  const file = join(directory, 'collection.zip');
  const write: CollectionWriter = (features, columns, options) =>
    writeZip(features, columns, { single: singleFormat('geojson'), ...options });
  await writeTo(file, write, collection, more);
  return file;
}

describe('zip of single files', () => {
  it.each([
    ['municipalities of Spain', spain],
    ['counties of the United States', counties],
    ['made features', () => made(1, 300)],
  ] as const)('has a GeoJSON file for each feature: %s', async (_, make) => {
    const collection = make();
    const files = readZip(await written(collection));
    expect(new Set(files.map(({ name }) => name.toLowerCase())).size).toBe(collection.features.length);
    const read = files.map(({ bytes }) => {
      const { properties, geometry } = JSON.parse(bytes.toString()) as GeoJSON.Feature;
      return { values: properties ?? {}, multi: geometry && multiOf(geometry) };
    });
    expectSame(collection, read);
  });

  it.each(FORMATS)('has what a single export as %s has', async (format) => {
    const { features, ...rest } = counties();
    const collection = { ...rest, features: features.slice(0, 20) };
    const files = readZip(
      await written(collection, { single: singleFormat(format), attribution: '© someone', digits: 5 }),
    );
    files.forEach(({ name, bytes }, i) => {
      const { values, polygons, box } = defined(features[i]);
      const document = {
        id: String(values[0]),
        name: String(values[1]),
        properties: Object.fromEntries(collection.columns.map((column, c) => [column.name, values[c]])),
        bbox: box && ([box[0] / 1e7, box[1] / 1e7, box[2] / 1e7, box[3] / 1e7] as const),
        attribution: '© someone',
        digits: 5,
      };
      expect(name).toBe(`${values[1]} (${values[0]}).${extension(format)}`);
      expect(bytes.equals(writeDocument(format, polygons!, document))).toBe(true);
    });
  });

  it('GDAL reads its files, whatever the script of their names', async () => {
    const file = await written(made(2, 13));
    const list = run('ogrinfo', ['-q', `/vsizip/${file}/東京都 (r6).geojson`]);
    expect(list).toContain('1: ');
  });

  it('names files so that no system mistakes them', async () => {
    const names = ['../../etc/passwd', 'C:\\x', 'con', 'NUL.txt', '.', '', HOSTILE, 'a'.repeat(500), ' . x. '];
    const columns = [{ name: 'name', type: 'string' }] as const;
    const features = [...names, 'Same', 'same', 'SAME'].map((name) => ({ values: [name], polygons: null, box: null }));
    const files = readZip(await written({ name: 'names', columns, features })).map(({ name }) => name);
    expect(files.slice(0, 6)).toEqual(
      ['etcpasswd', 'Cx', '_con', '_NUL.txt', 'boundary', 'boundary_2'].map((name) => `${name}.geojson`),
    );
    expect(files.slice(8)).toEqual(['x', 'Same', 'same_2', 'SAME_3'].map((name) => `${name}.geojson`));
    for (const name of files) {
      expect(name).toBe(name.normalize());
      expect([...name].length).toBeLessThanOrEqual(108);
      expect(name).not.toMatch(/[/\\:*?"<>|\p{C}]/u);
    }
    expect(fileName('Ελλάδα (Hellas)')).toBe('Ελλάδα (Hellas)');
    expect(readZip(await written(hostile()))).toHaveLength(1);
  });

  it('writes an empty collection', async () => {
    expect(readZip(await written({ ...made(5, 0), features: [] }))).toEqual([]);
  });

  it('streams: the first bytes come before the second feature is read', async () => {
    const { features, columns } = counties();
    let taken = 0;
    const counted = async function* () {
      for await (const feature of each(features)) {
        taken++;
        yield feature;
      }
    };
    const pieces = writeZip(counted(), columns, {
      name: 'counties',
      count: features.length,
      single: singleFormat('geojson'),
    });
    await pieces.next();
    expect(taken).toBe(1);
    await pieces.return(undefined);
    expect(taken).toBe(1);
  });

  it('stops at the bound of a file, and passes on what its source throws', async () => {
    await expect(written(counties(), { limits: { maxBytes: 100 } })).rejects.toThrow('more than');
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1);
      throw new Error('the source failed');
    };
    const read = async () => {
      for await (const _ of zip([{ name: 'x', bytes: failing() }]));
    };
    await expect(read()).rejects.toThrow('the source failed');
  });

  it('has more than 65,535 files', async () => {
    const file = join(directory, 'many.zip');
    const entries = Array.from({ length: 65_540 }, (_, i) => ({ name: `${i}.txt`, bytes: Buffer.from(String(i)) }));
    const many = () => zip(entries);
    await writeTo(file, many, { name: 'many', columns: [], features: [] });
    const files = readZip(file);
    expect(files).toHaveLength(65_540);
    expect(files.at(-1)).toEqual({ name: '65539.txt', bytes: Buffer.from('65539') });
  });
});
