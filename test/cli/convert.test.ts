import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Detail, Format } from '../../workers/contract.ts';
import { type ConvertResult, convertFile } from '../../workers/convert.ts';
import type { Readable } from '../../workers/readers/index.ts';
import { hasGdal, multiOf } from '../formats/gdal.ts';
import { HOSTILE, HOSTILE_READ, square } from '../formats/support.ts';
import { openMachine } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-convert-'));
const machine = openMachine();
afterAll(() => {
  rmSync(folder, { recursive: true });
  machine.remove();
});

async function convert(
  content: string | Uint8Array,
  from: Readable,
  to: Format,
  detail: Detail = 'full',
  dissolve = false,
) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return convertFile({ flag: -1, bytes, from, to, detail, dissolve, name: 'file', maxBytes: 1e9 }, () => false);
}
async function bytesOf(...given: Parameters<typeof convert>): Promise<Extract<ConvertResult, { kind: 'bytes' }>> {
  const result = await convert(...given);
  if (result.kind !== 'bytes') throw new Error(JSON.stringify(result));
  return result;
}
const textOf = async (...given: Parameters<typeof convert>): Promise<string> =>
  Buffer.from((await bytesOf(...given)).bytes).toString();
const featureOf = async (content: string | Uint8Array, from: Readable): Promise<GeoJSON.Feature> =>
  JSON.parse(await textOf(content, from, 'geojson'));
const reasonOf = async (content: string | Uint8Array, from: Readable): Promise<string> => {
  const result = await convert(content, from, 'geojson');
  return result.kind === 'unreadable' ? result.reason : `read: ${JSON.stringify(result)}`;
};
const geojson = (geometry: object, properties: object = {}): string =>
  JSON.stringify({ type: 'Feature', properties, geometry });
const polygon = (...rings: number[][][]) => geojson({ type: 'Polygon', coordinates: rings });

/** A part with a hole and an island in it, and another part at the antimeridian. */
const PARTS = [
  [square(10, 10, 5), square(10, 10, 3, true)],
  [square(10, 10, 1)],
  [
    [
      [179.5, -17],
      [180, -17],
      [180, -16.1234567],
      [179.5, -17],
    ],
  ],
];
const AREA = geojson(
  { type: 'MultiPolygon', coordinates: PARTS },
  { name: HOSTILE, 'odd key': HOSTILE, population: 5, capital: true, nothing: null, attribution: 'A & B' },
);

describe('nested beyond reason', () => {
  const deep = (open: string, close: string, inner = '', n = 200_000) => open.repeat(n) + inner + close.repeat(n);
  const kml = (inner: string) => `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inner}</Document></kml>`;
  const gml = (inner: string) =>
    `<gml:MultiSurface xmlns:gml="http://www.opengis.net/gml/3.2" srsName="EPSG:4326">${inner}</gml:MultiSurface>`;

  test.each([
    ['kml', 'folders', kml(deep('<Folder>', '</Folder>'))],
    ['kml', 'geometries', kml(`<Placemark>${deep('<MultiGeometry>', '</MultiGeometry>')}</Placemark>`)],
    ['wkt', 'collections', deep('GEOMETRYCOLLECTION(', ')', 'POINT(1 1)')],
    ['wkt', 'brackets', deep('(', ')')],
    ['gml', 'elements', gml(deep('<a>', '</a>'))],
    ['geojson', 'collections', deep('{"type":"GeometryCollection","geometries":[', ']}')],
    ['geojson', 'coordinates', `{"type":"Polygon","coordinates":${deep('[', ']')}}`],
    ['geojson', 'properties', `{"type":"Feature","geometry":null,"properties":{"a":${deep('[', ']')}}}`],
    ['geojson', 'coordinate systems', `{"type":"FeatureCollection","features":[],"crs":${deep('{"a":', '}', '1')}}`],
  ] as const)('%s: %s', async (format, _what, content) => {
    expect(await reasonOf(content, format)).toMatch(/^its (elements|brackets) are nested more than 100 deep$/);
  });

  test('what people nest is read: folders, collections, brackets in text', async () => {
    const [area] = PARTS;
    const coordinates = area[0].map(([lon, lat]) => `${lon},${lat}`).join(' ');
    const boundary = `<outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs>`;
    const placemark = `<Placemark><Polygon>${boundary}</Polygon></Placemark>`;
    const wkt = `POLYGON((${area[0].map((position) => position.join(' ')).join(',')}))`;
    const properties = { note: deep('[', '', '"\\', 1000) };
    for (const [content, format] of [
      [kml(deep('<Folder>', '</Folder>', placemark, 80)), 'kml'],
      [deep('GEOMETRYCOLLECTION(', ')', wkt, 90), 'wkt'],
      [geojson({ type: 'Polygon', coordinates: [area[0]] }, properties), 'geojson'],
    ] as const) {
      expect(multiOf((await featureOf(content, format)).geometry), format).toEqual([[area[0]]]);
    }
  });

  test('a long list of positions is not a deep one', async () => {
    const steps = Array.from({ length: 200_000 }, (_, i) => `${i / 2e5} ${(i % 2) / 1e6}`).join(' ');
    const ring = `<gml:exterior><gml:LinearRing><gml:posList>0 0 ${steps} 1 -1 0 0</gml:posList></gml:LinearRing></gml:exterior>`;
    const polygon = `<gml:Polygon>${ring}</gml:Polygon>`;
    const feature = await featureOf(gml(`<gml:surfaceMember>${polygon}</gml:surfaceMember>`), 'gml');
    expect(multiOf(feature.geometry)[0][0].length).toBeGreaterThan(190_000);
  });

  test('an entity that the file itself declares is not put in', async () => {
    const bomb = `<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "${'&a;'.repeat(1000)}">]>`;
    expect(await reasonOf(bomb + kml('<Placemark><name>&b;</name></Placemark>'), 'kml')).toContain('undefined entity');
  });
});

describe('what is written is read again', () => {
  test.each(['geojson', 'kml', 'wkt', 'gml'] as const)('%s', async (format) => {
    const file = (await bytesOf(AREA, 'geojson', format)).bytes;
    const feature = await featureOf(file, format);
    expect(multiOf(feature.geometry)).toEqual(PARTS);
    expect(Buffer.from((await bytesOf(file, format, format)).bytes).equals(Buffer.from(file))).toBe(true);
    const properties = feature.properties as Record<string, unknown>;
    if (format === 'wkt') expect(properties).toEqual({});
    else expect(properties.attribution).toBe('A & B');
    if (format === 'geojson') expect(properties).toEqual(JSON.parse(AREA).properties);
    if (format === 'kml') {
      expect(properties).toEqual({
        name: HOSTILE_READ,
        'odd key': HOSTILE_READ,
        population: '5',
        capital: 'true',
        attribution: 'A & B',
      });
    }
    if (format === 'gml') {
      expect(properties).toEqual({ name: HOSTILE_READ, population: '5', capital: 'true', attribution: 'A & B' });
    }
  });

  test('an id and a box are kept', async () => {
    const given = JSON.stringify({ ...JSON.parse(AREA), id: 'r62422' });
    for (const format of ['geojson', 'kml', 'gml'] as const) {
      const feature = await featureOf((await bytesOf(given, 'geojson', format)).bytes, format);
      expect([feature.id, feature.bbox], format).toEqual(['r62422', [5, -17, 180, 15]]);
      expect(Object.keys(feature.properties as object)).not.toContain('id');
    }
  });

  test('an empty area is an empty document of every format', async () => {
    const empty = [
      '{"type":"FeatureCollection","features":[]}',
      geojson({ type: 'MultiPolygon', coordinates: [] }),
      '{"type":"Feature","properties":null,"geometry":null}',
    ];
    for (const content of empty) {
      for (const format of ['geojson', 'kml', 'wkt', 'gml'] as const) {
        const feature = await featureOf((await bytesOf(content, 'geojson', format)).bytes, format);
        expect(multiOf(feature.geometry), format).toEqual([]);
      }
      expect(await textOf(content, 'geojson', 'svg')).toMatch(/<svg[\s\S]*<\/svg>\n$/);
    }
    expect(await textOf('POLYGON EMPTY', 'wkt', 'wkt')).toBe('MULTIPOLYGON EMPTY');
  });

  describe.skipIf(!hasGdal)('with GDAL', () => {
    const gdal = (format: string, file: string, ...options: string[]): Buffer =>
      execFileSync('ogr2ogr', ['-q', '-f', format, ...options, '/vsistdout/', file], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });

    test.each([
      ['kml', 'KML'],
      ['gml', 'GML'],
    ] as const)('what ogr2ogr writes as %s is read, and ours is read by it', async (format, driver) => {
      const source = join(folder, 'area.geojson');
      const plain = geojson({ type: 'MultiPolygon', coordinates: PARTS }, { name: 'Área & <1>', population: 5 });
      writeFileSync(source, plain);
      // KML has one way round; GML is asked for in the version of our profile.
      const theirs = gdal(driver, source, ...(format === 'gml' ? ['-dsco', 'FORMAT=GML3.2'] : []));
      const feature = await featureOf(theirs, format);
      expect(multiOf(feature.geometry)).toEqual(PARTS);
      expect(feature.properties).toMatchObject(format === 'kml' ? { name: 'Área & <1>' } : { population: '5' });

      const ours = join(folder, `ours.${format}`);
      writeFileSync(ours, (await bytesOf(plain, 'geojson', format)).bytes);
      const options = ['-lco', 'COORDINATE_PRECISION=7', '-lco', 'RFC7946=NO'];
      const { features } = JSON.parse(gdal('GeoJSON', ours, ...options).toString()) as GeoJSON.FeatureCollection;
      expect(features.map(({ geometry }) => multiOf(geometry))).toEqual([PARTS]);
    });

    test('well-known text as GDAL writes and reads it', async () => {
      const csv = join(folder, 'area.csv');
      const wkt = await textOf(AREA, 'geojson', 'wkt');
      writeFileSync(csv, `WKT,name\n"${wkt}",a\n`);
      const theirs = gdal('CSV', csv, '-lco', 'GEOMETRY=AS_WKT').toString();
      const [, text] = /"(MULTIPOLYGON[^"]*)"/.exec(theirs) ?? [];
      expect(multiOf((await featureOf(text, 'wkt')).geometry)).toEqual(PARTS);
    });
  });
});

describe('several features', () => {
  const two = JSON.stringify({
    type: 'FeatureCollection',
    name: 'both',
    features: [
      JSON.parse(geojson({ type: 'Polygon', coordinates: [square(0, 0, 1)] }, { name: 'a', attribution: 'A' })),
      JSON.parse(geojson({ type: 'Polygon', coordinates: [square(1, 0, 1)] }, { name: 'b', attribution: 'B' })),
      JSON.parse(geojson({ type: 'Point', coordinates: [0, 0] })),
    ],
  });

  test('become one area when they are to, their union, with the attributions of all', async () => {
    const result = await bytesOf(two, 'geojson', 'geojson', 'full', true);
    expect([result.features, result.left]).toEqual([2, 1]);
    const feature = JSON.parse(Buffer.from(result.bytes).toString()) as GeoJSON.Feature;
    expect(feature.properties).toEqual({ attribution: 'A; B' });
    const [[ring, ...holes], ...others] = multiOf(feature.geometry);
    expect([holes, others]).toEqual([[], []]);
    const xs = ring.map(([x]) => x);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-1, 2]);
    expect(await textOf(two, 'geojson', 'kml', 'full', true)).toContain('<Document><name>both</name>');
  });
});

describe('kml of others', () => {
  const ring = (half: number) =>
    `<LinearRing><coordinates>\n ${square(0, 0, half)
      .map((p) => `${p.join(',')},7`)
      .join('\n ')}\n</coordinates></LinearRing>`;
  const shell = (half: number) => `<outerBoundaryIs>${ring(half)}</outerBoundaryIs>`;
  const hole = (half: number) => `<innerBoundaryIs>${ring(half)}</innerBoundaryIs>`;
  const kml = (content: string) =>
    `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><Placemark>${content}</Placemark></Folder></Document></kml>`;

  test('a hole before the shell, MultiGeometry in MultiGeometry, styles, CDATA', async () => {
    const swapped = await featureOf(kml(`<Polygon>${hole(1)}${shell(2)}</Polygon>`), 'kml');
    expect(multiOf(swapped.geometry)).toEqual([[square(0, 0, 2), square(0, 0, 1, true)]]);

    const inner = (x: number) =>
      `<MultiGeometry><Polygon><outerBoundaryIs><LinearRing><coordinates>${square(x, 0, 1)
        .map((p) => p.join(','))
        .join(' ')}</coordinates></LinearRing></outerBoundaryIs></Polygon></MultiGeometry>`;
    const nested = kml(
      `<name><![CDATA[A <b>]]></name><Style><PolyStyle><color>ff0000ff</color></PolyStyle></Style><MultiGeometry>${inner(0)}${inner(10)}<Point><coordinates>1,1</coordinates></Point></MultiGeometry>`,
    );
    const result = await bytesOf(nested, 'kml', 'geojson');
    const feature = JSON.parse(Buffer.from(result.bytes).toString()) as GeoJSON.Feature;
    expect(multiOf(feature.geometry)).toEqual([[square(0, 0, 1)], [square(10, 0, 1)]]);
    expect([feature.properties, result.left]).toEqual([{ name: 'A <b>' }, 1]);
  });

  test.each([
    [
      kml(
        '<Polygon><outerBoundaryIs><LinearRing><coordinates>1;2 3;4</coordinates></LinearRing></outerBoundaryIs></Polygon>',
      ),
      '"1;2" is not a longitude,latitude',
    ],
    [
      kml(
        '<Polygon><outerBoundaryIs><LinearRing><coordinates>9,5,47,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon>',
      ),
      '"9,5,47,1" is not a longitude,latitude',
    ],
    [kml(`<Polygon>${ring(1)}</Polygon>`), 'a Polygon has no outerBoundaryIs'],
    [
      '<k:kml xmlns:k="http://www.opengis.net/kml/2.2"><k:Placemark/></k:kml>',
      'its elements have a prefix (k:Placemark)',
    ],
    ['<html/>', 'not KML'],
    ['<kml><Placemark></kml>', 'not well-formed XML'],
    ['<!DOCTYPE k [<!ENTITY a "b">]><kml>&a;</kml>', 'undefined entity'],
    [kml('<Point><coordinates>1,1</coordinates></Point>'), 'no area'],
  ])('%s is refused', async (content, reason) => {
    expect(await reasonOf(content, 'kml')).toContain(reason);
  });
});

describe('well-known text of others', () => {
  test('any case, any number of lines, heights, an SRID, large rings', async () => {
    const text = 'srid=4326; Polygon z\n((0 0 1,\n 10 0 1, 1e1 10 1,\t0 0 1))';
    expect(multiOf((await featureOf(text, 'wkt')).geometry)).toEqual([
      [
        [
          [0, 0],
          [10, 0],
          [10, 10],
          [0, 0],
        ],
      ],
    ]);
    const bent = Array.from({ length: 20_000 }, (_, i) => [50 * Math.cos(i / 3183.1), 50 * Math.sin(i / 3183.1)]);
    const large = [...bent, bent[0]].map(([x, y]) => `${x.toFixed(7)} ${y.toFixed(7)}`).join(', ');
    const [[ring]] = multiOf((await featureOf(`MULTIPOLYGON(((${large})))`, 'wkt')).geometry);
    expect(ring).toHaveLength(20_001);
    expect(ring[777]).toEqual(bent[777].map((value) => Number(value.toFixed(7))));
    const several = 'GEOMETRYCOLLECTION(POINT(1 1),POLYGON((0 0,1 0,1 1,0 0)))';
    expect(await bytesOf(several, 'wkt', 'kml')).toMatchObject({ features: 1, left: 1 });
  });

  test.each([
    ['POLYGON((0 0,1 0,1 1,0 0)', 'a bracket is missing'],
    ['POLYGON((0 0,1 0,1 1,0 0))) ', 'a bracket too many'],
    ['POLYGON((0 0,1 0,1 1,0 0)) POINT(1 1)', 'more than one geometry'],
    ['POLYGON((0 0,1x 0,1 1,0 0))', '"1X 0" is not a position'],
    ['POLYGON((0 0,1 0 5,1 1,0 0))', '"1 0 5" is not a position'],
    ['CURVEPOLYGON((0 0,1 0,1 1,0 0))', '"CURVEPOLYGON"'],
    ['SRID=25832;POLYGON((0 0,1 0,1 1,0 0))', 'SRID 25832'],
    ['POINT(1 1)', 'no area'],
    [' \n', 'it is empty'],
    ['POLYGON(())', 'an empty pair of brackets'],
    ['MULTIPOLYGON(((12((0 0,1 0,1 1,0 0)),((2 2,3 2,3 3,2 2)))))', '"12"'],
    ['MULTIPOLYGON(((0 0,1 0, ,((2 2,3 2,3 3,2 2),(4 4,5 4,5 5,4 4)))))', '"0"'],
    ['MULTIPOLYGON(((0 0,1 0,1 1,0 0)),(()))', 'an empty pair of brackets'],
    ['MULTIPOLYGON(((0 0,1 0,1 1,0 0),( )))', '"" is not a position'],
  ])('%s is refused', async (content, reason) => {
    expect(await reasonOf(content, 'wkt')).toContain(reason);
  });
});

describe('gml of others', () => {
  const gml = (srs: string, list: string) =>
    `<gml:Polygon xmlns:gml="http://www.opengis.net/gml/3.2" gml:id="p"${srs}><gml:exterior><gml:LinearRing>${list}</gml:LinearRing></gml:exterior></gml:Polygon>`;
  const EPSG = ' srsName="urn:ogc:def:crs:EPSG::4326"';
  const RING = '<gml:posList>0 10 0 20 5 20 0 10</gml:posList>';

  test('the order of the axes is that of the coordinate system', async () => {
    const swapped = [
      [
        [
          [10, 0],
          [20, 0],
          [20, 5],
          [10, 0],
        ],
      ],
    ];
    expect(multiOf((await featureOf(gml(EPSG, RING), 'gml')).geometry)).toEqual(swapped);
    const crs84 = await featureOf(gml(' srsName="urn:ogc:def:crs:OGC:1.3:CRS84"', RING), 'gml');
    expect(multiOf(crs84.geometry)[0][0][1]).toEqual([5, 20]);
    const single = RING.replace(/posList>/g, 'pos>').replace(
      '0 10 0 20 5 20 0 10',
      '0 10</gml:pos><gml:pos>0 20</gml:pos><gml:pos>5 20</gml:pos><gml:pos>0 10',
    );
    expect(multiOf((await featureOf(gml(EPSG, single), 'gml')).geometry)).toEqual(swapped);
  });

  test.each([
    [gml('', RING), 'names no coordinate system'],
    [gml(' srsName="urn:ogc:def:crs:EPSG::25832"', RING), 'not in degrees'],
    [gml(EPSG, '<gml:posList>0 10 0 20 5</gml:posList>'), 'a list of positions is none'],
    [gml(EPSG, '<gml:posList>0 10 0 x 5 20 0 10</gml:posList>'), 'a list of positions is none'],
    [gml(EPSG, '<gml:coordinates>0,10 0,20</gml:coordinates>'), 'gml:coordinates'],
    [gml(EPSG, RING).replaceAll('LinearRing', 'Curve'), 'curves'],
    ['<a/>', 'not GML'],
  ])('%s is refused', async (content, reason) => {
    expect(await reasonOf(content, 'gml')).toContain(reason);
  });
});

describe('geojson of others', () => {
  test('open rings are closed, repeated positions and heights dropped, directions corrected, numeric ids read', async () => {
    const given = JSON.stringify({
      type: 'Feature',
      id: 7,
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0, 5],
            [0, 1, 5],
            [0, 1, 5],
            [1, 1, 5],
            [1, 0, 5],
          ],
        ],
      },
    });
    const feature = await featureOf(`\ufeff${given}`, 'geojson');
    expect(multiOf(feature.geometry)).toEqual([
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
          [0, 0],
        ],
      ],
    ]);
    expect(feature.id).toBe('7');
  });

  test('what is nothing on the grid is left out and counted', async () => {
    const tiny = square(0.5, 0.5, 1e-9);
    const result = await bytesOf(polygon(square(0, 0, 1), tiny), 'geojson', 'geojson');
    expect(result.collapsed).toBe(1);
    expect(await bytesOf(polygon(tiny, tiny), 'geojson', 'wkt')).toMatchObject({ collapsed: 2 });
  });

  test.each([
    [
      '{"type":"Polygon","coordinates":[[[500000,4649776],[500001,4649776],[500001,4649777],[500000,4649776]]]}',
      '500000,4649776 is not a longitude and latitude',
    ],
    [
      '{"type":"Polygon","coordinates":[[[1e300,0],[1,0],[1,1],[1e300,0]]]}',
      '1e+300,0 is not a longitude and latitude',
    ],
    [
      '{"type":"Polygon","coordinates":[[[1e999,0],[1,0],[1,1],[1e999,0]]]}',
      'Infinity,0 is not a longitude and latitude',
    ],
    ['{"type":"Polygon","coordinates":[[["0",0],[1,0],[1,1],[0,0]]]}', 'not a pair of numbers'],
    ['{"type":"Polygon","coordinates":[[0,0]]}', 'not nested'],
    ['{"type":"Polygon","coordinates":5}', 'not nested'],
    ['{"type":"Circle"}', 'no geometry of the type "Circle"'],
    ['{"type":"FeatureCollection"}', 'no features'],
    ['[]', 'not a GeoJSON object'],
    ['{"type":', 'not JSON'],
    ['', 'it is empty'],
    ['{"type":"Point","coordinates":[0,0]}', 'no area'],
    [
      '{"crs":{"type":"name","properties":{"name":"EPSG:25832"}},"type":"FeatureCollection","features":[]}',
      'other than degrees',
    ],
    [
      '{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}',
      'the area is not valid: Self-intersection near 0.5,0.5',
    ],
  ])('%s is refused', async (content, reason) => {
    expect(await reasonOf(content, 'geojson')).toContain(reason);
  });

  test('bytes that are not UTF-8 are refused', async () => {
    expect(await reasonOf(Uint8Array.of(0x7b, 0xff, 0x7d), 'geojson')).toBe('it is not text in UTF-8');
  });
});

test('detail simplifies, and says so', async () => {
  const bent = Array.from({ length: 5000 }, (_, i) => [Math.cos(i / 795.775), Math.sin(i / 795.775)]);
  const round = polygon([...bent, bent[0]]);
  const low = await bytesOf(round, 'geojson', 'geojson', 'low');
  const feature = JSON.parse(Buffer.from(low.bytes).toString()) as GeoJSON.Feature;
  expect([low.toleranceMeters, feature.properties]).toEqual([128, { detail: 'low', tolerance_m: 128 }]);
  const [[ring]] = multiOf(feature.geometry);
  expect(ring.length).toBeGreaterThan(50);
  expect(ring.length).toBeLessThan(500);
});

describe('the command', () => {
  const path = (name: string, content?: string): string => {
    if (content !== undefined) writeFileSync(machine.path(name), content);
    return machine.path(name);
  };

  test('by extension, without a server or a database', async () => {
    path('in.geojson', AREA);
    const written = await machine.run(['convert', 'in.geojson', 'out.kml']);
    expect([written.exit, written.out, written.err]).toEqual([0, '', expect.stringMatching(/^out\.kml: \d+ bytes\n$/)]);
    const said = await machine.run(['convert', 'out.kml', 'out.svg', '--detail', 'low', '--json']);
    expect(JSON.parse(said.out)).toMatchObject({
      file: 'out.svg',
      features: 1,
      left: 0,
      collapsed: 0,
      toleranceMeters: 16384,
    });
    expect(readFileSync(path('out.svg'), 'utf8')).toMatch(/^<\?xml[\s\S]*<\/svg>\n$/);
    expect(readdirSync(machine.folder).sort()).toEqual(['in.geojson', 'out.kml', 'out.svg']);
  });

  test('through pipes', async () => {
    const piped = await machine.run(['convert', '-', '-', '--from', 'geojson', '--to', 'wkt'], { input: AREA });
    expect([piped.exit, piped.err]).toEqual([0, '']);
    expect(piped.out).toBe(await textOf(AREA, 'geojson', 'wkt'));
    const unnamed = await machine.run(['convert', '-', '-', '--to', 'wkt'], { input: AREA });
    expect([unnamed.exit, unnamed.out]).toEqual([2, '']);
    expect(unnamed.err).toContain('Choose the format with --from');
    expect(unnamed.err).not.toContain('pmtiles');
  });

  test('what cannot be read leaves what was there, and says why', async () => {
    path('kept.kml', 'before');
    path('bad.geojson', '{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}');
    const refused = await machine.run(['convert', 'bad.geojson', 'kept.kml']);
    expect([refused.exit, refused.out]).toEqual([2, '']);
    expect(refused.err).toMatch(
      /^error: invalid_input: bad\.geojson: the area is not valid: Self-intersection near 0\.5,0\.5/,
    );
    expect(readFileSync(path('kept.kml'), 'utf8')).toBe('before');
    path('picture.svg', '<svg/>');
    const svg = await machine.run(['convert', 'picture.svg', 'kept.kml', '--json']);
    expect([svg.exit, JSON.parse(svg.err).code]).toEqual([2, 'invalid_input']);
    expect(svg.err).toContain('it can be written, not read');
    expect((await machine.run(['convert', 'none.kml', 'x.wkt'])).err).toContain('File not found: none.kml');
  });
});
