import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openApp } from '../../src/app/app.ts';
import { seeded as random } from '../../src/bench/random.ts';
import { loadConfig } from '../../src/config.ts';
import { loadQuery } from '../../src/db/query.ts';
import { ops } from '../../src/ops/index.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { countWork } from '../../test/setup/work.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { type CallWork, COUNTS, type GuardRow, grownOf } from './guard_table.ts';
import { fillWithSpain } from './spain.ts';

const RECORD = new URL('../results/guard.json', import.meta.url);
const SEED = 20_261_125;
const WARM = 40;
const MEASURED = 20;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/**
 * Counts the work of eight calls with new inputs, in this process (guard_process.ts) on a native database with the communities and
 * provinces of Spain, and compares it with the recorded work. No clock is read, so a busy machine changes nothing.
 * @param record writes the counts as the new record
 * @returns one row for each call; none without a database
 */
export async function benchGuard(record: boolean): Promise<GuardRow[]> {
  const home = server();
  if (!home) return [];
  const database = new BenchDatabase(home, 'guard');
  const folder = await mkdtemp(join(tmpdir(), 'boundary-guard-'));
  const closing: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true }), () => database.drop()];
  try {
    await database.empty();
    const names = await fillWithSpain(folder, { DATABASE_URL: database.url }, { smoke: true });
    const env = { DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    const app = await openApp(loadConfig(env));
    closing.push(() => app.close());
    // As a server does at its start.
    await app.readAhead();
    const services = { ...app.services, admit: null };
    const handler = createHttpApp(services, ops).callback();
    const listening = await listen(handler, { host: '127.0.0.1', port: 0 }, services.config.BASE_URL);
    closing.push(() => listening.close());
    const { port } = listening.server.address() as { port: number };
    const statements = countStatements();
    closing.push(statements.stop);
    const { key } = await services.keys.create({ email: 'guard@example.org', name: 'guard' });
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

    const ask = async ({ method, path, body }: Call): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body }),
      });
      const { byteLength } = await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
      return byteLength;
    };
    const { counts: tasks } = services.engine.pool;
    const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Readonly<Record<string, CallWork>>;
    const rows: GuardRow[] = [];
    for (const [call, next] of await callsOf(port, headers, names)) {
      for (let i = 0; i < WARM; i++) await ask(next());
      const before = { statements: statements.count(), tasks: tasks.completed + tasks.small };
      let bytes = 0;
      const { total } = await countWork(async () => {
        for (let i = 0; i < MEASURED; i++) bytes += await ask(next());
      });
      const work: CallWork = {
        blocks: Math.round(total / MEASURED),
        statements: (statements.count() - before.statements) / MEASURED,
        tasks: (tasks.completed + tasks.small - before.tasks) / MEASURED,
        bytes: Math.round(bytes / MEASURED),
      };
      const known = recorded[call] ?? null;
      rows.push({ call, ...work, recorded: known, grown: known === null ? [...COUNTS] : grownOf(work, known) });
    }
    if (record) {
      const kept = rows.map(({ call, recorded: _recorded, grown: _grown, ...work }) => [call, work]);
      writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
    }
    return rows;
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/**
 * Statements of timers: the revision of the data, counts of calls that are written together, queues of messages, changes to
 * announce, files that follow; and of what is known for some seconds: who has a key, and what plans allow.
 */
const OF_TIMERS =
  /data_batch|file_follow|\b(?:webhook|outbox)\b|^\s*with counted\b|^\s*listen\b|statement_timeout|key_id|included_units|requests_per_minute/i;

/** Counts the statements of calls that this process sends to a native database, until `stop`. */
function countStatements(): { count: () => number; stop: () => void } {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...words: unknown[]) {
    const [first] = words as [string | { readonly text: string }];
    const text = typeof first === 'string' ? first : first.text;
    // Statements that read boundaries name the table of the revision, too.
    if (text !== loadQuery('data_revision') && !OF_TIMERS.test(text)) count++;
    return Reflect.apply(query, this, words);
  } as typeof query;
  return {
    count: () => count,
    stop: () => {
      pg.Client.prototype.query = query;
    },
  };
}

/** The kinds of calls, each with a function that makes one that was not asked before. */
async function callsOf(
  port: number,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<(readonly [string, () => Call])[]> {
  const next = random(SEED);
  const list = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
  };
  const provinces = await list('/v1/boundaries/iso:ES/children?admin_level=6');
  const within = (from: number, to: number) => (from + (to - from) * next()).toFixed(5);
  const get = (path: string): Call => ({ method: 'GET', path });
  const post = (path: string, input: object): Call => ({ method: 'POST', path, body: JSON.stringify(input) });
  const seen = new Set<string>();
  /** The first call of `make` that was not made before. */
  const fresh = (make: () => Call): Call => {
    for (let tries = 0; tries < 10_000; tries++) {
      const call = make();
      const key = `${call.path} ${call.body ?? ''}`;
      if (!seen.has(key)) {
        seen.add(key);
        return call;
      }
    }
    throw new Error('there are no more new inputs');
  };
  const any = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(next() * from.length)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  };
  const some = (count: number) => {
    const chosen = new Set<string>();
    while (chosen.size < count) chosen.add(any(provinces));
    return [...chosen];
  };
  const typed = () => {
    const name = any(names);
    return name.slice(0, 3 + Math.floor(next() * name.length)).trim();
  };
  const points = () => Array.from({ length: 50 }, () => [Number(within(36.5, 43)), Number(within(-6.5, -0.5))]);
  const make: readonly (readonly [string, () => Call])[] = [
    ['reverse', () => get(`/v1/boundaries/reverse?lat=${within(36.5, 43)}&lon=${within(-6.5, -0.5)}`)],
    ['get at medium', () => get(`/v1/boundaries/${any(provinces)}?tolerance_m=${any(TOLERANCES)}`)],
    ['children', () => get(`/v1/boundaries/${any(provinces)}/children?lang=${any(LANGUAGES)}-${any(REGIONS)}`)],
    ['search', () => get(`/v1/boundaries/search?q=${encodeURIComponent(typed())}`)],
    [
      'export',
      () => get(`/v1/boundaries/${any(provinces)}/export?format=${any(FORMATS)}&tolerance_m=${any(TOLERANCES)}`),
    ],
    ['union of 5 provinces', () => post('/v1/boundaries/union', { include: some(5), detail: 'low' })],
    ['union of 15 provinces', () => post('/v1/boundaries/union', { include: some(15), detail: 'medium' })],
    ['50 points located', () => post('/v1/locate', { points: points() })],
  ];
  return make.map(([name, one]) => [name, () => fresh(one)] as const);
}

const FORMATS = ['geojson', 'kml', 'wkt', 'gml'];
const TOLERANCES = [64, 128, 256, 512, 1024, 2048];
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'ar'];
const REGIONS = ['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'PT', 'NL', 'PL', 'JP', 'MX', 'AR', 'CA', 'AU'];
