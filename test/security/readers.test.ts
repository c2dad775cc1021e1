import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnyOp, defineOp } from '../../src/core/op.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

/** More than the buffers of a connection take. */
const LIMIT = 16_000_000;
const STALLED_MS = 1_500;

/** A list of so many characters, as JSON and without a key. */
const listOp = defineOp({
  name: 'long_list',
  summary: 'A list as long as it is asked to be.',
  route: { method: 'GET', path: '/long-list' },
  access: { who: 'public' },
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ characters: z.int().min(0) }),
  output: z.object({ items: z.array(z.string()) }),
  errors: ['invalid_input', 'rate_limited', 'too_large'],
  examples: [{ input: { characters: 1 } }],
  run: async (_ctx, { characters }) => ({ items: ['x'.repeat(characters)] }),
});

let server: TestServer;
let listening: Listening;
let sockets: Socket[] = [];
beforeAll(async () => {
  // Not checked against what the operation declares: 20 texts of 16 MB, which take a second each to parse.
  server = await openTestServer({ MAX_RESPONSE_BYTES: String(LIMIT), NODE_ENV: 'production' });
  const all: AnyOp[] = [listOp];
  const app = createHttpApp({ ...server.services, ops: all }, all, { stalledMs: STALLED_MS });
  listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, server.services.config.BASE_URL);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  await listening?.close();
  await server?.close();
});

/** Asks for something; gives the first bytes of what comes, and reads no more of it. */
function ask(path: string): Promise<{ head: string; socket: Socket }> {
  const { port } = listening.server.address() as { port: number };
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`));
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => reject(new Error('closed')));
    socket.once('readable', () => resolve({ head: String(socket.read(1024) ?? socket.read()), socket }));
  });
}

const statusOf = (head: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
const longList = (characters: number): string => `/v1/long-list?characters=${characters}`;

/** What the service counts. */
async function gauge(name: string): Promise<number> {
  const text = await server.services.metrics.registry.metrics();
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe('answers in JSON', () => {
  test('one over MAX_RESPONSE_BYTES is refused', async () => {
    const { head } = await ask(longList(LIMIT));
    expect(statusOf(head)).toBe(413);
    expect(statusOf((await ask(longList(100))).head)).toBe(200);
  });

  test('20 readers that never read hold what fits, and no more; then they are cut off', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => ask(longList(LIMIT - 20))));
    const statuses = answers.map((one) => (one.status === 'fulfilled' ? statusOf(one.value.head) : 0));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(await gauge('boundary_outgoing_bytes')).toBeLessThanOrEqual(4 * LIMIT);
    expect(await gauge('boundary_outgoing_waiting')).toBeLessThanOrEqual(4);
    // What the kernel has not taken is gone with the connection.
    await until(async () => (await gauge('boundary_outgoing_bytes')) === 0);
    expect(await gauge('boundary_outgoing_waiting')).toBe(0);
    expect(statusOf((await ask(longList(LIMIT - 20))).head)).toBe(200);
  });
});
