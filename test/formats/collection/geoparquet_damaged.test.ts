import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/bench/random.ts';
import { defined } from '../../../src/common/elements.ts';
import { convertFile } from '../../../workers/convert.ts';
import { readDocument } from '../../../workers/formats/read.ts';
import { Unreadable } from '../../../workers/formats/reading/document.ts';
import { polygonsToEwkb } from '../../../workers/wkb.ts';
import { polygonsOf, square } from '../support.ts';

/**
 * Damaged GeoParquet: every file ends in its rows, or in a reason for people. What the library that reads it would do with
 * some of them is an array of billions, or a value that is missing. A hang shows as the test's timeout.
 */

/** Damaged files that are tried; FUZZ=100000 is the proof in full, in some minutes. */
const FILES = Number(process.env.FUZZ ?? 1_000);
const SEED = Number(process.env.SEED ?? 20_261_123);
const ROWS = 24;

type Columns = Parameters<typeof parquetWrite>[0]['columnData'];
type Options = Omit<Parameters<typeof parquetWrite>[0], 'writer' | 'columnData'>;

const GEO = JSON.stringify({
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: [] } },
});

/** Well-known binary of a square with a hole, without the number of its coordinate system. */
const wkb = (i: number): Uint8Array => {
  const ewkb = polygonsToEwkb(polygonsOf([[square(i, 10, 0.9), square(i, 10, 0.3, true)]]));
  const plain = new Uint8Array(ewkb.length - 4);
  plain.set(ewkb.subarray(0, 5));
  plain[4] = 0;
  plain.set(ewkb.subarray(9), 5);
  return plain;
};

const rows = Array.from({ length: ROWS }, (_, i) => i);
const COLUMNS: Columns = [
  { name: 'id', data: rows.map((i) => `a${i}`) },
  { name: 'name', data: rows.map((i) => ['Ünï', 'b', 'c'][i % 3]), encoding: 'RLE_DICTIONARY' },
  { name: 'people', data: rows.map((i) => (i % 4 === 0 ? null : BigInt(i * 1000))), type: 'INT64' },
  { name: 'share', data: rows.map((i) => i / 8), type: 'DOUBLE' },
  { name: 'flag', data: rows.map((i) => i % 3 === 0), type: 'BOOLEAN' },
  { name: 'day', data: rows.map((i) => new Date(1e12 + i * 1e9)), type: 'TIMESTAMP' },
  { name: 'geometry', data: rows.map(wkb), encoding: 'PLAIN' },
];

function written(columnData: Columns, options: Options = {}): Uint8Array {
  const writer = new ByteWriter();
  parquetWrite({ writer, columnData, kvMetadata: [{ key: 'geo', value: GEO }], ...options });
  return new Uint8Array(writer.getBuffer());
}

const withEncoding = (name: string, encoding: Columns[number]['encoding']): Columns =>
  COLUMNS.map((column) => (column.name === name ? { ...column, encoding } : column));

/** A frame of Zstandard with one block that is not compressed. */
const zstd = (bytes: Uint8Array): Uint8Array => {
  const head = Buffer.alloc(13);
  head.writeUInt32LE(0xfd2fb528, 0);
  head[4] = 0xa0;
  head.writeUInt32LE(bytes.length, 5);
  head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([head.subarray(0, 12), bytes]);
};

/** A block of LZ4 of letters alone. */
const lz4 = (bytes: Uint8Array): Uint8Array => {
  const lengthOf = (length: number): number[] =>
    length < 15 ? [] : [...new Array<number>(Math.floor((length - 15) / 255)).fill(255), (length - 15) % 255];
  return Buffer.concat([Buffer.from([Math.min(15, bytes.length) << 4, ...lengthOf(bytes.length)]), bytes]);
};

/** The same as Hadoop frames it, in two blocks. */
const hadoop = (bytes: Uint8Array): Uint8Array => {
  const halves = [bytes.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)];
  return Buffer.concat(
    halves.flatMap((half) => {
      const head = Buffer.alloc(8);
      head.writeUInt32BE(half.length, 0);
      head.writeUInt32BE(lz4(half).length, 4);
      return [head, lz4(half)];
    }),
  );
};

const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  ZSTD: zstd,
  LZ4: hadoop,
  LZ4_RAW: lz4,
};
const CODECS = Object.keys(COMPRESSORS) as (keyof typeof COMPRESSORS)[];

const SAMPLES: readonly (readonly [string, Uint8Array])[] = [
  ['snappy', written(COLUMNS)],
  ['not compressed', written(COLUMNS, { codec: 'UNCOMPRESSED' })],
  ['groups of rows and small pages', written(COLUMNS, { rowGroupSize: 7, pageSize: 64, codec: 'UNCOMPRESSED' })],
  ['differences of numbers', written(withEncoding('people', 'DELTA_BINARY_PACKED'), { codec: 'UNCOMPRESSED' })],
  ['lengths as differences', written(withEncoding('id', 'DELTA_LENGTH_BYTE_ARRAY'), { codec: 'UNCOMPRESSED' })],
  ['bytes of doubles apart', written(withEncoding('share', 'BYTE_STREAM_SPLIT'), { codec: 'UNCOMPRESSED' })],
  ...CODECS.map((codec): [string, Uint8Array] => [codec, written(COLUMNS, { codec, compressors: COMPRESSORS })]),
];

async function outcome(bytes: Uint8Array) {
  const task = { detail: 'full', dissolve: false, name: 'file', maxBytes: 1e8 } as const;
  return convertFile({ ...task, bytes, from: 'geoparquet', to: 'ndjson' }, () => false);
}

/** What a program says to itself. */
const INTERNAL = /undefined|not a function|cannot read|invalid array|typed array|dataview|thrift|is not iterable/i;

describe('GeoParquet', () => {
  it.each(SAMPLES)('%s: every value is read', async (_, bytes) => {
    const { features } = await readDocument('geoparquet', bytes);
    expect(features.map(({ properties }) => properties)).toEqual(
      rows.map((i) => ({
        id: `a${i}`,
        name: ['Ünï', 'b', 'c'][i % 3],
        people: i % 4 === 0 ? null : i * 1000,
        share: i / 8,
        flag: i % 3 === 0,
        day: new Date(1e12 + i * 1e9).toISOString(),
      })),
    );
    expect(features.map(({ polygons }) => polygons.map((rings) => rings.length))).toEqual(rows.map(() => [2]));
  });

  it(`${FILES} damaged files, seed ${SEED}: all rows, or a reason`, { timeout: 60_000 + FILES * 20 }, async () => {
    const next = seeded(SEED);
    const below = (size: number) => Math.floor(next() * size);
    const counts = new Map<string, number>();
    let slowest = 0;
    for (let i = 0; i < FILES; i++) {
      const [name, whole] = defined(SAMPLES[i % SAMPLES.length]);
      const broken = new Uint8Array(i % 10 === 9 ? whole.subarray(0, below(whole.length)) : whole);
      // The footer is where a byte decides most: every other file has its damage there.
      const from = i % 4 < 2 ? 0 : Math.max(0, broken.length - 1500);
      for (let k = 1 + below(4); k > 0 && broken.length > 0; k--) {
        broken[from + below(broken.length - from)] = i % 3 === 0 ? defined([0, 255, 127, 128][below(4)]) : below(256);
      }
      const began = performance.now();
      const result = await outcome(broken).catch((error: unknown) => {
        throw new Error(`file ${i} (${name})`, { cause: error });
      });
      slowest = Math.max(slowest, performance.now() - began);
      counts.set(result.kind, (counts.get(result.kind) ?? 0) + 1);
      if (result.kind === 'bytes') expect(result.features + result.empty, `file ${i} (${name})`).toBe(ROWS);
      else if (result.kind === 'unreadable') expect(result.reason, `file ${i} (${name})`).not.toMatch(INTERNAL);
      else throw new Error(`file ${i} (${name}): ${result.kind}`);
    }
    console.log(`damaged GeoParquet, seed ${SEED}: ${JSON.stringify([...counts])}, slowest ${slowest.toFixed(0)} ms`);
    expect(counts.get('unreadable')).toBeGreaterThan(FILES / 4);
  });

  it('a geometry that ends before its bytes, or has a column of another name, is refused', async () => {
    const longer = COLUMNS.map((column) =>
      column.name === 'geometry'
        ? { ...column, data: rows.map((i) => Buffer.concat([wkb(i), Buffer.from([0])])) }
        : column,
    );
    await expect(readDocument('geoparquet', written(longer))).rejects.toThrow(Unreadable);
    const named = COLUMNS.map((column) => (column.name === 'geometry' ? { ...column, name: 'shape' } : column));
    await expect(readDocument('geoparquet', written(named))).rejects.toThrow('no column geometry');
  });
});

describe('a small file that is large in memory', () => {
  /** A file of one dictionary whose one value all rows have, or of many columns without a value. */
  const bomb = (rows: number, columns: Columns): Uint8Array => written(columns, { rowGroupSize: rows });
  const repeat = <T>(value: T, times: number): T[] => Array<T>(times).fill(value);

  const circle = (vertices: number): Uint8Array => {
    const ring = Array.from({ length: vertices + 1 }, (_, i) => {
      const angle = (2 * Math.PI * (i % vertices)) / vertices;
      return [Math.cos(angle), Math.sin(angle)];
    });
    const bytes = Buffer.alloc(13 + 16 * ring.length);
    bytes.set([1, 3, 0, 0, 0, 1, 0, 0, 0]);
    bytes.writeUInt32LE(ring.length, 9);
    for (const [i, [x = 0, y = 0]] of ring.entries()) {
      bytes.writeDoubleLE(x, 13 + 16 * i);
      bytes.writeDoubleLE(y, 21 + 16 * i);
    }
    return new Uint8Array(bytes);
  };

  it.each([
    ['a geometry', 5_000, { name: 'geometry', data: repeat(circle(10_000), 5_000), type: 'BYTE_ARRAY' }],
    ['a text', 90_000, { name: 'note', data: repeat('x'.repeat(100_000), 90_000), type: 'STRING' }],
  ] as const)('because its rows repeat %s is refused, before anything is repeated', async (_what, rows, column) => {
    const small = { name: 'geometry', data: repeat(wkb(1), rows), type: 'BYTE_ARRAY' } as const;
    const columns: Columns = column.name === 'geometry' ? [column] : [column, small];
    const bytes = bomb(rows, columns);
    expect(bytes.byteLength).toBeLessThan(400_000);
    expect(await outcome(bytes)).toMatchObject({
      kind: 'unreadable',
      reason: 'its rows repeat large values too often: it would not fit in memory',
    });
  });

  it('because it has many columns of nothing is refused', async () => {
    const rows = 50_000;
    const columns = repeat(null, 200).map((_, i) => ({
      name: `c${i}`,
      data: repeat(null, rows),
      type: 'INT32' as const,
    }));
    const bytes = bomb(rows, [...columns, { name: 'geometry', data: repeat(wkb(1), rows), type: 'BYTE_ARRAY' }]);
    expect(bytes.byteLength).toBeLessThan(200_000);
    expect(await outcome(bytes)).toMatchObject({ kind: 'unreadable', reason: expect.stringContaining('cells') });
  });

  it('one with ordinary repetition is read', async () => {
    const rows = 20_000;
    const columns: Columns = [
      { name: 'source', data: repeat('An office of statistics, under a license that takes a sentence', rows) },
      { name: 'geometry', data: repeat(wkb(1), rows), type: 'BYTE_ARRAY' },
    ];
    expect(await outcome(bomb(rows, columns))).toMatchObject({ kind: 'bytes', features: rows });
  });
});

/** Well-known binary of geometries within geometries: a type, then a count or positions and parts. */
function binary(type: number, parts: readonly (Buffer | readonly [number, number])[]): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 1;
  head.writeUInt32LE(type, 1);
  head.writeUInt32LE(parts.length, 5);
  return Buffer.concat([
    head,
    ...parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(Float64Array.of(...part).buffer))),
  ]);
}

describe('curved geometries', () => {
  const line = binary(2, [[0, 0], [4, 0], [4, 4]]); // biome-ignore format: a line
  const back = binary(2, [[4, 4], [0, 0]]); // biome-ignore format: a line
  const arc = binary(8, [[0, 0], [4, 0], [4, 4]]); // biome-ignore format: an arc
  const surface = binary(10, [binary(9, [line, back])]);
  const fileOf = (wkbOf: Buffer) => written([{ name: 'geometry', data: [new Uint8Array(wkbOf)], encoding: 'PLAIN' }]);
  const triangle = [[[[0, 0], [4, 0], [4, 4], [4, 4], [0, 0]]]]; // biome-ignore format: a ring

  it.each([
    ['a surface', surface, 0],
    ['several', binary(12, [surface]), 0],
    ['a collection with one', binary(7, [line, binary(7, [surface]), arcless()]), 2],
  ])('%s of straight lines is read', async (_name, geometry, left) => {
    const read = await readDocument('geoparquet', fileOf(geometry));
    expect([read.features.map(({ polygons }) => polygons), read.left]).toEqual([[triangle], left]);
  });

  it('arcs, and what is cut off, are refused with a reason', async () => {
    await expect(readDocument('geoparquet', fileOf(binary(10, [arc])))).rejects.toThrow('make them straight first');
    await expect(readDocument('geoparquet', fileOf(surface.subarray(0, 60)))).rejects.toThrow(Unreadable);
  });

  function arcless(): Buffer {
    return binary(11, [line]);
  }
});
