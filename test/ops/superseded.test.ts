import { expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from './fixture_world.ts';

const SEED = { ...FIXTURE_SOURCE, id: 'seeds', name: 'Made seed data', seed: true };
const MINE = { ...FIXTURE_SOURCE, id: 'mine', name: 'A file' };
const PER_SIDE = 150;

/** A server with a country of two rough provinces and a rough neighbor of it. */
async function openWorld(): Promise<BoundaryTestServer> {
  const server = await openBoundaryTestServer();
  const of = { country: 'WS' };
  const seeds = [
    fixtureBoundary('r10', 'Samoa', ringsOf(rough(-30, 30, -26, 32)), {
      ...{ adminLevel: 2, kind: 'country', countryCode: 'WS', country: 'WS', iso: 'WS', wikidata: 'Q683' },
    }),
    fixtureBoundary('r11', 'Westland', ringsOf(rough(-30, 30, -28, 32)), { ...of, adminLevel: 4, iso: 'WS-AA' }),
    fixtureBoundary('r20', 'Fiji', ringsOf(rough(-26, 30, -24, 32)), {
      ...{ adminLevel: 2, kind: 'country', countryCode: 'FJ', country: 'FJ', iso: 'FJ', wikidata: 'Q712' },
    }),
  ];
  const summary = await storeBoundaries(server.services, { source: SEED, file: SEED.id, boundaries: seeds });
  expect(summary.broken).toEqual([]);
  return server;
}

/** A closed ring along a rectangle with many vertices: equal sides of two rectangles have the same ones. */
function rough(west: number, south: number, east: number, north: number, off = 0): [number, number][] {
  const corners = rectangle(west, south, east, north);
  const points = corners.slice(1).flatMap(([x, y], side) => {
    const [u, v] = corners[side] as [number, number];
    return Array.from({ length: PER_SIDE }, (_, i): [number, number] => {
      const [a, b] = [u + ((x - u) * i) / PER_SIDE, v + ((y - v) * i) / PER_SIDE];
      return [a + (0.01 + off) * Math.sin(9 * b), b + (0.01 + off) * Math.sin(9 * a)];
    });
  });
  return [...points, points[0] as [number, number]];
}

const outline = (off: number, more: Partial<SourceBoundary> = {}): SourceBoundary => ({
  ...fixtureBoundary('r1', 'Samoa', ringsOf(rough(-30, 30, -26, 32, off)), {
    ...{ adminLevel: 2, kind: 'country', country: 'WS' },
    ...more,
  }),
  ...{ id: null, sourceId: 'w1' },
});

const store = ({ services }: BoundaryTestServer, boundaries: readonly SourceBoundary[], replace: boolean) =>
  storeBoundaries(services, { source: MINE, file: 'mine', boundaries, replace });

/** All arcs with their levels of detail, in an order that does not depend on their ids. */
const arcsOf = ({ services }: BoundaryTestServer) =>
  services.db.query(
    `select encode(hash, 'hex') as hash, encode(weights, 'hex') as weights, encode(ends, 'hex') as ends, exact, class, main
     from arc order by hash`,
  );

/** What the server answers about every boundary, and which seed boundaries are kept aside. */
async function answersOf(server: BoundaryTestServer) {
  const ids = ['r10', 'r11', 'r20', 'iso:WS', 'wikidata:Q683'];
  const answers = [];
  for (const id of ids) {
    const { status, json } = await server.get(`/v1/boundaries/${id}?names=all`);
    expect(status, id).toBe(200);
    answers.push({ ...json, properties: { ...json.properties, updated_at: null, version: null } });
  }
  const children = (await server.get('/v1/boundaries/iso:WS/children?levels=all')).json.items.map(({ id }) => id);
  const kept = await server.services.db.query('select id, heir, parents, children from boundary_replaced order by id');
  return { answers, children, kept };
}

for (const [by, more] of [
  ['its name', {}],
  ['its code', { iso: 'WS', countryCode: 'WS' }],
] as const) {
  it(`an outline that ${by} matches is built without the seed outline beside it`, async () => {
    const first = await openWorld();
    const once = await store(first, [outline(0.0015, more)], true);
    expect(once).toMatchObject({ added: 1, aliased: 1, broken: [] });
    const stored = { arcs: await arcsOf(first), answers: await answersOf(first) };
    await first.close();

    // Stored beside the seed boundary first, as one of another place, and matched in a second edition.
    const stepwise = await openWorld();
    const far = outline(0.0015, { name: 'Elsewhere', iso: null, wikidata: null, countryCode: null });
    const before = await store(stepwise, [far], false);
    expect(before).toMatchObject({ aliased: 0 });
    const after = await store(stepwise, [outline(0.0015, { ...more, version: '2' })], true);
    expect(after).toMatchObject({ aliased: 1 });
    expect({ arcs: await arcsOf(stepwise), answers: await answersOf(stepwise) }).toEqual(stored);
    await stepwise.close();

    // The two outlines cross hundreds of times; only the province and the neighbor are beside the new one.
    expect(before.conflicts).toBeGreaterThan(1.5 * once.conflicts);
  });
}

it('an outline that does not assemble, or that a name alone matches, leaves the seed boundary', async () => {
  const server = await openWorld();
  const bow = ringsOf([
    [-30, 30],
    [-26, 32],
    [-26, 30],
    [-30, 32],
    [-30, 30],
  ]);
  const broken = { ...outline(0), iso: 'WS', countryCode: 'WS', border: bow };
  expect(await store(server, [broken], true)).toMatchObject({ added: 1, aliased: 0, broken: [{ name: 'Samoa' }] });
  expect((await server.get('/v1/boundaries/iso:WS')).json.id).toBe('r10');
  expect(await store(server, [{ ...outline(0.0015), sourceId: 'w2' }], false)).toMatchObject({
    ...{ added: 1, aliased: 0 },
    namesakes: [{ seed: 'r10' }],
  });
  expect((await server.get('/v1/boundaries/r10')).json.id).toBe('r10');
  await server.close();
});
