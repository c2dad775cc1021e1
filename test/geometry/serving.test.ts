import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { archipelagos, circles } from './large.ts';

const COUNT = 4;
/** A document of two of them has about 7 MB: more than the buffers of a connection take. */
const VERTICES = 150_000;
const MAX_RESPONSE_BYTES = 8_500_000;
/** So many of the largest answers may be on their way (src/transports/http_app.ts). */
const LIMIT = 4 * MAX_RESPONSE_BYTES;

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer(
    { threads: 1, maxQueue: 2, arcBytes: 64e6, cacheBytes: 64e6, maxResponseBytes: MAX_RESPONSE_BYTES },
    // The service would parse 200 documents of 7 MB to check them, which takes a minute and the memory that is measured
    // here. `union` checks those that it reads.
    { MAX_RESPONSE_BYTES: String(MAX_RESPONSE_BYTES), NODE_ENV: 'production' },
  );
  await storeBoundaries({ db: server.services.db, engine: server.engine }, circles(COUNT, VERTICES));
  ({ key } = await server.key());
});
afterAll(() => server?.close());

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
};

const union = (include: string[], detail = 'full') =>
  server.ask('POST', '/v1/boundaries/union', { json: { include, detail }, key });

/** A union asked for over a connection that the test holds: nothing of the answer is read unless it says so. */
function asking(include: string[], detail = 'full', format = 'geojson'): Promise<Socket> {
  const { hostname, port } = new URL(server.address);
  const body = JSON.stringify({ include, detail, format });
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(
        `POST /v1/boundaries/union HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

/** The first line of an answer, the rest unread. */
function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('closed')));
    socket.once('readable', () => {
      const head = String(socket.read(64) ?? socket.read());
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]));
    });
  });
}

/** Keeps the only thread busy until it is called. */
function occupied(): () => Promise<void> {
  const controller = new AbortController();
  const held = server.engine.pool.run('merge', archipelagos(90_000), controller.signal).catch(() => undefined);
  return async () => {
    controller.abort(new Error('enough'));
    await held;
  };
}

let release: (() => Promise<void>) | null = null;
afterEach(async () => {
  await release?.();
  release = null;
});

describe('a client that goes away', () => {
  it('while its union is computed: the worker is free at once, and the next is served', async () => {
    const { pool } = server.engine;
    // Unions of these take tens of milliseconds: in a few attempts one is met while it runs.
    let met = false;
    for (const [i, format] of (['gml', 'kml', 'svg', 'wkt', 'geojson'] as const).entries()) {
      const before = { ...pool.counts };
      const socket = await asking(['r1', 'r2'], 'full', format);
      await until(() => pool.active === 1 || pool.counts.completed > before.completed);
      socket.destroy();
      await until(() => pool.active === 0);
      if (pool.counts.canceled === before.canceled) continue;
      expect(pool.counts, String(i)).toEqual({ ...before, canceled: before.canceled + 1 });
      met = true;
      break;
    }
    expect(met).toBe(true);
    expect((await union(['r1'], 'low')).status).toBe(200);
    expect([pool.active, pool.queued, pool.counts.killed]).toEqual([0, 0, 0]);
  });

  it('while it waits: its place in the queue is free, and nothing is charged', async () => {
    const { pool } = server.engine;
    release = occupied();
    const used = await server.used(key);
    const socket = await asking(['r1', 'r3']);
    await until(() => pool.queued === 1);
    const { canceled } = pool.counts;
    socket.destroy();
    await until(() => pool.queued === 0);
    expect(pool.counts.canceled).toBe(canceled + 1);
    await release();
    expect((await union(['r2'], 'low')).status).toBe(200);
    expect(await server.used(key)).toBe(used + 1);
  });

  it('one of two who ask for the same: the work is done for the other, once', async () => {
    const { pool, strategies } = server.engine;
    release = occupied();
    const before = { ...strategies };
    const sockets = [await asking(['r2', 'r3']), await asking(['r2', 'r3'])];
    const other = union(['r2', 'r3']);
    await until(() => pool.queued === 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(pool.queued).toBe(1);
    defined(sockets[0]).destroy();
    defined(sockets[1]).destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(pool.queued).toBe(1);
    await release();
    expect((await other).status).toBe(200);
    expect(strategies.arcs).toBe(before.arcs + 1);
    // Asked for once more, it is there.
    expect((await union(['r2', 'r3'])).status).toBe(200);
    expect(strategies.arcs).toBe(before.arcs + 1);
  });
});

describe('no more than fits', () => {
  it('a full queue answers at once: 429, come back, nothing charged', async () => {
    const { pool } = server.engine;
    release = occupied();
    const waiting = [union(['r1', 'r4']), union(['r2', 'r4'])];
    await until(() => pool.queued === 2);
    const used = await server.used(key);
    const refused = await union(['r3', 'r4']);
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      429,
      'rate_limited',
      'server at capacity',
    ]);
    expect([refused.headers['retry-after'], pool.queued]).toEqual(['1', 2]);
    await release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await union(['r3', 'r4'])).status).toBe(200);
    // The two that waited and the one that came back, two boundaries each.
    expect(await server.used(key)).toBe(used + 6);
  });

  it('what cannot be sent is too_large before it is written', async () => {
    const refused = await union(['r1', 'r2', 'r3']);
    expect([refused.status, refused.json.code]).toEqual([413, 'too_large']);
    expect((await union(['r1', 'r2', 'r3'], 'low')).status).toBe(200);
  });

  it('readers that do not read hold a bounded number of bytes; others are asked to come back', async () => {
    const outgoing = async (): Promise<number> => {
      const text = await server.services.metrics.registry.metrics();
      return Number(/^boundary_outgoing_bytes (\d+)/m.exec(text)?.[1]);
    };
    const ids = ['r1', 'r2', 'r3', 'r4'];
    const pairs = ids.flatMap((a, i) => ids.slice(i + 1).map((b) => [a, b]));
    // Made one after the other, so that the queue, which is short here, refuses none.
    for (const pair of pairs) expect((await union(pair)).status).toBe(200);
    global.gc?.();
    const rss = process.memoryUsage.rss();
    const sockets = await Promise.all(Array.from({ length: 200 }, (_, i) => asking(defined(pairs[i % pairs.length]))));
    const all = await Promise.all(sockets.map(statusOf));
    const served = all.filter((status) => status === 200).length;
    const others = sockets.filter((_, i) => all[i] !== 200 && all[i] !== 429);
    expect(others.map((socket) => String(socket.read()))).toEqual([]);
    expect(all).toContain(429);
    expect(served).toBeGreaterThan(0);
    const held = await outgoing();
    expect(held).toBeGreaterThan(MAX_RESPONSE_BYTES / 2);
    expect(held).toBeLessThanOrEqual(LIMIT);
    // 200 answers of 7 MB would be 1.4 GB.
    expect(process.memoryUsage.rss() - rss).toBeLessThan(0.7e9);
    for (const socket of sockets) socket.destroy();
    for (let i = 0; i < 1000 && (await outgoing()) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await outgoing()).toBe(0);
    expect((await union(['r1', 'r2'])).status).toBe(200);
  });
});
