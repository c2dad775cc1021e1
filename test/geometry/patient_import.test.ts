import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { archipelagos, oneSquare } from './large.ts';

let test: TestDatabase;
let engine: Engine;
beforeAll(async () => {
  test = await testDatabase({ poolSize: 2 });
  const options = { threads: 1, maxQueue: 0, arcBytes: 4e6, cache: createCache(4e6), maxResponseBytes: 1e6 };
  engine = new Engine(test.db, options);
});
afterAll(async () => {
  await engine?.close();
  await test?.close();
});

it('an import is not refused by a full pool, which it waits for, and the database serves others after it', async () => {
  const { pool } = engine;
  const heavy = archipelagos(90_000);
  const busy = new AbortController();
  const running = pool.run('merge', heavy, busy.signal).catch(() => undefined);
  while (pool.active === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  await expect(pool.run('render', oneSquare())).rejects.toMatchObject({ code: 'rate_limited' });

  const importing = storeBoundaries({ db: test.db, engine }, fixtureWorld());
  while (pool.queued === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  const others = Array.from({ length: 20 }, () => test.db.query('select count(*)::integer as n from boundary'));
  busy.abort(new Error('enough'));
  await running;
  const summary = await importing;
  expect(summary.added).toBeGreaterThan(20);
  expect((await Promise.all(others)).length).toBe(20);
  expect(pool.counts.refused).toBe(1);
});
