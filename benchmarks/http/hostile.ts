import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { mayCall } from '../../src/core/accept.ts';
import { ANONYMOUS, type AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { seedCountries } from '../../src/sources/seed/countries.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { seedUnitedStates } from '../../src/sources/seed/united_states.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { cleanCoverage } from '../../workers/arcs/clean.ts';
import { BenchDatabase, server } from '../import/native.ts';
import type { Options, Result, Timing } from '../measure.ts';
import { bodiesOf, languages, largestInputs, type Named } from './hostile_bodies.ts';

/** Most milliseconds of the main thread that a request without a key should take: a note names rows above it. */
const BAR_MS = 50;
const READERS = 20;
const CALLERS = 50;
const PLAIN = 'a plain search';

const post = (path: string, body: string, key?: string): Buffer =>
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
      (key === undefined ? '' : `Authorization: Bearer ${key}\r\n`) +
      `Accept: application/json, text/event-stream\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
const get = (path: string, key?: string): Buffer =>
  Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}\r\n`,
  );

/** Sends one request over its own connection, and closes that when the response begins. Returns the status. */
function ask(port: number, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('error', reject);
    socket.once('data', (start: Buffer) => {
      socket.destroy();
      resolve(Number(start.subarray(9, 12).toString('latin1')));
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

/** The slowest of several requests, and whether each of them was answered with a status below 500. */
interface Worst extends Timing {
  readonly isAnswered: boolean;
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
 * worst body of each operation and of a tool; what the holder of a key can cost them with the largest inputs that are
 * accepted (processor time of all threads), and with tiles of a selection in ever new languages; lists of children for
 * many concurrent callers; clients that never read. The server runs in this process on a native database with the countries of the world and the
 * provinces and communities of Spain (with all municipalities in a full run). Returns no rows without a database.
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
    const { key } = await app.services.keys.create({ email: 'hostile@example.org', plan: 'business' });
    // Coasts are known where all countries are stored.
    const own = await seedSpain();
    for (const { source, boundaries } of [...seedCountries(), await seedUnitedStates(cleanCoverage), own])
      await storeBoundaries(app.services, {
        source: { ...source, seed: true },
        file: source.id,
        boundaries: boundaries.filter(
          ({ adminLevel, countryCode }) =>
            countryCode !== null || (source === own.source && (!smoke || adminLevel !== 8)),
        ),
      });
    const level = smoke ? 6 : 8;
    const [spain] = await app.services.db.query<Named>("select id, name from boundary where iso = 'ES'");
    const named = await app.services.db.query<Named>(
      "select id, name from boundary where admin_level = $1 and country = 'ES' and has_geometry order by id limit 5000",
      [level],
    );
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
    const worstOf = async (requests: readonly Buffer[]): Promise<Worst> => {
      let slowest: Timing = { median: 0, spread: 0 };
      let isAnswered = true;
      for (const request of requests) {
        const timing = await timed(times, async () => {
          const status = await ask(port, request);
          isAnswered &&= status >= 200 && status < 500;
        });
        if (timing.median > slowest.median) slowest = timing;
      }
      return { ...slowest, isAnswered };
    };
    const worstRow = (name: string, worst: Worst): void => {
      const isOver = worst.isAnswered && worst.median > BAR_MS;
      row(name, worst, plain, worst.isAnswered, isOver ? `over the bar of ${BAR_MS} ms` : undefined);
    };
    const requestsOf = (op: AnyOp, by?: string) => bodiesOf(op).map((body) => post(`/v1/ops/${op.name}`, body, by));
    for (const op of ops.filter((one) => mayCall(one, ANONYMOUS)))
      worstRow(`worst body for ${op.name}, main thread`, await worstOf(requestsOf(op)));
    const closed = ops.filter((op) => !mayCall(op, ANONYMOUS));
    for (const [who, by] of [
      ['needs a key', undefined],
      ['needs a key, from the holder of one', key],
    ] as const) {
      let slowest: { name: string; worst: Worst } | null = null;
      for (const op of closed) {
        const worst = await worstOf(requestsOf(op, by));
        if (!slowest || worst.median > slowest.worst.median) slowest = { name: op.name, worst };
      }
      if (slowest) worstRow(`worst body for an operation that ${who} (${slowest.name}), main thread`, slowest.worst);
    }
    for (const { what, op, inputs } of largestInputs(spain.id, level, named)) {
      const worst = await worstOf(inputs.map((input) => post(`/v1/ops/${op}`, JSON.stringify(input), key)));
      row(`${what} (${op}), all threads`, worst, plain, worst.isAnswered);
    }
    const selected = await fetch(`http://127.0.0.1:${port}/tiles/selections`, {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` } },
      body: JSON.stringify({ ids: named.map(({ id }) => id) }),
    });
    const { sha256 } = (await selected.json()) as { readonly sha256?: string };
    const tiles = languages(smoke ? 5 : 50).map((lang) =>
      get(`/tiles/selections/${sha256}/5/15/12.mvt?lang=${lang}`, key),
    );
    const drawn = await worstOf(tiles);
    worstRow(`a tile of ${named.length} selected boundaries in a new language, main thread`, {
      ...drawn,
      isAnswered: drawn.isAnswered && sha256 !== undefined,
    });
    const stillHeld = (await ask(port, get('/v1/account', key))) === 200;
    if (!stillHeld) throw new Error('a hostile body has taken the key away, so what came after it measured a 401');
    const message = (op: AnyOp, body: string) =>
      post(
        '/mcp?toolsets=all',
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${op.name}","arguments":${body}}}`,
      );
    const open = ops.filter((op) => mayCall(op, ANONYMOUS));
    const tools = await worstOf(open.flatMap((op) => bodiesOf(op).map((body) => message(op, body))));
    worstRow('worst message to a tool, main thread', tools);

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
