import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type ConvertResult, type ConvertTask, convertFile } from '../../workers/convert.ts';
import { elementName } from '../../workers/formats/gml/element_names.ts';
import { attributeName } from '../../workers/formats/gml/read.ts';
import { READABLE, type Readable } from '../../workers/formats/registry.ts';
import { hasGdal } from '../formats/gdal.ts';
import { square } from '../formats/support.ts';
import { readXml } from '../formats/xml_tree.ts';
import { openMachine } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-kept-'));
const machine = openMachine();
afterAll(() => {
  rmSync(folder, { recursive: true });
  machine.remove();
});

type Made = Extract<ConvertResult, { kind: 'bytes' }>;

async function convert(content: string | Uint8Array, from: Readable, to: ConvertTask['to'], more = {}): Promise<Made> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const task = { detail: 'full', dissolve: false, name: 'file', maxBytes: 1e9, bytes, from, to } as const;
  const result = await convertFile({ ...task, ...more }, () => false);
  if (result.kind !== 'bytes') throw new Error(JSON.stringify(result));
  return result;
}

/** Properties with every type of value, and names that formats have trouble with. */
const ROWS = [
  { name: 'a', yes: true, whole: 5, share: 0.5, large: -3e9, code: '01', tags: { a: 1 }, 'a b': 'x', a_b: 'y' },
  { name: 'b', yes: false, whole: null, share: 1, large: 7, code: '1', tags: [1], 'a b': 'z', a_b: 'é'.repeat(200) },
].map((row, i) => ({
  ...row,
  nothing: null,
  mixed: i === 0 ? 1 : 'one',
  '3e': 'q',
  été: 'r',
  'name:en': 's',
  Code: 't',
  geometry: 'u',
  geom: 'v',
  wkt: 'w',
}));

const collection = (rows: readonly object[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    name: 'rows',
    features: rows.map((properties, i) => ({
      type: 'Feature',
      properties,
      geometry: { type: 'Polygon', coordinates: [square(2 * i, 0, 0.5)] },
    })),
  });

const featuresOf = (bytes: Uint8Array): GeoJSON.Feature[] => {
  const read = JSON.parse(Buffer.from(bytes).toString());
  return read.type === 'Feature' ? [read] : read.features;
};

/** The columns that a line about changes names, of all lines. */
const listed = (changes: readonly string[]): Set<string> =>
  new Set(changes.flatMap((line) => line.slice(line.indexOf(': ') + 2).split(', ')));

describe.each([
  ['several areas', ROWS],
  ['one area', ROWS.slice(0, 1)],
])('%s', (_, rows) => {
  test.each([...READABLE.filter((format) => format !== 'wkt')])(
    'a value is read again from %s, or listed',
    async (format) => {
      const made = await convert(collection(rows), 'geojson', format);
      const again = await convert(made.bytes, format, 'geojson');
      const back = featuresOf(again.bytes);
      expect(again.changes).not.toContain('heights and measures left out');
      const about = listed(made.changes);
      expect(back).toHaveLength(rows.length);
      // Some formats put areas in another order, and a renamed column is listed as "old to new".
      const sorted = back.toSorted((a, b) => Number(a.bbox?.[0]) - Number(b.bbox?.[0]));
      rows.forEach((row, i) => {
        for (const [name, value] of Object.entries(row)) {
          const isListed = about.has(name) || [...about].some((change) => change.startsWith(`${name} to `));
          if (!isListed) expect([name, defined(sorted[i]).properties?.[name]], format).toEqual([name, value]);
        }
      });
      // No line without a reason: a value that is listed did change, or may be taken for another.
      if (/json/.test(format)) expect(made.changes).toEqual([]);
    },
  );
});

describe.skipIf(!hasGdal)('GDAL', () => {
  const path = (bytes: Uint8Array, name: string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const info = (file: string): string => execFileSync('ogrinfo', ['-al', file], { encoding: 'utf8', stdio: 'pipe' });

  test.each([
    ['geopackage', 'gpkg', 'Integer(Boolean)'],
    ['flatgeobuf', 'fgb', 'Integer(Boolean)'],
    ['topojson', 'topojson', 'Integer(Boolean)'],
    ['kml', 'kml', 'Integer'],
  ] as const)('reads a boolean of %s as one', async (format, extension, type) => {
    const said = info(path((await convert(collection(ROWS), 'geojson', format)).bytes, `flag.${extension}`));
    expect(said).toContain(`yes (${type}) = 1\n`);
    expect(said).toContain(`yes (${type}) = 0\n`);
  });

  test('and each column of a table, with or without values', async () => {
    for (const [format, extension] of [
      ['geopackage', 'gpkg'],
      ['flatgeobuf', 'fgb'],
      ['shapefile', 'zip'],
      ['csv', 'csv'],
      ['kml', 'kml'],
      ['ndjson', 'ndjson'],
    ] as const) {
      const file = path((await convert(collection(ROWS), 'geojson', format)).bytes, `columns.${extension}`);
      const said = info(format === 'shapefile' ? `/vsizip/${file}` : file);
      for (const name of ['yes', 'nothing', 'a b', 'a_b', '3e', 'été', 'name:en']) {
        expect(said, format).toMatch(new RegExp(`^${name}: \\w+`, 'm'));
      }
    }
  });

  test('GML with any names: each attribute once, and the geometry', async () => {
    const names = [
      '3e',
      '2020',
      'a b',
      'a_b',
      'a-b',
      'été',
      'geometry',
      'Polygon',
      'boundedBy',
      'xml',
      'a:b',
      '京都',
      '_x0020_',
    ];
    const rows = [1, 2].map((n) => Object.fromEntries(names.map((name, i) => [name, `v${i} of ${n}`])));
    for (const some of [rows, rows.slice(0, 1)]) {
      const { bytes } = await convert(collection(some), 'geojson', 'gml');
      rmSync(join(folder, 'names.gfs'), { force: true });
      const said = info(path(bytes, 'names.gml'));
      for (const i of names.keys()) expect(said.split(`(String) = v${i} of 1\n`)).toHaveLength(2);
      expect(said.match(/MULTISURFACE|POLYGON \(/g)).toHaveLength(some.length);
      const back = featuresOf((await convert(bytes, 'gml', 'geojson')).bytes);
      for (const [i, { properties }] of back.entries()) expect(properties).toMatchObject(defined(some[i]));
    }
  });
});

test('names become element names that any reader of XML takes, distinct and reversible', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc.constantFrom('_x0041_', '_x', '_x_', '', 'XML', '1'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
      const elements = names.map(elementName);
      expect(elements.map(attributeName)).toEqual(names);
      const root = readXml(`<r>${elements.map((one) => `<${one}>1</${one}>`).join('')}</r>`);
      expect(root.children.map((child) => child.name)).toEqual(elements);
    }),
  );
});

test('Parquet has booleans', async () => {
  const { bytes } = await convert(collection(ROWS), 'geojson', 'geoparquet');
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  expect(rows.map(({ yes }) => yes).sort()).toEqual([false, true]);
});

test('an SVG with names that look alike is well-formed', async () => {
  const rows = [1, 2].map((n) => ({ 'a b': n, 'a-b': n, 'A B': n }));
  const svg = Buffer.from((await convert(collection(rows), 'geojson', 'svg')).bytes).toString();
  expect(readXml(svg).children.filter(({ name }) => name === 'g')).toHaveLength(2);
});

describe('what a file has and the new one cannot', () => {
  const area = (x: number) => ({ type: 'Polygon', coordinates: [square(x, 0, 0.5)] });

  test.each([
    ['shapefile', 'texts cut to 254 bytes: a_b'],
    ['shapefile', 'lists and objects written as JSON text: tags'],
    ['geopackage', 'values of several types written as text: mixed'],
    ['geopackage', 'renamed: Code to Code_2'],
    ['gml', 'columns without a value left out: nothing'],
    ['poly', 'left out, because poly has no place for them: yes, whole'],
    ['csv', 'written as text, because csv has no types: mixed, yes, whole, share, large'],
  ] as const)('%s: %s', async (format, line) => {
    const { changes } = await convert(collection(ROWS), 'geojson', format);
    expect(changes.join('\n')).toContain(line);
  });

  test('a shapefile with more columns than it can have is refused', async () => {
    const row = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, i]));
    await expect(convert(collection([row]), 'geojson', 'shapefile')).rejects.toThrow('at most 255 columns');
  });

  test('heights, layers, and numbers that JavaScript cannot hold', async () => {
    const high = { type: 'Polygon', coordinates: [square(0, 0, 1).map((position) => [...position, 5])] };
    expect((await convert(JSON.stringify(high), 'geojson', 'geojson')).changes).toEqual([
      'heights and measures left out',
    ]);
    const big = `{"type":"Feature","properties":{"big":9007199254740993},"geometry":${JSON.stringify(area(0))}}`;
    expect((await convert(big, 'geojson', 'csv')).changes[0]).toBe(
      'numbers that are not exact beyond 9007199254740991: big',
    );
    const object = (x: number) => ({ type: 'Polygon', arcs: [[x]], properties: { x } });
    const topology = {
      type: 'Topology',
      arcs: [square(0, 0, 1), square(5, 0, 1)],
      objects: { one: object(0), two: object(1) },
    };
    const text = JSON.stringify(topology);
    await expect(convert(text, 'topojson', 'geopackage')).rejects.toThrow('choose one with --layer: one, two');
    const two = await convert(text, 'topojson', 'geojson', { reading: { layer: 'two' } });
    expect(featuresOf(two.bytes).map(({ properties }) => properties)).toEqual([{ x: 1 }]);
  });

  test('the attributes of an area beside a point are kept', async () => {
    const features = [
      { type: 'Feature', properties: { code: '01' }, geometry: area(0) },
      { type: 'Feature', properties: { code: '02' }, geometry: { type: 'Point', coordinates: [0, 0] } },
    ];
    const { bytes } = await convert(JSON.stringify({ type: 'FeatureCollection', features }), 'geojson', 'geojson');
    expect(defined(featuresOf(bytes)[0]).properties).toMatchObject({ code: '01' });
  });

  test('the command lists it, on standard error and as JSON', async () => {
    writeFileSync(machine.path('rows.geojson'), collection(ROWS));
    const said = await machine.run(['convert', 'rows.geojson', 'rows.csv']);
    const { changes } = await convert(collection(ROWS), 'geojson', 'csv');
    expect(said.err.trimEnd().split('\n').slice(1)).toEqual(changes);
    const json = await machine.run(['convert', 'rows.geojson', 'rows.csv', '--json']);
    expect(JSON.parse(json.out).changes).toEqual(changes);
    expect(readFileSync(machine.path('rows.csv'), 'utf8')).toContain('01');
  });
});

const CASES = process.env.REAL_DATA_DIR && join(process.env.REAL_DATA_DIR, 'cases');
describe.skipIf(!CASES)('files of others', () => {
  const file = (name: string): Uint8Array => readFileSync(join(CASES as string, name));

  test('a date that is not known is null, and a column without values stays', async () => {
    const beside = { '.dbf': file('types.dbf'), '.prj': file('types.prj'), '.cpg': file('types.cpg') };
    const { bytes, changes } = await convert(file('types.shp'), 'shapefile', 'geojson', { beside });
    expect(featuresOf(bytes).map(({ properties }) => properties)).toEqual([
      { GEOID: '01001', POP: 55000, DENS: 12.5, D: '2020-01-31', EMPTY: null },
      { GEOID: '06037', POP: 10014009, DENS: 0.1, D: null, EMPTY: null },
    ]);
    expect(changes).toEqual(['dates are read as text: D']);
  });

  test('a GeoPackage with heights and integers of 64 bits', async () => {
    const { bytes, changes } = await convert(file('zm.gpkg'), 'geopackage', 'geojson');
    expect(defined(featuresOf(bytes)[0]).properties).toMatchObject({ BIGID: '9007199254740993' });
    expect(changes).toEqual([
      'heights and measures left out',
      'whole numbers beyond 9007199254740991 are read as text: BIGID',
    ]);
    const dates = featuresOf((await convert(file('date.gpkg'), 'geopackage', 'geojson')).bytes);
    expect(defined(dates[0]).properties).toHaveProperty('n', null);
  });
});
