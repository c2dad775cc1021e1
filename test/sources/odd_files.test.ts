import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { ReadOptions } from '../../src/sources/coverage/options.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { type ConvertTask, convertFile } from '../../workers/convert.ts';
import { zip } from '../../workers/formats/zip/pack.ts';
import { hasGdal } from '../formats/gdal.ts';

/** Files that other programs write in ways of their own: read as they are meant, or refused with the reason. */
const folder = mkdtempSync(join(tmpdir(), 'odd-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const square = (x: number, y: number): number[][] =>
  [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]].map(([dx = 0, dy = 0]) => [x + dx / 4, y + dy / 4]); // biome-ignore format: a ring

const AREAS = [
  { id: '01', name: 'Köln', ring: square(7, 50) },
  { id: '02', name: 'Łódź; "x"', ring: square(8, 51) },
  { id: '2A', name: '大阪', ring: square(9, 52) },
];
const wkt = (ring: number[][]): string => `POLYGON((${ring.map((one) => one.join(' ')).join(',')}))`;
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

type Json = Record<string, unknown>;
const crs = (name: string): Json => ({ type: 'name', properties: { name } });
const collection = (more: Json = {}, of: (i: number) => { feature?: Json; geometry?: Json } = () => ({})): string =>
  JSON.stringify({
    ...more,
    type: 'FeatureCollection',
    features: AREAS.map(({ ring, ...properties }, i) => ({
      ...of(i).feature,
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [ring], ...of(i).geometry },
    })),
  });

function write(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

async function zipped(name: string, entries: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const parts: Uint8Array[] = [];
  const files = Object.entries(entries).map(([one, bytes]) => ({ name: one, bytes: Buffer.from(bytes) }));
  for await (const part of zip(files)) parts.push(part);
  return write(name, Buffer.concat(parts));
}

function ogr(file: string, ...options: string[]): string {
  const path = join(folder, file);
  execFileSync('ogr2ogr', ['-q', ...options, path, write('areas.geojson', collection())], { stdio: 'pipe' });
  return path;
}

/** Ids, names and the least corner of each area, as an import has them, in the order of the ids. */
async function imported(file: string, more: Partial<ReadOptions> = {}) {
  const options: ReadOptions = { source: 'odd', adminLevel: 8, map: { id: 'id', name: 'name' }, ...more };
  const { boundaries, notices, skipped } = await readCoverage(file, options);
  const areas = boundaries
    .map(({ sourceId, name, border }) => {
      const coords = 'rings' in border ? border.rings.flatMap((ring) => [...ring]) : [];
      const least = (at: number): number => Math.min(...coords.filter((_, i) => i % 2 === at)) / 1e7;
      return { id: sourceId, name, corner: [least(0), least(1)] };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { areas, notices, skipped };
}

async function converted(file: string, from: ConvertTask['from'], beside: Record<string, Uint8Array> = {}) {
  const task = { flag: -1, detail: 'full', dissolve: false, name: 'areas', maxBytes: 1e9, to: 'geojson' } as const;
  const made = await convertFile({ ...task, from, bytes: readFileSync(file), beside }, () => false);
  if (made.kind !== 'bytes') return { reason: made.kind === 'unreadable' ? made.reason : made.kind, areas: [] };
  const { features } = JSON.parse(Buffer.from(made.bytes).toString()) as GeoJSON.FeatureCollection;
  const areas = features
    .map(({ properties, bbox = [] }) => ({
      id: String(properties?.id),
      name: String(properties?.name),
      corner: bbox.slice(0, 2),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { areas, reason: '' };
}

const reasonOf = (file: string, more: Partial<ReadOptions> = {}): Promise<string> =>
  imported(file, more).then(
    () => 'it was read',
    (error: Error) => error.message,
  );

const EXPECTED = AREAS.map(({ id, name, ring: [corner] }) => ({ id, name, corner }));

/** Both readers take it, and to the same areas. */
async function expectRead(file: string, from: ConvertTask['from']): Promise<void> {
  expect((await imported(file)).areas).toEqual(EXPECTED);
  expect(await converted(file, from)).toEqual({ reason: '', areas: EXPECTED });
}

async function expectRefused(file: string, from: ConvertTask['from'], reason: RegExp | string): Promise<void> {
  expect(await reasonOf(file)).toMatch(reason);
  expect((await converted(file, from)).reason).toMatch(reason);
}

describe('tables of text', () => {
  const rows = (separator: string, cell: (ring: number[][], i: number) => string): string[] =>
    AREAS.map(({ id, name, ring }, i) => [id, quoted(name), quoted(cell(ring, i))].join(separator));
  const table = (head: string, ...more: Parameters<typeof rows>): string => [head, ...rows(...more), ''].join('\n');

  test.each([
    ['a separator inside of quotes in the first line', table('id;name;geom', ';', wkt).replace('id', '"id"')],
    ['the line by which Excel names the separator', `sep=;\r\n${table('id;name;geom', ';', wkt)}`],
    ['lines that end with carriage returns', table('id,name,wkt', ',', wkt).replaceAll('\n', '\r')],
    ['GeoJSON', table('id,name,geo_shape', ',', (ring) => JSON.stringify({ type: 'Polygon', coordinates: [ring] }))],
    ['an SRID in every row', table('id;name;geom', ';', (ring) => `SRID=4326;${wkt(ring)}`)],
  ])('%s', async (_, text) => {
    await expectRead(write('odd.csv', text), 'csv');
  });

  test('commas in a quoted name of the first column do not separate', async () => {
    const text = table('"note, long";id;name;geom', ';', wkt).replaceAll('\n', '\n;').replace(/;$/, '');
    await expectRead(write('quoted.csv', text), 'csv');
  });

  test.each([
    ['utf16le', '\ufeff'],
    ['utf16be', '\ufeff'],
  ])('a byte order mark says %s', async (encoding, mark) => {
    const little = Buffer.from(mark + table('id,name,wkt', ',', wkt), 'utf16le');
    await expectRead(write('marked.csv', encoding === 'utf16le' ? little : little.swap16()), 'csv');
  });

  test('areas in several reference systems are refused with the row', async () => {
    const second = table('id;name;geom', ';', (ring, i) => `SRID=${i === 1 ? 4314 : 4326};${wkt(ring)}`);
    await expectRefused(write('two.csv', second), 'csv', /row 3: .*several reference systems: EPSG:4326 and EPSG:4314/);
    const first = table('id;name;geom', ';', (ring, i) => (i === 0 ? wkt(ring) : `SRID=4314;${wkt(ring)}`));
    await expectRefused(write('two.csv', first), 'csv', /row 3: .*one without a name and EPSG:4314/);
  });

  test('the first row with an area names the system, where the first row has none', async () => {
    const own = table('id;name;geom', ';', (ring, i) => (i === 0 ? '' : `SRID=4314;${wkt(ring)}`));
    const { notices } = await imported(write('late.csv', own));
    expect(notices.join()).toContain('DHDN (EPSG:4314)');
  });

  test('two columns of one name are refused', async () => {
    const twice = table('name;name;geom', ';', wkt);
    await expectRefused(write('twice.csv', twice), 'csv', 'its first line has two columns "name": rename one');
  });
});

describe('GeoJSON that is older than RFC 7946', () => {
  const [named, other] = [crs('urn:ogc:def:crs:EPSG::4314'), crs('EPSG:4267')];

  test.each([
    ['its head', collection({ crs: named })],
    ['each feature', collection({}, () => ({ feature: { crs: named } }))],
    ['each geometry, as PostGIS writes it', collection({}, () => ({ geometry: { crs: named } }))],
    ['its head and a feature', collection({ crs: named }, (i) => (i === 1 ? { feature: { crs: named } } : {}))],
  ])('%s names the reference system', async (_, text) => {
    const file = write('old.geojson', text);
    const { areas, notices } = await imported(file);
    expect(notices.join()).toContain('DHDN (EPSG:4314)');
    const shifts = areas.map(({ corner: [x = 0, y = 0] }, i) =>
      Math.hypot(x - (EXPECTED[i]?.corner?.[0] ?? 0), y - (EXPECTED[i]?.corner?.[1] ?? 0)),
    );
    for (const shift of shifts) expect(shift).toBeGreaterThan(1e-4);
    expect((await converted(file, 'geojson')).areas).toEqual(areas);
  });

  test('several, or one for some features only, are refused', async () => {
    const both = collection({}, (i) => ({ geometry: { crs: i === 2 ? other : named } }));
    await expectRefused(write('both.geojson', both), 'geojson', 'several reference systems');
    const some = collection({}, (i) => (i === 2 ? {} : { geometry: { crs: named } }));
    const file = write('some.geojson', some);
    expect(await reasonOf(file)).toContain('2 features name a reference system, and 1 do not: name it with --crs');
    expect((await converted(file, 'geojson')).reason).toContain('several reference systems');
    const late = collection({}, (i) => (i === 2 ? { geometry: { crs: named } } : {}));
    const after = write('late.geojson', late);
    expect(await reasonOf(after)).toContain('comes after its features: name it with --crs EPSG:4314');
    expect((await converted(after, 'geojson')).reason).toContain('one without a name and urn:ogc:def:crs:EPSG::4314');
    expect(await reasonOf(file, { crs: 'EPSG:4326' })).toBe('it was read');
  });

  test('a topology, too', async () => {
    const geometries = AREAS.map(({ ring: _, ...properties }, i) => ({ type: 'Polygon', properties, arcs: [[i]] }));
    const objects = { areas: { type: 'GeometryCollection', geometries } };
    const topology = { type: 'Topology', crs: named, objects, arcs: AREAS.map(({ ring }) => ring) };
    const file = write('old.topojson', JSON.stringify(topology));
    const { areas, notices } = await imported(file);
    expect(notices.join()).toContain('DHDN (EPSG:4314)');
    expect((await converted(file, 'topojson')).areas).toEqual(areas);
  });

  test('text in UTF-16 is refused by its name', async () => {
    const file = write('wide.geojson', Buffer.from(`\ufeff${collection()}`, 'utf16le'));
    expect(await reasonOf(file)).toContain('text in UTF-16 is not read: convert the file first');
  });
});

test('a gzipped file inside of a zip, among folders and what macOS adds', async () => {
  const entries = { 'a b/Ä/areas.geojson.gz': gzipSync(collection()), '__MACOSX/a b/Ä/._areas.geojson.gz': 'x' };
  await expectRead(await zipped('packed.zip', entries), 'zip');
});

test('the id of a feature is also its property id', async () => {
  const features = AREAS.map(({ id, name, ring }) => ({
    type: 'Feature',
    id,
    properties: { name },
    geometry: { type: 'Polygon', coordinates: [ring] },
  }));
  const file = write('ids.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  expect((await imported(file)).areas).toEqual(EXPECTED);
});

describe.skipIf(!hasGdal)('a reference system that a part of a file names, beside gdaltransform', () => {
  /** The least corner of each area in degrees of WGS 84, by GDAL. */
  const corners = (system: string): number[][] =>
    AREAS.map(({ ring }) => {
      const args = ['-s_srs', system, '-t_srs', 'EPSG:4326', '-output_xy'];
      const input = ring.map((one) => one.join(' ')).join('\n');
      const moved = execFileSync('gdaltransform', args, { input, encoding: 'utf8' }).trim().split('\n');
      const positions = moved.map((line) => line.split(' ').map(Number));
      return [0, 1].map((at) => Math.min(...positions.map((one) => one[at] ?? Number.NaN)));
    });
  const polygon = (ring: number[][], more: Json = {}): Json => ({ type: 'Polygon', ...more, coordinates: [ring] });
  const parts = (geometries: unknown[], more: Json = {}): Json => ({ type: 'GeometryCollection', ...more, geometries });
  const table = (cell: (ring: number[][]) => Json): string =>
    ['id,name,geojson', ...AREAS.map((a) => [a.id, quoted(a.name), quoted(JSON.stringify(cell(a.ring)))].join())].join(
      '\n',
    );
  const features = (geometry: (ring: number[][]) => Json, separator = ','): string[] => [
    AREAS.map(({ ring, ...properties }) =>
      JSON.stringify({ type: 'Feature', properties, geometry: geometry(ring) }),
    ).join(separator),
  ];
  const [own, far] = [{ crs: crs('EPSG:4230') }, { crs: crs('urn:ogc:def:crs:EPSG::4314') }];
  const nested = (ring: number[][]): Json => parts([parts([polygon(ring, own)])]);

  test.each([
    ['csv', 'a cell of GeoJSON', table((ring) => polygon(ring, own))],
    ['csv', 'a collection in a cell', table((ring) => parts([polygon(ring)], own))],
    ['csv', 'a member of a collection in a cell', table(nested)],
    ['geojson', 'a member of a collection', `{"type":"FeatureCollection","features":[${features(nested)}]}`],
    ['ndjson', 'a member of a collection in a line', features(nested, '\n').join()],
  ] as const)('%s: %s', async (format, _, text) => {
    const file = write(`part.${format === 'ndjson' ? 'geojsonl' : format}`, text);
    const { areas } = await imported(file);
    const expected = corners('EPSG:4230');
    for (const [i, { corner }] of areas.entries()) {
      // ED50 is 100 m away, and its transformations differ by less than 3 m here.
      for (const at of [0, 1]) expect(Math.abs((corner[at] ?? 0) - (expected[i]?.[at] ?? 0))).toBeLessThan(3e-5);
      expect(Math.abs((corner[0] ?? 0) - (EXPECTED[i]?.corner?.[0] ?? 0))).toBeGreaterThan(5e-4);
    }
    expect((await converted(file, format)).areas).toEqual(areas);
  });

  test.each([
    ['csv', 'two members', table((ring) => parts([polygon(ring, own), polygon(ring, far)]))],
    ['csv', 'a member and its collection', table((ring) => parts([polygon(ring, far)], own))],
    [
      'geojson',
      'two members',
      `{"type":"FeatureCollection","features":[${features((ring) => parts([polygon(ring, own), polygon(ring, far)]))}]}`,
    ],
    [
      'geojson',
      'the head and every feature',
      collection({ crs: crs('EPSG:4230') }, () => ({ geometry: { crs: crs('EPSG:4314') } })),
    ],
    [
      'ndjson',
      'two lines',
      [nested, (ring: number[][]) => polygon(ring, far)].map((of) => features(of, '\n')).join('\n'),
    ],
  ] as const)('%s: %s that differ are refused', async (format, _, text) => {
    const file = write(`differ.${format === 'ndjson' ? 'geojsonl' : format}`, text);
    await expectRefused(file, format, 'its areas are in several reference systems');
  });

  test('a line without one is not read in that of another line', async () => {
    const lines = [features(nested, '\n'), features((ring) => polygon(ring), '\n')].join('\n');
    const file = write('lines.geojsonl', lines);
    expect(await reasonOf(file)).toContain('3 features name a reference system, and 3 do not: name it with --crs');
    expect((await converted(file, 'ndjson')).reason).toContain('several reference systems');
    const member = table((ring) => parts([polygon(ring, own), polygon(ring)]));
    await expectRefused(write('member.csv', member), 'csv', 'several reference systems');
  });
});

describe('one reference system by several names', () => {
  const degrees = [
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'EPSG:4326',
    'OGC:CRS84',
    'http://www.opengis.net/def/crs/EPSG/0/4326',
  ];
  const plane = ['EPSG:25830', 'urn:ogc:def:crs:EPSG::25830', 'http://www.opengis.net/def/crs/EPSG/0/25830'];
  const far = (ring: number[][]): number[][] => ring.map(([x = 0, y = 0]) => [400_000 + x * 1e3, 4_400_000 + y * 1e3]);
  const lines = (names: readonly string[], place: (ring: number[][]) => number[][]): string =>
    AREAS.map(({ ring, ...properties }, i) =>
      JSON.stringify({
        type: 'Feature',
        properties,
        geometry: { type: 'Polygon', coordinates: [place(ring)], crs: crs(names[i % names.length] ?? '') },
      }),
    ).join('\n');
  const whole = (features: string): string =>
    `{"type":"FeatureCollection","features":[${features.replaceAll('\n', ',')}]}`;

  test.each([
    ['degrees', degrees, (ring: number[][]) => ring],
    ['a plane', plane, far],
  ])('%s', async (_, names, place) => {
    const [first = ''] = names;
    const expected = (await imported(write('one.geojson', whole(lines([first], place))))).areas;
    for (const [name, format, text] of [
      ['many.geojson', 'geojson', whole(lines(names, place))],
      ['many.geojsonl', 'ndjson', lines(names, place)],
    ] as const) {
      const file = write(name, text);
      expect((await imported(file)).areas).toEqual(expected);
      expect(await converted(file, format)).toEqual({ reason: '', areas: expected });
    }
  });

  test('latitude first and longitude first are not the same order of GML', async () => {
    const member = (srs: string, at: number): string =>
      `<gml:featureMember><a><id>${at}</id><name>n${at}</name><g><gml:Polygon srsName="${srs}"><gml:exterior><gml:LinearRing>` +
      `<gml:posList>${at} 50 ${at} 51 ${at + 1} 51 ${at} 50</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon></g></a></gml:featureMember>`;
    const gml = (...names: string[]): string =>
      `<c xmlns:gml="http://www.opengis.net/gml/3.2">${names.map((srs, i) => member(srs, 3 * i)).join('')}</c>`;
    const turned = write('turned.gml', gml('urn:ogc:def:crs:EPSG::4258', 'EPSG:4258'));
    await expectRefused(turned, 'gml', 'its areas are in several reference systems');
    const same = write('same.gml', gml('urn:ogc:def:crs:EPSG::4258', 'http://www.opengis.net/def/crs/EPSG/0/4258'));
    expect((await converted(same, 'gml')).areas.map(({ corner }) => corner)).toEqual([[50, 0], [50, 3]]); // biome-ignore format: places
  });
});

describe.skipIf(!hasGdal)('files that GDAL writes', () => {
  test.each([
    ['GML', 'gml', () => ogr('ids.gml', '-f', 'GML', '-dsco', 'FORMAT=GML3.2')],
    ['LIBKML', 'kml', () => ogr('ids.kml', '-f', 'LIBKML')],
    ['KML', 'kml', () => ogr('plain.kml', '-f', 'KML')],
  ] as const)('%s: ids of elements are not those of areas', async (_, from, make) => {
    await expectRead(make(), from);
  });

  test('an element that a feature of GML has twice is a list', async () => {
    const file = ogr('twice.gml', '-f', 'GML', '-dsco', 'FORMAT=GML3.2');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/<ogr:name>Köln<\/ogr:name>/, '$&<ogr:name>Cologne</ogr:name>'));
    const { areas, skipped } = await imported(file);
    expect(areas).toHaveLength(2);
    expect(skipped).toEqual([{ id: '01', reason: 'no name' }]);
  });

  test('a layer of a GeoPackage that is a view is refused', async () => {
    const file = ogr('view.gpkg', '-nln', 'areas');
    const of = "'seen','features','seen',4326";
    const sql =
      'create view seen as select * from areas;' +
      `insert into gpkg_contents(table_name,data_type,identifier,srs_id) values(${of});` +
      "insert into gpkg_geometry_columns values('seen','geom','GEOMETRY',4326,0,0);";
    execFileSync('ogrinfo', [file, '-sql', sql.split(';')[0] ?? ''], { stdio: 'pipe' });
    for (const one of sql.split(';').slice(1, 3)) execFileSync('ogrinfo', [file, '-sql', one], { stdio: 'pipe' });
    expect(await reasonOf(file, { layer: 'seen' })).toContain('its layer "seen" is a view');
    expect(await reasonOf(file, { layer: 'areas' })).toBe('it was read');
  });

  test('a GeoPackage whose last changes are in a file beside it is refused', async () => {
    const file = ogr('open.gpkg');
    write('open.gpkg-wal', 'changes');
    expect(await reasonOf(file)).toContain('changes of it are still in open.gpkg-wal');
  });

  test('rows of a Shapefile that are marked as deleted are left out and listed', async () => {
    const file = ogr('deleted.shp', '-lco', 'ENCODING=UTF-8');
    const dbf = readFileSync(join(folder, 'deleted.dbf'));
    dbf[dbf.readUInt16LE(8) + dbf.readUInt16LE(10)] = 0x2a;
    write('deleted.dbf', dbf);
    const { areas, notices } = await imported(file);
    expect(areas).toEqual(EXPECTED.filter(({ id }) => id !== '02'));
    expect(notices).toContain('rows that are marked as deleted are left out, in the records: 2');
    const listed = execFileSync('ogrinfo', ['-al', '-geom=NO', file], { encoding: 'utf8' });
    expect(listed).toContain('OGRFeature(deleted):0');
    expect(listed).not.toContain('OGRFeature(deleted):1');
    dbf.fill(0, 64, 75);
    dbf.write('id', 64);
    write('deleted.dbf', dbf);
    expect(await reasonOf(file)).toContain('its table has two columns "id": rename one');
  });
});
