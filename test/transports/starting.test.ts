import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startingListener } from '../../src/transports/http/starting.ts';

const starting = startingListener('http://127.0.0.1');
let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer(starting.listener);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

const ask = (path: string, accept: string) => fetch(base + path, { headers: { Accept: accept } });

test('a browser at / gets a page that loads itself again, programs a problem, until the application is there', async () => {
  const page = await ask('/', 'text/html,*/*;q=0.8');
  expect([page.status, page.headers.get('refresh'), page.headers.get('retry-after')]).toEqual([503, '5', '5']);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<h1>Starting</h1>');
  for (const [path, accept] of [
    ['/', 'application/json'],
    ['/v1', 'text/html'],
  ] as const) {
    const reply = await ask(path, accept);
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([path, 429, 'application/problem+json']);
  }
  starting.setLoading({ step: 'Spain', done: 2, total: 3 });
  expect(await (await ask('/readyz', '*/*')).json()).toEqual({ status: 'loading', step: 'Spain', done: 2, total: 3 });
  starting.ready((_request, response) => void response.writeHead(200, ['X-Own', 'its']).end('ready'));
  const loading = await ask('/', 'text/html');
  expect([loading.headers.get('x-own'), loading.headers.get('boundary-loading'), await loading.text()]).toEqual([
    'its',
    'Spain; done=2; total=3',
    'ready',
  ]);
  starting.setLoading(null);
  expect((await ask('/', 'text/html')).headers.get('boundary-loading')).toBeNull();
});
