import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Detail } from '../../workers/contract.ts';
import { type ConvertResult, convertFile } from '../../workers/convert.ts';
import type { Format, Readable } from '../../workers/formats/registry.ts';
import { zip } from '../../workers/formats/zip/pack.ts';
import { readZip } from '../../workers/formats/zip/unpack.ts';
import { hasGdal, multiOf } from '../formats/gdal.ts';
import { HOSTILE, square } from '../formats/support.ts';
import { closed, leading } from '../setup/elements.ts';
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
  return convertFile({ bytes, from, to, detail, dissolve, name: 'file', maxBytes: 1e9 }, () => false);
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
/** Half of a surrogate pair is refused, so it is left out here. */
const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, '');
const ODD = whole(HOSTILE);
const ODD_READ = ODD.replace('\u0007', '\ufffd').replace('\ufffe', '\ufffd');
const AREA = geojson(
  { type: 'MultiPolygon', coordinates: PARTS },
  { name: ODD, 'odd key': ODD, population: 5, capital: true, nothing: null, attribution: 'A & B' },
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
    const area = defined(PARTS[0]);
    const coordinates = defined(area[0])
      .map(([lon, lat]) => `${lon},${lat}`)
      .join(' ');
    const boundary = `<outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs>`;
    const placemark = `<Placemark><Polygon>${boundary}</Polygon></Placemark>`;
    const wkt = `POLYGON((${defined(area[0])
      .map((position) => position.join(' '))
      .join(',')}))`;
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
    expect(defined(defined(multiOf(feature.geometry)[0])[0]).length).toBeGreaterThan(190_000);
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
    // What XML cannot hold is gone after the first time.
    const again = (await bytesOf(file, format, format)).bytes;
    expect(Buffer.from((await bytesOf(again, format, format)).bytes).equals(Buffer.from(again))).toBe(true);
    const properties = feature.properties as Record<string, unknown>;
    if (format === 'wkt') expect(properties).toEqual({});
    else expect(properties.attribution).toBe('A & B');
    if (format === 'geojson') expect(properties).toEqual(JSON.parse(AREA).properties);
    if (format === 'kml') {
      expect(properties).toEqual({
        name: ODD_READ,
        'odd key': ODD_READ,
        population: 5,
        capital: true,
        nothing: null,
        attribution: 'A & B',
      });
    }
    if (format === 'gml') {
      expect(properties).toEqual({
        name: ODD_READ,
        'odd key': ODD_READ,
        population: '5',
        capital: 'true',
        attribution: 'A & B',
      });
    }
  });

  test.each<[Record<string, unknown>, string]>([
    [{ name: 'A\0B' }, 'feature 1: its name contains the character NUL (U+0000)'],
    [{ id: 'x', pop: 'q\ud800z' }, 'feature x: its property "pop" contains half of a surrogate pair'],
    [{ id: 'x', 'k\udc00': 1 }, 'feature x: the name of its property "k\\udc00" contains half of a surrogate pair'],
    [{ id: 'x', deep: [{ a: '\0' }] }, 'feature x: its property "deep" contains the character NUL (U+0000)'],
  ])('a text that no other format can hold is refused: %j', async (properties, reason) => {
    const content = JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', id: properties.id, properties, geometry: JSON.parse(AREA).geometry }],
    });
    for (const format of ['kml', 'geojson'] as const) {
      const result = await convert(content, 'geojson', format);
      expect(result).toEqual({ kind: 'unreadable', reason: `${reason}: remove it` });
    }
    const csv = `id,name,WKT\n1,A\0B,"POLYGON((0 0,1 0,1 1,0 0))"\n`;
    expect(await reasonOf(csv, 'csv')).toBe('feature 1: its name contains the character NUL (U+0000): remove it');
  });

  test('an id and a box are kept', async () => {
    const given = JSON.stringify({ ...JSON.parse(AREA), id: 'r62422' });
    for (const format of ['geojson', 'kml', 'gml'] as const) {
      const feature = await featureOf((await bytesOf(given, 'geojson', format)).bytes, format);
      expect([feature.id, feature.bbox], format).toEqual(['r62422', [5, -17, 180, 15]]);
      expect(Object.keys(feature.properties as object)).not.toContain('id');
    }
  });

  test.each([
    '{"type":"FeatureCollection","features":[]}',
    geojson({ type: 'MultiPolygon', coordinates: [] }),
    '{"type":"Feature","properties":null,"geometry":null}',
    polygon(square(0.5, 0.5, 1e-9)),
  ])('a file without an area is refused: %s', async (content) => {
    expect(await reasonOf(content, 'geojson')).toBe('it has no area');
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
      const [, text] = leading(/"(MULTIPOLYGON[^"]*)"/.exec(theirs) ?? [], 2);
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
    const ring = only(only(multiOf(feature.geometry)));
    const xs = ring.map(([x]) => defined(x));
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
    const bent = Array.from({ length: 20_000 }, (_, i): [number, number] => [
      50 * Math.cos(i / 3183.1),
      50 * Math.sin(i / 3183.1),
    ]);
    const large = closed(bent)
      .map(([x, y]) => `${x.toFixed(7)} ${y.toFixed(7)}`)
      .join(', ');
    const ring = only(only(multiOf((await featureOf(`MULTIPOLYGON(((${large})))`, 'wkt')).geometry)));
    expect(ring).toHaveLength(20_001);
    expect(ring[777]).toEqual(defined(bent[777]).map((value) => Number(value.toFixed(7))));
    const several = 'GEOMETRYCOLLECTION(POINT(1 1),POLYGON((0 0,1 0,1 1,0 0)))';
    expect(await bytesOf(several, 'wkt', 'kml')).toMatchObject({ features: 1, left: 1 });
  });

  test.each([
    ['POLYGON((0 0,1 0,1 1,0 0)', 'a bracket is missing'],
    ['POLYGON((0 0,1 0,1 1,0 0))) ', 'a bracket too many'],
    ['POLYGON((0 0,1 0,1 1,0 0)) POINT(1 1)', 'more than one geometry'],
    ['POLYGON((0 0,1x 0,1 1,0 0))', '"1X 0" is not a position'],
    ['POLYGON((0 0,1 0 5,1 1,0 0))', '"1 0 5" is not a position'],
    ['CURVEPOLYGON(CIRCULARSTRING(0 0,1 0,1 1,0 1,0 0))', 'arcs of circles'],
    ['MULTISURFACE(CURVEPOLYGON(COMPOUNDCURVE(CIRCULARSTRING(0 0,1 1,2 0),(2 0,0 0))))', 'arcs of circles'],
    ['SRID=99999;POLYGON((0 0,1 0,1 1,0 0))', 'EPSG:99999 is not in the table'],
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
    expect(defined(defined(multiOf(crs84.geometry)[0])[0])[1]).toEqual([5, 20]);
    const single = RING.replace(/posList>/g, 'pos>').replace(
      '0 10 0 20 5 20 0 10',
      '0 10</gml:pos><gml:pos>0 20</gml:pos><gml:pos>5 20</gml:pos><gml:pos>0 10',
    );
    expect(multiOf((await featureOf(gml(EPSG, single), 'gml')).geometry)).toEqual(swapped);
    const old = '<gml:coordinates decimal="," cs=";" ts="|">0,0;10,0|0,0;20,0|5,0;20,0|0,0;10,0</gml:coordinates>';
    expect(multiOf((await featureOf(gml(EPSG, old), 'gml')).geometry)).toEqual(swapped);
  });

  test.each([
    [gml('', RING), 'names no coordinate system'],
    [gml(' srsName="urn:ogc:def:crs:EPSG::99999"', RING), 'EPSG:99999 is not in the table'],
    [gml(EPSG, '<gml:posList>0 10 0 20 5</gml:posList>'), 'a list of positions is none'],
    [gml(EPSG, '<gml:posList>0 10 0 x 5 20 0 10</gml:posList>'), 'a list of positions is none'],
    [gml(EPSG, '<gml:coordinates>0,10 0,20,5</gml:coordinates>'), 'a list of positions is none'],
    [gml(EPSG, RING).replaceAll('LinearRing', 'Arc'), 'curves'],
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
  });

  test.each([
    [
      '{"type":"Polygon","coordinates":[[[500000,4649776],[500001,4649776],[500001,4649777],[500000,4649776]]]}',
      'x from 500,000 to 500,001, y from 4,649,776 to 4,649,777 are not degrees',
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
    ['{"version":0.6,"elements":[{"type":"node","id":1,"lat":0,"lon":0}]}', 'boundary import'],
    ['{"type":"FeatureCollection"}', 'no features'],
    ['[]', 'not a GeoJSON object'],
    ['{"type":', 'not JSON'],
    ['', 'it is empty'],
    ['{"type":"Point","coordinates":[0,0]}', 'no area'],
    [
      '{"crs":{"type":"name","properties":{"name":"Atlantis"}},"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}',
      '"Atlantis" names no reference system',
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

describe('reference systems', () => {
  const plane = (crs: object, ring: readonly (readonly number[])[]): string =>
    JSON.stringify({ ...crs, type: 'Polygon', coordinates: [ring] });
  const PARIS = [
    [652_000, 6_861_000],
    [653_000, 6_861_000],
    [653_000, 6_862_000],
    [652_000, 6_861_000],
  ];
  const named = (name: string): object => ({ crs: { type: 'name', properties: { name } } });

  test('a plane becomes degrees, and how true they are is listed', async () => {
    const { bytes, changes } = await bytesOf(plane(named('EPSG:2154'), PARIS), 'geojson', 'wkt');
    // gdaltransform -s_srs EPSG:2154 -t_srs EPSG:4326
    expect(Buffer.from(bytes).toString()).toContain('2.3459248 48.8472552');
    expect(changes).toEqual([
      'its coordinates are in RGF93 v1 / Lambert-93 (EPSG:2154) and were transformed to WGS 84 within 1 m',
    ]);
  });

  test('degrees on another datum stay as they are where it agrees, and are shifted where it does not', async () => {
    const ring = [
      [139, 35],
      [139.1, 35],
      [139.1, 35.1],
      [139, 35],
    ];
    const agreed = await bytesOf(plane(named('urn:ogc:def:crs:EPSG::6668'), ring), 'geojson', 'wkt');
    expect(Buffer.from(agreed.bytes).toString()).toContain('139 35,');
    expect(agreed.changes.join()).toContain('agrees with WGS 84 within 1 m');
    // gdaltransform -s_srs EPSG:4301 -t_srs EPSG:4326
    const tokyo = await bytesOf(plane(named('urn:ogc:def:crs:EPSG::4301'), ring), 'geojson', 'wkt');
    expect(Buffer.from(tokyo.bytes).toString()).toContain('138.9968578 35.003295,');
    expect(tokyo.changes.join()).toMatch(/Tokyo \(EPSG:4301\) and were transformed to WGS 84 within \d+ m/);
  });

  test('--crs decides, and --strict refuses what a grid that is not here would make better', async () => {
    const ring = [
      [530_000, 180_000],
      [531_000, 180_000],
      [531_000, 181_000],
      [530_000, 180_000],
    ];
    const bytes = Buffer.from(plane({}, ring));
    const about = { from: 'geojson', to: 'wkt', detail: 'full', dissolve: false, name: 'x' } as const;
    const task = { ...about, bytes, maxBytes: 1e6 };
    const reading = { crs: 'EPSG:27700' };
    const read = await convertFile({ ...task, reading }, () => false);
    expect(read.kind === 'bytes' && read.changes.join()).toContain('OSTN15');
    const refused = await convertFile({ ...task, reading: { ...reading, strict: true } }, () => false);
    expect(refused.kind === 'unreadable' && refused.reason).toContain('--strict');
  });
});

test('detail simplifies, and says so', async () => {
  const bent = Array.from({ length: 5000 }, (_, i) => [Math.cos(i / 795.775), Math.sin(i / 795.775)]);
  const round = polygon(closed(bent));
  const low = await bytesOf(round, 'geojson', 'geojson', 'low');
  const feature = JSON.parse(Buffer.from(low.bytes).toString()) as GeoJSON.Feature;
  expect([low.toleranceMeters, feature.properties]).toEqual([128, { detail: 'low', tolerance_m: 128 }]);
  const ring = defined(defined(multiOf(feature.geometry)[0])[0]);
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
    const said = 'characters that XML cannot hold written as U+FFFD: name, odd key\n';
    expect([written.exit, written.out, written.err]).toEqual([0, '', expect.stringMatching(/^out\.kml: \d+ bytes\n/)]);
    expect(written.err.split(/(?<=bytes\n)/)[1]).toBe(said);
    const picture = await machine.run(['convert', 'out.kml', 'out.svg', '--detail', 'low', '--json']);
    expect(JSON.parse(picture.out)).toMatchObject({
      file: 'out.svg',
      features: 1,
      left: 0,
      collapsed: 0,
      toleranceMeters: 16384,
      changes: ['left out, because svg has no place for them: odd key, population, capital, nothing'],
    });
    expect(readFileSync(path('out.svg'), 'utf8')).toMatch(/^<\?xml[\s\S]*<\/svg>\n$/);
    expect(readdirSync(machine.folder).sort()).toEqual(['in.geojson', 'out.kml', 'out.svg']);
  });

  test('through pipes', async () => {
    const piped = await machine.run(['convert', '-', '-', '--from', 'geojson', '--to', 'wkt'], { input: AREA });
    expect([piped.exit, piped.err]).toEqual([
      0,
      'left out, because wkt has no place for them: name, odd key, population, capital, nothing, attribution\n',
    ]);
    expect(piped.out).toBe(await textOf(AREA, 'geojson', 'wkt'));
    const unnamed = await machine.run(['convert', '-', '-', '--to', 'wkt'], { input: AREA });
    expect([unnamed.exit, unnamed.out]).toEqual([2, '']);
    expect(unnamed.err).toContain('Choose the format with --from');
    expect(unnamed.err).not.toContain('pmtiles');
  });

  test('OpenStreetMap data is for an import', async () => {
    for (const name of ['region.osm', 'region.osm.pbf', 'region.osm.gz', 'region.osm.bz2']) {
      path(name, '<osm/>');
      const refused = await machine.run(['convert', name, 'out.geojson']);
      expect([name, refused.exit, refused.out]).toEqual([name, 2, '']);
      expect(refused.err).toContain('boundary import, then boundary export');
    }
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

describe('surfaces of straight lines', () => {
  const shell = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]; // biome-ignore format: a ring
  const hole = [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]; // biome-ignore format: a ring
  const other = [[6, 0], [7, 0], [7, 1], [6, 0]]; // biome-ignore format: a ring
  const wkts: [string, number[][][][]][] = [
    ['GEOMETRYCOLLECTION(MULTISURFACE(((0 0,4 0,4 4,0 4,0 0))))', [[shell]]],
    [
      'GEOMETRYCOLLECTION(LINESTRING(0 0,1 1),CURVEPOLYGON(COMPOUNDCURVE((0 0,4 0,4 4),(4 4,0 4,0 0))),POINT(1 1))',
      [[shell]],
    ],
    ['GEOMETRYCOLLECTION(POLYGON((0 0,4 0,4 4,0 4,0 0)),MULTISURFACE EMPTY)', [[shell]]],
    [
      'GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(MULTISURFACE(POLYGON((0 0,4 0,4 4,0 4,0 0)))),MULTISURFACE EMPTY)',
      [[shell]],
    ],
    ['CURVEPOLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,1 2,2 2,2 1,1 1))', [[shell, hole]]],
    ['CURVEPOLYGON(COMPOUNDCURVE((0 0,4 0,4 4),(4 4,0 4,0 0)),(1 1,1 2,2 2,2 1,1 1))', [[shell, hole]]],
    ['CURVEPOLYGON Z ((0 0 9,4 0 9,4 4 9,0 4 9,0 0 9))', [[shell]]],
    [
      'MULTISURFACE(((0 0,4 0,4 4,0 4,0 0)),CURVEPOLYGON(COMPOUNDCURVE((6 0,7 0),(7 0,7 1),(7 1,6 0))))',
      [[shell], [other]],
    ],
  ];
  test.each(wkts)('%s', async (wkt, expected) => {
    expect(multiOf((await featureOf(wkt, 'wkt')).geometry)).toEqual(expected);
    const csv = `id,WKT\na,"${wkt}"\n`;
    expect(multiOf((await featureOf(csv, 'csv')).geometry)).toEqual(expected);
  });

  test
    .skipIf(!hasGdal)
    .each(
      (['geopackage', 'flatgeobuf', 'gml'] as const).flatMap((format) =>
        wkts.map(([wkt, expected]) => ({ format, wkt, expected })),
      ),
    )('as GDAL writes them as $format: $wkt', async ({ format, wkt, expected }) => {
    const [driver, extension] = leading(
      {
        geopackage: ['GPKG', 'gpkg'],
        flatgeobuf: ['FlatGeobuf', 'fgb'],
        gml: ['GML', 'gml'],
      }[format],
      2,
    );
    const [csv, file] = [join(folder, 'curves.csv'), join(folder, `curves-${format}.${extension}`)];
    writeFileSync(csv, `id,WKT\na,"${wkt}"\n`);
    rmSync(file, { force: true });
    execFileSync('ogr2ogr', ['-q', '-f', driver, '-a_srs', 'EPSG:4326', file, csv]);
    const content = readFileSync(file);
    expect(multiOf((await featureOf(content, format)).geometry)).toEqual(expected);
  });
});

const packed = async (files: Record<string, string | Uint8Array>) => {
  const parts: Uint8Array[] = [];
  const entries = Object.entries(files).map(([name, content]) => ({ name, bytes: Buffer.from(content) }));
  for await (const part of zip(entries)) parts.push(part);
  return Buffer.concat(parts);
};

describe('memory', () => {
  /** The zip with another size for a file in its directory: what it says, not what it has. */
  function resized(archive: Buffer, name: string, size: number): Buffer {
    const changed = Buffer.from(archive);
    const at = changed.lastIndexOf(name) - 46;
    expect(changed.readUInt32LE(at)).toBe(0x02014b50);
    changed.writeUInt32LE(size, at + 24);
    return changed;
  }

  test('a file in a zip that is too large is named, and one that is not read may be', async () => {
    const files = { 'area.geojson': polygon(square(1, 1, 1)), 'notes.txt': 'read me' };
    const archive = await packed(files);
    expect(await reasonOf(resized(archive, 'area.geojson', 600e6), 'zip')).toBe(
      'area.geojson unpacks to 600000000 bytes, more than 536870912 (512 MiB): unpack the zip',
    );
    expect(await reasonOf(resized(archive, 'area.geojson', 20), 'zip')).toMatch(/cut off or damaged/);
    const feature = await featureOf(resized(archive, 'notes.txt', 2 ** 32 - 1), 'zip');
    expect(feature.geometry.type).toBe('Polygon');
    const shapefile = Buffer.from((await bytesOf(AREA, 'geojson', 'shapefile' as Format)).bytes);
    const shp = [...readZip(shapefile).keys()].find((name) => name.endsWith('.shp')) as string;
    expect(await reasonOf(resized(shapefile, shp, 2 ** 31 - 1), 'shapefile')).toMatch(/\.shp unpacks to 2147483647/);
  });

  test('a file that needs more than IMPORT_BYTES is named, and nothing is written', { timeout: 120_000 }, async () => {
    const [start, end] = polygon(square(1, 1, 1)).split('[[[');
    const large = `${start}[[[${'[0,0],'.repeat(10e6)}[${end}`;
    writeFileSync(join(folder, 'large.geojson'), large);
    const env = { IMPORT_BYTES: '300MiB' };
    const out = join(folder, 'large.kml');
    const refused = await machine.run(['convert', join(folder, 'large.geojson'), out], { env });
    expect(refused.err).toContain('large.geojson');
    expect(refused.err).toContain('IMPORT_BYTES (300 MiB)');
    expect([refused.exit, existsSync(out)]).toEqual([2, false]);
    // What is small enough passes, also from standard input to standard output, and keeps its own exit code.
    const small = await machine.run(['convert', '-', '-', '--from', 'geojson', '--to', 'wkt'], {
      env,
      input: polygon(square(1, 1, 1)),
    });
    expect([small.exit, small.out.slice(0, 7), small.err]).toEqual([0, 'POLYGON', '']);
    const wrong = await machine.run(['convert', '-', '-', '--from', 'geojson', '--to', 'wkt'], { env, input: '{' });
    expect([wrong.exit, wrong.out]).toEqual([2, '']);
  });
});

describe('files as other programs pack and mark them', () => {
  const placemark = (prefix: string, name: string) => {
    const p = prefix === '' ? '' : `${prefix}:`;
    const xmlns = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    return (
      `<${p}kml ${xmlns}="http://www.opengis.net/kml/2.2"><${p}Document><${p}Placemark><${p}name>${name}</${p}name>` +
      `<${p}description><![CDATA[<${p}b>]]></${p}description><${p}Polygon><${p}outerBoundaryIs><${p}LinearRing>` +
      `<${p}coordinates>0,0 4,0 4,4 0,0</${p}coordinates></${p}LinearRing></${p}outerBoundaryIs></${p}Polygon>` +
      `</${p}Placemark></${p}Document></${p}kml>`
    );
  };
  const triangle = [[[[0, 0], [4, 0], [4, 4], [0, 0]]]]; // biome-ignore format: a ring
  test.each(['kml', 'k', 'ns0'])('KML with the prefix %s', async (prefix) => {
    const feature = await featureOf(placemark(prefix, 'A'), 'kml');
    expect([feature.properties?.name, feature.properties?.description]).toEqual(['A', `<${prefix}:b>`]);
    expect(multiOf(feature.geometry)).toEqual(triangle);
  });

  test('KML in the encoding that it declares', async () => {
    const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${placemark('', 'S\u00e3o')}`;
    const nameOf = async (content: Uint8Array) => (await featureOf(content, 'kml')).properties?.name;
    expect(await nameOf(Buffer.from(declared('ISO-8859-1'), 'latin1'))).toBe('S\u00e3o');
    expect(await nameOf(Buffer.from(declared('UTF-8')))).toBe('S\u00e3o');
    expect(await nameOf(Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le'))).toBe('S\u00e3o');
    expect(await reasonOf(Buffer.from(declared('utf-8'), 'latin1'), 'kml')).toBe('it is not text in UTF-8');
    expect(await reasonOf(Buffer.from(declared('klingon')), 'kml')).toBe('its encoding "klingon" is not known');
  });

  test('KMZ, and zips that macOS made', async () => {
    const mac = { '__MACOSX/._doc.kml': 'Mac OS X', '._doc.kml': '\0\u0005', '.DS_Store': 'Bud1' };
    const kmz = await packed({ 'doc.kml': placemark('', 'A'), 'files/icon.png': '\x89PNG', ...mac });
    writeFileSync(join(folder, 'area.kmz'), kmz);
    const read = await machine.run(['convert', join(folder, 'area.kmz'), '-', '--to', 'geojson']);
    expect([read.exit, JSON.parse(read.out).properties.name]).toEqual([0, 'A']);
    const { bytes } = await bytesOf(AREA, 'geojson', 'shapefile' as Format);
    const files = Object.fromEntries([...readZip(bytes)].map(([name, unpack]) => [name, unpack()]));
    const doubles = Object.keys(files).map((name) => [`__MACOSX/._${name}`, 'Mac OS X']);
    const again = await packed({ ...files, ...Object.fromEntries(doubles) });
    expect(multiOf((await featureOf(again, 'shapefile')).geometry)).toHaveLength(PARTS.length);
  });

  test('a shapefile whose rings have the wrong directions', async () => {
    /** The file of one record with these rings. */
    const shapefileOf = (...rings: number[][][]) => {
      const points = rings.flat();
      const body = Buffer.alloc(44 + 4 * rings.length + 16 * points.length);
      body.writeInt32LE(5, 0);
      body.writeInt32LE(rings.length, 36);
      body.writeInt32LE(points.length, 40);
      let first = 0;
      for (const [i, ring] of rings.entries()) {
        body.writeInt32LE(first, 44 + 4 * i);
        first += ring.length;
      }
      for (const [i, [x, y]] of points.entries()) {
        body.writeDoubleLE(x as number, 44 + 4 * rings.length + 16 * i);
        body.writeDoubleLE(y as number, 52 + 4 * rings.length + 16 * i);
      }
      const head = Buffer.alloc(108);
      head.writeInt32BE(9994, 0);
      head.writeInt32LE(5, 32);
      head.writeInt32BE(1, 100);
      head.writeInt32BE(body.length / 2, 104);
      return Buffer.concat([head, body]);
    };
    const [clockwise, counter] = [true, false];
    const ring = (r: number, isClockwise: boolean) => square(10, 10, r, isClockwise);
    const shell = square(10, 10, 5);
    const hole = square(10, 10, 3, true);
    for (const [outer, inner, isListed] of [
      [clockwise, counter, false],
      [counter, clockwise, true],
      [clockwise, clockwise, true],
      [counter, counter, true],
    ] as const) {
      for (const rings of [
        [ring(5, outer), ring(3, inner)],
        [ring(3, inner), ring(5, outer)],
      ]) {
        const { bytes, changes } = await bytesOf(shapefileOf(...rings), 'shapefile', 'geojson');
        expect(changes.some((change) => /against their direction, in the records: 1$/.test(change))).toBe(isListed);
        expect(multiOf(JSON.parse(Buffer.from(bytes).toString()).geometry)).toEqual([[shell, hole]]);
      }
    }
    // An island in a lake, all in one direction.
    const { bytes } = await bytesOf(
      shapefileOf(ring(5, clockwise), ring(3, clockwise), ring(1, clockwise)),
      'shapefile',
      'geojson',
    );
    expect(multiOf(JSON.parse(Buffer.from(bytes).toString()).geometry)).toHaveLength(2);
    // A hole that is its shell.
    const twice = await bytesOf(shapefileOf(ring(5, clockwise), ring(5, counter)), 'shapefile', 'geojson');
    expect(multiOf(JSON.parse(Buffer.from(twice.bytes).toString()).geometry)).toEqual([[shell]]);
    expect(twice.changes).toContainEqual(expect.stringMatching(/^rings that repeat another.*in the records: 1$/));
    // Parts that overlap are not holes.
    const crossing = shapefileOf(square(0, 0, 2, true), square(1, 1, 2, true));
    expect(await reasonOf(crossing, 'shapefile')).toMatch(/not valid/);
  });

  test.skipIf(!hasGdal)('a GeoPackage without a layer of areas', async () => {
    const [csv, file] = [join(folder, 'layers.csv'), join(folder, 'layers.gpkg')];
    writeFileSync(csv, 'id,name\n1,A\n');
    execFileSync('ogr2ogr', ['-q', '-f', 'GPKG', file, csv]);
    expect(await reasonOf(readFileSync(file), 'geopackage')).toMatch(/^it has no layer of areas/);
    const points = ['-oo', 'X_POSSIBLE_NAMES=x', '-oo', 'Y_POSSIBLE_NAMES=y', '-a_srs', 'EPSG:2154', '-nln', 'points'];
    rmSync(file);
    writeFileSync(csv, 'x,y\n1,2\n');
    execFileSync('ogr2ogr', ['-q', '-f', 'GPKG', ...points, file, csv]);
    expect(await reasonOf(readFileSync(file), 'geopackage')).toBe('it has points or lines, but no area');
    writeFileSync(csv, 'id,WKT\n1,"POLYGON((0 0,4 0,4 4,0 0))"\n');
    execFileSync('ogr2ogr', ['-q', '-f', 'GPKG', '-update', '-a_srs', 'EPSG:4326', '-nln', 'areas', file, csv]);
    expect(multiOf((await featureOf(readFileSync(file), 'geopackage')).geometry)).toEqual(triangle);
  });
});
