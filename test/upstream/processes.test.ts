import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createKeys } from '../../src/domain/people/keys.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { type Running, serve, stop } from '../setup/serve.ts';
import { runConcurrentClients } from './concurrent_clients.ts';
import { CELLS, grid } from './fixture_map.ts';
import { held, misbehavior, type OverpassServer, startOverpassServer } from './overpass_server.ts';

describe.skipIf(!isNative)('two processes over one database and one upstream', () => {
  let database: TestDatabase;
  let upstream: OverpassServer;
  let settings: Record<string, string>;
  let key: string;
  const servers: Running[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    // Something is stored, so that no server loads the seed data.
    await insertFixtures(database.db, [{ id: 'r1', name: 'Somewhere', kind: 'country' }]);
    ({ key } = await createKeys(database.db).create({ email: 'many@example.org', plan: 'self_hosted' }));
    upstream = await startOverpassServer(grid());
    settings = { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '500' };
    for (const name of ['a', 'b']) servers.push(await serve(database, name, settings));
  });
  afterAll(async () => {
    await Promise.all(servers.map((one) => stop(one, 'SIGTERM')));
    await upstream?.close();
    await database?.close();
  });
  beforeEach(() => upstream.forget());

  const get = async ({ address }: Running, id: number) => {
    const reply = await fetch(`${address}/v1/boundaries/r${id}?detail=low`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };
  const count = async (sql: string, ...values: unknown[]) =>
    only(await database.db.query<{ n: number }>(`select count(*)::integer as n from ${sql}`, values)).n;

  /** Ends the lease of a killed process, which would end in 15 seconds. */
  const letLeaseEnd = async (id: number) => {
    const left = `update upstream_fetch set leased_until = now() where key = $1 and leased_until > now() returning key`;
    expect(await database.db.query(left, [`r${id}`])).toHaveLength(1);
  };

  test('500 clients that ask for 20 boundaries make exactly 20 requests, no more than the slots at once', {
    timeout: 300_000,
  }, async () => {
    upstream.delay(30);
    const ids = CELLS.slice(0, 20);
    const statuses = await runConcurrentClients(
      servers.map(({ address }) => address),
      ids,
      500,
      key,
    );
    expect(statuses).toEqual(ids.map(() => 200));
    expect(upstream.requestCount()).toBe(20);
    expect(upstream.maxConcurrent()).toBeLessThanOrEqual(2);
  });

  test('what one fetches, the other hears of, and serves afterwards', async () => {
    const id = defined(CELLS[20]);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    upstream.next(held(gate));
    const first = get(defined(servers[0]), id);
    await expect.poll(upstream.requestCount).toBe(1);
    const other = await get(defined(servers[1]), id);
    expect([other.status, other.body.code]).toEqual([503, 'geometry_pending']);
    expect((await first).body.code).toBe('geometry_pending');
    open();
    for (const server of servers) {
      await expect.poll(async () => (await get(server, id)).status, { timeout: 20_000 }).toBe(200);
    }
    expect(upstream.requestCount()).toBe(1);
  });

  test('what one fetches again, both answer with, at every detail', { timeout: 240_000 }, async () => {
    const id = CELLS[0];
    const at = async ({ address }: Running, detail: string) => {
      const reply = await fetch(`${address}/v1/boundaries/r${id}?detail=${detail}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const { geometry, properties } = (await reply.json()) as { geometry: object; properties: { version: number } };
      return { status: reply.status, geometry, version: properties.version };
    };
    const both = (detail: string) => Promise.all(servers.map((server) => at(server, detail)));
    const details = ['low', 'medium', 'high', 'full'];
    const before = await Promise.all(details.map(both));
    for (const [one, other] of before) expect([defined(one).status, other]).toEqual([200, one]);
    upstream.world(grid({ version: 4, north: 0.03 }));
    await database.db.query('update upstream_fetch set holds_until = now() where key = $1', [`r${id}`]);
    // Whichever process looks first for what is due asks the upstream, once.
    await expect
      .poll(async () => (await both('low')).map(({ version }) => version), { timeout: 200_000 })
      .toEqual([2, 2]);
    expect(upstream.requestCount()).toBe(1);
    for (const [i, detail] of details.entries()) {
      const [one, other] = leading(await both(detail), 2);
      expect(other).toEqual(one);
      expect(one.geometry).not.toEqual(defined(defined(before[i])[0]).geometry);
    }
    upstream.world(grid());
  });

  test('a process that is killed while it fetches leaves nothing half done, and another takes over', async () => {
    const id = defined(CELLS[21]);
    const doomed = await serve(database, 'c', settings);
    upstream.next(misbehavior.silent);
    await get(doomed, id);
    expect(upstream.requestCount()).toBe(1);
    await stop(doomed, 'SIGKILL');
    expect(await count('boundary where id = $1', `r${id}`)).toBe(0);
    expect((await get(defined(servers[0]), id)).body.code).toBe('geometry_pending');
    expect(upstream.requestCount()).toBe(1);
    await letLeaseEnd(id);
    await expect
      .poll(async () => (await get(defined(servers[0]), id)).status, { timeout: 40_000, interval: 200 })
      .toBe(200);
    expect(upstream.requestCount()).toBe(2);
    expect(await count('upstream_fetch where lease is not null')).toBe(0);
  });

  test('a process that is killed while it stores leaves nothing half done, and another takes over', async () => {
    const id = defined(CELLS[22]);
    const doomed = await serve(database, 'd', settings);
    // Holds what is written last, so that the process dies within its transaction.
    await database.db.transaction(async (tx) => {
      await tx.query('lock table boundary_name in access exclusive mode');
      await get(doomed, id).catch(() => undefined);
      await expect.poll(upstream.requestCount).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await stop(doomed, 'SIGKILL');
    });
    expect(await count('boundary where id = $1', `r${id}`)).toBe(0);
    expect(await count('osm_relation where id = $1', id)).toBe(0);
    await letLeaseEnd(id);
    await expect
      .poll(async () => (await get(defined(servers[1]), id)).status, { timeout: 40_000, interval: 200 })
      .toBe(200);
    expect(upstream.requestCount()).toBe(2);
    // Every live arc is used, and no boundary lacks one.
    expect(await count('arc a where not exists (select from boundary_shape s where a.id = any (s.arc_ids))')).toBe(0);
    expect(await count('boundary_shape s, unnest(s.arc_ids) i where not exists (select from arc where id = i)')).toBe(
      0,
    );
  });

  test('share the budget of the day', async () => {
    const { requests } = only(await database.db.query<{ requests: number }>('select requests from upstream_day'));
    // A request of a killed process counts as well.
    expect(requests).toBe(20 + 1 + 1 + 2 + 2);
  });
});
