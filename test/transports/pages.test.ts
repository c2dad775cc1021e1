import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from './test_server.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

describe('what a browser gets', () => {
  test('at / a page with links to the documentation, the operations and the sign-in', async () => {
    const { status, headers, text } = await server.ask('GET', '/', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const path of ['/docs', '/v1', '/sign-in']) expect(text).toContain(`href="/base${path}"`);
  });

  test.each(['/nothing', '/docs/nothing', '/sign-in/nothing', '/v2', '/v10/boundaries'])(
    'at %s a page: not found',
    async (path) => {
      const { status, headers, text } = await server.ask('GET', path, { headers: BROWSER });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('Go to <a href="/base/">the map</a>, or see <a href="/base/docs">the documentation</a>.');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  test('at a page that takes forms only, a page that says so', async () => {
    const { status, headers, text } = await server.ask('GET', '/sign-out', { headers: BROWSER });
    expect([status, headers.allow, headers['content-type']]).toEqual([405, 'POST', 'text/html; charset=utf-8']);
    expect(text).toMatch(/Request [\w-]+: method_not_allowed/);
  });

  test.each([
    '/v1/nothing',
    '/V1/nothing',
    '/mcp/nothing',
    '/tiles/nothing',
    '/webhooks/nothing',
    '/.well-known/nothing',
    '/v1',
  ])('at %s what programs read, whatever it accepts', async (path) => {
    const { headers } = await server.ask('GET', path, { headers: BROWSER });
    expect(headers['content-type']).toMatch(/json/);
  });

  test.each(['*/*', 'application/json', 'application/json, text/html', ''])(
    'a program that accepts %j gets a problem',
    async (accept) => {
      const { status, headers } = await server.ask('GET', '/nothing', { headers: accept ? { Accept: accept } : {} });
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
    },
  );
});
