import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAhead } from '../../src/app/read_ahead.ts';
import { loadQuery } from '../../src/db/query.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
/** The statements that read boundaries, their land and their shapes. */
const OF_BOUNDARIES: readonly string[] = (['boundary_resolve', 'land_of', 'shape_load'] as const).map(loadQuery);
const ids = fixtureWorld().boundaries.flatMap(({ id }) => id ?? []);

beforeEach(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterEach(() => server?.close());

it('reads shapes ahead, so that the first call for a point loads none', async () => {
  const { services, engine } = server;
  await services.boundaries.warm();
  await readAhead(services, ids, () => false);
  const { misses } = engine.arcs.counts;
  expect(misses).toBeGreaterThan(10);
  const { json } = await server.get(`/v1/boundaries/reverse?lat=${SOUTH + 0.5}&lon=${WEST + 0.5}`, key);
  expect(json.items.length).toBeGreaterThan(2);
  expect(engine.arcs.counts.misses).toBe(misses);
});

it('reads ahead what points are on, so that a point in a boundary that no one met asks the database nothing', async () => {
  const { services } = server;
  const { db } = services;
  await services.boundaries.warm();
  await readAhead(services, ids, () => false);
  const point = (x: number) => server.get(`/v1/boundaries/reverse?lat=${SOUTH + 0.5}&lon=${WEST + x}`, key);
  // The first point of a country asks once whether its postcode areas are mapped.
  const first = (await point(0.5)).json.items;
  const asked: string[] = [];
  const { query } = db;
  const noted: typeof db.query = (sql: string, ...rest: []) => {
    if (OF_BOUNDARIES.includes(sql)) asked.push(sql);
    return query(sql, ...rest);
  };
  db.query = noted;
  try {
    const second = (await point(1.5)).json.items;
    expect(second.map(({ id }) => id)).not.toEqual(first.map(({ id }) => id));
    expect(second.length).toBeGreaterThan(2);
  } finally {
    db.query = query;
  }
  expect(asked).toEqual([]);
});

it('reads no shape once the server is closing', async () => {
  const { misses } = server.engine.arcs.counts;
  await readAhead(server.services, ids, () => true);
  expect(server.engine.arcs.counts.misses).toBe(misses);
});
