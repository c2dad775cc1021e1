import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isComputing } from '../../src/core/computing.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

const SESSIONS = 3;
const DOCUMENT = { id: null, name: 'x', properties: {}, bbox: null, attribution: '', digits: 7 };

describe.skipIf(!isNative)('overlays in a native database that nobody waits for any more', () => {
  let test: TestDatabase;
  let engine: Engine;
  beforeAll(async () => {
    test = await testDatabase({ poolSize: SESSIONS });
    engine = new Engine(test.db, { threads: 1, arcBytes: 4e6, cacheBytes: 4e6, maxResponseBytes: 1e6 });
    await storeBoundaries({ db: test.db, engine }, fixtureWorld());
  });
  afterAll(async () => {
    await engine?.close();
    await test?.close();
  });

  it('free their sessions: ten of them, and the next call is served', async () => {
    const { db, databaseUrl } = test;
    const rows = await db.query<{ id: string; hash: string }>(
      `select id, encode(ring_hash, 'hex') as hash from boundary where id in ('r430', 'r431') order by id`,
    );
    const refs = rows.map(({ id, hash }) => ({ id, ringHash: hash, adminLevel: 8 }));
    let count = 0;
    const merge = (signal?: AbortSignal) => {
      const document = { ...DOCUMENT, name: `area ${count++}` };
      return engine.merge(refs, [], { detail: 'full', format: 'wkt', document, from: 'overlay' }, signal);
    };
    expect((await merge()).size).toBeGreaterThan(0);

    // From here on an overlay waits on the server for the table, as long as a hard one would compute.
    const other = await openDatabase({ databaseUrl, dataDir: '' });
    const stuck = async (): Promise<number> => {
      const [{ n }] = await looking.query<{ n: number }>(
        `select count(*)::integer as n from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
      );
      return n;
    };
    const looking = await openDatabase({ databaseUrl, dataDir: '' });
    await other.transaction(async (tx) => {
      await tx.query('lock table boundary_shape in access exclusive mode');
      const controllers = Array.from({ length: 10 }, () => new AbortController());
      const gone = new Error('gone');
      const merges = controllers.map(({ signal }) => merge(signal).catch((error: unknown) => error));
      await expect.poll(stuck, { timeout: 20_000 }).toBe(SESSIONS);
      expect(controllers.filter(({ signal }) => isComputing(signal)).length).toBe(SESSIONS);
      for (const controller of controllers) controller.abort(gone);
      expect(await Promise.all(merges)).toEqual(controllers.map(() => gone));
      await expect.poll(stuck, { timeout: 20_000 }).toBe(0);
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    });
    await looking.close();
    expect((await merge()).size).toBeGreaterThan(0);
    await other.close();
  });
});
