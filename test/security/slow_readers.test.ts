import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { MOST_STREAMS } from '../../src/transports/http/outgoing.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, ringsOf, SOUTH, WEST } from '../ops/fixture_world.ts';
import { closed } from '../setup/elements.ts';

/** Islands, and vertices of each: as GeoJSON more than the buffers of a connection take. */
const ISLANDS = 24;
const VERTICES = 8000;
/** A file that is streamed from storage, because it is larger than MAX_RESPONSE_BYTES. */
const FILE = Buffer.alloc(24e6, 'PMTiles');
const FILE_PATH = `/v1/exports/${createHash('sha256').update(FILE).digest('hex')}.pmtiles`;
const COLLECTION = JSON.stringify({
  ids: Array.from({ length: ISLANDS }, (_, i) => `r${i + 1}`),
  format: 'geojson',
  detail: 'full',
});
const TILE_PATH = '/tiles/boundaries/8/106/105.mvt';

let server: BoundaryTestServer;
let listening: Listening;
const opened: Listening[] = [];
let key: string;
let readers: Socket[] = [];
let pace: NodeJS.Timeout | undefined;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, { MAX_RESPONSE_BYTES: String(16e6) });
  const boundaries = Array.from({ length: ISLANDS }, (_, i) => {
    const [east, north] = [WEST + (i % 8), SOUTH + Math.floor(i / 8)];
    const ring = Array.from({ length: VERTICES }, (_, n): [number, number] => {
      const angle = (2 * Math.PI * n) / VERTICES;
      const radius = 0.3 + 0.01 * Math.sin(40 * angle + i);
      return [east + radius * Math.cos(angle), north + radius * Math.sin(angle)];
    });
    return fixtureBoundary(`r${i + 1}`, `Island ${i + 1}`, ringsOf(closed(ring)), { adminLevel: 4 });
  });
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'islands', boundaries, ways: new Map() },
  );
  await server.services.blobs.put(createHash('sha256').update(FILE).digest('hex'), 'pmtiles', FILE);
  ({ key } = await server.key('business'));
}, 240_000);
afterEach(() => {
  clearInterval(pace);
  for (const socket of readers) socket.destroy();
  readers = [];
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await server?.close();
});

/** Serves with this time after which a reader that accepts nothing is disconnected. */
async function serve(stalledMs: number): Promise<void> {
  // Blobs in memory are sent from there: the file must come from its disk.
  const blobs = { ...server.services.blobs, held: () => null };
  const app = createHttpApp({ ...server.services, blobs }, ops, { stalledMs });
  listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, server.services.config.BASE_URL);
  opened.push(listening);
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const collection = (): string =>
  `POST /v1/collections HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(COLLECTION)}\r\n\r\n${COLLECTION}`;

/** Connects, sends a text, and gives the status when the head has come; no more than the head is read here. */
function ask(text: string): Promise<{ socket: Socket; status: number }> {
  const { port } = listening.server.address() as { port: number };
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    readers.push(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => reject(new Error('closed without an answer')));
    socket.once('readable', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(String(socket.read(12)))?.[1]);
      resolve({ socket, status });
    });
  });
}

/** Asks as an ordinary client, which reads everything; the status and the number of bytes. */
async function whole(path: string, init: RequestInit = {}): Promise<[number, number]> {
  const answer = await fetch(listening.address + path, init);
  return [answer.status, (await answer.arrayBuffer()).byteLength];
}

/** Lets the readers take one byte a second each. */
function drip(): void {
  pace = setInterval(() => {
    for (const socket of readers) socket.read(1);
  }, 1000);
}

/** How many connections the server has open. */
const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    listening.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const fromFile = () => whole(FILE_PATH);
const collected = () =>
  whole('/v1/collections', {
    method: 'POST',
    body: COLLECTION,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  });
const patience = { timeout: 100_000, interval: 100 };

test('readers of files and collections that take all places give them to others, and end', {
  timeout: 240_000,
}, async () => {
  await serve(20_000);
  const sizes = { file: (await fromFile())[1], collection: (await collected())[1] };
  expect(sizes).toEqual({ file: FILE.length, collection: expect.any(Number) });
  expect(sizes.collection).toBeGreaterThan(4e6);
  const before = process.memoryUsage().arrayBuffers;
  const texts = Array.from({ length: MOST_STREAMS }, (_, i) => (i % 2 === 0 ? collection() : get(FILE_PATH)));
  const held = await Promise.all(texts.map(ask));
  expect(held.map(({ status }) => status)).toEqual(held.map(() => 200));
  drip();
  expect((await whole('/healthz'))[0]).toBe(200);
  // At first there is no telling who is slow, so the first calls may be refused.
  await vi.waitFor(async () => expect(await fromFile()).toEqual([200, sizes.file]), patience);
  await vi.waitFor(async () => expect(await collected()).toEqual([200, sizes.collection]), patience);
  // Only the slowest made room.
  expect(await connections()).toBeGreaterThan(MOST_STREAMS / 2);
  // Sent in full, the answers would take this memory.
  const full = (MOST_STREAMS / 2) * (sizes.file + sizes.collection);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(full / 2);
  // The others go when their time is over, though they go on reading a byte a second.
  await vi.waitFor(async () => expect(await connections()).toBeLessThan(MOST_STREAMS / 4), patience);
});

test('tiles asked for at once on a connection that is not read are bounded, and the connection ends', {
  timeout: 120_000,
}, async () => {
  await serve(1_000);
  const [status, size] = await whole(TILE_PATH);
  expect([status, size > 1000]).toEqual([200, true]);
  const many = 2000;
  const before = process.memoryUsage().arrayBuffers;
  const held = await Promise.all(Array.from({ length: 10 }, () => ask(get(TILE_PATH).repeat(many))));
  expect(held.map((one) => one.status)).toEqual(held.map(() => 200));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((held.length * many * size) / 2);
  expect(await whole(TILE_PATH)).toEqual([200, size]);
  await vi.waitFor(async () => expect(await connections()).toBeLessThan(held.length / 2), patience);
});
