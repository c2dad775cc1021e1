import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Services } from '../../src/services.ts';
import { webRoutes } from '../../src/transports/http/web.ts';

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'boundary-web-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<html><head><base href="/"></head><body></body></html>');
  const services = { config: { BASE_URL: 'http://localhost', UPSTREAM_URL: [] } } as unknown as Services;
  const none = () => Promise.reject(new Error('not called'));
  const { GET } = new Map(webRoutes(services, folder, none, none)).get('/map') ?? {};
  const app = new Koa();
  app.silent = true;
  app.use((ctx) => GET?.(ctx));
  server = createServer(app.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true });
});

it('a page that could not be read once is read again', async () => {
  const status = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/map`)).status;
  const [path, aside] = [join(folder, 'index.html'), join(folder, 'aside.html')];
  renameSync(path, aside);
  expect(await status()).toBe(500);
  renameSync(aside, path);
  expect(await status()).toBe(200);
});
