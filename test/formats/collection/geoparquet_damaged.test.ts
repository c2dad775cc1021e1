import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../src/bench/random.ts';
import { convertFile } from '../../../workers/convert.ts';
import { readGeoparquet } from '../../../workers/readers/geoparquet.ts';
import { Unreadable } from '../../../workers/readers/model.ts';
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

const SAMPLES: readonly (readonly [string, Uint8Array])[] = [
  ['snappy', written(COLUMNS)],
  ['not compressed', written(COLUMNS, { codec: 'UNCOMPRESSED' })],
  ['groups of rows and small pages', written(COLUMNS, { rowGroupSize: 7, pageSize: 64, codec: 'UNCOMPRESSED' })],
  ['differences of numbers', written(withEncoding('people', 'DELTA_BINARY_PACKED'), { codec: 'UNCOMPRESSED' })],
  ['lengths as differences', written(withEncoding('id', 'DELTA_LENGTH_BYTE_ARRAY'), { codec: 'UNCOMPRESSED' })],
  ['bytes of doubles apart', written(withEncoding('share', 'BYTE_STREAM_SPLIT'), { codec: 'UNCOMPRESSED' })],
];

async function outcome(bytes: Uint8Array) {
  const task = { flag: -1, detail: 'full', dissolve: false, name: 'file', maxBytes: 1e8 } as const;
  return convertFile({ ...task, bytes, from: 'geoparquet', to: 'ndjson' }, () => false);
}

/** What a program says to itself. */
const INTERNAL = /undefined|not a function|cannot read|invalid array|typed array|dataview|thrift|is not iterable/i;

describe('GeoParquet', () => {
  it.each(SAMPLES)('%s: every value is read', async (_, bytes) => {
    const { features } = await readGeoparquet(bytes);
    expect(features.map(({ properties }) => properties)).toEqual(
      rows.map((i) => ({
        id: `a${i}`,
        name: ['Ünï', 'b', 'c'][i % 3],
        ...(i % 4 !== 0 && { people: i * 1000 }),
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
      const [name, whole] = SAMPLES[i % SAMPLES.length];
      const broken = new Uint8Array(i % 10 === 9 ? whole.subarray(0, below(whole.length)) : whole);
      // The footer is where a byte decides most: every other file has its damage there.
      const from = i % 4 < 2 ? 0 : Math.max(0, broken.length - 1500);
      for (let k = 1 + below(4); k > 0 && broken.length > 0; k--) {
        broken[from + below(broken.length - from)] = i % 3 === 0 ? [0, 255, 127, 128][below(4)] : below(256);
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
    await expect(readGeoparquet(written(longer))).rejects.toThrow(Unreadable);
    const named = COLUMNS.map((column) => (column.name === 'geometry' ? { ...column, name: 'shape' } : column));
    await expect(readGeoparquet(written(named))).rejects.toThrow('no column geometry');
  });
});
