import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, fixtureWorld, Grid, rectangle } from './fixture_world.ts';

interface Neighbors {
  readonly items: readonly { readonly id: string; readonly contact: string; readonly shared_km: number }[];
  readonly total: number;
  readonly next: string | null;
  readonly border_km: number;
  readonly shared_km: number;
  readonly crossing: { readonly total: number; readonly ids: readonly string[] };
  readonly code: string;
  readonly issues: readonly { readonly path: string; readonly code: string }[];
}

/** A board of 3 x 3 towns (level 7, r9x) of which the upper right four are also postcode areas, and the district of all. */
function board() {
  const grid = new Grid();
  const town = (x: number, y: number) => ({ ways: grid.around(20 + x, 20 + y) });
  const boundaries = [
    fixtureBoundary('r9', 'Board', { ways: grid.around(20, 20, 22, 22) }, { adminLevel: 5 }),
    ...[0, 1, 2].flatMap((y) =>
      [0, 1, 2].map((x) => fixtureBoundary(`r9${y}${x}`, `Town ${x} ${y}`, town(x, y), { adminLevel: 7 })),
    ),
    ...[0, 1].map((x) =>
      fixtureBoundary(`r95${x}`, `123${x}`, town(1 + x, 2), { type: 'postal_code', adminLevel: null }),
    ),
    fixtureBoundary('r98', 'Strange', { ways: [grid.put(980, rectangle(-9.5, 50.5, -8.5, 51.5))] }, { adminLevel: 7 }),
  ];
  return { source: FIXTURE_SOURCE, file: 'board', boundaries, ways: grid.ways };
}

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const deps = { db: server.services.db, engine: server.engine };
  await storeBoundaries(deps, fixtureWorld());
  await storeBoundaries(deps, board());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const read = (reply: Reply) => reply.json as unknown as Neighbors;
const ask = async (path: string) => read(await server.get(`/v1/boundaries/${path}`, key));
const contacts = ({ items }: Neighbors) => Object.fromEntries(items.map(({ id, contact }) => [id, contact]));

describe('list_neighbors', () => {
  it('tells lines from points, longest border first', async () => {
    const middle = await ask('r911/neighbors');
    expect(contacts(middle)).toEqual({
      r910: 'line',
      r912: 'line',
      r901: 'line',
      r921: 'line',
      r900: 'point',
      r902: 'point',
      r920: 'point',
      r922: 'point',
    });
    expect(middle.total).toBe(8);
    const lengths = middle.items.map(({ shared_km }) => shared_km);
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a));
    expect(lengths.filter((one) => one === 0)).toHaveLength(4);
    expect(middle.shared_km).toBeCloseTo(middle.border_km, 9);
    expect(middle.shared_km).toBeCloseTo(
      lengths.reduce((sum, one) => sum + one),
      9,
    );
    const corner = await ask('r900/neighbors');
    expect(contacts(corner)).toEqual({ r901: 'line', r910: 'line', r911: 'point' });
    expect(corner.shared_km).toBeLessThan(0.6 * corner.border_km);
  });

  it('both sides say the same of a border', async () => {
    const of = async (id: string, other: string) =>
      (await ask(`${id}/neighbors`)).items.find((one) => one.id === other)?.shared_km;
    expect(await of('r911', 'r912')).toBe(await of('r912', 'r911'));
  });

  it('a level, or all: what encloses it or lies in it is not a neighbor', async () => {
    expect((await ask('r911/neighbors?admin_level=5')).items).toEqual([]);
    expect((await ask('r9/neighbors')).items).toEqual([]);
    expect((await ask('r9/neighbors?admin_level=7')).items).toEqual([]);
    expect(Object.keys(contacts(await ask('r911/neighbors?levels=all'))).sort()).toEqual(
      ['r900', 'r901', 'r902', 'r910', 'r912', 'r920', 'r921', 'r922', 'r950', 'r951'].sort(),
    );
    expect(contacts(await ask('r100/neighbors?levels=all'))).toEqual({});
    expect(contacts(await ask('r112/neighbors?levels=all'))).toMatchObject({ r111: 'line', r113: 'line' });
  });

  it('of a postcode area: other postcode areas', async () => {
    expect(contacts(await ask('r950/neighbors'))).toEqual({ r951: 'line' });
    expect(contacts(await ask('r950/neighbors?admin_level=7'))).toMatchObject({ r911: 'line', r922: 'line' });
  });

  it('names what crosses it instead of counting it', async () => {
    const strange = await ask('r98/neighbors');
    expect(strange.items).toEqual([]);
    expect(strange.shared_km).toBe(0);
    expect(strange.crossing.total).toBeGreaterThan(0);
    expect((await ask('r900/neighbors')).crossing).toEqual({ total: 1, ids: ['r98'] });
    expect((await ask('r922/neighbors')).crossing).toEqual({ total: 0, ids: [] });
    // Of two that cross each other each names the other.
    expect((await ask('r430/neighbors')).crossing.ids).toContain('r431');
  });

  it('pages', async () => {
    const whole = await ask('r911/neighbors');
    const pages: string[] = [];
    let cursor = '';
    do {
      const page = await ask(`r911/neighbors?limit=3${cursor}`);
      expect(page.total).toBe(8);
      pages.push(...page.items.map(({ id }) => id));
      cursor = page.next === null ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');
    expect(pages).toEqual(whole.items.map(({ id }) => id));
    const { next } = await ask('r911/neighbors?limit=3');
    const wrong = await server.get(`/v1/boundaries/r912/neighbors?cursor=${next}`, key);
    expect([wrong.status, defined(read(wrong).issues[0]).path]).toEqual([400, 'cursor']);
    expect((await server.get('/v1/boundaries/r911/neighbors?cursor=x', key)).status).toBe(400);
    expect((await server.get('/v1/boundaries/r911/neighbors?limit=1001', key)).status).toBe(400);
  });

  it('refuses what is not there, in order', async () => {
    const refusal = async (path: string, by?: string) => read(await server.get(`/v1/boundaries/${path}`, by)).code;
    expect(await refusal('nonsense!/neighbors')).toBe('unauthorized');
    expect(await refusal('r911/neighbors?admin_level=7&levels=all', key)).toBe('invalid_input');
    expect(await refusal('r911/neighbors?levels=direct', key)).toBe('invalid_input');
    expect(await refusal('Board/neighbors', key)).toBe('invalid_id');
    expect(await refusal('r4711/neighbors', key)).toBe('not_found');
    expect(await refusal('r300/neighbors', key)).toBe('no_geometry');
  });

  it('costs one unit a call, and answers alike by name', async () => {
    const mine = (await server.key('free')).key;
    const http = await server.get('/v1/boundaries/r911/neighbors?limit=2', mine);
    expect(await server.used(mine)).toBe(1);
    expect((await server.rpc('list_neighbors', { id: 'r911', limit: 2 }, mine)).json).toEqual(http.json);
  });
});
