import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Machine, openMachine } from './program.ts';

const GROUPS = 64;
const ROWS = 10;
const VERTICES = 2_500;

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
const text = (name: string) =>
  ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }) as const;
const SIDES = ['xmin', 'xmax', 'ymin', 'ymax'] as const;
const SCHEMA: Schema = [
  { name: 'schema', num_children: 7 },
  ...['id', 'country', 'subtype', 'class'].map(text),
  { name: 'names', num_children: 1, repetition_type: 'OPTIONAL' },
  text('primary'),
  { name: 'bbox', num_children: 4, repetition_type: 'OPTIONAL' },
  ...SIDES.map((name) => ({ name, type: 'FLOAT', repetition_type: 'REQUIRED' }) as const),
  { name: 'geometry', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
];
const COVERING = Object.fromEntries(SIDES.map((side) => [side, ['bbox', side]]));
const GEO = {
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: ['Polygon'], covering: { bbox: COVERING } } },
};

/** A polygon around a place, as well-known binary. */
function circle(x: number, y: number, radius: number): Uint8Array {
  const bytes = Buffer.alloc(13 + 16 * (VERTICES + 1));
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(3, 1);
  bytes.writeUInt32LE(1, 5);
  bytes.writeUInt32LE(VERTICES + 1, 9);
  for (let i = 0; i <= VERTICES; i++) {
    const angle = (2 * Math.PI * (i % VERTICES)) / VERTICES;
    bytes.writeDoubleLE(x + radius * Math.cos(angle), 13 + 16 * i);
    bytes.writeDoubleLE(y + radius * Math.sin(angle), 21 + 16 * i);
  }
  return bytes;
}

/** A file of Overture's shape: groups of rows on a grid of 8 by 8 places, of which four are of Switzerland. */
function overture(): { readonly file: Buffer; readonly sizes: number[] } {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: SCHEMA,
    kvMetadata: [{ key: 'geo', value: JSON.stringify(GEO) }],
  });
  const sizes: number[] = [];
  for (let group = 0; group < GROUPS; group++) {
    const [x, y] = [5 + 0.5 * (group % 8), 44 + 0.5 * Math.floor(group / 8)];
    const country = [27, 28, 35, 36].includes(group) ? 'CH' : 'FR';
    const rows = Array.from({ length: ROWS }, (_, i) => ({ id: `g${group}-${i}`, x: x + 0.04 * i, y }));
    const before = writer.offset;
    const box = (lon: number, lat: number) => ({
      xmin: lon - 0.015,
      xmax: lon + 0.015,
      ymin: lat - 0.015,
      ymax: lat + 0.015,
    });
    const one = (value: string) => rows.map(() => value);
    parquet.write({
      columnData: [
        { name: 'id', data: rows.map(({ id }) => id) },
        { name: 'country', data: one(country) },
        { name: 'subtype', data: one('locality') },
        { name: 'class', data: one('land') },
        { name: 'names', data: rows.map(({ id }) => ({ primary: `Place ${id}` })) },
        { name: 'bbox', data: rows.map((row) => box(row.x, row.y)) },
        { name: 'geometry', data: rows.map((row) => circle(row.x, row.y, 0.015)) },
      ],
      rowGroupSize: ROWS,
    });
    sizes.push(writer.offset - before);
  }
  parquet.finish();
  return { file: Buffer.from(writer.getBytes()), sizes };
}

let machine: Machine;
let server: Server;
let address: string;
let sent = 0;
let isWhole = false;
let changes = false;
const { file, sizes } = overture();
beforeAll(async () => {
  machine = openMachine();
  server = createServer(({ headers }, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    const etag = changes ? `"${sent}"` : '"one"';
    if (from === undefined || isWhole) {
      sent += file.length;
      response.writeHead(200, { etag, 'content-length': file.length }).end(file);
      return;
    }
    const part = file.subarray(Number(from), Number(to) + 1);
    sent += part.length;
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${file.length}`;
    response.writeHead(206, { etag, 'content-range': range, 'content-length': part.length }).end(part);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/release/part-00000.zstd.parquet`;
});
afterAll(() => {
  server?.close();
  machine?.remove();
});

/** What --dry-run shows of the file, and the bytes that the server sent. */
async function shown(...flags: string[]) {
  sent = 0;
  const { exit, out, err } = await machine.run(['import', '--allow-private', '--dry-run', '--json', ...flags], {
    env: { TMPDIR: machine.path('.') },
  });
  const [preview] = exit === 0 ? (JSON.parse(out) as { read: number; notices: string[]; first: object[] }[]) : [];
  return { exit, err, preview, bytes: sent };
}
const MAP = ['--source', 'made', '--admin-level', '8', '--map', 'id=id,name=names.primary,country=country'];
const ofGroups = (...groups: number[]) => groups.reduce((sum, group) => sum + sizes[group]!, 0);

describe('GeoParquet at an address', { timeout: 120_000 }, () => {
  test('costs the groups of rows of a country', async () => {
    expect(file.length).toBeGreaterThan(15e6);
    for (const flags of [
      [address, ...MAP, '--country', 'CHE'],
      ['@overture/CH', '--from', address],
    ]) {
      const { preview, bytes, err } = await shown(...flags);
      expect(preview, err).toMatchObject({ read: 4 * ROWS, first: { 0: { name: 'Place g27-0', country: 'CH' } } });
      expect(bytes).toBeLessThan(1.3 * ofGroups(27, 28, 35, 36));
    }
  });

  test('costs the groups of rows that meet a box, and the others are said', async () => {
    // The last place of one group and all of the next one.
    const { preview, bytes } = await shown(address, ...MAP, '--bbox', '5.35,44.01,5.9,44.1');
    expect(bytes).toBeLessThan(1.3 * ofGroups(0, 1));
    expect(preview?.read).toBe(1 + ROWS);
    expect(preview?.notices.join()).toContain('9 areas are not read: their boxes do not meet --bbox');
    const both = await shown(address, ...MAP, '--bbox', '6.4,45.4,6.95,46.6', '--country', 'CH');
    expect([both.preview?.read, both.bytes < 1.3 * ofGroups(27, 35)]).toEqual([2 * ROWS, true]);
    const none = await shown(address, ...MAP, '--bbox', '100,10,101,11');
    expect([none.exit, none.bytes < 300_000]).toEqual([2, true]);
  });

  test('is the same as of the whole file, where a server gives no parts', async () => {
    const parts = await shown(address, ...MAP, '--country', 'CH', '--bbox', '6.4,45.4,6.8,46.1');
    isWhole = true;
    const whole = await shown(address, ...MAP, '--bbox', '6.4,45.4,6.8,46.1');
    isWhole = false;
    expect(whole.preview?.first).toEqual(parts.preview?.first);
    expect(whole.bytes).toBeGreaterThanOrEqual(file.length);
  });

  test('never mixes two versions of a file', async () => {
    changes = true;
    const { exit, err } = await shown(address, ...MAP, '--country', 'CH');
    changes = false;
    expect([exit, err]).toEqual([2, expect.stringContaining('changed while it was read')]);
  });

  test('takes a box in degrees', async () => {
    for (const box of ['1,2,3', '1,50,2,40', 'a,b,c,d', '0,0,200,1', '1,2,3,4,5']) {
      expect((await shown(address, ...MAP, '--bbox', box)).err, box).toContain('west,south,east,north');
    }
  });
});
