import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type OsmExtract, type OsmNode, type OsmRelation, readOsmFile } from '../../src/sources/osm/read.ts';
import { blob, block, framed, header, pbf, type Way } from './osm_pbf_writer.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
async function read(content: string | Uint8Array, name = 'map'): Promise<OsmExtract> {
  const path = join(folder, `${files++}-${name}`);
  await writeFile(path, content);
  return readOsmFile(path);
}

// A made land: relation 5 of ways 10 and 11, of which 11 is listed twice; way 12 is not in the file; way 13 is a
// subarea by mistake; way 20 a closed boundary of its own; way 11 has a node that is missing; the rest is noise.
const BIG = 2 ** 45;
const admin = { boundary: 'administrative', type: 'boundary', admin_level: '8', name: 'Müßig & <Söhne> "' };
const dense: OsmNode[] = [
  { id: 1, version: 1, tags: {}, x: 95_000_001, y: 471_000_000 },
  { id: 2, version: 2, tags: {}, x: -5, y: -7 },
  { id: 3, version: 1, tags: { name: 'Müßig', place: 'town' }, x: 95_200_000, y: 471_500_000 },
  { id: 4, version: 1, tags: { shop: 'bakery' }, x: 1, y: 1 },
  { id: BIG, version: 1, tags: {}, x: 1_799_999_999, y: -900_000_000 },
];
const ways: Way[] = [
  { id: 10, version: 3, tags: { admin_level: '8' }, refs: [1, 2, BIG] },
  { id: 11, version: 1, tags: {}, refs: [BIG, 77, 78, 1] },
  { id: 13, version: 1, tags: {}, refs: [1, 2] },
  { id: 14, version: 1, tags: { highway: 'track' }, refs: [1, 4] },
  { id: 20, version: 6, tags: { boundary: 'postal_code', postal_code: '12' }, refs: [1, 2, BIG, 1] },
  { id: 21, version: 1, tags: { boundary: 'postal_code', postal_code: '13' }, refs: [1, 2, BIG] },
];
const relations: OsmRelation[] = [
  {
    id: 5,
    version: 9,
    tags: admin,
    members: [
      { type: 'w', ref: 10, role: 'outer' },
      { type: 'w', ref: 11, role: '' },
      { type: 'w', ref: 11, role: 'outter' },
      { type: 'w', ref: 12, role: 'inner' },
      { type: 'w', ref: 13, role: 'subarea' },
      { type: 'n', ref: 3, role: 'admin_centre' },
      { type: 'n', ref: 4, role: 'entrance' },
      { type: 'r', ref: 2 ** 40, role: 'subarea' },
    ],
  },
  { id: 6, version: 1, tags: { type: 'route' }, members: [{ type: 'w', ref: 14, role: '' }] },
];
const expected = (bytes: number): OsmExtract => ({
  relations: [defined(relations[0])],
  ways: new Map([
    [
      10,
      {
        ...defined(ways[0]),
        refs: Float64Array.of(1, 2, BIG),
        coords: Int32Array.of(95_000_001, 471_000_000, -5, -7, 1_799_999_999, -900_000_000),
        missing: null,
      },
    ],
    [11, { ...defined(ways[1]), refs: Float64Array.of(BIG, 77, 78, 1), coords: null, missing: 77 }],
    [
      20,
      {
        ...defined(ways[4]),
        refs: Float64Array.of(1, 2, BIG, 1),
        coords: Int32Array.of(95_000_001, 471_000_000, -5, -7, 1_799_999_999, -900_000_000, 95_000_001, 471_000_000),
        missing: null,
      },
    ],
  ]),
  nodes: new Map([[3, defined(dense[2])]]),
  timestamp: '2023-11-14T22:13:20Z',
  read: { nodes: 5, ways: 6, relations: 2, bytes },
});

const escaped = (text: string) => text.replace(/[&<"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&#x22;'));
const long = { n: 'node', w: 'way', r: 'relation' } as const;

function xml(head = '<osm version="0.6" timestamp="2023-11-14T22:13:20Z">'): string {
  const tags = (of: Record<string, string>) =>
    Object.entries(of)
      .map(([k, v]) => `<tag k="${escaped(k)}" v="${escaped(v)}"/>`)
      .join('');
  const parts = [
    ...dense.map(
      ({ id, version, x, y, ...node }) =>
        `<node id="${id}" version="${version}" lat="${y / 1e7}" lon="${x / 1e7}">${tags(node.tags)}</node>`,
    ),
    ...ways.map(
      ({ id, version, refs, ...way }) =>
        `<way id="${id}" version="${version}">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}${tags(way.tags)}</way>`,
    ),
    ...relations.map(({ id, version, members, ...relation }) => {
      const list = members.map((m) => `<member type="${long[m.type]}" ref="${m.ref}" role="${m.role}"/>`).join('');
      return `<relation id="${id}" version="${version}">${list}${tags(relation.tags)}</relation>`;
    }),
  ];
  return `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- made -->${head}<bounds/>${parts.join('\n')}</osm>\n`;
}

function elements(): Record<string, unknown>[] {
  return [
    ...relations.map(({ members, ...relation }) => ({
      type: 'relation',
      ...relation,
      members: members.map((member) => ({ ...member, type: long[member.type] })),
    })),
    ...ways.map(({ refs, ...way }) => ({ type: 'way', ...way, nodes: refs })),
    ...dense.map(({ x, y, ...node }) => ({ type: 'node', ...node, lat: y / 1e7, lon: x / 1e7 })),
  ];
}
const json = (list = elements(), more = {}) =>
  JSON.stringify({ version: 0.6, osm3s: { timestamp_osm_base: '2023-11-14T22:13:20Z' }, elements: list, ...more });

const SORTED = ['Sort.Type_then_ID'];
const nodes = dense;

describe('one map in every format', () => {
  test.each([
    ['pbf in one blob', pbf([{ dense, ways, relations }])],
    ['pbf, sorted, in one blob', pbf([{ dense, ways, relations }], SORTED)],
    [
      'pbf, sorted, several blobs',
      pbf([{ dense }, { ways: ways.slice(0, 2) }, { ways: ways.slice(2) }, { relations }], SORTED),
    ],
    [
      'pbf, sorted, kinds share blobs',
      pbf([{ dense }, { ways: ways.slice(0, 2) }, { ways: ways.slice(2), relations }], SORTED),
    ],
    ['pbf, sorted, with empty blobs', pbf([{}, { dense }, {}, {}, { ways }, {}, { relations }, {}], SORTED)],
    ['pbf, relations first', pbf([{ relations }, { ways }, { nodes }])],
    ['pbf that claims an order it has not', pbf([{ relations }, { ways }, { dense }], SORTED)],
    [
      'pbf with a late way',
      pbf([{ dense }, { ways: ways.slice(1) }, { relations }, { ways: ways.slice(0, 1) }], SORTED),
    ],
    [
      'pbf with a late node',
      pbf([{ dense: dense.slice(1) }, { ways, relations }, { nodes: nodes.slice(0, 1) }], SORTED),
    ],
    [
      'pbf with an unknown blob',
      Buffer.concat([
        pbf([{ dense }]),
        framed('Teapot', blob(Buffer.from('x'))),
        pbf([{ ways, relations }]).subarray(header().length),
      ]),
    ],
    ['gzipped pbf', gzipSync(pbf([{ dense, ways, relations }]))],
    ['xml', Buffer.from(xml())],
    ['gzipped xml in two members', Buffer.concat([gzipSync(xml().slice(0, 1000)), gzipSync(xml().slice(1000))])],
    ['overpass xml', Buffer.from(xml('<osm version="0.6"><meta osm_base="2023-11-14T22:13:20Z"/>'))],
    ['old overpass xml', Buffer.from(xml('<osm version="0.6"><meta osm_base="2023-11-14T22\\:13\\:20Z"/>'))],
    ['json', Buffer.from(json())],
    ['gzipped json', gzipSync(json())],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual(expected(content.length));
  });

  test('leaves no temporary file behind', async () => {
    const own = await mkdtemp(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    try {
      await read(gzipSync(pbf([{ dense, ways, relations }])));
      await expect(read(gzipSync(pbf([{ dense, ways, relations }]).subarray(0, -5)))).rejects.toThrow('truncated');
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await readdir(own)).toEqual([]);
  });

  test('progress never runs backwards within a phase and ends at the total', async () => {
    const path = join(folder, 'progress.osm.pbf');
    await writeFile(path, pbf([{ dense }, { ways }, { relations }], SORTED));
    const last = new Map<string, number>();
    let size = 0;
    await readOsmFile(path, (done, total, phase) => {
      expect(done).toBeGreaterThanOrEqual(last.get(phase) ?? 0);
      last.set(phase, done);
      size = total;
    });
    expect([...last]).toEqual([
      ['relations', size],
      ['ways', size],
      ['nodes', size],
    ]);
  });
});

describe('Overpass answers', () => {
  const point = (k: number) => ({ lat: defined(dense[k]).y / 1e7, lon: defined(dense[k]).x / 1e7 });
  const relation = (members: unknown[], more = {}) => ({ type: 'relation', id: 5, tags: admin, members, ...more });
  const outer = (ref: number, more = {}) => ({ type: 'way', ref, role: 'outer', ...more });

  test('out geom: geometry in members, no node ids or versions made up', async () => {
    const extract = await read(
      json([
        relation([
          outer(10, { geometry: [point(0), point(1)] }),
          outer(11, { geometry: [] }),
          outer(12, { geometry: [point(0), null] }),
          { type: 'way', ref: 13, role: 'subarea', geometry: [point(0), point(1)] },
          { type: 'node', ref: 3, role: 'label', ...point(2) },
        ]),
      ]),
    );
    const bare = { version: 0, tags: {}, refs: null, missing: null };
    expect(defined(extract.relations[0]).version).toBe(0);
    expect([...extract.ways.values()]).toEqual([
      { ...bare, id: 10, coords: Int32Array.of(95_000_001, 471_000_000, -5, -7) },
      { ...bare, id: 12, coords: null },
    ]);
    expect([...extract.nodes.values()]).toEqual([{ ...dense[2], version: 0, tags: {} }]);
  });

  test('out geom in XML: the same', async () => {
    const nd = (k: number) => `<nd lat="${point(k).lat}" lon="${point(k).lon}"/>`;
    const extract = await read(
      `<osm version="0.6"><relation id="5"><bounds minlat="1"/>
      <member type="way" ref="10" role="outer">${nd(0)}${nd(1)}</member><member type="way" ref="11" role="outer"/>
      <member type="way" ref="12" role="outer">${nd(0)}<nd/></member>
      <member type="node" ref="3" role="label" lat="${point(2).lat}" lon="${point(2).lon}"/>
      <tag k="boundary" v="administrative"/><tag k="type" v="boundary"/></relation></osm>`,
    );
    const bare = { version: 0, tags: {}, refs: null, missing: null };
    expect([...extract.ways.values()]).toEqual([
      { ...bare, id: 10, coords: Int32Array.of(95_000_001, 471_000_000, -5, -7) },
      { ...bare, id: 12, coords: null },
    ]);
    expect([...extract.nodes.values()]).toEqual([{ ...dense[2], version: 0, tags: {} }]);
  });

  test('out skel geom ways: node ids and geometry; a point that was cut off is missing', async () => {
    const extract = await read(
      json([
        relation([outer(10), outer(11)]),
        { type: 'way', id: 10, nodes: [1, 2], geometry: [point(0), point(1)], bounds: {} },
        { type: 'way', id: 11, nodes: [2, 1, 9], geometry: [point(1), point(0), null] },
      ]),
    );
    expect(extract.ways.get(10)?.coords).toEqual(Int32Array.of(95_000_001, 471_000_000, -5, -7));
    expect(extract.ways.get(10)?.refs).toEqual(Float64Array.of(1, 2));
    expect(extract.ways.get(11)).toMatchObject({ coords: null, missing: 9 });
    const inXml = await read(
      `<osm><relation id="5"><member type="way" ref="11" role=""/>
      <tag k="boundary" v="administrative"/><tag k="type" v="boundary"/></relation>
      <way id="11"><nd ref="2" lat="0" lon="0"/><nd ref="1" lat="0" lon="1"/><nd ref="9"/></way></osm>`,
    );
    expect(inXml.ways.get(11)).toMatchObject({ coords: null, missing: 9 });
  });

  test('only bounds or center: no geometry', async () => {
    const bounds = { minlat: 1, minlon: 1, maxlat: 2, maxlon: 2 };
    const way = { type: 'way', id: 10, tags: { boundary: 'administrative', name: 'Islet' }, bounds };
    const extract = await read(json([relation([], { members: undefined, bounds, center: point(0) }), way]));
    expect(extract.relations).toEqual([{ id: 5, version: 0, tags: admin, members: [] }]);
    expect(extract.ways.get(10)).toMatchObject({ refs: null, coords: null, missing: null });
  });

  test('an object printed several times is put together, and refused when the prints disagree', async () => {
    const skeleton = { type: 'way', id: 10, nodes: [1, 2] };
    const extract = await read(
      json([
        relation([outer(10, { geometry: [point(0), point(1)] })]),
        relation([], { members: undefined, version: 9 }),
        skeleton,
        { ...skeleton, version: 4, tags: { a: 'b' } },
      ]),
    );
    expect(extract.relations).toMatchObject([{ version: 9, members: [{ ref: 10 }] }]);
    expect(extract.ways.get(10)).toMatchObject({ version: 4, tags: { a: 'b' }, refs: Float64Array.of(1, 2) });
    expect(extract.ways.get(10)?.coords).toHaveLength(4);
    const bad: [string, Record<string, unknown>[]][] = [
      ['different nodes', [skeleton, { ...skeleton, nodes: [2, 1] }]],
      [
        'versions',
        [
          { ...skeleton, version: 1 },
          { ...skeleton, version: 2 },
        ],
      ],
      [
        'different places',
        [
          { ...skeleton, geometry: [point(0), point(1)] },
          { ...skeleton, geometry: [point(0), point(2)] },
        ],
      ],
      ['2 nodes and 3 places', [{ ...skeleton, geometry: [point(0), point(1), point(2)] }]],
      ['different members', [relation([outer(11)])]],
    ];
    for (const [reason, more] of bad) {
      await expect(read(json([relation([outer(10)]), ...more]))).rejects.toThrow(reason);
    }
    const moved = [
      { ...point(0), id: 1, type: 'node' },
      { ...point(1), id: 1, type: 'node' },
    ];
    await expect(read(json([relation([outer(10)]), skeleton, ...moved]))).rejects.toThrow('node 1 occurs twice');
  });

  test('an answer that the server did not finish is an error with its remark', async () => {
    const remark = 'runtime error: Query timed out in "query" at line 1 after 3 seconds.';
    await expect(read(json(elements(), { remark }))).rejects.toThrow(remark);
    const stopped = xml().replace('</osm>', `<remark> ${remark} </remark></osm>`);
    await expect(read(stopped)).rejects.toThrow(remark);
  });

  test.each([
    ['truncated', json().slice(0, -200), 'is it complete?'],
    ['cut within a letter', Buffer.from(json()).subarray(0, 400), 'is it complete?'],
    ['GeoJSON', '{"type":"FeatureCollection","features":[]}', 'no list of elements'],
    ['elements that are none', '{"elements":[1]}', 'not an object'],
    ['a bad coordinate', json([relation([outer(10, { geometry: [{ lat: 91, lon: 0 }] })])]), 'latitude 91'],
    ['a coordinate as text', json([relation([outer(10, { geometry: [{ lat: '1', lon: 0 }] })])]), 'lat and lon'],
    ['an id that is not exact', json([relation([outer(2 ** 53)])]), 'whole number'],
    ['a tag that is not text', json([relation([], { tags: { name: 7 } })]), 'not text'],
    ['malformed UTF-8', Buffer.from('{"elements":[],"a":"\xff"}', 'latin1'), 'not valid'],
    ['two answers', '{"elements":[]}{"elements":[]}', 'more than one answer'],
    [
      'an element that is too large',
      gzipSync(`{"elements":[{"a":[${'0,'.repeat(70e6)}0]}]}`, { level: 1 }),
      'element 1 (line 1): an element of more than 128 MiB',
    ],
    [
      'a frame that is too large',
      gzipSync(`{"a":[${'0,'.repeat(9e6)}0],"elements":[]}`, { level: 1 }),
      'more than 16 MiB',
    ],
  ])('JSON: %s is an error', async (_, content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });
});

test('an answer that is longer than the longest text is read element by element', { timeout: 180_000 }, async () => {
  const many = `${JSON.stringify({ type: 'node', id: 7, lat: 1, lon: 1, tags: { note: 'x'.repeat(1e6) } })},`;
  const whole = json();
  const at = whole.indexOf('[') + 1;
  // Members of a gzip file are one text.
  const [start, member, end] = [whole.slice(0, at), many, whole.slice(at)].map((text) => gzipSync(text));
  const extract = await read(Buffer.concat([start!, ...Array<Buffer>(540).fill(member!), end!]));
  expect(extract.read.nodes).toBe(540 + elements().filter(({ type }) => type === 'node').length);
  expect({ ...extract, read: null }).toEqual({ ...(await read(whole)), read: null });
});

describe('what is not a map is an error', () => {
  test.each([
    ['empty', '', 'empty'],
    ['text', 'hello', 'neither PBF nor'],
    [
      'a web page',
      '<!DOCTYPE html><html><head><title>x</title></head><body>504 <b>Gateway</b> Timeout</body></html>',
      '504 Gateway Timeout',
    ],
    ['an XHTML page', '<?xml version="1.0"?><html xmlns="x"><body>Error</body></html>', 'web page'],
    ['zip', 'PK\x03\x04', 'zip'],
    ['other XML', '<gpx></gpx>', 'root element is <gpx>'],
    ['a change file', '<osmChange version="0.6"><modify/></osmChange>', 'root element is <osmChange>'],
    ['another version', '<osm version="0.5"></osm>', '0.5'],
    ['an entity bomb', '<!DOCTYPE osm [<!ENTITY a "aaaa">]><osm><note>&a;</note></osm>', 'entity'],
    ['truncated XML', xml().slice(0, -30), 'unclosed'],
    ['XML that is not well-formed', xml().replace('</way>', '</wey>'), 'tag'],
    ['malformed UTF-8', Buffer.from('<osm version="0.6"><note>\xff</note></osm>', 'latin1'), 'not valid'],
    ['deep XML', `<osm>${'<a>'.repeat(100)}`, 'nested'],
    ['a node without place', xml().replace(/<node id="1" [^>]*>/, '<node id="1">'), 'node 1 has no lat'],
    ['a place off the globe', xml().replace(/lat="47.1"/, 'lat="147.1"'), 'latitude 147.1'],
    ['a place that is not a decimal', xml().replace(/lat="47.1"/, 'lat="0x2f"'), 'latitude NaN'],
    ['an id that is not exact', xml().replace('<nd ref="1"/>', '<nd ref="9007199254740993"/>'), '9007199254740993'],
    ['an id of 0', xml().replace('<way id="11"', '<way id="0"'), 'a way has the id 0'],
    ['a deleted object', xml().replace('<way id="10"', '<way visible="false" id="10"'), 'way 10 is deleted'],
    ['two versions', xml().replace('<way id="11"', '<way id="10" version="2"/><way id="11"'), 'versions 3 and 2'],
    ['truncated gzip', gzipSync(xml()).subarray(0, -20), 'unexpected end of file'],
    ['damaged gzip', gzipSync(xml()).fill(7, 60, 90), 'invalid'],
    ['gzipped twice', gzipSync(gzipSync(xml())), 'twice'],
  ])('%s', async (_, content, reason) => {
    await expect(read(content)).rejects.toThrow(reason);
  });

  test('pbf: cut anywhere but between blobs', async () => {
    const parts = [header(), ...[{ dense }, { ways }, { relations }].map((each) => framed('OSMData', block(each)))];
    const file = Buffer.concat(parts);
    const between = new Set(parts.map((_, k) => Buffer.concat(parts.slice(0, k + 1)).length));
    for (let end = 0; end < file.length; end++) {
      const cut = read(file.subarray(0, end));
      if (between.has(end)) expect((await cut).relations).toEqual([]);
      else await expect(cut).rejects.toThrow(/truncated|empty|neither/);
    }
  });

  test('pbf: history, unknown features, a second header, a header too long', async () => {
    await expect(read(Buffer.concat([header(['OsmSchema-V0.6', 'HistoricalInformation'])]))).rejects.toThrow('history');
    await expect(read(header(['Teapots']))).rejects.toThrow('Teapots');
    await expect(read(Buffer.concat([pbf([{ dense }]), pbf([{ ways }])]))).rejects.toThrow('second header');
    const long = Buffer.concat([header(), Buffer.from([0, 1, 0, 1]), Buffer.alloc(70_000)]);
    await expect(read(long)).rejects.toThrow('65537 bytes');
  });

  test('messages start with the path; directories and absent files are errors', async () => {
    await expect(readOsmFile(folder)).rejects.toThrow(`${folder}: `);
    await expect(readOsmFile(join(folder, 'absent'))).rejects.toThrow('ENOENT');
  });
});
