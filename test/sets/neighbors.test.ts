/** What an area of a set and boundaries beside its set have in common, against PostGIS. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMembers, openLibraryTestServer } from '../library/library_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { generator } from '../proof/made.ts';
import { ROUTES, type Route } from '../setup/routes.ts';
import { cell, fileOf } from './made_set.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
/** The boundaries of the fixture world on the grid that the areas are drawn in. */
const OFFICIAL = [
  'r100',
  'r101',
  'r102',
  'r103',
  'r111',
  'r112',
  'r113',
  'r121',
  'r122',
  'r123',
  'r131',
  'r132',
  'r133',
];

interface Item {
  readonly id: string;
  readonly origin: string;
  readonly relation: string;
  readonly admin_level: number | null;
  readonly common_km2: number;
  readonly share: number;
  readonly share_of_other: number;
  readonly shared_km: number;
}
interface Answer {
  readonly items: readonly { readonly id: string }[];
  readonly overlaid: { readonly items: readonly Item[]; readonly total: number; readonly not_compared: number } | null;
}

const SEED = Number(process.env.SEED ?? 20_261_127);
const random = generator(SEED);

let server: LibraryTestServer;
let staff: OrgMembers;
let others: OrgMembers;

/** A rough polygon around a place of the grid: no vertex of it is one of an official border. */
function rough(x: number, y: number, radius: number): number[][] {
  const ring = Array.from({ length: 9 }, (_, i) => {
    const at = radius * (0.6 + 0.4 * random());
    const angle = (2 * Math.PI * i) / 9;
    return [WEST + x + at * Math.cos(angle), SOUTH + y + at * Math.sin(angle)].map(
      (one) => Math.round(one * 1e7) / 1e7,
    );
  });
  return [...ring, ring[0] as number[]];
}
const AREAS = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [`a${i}`, rough(3 * random(), 3 * random(), 0.2 + random())]),
);

async function create(name: string, input: object, by = staff.member) {
  const { status, body } = await server.call('http', 'create_area_set', { name, ...input }, by);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body).toMatchObject({ report: { left_out: { total: 0 } } });
}
async function neighbors(input: Record<string, unknown>, by = staff.viewer, route: Route = 'http'): Promise<Answer> {
  const { status, body } = await server.call(route, 'list_neighbors', input, by);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Answer;
}
const besides = async (input: Record<string, unknown>, by = staff.viewer) => {
  const { overlaid } = await neighbors(input, by);
  return overlaid?.items.map(({ id }) => id).sort() ?? null;
};

beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  others = await server.staff();
  await create('rough', { content: fileOf(AREAS) });
  await create('exact', { groups: { west: ['r111', 'r112'], east: ['r113'] } });
  await create('hidden', { content: fileOf({ secret: cell(0.1, 0.1, 1, 1) }), visibility: 'restricted' });
  await create('theirs', { content: fileOf({ secret: cell(0.1, 0.1, 1, 1) }) }, others.member);
}, 300_000);
afterAll(() => server?.close());

describe.skipIf(!oracleUrl)('areas drawn by chance', () => {
  it(`overlap what they overlap in PostGIS, by as much: seed ${SEED}`, async () => {
    const oracle = new pg.Client(oracleUrl);
    await oracle.connect();
    try {
      await oracle.query('create temp table shape (id text primary key, geom geometry)');
      const own = Object.keys(AREAS).map((code) => `set:rough/${code}`);
      for (const id of [...OFFICIAL, ...own]) {
        const { body } = await server.call('http', 'get_boundary', { id, detail: 'full' }, staff.member);
        const { geometry } = body as unknown as { geometry?: object };
        expect(geometry, JSON.stringify(body)).toBeDefined();
        await oracle.query('insert into shape values ($1, st_geomfromgeojson($2))', [id, JSON.stringify(geometry)]);
      }
      for (const id of own) {
        const { rows } = await oracle.query<{ id: string; km2: number; own: number; other: number }>(
          `select b.id, st_area(st_intersection(a.geom, b.geom)::geography) / 1e6 as km2,
                  st_area(a.geom::geography) / 1e6 as own, st_area(b.geom::geography) / 1e6 as other
           from shape a, shape b where a.id = $1 and b.id = any ($2) and st_intersects(a.geom, b.geom)`,
          [id, OFFICIAL],
        );
        const { overlaid } = await neighbors({ id });
        const items = overlaid?.items.filter((one) => OFFICIAL.includes(one.id)) ?? [];
        expect(items.map((one) => one.id).sort(), id).toEqual(rows.map((row) => row.id).sort());
        for (const row of rows) {
          const item = items.find((one) => one.id === row.id);
          const about = `${id} and ${row.id}: ${JSON.stringify(item)} ${JSON.stringify(row)}`;
          // PostGIS reads the edges as great circles after the overlay in the plane, we as they are stored.
          expect(Math.abs((item?.common_km2 ?? 0) - row.km2), about).toBeLessThan(1e-3 * row.km2 + 0.5);
          expect(item?.share, about).toBeCloseTo((item?.common_km2 ?? 0) / row.own, 3);
          expect(item?.share_of_other, about).toBeCloseTo((item?.common_km2 ?? 0) / row.other, 3);
          expect(item?.origin).toBe('official');
        }
      }
    } finally {
      await oracle.end();
    }
  });
});

it('areas with official borders touch their neighbors along exactly these lines', async () => {
  const { items, overlaid } = await neighbors({ id: 'set:exact/west', admin_level: 8 });
  expect(items).toEqual([]);
  const by = Object.fromEntries(overlaid?.items.map((one) => [one.id, one]) ?? []);
  expect([by.r111?.relation, by.r111?.share_of_other]).toEqual(['overlaps', 1]);
  const official = await neighbors({ id: 'r112' });
  const border = (official.items as unknown as Item[]).find(({ id }) => id === 'r113')?.shared_km ?? 0;
  expect(border).toBeGreaterThan(0);
  expect([by.r113?.relation, by.r113?.common_km2]).toEqual(['touches', 0]);
  expect(by.r113?.shared_km).toBeCloseTo(border, 9);
  // Without a level, the areas of its own set are the items, and boundaries of all levels are beside it.
  const plain = await neighbors({ id: 'set:exact/west' });
  expect(plain.items.map(({ id }) => id)).toEqual(['set:exact/east']);
  expect(new Set(plain.overlaid?.items.map((one) => one.admin_level))).toEqual(new Set([2, 4, 8, 9]));
});

it.each(ROUTES)('lists the same by %s', async (route) => {
  const http = await neighbors({ id: 'set:exact/west' });
  expect((await neighbors({ id: 'set:exact/west' }, staff.viewer, route)).overlaid).toEqual(http.overlaid);
});

it('an answer in a conversation shows what is overlaid, brief, and says what it leaves out', async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`m${i}`, cell(0.1 + i / 100, 0.1, 0.01, 1)]));
  await create('many', { content: fileOf(many) });
  const input = { id: 'set:exact/west', scope: 'all', admin_level: 8 };
  const whole = await neighbors(input);
  const { body } = await server.call('mcp', 'list_neighbors', input, staff.viewer);
  const { overlaid, shortened } = body as unknown as Answer & { shortened: { how: string; left_out: string[] } };
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(20_000);
  const [shown, all] = [overlaid?.items ?? [], whole.overlaid?.items ?? []];
  expect([all.length > 60, shown.length > 20, shown.length < all.length]).toEqual([true, true, true]);
  expect(shown.map(({ id, common_km2 }) => [id, common_km2])).toEqual(
    all.slice(0, shown.length).map(({ id, common_km2 }) => [id, common_km2]),
  );
  expect(shortened.how).toContain(`The first ${shown.length} of ${all.length} items of overlaid are shown`);
  expect(shortened.left_out).toContain('bbox');
});

it('lists areas of other sets only with scope=all, and only of sets that the caller may read', async () => {
  const isSet = (id: string) => id.startsWith('set:');
  const ofSets = async (input: Record<string, unknown>, by = staff.viewer) => (await besides(input, by))?.filter(isSet);
  expect(await ofSets({ id: 'set:exact/west' })).toEqual([]);
  expect(await ofSets({ id: 'set:exact/west', scope: 'all' })).not.toContain('set:hidden/secret');
  expect(await ofSets({ id: 'set:exact/west', scope: 'all' }, staff.member)).toContain('set:hidden/secret');
  expect(await besides({ id: 'r111' })).toBeNull();
  expect(await besides({ id: 'r111', scope: 'all' }, others.member)).toEqual(['set:theirs/secret']);
  expect(await besides({ id: 'r111', scope: 'all' }, staff.member)).toEqual(
    expect.arrayContaining(['set:exact/west', 'set:hidden/secret']),
  );
  expect(await besides({ id: 'r111', scope: 'all' })).not.toContain('set:theirs/secret');
});
