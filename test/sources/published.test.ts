import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseFile, coverageOf, readCatalog } from '../../src/sources/catalog.ts';
import type { ReadOptions } from '../../src/sources/coverage/options.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { zip } from '../../workers/formats/zip/pack.ts';
import { hasGdal } from '../formats/gdal.ts';
import { EUROPE_AND_MORE, type Published } from './published.ts';
import { OTHERS } from './published_more.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-published-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PUBLISHED = [...EUROPE_AND_MORE, ...OTHERS];
const SIZE = 0.2;
/** Degrees between places of rows. */
const STEP = 0.3;

const ringAt = (x: number, y: number): number[][] =>
  [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]].map(([dx = 0, dy = 0]) => [x + dx * SIZE, y + dy * SIZE]); // biome-ignore format: a ring

/** The values of a row, without the mark of one that has no shape. */
const valuesOf = (row: Published['rows'][number]) => (row[0] === false ? row.slice(1) : row);

/** The rows as GeoJSON, in degrees. */
function features({ columns, rows, at: [x, y] }: Published) {
  const names = Object.keys(columns);
  return rows.map((row, i) => ({
    type: 'Feature',
    properties: Object.fromEntries(names.map((name, k) => [name, valuesOf(row)[k] ?? null])),
    geometry: row[0] === false ? null : { type: 'Polygon', coordinates: [ringAt(x + STEP * i, y)] },
  }));
}

/** A column of the file with its type, for OGR. */
function cast([name, width]: [string, number]): string {
  const type = width === 0 ? 'bigint' : width < 1 ? 'float' : `character(${width})`;
  return `CAST("${name}" AS ${type}) AS "${name}"`;
}

/** Makes the file as its publisher gives it. */
async function make(published: Published, crs: string, layer: string): Promise<string> {
  const { as, file, packed = 'zip', encoding, heights, said, others = [], beside = [], columns } = published;
  const plain = { type: 'FeatureCollection', ...(said && { crs: { type: 'name', properties: { name: said } } }) };
  const text = JSON.stringify({ ...plain, features: features(published) });
  if (as === 'geojson') {
    const path = join(folder, `${file}${packed === 'gzip' ? '.gz' : ''}`);
    writeFileSync(path, packed === 'gzip' ? gzipSync(text) : text);
    return path;
  }
  const source = join(folder, 'source.geojson');
  writeFileSync(source, JSON.stringify({ type: 'FeatureCollection', features: features(published) }));
  const ending = as === 'shapefile' ? 'shp' : 'gpkg';
  const path = join(folder, `made.${ending}`);
  rmSync(path, { force: true });
  const select = `SELECT ${Object.entries(columns).map(cast).join(', ')} FROM source`;
  const options = [
    ...['-t_srs', crs, '-sql', select, '-nlt', 'PROMOTE_TO_MULTI'],
    ...(heights ? ['-dim', 'XYZ'] : []),
    ...(as === 'shapefile' ? ['-lco', `ENCODING=${encoding?.gdal ?? 'UTF-8'}`] : []),
  ];
  const ogr = (...own: string[]) =>
    execFileSync('ogr2ogr', ['-q', ...own, ...options, path, source], { stdio: 'pipe' });
  const names = as === 'geopackage' ? [layer, ...others.slice(0, 1)] : ['made'];
  for (const [i, name] of names.entries()) ogr(...(i === 0 ? [] : ['-update']), '-nln', name);
  if (packed !== 'zip') return path;

  const entries = new Map<string, Uint8Array>([[file, readFileSync(path)]]);
  if (as === 'shapefile') {
    const sidecars = ['dbf', 'shx', 'prj', ...(encoding?.hasCpg === false ? [] : ['cpg'])];
    for (const name of [file.slice(0, -4), ...others.map((one) => join(dirname(file), one))]) {
      for (const one of ['shp', ...sidecars]) entries.set(`${name}.${one}`, readFileSync(join(folder, `made.${one}`)));
    }
  }
  for (const name of beside) entries.set(name, Buffer.from(name.endsWith('.geojson') ? text : 'about this file'));
  const parts: Uint8Array[] = [];
  for await (const part of zip([...entries].map(([name, bytes]) => ({ name, bytes })))) parts.push(part);
  const archive = join(folder, 'made.zip');
  writeFileSync(archive, Buffer.concat(parts));
  return archive;
}

/** The name of what a recipe reads with the words for a country in it filled in. */
const named = (name: string, part: string): string =>
  `${name}/${part}`
    .replace('{iso2}', name === 'whosonfirst' ? 'PT' : 'CH')
    .replace('{iso3}', 'CHE')
    .replace(/\/$/, '');

describe.skipIf(!hasGdal)('files as their publishers give them', () => {
  it('has one for every file of the catalog but those of OpenStreetMap', () => {
    const all = readCatalog().flatMap(({ name, files }) =>
      files.flatMap(({ part, map }) => (map === undefined ? [] : [named(name, part)])),
    );
    expect([...PUBLISHED.map(({ name }) => name), 'overture/CH'].sort()).toEqual(all.sort());
  });

  it.each(PUBLISHED.map((one) => [one.name, one] as const))('@%s', async (name, published) => {
    const chosen = chooseFile(name);
    const options = coverageOf(chosen) as ReadOptions;
    const { encoding, expected, rows, at } = published;
    const file = await make(published, published.crs ?? chosen.file.crs ?? 'EPSG:4326', options.layer ?? 'areas');
    const given = encoding?.hasCpg === false ? { ...options, encoding: encoding.gdal } : options;
    if (encoding?.hasCpg === false) await expect(readCoverage(file, options)).rejects.toThrow('--encoding');
    const { boundaries, skipped } = await readCoverage(file, given);
    expect(boundaries).toHaveLength(expected.length);
    expect(skipped).toHaveLength(rows.filter(([first]) => first === false).length);
    expected.forEach((fields, i) => {
      const one = boundaries[i];
      expect(one).toMatchObject(fields);
      if (fields.names) expect(one?.names).toEqual(fields.names);
      const row = rows.findIndex((values) => valuesOf(values).some((value) => String(value) === fields.sourceId));
      const coords = one && 'rings' in one.border ? [...(one.border.rings[0] ?? [])] : [];
      const least = (of: number) => Math.min(...coords.filter((_, k) => k % 2 === of)) / 1e7;
      // Datums without a grid are some meters off; a straight edge of a plane bends by less than that.
      expect(Math.abs(least(0) - (at[0] + STEP * row))).toBeLessThan(2e-4);
      expect(Math.abs(least(1) - at[1])).toBeLessThan(2e-4);
    });
  });
});

describe('Overture', () => {
  const text = (name: string) =>
    ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const;
  const SIDES = ['xmin', 'xmax', 'ymin', 'ymax'] as const;
  const TEXTS = ['id', 'country', 'subtype', 'class', 'region', 'division_id'] as const;

  function polygon(x: number, y: number): Uint8Array {
    const ring = ringAt(x, y);
    const bytes = Buffer.alloc(13 + 16 * ring.length);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt32LE(3, 1);
    bytes.writeUInt32LE(1, 5);
    bytes.writeUInt32LE(ring.length, 9);
    ring.flat().forEach((value, i) => {
      bytes.writeDoubleLE(value, 13 + 8 * i);
    });
    return bytes;
  }

  it('@overture/CH: nested names, subtypes as levels, land of one country', async () => {
    const rows = [
      ['08f1', 'CH', 'region', 'land', 'CH-ZH', 'd1', 'Zürich'],
      ['08f2', 'CH', 'locality', 'land', 'CH-ZH', 'd2', 'Winterthur'],
      ['08f3', 'CH', 'country', 'maritime', null, 'd3', 'Schweiz'],
      ['08f4', 'LI', 'country', 'land', null, 'd4', 'Liechtenstein'],
    ];
    const writer = new ByteWriter();
    const schema = [
      { name: 'schema', num_children: TEXTS.length + 3 },
      ...TEXTS.map(text),
      { name: 'names', num_children: 1, repetition_type: 'OPTIONAL' as const },
      text('primary'),
      { name: 'bbox', num_children: 4, repetition_type: 'OPTIONAL' as const },
      ...SIDES.map((name) => ({ name, type: 'FLOAT', repetition_type: 'REQUIRED' }) as const),
      { name: 'geometry', type: 'BYTE_ARRAY' as const, repetition_type: 'OPTIONAL' as const },
    ];
    const geo = { version: '1.1.0', primary_column: 'geometry', columns: { geometry: { encoding: 'WKB', geometry_types: ['Polygon'] } } }; // biome-ignore format: a file's own words
    const parquet = new ParquetWriter({ writer, schema, kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }] });
    const place = (i: number) => ({ xmin: 8 + i, xmax: 8.2 + i, ymin: 47, ymax: 47.2 });
    parquet.write({
      columnData: [
        ...TEXTS.map((name, k) => ({ name, data: rows.map((row) => row[k] ?? null) })),
        { name: 'names', data: rows.map((row) => ({ primary: row[6] })) },
        { name: 'bbox', data: rows.map((_, i) => place(i)) },
        { name: 'geometry', data: rows.map((_, i) => polygon(8 + i, 47)) },
      ],
    });
    parquet.finish();
    const path = join(folder, 'divisions.parquet');
    writeFileSync(path, Buffer.from(writer.getBuffer()));
    const { boundaries, notices } = await readCoverage(path, coverageOf(chooseFile('overture/CH')) as ReadOptions);
    expect(boundaries).toMatchObject([
      { sourceId: '08f1', name: 'Zürich', country: 'CH', adminLevel: 4, codeIds: ['gers:08f1', 'overture:08f1'] },
      { sourceId: '08f2', name: 'Winterthur', country: 'CH', adminLevel: 8 },
    ]);
    expect(notices.join()).toContain('2 features are not read: only those with class land and country CH are');
  });
});
