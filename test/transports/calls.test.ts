import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { openTestServer, seen, type TestServer, waitResolvers } from './test_server.ts';

let database: TestDatabase;
let testServer: TestServer;
beforeAll(async () => {
  database = await testDatabase();
  testServer = await openTestServer({ REQUEST_DEADLINE_MS: '1500', MAX_RESPONSE_BYTES: '20000' }, { database });
});
afterAll(async () => {
  await testServer.close();
  await database.close();
});

/** Waits until the condition holds; fails with the test's own time limit. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

const used = async (org: string) => {
  const usage = await testServer.services.billing.usage(org);
  return { used: usage?.used, reserved: usage?.reserved };
};

describe('keys', () => {
  test('a key says who calls', async () => {
    const made = await testServer.key({ email: 'Ada@Example.org', orgSlug: 'analytical', plan: 'pro', name: 'engine' });
    expect(made.key).toMatch(/^bnd_live_[0-9A-Za-z]{36}$/);
    const { status, json, headers } = await testServer.ask('GET', '/v1/account', { key: made.key });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: made.account.id,
      email: 'ada@example.org',
      name: null,
      org: { id: made.org.id, slug: 'analytical', plan: 'pro', role: 'owner' },
      key_id: made.id,
      operator: false,
    });
    expect(headers['cache-control']).toMatch(/private/);
    expect((await testServer.ask('GET', '/v1/boundaries/r1?detail=full', { key: made.key })).status).toBe(200);
    const lower = await testServer.ask('GET', '/v1/account', { headers: { Authorization: `bearer   ${made.key} ` } });
    expect(lower.status).toBe(200);
  });

  test('they are listed, made and revoked; a revoked one is refused at once', async () => {
    const { key, id } = await testServer.key();
    const made = await testServer.ask('POST', '/v1/api-keys', { json: { name: 'nightly' }, key });
    expect([made.status, made.headers.location]).toEqual([
      201,
      `https://maps.example/base/v1/api-keys/${made.json.id}`,
    ]);
    const second = made.json.api_key as string;
    expect((await testServer.ask('GET', '/v1/account', { key: second })).status).toBe(200);
    const list = await testServer.ask('GET', '/v1/api-keys', { key });
    const items = list.json.items as Record<string, unknown>[];
    expect(items.map((item) => [item.id, item.name])).toEqual([
      [made.json.id, 'nightly'],
      [id, 'command line'],
    ]);
    expect(defined(items[0]).last_used_at).toMatch(/Z$/);
    expect(list.text).not.toContain(second);
    const gone = await testServer.ask('DELETE', `/v1/api-keys/${made.json.id}`, { key });
    expect(gone.json).toEqual({ id: made.json.id, deleted: true, also_revoked: [] });
    expect((await testServer.ask('GET', '/v1/account', { key: second })).json.code).toBe('invalid_key');
    expect((await testServer.ask('GET', '/v1/pricing', { key: second })).json.code).toBe('invalid_key');
    expect((await testServer.ask('DELETE', `/v1/api-keys/${made.json.id}`, { key })).json.code).toBe('not_found');
    const stranger = (await testServer.key()).key;
    expect((await testServer.ask('DELETE', `/v1/api-keys/${id}`, { key: stranger })).json.code).toBe('not_found');
  });

  test('an operator key may what operators may', async () => {
    const { key } = await testServer.key({ operator: true });
    expect((await testServer.ask('GET', '/v1/operators-only', { key })).json).toEqual({ operator: true });
    const child = await testServer.ask('POST', '/v1/api-keys', { json: {}, key });
    expect((await testServer.ask('GET', '/v1/operators-only', { key: child.json.api_key as string })).status).toBe(401);
  });
});

describe('units', () => {
  test('get_pricing lists plans and what each operation costs', async () => {
    const { json } = await testServer.ask('GET', '/v1/pricing');
    // An embedded database is one's own service.
    expect(json.anonymous).toEqual({ requests_per_minute: isNative ? 60 : 3000 });
    const plans = json.plans as Record<string, unknown>[];
    expect(plans.map((plan) => [plan.id, plan.price_month, plan.included_units, plan.requests_per_minute])).toEqual([
      ['free', 0, 1000, 120],
      ['pro', 29, 50_000, 600],
      ['business', 199, 1_000_000, 3000],
      ['self_hosted', 0, null, null],
    ]);
    expect(json.costs).toContainEqual({ op: 'units', units: 1, per: 'boundary' });
    expect((json.costs as unknown[]).length).toBe(testServer.services.ops.length);
  });

  test('only calls that succeed are charged', async () => {
    const { key, org } = await testServer.key({ plan: 'free' });
    expect((await testServer.ask('GET', '/v1/units?n=3', { key })).status).toBe(200);
    expect((await testServer.ask('GET', '/v1/units?n=5&outcome=problem', { key })).status).toBe(404);
    expect((await testServer.ask('GET', '/v1/units?n=7&outcome=crash', { key })).status).toBe(500);
    expect((await testServer.ask('GET', '/v1/units?n=1.5', { key })).status).toBe(400);
    expect((await testServer.ask('HEAD', '/v1/units?n=9', { key })).status).toBe(200);
    expect((await testServer.ask('POST', '/v1/ops/units', { json: { n: 2 }, key })).status).toBe(200);
    const { json } = await testServer.ask('GET', '/v1/usage', { key });
    expect(json).toMatchObject({ used: 14, limit: 1000, by_op: [{ op: 'units', calls: 3, units: 14 }] });
    expect(json.period_start).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    expect(await used(org.id)).toEqual({ used: 14, reserved: 0 });
  });

  test('402 says used and limit, runs nothing, and leaves free calls alone', async () => {
    const { key } = await testServer.key({ plan: 'free' });
    expect((await testServer.ask('GET', '/v1/units?n=998', { key })).status).toBe(200);
    const before = seen.ran;
    const reply = await testServer.ask('GET', '/v1/units?n=3', { key });
    expect([reply.status, reply.json.code, reply.json.used, reply.json.limit]).toEqual([
      402,
      'quota_exceeded',
      998,
      1000,
    ]);
    expect((await testServer.ask('GET', '/v1/units?n=3', { key, headers: { 'If-None-Match': '*' } })).status).toBe(402);
    expect(seen.ran).toBe(before);
    expect((await testServer.ask('GET', '/v1/units?n=2', { key })).status).toBe(200);
    expect((await testServer.ask('GET', '/v1/units?n=0', { key })).status).toBe(200);
    expect((await testServer.ask('GET', '/v1/pricing', { key })).status).toBe(200);
    expect((await testServer.ask('GET', '/v1/units?n=1&outcome=problem', { key })).status).toBe(402);
  });

  test('an unlimited plan counts all the same', async () => {
    const { key } = await testServer.key();
    await testServer.ask('GET', '/v1/units?n=123456', { key });
    expect((await testServer.ask('GET', '/v1/usage', { key })).json).toMatchObject({ used: 123456, limit: null });
  });

  test('a public operation that costs units asks for a key', async () => {
    expect((await testServer.ask('GET', '/v1/wait?gate=none&pay=1')).json.code).toBe('unauthorized');
  });

  test('of 60 calls at once, exactly those that fit are answered', async () => {
    const { key, org } = await testServer.key({ plan: 'free' });
    await testServer.ask('GET', '/v1/units?n=980', { key });
    const replies = await Promise.all(Array.from({ length: 60 }, () => testServer.ask('GET', '/v1/units', { key })));
    const statuses = replies.map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200).length).toBe(20);
    expect(statuses.filter((status) => status === 402).length).toBe(40);
    expect(await used(org.id)).toEqual({ used: 1000, reserved: 0 });
  });
});

describe('bytes', () => {
  test('they are sent as they are, with length and tag', async () => {
    const { key } = await testServer.key();
    const { status, text, headers } = await testServer.ask('GET', '/v1/bytes', { key });
    expect([status, text]).toEqual([200, 'xxxxx']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
      etag: '"five"',
      'cache-control': 'private, max-age=60',
      'x-content-type-options': 'nosniff',
    });
    const head = await testServer.ask('HEAD', '/v1/bytes', { key });
    expect([head.status, head.text, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      '',
      '5',
      '"five"',
    ]);
  });

  test('a known tag is answered 304 and costs nothing', async () => {
    const { key, org } = await testServer.key();
    for (const tag of ['"five"', 'W/"five"', '"four", W/"five"']) {
      const reply = await testServer.ask('GET', '/v1/bytes', { key, headers: { 'If-None-Match': tag } });
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', '"five"']);
    }
    const head = await testServer.ask('HEAD', '/v1/bytes', { key, headers: { 'If-None-Match': '"five"' } });
    expect(head.status).toBe(304);
    expect(await used(org.id)).toEqual({ used: 0, reserved: 0 });
    for (const tag of ['"four"', '*']) {
      const other = await testServer.ask('GET', '/v1/bytes', { key, headers: { 'If-None-Match': tag } });
      expect(other.status).toBe(200);
    }
    expect(await used(org.id)).toEqual({ used: 2, reserved: 0 });
  });

  test('more than one response may have is too_large and costs nothing', async () => {
    const { key, org } = await testServer.key();
    const reply = await testServer.ask('GET', '/v1/bytes?size=20001', { key });
    expect([reply.status, reply.json.code, reply.headers.etag]).toEqual([413, 'too_large', undefined]);
    expect(await used(org.id)).toEqual({ used: 0, reserved: 0 });
  });
});

describe('time', () => {
  test('a call whose time passes while it waits finds the server at capacity, and costs nothing', async () => {
    const { key, org } = await testServer.key();
    const reply = await testServer.ask('GET', '/v1/wait?gate=late&pay=2', { key });
    expect([reply.status, reply.json.code, reply.json.detail]).toEqual([429, 'rate_limited', 'server at capacity']);
    expect(reply.json.retry_after).toBe(Number(reply.headers['retry-after']));
    expect(await used(org.id)).toEqual({ used: 0, reserved: 0 });
  });

  test('one that writes is waited for: no one hears of a failure that then happens', async () => {
    const { key, org } = await testServer.key();
    const before = seen.aborted;
    const running = testServer.ask('POST', '/v1/wait', { json: { gate: 'write' }, key });
    await until(() => seen.aborted === before + 1);
    waitResolvers.get('write')?.();
    const reply = await running;
    expect([reply.status, reply.json]).toEqual([200, { wrote: 'write' }]);
    expect(await used(org.id)).toEqual({ used: 1, reserved: 0 });
  });

  test('a client that goes away ends the call, which costs nothing', async () => {
    const { key, org } = await testServer.key({ plan: 'pro' });
    const { port } = new URL(testServer.listening.address);
    const sent = request({ port, path: '/v1/wait?gate=gone&pay=4', headers: { Authorization: `Bearer ${key}` } });
    sent.on('error', () => {});
    sent.end();
    await until(() => waitResolvers.has('gone'));
    expect(await used(org.id)).toEqual({ used: 0, reserved: 4 });
    const before = seen.aborted;
    sent.destroy();
    await until(() => seen.aborted === before + 1);
    await until(async () => (await used(org.id)).reserved === 0);
    expect(await used(org.id)).toEqual({ used: 0, reserved: 0 });
    await until(async () => (await testServer.ask('GET', '/metrics')).text.includes('code="abandoned"'));
  });

  test('shutting down refuses new connections and finishes what runs', async () => {
    await testServer.close();
    testServer = await openTestServer({}, { database });
    const running = testServer.ask('GET', '/v1/wait?gate=last');
    await until(() => waitResolvers.has('last'));
    let closed = false;
    const closing = testServer.listening.close(20_000).then(() => {
      closed = true;
    });
    await expect(testServer.ask('GET', '/healthz')).rejects.toThrow(/ECONNREFUSED/);
    expect(closed).toBe(false);
    waitResolvers.get('last')?.();
    expect((await running).json).toEqual({ opened: 'last' });
    await closing;
  });

  test('what does not finish in time is cut', async () => {
    await testServer.close();
    testServer = await openTestServer({}, { database });
    const running = testServer.ask('GET', '/v1/wait?gate=never');
    const cut = expect(running).rejects.toThrow(/hang up|ECONNRESET/);
    await until(() => waitResolvers.has('never'));
    await testServer.listening.close(50);
    await cut;
  });
});

describe('the control socket', () => {
  test('it is for its owner only and has operator rights; a key on it is metered as anywhere', async () => {
    await testServer.close();
    testServer = await openTestServer(
      {},
      { database, trusted: true, socketPath: (folder) => join(folder, 'control.sock') },
    );
    const path = testServer.listening.address.slice('unix:'.length);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await testServer.ask('GET', '/v1/operators-only')).json).toEqual({ operator: true });
    expect((await testServer.ask('GET', '/v1/units?n=5')).json).toEqual({ n: 5 });
    expect((await testServer.ask('GET', '/v1/account')).json.code).toBe('unauthorized');
    expect((await testServer.ask('GET', '/v1/usage')).json.code).toBe('unauthorized');
    const { key, org } = await testServer.key();
    expect((await testServer.ask('GET', '/v1/units?n=5', { key })).json).toEqual({ n: 5 });
    expect(await used(org.id)).toEqual({ used: 5, reserved: 0 });
    expect((await testServer.ask('GET', '/v1/account', { key })).json.operator).toBe(true);
  });
});
