import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, openLibraryTestServer } from './library_test_server.ts';

/** A store that cuts every connection. */
let store: Server;
let server: LibraryTestServer;
beforeAll(async () => {
  store = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.resetAndDestroy());
  });
  await new Promise<void>((done) => void store.listen(0, '127.0.0.1', done));
  const { port } = store.address() as { port: number };
  process.env.AWS_ACCESS_KEY_ID = 'unknown';
  process.env.AWS_SECRET_ACCESS_KEY = 'nothing';
  server = await openLibraryTestServer({
    STORAGE_URL: `s3://boundaries/where?endpoint=http://127.0.0.1:${port}&path_style=true`,
  });
});
afterAll(async () => {
  await server?.close();
  await new Promise((done) => store.close(done));
});

it('a store that resets connections is away, which costs nothing, and is not a client that went away', async () => {
  const { member, owner } = await server.staff('free');
  for (const transport of ['http', 'rpc'] as const) {
    const input = { boundary_id: 'r100', format: 'kml', detail: 'full' };
    const { status, headers, body } = await server.call(transport, 'save_file', input, member);
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '5',
      expect.objectContaining({
        code: 'upstream_unavailable',
        detail: 'The file store of the server does not answer.',
        retry_after: 5,
      }),
    ]);
  }
  expect(await server.used(owner.key)).toBe(0);
  // What is not a file alone is answered.
  const path = '/v1/boundaries/r100/export?format=kml&detail=full';
  const file = await server.get(path, member.key);
  expect([file.status, file.headers['content-location']]).toEqual([200, undefined]);
});

it('what a store has that is away is not said to be missing', async () => {
  for (const path of [`/v1/exports/${'a'.repeat(64)}.kml`, `/v1/exports/${'b'.repeat(64)}.svg`]) {
    const { status, json } = await server.get(path);
    expect([status, json]).toEqual([503, expect.objectContaining({ code: 'upstream_unavailable' })]);
  }
});
