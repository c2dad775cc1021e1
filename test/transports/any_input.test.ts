import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROBLEMS } from '../../src/core/errors.ts';
import { openTestServer, type Reply, type TestServer } from './test_server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await openTestServer();
  key = (await server.key()).key;
});
afterAll(() => server.close());

/** Whatever is sent: an answer that is declared, never our own failure. */
function expectAnswer(reply: Reply): void {
  if (reply.status < 300) return;
  expect(reply.status, reply.text).toBeLessThan(500);
  const code = reply.json.code as keyof typeof PROBLEMS;
  expect(reply.status).toBe(PROBLEMS[code].status);
}

const names = ['q', 'limit', 'id', 'detail', 'include', 'name', 'kinds', 'ratio', 'mine', 'input', '__proto__', 'x'];
const value = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('1', -0, 1e300, '-62422', 'relation/5'),
);
const body = fc.dictionary(fc.constantFrom(...names), value, { noNullPrototype: false });
/** Operations that neither wait nor crash on purpose. */
const op = fc.constantFrom(
  'echo',
  'echo_body',
  'get_thing',
  'list_parts',
  'make_thing',
  'get_pricing',
  'get_usage',
  'create_api_key',
  'revoke_api_key',
  'toString',
);
const RUNS = { numRuns: 150 };

test('any JSON by name', async () => {
  await fc.assert(
    fc.asyncProperty(op, fc.oneof(body, fc.jsonValue()), async (name, json) => {
      expectAnswer(await server.ask('POST', `/v1/ops/${name}`, { json, key }));
    }),
    RUNS,
  );
});

test('any bytes as a body', async () => {
  const headers = { 'Content-Type': 'application/json' };
  await fc.assert(
    fc.asyncProperty(op, fc.uint8Array({ maxLength: 200 }), async (name, bytes) => {
      expectAnswer(await server.ask('POST', `/v1/ops/${name}`, { body: Buffer.from(bytes), headers, key }));
    }),
    RUNS,
  );
});

test('any path and query', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }).map((s) => encodeURIComponent(s)),
    fc.string({ maxLength: 20 }).map((s) => s.replace(/[^!-~]|#/g, '%')),
  );
  const query = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 });
  const path = fc.oneof(
    text.map((segment) => `/v1/boundaries/${segment}`),
    text.map((segment) => `/v1/boundaries/${segment}/children`),
    text.map((segment) => `/v1/ops/${segment}`),
    fc.constantFrom('/v1/boundaries/search', '/v1/ops/echo', '/v1/pricing', '/v1/usage'),
    text.map((segment) => `/${segment}`),
  );
  await fc.assert(
    fc.asyncProperty(path, query, fc.constantFrom('GET', 'HEAD', 'DELETE'), async (where, members, method) => {
      const search = members.map(([name, content]) => `${name}=${content}`).join('&');
      const reply = await server.ask(method, `${where}?${search}`, { key });
      expect(reply.status, `${method} ${where}?${search} ${reply.text}`).toBeLessThan(500);
      if (method === 'GET') expectAnswer(reply);
    }),
    RUNS,
  );
});
