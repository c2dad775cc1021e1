import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createKeys, type NewKey } from '../../src/domain/people/keys.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { type Running, serve, stop } from '../setup/serve.ts';

describe.skipIf(!isNative)('two processes over one database', () => {
  let database: TestDatabase;
  const servers: Running[] = [];
  let key: NewKey;

  beforeAll(async () => {
    database = await testDatabase();
    await insertFixtures(database.db, [{ id: 'r1', name: 'Somewhere', kind: 'country', box: null }]);
    await database.db.query(
      `insert into plan (id, name, included_units, requests_per_minute, position)
       values ('fifty', 'Fifty', 50, null, 9), ('hurried', 'Hurried', null, 100, 9)`,
    );
    key = await createKeys(database.db).create({ email: 'two@example.org', plan: 'fifty' });
    for (const name of ['a', 'b']) servers.push(await serve(database, name));
  });
  afterAll(async () => {
    await Promise.all(servers.map((one) => stop(one, 'SIGTERM')));
    await database?.close();
  });

  const ask = async (server: Running, secret: string, path = '/v1/boundaries/reverse?lat=1&lon=1') => {
    for (;;) {
      const response = await fetch(server.address + path, { headers: { Authorization: `Bearer ${secret}` } });
      const body = (await response.json()) as Record<string, unknown>;
      // A busy machine: a client that is asked to come back does so.
      if (body.detail !== 'server at capacity') return { status: response.status, body };
      await sleep(100);
    }
  };
  const usage = async (org: string) => {
    const row = only(
      await database.db.query<{ used: number; reserved: number }>(
        'select used, reserved from unit_month where pool = $1',
        [org],
      ),
    );
    return [row.used, row.reserved];
  };

  test('200 calls at once against 50 units succeed exactly 50 times', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask(defined(servers[i % 2]), key.key)));
    expect(countByStatus(answers)).toEqual({ 200: 50, 402: 150 });
    const refused = answers.find(({ status }) => status === 402);
    expect(refused?.body).toMatchObject({ code: 'quota_exceeded', used: 50, limit: 50 });
    expect(await usage(key.org.id)).toEqual([50, 0]);
    expect((await ask(defined(servers[0]), key.key, '/v1/boundaries/search?q=Somewhere')).status).toBe(200);
  });

  test('ten free organizations of one founder get the units of one from both', async () => {
    await database.db.query("update plan set included_units = 50 where id = 'free'");
    const founder = await createKeys(database.db).create({ email: 'founder@example.org', plan: 'free' });
    const secrets = [founder.key];
    for (let i = 1; i < 10; i++) {
      const orgSlug = `founded-${i}`;
      secrets.push((await createKeys(database.db).create({ email: 'founder@example.org', orgSlug, plan: 'free' })).key);
    }
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ask(defined(servers[i % 2]), defined(secrets[(i >> 1) % 10]))),
    );
    expect(countByStatus(answers)).toEqual({ 200: 50, 402: 150 });
    const refused = answers.filter(({ status }) => status === 402);
    for (const { body } of refused) expect(body).toMatchObject({ used: 50, limit: 50 });
    for (const [i, secret] of secrets.entries()) {
      expect((await ask(defined(servers[i % 2]), secret, '/v1/usage')).body).toMatchObject({ used: 50, limit: 50 });
    }
  });

  test('a key that one revokes is refused by the other within 5 s', async () => {
    const extra = await createKeys(database.db).create({ email: 'two@example.org' });
    for (const server of servers) expect((await ask(server, extra.key, '/v1/account')).status).toBe(200);
    const response = await fetch(`${defined(servers[0]).address}/v1/api-keys/${extra.id}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${extra.key}` },
    });
    expect(response.status).toBe(200);
    expect((await ask(defined(servers[0]), extra.key, '/v1/account')).status).toBe(401);
    await expect
      .poll(async () => (await ask(defined(servers[1]), extra.key, '/v1/account')).status, {
        timeout: 5500,
        interval: 250,
      })
      .toBe(401);
  });

  test('together admit the requests a minute of a plan, and no tenth less', async () => {
    const left = 60_000 - (Date.now() % 60_000);
    if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
    const hurried = await createKeys(database.db).create({ email: 'hurried@example.org', plan: 'hurried' });
    const answers = await Promise.all(
      Array.from({ length: 240 }, (_, i) => ask(defined(servers[i % 2]), hurried.key, '/v1/account')),
    );
    const admitted = answers.filter(({ status }) => status === 200).length;
    expect(admitted).toBeLessThanOrEqual(100);
    expect(admitted).toBeGreaterThanOrEqual(90);
  });

  test('units that a killed process held are given back, and none that it had used', async () => {
    const other = await createKeys(database.db).create({ email: 'killed@example.org', plan: 'fifty' });
    const doomed = await serve(database, 'c', { REQUEST_DEADLINE_MS: '1000' });
    await ask(doomed, other.key);
    // Holds the tables that the call reads, so that it is still running, its units held, when its process dies.
    const answer = database.db.transaction(async (tx) => {
      await tx.query('lock table boundary, boundary_shape in access exclusive mode');
      // On land, so that its country is looked up, which is not in memory yet.
      const inSwitzerland = '/v1/boundaries/reverse?lat=47&lon=8';
      const running = Promise.allSettled(Array.from({ length: 10 }, () => ask(doomed, other.key, inSwitzerland)));
      const held = async () =>
        only(
          await tx.query<{ n: number }>('select count(*)::integer as n from unit_reservation where org = $1', [
            other.org.id,
          ]),
        ).n;
      await expect.poll(held, { timeout: 10_000 }).toBeGreaterThan(0);
      await stop(doomed, 'SIGKILL');
      await running;
    });
    await answer;
    expect((await usage(other.org.id))[1]).toBeGreaterThan(0);
    await database.db.query("update unit_reservation set expires_at = now() - interval '1 second' where org = $1", [
      other.org.id,
    ]);
    const calls = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(defined(servers[i % 2]), other.key)));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(49);
    expect(await usage(other.org.id)).toEqual([50, 0]);
  });
});

function countByStatus(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
