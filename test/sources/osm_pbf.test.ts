import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { decodeBlobHeader, decodeHeader, MAX_BLOB, unpackBlob, unpackBlobAsync } from '../../workers/osm/blob.ts';
import { NOWHERE, type OsmNode, type OsmRelation } from '../../workers/osm/elements.ts';
import * as pbf from '../../workers/osm/pbf.ts';
import * as pbfNodes from '../../workers/osm/pbf_nodes.ts';
import { Deltas, Message, unpackDeltas, unpackInts } from '../../workers/osm/protobuf.ts';
import { leading } from '../setup/elements.ts';
import {
  blob,
  block,
  bytes,
  deltas,
  header,
  number,
  packed,
  string,
  varint,
  type Way,
  zigzag,
} from './osm_pbf_writer.ts';

// The cases are blobs as a file has them.
const countBlob = (packed: Uint8Array) => pbf.countBlob(unpackBlob(packed));
const decodeRelations = (packed: Uint8Array) => pbf.decodeRelations(unpackBlob(packed));
const decodeWays = (packed: Uint8Array, wanted: Float64Array) => pbf.decodeWays(unpackBlob(packed), wanted);
function decodeNodes(packed: Uint8Array, wanted: Float64Array, tagged: Float64Array) {
  const places = new Int32Array(2 * wanted.length).fill(NOWHERE);
  const found = pbfNodes.decodeNodes(unpackBlob(packed), wanted, tagged, places);
  const index = Array.from(wanted, (_, k) => k).filter((k) => places[2 * k] !== NOWHERE);
  return { ...found, index, xy: index.flatMap((k) => [...places.subarray(2 * k, 2 * k + 2)]) };
}

const ids = (...list: number[]) => Float64Array.from(list);
const BIG = 2 ** 53 - 1;
const safe = fc.integer({ min: -BIG, max: BIG });
const boundary = { boundary: 'administrative', type: 'boundary' };

describe('protobuf numbers', () => {
  test('are exact up to 2^53 either way', () => {
    fc.assert(
      fc.property(safe, (value) => {
        expect(new Message(varint(value)).int()).toBe(value);
        expect(Array.from(unpackDeltas(zigzag(value), { start: 0, end: zigzag(value).length }))).toEqual([value]);
        if (value >= 0) expect(new Message(varint(value)).uint()).toBe(value);
      }),
    );
    for (const value of [0, 1, -1, 63, 64, 127, 128, 2 ** 28 - 1, 2 ** 28, 2 ** 31, 2 ** 32, 2 ** 35, BIG, -BIG]) {
      expect(new Message(varint(value)).int()).toBe(value);
      expect(unpackDeltas(zigzag(value), { start: 0, end: zigzag(value).length })[0]).toBe(value);
    }
  });

  test('beyond 2^53 and of more than ten bytes are refused', () => {
    for (const value of [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(() => new Message(varint(value)).int()).toThrow('2^53');
      expect(() => unpackDeltas(zigzag(value), { start: 0, end: zigzag(value).length })).toThrow('2^53');
    }
    expect(() => new Message(varint(2n ** 64n - 1n)).uint()).toThrow('2^53');
    const endless = Buffer.alloc(20, 0x80);
    expect(() => new Message(endless).uint()).toThrow('ten bytes');
    expect(() => new Message(endless).int()).toThrow('ten bytes');
    expect(() => new Deltas(endless, 0, 20).fill(new Float64Array(4))).toThrow('ten bytes');
    // Each delta is fine, their sum is not.
    const sum = Buffer.concat([zigzag(BIG), zigzag(1)]);
    expect(() => unpackDeltas(sum, { start: 0, end: sum.length })).toThrow('2^53');
  });

  test('a column is the same whatever the slice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
        fc.integer({ min: 1, max: 7 }),
        (list, size) => {
          const field = Buffer.concat(list.map((value, k) => zigzag(BigInt(value) - BigInt(list[k - 1] ?? 0))));
          const column = new Deltas(field, 0, field.length);
          const slice = new Float64Array(size);
          const out: number[] = [];
          for (let n = column.fill(slice); n > 0; n = column.fill(slice)) out.push(...slice.subarray(0, n));
          expect(out).toEqual(list);
        },
      ),
    );
  });

  test('a field that ends within a number is refused', () => {
    const field = Buffer.from([2, 0x80, 2]);
    expect(() => unpackDeltas(field, { start: 0, end: 2 })).toThrow('within a number');
    expect(() => new Deltas(field, 0, 2).fill(new Float64Array(8))).toThrow('within a number');
    expect(() => unpackInts(field, { start: 0, end: 2 })).toThrow('past its message');
  });

  test('lengths beyond the message and unknown wire types are refused', () => {
    const long = new Message(Buffer.concat([varint(8 + 2), varint(100), Buffer.alloc(5)]));
    expect(long.next()).toBe(true);
    expect(() => long.view()).toThrow('past its message');
    const group = new Message(Buffer.from([0x0b]));
    group.next();
    expect(() => group.skip()).toThrow('wire type');
    expect(() => new Message(Buffer.from([0])).next()).toThrow('number 0');
  });
});

describe('blobs', () => {
  test('raw and zlib unpack to the same; a false size, two contents, other codecs do not', () => {
    const content = Buffer.from('a map');
    expect(Buffer.from(unpackBlob(blob(content, true)))).toEqual(content);
    expect(Buffer.from(unpackBlob(blob(content)))).toEqual(content);
    const packedContent = blob(content).subarray(2);
    for (const size of [0, 4, 6, 1000]) {
      expect(() => unpackBlob(Buffer.concat([number(2, size), packedContent]))).toThrow();
    }
    expect(() => unpackBlob(Buffer.concat([blob(content), blob(content, true)]))).toThrow('no data');
    expect(() => unpackBlob(Buffer.concat([number(2, 5), bytes(6, content)]))).toThrow('lz4');
    expect(() => unpackBlob(Buffer.concat([number(2, 5), bytes(7, content)]))).toThrow('zstd');
    expect(() => unpackBlob(Buffer.alloc(0))).toThrow('no data');
  });

  test('a blob that unpacks to more than it says stops there', () => {
    const bomb = blob(Buffer.alloc(MAX_BLOB + 1));
    expect(() => unpackBlob(bomb)).toThrow('limit');
    const inner = new Message(bomb);
    inner.next();
    inner.skip();
    const liar = Buffer.concat([number(2, 100), bomb.subarray(inner.position)]);
    expect(() => unpackBlob(liar)).toThrow();
  });

  test('aside, in another thread, the same comes and the same is refused', async () => {
    const content = Buffer.from('a map');
    expect(Buffer.from(await unpackBlobAsync(blob(content, true)))).toEqual(content);
    expect(Buffer.from(await unpackBlobAsync(blob(content)))).toEqual(content);
    const damaged = blob(Buffer.alloc(1000, 'map'));
    damaged[damaged.length - 6] = defined(damaged[damaged.length - 6]) ^ 255;
    const packedContent = blob(content).subarray(2);
    const wrong = [4, 6, 1000].map((size) => Buffer.concat([number(2, size), packedContent]));
    for (const bad of [Buffer.alloc(0), damaged, ...wrong]) {
      const said = (error: unknown) => (error instanceof Error ? error.message : '');
      let aloud = '';
      try {
        unpackBlob(bad);
      } catch (error) {
        aloud = said(error);
      }
      expect(aloud).not.toBe('');
      await expect(unpackBlobAsync(bad)).rejects.toThrow(aloud);
    }
  });

  test('a header must name its type and a size within the limit', () => {
    expect(decodeBlobHeader(Buffer.concat([string(1, 'OSMData'), number(3, 12)]))).toEqual({
      type: 'OSMData',
      size: 12,
    });
    expect(() => decodeBlobHeader(string(1, 'OSMData'))).toThrow('lacks');
    expect(() => decodeBlobHeader(Buffer.concat([string(1, 'OSMData'), number(3, MAX_BLOB + 1)]))).toThrow('limit');
    expect(() => decodeBlobHeader(Buffer.concat([string(1, 'OSMData'), number(3, -1)]))).toThrow('lacks');
  });

  test('the file header says whether it is sorted and when; unknown required features are refused', () => {
    const body = (file: Buffer) => file.subarray(4 + file.readUInt32BE(0));
    expect(decodeHeader(body(header()))).toEqual({ sorted: false, timestamp: '2023-11-14T22:13:20Z' });
    expect(decodeHeader(body(header(['OsmSchema-V0.6'], ['Sort.Type_then_ID']))).sorted).toBe(true);
    expect(() => decodeHeader(body(header(['HistoricalInformation'])))).toThrow('history');
    expect(() => decodeHeader(body(header(['Teapots'])))).toThrow('Teapots');
  });

  test('the file header may state what the file covers; numbers that are not a box are not a statement', () => {
    const side = (field: number, degrees: number) =>
      Buffer.concat([varint(8 * field), zigzag(BigInt(Math.round(degrees * 1e9)))]);
    const stating = (west: number, east: number, north: number, south: number) =>
      decodeHeader(blob(bytes(1, Buffer.concat([side(1, west), side(2, east), side(3, north), side(4, south)]))));
    expect(stating(-14.25, 14.5, 36.125, -35.5).bbox).toEqual([-14.25, -35.5, 14.5, 36.125]);
    expect(stating(15, 14, 36, 35).bbox).toBeUndefined();
    expect(stating(14, 15, 96, 35).bbox).toBeUndefined();
    expect(decodeHeader(blob(bytes(1, side(1, 3)))).bbox).toBeUndefined();
  });
});

describe('nodes', () => {
  const nodes: OsmNode[] = [
    { id: 5, version: 3, tags: {}, x: 95_000_001, y: -471_000_003 },
    { id: 2 ** 40, version: 1, tags: { name: 'Ω', place: 'city' }, x: -1_800_000_000, y: 900_000_000 },
    { id: 2 ** 40 + 1, version: 2, tags: { name: 'second' }, x: 1_800_000_000, y: -900_000_000 },
    { id: BIG, version: 7, tags: {}, x: 0, y: 0 },
  ];
  const all = ids(...nodes.map(({ id }) => id));

  test.each([
    ['dense', { dense: nodes }],
    ['plain', { nodes }],
    ['dense, raw, granularity 1', { dense: nodes, granularity: 1, raw: true }],
    ['plain with offsets', { nodes, granularity: 1, latOffset: 12_300, lonOffset: -45_600 }],
  ])('%s: places, tags and versions', (_, content) => {
    const found = decodeNodes(block(content), all, all);
    expect(Array.from(found.index)).toEqual([0, 1, 2, 3]);
    expect(Array.from(found.xy)).toEqual(nodes.flatMap(({ x, y }) => [x, y]));
    expect(found.tagged).toEqual(nodes);
    expect(found.counts).toEqual({ nodes: 4, ways: 0, relations: 0 });
  });

  test('only wanted nodes come, with the index in the list of wanted ones', () => {
    const wanted = ids(1, 2 ** 40, 2 ** 41, BIG);
    const found = decodeNodes(block({ dense: nodes }), wanted, ids(2 ** 40));
    expect(Array.from(found.index)).toEqual([1, 3]);
    expect(found.tagged).toEqual([nodes[1]]);
    expect(decodeNodes(block({ dense: nodes }), ids(), ids()).index).toHaveLength(0);
  });

  test('are found in any order', () => {
    const order = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(order, fc.array(fc.integer({ min: 1, max: 500 })), (list, want) => {
        const dense = list.map((id) => ({ id, version: 1, tags: {}, x: id, y: -id }));
        const wanted = Float64Array.from(new Set(want)).sort();
        const found = decodeNodes(block({ dense }), wanted, ids());
        const expected = list.filter((id) => wanted.includes(id)).sort((a, b) => a - b);
        expect(Array.from(found.index, (k) => wanted[k])).toEqual(expected);
        expect(Array.from(found.xy)).toEqual(expected.flatMap((id) => [id, -id]));
      }),
    );
  });

  test('out of range or with columns of different lengths are refused', () => {
    const off = block({ dense: [{ id: 1, version: 1, tags: {}, x: 1_800_000_001, y: 0 }] });
    expect(() => decodeNodes(off, ids(1), ids())).toThrow('longitude');
    const off2 = block({ nodes: [{ id: 1, version: 1, tags: {}, x: 0, y: 900_000_001 }] });
    expect(() => decodeNodes(off2, ids(1), ids())).toThrow('latitude');
    const short = blob(bytes(2, bytes(2, deltas(1, [1, 2]), deltas(8, [1, 2]), deltas(9, [1]))));
    expect(() => decodeNodes(short, ids(1), ids())).toThrow('latitudes or longitudes');
    const versions = bytes(5, packed(1, [1]));
    const dense = bytes(2, deltas(1, [1, 2]), versions, deltas(8, [1, 2]), deltas(9, [1, 2]));
    expect(() => decodeNodes(blob(bytes(2, dense)), ids(1), ids(1))).toThrow('versions');
    const noString = bytes(2, deltas(1, [1]), deltas(8, [1]), deltas(9, [1]), packed(10, [7, 8, 0]));
    expect(() => decodeNodes(blob(bytes(2, noString)), ids(1), ids(1))).toThrow('string 7');
  });

  test('a packed field in two parts is refused rather than half read', () => {
    const dense = bytes(2, deltas(1, [1]), deltas(1, [2]), deltas(8, [1]), deltas(9, [1]));
    expect(() => decodeNodes(blob(bytes(2, dense)), ids(1), ids())).toThrow('several parts');
  });
});

describe('ways', () => {
  const square = [1, 2, 3, 1];
  const closed = { boundary: 'postal_code', postal_code: '1234' };

  test('wanted ones, and closed ones with a boundary tag', () => {
    const ways: Way[] = [
      { id: 10, version: 2, tags: { highway: 'track' }, refs: [1, 2] },
      { id: 11, version: 1, tags: { highway: 'track' }, refs: square },
      { id: 2 ** 33, version: 4, tags: closed, refs: [2 ** 40, 2 ** 40 + 5, 7, 2 ** 40] },
      { id: 2 ** 33 + 1, version: 4, tags: closed, refs: [1, 2, 3, 4] },
      { id: 2 ** 33 + 2, version: 4, tags: { boundary: 'census' }, refs: square },
    ];
    const found = decodeWays(block({ ways }), ids(10, 12));
    expect(found.counts.ways).toBe(5);
    expect(found.ways.map(({ id, version, tags }) => ({ id, version, tags }))).toEqual([
      { id: 10, version: 2, tags: { highway: 'track' } },
      { id: 2 ** 33, version: 4, tags: closed },
    ]);
    expect(Array.from(defined(found.ways[1]).refs ?? [])).toEqual([2 ** 40, 2 ** 40 + 5, 7, 2 ** 40]);
    expect(found.ways.every(({ coords, missing }) => coords === null && missing === null)).toBe(true);
  });

  test('places on ways are taken, unless one is off the globe', () => {
    const xy: [number, number][] = [
      [10, 20],
      [-30, 40],
    ];
    const way = { id: 1, version: 1, tags: {}, refs: [1, 2] };
    const good = defined(decodeWays(block({ ways: [{ ...way, xy }] }), ids(1)).ways[0]);
    expect(Array.from(good.coords ?? [])).toEqual([10, 20, -30, 40]);
    const [bad] = leading(
      decodeWays(block({ ways: [{ ...way, xy: [defined(xy[0]), [2_147_483_647, 2_147_483_647]] }] }), ids(1)).ways,
      1,
    );
    expect(bad.coords).toBeNull();
    expect(() => decodeWays(block({ ways: [{ ...way, xy: [defined(xy[0])] }] }), ids(1))).toThrow('places');
  });
});

describe('relations', () => {
  const relation: OsmRelation = {
    id: 2 ** 35,
    version: 12,
    tags: { ...boundary, name: '東京都' },
    members: [
      { type: 'w', ref: 2 ** 36, role: 'outer' },
      { type: 'n', ref: 5, role: 'label' },
      { type: 'r', ref: 2 ** 37, role: 'subarea' },
      { type: 'w', ref: 2 ** 36, role: 'outer' },
    ],
  };

  test('only boundaries, with members in order and doubles kept', () => {
    const others: OsmRelation[] = [
      { ...relation, id: 1, tags: { ...boundary, type: 'multilinestring' } },
      { ...relation, id: 2, tags: { type: 'boundary', boundary: 'national_park', note: 'postal_code' } },
      { ...relation, id: 3, tags: { type: 'multipolygon', boundary: 'postal_code' } },
    ];
    const found = decodeRelations(block({ relations: [...others, relation] }));
    expect(found.relations).toEqual([others[2], relation]);
    expect(found.counts).toEqual({ nodes: 0, ways: 0, relations: 4 });
  });

  test('with member lists that do not fit are refused', () => {
    const table = bytes(1, ...['', 'boundary', 'administrative', 'type'].map((text) => string(1, text)));
    const tags = [packed(2, [1, 3]), packed(3, [2, 1])];
    const make = (...parts: Buffer[]) =>
      blob(Buffer.concat([table, bytes(2, bytes(4, number(1, 9), ...tags, ...parts))]));
    expect(decodeRelations(make()).relations).toHaveLength(1);
    expect(() => decodeRelations(make(packed(8, [0]), deltas(9, [1, 2]), packed(10, [1, 1])))).toThrow(
      'different lengths',
    );
    expect(() => decodeRelations(make(packed(8, [0]), deltas(9, [1]), packed(10, [3])))).toThrow('unknown type');
    expect(() => decodeRelations(make(packed(8, [9]), deltas(9, [1]), packed(10, [1])))).toThrow('string 9');
    expect(() => decodeRelations(make(packed(2, [1])))).toThrow('several parts');
  });

  test('of more parts than any real object are refused', () => {
    const way = bytes(3, number(1, 1), bytes(8, Buffer.alloc(1_000_001)));
    expect(() => decodeWays(blob(bytes(2, way)), ids(1))).toThrow('way 1 has more than 1000000 parts');
    const relation = bytes(4, number(1, 1), bytes(9, Buffer.alloc(1_000_001)));
    const table = bytes(1, string(1, 'boundary'), string(1, 'postal_code'));
    expect(() => decodeRelations(blob(Buffer.concat([table, bytes(2, relation)])))).toThrow('parts');
  });

  test('marked as deleted are refused', () => {
    const table = bytes(1, ...['', 'boundary', 'administrative', 'type'].map((text) => string(1, text)));
    const info = bytes(4, number(1, 3), number(6, 0));
    const one = bytes(4, number(1, 9), packed(2, [1, 3]), packed(3, [2, 1]), info);
    expect(() => decodeRelations(blob(Buffer.concat([table, bytes(2, one)])))).toThrow('deleted');
  });
});

test('counting looks at no content', () => {
  const node = { id: 1, version: 1, tags: {}, x: 0, y: 0 };
  const way = { id: 1, version: 1, tags: {}, refs: [1] };
  const relation = { id: 1, version: 1, tags: {}, members: [] };
  const counts = countBlob(block({ nodes: [node], dense: [node, node], ways: [way], relations: [relation] }));
  expect(counts).toEqual({ nodes: 3, ways: 1, relations: 1 });
});
