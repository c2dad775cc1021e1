import { describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { readOverpass } from '../../src/sources/osm/overpass_file.ts';
import type { OsmExtract, OsmMember, OsmNode, OsmRelation, OsmWay } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';

type Tags = Record<string, string>;

const extract = (relations: OsmRelation[], ways: OsmWay[] = [], nodes: OsmNode[] = []): OsmExtract => ({
  relations,
  ways: new Map(ways.map((way) => [way.id, way])),
  nodes: new Map(nodes.map((node) => [node.id, node])),
  timestamp: null,
  read: { nodes: 0, ways: 0, relations: 0, bytes: 0 },
});
const relation = (tags: Tags, members: OsmMember[] = [], id = 5): OsmRelation => ({ id, version: 3, tags, members });
const admin = { boundary: 'administrative', type: 'boundary' };
const postal = { boundary: 'postal_code', type: 'boundary' };

/** The one boundary that comes of a relation with these tags. */
function one(tags: Tags, members: OsmMember[] = [], nodes: OsmNode[] = []) {
  const { boundaries, skipped } = toSourceBoundaries(extract([relation(tags, members)], [], nodes));
  expect(skipped).toEqual([]);
  expect(boundaries).toHaveLength(1);
  return boundaries[0];
}

test('a whole boundary', () => {
  const tags = {
    ...admin,
    name: 'Lëtzebuerg',
    'name:fr': 'Luxembourg',
    'name:zh-Hant': '盧森堡',
    'name:prefix': 'Groussherzogtum',
    alt_name: 'Luxemburg; Lucilinburhuc',
    'official_name:fr': 'Grand-Duché de Luxembourg',
    admin_level: '2',
    'ISO3166-1': 'LU',
    'ISO3166-1:alpha3': 'LUX',
    wikidata: 'Q32',
    population: '590667',
  };
  expect(one(tags)).toEqual({
    id: 'r5',
    sourceId: 'r5',
    version: '3',
    type: 'administrative',
    name: 'Lëtzebuerg',
    names: { fr: 'Luxembourg', 'zh-Hant': '盧森堡' },
    otherNames: [
      { type: 'alt_name', text: 'Luxemburg' },
      { type: 'alt_name', text: 'Lucilinburhuc' },
      { type: 'official_name:fr', text: 'Grand-Duché de Luxembourg' },
    ],
    codes: ['LU', 'LUX'],
    adminLevel: 2,
    kind: null,
    countryCode: 'LU',
    country: null,
    iso: 'LU',
    wikidata: 'Q32',
    population: 590_667,
    tags,
    place: null,
    subareas: [],
    places: { label: null, seat: null },
    border: { ways: [] },
  });
});

test.each<[Tags, string]>([
  [{ name: ' A;B ', 'name:en': 'E' }, 'A;B'],
  [{ 'name:en': 'E', official_name: 'O' }, 'E'],
  [{ official_name: 'O', ref: '7' }, 'O'],
  [{ alt_name: 'A;B' }, 'A'],
  [{ ref: '7' }, '7'],
  [{ name: '  ' }, 'r5'],
])('the name of %j is %s', (tags, name) => {
  expect(defined(one({ ...admin, ...tags })).name).toBe(name);
});

test.each<[Tags, string]>([
  [{ postal_code: '10115', name: '10115 Berlin' }, '10115'],
  [{ postcode: '2', ref: '3' }, '2'],
  [{ 'addr:postcode': '3', name: 'x' }, '3'],
  [{ ref: '4', name: 'x' }, '4'],
  [{ name: 'Mitte' }, 'Mitte'],
])('the name of the postcode area %j is %s', (tags, name) => {
  expect(defined(one({ ...postal, ...tags })).name).toBe(name);
});

test('a postcode area is found by its mapped name and every code', () => {
  const area = defined(one({ ...postal, postal_code: '10115;10117', name: 'Berlin Mitte' }));
  expect(area).toMatchObject({ type: 'postal_code', codes: ['10115', '10117'] });
  expect(area.otherNames).toEqual([{ type: 'name', text: 'Berlin Mitte' }]);
});

test('what is left out says why', () => {
  const { boundaries, skipped } = toSourceBoundaries(extract([relation(postal), relation(admin, [], -4)]));
  expect(boundaries).toEqual([]);
  expect(skipped).toEqual([
    { id: 'r5', reason: 'no postcode and no name' },
    { id: 'r-4', reason: 'not in OpenStreetMap yet: id below 1' },
  ]);
});

test.each<[string | undefined, number | null]>([
  ['2', 2],
  ['12', 12],
  [' 8 ', 8],
  ['0', null],
  ['13', null],
  ['6;8', null],
  ['4.5', null],
  ['-2', null],
  ['1e1', null],
  [undefined, null],
])('admin_level %s is %s', (text, level) => {
  expect(defined(one({ ...admin, ...(text === undefined ? {} : { admin_level: text }) })).adminLevel).toBe(level);
});

test.each<[string, number | null]>([
  ['0', 0],
  ['590667', 590_667],
  ['1 234 567', 1_234_567],
  ['1,234', 1234],
  ['12.345', 12_345],
  ["1'234", 1234],
  ['1\u202f234\u202f567\u202f890', 1_234_567_890],
  ['9999999999', 9_999_999_999],
  ['12345678901', null],
  ['1,234.567', null],
  ['12.34', null],
  ['1 23', null],
  ['about 500', null],
  ['~500', null],
  ['500-600', null],
  ['-5', null],
  ['1e6', null],
])('population %s is %s', (text, population) => {
  expect(defined(one({ ...admin, population: text })).population).toBe(population);
});

test('names by language: only keys that are languages', () => {
  const keys = ['de', 'gsw', 'zh-Hant-TW', 'be-tarask', 'roa-tara', 'alt'];
  const others = ['prefix', 'pronunciation', 'etymology:wikidata', 'left', 'old', 'UN', '1918', 'de:pronunciation', ''];
  const tags = Object.fromEntries([...keys, ...others].map((key) => [`name:${key}`, `in ${key}`]));
  const boundary = defined(one({ ...admin, ...tags, 'name:ja_rm': 'Tōkyō' }));
  expect(boundary.names).toEqual(Object.fromEntries(keys.map((key) => [key, `in ${key}`])));
  expect(boundary.otherNames).toEqual([{ type: 'name:ja_rm', text: 'Tōkyō' }]);
});

test('codes, as written, each once', () => {
  const tags = {
    ref: '075',
    'ref:INSEE': '75056; 075',
    'ISO3166-2': 'FR-75;FR-75C',
    'de:amtlicher_gemeindeschluessel': '06 412',
    'ine:municipio': '28079',
    postal_code: '75001;;75002',
    'source:ref': 'no',
    reference: 'no',
  };
  const boundary = defined(one({ ...admin, ...tags }));
  const codes = ['06 412', '075', '28079', '75001', '75002', '75056', 'FR-75', 'FR-75C'];
  expect([...boundary.codes].sort()).toEqual(codes);
  expect(boundary).toMatchObject({ countryCode: null, iso: 'FR-75' });
});

test.each<[Tags, string | null, string | null]>([
  [{ 'ISO3166-1:alpha2': 'PR', 'ISO3166-1': 'XX', 'ISO3166-2': 'US-PR' }, 'PR', 'PR'],
  [{ 'ISO3166-1': 'LUX' }, null, null],
  // Withdrawn: Metropolitan France, and the Soviet Union.
  [{ 'ISO3166-1': 'FX' }, null, null],
  [{ 'ISO3166-1:alpha2': 'SU', 'ISO3166-2': 'FR-20R' }, null, 'FR-20R'],
  [{ 'ISO3166-1': 'XK' }, 'XK', 'XK'],
  [{ 'ISO3166-1': 'lu' }, null, null],
  [{ 'ISO3166-2': 'GB-ENG' }, null, 'GB-ENG'],
  [{ 'ISO3166-2': 'England' }, null, null],
])('%j carries country %s and iso %s', (tags, countryCode, iso) => {
  expect(one({ ...admin, ...tags })).toMatchObject({ countryCode, iso });
});

test.each<[string, string | null]>([
  ['Q64', 'Q64'],
  ['q64', null],
  ['Q64;Q65', null],
  ['64', null],
])('wikidata %s is %s', (wikidata, expected) => {
  expect(defined(one({ ...admin, wikidata })).wikidata).toBe(expected);
});

describe('label and admin_centre nodes', () => {
  const member = (ref: number, role: string): OsmMember => ({ type: 'n', ref, role });
  const node = (id: number, tags: Tags): OsmNode => ({ id, version: 1, tags, x: 0, y: 0 });
  const label = node(1, { place: 'state', population: '10', 'name:fr': 'label', 'name:de': 'label' });
  const town = node(2, { place: 'town', name: 'Ort', population: '20', 'name:de': 'center', 'name:it': 'center' });

  test('fill what the boundary lacks, the label first', () => {
    const members = [member(2, 'admin_centre'), member(1, 'label')];
    const boundary = one({ ...admin, name: 'Ort', 'name:fr': 'own' }, members, [label, town]);
    expect(boundary).toMatchObject({ names: { fr: 'own', de: 'label', it: 'center' }, population: 10, place: 'state' });
    expect(defined(one({ ...admin, name: 'Ort', population: '5' }, members, [label, town])).population).toBe(5);
  });

  test.each<[string, Tags, Tags, boolean]>([
    ['another name', { name: 'Land' }, {}, false],
    ['the same name', { name: 'Ort' }, {}, true],
    ['the same item', { name: 'Land', wikidata: 'Q1' }, { wikidata: 'Q1' }, true],
    ['the same name, another item', { name: 'Ort', wikidata: 'Q1' }, { wikidata: 'Q2' }, false],
    ['the same name, only one with an item', { name: 'Ort', wikidata: 'Q1' }, {}, true],
  ])('an admin_centre of %s', (_, tags, center, same) => {
    const nodes = [{ ...town, tags: { ...town.tags, ...center } }];
    for (const role of ['admin_centre', 'admin_center']) {
      const boundary = defined(one({ ...admin, ...tags }, [member(2, role)], nodes));
      expect(boundary.population).toBe(same ? 20 : null);
      expect(boundary.names).toEqual(same ? { de: 'center', it: 'center' } : {});
      expect(boundary.place).toBe('town');
    }
  });

  test('that the file lacks change nothing', () => {
    expect(defined(one({ ...admin, name: 'Ort' }, [member(9, 'label'), member(2, 'label')], [town])).place).toBe(
      'town',
    );
    expect(defined(one({ ...admin, name: 'Ort' }, [member(9, 'label')])).place).toBeNull();
  });
});

describe('members', () => {
  const way = (ref: number, role: string): OsmMember => ({ type: 'w', ref, role });

  test('border ways keep order and repeats; only roles that are never rings are left out', () => {
    const roles = ['outer', '', 'inner', 'exclave', 'enclave', 'outer;inner', 'Outer', 'disputed'];
    const never = ['subarea', 'land_area', 'water_area', 'collection', 'admin_centre', 'label', 'disputed_exclave'];
    const members = [...roles, ...never].map((role, k) => way(100 - k, role));
    members.push(way(100, 'outer'), { type: 'n', ref: 1, role: 'outer' }, { type: 'r', ref: 2, role: 'outer' });
    expect(defined(one(admin, members)).border).toEqual({ ways: [100, 99, 98, 97, 96, 95, 94, 93, 100] });
  });

  test('subareas, each once', () => {
    const subarea = (type: OsmMember['type'], ref: number): OsmMember => ({ type, ref, role: 'subarea' });
    const members = [subarea('r', 7), subarea('w', 8), subarea('n', 9), subarea('r', 7), way(1, 'outer')];
    expect(defined(one(admin, members)).subareas).toEqual(['r7', 'w8']);
  });
});

describe('closed ways', () => {
  const way = (
    id: number,
    tags: Tags,
    refs: number[] | null = [1, 2, 3, 1],
    coords: number[] | null = null,
  ): OsmWay => ({
    id,
    version: 2,
    tags,
    refs: refs && Float64Array.from(refs),
    coords: coords && Int32Array.from(coords),
    missing: null,
  });
  const named = { boundary: 'administrative', name: 'Islet', admin_level: '8' };

  test('are boundaries by name or postcode, unless a ring member of a boundary', () => {
    const member: OsmMember[] = [
      { type: 'w', ref: 1, role: 'outer' },
      { type: 'w', ref: 2, role: 'subarea' },
    ];
    const code = { boundary: 'postal_code', postal_code: '99' };
    const ways = [way(1, named), way(2, named), way(3, code), way(4, { highway: 'track' })];
    const { boundaries, skipped } = toSourceBoundaries(extract([relation(admin, member)], ways));
    expect(boundaries.map(({ id }) => id)).toEqual(['r5', 'w2', 'w3']);
    expect(boundaries[1]).toMatchObject({ version: '2', name: 'Islet', adminLevel: 8, border: { ways: [2] } });
    expect(boundaries[2]).toMatchObject({ type: 'postal_code', name: '99', codes: ['99'] });
    expect(skipped).toEqual([]);
  });

  test('of a relation that is left out count again', () => {
    const members: OsmMember[] = [{ type: 'w', ref: 1, role: 'outer' }];
    const { boundaries } = toSourceBoundaries(extract([relation(postal, members)], [way(1, named)]));
    expect(boundaries.map(({ id }) => id)).toEqual(['w1']);
  });

  test('that are none say why', () => {
    const ways = [
      way(1, { boundary: 'administrative', ref: '7' }),
      way(2, { boundary: 'postal_code' }),
      way(3, named, [1, 2, 3]),
      way(4, named, [1, 2, 1]),
      way(5, named, null),
      way(6, named, null, [0, 0, 1, 1, 2, 0]),
      way(7, named, null, [0, 0, 1, 1, 2, 0, 0, 0]),
      way(-8, named),
    ];
    const { boundaries, skipped } = toSourceBoundaries(extract([], ways));
    expect(boundaries.map(({ id }) => id)).toEqual(['w7']);
    expect(skipped).toEqual([
      { id: 'w1', reason: 'no postcode and no name' },
      { id: 'w2', reason: 'no postcode and no name' },
      { id: 'w3', reason: 'not closed' },
      { id: 'w4', reason: 'not closed' },
      { id: 'w5', reason: 'the source gives neither nodes nor geometry' },
      { id: 'w6', reason: 'not closed' },
      { id: 'w-8', reason: 'not in OpenStreetMap yet: id below 1' },
    ]);
  });
});

test('hostile tags are made fit to store', () => {
  const tags = {
    ...admin,
    name: 'a\0b\ud800c',
    'name:de': 'x'.repeat(100_000),
    'name:fr': '😀'.repeat(300),
    constructor: 'c',
    __proto__: 'p',
    hasOwnProperty: 'h',
  };
  const boundary = defined(one(tags));
  expect(boundary.name).toBe('a\uFFFDb\uFFFDc');
  expect(boundary.names.de).toHaveLength(255);
  expect([...defined(boundary.names.fr)]).toHaveLength(255);
  expect(boundary.tags.name).toBe(boundary.name);
  expect(Object.keys(boundary.names)).toEqual(['de', 'fr']);
});

test('texts of a relation that is stored as it is are made fit to store', () => {
  const relation = { type: 'relation', id: 1, members: [{ type: 'way', ref: 2, role: 'outer\0' }] };
  const tags = { ...admin, 'no\0te': 'half \ud800' };
  const [read] = readOverpass({ elements: [{ ...relation, tags }] }, 0).relations;
  expect(read?.tags).toEqual({ ...admin, 'no\uFFFDte': 'half \uFFFD' });
  expect(read?.members[0]?.role).toBe('outer\uFFFD');
});
