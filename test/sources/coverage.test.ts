import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { readCoverage } from '../../src/sources/coverage/read.ts';
import { cutAtSeam, cutWaysAtSeam } from '../../src/sources/seam.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { buildArrangement, NOTHING_STORED } from '../../workers/build.ts';
import type { Coords } from '../../workers/contract.ts';
import { doubleArea, geosCheck, REAL_DATA_DIR, ring } from './coverage_support.ts';

const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: unknown, name = `${++files}.geojson`): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.isBuffer(content) || typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const box = (x: number, y: number) => [
  [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
    [x, y],
  ],
];
const feature = (properties: object, coordinates: unknown = box(0, 0), more: object = {}) => ({
  type: 'Feature',
  ...more,
  properties,
  geometry: { type: 'Polygon', coordinates },
});
const collection = (...features: unknown[]) => ({ type: 'FeatureCollection', features });
const town = (n: number) => feature({ code: `C${n}`, nom: `Town ${n}` }, box(n, 0));
const map = { id: 'code', name: 'nom' };
const options = { source: 'test', adminLevel: 8, map };

const ringsOf = (boundary: SourceBoundary): readonly Coords[] =>
  'rings' in boundary.border ? boundary.border.rings : [];

describe('readCoverage, forms of files', () => {
  const expected = [
    ['C0', 'Town 0'],
    ['C1', 'Town 1'],
    ['C2', 'Town 2'],
  ];
  const three = [town(0), town(1), town(2)];
  it.each([
    ['a collection', JSON.stringify(collection(...three))],
    ['a collection, indented, with a byte order mark', `\ufeff${JSON.stringify(collection(...three), null, 2)}\n`],
    [
      'a collection with other members on both sides',
      JSON.stringify({ name: 'features', ...collection(...three), bbox: [0, 0, 1, 1] }),
    ],
    ['one feature a line', three.map((one) => JSON.stringify(one)).join('\n')],
    ['a text sequence (RFC 8142)', three.map((one) => `\x1e${JSON.stringify(one)}\n`).join('')],
    ['gzipped', gzipSync(JSON.stringify(collection(...three)))],
    [
      'two collections behind one another',
      JSON.stringify(collection(town(0))) + JSON.stringify(collection(town(1), town(2))),
    ],
  ])('%s', async (_, content) => {
    const { boundaries, skipped, repaired, overlaps } = await readCoverage(file(content), options);
    expect(boundaries.map((one) => [one.sourceId, one.name])).toEqual(expected);
    expect(skipped).toEqual([]);
    expect([repaired, overlaps]).toEqual([[], []]);
    expect(ringsOf(boundaries[1]!)).toEqual([ring([1e7, 0], [2e7, 0], [2e7, 1e7], [1e7, 1e7])]);
  });

  it('reads a file in chunks of any size, with brackets, quotes and letters of any alphabet in its texts', async () => {
    const names = ['[{"', '\\"}]', 'Łódź 市 🙂'.repeat(9000), '"features": ['];
    const towns = names.map((nom, n) => feature({ code: n, nom, nested: { features: [1] } }, box(n, 0)));
    const { boundaries } = await readCoverage(file(collection(...towns)), options);
    expect(boundaries.map((one) => one.name)).toEqual(names.map((name) => name.slice(0, 255)));
  });

  it('takes the arcs of a topology as they are, quantised or not, so that neighbors have the same vertices', async () => {
    // Two squares that share the middle arc; its second vertex does not lie on a round number of degrees.
    const transform = { scale: [0.123456789, 0.1], translate: [1.00000004, 2] };
    const arcs = [
      [
        [0, 0],
        [1, 5],
        [-1, 5],
      ],
      [
        [0, 0],
        [-5, 0],
        [0, 10],
        [5, 0],
      ],
      [
        [0, 0],
        [5, 0],
        [0, 10],
        [-5, 0],
      ],
    ];
    const objects = {
      towns: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Polygon', id: 'A', properties: { name: 'West' }, arcs: [[0, -2]] },
          { type: 'MultiPolygon', id: 'B', properties: { name: 'East' }, arcs: [[[2, -1]]] },
          { type: null, id: 'C', properties: { name: 'Nowhere' } },
        ],
      },
      outline: { type: 'Polygon', arcs: [[1, -3]] },
    };
    const path = file({ type: 'Topology', transform, arcs, objects });
    await expect(readCoverage(path, { source: 'test', adminLevel: 8 })).rejects.toThrow(/towns, outline/);
    await expect(readCoverage(path, { source: 'test', adminLevel: 8, object: 'x' })).rejects.toThrow(/towns, outline/);
    const { boundaries, skipped, repaired } = await readCoverage(path, {
      source: 'test',
      adminLevel: 8,
      object: 'towns',
    });
    expect(boundaries.map((one) => [one.sourceId, one.name])).toEqual([
      ['A', 'West'],
      ['B', 'East'],
    ]);
    expect(skipped).toEqual([{ id: 'C', reason: 'no geometry' }]);
    expect(repaired).toEqual([]);
    const vertices = boundaries.map((one) => new Set(pairs(ringsOf(one)[0]!)));
    const shared = [...vertices[0]!].filter((pair) => vertices[1]!.has(pair));
    expect(shared.sort()).toEqual(['10000000 20000000', '10000000 30000000', '11234568 25000000']);
  });

  it('gives a version to the bytes: the same file the same', async () => {
    const versions = [collection(town(0)), collection(town(0)), collection(town(1))].map(async (content) => {
      const { boundaries } = await readCoverage(file(content), options);
      return boundaries[0]!.version;
    });
    const [first, second, third] = await Promise.all(versions);
    expect(first).toMatch(/^sha256:[0-9a-f]{16}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

describe('readCoverage, properties', () => {
  it('maps them, and keeps all as tags', async () => {
    const properties = {
      nr: 7,
      n: ' Biel ',
      fr: 'Bienne',
      l: 8,
      c: 'ch',
      i: 'CH-BE',
      w: 'https://www.wikidata.org/wiki/Q1034',
      p: '55000',
      k: 'City',
      o: 'Biel/Bienne',
      nothing: null,
      list: [1],
    };
    const { boundaries } = await readCoverage(file(collection(feature(properties))), {
      source: 'test',
      map: {
        id: 'nr',
        name: 'n',
        'name:fr': 'fr',
        admin_level: 'l',
        country: 'c',
        iso: 'i',
        wikidata: 'w',
        population: 'p',
        kind: 'k',
        official_name: 'o',
      },
    });
    const { border, version, ...rest } = boundaries[0]!;
    expect(rest).toEqual({
      id: null,
      sourceId: '7',
      type: 'administrative',
      name: 'Biel',
      names: { fr: 'Bienne' },
      otherNames: [{ type: 'official_name', text: 'Biel/Bienne' }],
      codes: ['7'],
      codeIds: ['test:7'],
      adminLevel: 8,
      kind: 'city',
      countryCode: null,
      country: 'CH',
      iso: 'CH-BE',
      wikidata: 'Q1034',
      population: 55000,
      tags: {
        nr: '7',
        n: 'Biel',
        fr: 'Bienne',
        l: '8',
        c: 'ch',
        i: 'CH-BE',
        w: properties.w,
        p: '55000',
        k: 'City',
        o: 'Biel/Bienne',
      },
      place: null,
      subareas: [],
    });
    expect(border).toHaveProperty('rings');
    expect(version).not.toBe('');
  });

  it('reads the id and the name without a map from `id` and `name`, and options for all', async () => {
    const path = file(
      collection(feature({ name: 'A' }, box(0, 0), { id: 1 }), feature({ id: 'b', name: 'B' }, box(1, 0))),
    );
    const { boundaries } = await readCoverage(path, { source: 'test', adminLevel: 6, country: 'IT' });
    expect(boundaries.map((one) => [one.sourceId, one.name, one.adminLevel, one.country])).toEqual([
      ['1', 'A', 6, 'IT'],
      ['b', 'B', 6, 'IT'],
    ]);
  });

  it.each([
    ['population', '-99', 'population', null],
    ['population', '-1', 'population', null],
    ['population', 'many', 'population', null],
    ['population', '100000000000', 'population', null],
    ['population', '0', 'population', 0],
    ['population', '7.6', 'population', 8],
    ['admin_level', '0', 'adminLevel', 3],
    ['admin_level', '13', 'adminLevel', 3],
    ['admin_level', '6.5', 'adminLevel', 3],
    ['admin_level', '12', 'adminLevel', 12],
    ['iso', '-99', 'iso', null],
    ['wikidata', 'Q0', 'wikidata', null],
  ] as const)('reads %s %s as the %s %s', async (mapped, value, key, expected) => {
    // A file in which no value is valid is refused.
    const valid = { population: '5', admin_level: '8', iso: 'CH-BE', wikidata: 'Q7' }[mapped];
    const both = [value, valid].map((x, i) => feature({ nr: i + 1, name: 'A', x }, box(i, 0)));
    const { boundaries } = await readCoverage(file(collection(...both)), {
      source: 'test',
      adminLevel: 3,
      map: { id: 'nr', [mapped]: 'x' },
    });
    expect(boundaries.find(({ sourceId }) => sourceId === '1')?.[key]).toBe(expected);
  });

  it('makes postcode areas, called by their code when they have no name', async () => {
    const path = file(collection(feature({ plz: '01067' })));
    const { boundaries } = await readCoverage(path, {
      source: 'test',
      type: 'postal_code',
      map: { id: 'plz' },
      country: 'DE',
    });
    expect(boundaries[0]).toMatchObject({
      type: 'postal_code',
      kind: 'postal_code',
      name: '01067',
      adminLevel: null,
      codes: ['01067'],
    });
  });
});

describe('readCoverage, what it leaves out and what it refuses', () => {
  it('leaves out features without an area, with a reason', async () => {
    const geometry = (type: string, coordinates: unknown) => ({ ...town(0), geometry: { type, coordinates } });
    const odd = [
      town(0),
      { ...geometry('Point', [0, 0]), properties: { code: 'point', nom: 'x' } },
      { ...town(0), geometry: { type: 'GeometryCollection', geometries: [] }, properties: { code: 'many', nom: 'x' } },
      { ...town(0), geometry: null, properties: { code: 'null', nom: 'x' } },
      { ...geometry('Polygon', []), properties: { code: 'empty', nom: 'x' } },
      {
        ...geometry('Polygon', [
          [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
        ]),
        properties: { code: 'open', nom: 'x' },
      },
      {
        ...geometry('Polygon', [
          [
            [5, 5],
            [6, 6],
            [5, 5],
          ],
        ]),
        properties: { code: 'flat', nom: 'x' },
      },
      feature({ code: 'nameless', nom: '  ' }, box(8, 8)),
    ];
    const { boundaries, skipped } = await readCoverage(file(collection(...odd)), options);
    expect(boundaries.map((one) => one.sourceId)).toEqual(['C0']);
    expect(Object.fromEntries(skipped.map(({ id, reason }) => [id, reason]))).toEqual({
      point: 'a Point is not an area',
      many: 'an empty geometry',
      null: 'no geometry',
      empty: 'an empty geometry',
      open: 'a ring is not closed',
      nameless: 'no name',
      flat: 'it has no area on the grid of 1e-7 degrees',
    });
  });

  it.each<[object, string, object?]>([
    [{ code: 'a', nom: 'A\0B' }, 'feature a: its property "nom" contains the character NUL (U+0000)'],
    [{ code: 'a', nom: 'A', x: 'q\ud800z' }, 'feature a: its property "x" contains half of a surrogate pair'],
    [{ code: 'a', nom: 'A', 'k\udc00': 1 }, 'feature a: the name of its property "k\\udc00" contains half'],
    [{ code: 'a\0', nom: 'A' }, 'feature 2: its property "code" contains the character NUL (U+0000)'],
    [{ nom: 'A' }, 'feature 2: its id contains half of a surrogate pair', { id: '\ud83d' }],
  ])('refuses a text that cannot be stored: %j', async (properties, message, more = {}) => {
    const path = file(collection(town(0), feature(properties, box(1, 0), more)));
    await expect(readCoverage(path, options)).rejects.toThrow(`${path}: ${message}`);
    const topology = {
      type: 'Topology',
      arcs: [box(0, 0)[0]],
      objects: { o: { type: 'Polygon', arcs: [[0]], properties, ...more } },
    };
    await expect(readCoverage(file(topology), options)).rejects.toThrow(message.replace('feature 2', 'feature 1'));
  });

  it('stores the shell of an area whose hole is outside, and says what was repaired', async () => {
    const outside = feature({ code: 'w11', nom: 'Outside' }, [box(0, 0)[0], box(2, 0)[0]]);
    const { boundaries, repaired } = await readCoverage(file(collection(outside)), options);
    expect(boundaries.map(ringsOf)).toEqual([[Int32Array.from(box(0, 0).flat(2), (degrees) => degrees * 1e7)]]);
    expect(repaired).toMatchObject([{ id: 'w11', reason: 'its border crossed, touched or repeated itself' }]);
    const within = [
      [
        [0.2, 0.2],
        [0.4, 0.2],
        [0.4, 0.4],
        [0.2, 0.2],
      ],
      box(0, 0)[0],
    ];
    const turned = await readCoverage(file(collection(feature({ code: 'h', nom: 'Hole first' }, within))), options);
    expect([turned.boundaries.map((one) => ringsOf(one).length), turned.repaired]).toEqual([[2], []]);
  });

  it.each([
    ['<?xml version="1.0"?><kml/>', 'it has no features'],
    ['<?xml version="1.0"?><osm/>', 'this is in no format that is read'],
    ['SQLite format 3\0', 'this is not SQLite'],
    ['fgb\u0003', 'this is not FlatGeobuf of version 3'],
    ['PAR1', 'its footer or a page cannot be read'],
    ['POLYGON((0 0, 1 0, 1 1))x', 'this is not a well-known text'],
  ])('says what is wrong with %j, whatever its name', async (content, reason) => {
    const path = file(content, 'areas.other');
    await expect(readCoverage(path, options)).rejects.toThrow(`${path}: `);
    await expect(readCoverage(path, options)).rejects.toThrow(reason);
  });

  it('reads country codes of two and of three letters', async () => {
    for (const country of ['AT', 'AUT', 'aut']) {
      const mapped = { ...options, map: { ...map, country: 'c' } };
      const town = feature({ code: 'a', nom: 'A', c: country }, box(13, 47));
      for (const given of [{ ...options, country }, mapped]) {
        const { boundaries } = await readCoverage(file(collection(town)), given);
        expect(boundaries[0]?.country).toBe('AT');
      }
    }
    for (const country of ['AUX', 'ATT', 'A', '040', 'EUR']) {
      await expect(readCoverage(file(collection(town(0))), { ...options, country })).rejects.toThrow(
        'such as AT or AUT',
      );
    }
  });

  const start = JSON.stringify(collection(town(0))).slice(0, -2);
  const MiB = 2 ** 20;
  it.each<[string, string | Buffer, string]>([
    [
      'a text that unpacks to 20 MiB',
      gzipSync(`${start},\n{"type":"Feature","properties":{"code":"${'x'.repeat(20 * MiB)}"}}]}`),
      'feature 2 (line 2): a text of more than 16 MiB: is a quote missing?',
    ],
    [
      'a quote that is missing',
      `${start},\n{"type":"Feature",\n"properties":{"nom":"A, "code":"b"}},\n${JSON.stringify(town(3))}]}`,
      'feature 2 (lines 2 to 3): a text does not end on its line: is a quote missing?',
    ],
    [
      'a feature that unpacks to 130 MiB',
      gzipSync(`${start},{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[${'[0,0], '.repeat(19 * MiB)}`),
      'feature 2 (line 1): a feature of more than 128 MiB: is a quote or a bracket missing?',
    ],
    [
      'brackets in brackets',
      `${start},{"type":"Feature","properties":{"code":"b","nom":${'['.repeat(1_000_000)}`,
      'feature 2 (line 1): its brackets are nested more than 100 deep',
    ],
    [
      'a line that is cut off',
      `${JSON.stringify(town(0))}\n${JSON.stringify(town(1)).slice(0, -9)}`,
      'feature 2 (line 2): the file ends in the middle of an object: is it complete?',
    ],
    [
      'a line that is not JSON',
      `${JSON.stringify(town(0))}\n{"type":"Feature","properties":{"code":b}}`,
      'feature 2 (line 2): bad JSON',
    ],
    [
      'a topology in which a text has no end',
      `{"type":"Topology",\n"arcs":"${'x'.repeat(17 * MiB)}`,
      'of more than 16 MiB',
    ],
  ])(
    'stops at %s and says where',
    async (_, content, message) => {
      const path = file(content);
      await expect(readCoverage(path, options)).rejects.toThrow(message);
      await expect(readCoverage(path, options)).rejects.toThrow(`${path}: feature`);
    },
    60_000,
  );

  it('refuses an area of more rings than any has', async () => {
    const rings = Array.from({ length: 1_000_001 }, () => [[0, 0]]);
    await expect(readCoverage(file(collection(feature(town(0).properties, rings))), options)).rejects.toThrow(
      'feature C0: an area of more than 1000000 rings is not read',
    );
  });

  const zip = Buffer.from('504b03040a00', 'hex');
  const shapefile = Buffer.from('0000270a00000000', 'hex');
  it.each<[string, unknown, RegExp, object?]>([
    ['an empty file', '', /empty/],
    ['a text', 'id,name\n1,A', /in no format that is read/],
    ['an array', '[1]', /array/],
    ['another object', { type: 'Point', coordinates: [0, 0] }, /of type "Point"/],
    ['half a file', JSON.stringify(collection(town(0))).slice(0, -20), /in the middle/],
    ['bad JSON inside', '{"type":"FeatureCollection","features":[{"type":Feature}]}', /bad JSON/],
    ['broken gzip', gzipSync(JSON.stringify(collection(town(0)))).subarray(0, 60), /unexpected end|in the middle/],
    ['a zip archive', zip, /not a zip/],
    ['a shapefile', shapefile, /shapefile/],
    ['no features', collection(), /without features/],
    ['what is not a feature', collection({ type: 'Thing' }), /not a Feature/],
    ['numbers among the features', '{"type":"FeatureCollection","features":[1]}', /not an object/],
    [
      'projected coordinates',
      collection(feature({ code: 'P', nom: 'P' }, [[[700000, 6600000]]])),
      /x from 700,000 to 700,000, y from 6,600,000 to 6,600,000 are not degrees: EPSG:2154\?/,
    ],
    [
      'half a position',
      collection(feature({ code: 'P', nom: 'P' }, [[[1]]])),
      /feature P: a position lacks a coordinate/,
    ],
    ['an object of no type', {}, /an object of type null/],
    ['no numbers', collection(feature({ code: 'P', nom: 'P' }, [[[null, 1]]])), /a coordinate is null/],
    [
      'another reference system',
      { crs: { properties: { name: 'urn:ogc:def:crs:EPSG::99999' } }, ...collection(town(0)) },
      /EPSG:99999 is not in the table/,
    ],
    ['missing ids', collection(feature({ nom: 'A' }), town(1)), /1 of 2 features.*"code"/],
    [
      'one id of two places',
      collection(town(0), feature({ code: 'C0', nom: 'B' })),
      /rows 1 and 2 .* C0 and differ in nom/,
    ],
    ['only nameless features', collection(feature({ code: 1, nom: null })), /no feature can be used \(no name\)/],
    [
      'a bad level',
      collection(feature({ ...town(0).properties, l: 'x' })),
      /admin_level/,
      { map: { ...map, admin_level: 'l' } },
    ],
    [
      'a bad country',
      collection(feature({ ...town(0).properties, c: 'France' })),
      /"France" is not an ISO 3166-1 code/,
      { map: { ...map, country: 'c' } },
    ],
    ['a map of what is unknown', collection(town(0)), /cannot map color/, { map: { ...map, color: 'x' } }],
    ['no admin_level', collection(town(0)), /admin_level is needed/, { adminLevel: undefined }],
    ['no such country', collection(town(0)), /"XX"/, { country: 'XX' }],
  ])('refuses %s', async (_, content, message, more = {}) => {
    await expect(readCoverage(file(content), { ...options, ...more })).rejects.toThrow(message);
  });

  const { properties } = town(0);
  it.each<[string, (crossed: number[][]) => object]>([
    [
      'GeoJSON',
      (crossed) => ({ type: 'Feature', properties, geometry: { type: 'MultiPolygon', coordinates: [[], [crossed]] } }),
    ],
    [
      'TopoJSON',
      (crossed) => ({
        type: 'Topology',
        arcs: [crossed],
        objects: { map: { type: 'MultiPolygon', arcs: [[], [[0]]], properties } },
      }),
    ],
  ])('cleans an area of %s whose first polygon has no rings', async (_, made) => {
    const crossed = [[19, 9], [21, 21], [21, 11], [19, 11], [19, 9]]; // biome-ignore format: a ring
    const { boundaries } = await readCoverage(file(made(crossed)), options);
    const rings = ringsOf(defined(boundaries[0]));
    expect(rings).toHaveLength(2);
    expect((await geosCheck([{ rings }])).invalid).toEqual([]);
  });

  const ring = [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]]; // biome-ignore format: a ring
  const whole = { type: 'Polygon', arcs: [[0]], properties: { code: 'C0', nom: 'x' } };
  const topology = (geometry: unknown, more: object = {}) => {
    return { type: 'Topology', arcs: ring, objects: { map: geometry }, ...more };
  };
  it.each<[string, unknown, RegExp]>([
    ['no object', topology(null), /the object "map" of the topology is not a geometry/],
    ['a collection of nothing', topology({ type: 'GeometryCollection' }), /contains something that is not a geometry/],
    [
      'a collection of null',
      topology({ type: 'GeometryCollection', geometries: [null] }),
      /contains something that is not a geometry/,
    ],
    ['objects in a list', topology(whole, { objects: [whole, null] }), /without arcs or objects/],
    [
      'a transform without a scale',
      topology(whole, { transform: { translate: [0, 0] } }),
      /the transform of the topology/,
    ],
    ['a transform of text', topology(whole, { transform: { scale: ['1', 1], translate: [0, 0] } }), /the transform/],
    ['a position that is null', topology(whole, { arcs: [[null, [1, 1]]] }), /a position lacks a coordinate/],
    [
      'a step of text',
      topology(whole, { arcs: [[['1', 1]]], transform: { scale: [1, 1], translate: [0, 0] } }),
      /is "1"/,
    ],
    ['a ring of one arc that is not a list', topology({ ...whole, arcs: [0] }), /\(arcs are not lists of rings\)/],
    ['no arcs of a polygon', topology({ ...whole, arcs: undefined }), /\(arcs are not lists of rings\)/],
    ['no arcs of polygons', topology({ ...whole, type: 'MultiPolygon', arcs: {} }), /\(arcs are not lists of rings\)/],
    ['an arc by a name', topology({ ...whole, arcs: [['0']] }), /"0" is not the number of an arc/],
    ['half an arc', topology({ ...whole, arcs: [[0.5]] }), /0.5 is not the number of an arc/],
    ['an arc that is not there', topology({ ...whole, arcs: [[1]] }), /has no arc 1/],
  ])('refuses a topology with %s', async (_, content, message) => {
    await expect(readCoverage(file(content), options)).rejects.toThrow(message);
  });

  it('names the file that is not there', async () => {
    await expect(readCoverage(join(folder, 'absent'), options)).rejects.toThrow(/absent: ENOENT/);
  });

  it('takes the reference systems that are WGS 84 by another name', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } };
    expect((await readCoverage(file({ ...collection(town(0)), crs }), options)).boundaries).toHaveLength(1);
  });

  it('moves a plane into degrees, so that neighbors share the vertices of long edges', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2154' } };
    const towns = [0, 1].map((n) => {
      const [west, east] = [300_000 + n * 400_000, 700_000 + n * 400_000];
      const ring = [
        [west, 6_300_000],
        [east, 6_300_000],
        [east, 6_900_000],
        [west, 6_900_000],
        [west, 6_300_000],
      ];
      return feature({ code: `P${n}`, nom: `Town ${n}` }, [ring]);
    });
    const { features } = collection(...towns);
    const given = { type: 'FeatureCollection', crs, features };
    const read = await readCoverage(file(given), options);
    const notice = 'its coordinates are in RGF93 v1 / Lambert-93 (EPSG:2154) and were transformed to WGS 84 within 1 m';
    expect(read.notices).toEqual([notice]);
    expect(read.repaired).toEqual([]);
    expect(read.overlaps).toEqual([]);
    const [first] = ringsOf(read.boundaries[0] as SourceBoundary);
    expect((first as Coords).length).toBeGreaterThan(100);
    const unnamed = file({ type: 'FeatureCollection', features });
    await expect(readCoverage(unnamed, options)).rejects.toThrow(/names no reference system.*--crs EPSG:2154/);
    const named = await readCoverage(unnamed, { ...options, crs: 'EPSG:2154' });
    expect(named.boundaries.map(({ border }) => border)).toEqual(read.boundaries.map(({ border }) => border));
    const strict = readCoverage(unnamed, { ...options, crs: 'EPSG:27700', strict: true });
    await expect(strict).rejects.toThrow(/OSGB36.*--strict/);
  });

  it('refuses a reference system that comes after the features it is about', async () => {
    const crs = { type: 'name', properties: { name: 'EPSG:4301' } };
    await expect(readCoverage(file({ ...collection(town(0)), crs }), options)).rejects.toThrow(
      'Tokyo comes after its features: name it with --crs EPSG:4301',
    );
  });

  it('repairs the coverage as a whole and says which boundaries it repaired', async () => {
    const wide = feature({ code: 'wide', nom: 'Wide' }, [
      [
        [0, 1],
        [2, 1],
        [2, 2],
        [0, 2],
        [0, 1],
      ],
    ]);
    const { boundaries, repaired } = await readCoverage(file(collection(town(0), town(1), wide)), options);
    expect(repaired).toMatchObject([
      { id: 'wide', reason: 'vertices were added to its border where another border meets it' },
    ]);
    // The edge of two degrees is a geodesic without its new vertex, and passes beside it.
    expect(repaired[0]!.km2After / repaired[0]!.km2Before).toBeCloseTo(1, 2);
    expect(pairs(ringsOf(boundaries[2]!)[0]!)).toContain('10000000 10000000');
  });
});

describe('readCoverage, what is odd in a file', () => {
  it('leaves out a code that is none with a notice, and refuses a file in which all are', async () => {
    const odd = (n: number, more: object) => feature({ code: `C${n}`, nom: `Town ${n}`, ...more }, box(n, 0));
    const coded = { ...map, iso: 'i', country: 'c' };
    const rows = [
      odd(0, { i: 'AU-X02~', c: '-99' }),
      odd(1, { i: -99, c: 'AU' }),
      odd(2, { i: 'AU-NSW', c: 'AU' }),
      odd(3, { i: -99 }),
    ];
    const { boundaries, notices } = await readCoverage(file(collection(...rows)), { ...options, map: coded });
    expect(boundaries.map(({ iso, country }) => [iso, country])).toEqual([
      [null, null],
      [null, 'AU'],
      ['AU-NSW', 'AU'],
      [null, null],
    ]);
    expect(notices).toEqual([
      'iso "AU-X02~" is not an ISO 3166 code: left out of C0',
      'country "-99" is not an ISO 3166-1 code: left out of C0',
      'iso "-99" is not an ISO 3166 code: left out of C1, C3',
    ]);
    await expect(readCoverage(file(collection(rows[0], rows[3])), { ...options, map: coded })).rejects.toThrow(
      /C0: "AU-X02~" is not an ISO 3166 code, nor is any other iso: is --map iso right/,
    );
    // Natural Earth's mark for none says nothing of the map: an extract of Kosovo alone has no other.
    const none = await readCoverage(file(collection(rows[3])), { ...options, map: { ...map, iso: 'i' } });
    expect(none.boundaries.map(({ iso }) => iso)).toEqual([null]);
    expect(none.notices).toEqual(['iso "-99" is not an ISO 3166 code: left out of C3']);
  });

  it('refuses bytes that are not UTF-8, and reads them in the encoding that is named', async () => {
    const text = JSON.stringify(collection(feature({ code: 'BR', nom: 'São Paulo' })));
    const path = file(Buffer.from(text, 'latin1'));
    await expect(readCoverage(path, options)).rejects.toThrow(/not UTF-8 \(near ".*São Paulo.*--encoding latin1/);
    const { boundaries } = await readCoverage(path, { ...options, encoding: 'latin1' });
    expect(boundaries[0]!.name).toBe('São Paulo');
    const line = file(Buffer.from(JSON.stringify(feature({ code: 'BR', nom: 'São' })), 'latin1'));
    await expect(readCoverage(line, options)).rejects.toThrow(/not UTF-8/);
    await expect(readCoverage(path, { ...options, encoding: 'utf-16le' })).rejects.toThrow(/iconv -f utf-16le/);
    await expect(readCoverage(path, { ...options, encoding: 'ebcdic' })).rejects.toThrow(
      /"ebcdic" is not a known encoding/,
    );
    const greek = feature({ code: 'GR', nom: '\u00c1\u00e8\u00de\u00ed\u00e1' });
    const read = await readCoverage(file(Buffer.from(JSON.stringify(collection(greek)), 'latin1')), {
      ...options,
      encoding: 'iso-8859-7',
    });
    expect(read.boundaries[0]!.name).toBe('Αθήνα');
  });

  it('says which names have lost letters before', async () => {
    const { notices } = await readCoverage(file(collection(feature({ code: 'BR', nom: 'S\ufffdo' }))), options);
    expect(notices).toEqual([expect.stringMatching(/^1 names have U\+FFFD.*S\ufffdo$/)]);
  });

  it('knows by its country when latitude and longitude are the wrong way round', async () => {
    const at = (n: number, x: number, y: number) => feature({ code: `C${n}`, nom: `Town ${n}` }, box(x, y));
    const right = collection(at(0, 9, 50), at(1, 10, 51), at(2, 11, 48));
    const turned = collection(at(0, 50, 9), at(1, 51, 10), at(2, 48, 11));
    const { notices } = await readCoverage(file(right), { ...options, country: 'DE' });
    expect(notices).toEqual([]);
    await expect(readCoverage(file(turned), { ...options, country: 'DE' })).rejects.toThrow(
      /wrong way round: 3 of 3 features lie in DE only when/,
    );
    const other = await readCoverage(file(right), { ...options, country: 'FR' });
    expect(other.notices).toEqual(['most features are not in FR: C0, C1, C2']);
    await expect(readCoverage(file(collection(at(0, 9, 139))), options)).rejects.toThrow(/wrong way round\?/);
  });

  it('leaves out and lists a few features without an id, and refuses many', async () => {
    const land = { code: null, nom: 'Land without a code' };
    const towns = Array.from({ length: 18 }, (_, i) => town(i));
    const read = await readCoverage(
      file(collection(...towns.slice(0, 9), feature(land, box(30, 0)), ...towns.slice(9))),
      options,
    );
    expect([read.boundaries.length, read.skipped]).toEqual([18, [{ id: 'row 10', reason: 'no id (code)' }]]);
    const many = [...towns, ...[30, 31, 32].map((x) => feature(land, box(x, 0)))];
    await expect(readCoverage(file(collection(...many)), options)).rejects.toThrow(
      /3 of 21 features are without the property "code": 19, 20, 21/,
    );
  });

  it.each<[string, unknown[], boolean]>([
    ['numbers of 4 and 5 digits', [1001, 2001, 48201], true],
    ['text', ['1001', '48201'], false],
    ['numbers of 5 digits', [10001, 48201], false],
    ['numbers from 1 on', [1, 2, 30, 400, 5000], false],
    ['text beside numbers', [1001, 48201, '2A004'], false],
  ])('says that codes may have lost leading zeros: %s', async (_, codes, isSaid) => {
    const rows = codes.map((code, i) => feature({ code, nom: `Town ${i}` }, box(i, 0)));
    const { notices, boundaries } = await readCoverage(file(collection(...rows)), options);
    expect(boundaries).toHaveLength(codes.length);
    const notice =
      'code has numbers of 4 and of 5 digits: if its codes have 5 digits, 2 of them have lost a leading zero;';
    expect(notices).toEqual(isSaid ? [expect.stringContaining(notice)] : []);
  });

  it('reads longitudes from 0 to 360, on both sides of 180 and across it, and says so', async () => {
    const at = (n: number) => feature({ code: `C${n}`, nom: `Town ${n}` }, box(n, 0));
    const greenwich = [[[359.5, 0], [0.5, 0], [0.5, 1], [359.5, 1], [359.5, 0]]]; // biome-ignore format: a ring
    const rows = [at(10), at(179.5), at(181), at(190), at(359), feature({ code: 'G', nom: 'Greenwich' }, greenwich)];
    const { boundaries, notices } = await readCoverage(file(collection(...rows)), options);
    const boxes = boundaries.map((one) => {
      const rings = ringsOf(one).map((ring) => [...ring].filter((_, i) => i % 2 === 0).map((x) => x / 1e7));
      return rings.map((xs) => [Math.min(...xs), Math.max(...xs)]).sort(([p = 0], [q = 0]) => p - q);
    });
    expect(boxes).toEqual([[[10, 11]], [[-180, -179.5], [179.5, 180]], [[-179, -178]], [[-170, -169]], [[-1, 0]], [[-0.5, 0.5]]]); // biome-ignore format: boxes
    expect(notices).toEqual(['5 areas have longitudes from 0 to 360: 360 was subtracted from those beyond 180']);
    const topology = {
      type: 'Topology',
      arcs: [box(190, 0)[0]],
      objects: { o: { type: 'Polygon', arcs: [[0]], id: 'a', properties: { nom: 'A' } } },
    };
    const read = await readCoverage(file(topology), { ...options, map: { name: 'nom' } });
    const xs = ringsOf(read.boundaries[0] as never).flatMap((ring) => [...ring].filter((_, i) => i % 2 === 0));
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-1_700_000_000, -1_690_000_000]);
    expect(read.notices).toEqual(['1 areas have longitudes from 0 to 360: 360 was subtracted from those beyond 180']);
  });

  it('reads a geometry without a feature around it, named after its file', async () => {
    const polygon = { type: 'Polygon', coordinates: box(0, 0) };
    for (const [name, content] of [
      ['island.geojson', polygon],
      ['island.json', { type: 'MultiPolygon', coordinates: [box(0, 0)] }],
      ['island.geojson.gz', gzipSync(JSON.stringify({ type: 'GeometryCollection', geometries: [polygon] }))],
    ] as const) {
      const { boundaries } = await readCoverage(file(content, name), { source: 'test', adminLevel: 8 });
      expect(boundaries.map((one) => [one.sourceId, one.name, ringsOf(one).length])).toEqual([['island', 'island', 1]]);
    }
  });

  it('lists the properties there are when a map names one that is not', async () => {
    await expect(
      readCoverage(file(collection(town(0), town(1))), { ...options, map: { id: 'code', name: 'NOM' } }),
    ).rejects.toThrow(/no feature has the properties that --map name=NOM names; they have code, nom$/);
  });
});

describe('readCoverage, areas that overlap', () => {
  it('keeps them as they are, lists them, and refuses them when asked to be strict', async () => {
    const content = collection(town(0), feature({ code: 'over', nom: 'Over' }, box(0.5, 0)));
    const { boundaries, overlaps } = await readCoverage(file(content), options);
    const size = (boundary: SourceBoundary) => ringsOf(boundary).reduce((sum, own) => sum + doubleArea(own) / 2e14, 0);
    expect(boundaries.map((one) => Math.abs(size(one)))).toEqual([1, 1]);
    expect(overlaps).toMatchObject([{ a: 'C0', b: 'over' }]);
    expect(overlaps[0]!.km2).toBeGreaterThan(6_000);
    await expect(readCoverage(file(content), { ...options, strict: true })).rejects.toThrow(
      /1 pairs of one level overlap by more than 10 m on average or 0.1 % of an area: C0 and over by \d+/,
    );
    await readCoverage(file(collection(town(0), town(1))), { ...options, strict: true });
  });

  it('reads a GeometryCollection of polygons as one area', async () => {
    const polygon = (x: number) => ({ type: 'Polygon', coordinates: box(x, 0) });
    const geometry = { type: 'GeometryCollection', geometries: [polygon(0), polygon(1)] };
    const { boundaries } = await readCoverage(file(collection({ ...town(0), geometry })), options);
    expect(ringsOf(boundaries[0]!)).toHaveLength(1);
    const point = { type: 'GeometryCollection', geometries: [polygon(0), { type: 'Point', coordinates: [0, 0] }] };
    const mixed = await readCoverage(file(collection(town(1), { ...town(0), geometry: point })), options);
    expect(ringsOf(mixed.boundaries.at(-1)!)).toEqual(
      ringsOf((await readCoverage(file(collection(town(0))), options)).boundaries[0]!),
    );
    expect(mixed.notices).toEqual(['1 points and lines are left out']);
    const points = { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [0, 0] }] };
    const { skipped } = await readCoverage(file(collection(town(1), { ...town(0), geometry: points })), options);
    expect(skipped).toEqual([{ id: 'C0', reason: 'it has only points and lines' }]);
  });

  it('reads areas beside points in a TopoJSON and in a WKT collection', async () => {
    const area = { type: 'Polygon', arcs: [[0]] };
    const arcs = [box(0, 0)[0]];
    const objects = {
      towns: {
        type: 'GeometryCollection',
        geometries: [
          {
            ...{ type: 'GeometryCollection', properties: { code: 'a', nom: 'A' } },
            geometries: [area, { type: 'Point', coordinates: [0, 0] }],
          },
        ],
      },
    };
    const notice = '1 points and lines are left out';
    const topology = await readCoverage(file({ type: 'Topology', arcs, objects }), options);
    const wkt = 'GEOMETRYCOLLECTION(POLYGON((0 0,1 0,1 1,0 1,0 0)),POINT(0 0))';
    const csv = await readCoverage(file(`code,nom,wkt\na,A,"${wkt}"\n`, 'towns.csv'), options);
    for (const { boundaries, notices } of [csv, topology]) {
      expect(boundaries).toHaveLength(1);
      expect(notices).toContain(notice);
    }
  });
});

describe('readCoverage, several levels', () => {
  it('reads them from one file without cutting the parts out of the whole', async () => {
    const level = (code: string, l: number, coordinates: unknown) => feature({ code, nom: code, l }, coordinates);
    const whole = level('whole', 6, [
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [0, 1],
        [0, 0],
      ],
    ]);
    const path = file(collection(whole, level('west', 8, box(0, 0)), level('east', 8, box(1, 0))));
    const { boundaries } = await readCoverage(path, { source: 'test', map: { ...map, admin_level: 'l' } });
    const size = (boundary: SourceBoundary) =>
      ringsOf(boundary).reduce((sum, own) => sum + Math.abs(doubleArea(own)) / 2e14, 0);
    expect(boundaries.map((one) => [one.sourceId, one.adminLevel, size(one)])).toEqual([
      ['whole', 6, 2],
      ['west', 8, 1],
      ['east', 8, 1],
    ]);
    expect(pairs(ringsOf(boundaries[0]!)[0]!)).toContain('10000000 0');
  });
});

describe('cutWaysAtSeam', () => {
  const at = (corners: readonly (readonly [number, number])[]): Coords =>
    Int32Array.from(corners.flatMap(([x, y]) => [Math.round(x * 1e7), Math.round(y * 1e7)]));
  /** The area in km2 and the hash of what chains enclose, or why they do not. */
  const built = (chains: readonly Coords[]) => {
    const all = Uint32Array.from(chains.keys());
    const task = { ...NOTHING_STORED, chains: [...chains], storedFrom: chains.length };
    const [one] = buildArrangement({ ...task, boundaries: [{ chains: all, adminLevel: 8 }] }).boundaries;
    return one && 'areaKm2' in one ? { km2: one.areaKm2, hash: Buffer.from(one.geometryHash).toString('hex') } : one;
  };

  it('leaves ways that do not cross', () => {
    const ways = [
      at([
        [170, 0],
        [180, 0],
        [180, 1],
      ]),
      at([
        [180, 1],
        [170, 0],
      ]),
    ];
    expect(cutWaysAtSeam(ways)).toBe(ways);
    const parallel = [
      at([
        [-180, -60],
        [180, -60],
        [180, -50],
        [-180, -50],
        [-180, -60],
      ]),
    ];
    const [divided] = cutWaysAtSeam(parallel);
    expect(divided).toHaveLength(2 * (2 * 360 + 3));
    expect(built([divided!])).toEqual(built(cutAtSeam(parallel[0]!)));
  });

  it('gives what cutAtSeam gives of the ring that random ways form', () => {
    let state = 11;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    let crossed = 0;
    for (let round = 0; round < 200; round++) {
      // A star around a place near the antimeridian, or around a pole.
      const isPolar = round % 5 === 0;
      const pole = random() < 0.5 ? -1 : 1;
      const length = 5 + Math.floor(random() * 20);
      const corners = Array.from({ length }, (_, i) => {
        const angle = (2 * Math.PI * i) / length;
        if (isPolar) return [((360 * i) / length + 1) % 360, pole * (60 + 25 * random())] as const;
        const far = 1 + 6 * random();
        return [178 + (4 * (round % 7)) / 7 + far * Math.cos(angle), 40 * pole + far * Math.sin(angle)] as const;
      }).map(([x, y]) => [x > 180 ? x - 360 : x, y] as const);
      const closed = [...corners, corners[0]!];
      const whole = at(closed);
      const ways: Coords[] = [];
      for (let from = 0; from < corners.length; ) {
        const to = Math.min(corners.length, from + 1 + Math.floor(random() * 4));
        const part = closed.slice(from, to + 1);
        ways.push(at(random() < 0.5 ? part : part.toReversed()));
        from = to;
      }
      ways.sort(() => random() - 0.5);
      const expected = built(cutAtSeam(whole));
      expect(built(cutWaysAtSeam(ways)), JSON.stringify(corners)).toEqual(expected);
      expect(expected).toMatchObject({ km2: expect.any(Number) });
      if (cutWaysAtSeam(ways) !== ways) crossed++;
    }
    expect(crossed).toBeGreaterThan(100);
  });
});

describe('cutAtSeam', () => {
  const degrees = (...corners: [number, number][]): Coords =>
    ring(...corners.map(([x, y]) => [x * 1e7, y * 1e7] as const));
  const size = (rings: readonly Coords[]) => rings.reduce((sum, own) => sum + Math.abs(doubleArea(own)) / 2 / 1e14, 0);
  const widest = (rings: readonly Coords[]) =>
    Math.max(
      ...rings.flatMap((own) => Array.from(own, (x, i) => (i % 2 === 0 && i > 1 ? Math.abs(x - own[i - 2]!) : 0))),
    );

  it('leaves a ring that does not cross', () => {
    const plain = degrees([170, 0], [180, 0], [180, 10], [170, 10]);
    expect(cutAtSeam(plain)).toEqual([plain]);
  });

  it('makes two rings of one that crosses, wherever it starts and whichever way it goes', () => {
    const corners: [number, number][] = [
      [170, 0],
      [-170, 0],
      [-170, 10],
      [170, 10],
    ];
    for (let start = 0; start < 4; start++) {
      const turned = [...corners.slice(start), ...corners.slice(0, start)];
      for (const way of [turned, turned.toReversed()]) {
        const rings = cutAtSeam(degrees(...way));
        expect(rings).toHaveLength(2);
        expect(size(rings)).toBe(200);
      }
    }
  });

  it('cuts a ring that crosses four times in the right pairs', () => {
    // A horseshoe open to the west: its two arms reach over.
    const rings = cutAtSeam(
      degrees([170, 0], [-170, 0], [-170, 2], [175, 2], [175, 8], [-170, 8], [-170, 10], [170, 10]),
    );
    expect(rings).toHaveLength(3);
    expect(size(rings)).toBe(20 * 2 + 5 * 6 + 20 * 2);
  });

  it('cuts at the latitude both neighbors agree on', () => {
    const edge: [number, number][] = [
      [179.3, 1.234567],
      [-179.1, 2.345678],
    ];
    const above = cutAtSeam(degrees(...edge, [-179.1, 5], [179.3, 5]));
    const below = cutAtSeam(degrees(...edge.toReversed(), [179.3, -5], [-179.1, -5]));
    const seam = (rings: readonly Coords[]) =>
      new Set(rings.flatMap(pairs).filter((pair) => pair.startsWith('1800000000')));
    expect([...seam(above)].filter((pair) => seam(below).has(pair))).toHaveLength(1);
  });

  it('closes a ring around a pole along it', () => {
    const rings = cutAtSeam(degrees([-120, -70], [0, -70], [120, -70]));
    expect(size(rings)).toBe(360 * 20);
    expect(widest(rings)).toBeLessThanOrEqual(1.8e9);
    expect(size(cutAtSeam(degrees([120, 80], [0, 80], [-120, 80])))).toBe(360 * 10);
  });

  it('does not cut what is cut, and divides the long edges along poles and parallels', () => {
    const south = cutAtSeam(degrees([180, -60], [-180, -60], [-180, -90], [180, -90]));
    expect(size(south)).toBe(360 * 30);
    expect(widest(south)).toBeLessThanOrEqual(1.8e9);
    const coast = cutAtSeam(degrees([-180, -80], [0, -70], [180, -80], [180, -90], [-180, -90]));
    expect(size(coast)).toBe(360 * 15);
    expect(widest(coast)).toBeLessThanOrEqual(1.8e9);
  });
});

describe.skipIf(REAL_DATA_DIR === undefined)(
  'readCoverage, a file stitched across the antimeridian (REAL_DATA_DIR)',
  () => {
    it('reads the countries of world-atlas with Russia, Fiji and Antarctica cut', async () => {
      const path = join(REAL_DATA_DIR!, 'coverage/world-countries-10m.topo.json');
      const { boundaries, skipped } = await readCoverage(path, {
        source: 'world',
        adminLevel: 2,
        object: 'countries',
        map: { id: 'name' },
      });
      expect(boundaries.length + skipped.length).toBe(255);
      expect(skipped.map((one) => one.id)).toEqual(['Vatican']);
      let widest = 0;
      for (const own of boundaries.flatMap(ringsOf)) {
        for (let i = 2; i < own.length; i += 2) widest = Math.max(widest, Math.abs(own[i]! - own[i - 2]!));
      }
      expect(widest).toBeLessThanOrEqual(1.8e9);
    });
  },
);

function pairs(coords: Coords): string[] {
  return Array.from({ length: coords.length / 2 }, (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`);
}
