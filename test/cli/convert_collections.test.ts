import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { feature } from 'topojson-client';
import { afterAll, describe, expect, test } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';
import type { Detail } from '../../workers/contract.ts';
import { type ConvertTask, convertFile } from '../../workers/convert.ts';
import type { CollectionFormat, Format, Readable } from '../../workers/formats/registry.ts';
import { gdalCollection, hasGdal, type Multi, multiOf } from '../formats/gdal.ts';
import { square } from '../formats/support.ts';
import { leading, pairs } from '../setup/elements.ts';
import { openMachine } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-convert-'));
const machine = openMachine();
afterAll(() => {
  rmSync(folder, { recursive: true });
  machine.remove();
});

/** Four cells whose borders have a bend in common, with an area in parts and one with a hole that another fills. */
const SIDES = (x: number, y: number): number[][] => [
  [x, y],
  [x + 0.5, y + 0.1],
  [x + 1, y],
  [x + 1.1, y + 0.5],
  [x + 1, y + 1],
  [x + 0.5, y + 1.1],
  [x, y + 1],
  [x + 0.1, y + 0.5],
  [x, y],
];
const AREAS: readonly { properties: Record<string, string | number>; coordinates: Multi }[] = [
  { properties: { id: 'a1', name: 'Ünï "b", c', code: '01001', people: 5, share: 0.25 }, coordinates: [[SIDES(0, 0)]] },
  { properties: { id: 'a2', name: 'b & <c>', code: '2', people: 123456789, share: 1 }, coordinates: [[SIDES(1, 0)]] },
  { properties: { id: 'a3', name: 'd', code: '01002', share: -2.5 }, coordinates: [[SIDES(0, 1)]] },
  {
    properties: { id: 'a4', name: 'in parts', code: '7', people: 0 },
    coordinates: [
      [square(10, 10, 5), square(10, 10, 3, true)],
      [square(10, 10, 1)],
      [
        [
          [170, -17],
          [170.5, -17],
          [170.5, -16.1234567],
          [170, -17],
        ],
      ],
    ],
  },
  {
    properties: { id: 'a5', name: 'fills it', code: '8', people: 3 },
    coordinates: [[square(10, 10, 3), square(10, 10, 1, true)]],
  },
];
const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  name: 'five',
  features: AREAS.map(({ properties, coordinates }) => ({
    type: 'Feature',
    id: properties.id,
    properties: { ...properties, flag: true, list: [1, { a: null }] },
    geometry: { type: 'MultiPolygon', coordinates },
  })),
});

async function result(content: string | Uint8Array, from: Readable, to: ConvertTask['to'], more: object = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const task = { detail: 'full' as Detail, dissolve: false, name: 'file', maxBytes: 1e9, ...more };
  return convertFile({ ...task, bytes, from, to }, () => false);
}
async function convert(...given: Parameters<typeof result>): Promise<Uint8Array> {
  const made = await result(...given);
  if (made.kind !== 'bytes') throw new Error(JSON.stringify(made));
  return made.bytes;
}
const reasonOf = async (...given: Parameters<typeof result>): Promise<string> => {
  const made = await result(...given);
  return made.kind === 'unreadable' ? made.reason : made.kind;
};
const featuresOf = (bytes: Uint8Array): GeoJSON.Feature[] =>
  (JSON.parse(Buffer.from(bytes).toString()) as GeoJSON.FeatureCollection).features;

/** Polygons and rings in one order, each ring from its least vertex on. */
function settled(multi: Multi): string[] {
  const ring = (given: number[][]): string => {
    const open = given.slice(0, -1).map((point) => point.map((degrees) => degrees.toFixed(7)).join(' '));
    const start = open.indexOf(defined(open.toSorted()[0]));
    return [...open.slice(start), ...open.slice(0, start)].join();
  };
  const counter = (given: number[][], wanted: boolean): number[][] => {
    const points = given.map((point) => leading(point, 2));
    const area = pairs(points).reduce((sum, [[ax, ay], [bx, by]]) => sum + ax * by - bx * ay, 0);
    return area > 0 === wanted ? given : given.toReversed();
  };
  return multi
    .map(([shell, ...holes]) =>
      [ring(counter(defined(shell), true)), ...holes.map((hole) => ring(counter(hole, false))).sort()].join('|'),
    )
    .sort();
}

/** Requires that features are those of AREAS, by their ids. `texts`: numbers were written as text. */
function expectAreas(features: readonly GeoJSON.Feature[], { texts = false, keys = ['code', 'people', 'share'] } = {}) {
  const found = features.map(({ properties, geometry }) => ({
    values: keys.map((key) => properties?.[key] ?? null),
    name: properties?.name,
    id: properties?.id,
    geometry: settled(multiOf(geometry)),
  }));
  const as = (value: string | number | undefined) => (value === undefined ? null : texts ? String(value) : value);
  const expected = AREAS.map(({ properties, coordinates }) => ({
    values: keys.map((key) => as(properties[key])),
    name: properties.name,
    id: properties.id,
    geometry: settled(coordinates),
  }));
  expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected);
}

describe('areas stay apart, with their attributes', () => {
  test.each([
    ['geojson', false],
    ['geojsonseq', false],
    ['ndjson', false],
    ['topojson', false],
    ['flatgeobuf', false],
    ['geopackage', false],
    ['geoparquet', false],
    ['shapefile', false],
    ['csv', true],
    ['kml', false],
    ['gml', true],
    ['zip', false],
  ] as const)('%s, written and read', async (format, texts) => {
    const bytes = await convert(GEOJSON, 'geojson', format);
    const features = featuresOf(await convert(bytes, format, 'geojson'));
    expectAreas(features, { texts });
    // JSON holds what other formats have as text.
    if (/json/.test(format))
      expect(defined(features[0]).properties).toMatchObject({ flag: true, list: [1, { a: null }] });
    if (format === 'geopackage')
      expect(defined(features[0]).properties).toMatchObject({ flag: true, list: '[1,{"a":null}]' });
  });

  test('poly has ids and rings', async () => {
    const bytes = await convert(GEOJSON, 'geojson', 'poly');
    const features = featuresOf(await convert(bytes, 'poly', 'geojson'));
    expect(features.map(({ id, geometry }) => [id, settled(multiOf(geometry))])).toEqual(
      AREAS.map(({ properties, coordinates }) => [properties.id, settled(coordinates)]),
    );
    const plain = `name\n1\n 0 0\n 4 0\n 4 4\n 0 4\n 0 0\nEND\n2\n 9 9\n 10 9\n 9 10\nEND\n!3\n 1 1\n 2 1\n 1 2\n 1 1\nEND\nEND\n`;
    const one = JSON.parse(Buffer.from(await convert(plain, 'poly', 'geojson')).toString()) as GeoJSON.Feature;
    expect(one.properties).toMatchObject({ name: 'name' });
    expect(multiOf(one.geometry).map((rings) => rings.length)).toEqual([2, 1]);
  });

  test('zip of another format', async () => {
    const bytes = await convert(GEOJSON, 'geojson', 'zip', { zipOf: 'kml' satisfies Format });
    expectAreas(featuresOf(await convert(bytes, 'zip', 'geojson')));
  });

  test('TopoJSON that is called .json is read as what it is', async () => {
    const topology = await convert(GEOJSON, 'geojson', 'topojson');
    const read = JSON.parse(Buffer.from(await convert(topology, 'geojson', 'geojson')).toString());
    expect(read).toEqual(JSON.parse(Buffer.from(await convert(topology, 'topojson', 'geojson')).toString()));
  });

  test('topojson has each border once', async () => {
    const topology = JSON.parse(Buffer.from(await convert(GEOJSON, 'geojson', 'topojson')).toString());
    const vertices = topology.arcs.flatMap((arc: number[][]) => arc.slice(0, -1).map(String));
    const all = AREAS.flatMap(({ coordinates }) => coordinates.flat(1).flatMap((ring) => ring.slice(0, -1)));
    expect(vertices.length).toBeLessThan(all.length);
    expectAreas((feature(topology, topology.objects.boundaries) as unknown as GeoJSON.FeatureCollection).features);
  });

  test('hyparquet reads the columns with their types', async () => {
    const bytes = await convert(GEOJSON, 'geojson', 'geoparquet');
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    const first = rows.find(({ id }) => id === 'a1');
    expect(first).toMatchObject({ code: '01001', people: 5n, share: 0.25 });
    expect(settled(multiOf(first?.geometry as GeoJSON.Geometry))).toEqual(settled(defined(AREAS[0]).coordinates));
  });

  test('svg has a group for each, pmtiles are tiles of them', async () => {
    const svg = Buffer.from(await convert(GEOJSON, 'geojson', 'svg')).toString();
    expect(svg.match(/<g id="a\d"/g)).toHaveLength(5);
    const small = JSON.stringify({
      type: 'FeatureCollection',
      features: [1, 2].map((x) => ({
        type: 'Feature',
        properties: { name: `n${x}` },
        geometry: { type: 'Polygon', coordinates: [square(x / 100, 0, 0.005)] },
      })),
    });
    expect(Buffer.from(await convert(small, 'geojson', 'pmtiles')).toString('latin1', 0, 7)).toBe('PMTiles');
  });
});

describe.skipIf(!hasGdal)('GDAL', () => {
  test.each(['geojsonseq', 'ndjson', 'topojson', 'flatgeobuf', 'geopackage', 'shapefile', 'csv'] as const)(
    'reads the same areas: %s',
    async (format: CollectionFormat) => {
      const features = gdalCollection(await convert(GEOJSON, 'geojson', format), format, folder);
      expectAreas(features, {
        texts: format === 'csv',
        keys: format === 'csv' ? ['code'] : ['code', 'people', 'share'],
      });
    },
  );

  test.each([
    ['fgb', 'FlatGeobuf', 'flatgeobuf', []],
    ['fgb', 'FlatGeobuf', 'flatgeobuf', ['-lco', 'SPATIAL_INDEX=NO']],
    ['gpkg', 'GPKG', 'geopackage', []],
    ['zip', 'ESRI Shapefile', 'shapefile', ['-lco', 'ENCODING=UTF-8']],
    ['csv', 'CSV', 'csv', ['-lco', 'GEOMETRY=AS_WKT', '-lco', 'SEPARATOR=SEMICOLON']],
    ['geojsons', 'GeoJSONSeq', 'geojsonseq', ['-lco', 'RS=YES']],
    ['ndjson', 'GeoJSONSeq', 'ndjson', []],
  ] as const)('writes what we read: %s as %s', async (extension, driver, format, options) => {
    const [from, to] = [join(folder, 'from.geojson'), join(folder, `to.${extension}`)];
    writeFileSync(from, GEOJSON);
    rmSync(to, { force: true });
    const target = extension === 'zip' ? join(folder, 'to.shz') : to;
    rmSync(target, { force: true });
    execFileSync('ogr2ogr', ['-q', '-f', driver, ...options, target, from], { stdio: 'pipe' });
    expectAreas(featuresOf(await convert(readFileSync(target), format, 'geojson')), { texts: format === 'csv' });
  });

  test('a file in another coordinate system is read as the one in degrees', async () => {
    const from = join(folder, 'mercator.geojson');
    writeFileSync(from, GEOJSON);
    for (const [extension, format] of [
      ['fgb', 'flatgeobuf'],
      ['gpkg', 'geopackage'],
      ['shz', 'shapefile'],
    ] as const) {
      const to = join(folder, `mercator.${extension}`);
      execFileSync('ogr2ogr', ['-q', '-t_srs', 'EPSG:3857', to, from], { stdio: 'pipe' });
      const positions = async (content: string | Uint8Array, own: Readable): Promise<string[]> =>
        Buffer.from(await convert(content, own, 'geojson'))
          .toString()
          .match(/\[-?[\d.]+,-?[\d.]+\]/g) ?? [];
      // Slanted edges got vertices: straight lines of Mercator's plane are none in degrees.
      expect(await positions(readFileSync(to), format)).toEqual(
        expect.arrayContaining(await positions(GEOJSON, 'geojson')),
      );
    }
  });
});

test('a file that is cut off, or has other bytes, is refused or read, and never fails', async () => {
  const next = seeded(4);
  for (const format of [
    'flatgeobuf',
    'geopackage',
    'geoparquet',
    'shapefile',
    'zip',
    'topojson',
    'csv',
    'poly',
  ] as const) {
    const bytes = Buffer.from(await convert(GEOJSON, 'geojson', format));
    for (let i = 0; i < 25; i++) {
      const broken = Buffer.from(i % 2 === 0 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes);
      for (let k = 0; k < 3 && i % 2 === 1; k++) broken[Math.floor(next() * broken.length)] = Math.floor(256 * next());
      expect(['bytes', 'unreadable'], format).toContain((await result(broken, format, 'ndjson')).kind);
    }
  }
});

test('what cannot be done to areas that stay apart says what can', async () => {
  expect(await reasonOf(GEOJSON, 'geojson', 'wkt')).toContain('add --dissolve');
  expect(await reasonOf(GEOJSON, 'geojson', 'geojson', { detail: 'low' })).toContain('no longer fit each other');
  expect(await reasonOf('a,b\n1,2\n', 'csv', 'geojson')).toContain('names no column wkt');
});

test('merges with --dissolve only, reads a shapefile beside its table, and reads no pictures', async () => {
  writeFileSync(machine.path('in.geojson'), GEOJSON);
  const apart = await machine.run(['convert', 'in.geojson', 'out.zip']);
  expect([apart.exit, apart.err]).toEqual([
    0,
    expect.stringMatching(/^out\.zip: \d+ bytes; 5 areas\nlists and objects written as JSON text: list\n$/),
  ]);
  execFileSync('unzip', ['-q', '-o', 'out.zip'], { cwd: machine.folder });
  const shp = execFileSync('ls', { cwd: machine.folder })
    .toString()
    .split('\n')
    .find((name) => name.endsWith('.shp'));
  const read = await machine.run(['convert', shp as string, 'back.ndjson', '--json']);
  expect(JSON.parse(read.out)).toMatchObject({ features: 5, left: 0, empty: 0 });
  expect(readFileSync(machine.path('back.ndjson'), 'utf8')).toContain('Ünï');
  const merged = await machine.run(['convert', 'back.ndjson', 'one.wkt', '--dissolve']);
  expect([merged.exit, merged.err]).toEqual([0, expect.stringMatching(/5 areas merged into one/)]);
  const tiles = await machine.run(['convert', 'x.pmtiles', 'y.kml']);
  expect([tiles.exit, tiles.err]).toEqual([2, expect.stringContaining('it can be written, not read')]);
});
