import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { cellOf } from '../cells/cell_of.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

interface Item {
  readonly id: string;
  readonly full: readonly string[];
  readonly edge: readonly string[];
}
interface Answer {
  readonly resolution: number;
  readonly full: number;
  readonly edge: number;
  readonly items: readonly Item[];
  readonly code: string;
  readonly detail: string;
}

const send = (input: object, by: string | undefined = key) => server.ask('POST', '/v1/cells', { json: input, key: by });
const cells = async (input: object) => (await send(input)).json as unknown as Answer;
const refusal = async (input: object) => {
  const { code, detail } = await cells(input);
  return `${code}: ${detail}`;
};

/** Points in the box of the fixture's country, as degrees. */
function* points(count: number, [west, south, east, north]: readonly [number, number, number, number]) {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < count; i++) {
    const [x, y] = [west + (east - west) * next(), south + (north - south) * next()];
    yield [Math.round(x * 1e7) / 1e7, Math.round(y * 1e7) / 1e7] as const;
  }
}

async function boxOf(id: string) {
  const { bbox } = (await server.get(`/v1/boundaries/${id}?detail=full`, key)).json as unknown as {
    bbox: [number, number, number, number];
  };
  return bbox;
}

/** Which of the points are in a boundary, as locate_points has it. */
async function located(id: string, some: readonly (readonly [number, number])[]): Promise<boolean[]> {
  const reply = await server.ask('POST', '/v1/locate', { json: { points: some }, key });
  const { items } = reply.json as unknown as { items: { boundaries: { id: string }[] }[] };
  return items.map(({ boundaries }) => boundaries.some((one) => one.id === id));
}

describe('cover_boundaries', () => {
  it('agrees with locate_points: full cells are inside, and what has no cell is outside', async () => {
    const some = [...points(2_000, await boxOf('r100'))];
    const inside = await located('r111', some);
    for (const [grid, resolution] of [
      ['h3', 6],
      ['s2', 11],
      ['geohash', 5],
      ['quadkey', 13],
    ] as const) {
      const { items, full, edge } = await cells({ ids: ['r111'], grid, resolution });
      const [item] = items as [Item];
      expect([item.full.length, item.edge.length]).toEqual([full, edge]);
      const [fulls, edges] = [new Set(item.full), new Set(item.edge)];
      some.forEach(([lon, lat], i) => {
        const cell = cellOf(grid, lon, lat, resolution);
        if (fulls.has(cell)) expect(inside[i]).toBe(true);
        else if (!edges.has(cell)) expect(inside[i]).toBe(false);
      });
    }
  });

  it('writes the same cells as JSON, CSV and Parquet', async () => {
    const input = { children_of: 'r101', grid: 's2', max_cells: 3_000 };
    const { items, full, edge, resolution } = await cells(input);
    expect(full + edge).toBeLessThanOrEqual(3_000);
    const expected = items.flatMap(({ id, full, edge }) => [
      ...full.map((cell) => `${id},${cell},true`),
      ...edge.map((cell) => `${id},${cell},false`),
    ]);
    const csv = await send({ ...input, format: 'csv' });
    expect(csv.headers['boundary-collection']).toBe(`resolution=${resolution}, full=${full}, edge=${edge}, left_out=0`);
    const [head, ...lines] = csv.text.trimEnd().split('\n');
    expect(head).toBe('id,cell,cell_id,full');
    const plain = lines.map((line) => line.split(',')).map(([id, cell, , full]) => `${id},${cell},${full}`);
    expect(plain.sort()).toEqual(expected.sort());
    const parquet = await send({ ...input, format: 'parquet' });
    const file = new Uint8Array(parquet.bytes).slice().buffer;
    const rows = await parquetReadObjects({ file });
    expect(rows.map(({ id, cell, full }) => `${id},${cell},${full}`).sort()).toEqual(expected);
    for (const { cell, cell_id } of rows) {
      const hex = BigInt.asUintN(64, cell_id as bigint)
        .toString(16)
        .padStart(16, '0');
      expect(hex.replace(/0+$/, '')).toBe(cell);
    }
  });

  it('joins points by equality in DuckDB, and asks geometry only at edges', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cells-'));
    const instance = await DuckDBInstance.create(':memory:');
    const db = await instance.connect();
    try {
      const reply = await send({ children_of: 'r101', grid: 'quadkey', resolution: 14, format: 'parquet' });
      writeFileSync(join(folder, 'cells.parquet'), reply.bytes);
      const some = [...points(4_000, await boxOf('r101'))];
      writeFileSync(join(folder, 'points.csv'), `lon,lat\n${some.map((point) => point.join()).join('\n')}\n`);
      const text = readFileSync('docs/engines.md', 'utf8');
      const sql = /```sql\n(-- DuckDB[\s\S]*?)```/.exec(text)?.[1];
      const statements = String(sql).replaceAll('cells.parquet', join(folder, 'cells.parquet'));
      await db.run(statements.replaceAll('points.csv', join(folder, 'points.csv')));
      const read = async (of: string) => (await db.runAndReadAll(of)).getRowObjects() as Record<string, unknown>[];
      const full = await read('select lon, lat, id from located');
      const edges = await read('select distinct lon, lat from to_ask');
      expect(full.length).toBeGreaterThan(1_000);
      expect(edges.length).toBeLessThan(some.length / 2);
      const at = (row: Record<string, unknown>) => [Number(row.lon), Number(row.lat)] as const;
      const answer = await server.ask('POST', '/v1/locate', { json: { points: full.map(at) }, key });
      const { items } = answer.json as unknown as { items: { boundaries: { id: string }[] }[] };
      full.forEach(({ id }, i) => {
        expect(items[i]?.boundaries.map((one) => one.id)).toContain(id);
      });
    } finally {
      db.closeSync();
      instance.closeSync();
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses what it cannot answer, before the work where the area says so', async () => {
    expect(await refusal({ ids: ['r111'], grid: 'h3', resolution: 16 })).toContain('invalid_input');
    expect(await refusal({ ids: ['r111'], grid: 'h3', resolution: 5, max_cells: 9 })).toContain('invalid_input');
    expect(await refusal({ ids: ['r111'], grid: 'h3', resolution: 15 })).toContain('one call gives at most 1000000');
    expect(await refusal({ ids: ['r111', 'r112', 'r121'], grid: 'h3', max_cells: 1 })).toContain(
      'more than the 1 of max_cells',
    );
    expect(await refusal({ ids: ['r999999'], grid: 'h3' })).toContain('not_found');
    expect((await server.ask('POST', '/v1/cells', { json: { ids: ['r111'], grid: 'h3' } })).status).toBe(401);
  });
});
