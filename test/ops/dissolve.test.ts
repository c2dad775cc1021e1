import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { canonicalRings } from '../proof/environment.ts';
import { leading } from '../setup/elements.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

interface Collection {
  readonly type: string;
  readonly detail: string | null;
  readonly tolerance_m: number;
  readonly groups: number;
  readonly members: number;
  readonly assigned_twice: { readonly total: number; readonly items: readonly { id: string; groups: string[] }[] };
  readonly unassigned: { readonly total: number; readonly ids: readonly string[] } | null;
  readonly features: readonly {
    readonly properties: { readonly group: string; members: number; area_km2: number; exact: boolean };
    readonly bbox: readonly number[];
    readonly geometry: { readonly type: string; readonly coordinates: unknown };
  }[];
  readonly code: string;
  readonly detail_: string;
  readonly issues: readonly { readonly path: string; readonly code: string }[];
}

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const read = (reply: Reply) => reply.json as unknown as Collection;
const send = (input: object, by: string | undefined = key) =>
  server.ask('POST', '/v1/dissolve', { json: input, key: by });
const dissolve = async (input: object) => read(await send(input));
const refusal = async (input: object) => {
  const reply = await send(input);
  return [reply.status, read(reply).code, read(reply).issues?.[0]?.path];
};
const west = ['r111', 'r112', 'r113'];
const east = ['r121', 'r122', 'r123', 'r131', 'r132', 'r133'];
const shape = async (id: string) => (await server.get(`/v1/boundaries/${id}?detail=full`, key)).json;

describe('dissolve', () => {
  it('gives a feature a group, each the union of its members', async () => {
    const made = await dissolve({ groups: { west, east }, detail: 'full' });
    expect(made).toMatchObject({ type: 'FeatureCollection', detail: 'full', tolerance_m: 0, groups: 2, members: 9 });
    expect(made.features.map(({ properties }) => [properties.group, properties.members, properties.exact])).toEqual([
      ['west', 3, true],
      ['east', 6, true],
    ]);
    const province = await shape('r101');
    const [one, two] = leading(made.features, 2);
    expect(canonicalRings(one.geometry)).toEqual(canonicalRings(province.geometry));
    expect(one.bbox).toEqual(province.bbox);
    expect(one.properties.area_km2).toBeCloseTo(province.properties.area_km2 as number, 6);
    const union = await server.rpc('union_boundaries', { include: ['r102', 'r103'], detail: 'full' }, key);
    expect(canonicalRings(two.geometry)).toEqual(canonicalRings(union.json.geometry));
  });

  it('one tolerance for all: that of the largest, or the one asked for; neighbors share their vertices', async () => {
    const made = await dissolve({ groups: { west, east } });
    expect(made).toMatchObject({ detail: 'medium', tolerance_m: 64 });
    const coarse = await dissolve({ groups: { west, east }, tolerance_m: 512 });
    expect(coarse).toMatchObject({ detail: null, tolerance_m: 512 });
    const border = (i: number) =>
      defined((defined(coarse.features[i]).geometry.coordinates as [number, number][][])[0])
        .filter(([x]) => Math.abs(x + 29) < 0.02)
        .map(String);
    expect(new Set(border(0))).toEqual(new Set(border(1)));
    expect(border(0).length).toBeGreaterThan(3);
  });

  it('takes a table, and names as people give them', async () => {
    const csv = `group,id\nwest,r111\nwest,iso:XA-C12\nwest,relation/113\n${east.map((id) => `"east",${id}\n`).join('')}`;
    const [table, plain] = [await dissolve({ csv }), await dissolve({ groups: { west, east } })];
    expect(table).toEqual(plain);
    const odd = await dissolve({
      groups: { constructor: ['r111'], toString: ['r112'], '東京 "<&>': ['r113'], '0': ['r121'] },
    });
    expect(odd.features.map(({ properties }) => properties.group).sort()).toEqual(
      ['0', 'constructor', 'toString', '東京 "<&>'].sort(),
    );
  });

  it('lists what two groups have, and what none has', async () => {
    const made = await dissolve({ groups: { a: ['r111', 'r112', 'r111'], b: ['r112', 'r122'] }, within: 'r100' });
    expect(made.members).toBe(3);
    expect(made.features.map(({ properties }) => properties.members)).toEqual([2, 2]);
    expect(made.assigned_twice).toEqual({ total: 1, items: [{ id: 'r112', groups: ['a', 'b'] }] });
    expect(made.unassigned).toEqual({ total: 6, ids: ['r113', 'r121', 'r123', 'r131', 'r132', 'r133'] });
    const nested = await dissolve({ groups: { a: ['r101', 'r121'], b: ['r112'] }, within: 'r100' });
    expect(nested.assigned_twice).toEqual({ total: 1, items: [{ id: 'r112', groups: ['b', 'a'] }] });
    // At the levels of the members: provinces and communes; what lies in a member is assigned with it.
    expect(nested.unassigned?.ids).toEqual(['r102', 'r103', 'r122', 'r123', 'r131', 'r132', 'r133']);
    expect((await dissolve({ groups: { all: [...west, ...east] }, within: 'r100' })).unassigned).toEqual({
      total: 0,
      ids: [],
    });
    expect((await dissolve({ groups: { all: west } })).unassigned).toBeNull();
  });

  it('overlays a group whose members cross, and says so', async () => {
    const made = await dissolve({ groups: { crossing: ['r430', 'r431'], west, one: ['r430'] }, detail: 'full' });
    expect(made.features.map(({ properties }) => properties.exact)).toEqual([false, true, true]);
    const union = await server.rpc('union_boundaries', { include: ['r430', 'r431'], detail: 'full' }, key);
    expect(canonicalRings(defined(made.features[0]).geometry)).toEqual(canonicalRings(union.json.geometry));
    expect(defined(made.features[0]).properties.area_km2).toBeCloseTo(union.json.properties.area_km2 as number, 6);
    expect(made.assigned_twice.total).toBe(1);
  });

  it('refuses, in order and before it works', async () => {
    expect((await send({ groups: 1 }, '')).status).toBe(401);
    expect(await refusal({})).toEqual([400, 'invalid_input', 'groups']);
    expect(await refusal({ groups: {} })).toEqual([400, 'invalid_input', 'groups']);
    expect(await refusal({ groups: { a: [] } })).toEqual([400, 'invalid_input', 'groups.a']);
    expect(await refusal({ groups: { a: ['r111'] }, csv: 'r111,a' })).toEqual([400, 'invalid_input', 'csv']);
    expect(await refusal({ groups: { '': ['r111'] } })).toEqual([400, 'invalid_input', 'groups.']);
    expect(await refusal({ groups: { a: ['r111'] }, detail: 'low', tolerance_m: 64 })).toEqual([
      400,
      'invalid_input',
      'tolerance_m',
    ]);
    expect(await refusal({ groups: { a: ['r111', 'Atlantis'] } })).toEqual([400, 'invalid_id', undefined]);
    expect(await refusal({ groups: { a: ['r111', 'r4711'] } })).toEqual([404, 'not_found', undefined]);
    expect(await refusal({ groups: { a: ['r300'] } })).toEqual([404, 'no_geometry', undefined]);
    expect(await refusal({ groups: { a: ['r111'] }, within: 'r4711' })).toEqual([404, 'not_found', undefined]);
  });

  it('hostile bodies are refused', async () => {
    const ids = Array.from({ length: 100_001 }, () => 'r1');
    expect(await refusal({ groups: { a: ids } })).toEqual([400, 'too_many_boundaries', undefined]);
    const names = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`g${i}`, ['r111']]));
    expect(await refusal({ groups: names })).toEqual([400, 'too_many_boundaries', undefined]);
    expect((await refusal({ groups: { ['x'.repeat(1e6)]: ['r111'] } }))[1]).toBe('invalid_input');
    const json = '{"groups":{"__proto__":["r111"],"a":["r112"]}}';
    const reply = await server.ask('POST', '/v1/dissolve', { json: JSON.parse(json), key });
    expect([reply.status, read(reply).code]).toEqual([400, 'invalid_input']);
    expect(await refusal({ csv: 'r111,__proto__\nr1' })).toEqual([400, 'invalid_input', 'csv']);
    expect(await refusal({ csv: '"'.repeat(1e6) })).toEqual([400, 'invalid_input', 'csv']);
    expect((await refusal({ csv: 'x'.repeat(8 * 1024 * 1024) }))[1]).toBe('too_large');
  });

  it('one boundary in a thousand groups is listed once, and paid once', async () => {
    const mine = (await server.key('free')).key;
    const groups = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`g${i}`, ['r111', 'r111']]));
    const made = read(await send({ groups, detail: 'low' }, mine));
    expect([made.groups, made.members, made.features.length]).toEqual([1000, 1, 1000]);
    expect(defined(made.assigned_twice.items[0]).groups).toHaveLength(1000);
    expect(await server.used(mine)).toBe(1);
    await send({ groups: { west, east }, within: 'r100' }, mine);
    expect(await server.used(mine)).toBe(10);
  });

  it('answers alike by name, and an answer that is too large is refused', async () => {
    const http = await send({ groups: { west, east } });
    expect((await server.rpc('dissolve', { groups: { west, east } }, key)).json).toEqual(http.json);
    expect(http.headers['content-type']).toBe('application/geo+json');
    const { ask } = await server.withLimit(2_000);
    const small = await ask('POST', '/v1/dissolve', { json: { groups: { west, east }, detail: 'full' }, key });
    expect([small.status, small.json.code]).toEqual([413, 'too_large']);
  });
});
