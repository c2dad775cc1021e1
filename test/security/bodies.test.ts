import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { accept, mayCall } from '../../src/core/accept.ts';
import { asProblem } from '../../src/core/errors.ts';
import { BODY_BYTES, MOST_VALUES } from '../../src/core/input.ts';
import { ANONYMOUS, type AnyOp, type Caller, defineOp, LOCAL_OPERATOR } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

/** What one read of a socket and the buffer of a stream may hold beyond what was asked for. */
const BUFFERS = 192 * 1024;

let parsed = 0;
const counted = defineOp({
  name: 'counted',
  summary: 'Counts how often its input is validated.',
  route: { method: 'POST', path: '/counted' },
  access: (input) => (input.open ? { who: 'public' } : { who: 'viewer' }),
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    open: z.boolean().refine(() => {
      parsed++;
      return true;
    }),
  }),
  output: z.object({ done: z.boolean() }),
  errors: ['invalid_input', 'rate_limited', 'unauthorized'],
  examples: [{ input: { open: true } }],
  run: async () => ({ done: true }),
});

let server: TestServer;
let listening: Listening;
/** Bytes that the connection had brought when the answer to its first request was made, newest last. */
const readWhenAnswered: number[] = [];
let sockets: Socket[] = [];
beforeAll(async () => {
  server = await openTestServer();
  const all = [...ops, counted];
  const app = createHttpApp({ ...server.services, ops: all }, all);
  const handler = app.callback();
  listening = await listen(
    (request: IncomingMessage, response: ServerResponse) => {
      response.once('prefinish', () => readWhenAnswered.push(request.socket.bytesRead));
      handler(request, response);
    },
    { host: '127.0.0.1', port: 0 },
    server.services.config.BASE_URL,
  );
  // Tests below keep this thread busy for longer than idle connections live: none is closed behind the client's back.
  listening.server.keepAliveTimeout = 0;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(async () => {
  await listening?.close();
  await server?.close();
});

interface Answered {
  readonly status: number;
  /** Bytes on the connection when it was made. */
  readonly read: number;
  readonly socket: Socket;
}

/** Sends a head, then nothing or, with `endless`, a body that does not end; gives the status that comes back. */
function send(method: string, path: string, headers: Record<string, string>, endless = false): Promise<Answered> {
  const { port } = listening.server.address() as { port: number };
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const piece = Buffer.from(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    if (endless) {
      socket.on('drain', more);
      more();
    }
    socket.on('error', reject);
    socket.once('data', (text) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(String(text))?.[1]);
      resolve({ status, read: readWhenAnswered.at(-1) ?? 0, socket });
    });
  });
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const pathOf = (op: AnyOp): string => `/v1${op.route.path.replace(/:\w+/g, 'r1')}`;
const takesBody = ({ route }: AnyOp): boolean => route.method !== 'GET';
const each = ops.map((op) => [op.name, op] as const);
const closed = each.filter(([, op]) => !mayCall(op, ANONYMOUS));
const open = each.filter(([, op]) => mayCall(op, ANONYMOUS));

/** Where an operation reads a body: by its name and, unless it is called with GET, by its own route. */
function doors(op: AnyOp): [string, string][] {
  const byName: [string, string] = ['POST', `/v1/ops/${op.name}`];
  return takesBody(op) ? [byName, [op.route.method, pathOf(op)]] : [byName];
}

describe('bytes', () => {
  test.each(closed)('%s needs a key: without one it is refused before any of the body has come', async (_name, op) => {
    for (const [method, path] of doors(op)) {
      const { status, read } = await send(method, path, { ...JSON_TYPE, 'Content-Length': '60000' });
      expect([status, read < 1000], `${method} ${path}`).toEqual([401, true]);
    }
  });

  test.each(open)('%s reads no more than its limit', async (_name, op) => {
    const limit = op.bodyBytes ?? BODY_BYTES;
    for (const [method, path] of doors(op)) {
      const reported = await send(method, path, { ...JSON_TYPE, 'Content-Length': String(limit + 1) });
      expect([reported.status, reported.read < 1000], `${method} ${path}`).toEqual([413, true]);
      const endless = await send(method, path, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, true);
      expect(endless.status).toBe(413);
      expect(endless.read).toBeLessThan(limit + BUFFERS);
    }
  });

  const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const others: [string, number, Record<string, string>, number][] = [
    ['/sign-in', 16 * 1024, FORM, 413],
    ['/v1/auth/device/code', 4 * 1024, JSON_TYPE, 413],
    ['/v1/auth/device/token', 4 * 1024, JSON_TYPE, 413],
    // As much as the largest operation that anyone may call takes, in an envelope.
    ['/mcp', Math.max(BODY_BYTES, ...open.map(([, op]) => op.bodyBytes ?? 0)) + 16 * 1024, JSON_TYPE, 413],
    // The status that OAuth has for it.
    ['/oauth/token', 56 * 1024, FORM, 400],
    ['/oauth/reg', 56 * 1024, JSON_TYPE, 400],
  ];
  test.each(others)('%s reads no more than %i bytes', async (path, limit, type, refusal) => {
    const headers = { ...type, Origin: new URL(server.services.config.BASE_URL).origin };
    const own = path === '/mcp' ? type : headers;
    const reported = await send('POST', path, { ...own, 'Content-Length': String(limit + 1) });
    expect([reported.status, reported.read < 1000]).toEqual([refusal, true]);
  });

  test('what sends on after its answer loses the connection', async () => {
    const { socket } = await send('POST', '/v1/ops/list_kinds', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, true);
    socket.removeAllListeners('error');
    await new Promise((resolve) => {
      socket.on('error', () => undefined);
      socket.once('close', resolve);
    });
    expect(socket.destroyed).toBe(true);
  });

  test('what was sent whole leaves the connection for the next request', async () => {
    const body = ' '.repeat(50_000);
    const { socket } = await send('POST', '/v1/ops/get_account', { ...JSON_TYPE, 'Content-Length': '50000' });
    const next = new Promise<string>((resolve) => socket.once('data', (text) => resolve(String(text))));
    socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await next).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a large body', () => {
  const large = each.filter(([, { bodyBytes = 0 }]) => bodyBytes > BODY_BYTES);
  /** Bodies as large as the operation takes, of what makes parsing slow: empty groups, unknown members, lists. */
  const bodies = (size: number): [string, string][] => [
    ['groups', `{"groups":{${pairs(size - 40, (i) => `"${i}":[]`)}}}`],
    ['members', `{${pairs(size - 40, (i) => `"x${i}":0`)}}`],
    ['lists', `{"x":[${'[],'.repeat((size - 40) / 3)}0]}`],
    ['levels', `{"x":${'['.repeat((size - 40) / 2)}${']'.repeat((size - 40) / 2)}}`],
  ];
  const pairs = (size: number, make: (i: number) => string): string => {
    const parts: string[] = [];
    for (let bytes = 0; bytes < size - 20; ) {
      const part = make(parts.length);
      parts.push(part);
      bytes += part.length + 1;
    }
    return parts.join();
  };

  test.each(large)('of %s with too many values is refused before it is parsed', async (_name, op) => {
    const { key } = await server.services.keys.create({ email: `${op.name}@example.org` });
    const { port } = listening.server.address() as { port: number };
    const parse = vi.spyOn(JSON, 'parse');
    try {
      for (const [what, body] of bodies(op.bodyBytes ?? 0)) {
        for (const [method, path] of doors(op)) {
          parse.mockClear();
          const headers = { ...JSON_TYPE, Authorization: `Bearer ${key}` };
          const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
          expect([reply.status, await reply.text()], `${what} ${method} ${path}`).toEqual([
            expect.toSatisfy((status) => status === 400 || status === 413 || status === 422),
            expect.stringMatching(/too_many|too_deep|too_large|nested/),
          ]);
          expect(parse.mock.calls.filter(([text]) => String(text).length > 100_000)).toEqual([]);
        }
      }
    } finally {
      parse.mockRestore();
    }
  });
});

/** A value that counts how often something inside it is looked at; the lengths of lists are not counted. */
function watched(value: unknown, look: () => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, name) {
      const inside: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || typeof inside === 'function' || name === 'length') return inside;
      look();
      return watched(inside, look);
    },
  });
}

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
}

const ZEROS = Array(520_000).fill(0);
const OBJECTS = Array.from({ length: 100_000 }, () => ({}));
const MEMBERS = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 0]));
const DEEP: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);

/** Inputs that made the service work for seconds: long lists where lists may stand, and where none may, and many members. */
function hostile(op: AnyOp): Record<string, unknown>[] {
  const { properties = {} } = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Shape;
  const names = Object.keys(properties);
  const fill = (value: unknown) => Object.fromEntries([...names, 'x'].map((name) => [name, value]));
  return [fill(ZEROS), fill(OBJECTS), MEMBERS, fill(MEMBERS), fill(DEEP)];
}

/** How much of an input is looked at until it is refused, and with what. */
async function looksAt(op: AnyOp, input: unknown, caller: Caller): Promise<{ looks: number; code: string }> {
  let looks = 0;
  const given = watched(input, () => looks++);
  try {
    await accept(op, given, caller);
    return { looks, code: 'ok' };
  } catch (error) {
    return { looks, code: asProblem(error)?.code ?? String(error) };
  }
}

describe('values', () => {
  test.each(closed)('%s needs a key: without one nothing of its input is looked at', async (_name, op) => {
    for (const input of hostile(op)) {
      expect(await looksAt(op, input, ANONYMOUS)).toEqual({ looks: 0, code: 'unauthorized' });
    }
  });

  test.each(each)('%s looks at so many values of any input, and no more', async (_name, op) => {
    for (const input of hostile(op)) {
      const { looks, code } = await looksAt(op, input, LOCAL_OPERATOR);
      expect(code).toMatch(/^(?:invalid_input|too_many_boundaries|too_large|unauthorized)$/);
      // And at the lists of a union, or at the two sides of a crosswalk and their ids, for their lengths.
      expect(looks).toBeLessThanOrEqual((op.mostValues ?? MOST_VALUES) + 4);
    }
  });

  test('a union of too many is refused by the lengths of its lists alone', async () => {
    const union = ops.find(({ name }) => name === 'union_boundaries') as AnyOp;
    for (const [include, exclude] of [
      [51, 0],
      [1, 50],
      [26, 25],
      [520_000, 1],
    ]) {
      const input = { include: Array(include).fill(0), exclude: Array(exclude).fill('r1') };
      expect(await looksAt(union, input, LOCAL_OPERATOR)).toEqual({ looks: 2, code: 'too_many_boundaries' });
    }
  });

  test('a tool validates its input once', async () => {
    const ask = async (open: unknown): Promise<string> => {
      const { port } = listening.server.address() as { port: number };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'counted', arguments: { open } } };
      const reply = await fetch(`http://127.0.0.1:${port}/mcp?toolsets=all`, {
        method: 'POST',
        headers: { ...JSON_TYPE, Accept: 'application/json, text/event-stream' },
        body: JSON.stringify(message),
      });
      return `${reply.status} ${await reply.text()}`;
    };
    const before = parsed;
    expect(await ask(true)).toMatch(/^200 .*"done\\?":true/s);
    expect(parsed).toBe(before + 1);
    expect(await ask(false)).toMatch(/^401 /);
    expect(parsed).toBe(before + 2);
    expect(await ask(7)).toMatch(/^200 .*invalid_input/s);
    expect(await ask(Array(5_000).fill(0))).toMatch(/^200 .*more than 1000 values/s);
    expect(parsed).toBe(before + 2);
  });
});
