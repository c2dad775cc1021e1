import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid, rectangle, ringsOf } from './fixture_world.ts';

/** What the table says, which is data: the tests must not know its figures. */
const { tables } = JSON.parse(readFileSync('data/populations.json', 'utf8')) as {
  tables: { source: string; year: number; people: Record<string, number> }[];
};
const tableOf = (code: string) => tables.find(({ people }) => people[code] !== undefined);

let server: BoundaryTestServer;
let key: string;

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const grid = new Grid();
  const open = (way: number) => ({
    ways: [
      grid.put(way, [
        [-20, 40],
        [-19, 40],
        [-19, 41],
      ]),
    ],
  });
  const country = { adminLevel: 2, wikidata: 'Q29', countryCode: 'ES', iso: 'ES' };
  const boundaries = [
    fixtureBoundary('r1', 'Spain', ringsOf(rectangle(-30, 30, -29, 31)), country),
    // The relation of the same country, of which the file lacks ways, and one with nothing in common but the level.
    fixtureBoundary('r2', 'España', open(900), { ...country, population: 48 }),
    fixtureBoundary('r3', 'Openland', open(901), { adminLevel: 2 }),
    // The same item at another level is another boundary.
    fixtureBoundary('r4', 'Capital of Spain', open(902), { adminLevel: 8, wikidata: 'Q29' }),
    fixtureBoundary('r5', 'Portugal', ringsOf(rectangle(-28, 30, -27, 31)), {
      adminLevel: 2,
      iso: 'PT',
      population: 10,
    }),
    fixtureBoundary('r6', 'California', ringsOf(rectangle(-26, 30, -25, 31)), { adminLevel: 4, iso: 'US-CA' }),
    fixtureBoundary('r7', 'Nowhere', ringsOf(rectangle(-24, 30, -23, 31))),
  ];
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', boundaries, ways: grid.ways },
  );
});
afterAll(() => server?.close());

describe('population_source', () => {
  it.each([
    ['r1', 'ES'],
    ['r6', 'US-CA'],
  ])('%s: the people of the table for %s, with its name and year', async (id, code) => {
    const table = tableOf(code);
    for (const by of [undefined, key]) {
      const { status, json } = await server.get(`/v1/boundaries/${id}`, by);
      expect(status).toBe(200);
      expect(json.properties).toMatchObject({
        population: table?.people[code],
        population_source: { name: table?.source, year: table?.year },
      });
    }
    const rpc = await server.rpc('get_boundary', { id });
    expect(rpc.json.properties.population_source).toEqual({ name: table?.source, year: table?.year });
    const [found] = (await server.get(`/v1/boundaries/search?q=${id}`)).json.items;
    expect(found).toMatchObject({ id, population: table?.people[code] });
  });

  it('is not there where the source of the boundary says how many, or where no one does', async () => {
    const portugal = (await server.get('/v1/boundaries/r5')).json.properties;
    expect(portugal).toMatchObject({ population: 10 });
    expect(portugal).not.toHaveProperty('population_source');
    const nowhere = (await server.get('/v1/boundaries/r7')).json.properties;
    expect(nowhere).toMatchObject({ population: null });
    expect(nowhere).not.toHaveProperty('population_source');
  });

  it('goes when the source begins to say how many', async () => {
    const spain = (population: number | null, version: string) => ({
      ...fixtureBoundary('r1', 'Spain', ringsOf(rectangle(-30, 30, -29, 31)), { adminLevel: 2, wikidata: 'Q29' }),
      ...{ countryCode: 'ES', iso: 'ES', population, version },
    });
    const store = (population: number | null, version: string) =>
      storeBoundaries(
        { db: server.services.db, engine: server.engine },
        { source: FIXTURE_SOURCE, file: 'made', boundaries: [spain(population, version)] },
      );
    await store(123, '2');
    const said = (await server.get('/v1/boundaries/r1')).json.properties;
    expect(said).toMatchObject({ population: 123 });
    expect(said).not.toHaveProperty('population_source');
    await store(null, '3');
    expect((await server.get('/v1/boundaries/r1')).json.properties).toHaveProperty('population_source');
  });
});

describe('a boundary without a polygon', () => {
  it('answers for itself, and names the one of the same place that has one', async () => {
    const mine = (await server.key()).key;
    const replies = [
      await server.get('/v1/boundaries/r2'),
      await server.get('/v1/boundaries/r2/export', mine),
      await server.ask('POST', '/v1/boundaries/union', { json: { include: ['r5', 'r2'] }, key: mine }),
      await server.get('/v1/boundaries/r2/neighbors', mine),
      await server.ask('POST', '/v1/files', { json: { boundary_id: 'r2' }, key: mine }),
      await server.ask('POST', '/v1/dissolve', { json: { groups: { a: ['r2'] } }, key: mine }),
      await server.ask('POST', '/v1/crosswalk', { json: { a: ['r2'], b: ['r5'] }, key: mine }),
    ];
    for (const { status, json } of replies) {
      expect([status, json.code]).toEqual([404, 'no_geometry']);
      expect(json.detail).toMatch(/^r2 \(España\) has no polygon: .+ r1 is the same place and has a polygon\.$/);
    }
    expect(await server.used(mine)).toBe(0);
    expect((await server.get('/v1/boundaries/iso:ES')).json).toMatchObject({ id: 'r1', properties: { also: ['r2'] } });
  });

  it('names none where the item is that of another level, or there is none', async () => {
    for (const id of ['r3', 'r4']) {
      const { status, json } = await server.get(`/v1/boundaries/${id}`);
      expect([status, json.code], id).toEqual([404, 'no_geometry']);
      expect(json.detail, id).not.toContain('same place');
    }
  });
});
