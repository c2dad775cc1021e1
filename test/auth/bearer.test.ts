import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await openTestServer();
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const asked = async (authorization: string, path = '/v1/ops/echo', json: object = { q: 'x' }) => {
  const accept = { Accept: 'application/json, text/event-stream' };
  const reply = await server.ask('POST', path, { json, headers: { ...accept, Authorization: authorization } });
  return [reply.status, reply.text];
};

/** Keys as people and programs spoil them. */
const SPOILED: readonly (readonly [string, (key: string) => string])[] = [
  ['without its prefix', (good) => `Bearer ${good.slice('bnd_live_'.length)}`],
  ['without half of its prefix', (good) => `Bearer ${good.slice('bnd_'.length)}`],
  ['in capitals', (good) => `Bearer ${good.toUpperCase()}`],
  ['in small letters', (good) => `Bearer ${good.toLowerCase()}`],
  ['with Bearer twice', (good) => `Bearer Bearer ${good}`],
  ['twice', (good) => `Bearer ${good} ${good}`],
  ['in quotes', (good) => `Bearer "${good}"`],
  ['in angle brackets', (good) => `Bearer <${good}>`],
  ['with its end cut off', (good) => `Bearer ${good.slice(0, -3)}`],
];

describe('a key', () => {
  it('is taken as it was created, with blanks around it', async () => {
    expect((await asked(`Bearer ${key}`))[0]).toBe(200);
    expect((await asked(`bearer   ${key} `))[0]).toBe(200);
  });

  it.each(SPOILED)('%s is an invalid key, and no access token', async (_how, spoil) => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    for (const [path, json] of [
      ['/v1/ops/echo', { q: 'x' }],
      ['/mcp', list],
    ] as const) {
      const [status, text] = await asked(spoil(key), path, json);
      expect([status, text], path).toEqual([401, expect.stringContaining('"code":"invalid_key"')]);
      expect(text).not.toContain(key.slice(-20));
    }
  });

  it('is not meant by an access token', async () => {
    for (const token of ['nonsense', 'x'.repeat(43), 'a.b.c', 'one two']) {
      expect(await asked(`Bearer ${token}`), token).toEqual([401, expect.stringContaining('"code":"invalid_token"')]);
    }
    expect(await asked(`Basic ${key}`)).toEqual([401, expect.stringContaining('"code":"unauthorized"')]);
  });
});
