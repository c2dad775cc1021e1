import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toProblemDocument } from '../../src/core/errors.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { toDatabaseError } from '../../src/db/database_error.ts';
import { ORIGIN } from '../auth/browser.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { openTestServer, type TestServer } from './test_server.ts';

/** A way to a native database that can be cut. */
async function cuttable(url: string) {
  const target = new URL(url);
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const relay = createServer((socket) => {
    const onward = connect(Number(port || 5432), hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  target.host = `127.0.0.1:${(relay.address() as { port: number }).port}`;
  return {
    url: target.href,
    cut() {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let database: TestDatabase;
let server: TestServer;
let end: () => void | Promise<void>;
beforeAll(async () => {
  database = await testDatabase({ own: true });
  const way = database.databaseUrl === null ? null : await cuttable(database.databaseUrl);
  const db = way === null ? database.db : await openDatabase({ databaseUrl: way.url, dataDir: '' });
  end = () => way?.cut() ?? db.close();
  server = await openTestServer({ BASE_URL: ORIGIN }, { database: { ...database, db } });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
});

test('without its database every path says that it is away, and when to come back', async () => {
  const { key } = await server.key();
  await end();
  const away = { status: 503, json: { code: 'upstream_unavailable', retry_after: 5 }, headers: { 'retry-after': '5' } };
  const asked: [string, string, object?][] = [
    ['GET', '/v1/feedback', undefined],
    ['GET', '/v1/account', { key: key }],
    ['POST', '/v1/ops/get_account', { key, json: {} }],
    ['POST', '/v1/auth/device/code', { json: {} }],
    ['POST', '/v1/auth/device/token', { json: { device_code: 'x'.repeat(43) } }],
  ];
  for (const [method, path, options] of asked) {
    const reply = await server.ask(method, path, options);
    expect({ path, ...reply }).toMatchObject(away);
  }
  const page = await server.ask('POST', '/sign-in', {
    body: 'email=ann%40example.org',
    headers: { Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
  expect(server.logged.join('')).toContain('internal error');
});

test.each([
  ['FATAL', 'connection_lost'],
  ['ERROR', 'XX000'],
])('an internal error of the server with severity %s is %s', (severity, code) => {
  // What a session says that cannot start on a full disk is fatal, and has no state of its own.
  const said = Object.assign(new Error('could not write init file'), { severity, code: 'XX000' });
  expect(toDatabaseError(said).code).toBe(code);
});

test.each([
  ['connection_lost', 'The database of the server does not answer.'],
  ['closed', 'The database of the server does not answer.'],
  ['store_away', 'The file store of the server does not answer.'],
  ['25006', 'The database of the server takes no writes now.'],
  ['53100', 'The server has no disk space left. What this call would store is not stored.'],
  ['ENOSPC', 'The server has no disk space left. What this call would store is not stored.'],
])('%s, also as a cause, says nothing else', (code, detail) => {
  const fault = Object.assign(new Error('secret path /var/lib'), { code });
  for (const error of [fault, new Error('outer secret', { cause: fault })]) {
    const document = toProblemDocument(error, 'req_1', ORIGIN);
    expect(document).toMatchObject({ status: 503, code: 'upstream_unavailable', detail });
    expect(JSON.stringify(document)).not.toContain('secret');
  }
});
