import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { ReadOptions } from '../../src/sources/coverage/options.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import type { Coords } from '../../workers/contract.ts';
import { convertFile } from '../../workers/convert.ts';
import { nestedPolygons } from '../../workers/formats/reading/nest.ts';
import { READABLE, type Readable } from '../../workers/formats/registry.ts';
import { zip } from '../../workers/formats/zip/pack.ts';
import { hasGdal } from '../formats/gdal.ts';

const folder = mkdtempSync(join(tmpdir(), 'any-format-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A closed ring with many digits. */
const ring = (x: number, y: number, size: number): number[][] =>
  [
    [0, 0],
    [1, 0.1234567],
    [1.05, 1],
    [0.1, 1.0000001],
    [0, 0],
  ].map(([dx, dy]) => [Number((x + defined(dx) * size).toFixed(7)), Number((y + defined(dy) * size).toFixed(7))]);

/** Areas with codes that begin with zeros, names in several scripts, a hole, and several parts. */
const AREAS = [
  { code: '01001', nom: "L'Abergement-Clémenciat", geo: [[ring(4.9, 46.1, 0.5)]] },
  { code: '01002', nom: '大阪市 "quoted", with commas', geo: [[ring(6, 46, 1), ring(6.3, 46.3, 0.2).toReversed()]] },
  { code: '2A004', nom: 'Αθήνα; <b> & co.', geo: [[ring(8, 42, 0.4)], [ring(9, 43, 0.3)]] },
  { code: '97302', nom: 'Сайда 𝛼', geo: [[ring(-52.5, 4.5, 0.7)]] },
].map(({ code, nom, geo }, i) => ({
  type: 'Feature',
  properties: { code, nom, population: 1000 * i + 7, level: 8 },
  geometry: geo.length === 1 ? { type: 'Polygon', coordinates: geo[0] } : { type: 'MultiPolygon', coordinates: geo },
}));
const GEOJSON = join(folder, 'areas.geojson');
writeFileSync(GEOJSON, JSON.stringify({ type: 'FeatureCollection', name: 'areas', features: AREAS }));

const OPTIONS: ReadOptions = {
  source: 'test',
  map: { id: 'code', name: 'nom', population: 'population', admin_level: 'level' },
};

/** A ring from its smallest vertex on, with its direction left out: shells and holes are told apart by the even-odd rule. */
function canonical(coords: Coords): string {
  const points = Array.from({ length: coords.length / 2 - 1 }, (_, i) => `${coords[2 * i]},${coords[2 * i + 1]}`);
  const from = points.indexOf(defined(points.toSorted()[0]));
  const turned = [...points.slice(from), ...points.slice(0, from)];
  const back = [turned[0], ...turned.slice(1).toReversed()];
  return defined([turned.join(' '), back.join(' ')].toSorted()[0]);
}

const ringsOf = ({ border }: SourceBoundary): readonly Coords[] => ('rings' in border ? border.rings : []);
const stored = (boundaries: readonly SourceBoundary[]) =>
  boundaries
    .map((boundary) => ({
      id: boundary.sourceId,
      name: boundary.name,
      population: boundary.population,
      level: boundary.adminLevel,
      codes: boundary.codes,
      rings: ringsOf(boundary).map(canonical).toSorted(),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const read = async (file: string, more: Partial<ReadOptions> = {}) =>
  stored((await readCoverage(file, { ...OPTIONS, ...more })).boundaries);

const reasonOf = async (file: string, more: Partial<ReadOptions> = {}): Promise<string> => {
  const error = await readCoverage(file, { ...OPTIONS, ...more }).catch((thrown: Error) => thrown);
  return error instanceof Error ? error.message : 'it was read';
};

function ogr(file: string, ...options: string[]): string {
  execFileSync('ogr2ogr', ['-q', ...options, join(folder, file), GEOJSON], { stdio: 'pipe' });
  return join(folder, file);
}

async function converted(to: 'topojson' | 'geoparquet' | 'csv', file: string): Promise<string> {
  const task = { flag: -1, detail: 'full', dissolve: false, name: 'areas', maxBytes: 1e9, from: 'geojson' } as const;
  const made = await convertFile({ ...task, to, bytes: readFileSync(GEOJSON) }, () => false);
  if (made.kind !== 'bytes') throw new Error(JSON.stringify(made));
  writeFileSync(join(folder, file), made.bytes);
  return join(folder, file);
}

async function zipped(name: string, ...files: string[]): Promise<string> {
  const parts: Uint8Array[] = [];
  const entries = files.map((file) => ({ name: `data/${basename(file)}`, bytes: readFileSync(file) }));
  for await (const part of zip(entries)) parts.push(part);
  writeFileSync(join(folder, name), Buffer.concat(parts));
  return join(folder, name);
}

const shapefile = (name: string): string[] =>
  ['shp', 'dbf', 'shx', 'prj', 'cpg'].map((one) => join(folder, `${name}.${one}`));

/** A table with well-known binary in hexadecimal, as PostGIS writes it. */
function hexTable(): string {
  const csv = ogr('wkt.csv', '-lco', 'GEOMETRY=AS_WKT');
  const wkb = (rings: number[][][]): Buffer => {
    const head = Buffer.alloc(9);
    head[0] = 1;
    head.writeUInt32LE(3, 1);
    head.writeUInt32LE(rings.length, 5);
    const body = rings.map((one) => {
      const bytes = Buffer.alloc(4 + 16 * one.length);
      bytes.writeUInt32LE(one.length);
      one.forEach(([x, y], i) => {
        bytes.writeDoubleLE(defined(x), 4 + 16 * i);
        bytes.writeDoubleLE(defined(y), 12 + 16 * i);
      });
      return bytes;
    });
    return Buffer.concat([head, ...body]);
  };
  const rows = AREAS.map(({ properties, geometry }) => {
    const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][];
    const head = Buffer.from('0106000020e610000000000000', 'hex');
    head.writeUInt32LE(polygons.length, 9);
    const hex = Buffer.concat([head, ...polygons.map(wkb)]).toString('hex');
    const { code, nom, population, level } = properties;
    return `${code};"${nom.replaceAll('"', '""')}";${population};${level};${hex}`;
  });
  writeFileSync(csv, `code;nom;population;level;geom\r\n${rows.join('\r\n')}\r\n`);
  return csv;
}

const MADE: readonly (readonly [name: string, readable: Readable, make: () => string | Promise<string>])[] = [
  ['GeoJSON by GDAL', 'geojson', () => ogr('gdal.geojson', '-lco', 'COORDINATE_PRECISION=9')],
  [
    'GeoJSON text sequences',
    'geojsonseq',
    () => ogr('seq.geojsons', '-f', 'GeoJSONSeq', '-lco', 'RS=YES', '-lco', 'COORDINATE_PRECISION=9'),
  ],
  [
    'newline-delimited GeoJSON',
    'ndjson',
    () => ogr('lines.ndjson', '-f', 'GeoJSONSeq', '-lco', 'COORDINATE_PRECISION=9'),
  ],
  ['TopoJSON', 'topojson', () => converted('topojson', 'areas.topojson')],
  ['GeoPackage', 'geopackage', () => ogr('areas.gpkg')],
  ['FlatGeobuf', 'flatgeobuf', () => ogr('areas.fgb', '-lco', 'SPATIAL_INDEX=NO')],
  ['FlatGeobuf in Hilbert order', 'flatgeobuf', () => ogr('hilbert.fgb')],
  ['GeoParquet', 'geoparquet', () => converted('geoparquet', 'areas.parquet')],
  ['a Shapefile', 'shapefile', () => ogr('areas.shp', '-lco', 'ENCODING=UTF-8')],
  ['KML', 'kml', () => ogr('areas.kml', '-f', 'LIBKML')],
  ['KMZ', 'zip', () => ogr('areas.kmz', '-f', 'LIBKML')],
  ['GML 2', 'gml', () => ogr('gml2.gml', '-f', 'GML', '-dsco', 'FORMAT=GML2', '-a_srs', 'EPSG:4326')],
  ['GML 3.1', 'gml', () => ogr('gml3.gml', '-f', 'GML', '-dsco', 'FORMAT=GML3')],
  ['GML 3.2', 'gml', () => ogr('gml32.gml', '-f', 'GML', '-dsco', 'FORMAT=GML3.2')],
  ['CSV with well-known text', 'csv', () => ogr('areas.csv', '-lco', 'GEOMETRY=AS_WKT')],
  ['CSV with well-known binary', 'csv', () => hexTable()],
];

describe.skipIf(!hasGdal)('a file of areas in any format', () => {
  test('is every format that is read, but those without attributes', () => {
    const made = new Set(MADE.map(([, readable]) => readable));
    expect(READABLE.filter((format) => !made.has(format))).toEqual(['wkt', 'poly']);
  });

  test.each(MADE)('%s: the same ids, names, values and polygons', async (_, __, make) => {
    const expected = await read(GEOJSON);
    expect(expected).toHaveLength(AREAS.length);
    const file = await make();
    expect(await read(file)).toEqual(expected);
    // Without its name, and packed.
    const packed = join(folder, `packed${file.slice(file.lastIndexOf('.'))}.gz`);
    if (!file.endsWith('.shp')) {
      writeFileSync(packed, gzipSync(readFileSync(file)));
      expect(await read(packed)).toEqual(expected);
    }
    if (!file.endsWith('.kmz')) {
      const files = file.endsWith('.shp') ? shapefile('areas') : [file];
      expect(await read(await zipped('packed.zip', ...files))).toEqual(expected);
    }
  });

  test('well-known text, which has no attributes, is named by its file, and a polygon filter by itself', async () => {
    const text = 'POLYGON((0 0,1 0,1 1,0 0))';
    const [wkt, poly] = [join(folder, 'one.wkt'), join(folder, 'one.poly')];
    writeFileSync(wkt, text);
    writeFileSync(poly, 'area\n1\n\t0\t0\n\t1\t0\n\t1\t1\n\t0\t0\nEND\nEND\n');
    expect(await read(wkt, { map: {}, adminLevel: 8 })).toMatchObject([{ id: 'one', name: 'one' }]);
    expect(await read(poly, { map: { id: 'name' }, adminLevel: 8 })).toMatchObject([{ id: 'area', name: 'area' }]);
  });
});

describe('encodings of Shapefiles', () => {
  const NAMES = ['大阪市', '神戸市', '三重県'];
  /** A Shapefile of squares with a column `name` of 20 bytes, in the given bytes, and a language byte. */
  function write(name: string, texts: readonly Uint8Array[], language: number, cpg?: string): string {
    const shp = Buffer.alloc(100 + texts.length * (8 + 128));
    shp.writeInt32BE(9994, 0);
    shp.writeInt32BE(shp.length / 2, 24);
    shp.writeInt32LE(1000, 28);
    shp.writeInt32LE(5, 32);
    const dbf = Buffer.alloc(32 + 32 + 1 + texts.length * 21, ' ');
    dbf.fill(0, 0, 64);
    dbf[0] = 3;
    dbf.writeUInt32LE(texts.length, 4);
    dbf.writeUInt16LE(65, 8);
    dbf.writeUInt16LE(21, 10);
    dbf[29] = language;
    dbf.write('name', 32);
    dbf[43] = 0x43;
    dbf[48] = 20;
    dbf[64] = 0x0d;
    texts.forEach((text, i) => {
      dbf.set(text, 65 + i * 21 + 1);
      const at = 100 + i * 136;
      shp.writeInt32BE(i + 1, at);
      shp.writeInt32BE(64, at + 4);
      shp.writeInt32LE(5, at + 8);
      shp.writeInt32LE(1, at + 44);
      shp.writeInt32LE(5, at + 48);
      const square = [0, 0, 0, 1, 1, 1, 1, 0, 0, 0].map((value, k) => (k % 2 === 0 ? value + 2 * i : value));
      square.forEach((value, k) => {
        shp.writeDoubleLE(value, at + 56 + 8 * k);
      });
    });
    const stem = join(folder, name);
    rmSync(`${stem}.cpg`, { force: true });
    if (cpg !== undefined) writeFileSync(`${stem}.cpg`, cpg);
    writeFileSync(`${stem}.shp`, shp);
    writeFileSync(`${stem}.dbf`, dbf);
    return `${stem}.shp`;
  }
  const named = async (file: string, more: Partial<ReadOptions> = {}) => {
    const { boundaries } = await readCoverage(file, { source: 'test', adminLevel: 8, map: { id: 'name' }, ...more });
    return boundaries.map(({ name }) => name);
  };
  const hex = (...texts: string[]) => texts.map((text) => Buffer.from(text, 'hex'));
  const JAPANESE = hex('91e58de38e73', '905f8ccb8e73', '8e4f8f648ca7');
  const latin = (...texts: string[]) => texts.map((text) => Buffer.from(text, 'latin1'));
  const utf8 = NAMES.map((name) => Buffer.from(name));

  test.each([
    ['932', JAPANESE, NAMES],
    ['CP932', JAPANESE, NAMES],
    ['Shift_JIS', JAPANESE, NAMES],
    ['MS932\r\n', JAPANESE, NAMES],
    ['UTF-8', utf8, NAMES],
    ['UTF8', utf8, NAMES],
    ['65001', utf8, NAMES],
    ['ANSI 1252', latin('Besançon', 'Köln'), ['Besançon', 'Köln']],
    ['1252', hex('80', '8a'), ['€', 'Š']],
    ['88591', latin('Besançon'), ['Besançon']],
    ['ISO 8859-1', latin('Besançon'), ['Besançon']],
    ['ISO8859-15', hex('a4'), ['€']],
    ['88592', hex('a3f364bc'), ['Łódź']],
    ['1251', hex('cceef1eae2e0'), ['Москва']],
    ['Big-5', hex('a578a55f'), ['台北']],
    ['950', hex('a578a55f'), ['台北']],
    ['936', hex('b1b1bea9'), ['北京']],
    ['EUC-KR', hex('bcadbfef'), ['서울']],
    ['949', hex('bcadbfef'), ['서울']],
    ['874', hex('a1c3d8a7'), ['กรุง']],
    ['OEM 850', hex('4b946c6e'), ['Köln']],
    ['437', hex('4b946c6e'), ['Köln']],
    ['852', hex('9da264ab'), ['Łódź']],
    ['866', hex('8ca0e1aa'), ['Маск']],
  ])('.cpg %j', async (cpg, texts, names) => {
    expect(await named(write('coded', texts, 0, cpg))).toEqual(names);
  });

  test('without a .cpg: UTF-8 where all text is, else the language byte', async () => {
    expect(await named(write('bare', utf8, 0x57))).toEqual(NAMES);
    expect(await named(write('bare', JAPANESE, 0x7b))).toEqual(NAMES);
    expect(await named(write('bare', JAPANESE, 0x13))).toEqual(NAMES);
    expect(await named(write('bare', latin('Besançon', 'Köln'), 0x57))).toEqual(['Besançon', 'Köln']);
    expect(await named(write('bare', hex('cceef1eae2e0'), 0xc9))).toEqual(['Москва']);
    expect(await named(write('bare', hex('4b946c6e'), 0x02))).toEqual(['Köln']);
  });

  test('bytes that no stated encoding has are refused with the row; --encoding reads them', async () => {
    for (const [language, cpg] of [[0], [0x57], [0, 'UTF-8'], [0, '1252']] as [number, string?][]) {
      const file = write('odd', [Buffer.from('plain'), ...JAPANESE], language, cpg);
      await expect(named(file)).rejects.toThrow(/row \d: its column name is .*--encoding/);
      expect(await named(file, { encoding: 'shift_jis' })).toEqual(['plain', ...NAMES]);
    }
    const file = write('odd', JAPANESE, 0, 'klingon');
    await expect(named(file)).rejects.toThrow('the encoding "klingon" is not known');
  });

  test('a letter of UTF-8 that is cut off at the width of its column is left out', async () => {
    const long = [Buffer.from('ä'.repeat(10)), Buffer.from(`x${'ä'.repeat(10)}`).subarray(0, 20)];
    expect(await named(write('cut', long, 0, 'UTF-8'))).toEqual(['ä'.repeat(10), `x${'ä'.repeat(9)}`]);
  });
});

describe.skipIf(!hasGdal)('layers', () => {
  test('several ask for one, and the error lists them; one of points is not asked for', async () => {
    const file = ogr('layers.gpkg', '-nln', 'communes');
    const points = join(folder, 'points.csv');
    writeFileSync(points, 'x,y\n1,2\n');
    const xy = ['-oo', 'X_POSSIBLE_NAMES=x', '-oo', 'Y_POSSIBLE_NAMES=y', '-a_srs', 'EPSG:4326', '-nln', 'seats'];
    execFileSync('ogr2ogr', ['-q', '-update', ...xy, file, points], { stdio: 'pipe' });
    const expected = await read(GEOJSON);
    expect(await read(file)).toEqual(expected);
    execFileSync('ogr2ogr', ['-q', '-update', '-nln', 'cantons', '-where', "code = '01001'", file, GEOJSON]);
    expect(await reasonOf(file)).toContain('it has 2 layers; choose one with --layer: communes, cantons');
    expect(await read(file, { layer: 'communes' })).toEqual(expected);
    expect(await read(file, { layer: 'cantons' })).toHaveLength(1);
    expect(await reasonOf(file, { layer: 'towns' })).toMatch(/no layer "towns"; it has communes, seats, cantons/);
    const packed = await zipped('layers.zip', file);
    expect(await reasonOf(packed)).toContain('--layer: communes, cantons');
    expect(await read(packed, { layer: 'cantons' })).toHaveLength(1);
  });

  test('two Shapefiles in a zip are two layers', async () => {
    ogr('one.shp', '-lco', 'ENCODING=UTF-8');
    ogr('two.shp', '-lco', 'ENCODING=UTF-8', '-where', "code = '2A004'");
    const file = await zipped('two.zip', ...shapefile('one'), ...shapefile('two'));
    expect(await reasonOf(file)).toContain('it has 2 layers; choose one with --layer: one, two');
    expect((await read(file, { layer: 'two' })).map(({ id }) => id)).toEqual(['2A004']);
  });

  test('files of single areas in a zip are joined, or chosen', async () => {
    const rest = ogr('rest.geojson', '-where', "code <> '2A004'", '-lco', 'COORDINATE_PRECISION=9');
    const one = ogr('corsica.kml', '-f', 'LIBKML', '-where', "code = '2A004'");
    const file = await zipped('single.zip', rest, one);
    expect(await read(file)).toEqual(await read(GEOJSON));
    expect((await read(file, { layer: 'corsica' })).map(({ id }) => id)).toEqual(['2A004']);
    expect(await reasonOf(file, { layer: 'x' })).toContain('it has no layer "x"; it has rest, corsica');
  });

  test('a file without layers, or columns of geometry, refuses their names', async () => {
    for (const file of [GEOJSON, ogr('plain.fgb'), ogr('plain.csv', '-lco', 'GEOMETRY=AS_WKT')]) {
      expect(await reasonOf(file, { layer: 'areas' })).toContain('it has no layers: leave out --layer');
    }
    for (const file of [GEOJSON, ogr('plain.gpkg')]) {
      expect(await reasonOf(file, { geometry: 'geom' })).toContain(
        'it has no columns of geometry: leave out --geometry',
      );
    }
  });

  test('the column of the geometry is chosen with --geometry', async () => {
    const file = join(folder, 'columns.csv');
    writeFileSync(file, 'id,name,border,label\n1,A,"POLYGON((0 0,1 0,1 1,0 0))","POINT(0 0)"\n');
    const more = { map: {}, adminLevel: 8 };
    expect(await reasonOf(file, more)).toContain('names no column wkt, geometry, geom');
    expect(await read(file, { ...more, geometry: 'border' })).toMatchObject([{ id: '1', name: 'A' }]);
    expect(await reasonOf(file, { ...more, geometry: 'shape' })).toContain('its columns are id, name, border, label');
  });
});

describe('rings of a Shapefile', () => {
  const box = (west: number, south: number, size: number): [number, number][] => [
    [west, south],
    [west, south + size],
    [west + size, south + size],
    [west + size, south],
    [west, south],
  ];
  const [large, lake, island, far] = [box(0, 0, 10), box(1, 1, 6), box(2, 2, 2), box(20, 0, 1)];
  const turned = (ring: [number, number][]) => ring.toReversed();

  test.each([
    ['as they should be', [large, turned(lake), island, far]],
    ['all reversed', [turned(large), lake, turned(island), turned(far)]],
    ['all clockwise', [large, lake, island, far]],
    ['the hole first', [turned(lake), large, island, far]],
    ['some repeated', [large, turned(lake), turned(lake), large, island, far, turned(far)]],
  ])('%s: a ring inside of another is its hole', (_, rings) => {
    const polygons = nestedPolygons(rings).map((own) => own.map((ring) => ring.length && canonicalOf(ring)));
    expect(polygons.toSorted()).toEqual([[large, lake], [island], [far]].map((own) => own.map(canonicalOf)).toSorted());
  });

  /** A ring without its direction. */
  function canonicalOf(ring: readonly (readonly number[])[]): string {
    return ring.map(String).toSorted().join(' ');
  }
});

test('a field inside of a column is mapped by both names', async () => {
  const file = join(folder, 'nested.geojson');
  const properties = { id: 'a', names: { primary: 'Andorra', common: { en: 'Andorra (en)' } } };
  const geometry = { type: 'Polygon', coordinates: [ring(1, 42, 0.4)] };
  writeFileSync(file, JSON.stringify({ type: 'Feature', properties, geometry }));
  const map = { name: 'names.primary', 'name:en': 'names.common.en' };
  const { boundaries } = await readCoverage(file, { source: 'test', adminLevel: 2, map });
  expect(boundaries).toMatchObject([{ name: 'Andorra', names: { en: 'Andorra (en)' } }]);
  expect(await reasonOf(file, { map: { name: 'names.secondary' }, adminLevel: 2 })).toMatch(/they have id, names$/);
  const nul = JSON.stringify({ type: 'Feature', properties: { id: 'a', names: { primary: 'a\0' } }, geometry });
  writeFileSync(file, nul);
  expect(await reasonOf(file, { map: { name: 'names.primary' }, adminLevel: 2 })).toMatch(
    /feature a: its property "names" contains the character NUL/,
  );
});

test('features without a polygon are left out, each with its id', async () => {
  const file = join(folder, 'mixed.csv');
  const rows = ['1,A,"POLYGON Z((0 0 9,1 0 9,1 1 9,0 0 9))"', '2,B,POINT(0 0)', '3,C,', '4,D,POLYGON EMPTY'];
  writeFileSync(file, `\ufeffid,name,wkt\r\n${rows.join('\r\n')}\r\n`);
  const { boundaries, skipped } = await readCoverage(file, { source: 'test', adminLevel: 8 });
  expect(boundaries.map(({ sourceId }) => sourceId)).toEqual(['1']);
  expect(skipped).toEqual(['2', '3', '4'].map((id) => ({ id, reason: 'no polygon' })));
});

test('a gzip that holds more text than is read is refused before it is unpacked', async () => {
  const part = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '));
  const file = join(folder, 'bomb.csv.gz');
  // A gzip may have several members, one after the other.
  writeFileSync(file, Buffer.concat([gzipSync('id,name,wkt\n'), ...new Array<Buffer>(9).fill(part)]));
  expect(await reasonOf(file, { map: {}, adminLevel: 8 })).toContain(
    'the gzip holds more than 512 MiB: split the file',
  );
});

describe.skipIf(!hasGdal)('files without ids', () => {
  test('the number of a row is an id where it is asked for, and the error lists the columns', async () => {
    const file = ogr('rows.gpkg', '-sql', 'select nom, level from areas');
    expect(await reasonOf(file, { map: { name: 'nom' }, adminLevel: 8 })).toMatch(
      /4 of 4 features are without an id \(--map id=PROPERTY\): 1, 2, 3, 4; the properties are level, nom$/,
    );
    const found = await read(file, { map: { id: 'fid', name: 'nom', admin_level: 'level' } });
    expect(found.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(found.map(({ name }) => name)).toEqual(AREAS.map(({ properties }) => properties.nom));
  });

  test('a Shapefile without its table is refused', async () => {
    rmSync(ogr('bare.shp').replace('.shp', '.dbf'));
    expect(await reasonOf(join(folder, 'bare.shp'))).toContain('the .dbf with its attributes is not beside it');
  });
});
