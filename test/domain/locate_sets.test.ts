import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/connect.ts';
import { locateSet } from '../../src/domain/points/locate_set.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
});
afterAll(() => server?.close());

const setOf = async (db: Database, levels: number[] = []) => {
  const { revision } = await server.services.boundaries.withSnapshot(async (reading) => reading);
  return locateSet(db, (boxes) => server.engine.points.packBoxes(boxes), { levels, kinds: [] }, revision);
};

it('the set that points are located in is read once at a time and cached, of each database its own', async () => {
  const { db } = server.services;
  const [first, second] = await Promise.all([setOf(db), setOf(db)]);
  expect(second).toBe(first);
  expect(await setOf(db)).toBe(first);
  expect(await setOf(db, [8])).not.toBe(first);
  const other = await setOf({ ...db });
  expect([other === first, other.members]).toEqual([false, first.members]);
  await expect(locateSet(db, async () => new ArrayBuffer(0), { levels: [8], kinds: [] }, -1)).rejects.toThrow();
  expect(await setOf(db)).toBe(first);
});
