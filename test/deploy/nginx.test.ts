import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { createHttpApp } from '../../src/transports/http/http.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { hasNginx, type Nginx, startNginx } from './nginx.ts';

const isProved = hasNginx || process.env.CI !== undefined;
if (!isProved) console.warn('nginx is not installed (Debian: nginx-light): deploy/nginx.conf was not tested');

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let server: BoundaryTestServer;
let listening: Listening;
let nginx: Nginx;
let ann: string;
let bob: string;
/** What reached the service: method and target. */
let reached: string[] = [];
/** Whom requests were counted by. */
let networks: string[] = [];
beforeAll(async () => {
  if (!isProved) return;
  if (!hasNginx) throw new Error('nginx is not installed (Debian: nginx-light)');
  server = await openBoundaryTestServer({}, { TRUSTED_PROXIES: '127.0.0.1' });
  await storeBoundaries(server.services, fixtureWorld());
  const services = {
    ...server.services,
    admit: (_caller: unknown, network: string) => {
      networks.push(network);
      return { headers: {}, refused: null };
    },
  };
  const app = createHttpApp(services, ops).callback();
  listening = await listen(
    async (sent, response) => {
      reached.push(`${sent.method} ${sent.url}`);
      // So long that all of those who ask at the same time have asked.
      if (sent.url?.startsWith('/v1/exports/')) await sleep(300);
      app(sent, response);
    },
    { host: '127.0.0.1', port: 0 },
    'http://maps.example',
  );
  nginx = await startNginx(Number(new URL(listening.address).port));
  ann = (await server.key()).key;
  bob = (await server.key()).key;
});
afterAll(async () => {
  await nginx?.close();
  await listening?.close();
  await server?.close();
});
beforeEach(() => {
  reached = [];
  networks = [];
});

/** Sends a request through nginx, as it is written; over a connection of its own. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(nginx.origin);
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('latin1');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** The path of an export that no one has fetched yet. */
async function exported(id: string, format = 'geojson'): Promise<string> {
  const made = await get(`/v1/boundaries/${id}/export?format=${format}&detail=full`, bearer(ann));
  expect(made.status).toBe(200);
  reached = [];
  const url = String(made.headers['content-location']);
  return url.slice(url.indexOf('/v1/exports/'));
}

describe.runIf(isProved)('deploy/nginx.conf', () => {
  test('an export is fetched once, and is the same from the cache', async () => {
    const path = await exported('r111');
    const miss = await get(path);
    const hit = await get(path);
    expect([miss.status, miss.headers['x-cache-status'], hit.headers['x-cache-status']]).toEqual([200, 'MISS', 'HIT']);
    expect(hit.text).toBe(miss.text);
    for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'cross-origin-resource-policy']) {
      expect(hit.headers[name], name).toBe(miss.headers[name]);
      expect(hit.headers[name], name).toBeDefined();
    }
    expect(hit.headers['x-request-id']).not.toBe(miss.headers['x-request-id']);
    expect(reached).toEqual([`GET ${path}`]);
    const same = await get(path, { 'If-None-Match': String(hit.headers.etag) });
    expect([same.status, same.text]).toEqual([304, '']);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(hit.text.length)]);
    const part = await get(path, { Range: 'bytes=0-9' });
    expect([part.status, part.text]).toEqual([206, hit.text.slice(0, 10)]);
    // A query makes no other file of it.
    expect((await get(`${path}?x=1`)).headers['x-cache-status']).toBe('HIT');
    expect(reached).toHaveLength(1);
  });

  test('twenty who ask at the same time make one request', async () => {
    const path = await exported('r112');
    const all = await Promise.all(Array.from({ length: 20 }, () => get(path)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(reached).toEqual([`GET ${path}`]);
  });

  test('each coding is kept apart, however it is asked for', async () => {
    const path = await exported('r100', 'svg');
    const ask = async (accepted: string) => {
      const { headers } = await get(path, { 'Accept-Encoding': accepted });
      return [headers['content-encoding'], headers.etag, headers['x-cache-status']];
    };
    const direct = async (accepted: string) => {
      const { headers } = await fetch(listening.address + path, { headers: { 'Accept-Encoding': accepted } });
      return [headers.get('content-encoding') ?? undefined, headers.get('etag')];
    };
    for (const [first, again] of [
      ['br', 'gzip, deflate, br;q=0.9'],
      ['gzip', 'gzip;q=0.5, br;q=0'],
      ['identity', 'deflate'],
    ]) {
      const [coding, etag] = await direct(first);
      expect(coding).toBe(first === 'identity' ? undefined : first);
      expect(await ask(first)).toEqual([coding, etag, 'MISS']);
      expect(await ask(again)).toEqual([coding, etag, 'HIT']);
    }
  });

  test('an answer to a credential is not kept, nor is a cookie answered from the cache', async () => {
    const path = await exported('r113');
    for (const headers of [bearer(ann), { Cookie: 'boundary_session=x' }]) {
      for (let i = 0; i < 2; i++) expect((await get(path, headers)).headers['x-cache-status']).toBe('BYPASS');
    }
    expect(reached).toHaveLength(4);
    expect((await get(path)).headers['x-cache-status']).toBe('MISS');
  });

  test('a file of the library goes to its owner alone, and is asked for each time', async () => {
    const saved = await server.rpc('save_file', { boundary_id: 'r121', format: 'geojson' }, ann);
    expect(saved.status).toBe(201);
    const path = `/v1/files/${saved.json.id}/content`;
    for (let i = 0; i < 2; i++) {
      const mine = await get(path, bearer(ann));
      expect([mine.status, mine.headers['cache-control']]).toEqual([200, 'private, no-cache']);
      expect(mine.headers).not.toHaveProperty('x-cache-status');
    }
    expect((await get(path, bearer(bob))).status).toBe(404);
    expect((await get(path)).status).toBe(401);
    expect(reached).toHaveLength(4);
    // Written so that nginx takes it for an export, it is still the service that answers.
    const sha = 'a'.repeat(64);
    const odd = await get(`${path}/..%2f..%2f..%2fexports%2f${sha}.geojson`, bearer(ann));
    expect(odd.status).toBe(404);
  });

  test('no caller sees what another one was answered', async () => {
    const of = async (key: string) => (await get('/v1/account', bearer(key))).text;
    const [first, second] = [await of(ann), await of(bob)];
    expect(first).not.toBe(second);
    expect(await of(ann)).toBe(first);
    expect((await get('/v1/account')).status).toBe(401);
    expect((await get('/metrics')).status).toBe(404);
    expect(reached).toHaveLength(4);
  });

  test('an address that a client writes is not believed', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' };
    await get('/v1/boundaries/search?q=Atlantis', forged);
    await get(await exported('r122'), forged);
    await get('/tiles/boundaries/0/0/0.mvt', forged);
    expect(networks.length).toBeGreaterThanOrEqual(3);
    expect(new Set(networks)).toEqual(new Set(['127.0.0.1']));
    // Believed from a proxy that is trusted, which is how nginx's own word counts.
    await fetch(`${listening.address}/v1/boundaries/search?q=Atlantis`, {
      headers: { 'X-Forwarded-For': '203.0.113.9' },
    });
    expect(networks.at(-1)).toBe('203.0.113.9');
  });

  test('tiles are kept, by their address and language', async () => {
    const path = '/tiles/boundaries/5/16/16.mvt';
    expect((await get(path)).headers['x-cache-status']).toBe('MISS');
    expect((await get(path)).headers['x-cache-status']).toBe('HIT');
    expect((await get(`${path}?lang=fr`)).headers['x-cache-status']).toBe('MISS');
    expect(reached).toEqual([`GET ${path}`, `GET ${path}?lang=fr`]);
    const outside = await get('/tiles/boundaries/1/9/9.mvt');
    expect(outside.status).toBe(400);
    await get('/tiles/boundaries/1/9/9.mvt');
    expect(reached).toHaveLength(4);
  });

  test('what does not exist is not remembered as missing', async () => {
    const path = `/v1/exports/${'0'.repeat(64)}.geojson`;
    for (let i = 0; i < 2; i++) expect((await get(path)).status).toBe(404);
    expect(reached).toHaveLength(2);
  });
});
