import { afterEach, beforeEach, expect, it } from 'vitest';
import { readAhead } from '../../src/app/read_ahead.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from './fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
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

it('reads no shape once the server is closing', async () => {
  const { misses } = server.engine.arcs.counts;
  await readAhead(server.services, ids, () => true);
  expect(server.engine.arcs.counts.misses).toBe(misses);
});
