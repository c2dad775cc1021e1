import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/core/errors.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { openTestServer, type TestServer } from './test_server.ts';

let database: TestDatabase;
let server: TestServer;
beforeAll(async () => {
  database = await testDatabase();
  server = await openTestServer({}, { database });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const input = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

describe('requests', () => {
  test('the same call by route, by POST, by ?input= and by GET gives the same answer', async () => {
    const replies = [
      await server.ask('GET', '/v1/boundaries/search?q=Ulm&limit=3&ratio=-0.5&mine=true&kinds=city,county'),
      await server.ask('POST', '/v1/ops/echo', {
        json: { q: 'Ulm', limit: 3, ratio: -0.5, mine: true, kinds: ['city', 'county'] },
      }),
      await server.ask(
        'POST',
        `/v1/ops/echo?input=${input({ q: 'Ulm', limit: 3, ratio: -0.5, mine: 'true', kinds: ['city', 'county'] })}`,
      ),
      await server.ask(
        'GET',
        `/v1/ops/echo?input=${input({ q: 'Ulm', limit: 3, ratio: -0.5, mine: true, kinds: ['city', 'county'] })}`,
      ),
    ];
    for (const reply of replies) {
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json).toEqual({ echo: { q: 'Ulm', limit: 3, ratio: -0.5, mine: true, kinds: ['city', 'county'] } });
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });

  test('null means absent', async () => {
    const reply = await server.ask('POST', '/v1/ops/echo', { json: { q: 'x', limit: null, ratio: null } });
    expect(reply.json).toEqual({ echo: { q: 'x', limit: 10 } });
  });

  test('no body at all is an empty input', async () => {
    expect((await server.ask('POST', '/v1/ops/get_pricing')).status).toBe(200);
    const empty = await server.ask('POST', '/v1/ops/get_pricing', {
      body: '',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(empty.status).toBe(200);
  });

  test('text arrives as it was sent: percent-encoded, plus signs', async () => {
    const q = async (path: string) => ((await server.ask('GET', path)).json.echo as { q: string }).q;
    expect(await q('/v1/boundaries/search?q=Z%C3%BCrich')).toBe('Zürich');
    expect(await q('/v1/boundaries/search?q=a+b%2Bc')).toBe('a b+c');
    const raw = await server.raw(Buffer.from('GET /v1/boundaries/search?q=Zürich HTTP/1.1\r\nHost: x\r\n\r\n'));
    expect(raw).toContain('must be percent-encoded');
  });

  test('ids keep their slashes, encoded or, for relation/N, as they are', async () => {
    const id = async (path: string) => (await server.ask('GET', path)).json;
    expect(await id('/v1/boundaries/r62422')).toEqual({ id: 'r62422' });
    expect(await id('/v1/boundaries/-62422')).toEqual({ id: '-62422' });
    expect(await id('/v1/boundaries/relation%2F62422')).toEqual({ id: 'relation/62422' });
    expect(await id('/v1/boundaries/relation/62422')).toEqual({ id: 'relation/62422' });
    expect(await id('/v1/boundaries/relation/62422?detail=low')).toEqual({ id: 'relation/62422' });
    expect(await id('/v1/boundaries/relation/62422/children')).toEqual({ parts_of: 'relation/62422' });
    expect(await id('/v1/boundaries/relation%2F62422/children')).toEqual({ parts_of: 'relation/62422' });
    const url = 'https://www.openstreetmap.org/relation/62422?x=1#map=5';
    expect(await id(`/v1/boundaries/${encodeURIComponent(url)}`)).toEqual({ id: url });
    expect(await id('/v1/boundaries/searching')).toEqual({ id: 'searching' });
  });

  test('a path parameter is coerced, the body is not', async () => {
    const { key } = await server.key();
    const made = await server.ask('POST', '/v1/things/7', { json: { body: 'x' }, key });
    expect([made.status, made.json, made.headers.location]).toEqual([
      201,
      { id: 7, body: 'x' },
      'https://maps.example/base/v1/things/7',
    ]);
    const byName = await server.ask('POST', '/v1/ops/make_thing', { json: { id: 7, body: 'x' }, key });
    expect([byName.status, byName.json, byName.headers.location]).toEqual([
      made.status,
      made.json,
      made.headers.location,
    ]);
    expect((await server.ask('POST', '/v1/ops/make_thing', { json: { id: '7' }, key })).status).toBe(400);
  });

  test('a body of exactly 64 KiB is read', async () => {
    const note = 'x'.repeat(2 ** 16 - '{"include":["r1"],"note":""}'.length);
    const body = JSON.stringify({ include: ['r1'], note });
    expect(body.length).toBe(2 ** 16);
    const headers = { 'Content-Type': 'application/json; charset=UTF-8' };
    expect((await server.ask('POST', '/v1/boundaries/union', { body, headers })).status).toBe(200);
    expect((await server.ask('POST', '/v1/boundaries/union', { body: `${body} `, headers })).status).toBe(413);
  });

  test('a chunked body counts against the limit as it arrives', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const answer = await server.raw(
      `POST /v1/ops/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('headers', () => {
  test('a good X-Request-Id is kept, a bad one replaced, one is always sent', async () => {
    const id = async (sent?: string, path = '/v1/pricing') =>
      (await server.ask('GET', path, sent === undefined ? {} : { headers: { 'X-Request-Id': sent } })).headers[
        'x-request-id'
      ];
    expect(await id('my_request-1')).toBe('my_request-1');
    expect(await id('x'.repeat(64))).toBe('x'.repeat(64));
    for (const bad of ['short', 'x'.repeat(65), 'with space 123', 'semi;colon1', 'ünïcödé-1']) {
      expect(await id(bad)).toMatch(/^[\w-]{8,64}$/);
      expect(await id(bad)).not.toBe(bad);
    }
    expect(await id()).toMatch(/^[\w-]{8,64}$/);
    expect(await id(undefined, '/nowhere')).toMatch(/^[\w-]{8,64}$/);
  });

  test('any site may call /v1, without credentials, and read the headers that matter', async () => {
    for (const path of ['/v1', '/v1/pricing', '/v1/nowhere']) {
      const { headers } = await server.ask('GET', path, { headers: { Origin: 'https://other.example' } });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      for (const name of ['X-Request-Id', 'RateLimit-Limit', 'Retry-After', 'ETag', 'Location', 'Content-Location']) {
        expect(headers['access-control-expose-headers']).toContain(name);
      }
    }
    expect((await server.ask('GET', '/healthz')).headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await server.ask('OPTIONS', '/v1/boundaries/union', {
      headers: { Origin: 'https://other.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('POST');
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
    expect((await server.ask('OPTIONS', '/v1/ops/echo')).headers.allow).toBe('GET, HEAD, POST');
  });

  test('HEAD answers where GET does', async () => {
    for (const path of ['/v1', '/v1/pricing', '/healthz', '/docs/errors', '/v1/ops/get_pricing']) {
      const head = await server.ask('HEAD', path);
      const get = await server.ask('GET', path);
      expect([head.status, head.text, head.headers['content-length']]).toEqual([
        200,
        '',
        get.headers['content-length'],
      ]);
    }
  });

  test('the limit per minute is asked before the input is looked at', async () => {
    const { problem } = await import('../../src/core/errors.ts');
    await server.close();
    const asked: (string | null)[] = [];
    server = await openTestServer(
      { TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' },
      {
        database,
        admit: (caller, address) => {
          asked.push(caller.credential?.id ?? address);
          const refused = asked.length > 2 ? problem('rate_limited', 'Too many.', { retry_after: 7 }) : null;
          return { headers: { 'RateLimit-Limit': '2', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '7' }, refused };
        },
      },
    );
    const headers = { 'X-Forwarded-For': '198.51.100.7, 2001:db8:1:2:3::4, 10.1.1.1' };
    const first = await server.ask('GET', '/v1/boundaries/search?q=x', { headers });
    expect([first.status, first.headers['ratelimit-limit']]).toEqual([200, '2']);
    const { key, id } = await server.key();
    await server.ask('GET', '/v1/boundaries/search?q=x', { key });
    expect(asked).toEqual(['2001:db8:1:2::/64', id]);
    const refused = await server.ask('GET', '/v1/boundaries/search?nonsense');
    expect([refused.status, refused.json.code, refused.json.retry_after]).toEqual([429, 'rate_limited', 7]);
    expect([refused.headers['retry-after'], refused.headers['ratelimit-remaining']]).toEqual(['7', '0']);
  });
});

describe('what the registry gives', () => {
  test('GET /v1 lists every operation with its schemas', async () => {
    const { json } = await server.ask('GET', '/v1');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect([json.service, json.version]).toEqual(['boundary-lookup', version]);
    const items = json.items as Record<string, unknown>[];
    expect(items.map((item) => item.name)).toEqual(server.services.ops.map((op) => op.name));
    expect(items.find((item) => item.name === 'get_thing')).toMatchObject({
      method: 'GET',
      path: '/v1/boundaries/{id}',
      access: 'public',
      access_by_input: null,
      effect: 'read',
      cost: { units: 0, per: 'call' },
      input: { type: 'object', required: ['id'], additionalProperties: false },
      output: { type: 'object' },
    });
  });

  test('the page of errors has an anchor for every code, and runs nothing but our own file', async () => {
    const { text, headers } = await server.ask('GET', '/docs/errors');
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(`id="${code}"`);
    expect(text.match(/<script[^>]*>[^<]*/g)).toEqual(['<script type="module" src="/base/docs.js">']);
    expect(text).not.toMatch(/<API_KEY>| on\w+=/);
    expect(text).toContain('&lt;API_KEY&gt;');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'sha256-/);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('probes and metrics', async () => {
    expect((await server.ask('GET', '/healthz')).json).toEqual({ status: 'ok' });
    expect((await server.ask('GET', '/readyz')).json).toEqual({ status: 'ready', checks: { database: 'ok' } });
    await server.ask('GET', '/v1/boundaries/search');
    const { text, headers } = await server.ask('GET', '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(/boundary_calls_total\{op="echo",transport="http",code="ok"\} [1-9]/);
    expect(text).toMatch(/boundary_call_seconds_count\{op="echo",code="ok"\} [1-9]/);
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
