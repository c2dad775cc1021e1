import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { BODY_BYTES } from '../../src/core/input.ts';
import { mayCall } from '../../src/core/invoke.ts';
import { ANONYMOUS, type AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { createHttpApp } from '../../src/transports/http/http.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { BenchDatabase, server } from '../import/native.ts';
import type { Options, Result, Timing } from '../measure.ts';

/** Most milliseconds of the main thread that a request without a key may take. */
const BAR_MS = 50;
const READERS = 20;
const CALLERS = 50;
const PLAIN = 'a plain search';

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Bodies of exactly the size limit of an operation: long lists, many members, deep nesting, long texts. */
function bodiesOf(op: AnyOp): string[] {
  const limit = op.bodyBytes ?? BODY_BYTES;
  const { properties = {} } = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }) as Shape;
  const names = Object.keys(properties);
  const [field = 'x'] = names.filter((name) => properties[name].type === 'array').concat(names);
  const within = (room: number, one: string, between: string): string =>
    Array(Math.floor(room / (one.length + between.length)))
      .fill(one)
      .join(between);
  const inField = (value: (room: number) => string): string => `{"${field}":${value(limit - field.length - 10)}}`;
  const members = Array.from({ length: Math.floor(limit / 10) }, (_, i) => `"${i.toString(36).padStart(4, '0')}":0`);
  const texts = names.map((name) => `"${name}":"${' a'.repeat(Math.floor(limit / names.length / 2) - 20)}"`);
  return [
    inField((room) => `[${within(room, '0', ',')}]`),
    inField((room) => `[${within(room, '{}', ',')}]`),
    inField((room) => '['.repeat(room / 2 - 1) + ']'.repeat(room / 2 - 1)),
    // As many values as the validator counts, each of them invalid.
    inField(() => `[${within(3_990, '{}', ',')}]`),
    `{${members.join(',')}}`,
    `{${members.slice(0, 990).join(',')}}`,
    `{${texts.join(',')}}`,
  ].map((body) => body.slice(0, limit));
}

const post = (path: string, body: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
const get = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);

/** Sends one request over its own connection, and closes that when the response begins. */
function ask(port: number, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}

/**
 * Processor time of this process in milliseconds while a request was answered. An upper bound for the main thread,
 * because it includes the compiler, the garbage collector and the client; it does not grow when the machine is busy.
 */
async function busyMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function timed(times: number, work: () => Promise<unknown>, measure = busyMs): Promise<Timing> {
  const runs: number[] = [];
  for (let i = 0; i < times; i++) runs.push(await measure(work));
  runs.sort((a, b) => a - b);
  const median = Math.max(runs[runs.length >> 1], 1e-3);
  return { median, spread: (runs[runs.length - 1] - runs[0]) / median };
}

const wallMs = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

/**
 * Measures what a caller without a key can cost others, against a plain search: the main thread's milliseconds for the
 * worst body of each operation and of a tool; lists of children for many concurrent callers; clients that never read.
 * The server runs in this process on a native database with the provinces and communities of Spain (with all
 * municipalities in a full run). Returns no rows without a database.
 */
export async function benchHostile(_data: string, { smoke }: Options): Promise<Result[]> {
  const home = server();
  if (!home) return [];
  const database = new BenchDatabase(home, 'hostile');
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    await database.empty();
    const env = { DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent', MAX_RESPONSE_BYTES: '16000000' };
    const app = await openApp(loadConfig(env));
    closing.push(() => app.close());
    const { source, boundaries } = await seedSpain();
    await storeBoundaries(app.services, {
      source: { ...source, seed: true },
      file: source.id,
      boundaries: boundaries.filter(({ adminLevel }) => !smoke || adminLevel !== 8),
    });
    // Rate limits are not measured here.
    const services = { ...app.services, admit: null };
    const handler = createHttpApp(services, ops).callback();
    const listening = await listen(handler, { host: '127.0.0.1', port: 0 }, services.config.BASE_URL);
    closing.push(() => listening.close());
    const { port } = listening.server.address() as { port: number };
    const times = smoke ? 3 : 15;
    const search = () => ask(port, get('/v1/boundaries/search?q=Sevilla'));
    await timed(smoke ? 5 : 200, search);
    const plain = await timed(times, search);

    const rows: Result[] = [];
    const row = (name: string, ours: Timing, rival: Timing, right: boolean, note?: string): void => {
      const ratio = rival.median / ours.median;
      const known = note === undefined ? {} : { note };
      const about = { case: name, rival: PLAIN, rival_ms: rival.median, ratio, same_answer: right, ...known };
      rows.push({ ...about, ours_ms: ours.median, spread: ours.spread });
    };
    const worstOf = async (requests: readonly Buffer[]): Promise<Timing> => {
      let worst: Timing = { median: 0, spread: 0 };
      for (const request of requests) {
        const timing = await timed(times, () => ask(port, request));
        if (timing.median > worst.median) worst = timing;
      }
      return worst;
    };
    const requestsOf = (op: AnyOp) => bodiesOf(op).map((body) => post(`/v1/ops/${op.name}`, body));
    let closed: { name: string; worst: Timing } | null = null;
    for (const op of ops) {
      const worst = await worstOf(requestsOf(op));
      if (mayCall(op, ANONYMOUS)) {
        row(`worst body for ${op.name}, main thread`, worst, plain, worst.median <= BAR_MS);
      } else if (!closed || worst.median > closed.worst.median) closed = { name: op.name, worst };
    }
    if (closed) {
      const name = `worst body for an operation that needs a key (${closed.name}), main thread`;
      row(name, closed.worst, plain, closed.worst.median <= BAR_MS);
    }
    const message = (op: AnyOp, body: string) =>
      post(
        '/mcp?toolsets=all',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${op.name}","arguments":${body}}}`,
      );
    const open = ops.filter((op) => mayCall(op, ANONYMOUS));
    const tools = await worstOf(open.flatMap((op) => bodiesOf(op).map((body) => message(op, body))));
    row('worst message to a tool, main thread', tools, plain, tools.median <= BAR_MS);

    const level = smoke ? 6 : 8;
    const lists = Array.from({ length: CALLERS }, () => get(`/v1/boundaries/iso:ES/children?admin_level=${level}`));
    const together = () => Promise.all(lists.map((request) => ask(port, request)));
    const children = await timed(smoke ? 1 : 5, together, wallMs);
    const each = { median: children.median / CALLERS, spread: children.spread };
    const alone = await timed(times, search, wallMs);
    row(`list_children of Spain at level ${level} for ${CALLERS} callers at once, each`, each, alone, true);

    const before = process.memoryUsage().rss;
    const sockets = Array.from({ length: READERS }, () => silent(port, lists[0]));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const meanwhile = await timed(times, search, wallMs);
    const text = await services.metrics.registry.metrics();
    const held = Number(/^boundary_outgoing_bytes (\d+)/m.exec(text)?.[1]) / 1e6;
    const grown = Math.max(0, process.memoryUsage().rss - before) / 1e6;
    const note = `answers held ${held.toFixed(1)} MB, process grown by ${grown.toFixed(0)} MB`;
    row(`a search while ${READERS} readers of lists never read`, meanwhile, alone, held <= 64, note);
    for (const socket of sockets) socket.destroy();
    return rows;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** A connection that sends a request and never reads the response. */
function silent(port: number, request: Buffer): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  socket.on('error', () => undefined);
  socket.pause();
  return socket;
}
