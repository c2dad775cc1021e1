import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, four } from '../../../src/common/elements.ts';
import { writeGeoparquet } from '../../../workers/formats/geoparquet/write.ts';
import { polygonsFromWkb } from '../../../workers/wkb.ts';
import { multiOf } from '../gdal.ts';
import {
  type Collection,
  counties,
  expectSame,
  type Found,
  hostile,
  made,
  ringArea,
  spain,
  touching,
  wellFormed,
  writeTo,
} from './support.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'geoparquet-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function written(collection: Collection, more: object = {}): Promise<string> {
  const file = join(directory, 'collection.parquet');
  await writeTo(file, writeGeoparquet, collection, more);
  return file;
}

type Bbox = Readonly<Record<'xmin' | 'ymin' | 'xmax' | 'ymax', number>>;

/** What hyparquet reads: it makes GeoJSON of the geometry when it understands the metadata. */
async function read(file: string): Promise<(Found & { readonly bbox: Bbox | null })[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file) });
  return rows.map(({ geometry, bbox, ...values }) => ({
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
    multi: geometry ? multiOf(geometry as GeoJSON.Geometry) : null,
    bbox: (bbox as Bbox | undefined) ?? null,
  }));
}

const inside = ({ xmin, ymin, xmax, ymax }: Bbox, box: readonly number[]): boolean => {
  const [west, south, east, north] = four(box);
  return xmin <= east && xmax >= west && ymin <= north && ymax >= south;
};

const NAMES = ['id', 'name', 'a long name of a column', 'a long name of another', 'Name_2', 'площадь', 'geom', 'fid'];

describe('GeoParquet', () => {
  it.each([
    ['municipalities of Spain', spain, [-1, 41, 0, 42]],
    ['counties of the United States', counties, [-100, 40, -99, 41]],
    ['made features', () => made(1, 1000), [178.5, -90, 179.5, 90]],
    ['one feature', () => made(4, 1), [-180, -90, 180, 90]],
  ] as const)('hyparquet reads what was written: %s', async (_, make, box) => {
    const collection = make();
    const rows = await read(await written(collection));
    expectSame(collection, rows, collection.name === 'made' ? NAMES : undefined);
    for (const { multi, bbox } of rows) {
      expect(bbox === null).toBe(multi === null);
      for (const polygon of multi ?? []) {
        expect(polygon.every((ring, r) => ringArea(ring) > 0 === (r === 0))).toBe(true);
      }
    }
    const found = rows.filter(({ bbox }) => bbox && inside(bbox, box)).map(({ values }) => String(values.id));
    expect(found.sort()).toEqual(touching(collection, box));
  });

  it('says what its columns are', async () => {
    const collection = spain();
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(await written(collection)));
    expect(Number(metadata.num_rows)).toBe(collection.features.length);
    const geo = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value ?? '');
    expect(geo).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          geometry_types: ['MultiPolygon'],
          orientation: 'counterclockwise',
          edges: 'planar',
          bbox: [-18.1566826, 27.6377232, 4.3097915, 43.7891485].map((side) => expect.closeTo(side, 4)),
          covering: {
            bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
          },
        },
      },
    });
    const schema = metadata.schema.map(({ name, type, converted_type }) => [name, converted_type ?? type]);
    expect(schema.slice(1, 6)).toEqual([
      ['id', 'UTF8'],
      ['name', 'UTF8'],
      ['population', 'INT64'],
      ['area_km2', 'DOUBLE'],
      ['geometry', 'BYTE_ARRAY'],
    ]);
  });

  it('has plain little-endian WKB, and statistics by which a reader leaves row groups out', async () => {
    const collection = spain();
    const file = await asyncBufferFromFile(await written(collection));
    const rows = await parquetReadObjects({ file, columns: ['id', 'geometry'], geoparquet: false, utf8: false });
    const first = collection.features.find(({ values }) => values[0] === defined(rows[0]).id);
    expect(polygonsFromWkbDegrees(defined(rows[0]).geometry as Uint8Array)).toEqual(
      Array.from(first!.polygons!.coords),
    );

    const groups = (await parquetMetadataAsync(file)).row_groups;
    expect(groups.length).toBeGreaterThan(1);
    let row = 0;
    const bboxes = await parquetReadObjects({ file, columns: ['bbox'] });
    for (const { columns, num_rows } of groups) {
      const within = bboxes
        .slice(row, row + Number(num_rows))
        .flatMap(({ bbox }) => (bbox ? [(bbox as Bbox).xmin] : []));
      const xmin = columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === 'bbox.xmin')?.meta_data;
      expect(xmin?.statistics?.min_value).toBe(Math.min(...within));
      expect(xmin?.statistics?.max_value).toBe(Math.max(...within));
      row += Number(num_rows);
    }
  });

  it('puts neighbors side by side', async () => {
    const rows = await read(await written(spain()));
    const steps = rows.flatMap(({ bbox }, i) => {
      const before = rows[i - 1]?.bbox;
      return bbox && before ? [Math.hypot(bbox.xmin - before.xmin, bbox.ymin - before.ymin)] : [];
    });
    steps.sort((a, b) => a - b);
    expect(steps[Math.floor(steps.length / 2)]).toBeLessThan(0.2);
  });

  it('writes an empty collection, and one without polygons', async () => {
    expect(await read(await written({ ...made(5, 0), features: [] }))).toEqual([]);
    const without = made(6, 40);
    const collection = { ...without, features: without.features.filter(({ box }) => box === null) };
    expectSame(collection, await read(await written(collection)), NAMES);
  });

  it('keeps names that a stranger chose apart from the format', async () => {
    const collection = hostile();
    const values = defined(collection.features[0]).values.map((value) => wellFormed(String(value)));
    const names = ['id', 'name', 'x" INTEGER); DROP TABLE gpkg_contents; --', 'column'];
    expectSame(collection, await read(await written(collection)), names, () => values);
    const columns = ['geometry', 'bbox', 'id'].map((name) => ({ name, type: 'string' }) as const);
    const renamed = await written({
      ...collection,
      columns,
      features: [{ ...defined(collection.features[0]), values: ['a', 'b', 'c'] }],
    });
    expect(defined((await read(renamed))[0]).values).toEqual({ geometry_2: 'a', bbox_2: 'b', id: 'c' });
  });

  it('is the same whether the features wait in memory or in a file', async () => {
    const collection = spain();
    const inMemory = readFileSync(await written(collection));
    const file = join(directory, 'spilled.parquet');
    await writeTo(file, writeGeoparquet, collection, { memoryBytes: 1 << 20 });
    expect(readFileSync(file).equals(inMemory)).toBe(true);
  });

  it('stops at its bound', async () => {
    await expect(written(spain(), { maxBytes: 100_000 })).rejects.toThrow('more than');
  });
});

/** The coordinates of WKB on the grid: our reader wants whole numbers. */
function polygonsFromWkbDegrees(wkb: Uint8Array): number[] {
  expect(wkb[0]).toBe(1);
  const bytes = wkb.slice();
  const view = new DataView(bytes.buffer);
  // Two levels of counts stand between the coordinates: walk them as they are nested.
  let at = 9;
  for (let polygons = view.getUint32(5, true); polygons > 0; polygons--) {
    const rings = view.getUint32(at + 5, true);
    at += 9;
    for (let ring = 0; ring < rings; ring++) {
      const points = view.getUint32(at, true);
      at += 4;
      for (let i = 0; i < 2 * points; i++, at += 8)
        view.setFloat64(at, Math.round(view.getFloat64(at, true) * 1e7), true);
    }
  }
  expect(at).toBe(bytes.length);
  return Array.from(polygonsFromWkb(bytes).coords);
}
