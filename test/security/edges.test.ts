import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admitBy } from '../../src/app/admission.ts';
import { contentDisposition } from '../../src/common/disposition.ts';
import { systemActor } from '../../src/core/access.ts';
import { createLimits } from '../../src/domain/billing/limits.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { openTestServer, type TestServer, waitResolvers } from '../transports/test_server.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase();
  server = await openTestServer({}, { database });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
});

/** What is done in a server of its own. */
async function within(
  environment: Record<string, string>,
  work: (other: TestServer) => Promise<void>,
  options: Parameters<typeof openTestServer>[1] = {},
): Promise<void> {
  const other = await openTestServer(environment, { ...options, database });
  try {
    await work(other);
  } finally {
    await other.close();
  }
}

describe('/metrics', () => {
  const status = async (one: TestServer, headers: Record<string, string>) =>
    (await one.ask('GET', '/metrics', { headers })).status;

  test('with a token it is always asked for, on this machine too', async () => {
    await within({ METRICS_TOKEN: 'a-token-for-metrics' }, async (other) => {
      expect(await status(other, {})).toBe(401);
      expect(await status(other, { Authorization: 'Bearer another-token' })).toBe(401);
      expect(await status(other, { Authorization: 'Bearer ' })).toBe(401);
      expect(await status(other, { Authorization: 'Bearer a-token-for-metrics' })).toBe(200);
      const from = { 'X-Forwarded-For': '203.0.113.9', Authorization: 'Bearer a-token-for-metrics' };
      expect(await status(other, from)).toBe(200);
    });
  });

  test('without one it is for this machine, under a name of its own, and not through a proxy', async () => {
    for (const host of ['127.0.0.1', '127.0.0.1:8080', 'localhost:1', '[::1]:80', 'LOCALHOST']) {
      expect(await status(server, { Host: host }), host).toBe(200);
    }
    // A page of theirs whose name was made to lead here, for one.
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'x127.0.0.1', '10.0.0.1']) {
      expect(await status(server, { Host: host }), host).toBe(401);
    }
    for (const header of ['X-Forwarded-For', 'Forwarded']) {
      expect(await status(server, { [header]: '127.0.0.1' }), header).toBe(401);
    }
  });
});

describe('a client that hangs up', () => {
  /** Sends something and goes away at once. */
  async function leave(text: string): Promise<void> {
    const { port } = server.listening.server.address() as { port: number };
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(text);
        setTimeout(() => {
          socket.resetAndDestroy();
          resolve();
        }, 100);
      });
      socket.on('error', () => undefined);
    });
  }

  test('is not an error of ours, whatever it was doing', async () => {
    const head = (path: string, type: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`;
    const before = server.logged.length;
    await leave(`${head('/v1/ops/echo', 'application/json')}{"q":`);
    await leave(`${head('/v1/auth/device/code', 'application/json')}{`);
    await leave(`${head('/sign-in', 'application/x-www-form-urlencoded')}email=`);
    await leave(`${head('/mcp', 'application/json')}{`);
    await leave(`${head('/oauth/token', 'application/x-www-form-urlencoded')}grant_type=`);
    await leave('GET /v1/wait?gate=leaver HTTP/1.1\r\nHost: x\r\n\r\n');
    waitResolvers.get('leaver')?.();
    expect((await server.ask('GET', '/healthz')).status).toBe(200);
    await expect
      .poll(() => server.logged.slice(before).filter((line) => line.includes('"code":"abandoned"')).length)
      .toBeGreaterThanOrEqual(2);
    const errors = server.logged
      .slice(before)
      .filter((line) => JSON.parse(line).level >= 50 || line.includes('"stack"'));
    expect(errors).toEqual([]);
  });
});

describe('callers without a key', () => {
  const limitOf = async (one: TestServer, headers: Record<string, string> = {}) =>
    (await one.ask('GET', '/v1/pricing', { headers })).headers['ratelimit-limit'];

  test('have 60 requests a minute, and 3,000 on this machine', async () => {
    await within(
      { TRUSTED_PROXIES: '127.0.0.1' },
      async (other) => {
        expect(await limitOf(other)).toBe('3000');
        expect(await limitOf(other, { 'X-Forwarded-For': '203.0.113.9' })).toBe('60');
        // Whoever stands behind a proxy is not on this machine, whatever the proxy says.
        expect(await limitOf(other, { 'X-Forwarded-For': '127.0.0.1' })).toBe('60');
      },
      { limits: true },
    );
    await within({}, async (other) => expect(await limitOf(other, { 'X-Forwarded-For': '127.0.0.1' })).toBe('60'), {
      limits: true,
    });
  });

  test('have 3,000 from everywhere where the service is their own', async () => {
    const admit = admitBy(createLimits(database.db, { shared: false }), null, true);
    await within(
      { TRUSTED_PROXIES: '127.0.0.1' },
      async (other) => expect(await limitOf(other, { 'X-Forwarded-For': '203.0.113.9' })).toBe('3000'),
      { admit },
    );
    const { org } = await server.key();
    const setPlan = server.services.billing.setPlan(org.id, 'anonymous_own', systemActor('a test'));
    await expect(setPlan).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('headers', () => {
  test('any site may read those that tell something', async () => {
    const { headers } = await server.ask('GET', '/v1/pricing');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    );
    for (const name of ['Retry-After', 'ETag', 'Location', 'Content-Location']) expect(exposed).toContain(name);
    for (const name of ['Content-Disposition', 'Link', 'WWW-Authenticate']) expect(exposed).toContain(name);
  });

  test('what is public has a tag, and by that it is 304', async () => {
    for (const path of ['/v1/pricing', '/v1/boundaries/search?q=Ulm', '/v1']) {
      const { status, headers } = await server.ask('GET', path);
      expect([status, headers['cache-control']], path).toEqual([200, 'public, no-cache']);
      expect(headers.etag, path).toMatch(/^(?:W\/)?"[\w-]+"$/);
      const tag = String(headers.etag);
      const known = await server.ask('GET', path, { headers: { 'If-None-Match': tag } });
      expect([known.status, known.text, known.headers.etag], path).toEqual([304, '', tag]);
      expect((await server.ask('GET', path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
    }
    const vary = 'Authorization, Accept-Language, Accept-Encoding, Boundary-Data';
    expect((await server.ask('GET', '/v1/pricing')).headers.vary).toBe(vary);
    const { key } = await server.key();
    const own = await server.ask('GET', '/v1/usage', { key });
    expect([own.headers['cache-control'], own.headers.vary]).toEqual(['private, no-cache', vary]);
  });

  test('a program that polls learns in seconds how long to wait', async () => {
    const made = await server.ask('POST', '/v1/auth/device/code', { json: {} });
    const pending = await server.ask('POST', '/v1/auth/device/token', { json: { device_code: made.json.device_code } });
    expect([pending.status, pending.headers['retry-after']]).toEqual([428, String(pending.json.interval)]);
  });
});

test('a file has a name in every browser: its own, or the id', () => {
  const named = (label: string) => contentDisposition(label, 'kml', 'r58446 (low)');
  expect(named('Córdoba (low)')).toContain('filename="Cordoba (low).kml"');
  for (const label of ['Αθήνα (low)', '東京都 (low)', 'Łódź (low)', '..//"', '']) {
    expect(named(label), label).toContain('filename="r58446 (low).kml"');
  }
  expect(named('Αθήνα')).toContain(`filename*=UTF-8''${encodeURIComponent('Αθήνα')}.kml`);
  expect(named('')).toContain("filename*=UTF-8''r58446%20%28low%29.kml");
});
