import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { restOf } from '../../src/ops/boundaries/crosswalk.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

interface Row {
  readonly a: string;
  readonly b: string;
  readonly area_km2: number;
  readonly share_of_a: number;
  readonly share_of_b: number;
  readonly exact: boolean;
}
interface Rest {
  readonly total: number;
  readonly items: readonly { readonly id: string; readonly share: number }[];
}
interface Crosswalk {
  readonly items: readonly Row[];
  readonly total: number;
  readonly not_whole: { readonly a: Rest; readonly b: Rest };
  readonly code: string;
  readonly issues: readonly { readonly path: string }[];
}

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const read = (reply: Reply) => reply.json as unknown as Crosswalk;
const send = (input: object, by: string | undefined = key) =>
  server.ask('POST', '/v1/crosswalk', { json: input, key: by });
const crosswalk = async (input: object) => read(await send(input));
const refusal = async (input: object) => {
  const reply = await send(input);
  return [reply.status, read(reply).code];
};
const areaOf = async (id: string) =>
  (await server.get(`/v1/boundaries/${id}?detail=low`, key)).json.properties.area_km2 as number;

describe('crosswalk', () => {
  it('gives the pairs that overlap, with their areas and shares', async () => {
    const { items, total, not_whole } = await crosswalk({ a: ['r101', 'r112'], b: ['r111', 'r112', 'r121', 'r100'] });
    expect(items.map(({ a, b }) => `${a} ${b}`)).toEqual(
      ['r101 r100', 'r101 r111', 'r101 r112', 'r112 r112', 'r112 r100'].sort((x, y) => {
        const place = (pair: string) => items.findIndex(({ a, b }) => `${a} ${b}` === pair);
        return place(x) - place(y);
      }),
    );
    expect(total).toBe(5);
    const row = (a: string, b: string) => items.find((one) => one.a === a && one.b === b) as Row;
    expect(row('r101', 'r111').area_km2).toBeCloseTo(await areaOf('r111'), 6);
    expect(row('r101', 'r111')).toMatchObject({ share_of_b: 1, exact: true });
    expect(row('r101', 'r100').share_of_a).toBeCloseTo(1, 12);
    expect(row('r112', 'r112')).toMatchObject({ share_of_a: 1, share_of_b: 1 });
    // r101 is in r100 whole, and two thirds of it are listed again; r121 is in neither.
    expect(not_whole.a.items.map(({ id }) => id)).toEqual(['r101', 'r112']);
    expect(not_whole.b.items.find(({ id }) => id === 'r121')).toEqual({ id: 'r121', share: 0 });
  });

  it('what tiles a boundary adds up to the whole', async () => {
    const { items, not_whole } = await crosswalk({
      a: { children_of: 'r100', admin_level: 8 },
      b: { children_of: 'r100' },
    });
    expect(items).toHaveLength(9);
    expect(items.every(({ exact, share_of_a }) => exact && Math.abs(share_of_a - 1) < 1e-9)).toBe(true);
    expect(not_whole).toEqual({ a: { total: 0, items: [] }, b: { total: 0, items: [] } });
  });

  it('areas that overlap in part, on arcs', async () => {
    const { items } = await crosswalk({ a: ['r400'], b: ['r410', 'r420', 'r100', 'w500'] });
    const claimed = await areaOf('r420');
    expect(items.map(({ b }) => b).sort()).toEqual(['r410', 'r420']);
    for (const row of items) {
      expect(Math.abs(row.area_km2 / claimed - 1)).toBeLessThan(1e-9);
      expect(row.exact).toBe(true);
    }
  });

  it('a part inside, off every border', async () => {
    const { items } = await crosswalk({ a: ['w500'], b: { children_of: 'r100', admin_level: 8 } });
    expect(items).toMatchObject([{ a: 'w500', b: 'r111', share_of_a: 1, exact: true }]);
    expect(defined(items[0]).area_km2).toBeCloseTo(await areaOf('w500'), 6);
  });

  it('overlays what crosses, and says so', async () => {
    const { items, not_whole } = await crosswalk({ a: ['r430'], b: ['r431'] });
    expect(items).toHaveLength(1);
    expect(defined(items[0]).exact).toBe(false);
    expect(defined(items[0]).share_of_a).toBeGreaterThan(0.24);
    expect(defined(items[0]).share_of_a).toBeLessThan(0.26);
    expect(defined(not_whole.a.items[0]).share).toBe(defined(items[0]).share_of_a);
  });

  it('lists as not whole what is missing, not what rounding leaves', () => {
    const sums = Float64Array.of(1 - 5e-8, 1 - 2e-5, 1, 1 + 5e-8, 1.5);
    const items = [
      { id: 'r2', share: 1 - 2e-5 },
      { id: 'r5', share: 1.5 },
    ];
    expect(restOf(['r1', 'r2', 'r3', 'r4', 'r5'], sums)).toEqual({ total: 2, items });
  });

  it('areas round a pole and across the antimeridian', async () => {
    const { items } = await crosswalk({ a: ['r600', 'r700'], b: ['r600', 'r700', 'r100'] });
    expect(items.map(({ a, b, share_of_a }) => [a, b, share_of_a])).toEqual([
      ['r600', 'r600', 1],
      ['r700', 'r700', 1],
    ]);
  });

  it('as a table', async () => {
    const input = { a: ['r101', 'r102'], b: ['r111', 'r121'] };
    const reply = await send({ ...input, format: 'csv' });
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    const { items } = await crosswalk(input);
    const lines = items.map((row) => Object.values(row).join(','));
    expect(reply.text).toBe(`a,b,area_km2,share_of_a,share_of_b,exact\n${lines.join('\n')}\n`);
  });

  it('as Parquet, with the same numbers', async () => {
    const input = { a: { children_of: 'r100', levels: 'direct' }, b: ['r101', 'r102', 'r111', 'r121'] };
    const reply = await send({ ...input, format: 'parquet' });
    expect(reply.headers['content-type']).toBe('application/vnd.apache.parquet');
    const { items } = await crosswalk(input);
    expect(items.length).toBeGreaterThan(3);
    const rows = await parquetReadObjects({ file: new Uint8Array(reply.bytes).buffer });
    expect(rows).toStrictEqual(items);
    const none = await send({ a: ['r600'], b: ['r111'], format: 'parquet' });
    expect(await parquetReadObjects({ file: new Uint8Array(none.bytes).buffer })).toEqual([]);
  });

  it('refuses, in order', async () => {
    expect((await send({ a: 1 }, '')).status).toBe(401);
    expect(await refusal({})).toEqual([400, 'invalid_input']);
    expect(await refusal({ a: [], b: ['r111'] })).toEqual([400, 'invalid_input']);
    expect(await refusal({ a: { children_of: 'r100', admin_level: 4, levels: 'direct' }, b: ['r111'] })).toEqual([
      400,
      'invalid_input',
    ]);
    expect(await refusal({ a: { __proto: 'r1' }, b: ['r111'] })).toEqual([400, 'invalid_input']);
    expect(await refusal({ a: Array(5001).fill('r1'), b: ['r111'] })).toEqual([400, 'too_many_boundaries']);
    expect(await refusal({ a: ['Atlantis'], b: ['r111'] })).toEqual([400, 'invalid_id']);
    expect(await refusal({ a: ['r4711'], b: ['r111'] })).toEqual([404, 'not_found']);
    expect(await refusal({ a: ['r300'], b: ['r111'] })).toEqual([404, 'no_geometry']);
    expect(await refusal({ a: { children_of: 'r200' }, b: ['r111'] })).toEqual([400, 'no_children']);
  });

  it('costs a unit for ten boundaries, and answers alike by name', async () => {
    const mine = (await server.key('free')).key;
    const input = { a: { children_of: 'r100', admin_level: 8 }, b: ['r101', 'r102'] };
    const http = await send(input, mine);
    expect(await server.used(mine)).toBe(2);
    expect((await server.rpc('crosswalk', input, mine)).json).toEqual(http.json);
  });
});
