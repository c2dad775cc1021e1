import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
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

/** Sends bytes through nginx as they are, and gives all that comes back until the connection ends or is silent. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(nginx.origin).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    let got = '';
    socket.setTimeout(400, () => socket.destroy());
    socket.on('data', (some) => {
      got += some.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(got));
  });
}

const SMUGGLED = 'GET /v1/kinds?smuggled=1 HTTP/1.1\r\nHost: x\r\nX-Rest: ';
const post = (headers: string, body: string): string =>
  `POST /v1/boundaries/union HTTP/1.1\r\nHost: maps.example\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const size = SMUGGLED.length;
const inChunk = `${size.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
/** Requests whose end two servers may see at different places, with another request in what one of them takes for a body. */
const AMBIGUOUS: readonly (readonly [string, string])[] = [
  [
    'a length and chunks, the length first',
    post(`Content-Length: ${size + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 4', inChunk)],
  ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${size}`, SMUGGLED)],
  ['a length with a sign', post(`Content-Length: +${size}`, SMUGGLED)],
  ['a list of lengths', post(`Content-Length: 0, ${size}`, SMUGGLED)],
  ['a length in hexadecimal', post('Content-Length: 0x0', SMUGGLED)],
  [
    'a space before the colon',
    post(`Content-Length: ${size + 5}\r\nTransfer-Encoding : chunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'another name of chunks',
    post(`Content-Length: ${size + 5}\r\nTransfer-Encoding: xchunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SMUGGLED}`)],
  ['a list of encodings', post('Transfer-Encoding: gzip, chunked', `0\r\n\r\n${SMUGGLED}`)],
  [
    'a vertical tab before chunks',
    post(`Content-Length: ${size + 5}\r\nTransfer-Encoding: \x0bchunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'a folded header',
    post(`Content-Length: ${size + 5}\r\nX: y\r\n Transfer-Encoding: chunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'a header that ends in a bare line feed',
    post(`Content-Length: ${size + 5}\nTransfer-Encoding: chunked`, `0\r\n\r\n${SMUGGLED}`),
  ],
  [
    'a bare carriage return in a header',
    post(`X: a\rTransfer-Encoding: chunked\r\nContent-Length: ${size + 5}`, `0\r\n\r\n${SMUGGLED}`),
  ],
  ['a size of a chunk that overflows', post('Transfer-Encoding: chunked', `1000000000000000${inChunk}`)],
  ['a size of a chunk with an extension', post('Transfer-Encoding: chunked', `0;x=\r\n\r\n${SMUGGLED}`)],
  ['a chunk that ends in a bare line feed', post('Transfer-Encoding: chunked', `1\nx\n0\r\n\r\n${SMUGGLED}`)],
  ['a GET with a body', `GET /v1/kinds HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${SMUGGLED}`],
  ['HTTP/1.0 in chunks', post('Transfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`).replace('HTTP/1.1', 'HTTP/1.0')],
  ['a NUL in a header', post(`X: a\0b\r\nContent-Length: ${size}`, SMUGGLED)],
  [
    'a request in the target',
    `GET /v1/kinds%20HTTP/1.1%0d%0aHost:%20x%0d%0a%0d%0a${encodeURIComponent(SMUGGLED)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ],
];

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
      const [coding, etag] = await direct(defined(first));
      expect(coding).toBe(first === 'identity' ? undefined : first);
      expect(await ask(defined(first))).toEqual([coding, etag, 'MISS']);
      expect(await ask(defined(again))).toEqual([coding, etag, 'HIT']);
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

  test.each(AMBIGUOUS)(
    'a request that ends at two places leaves nothing for the next caller: %s',
    async (_how, text) => {
      const got = await raw(text);
      const answers = [...got.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].length;
      // What the sender got an answer to is their own next request; anything more would be answered to someone else.
      expect(reached.length).toBeLessThanOrEqual(answers);
      // Each connection of nginx to the service is used again by other callers.
      reached = [];
      const others = await Promise.all(Array.from({ length: 8 }, (_, i) => get(`/v1/kinds?other=${i}`)));
      for (const other of others) {
        expect(other.status).toBe(400);
        expect(JSON.parse(other.text).issues).toMatchObject([{ path: 'other' }]);
      }
      expect(reached.toSorted()).toEqual(others.map((_, i) => `GET /v1/kinds?other=${i}`));
    },
  );

  test('what does not exist is not remembered as missing', async () => {
    const path = `/v1/exports/${'0'.repeat(64)}.geojson`;
    for (let i = 0; i < 2; i++) expect((await get(path)).status).toBe(404);
    expect(reached).toHaveLength(2);
  });
});
