import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { readArchive, verifyArchive } from '../../src/backup/archive.ts';
import { backUp } from '../../src/backup/backup.ts';
import { defined } from '../../src/common/elements.ts';
import { secretKeys } from '../../src/domain/people/secrets.ts';
import { type Machine, openMachine, type Running } from '../cli/program.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { isWhole, rounds } from '../proof/rounds.ts';
import { countriesAndSpain } from '../setup/countries.ts';
import { isNative } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { administer, databaseUrlOf, dropDatabase } from '../setup/native.ts';
import { seeded } from '../setup/seeded.ts';

/** How many questions are asked of the original and of each restored service, and from which seed they are drawn. */
const QUESTIONS = Number(process.env.QUESTIONS ?? rounds(500));
/** Whole (PROOF_ROUNDS), all of the seed data; else its countries and Spain. */
const WORLD = isWhole ? { fixture: seeded, boundaries: 10_000 } : { fixture: countriesAndSpain, boundaries: 400 };
const SEED = 20261122;

interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

let folder: string;
let machine: Machine;
const databases: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-backup-'));
  machine = openMachine();
});
afterAll(async () => {
  for (const name of databases) await dropDatabase(process.env.TEST_DATABASE_URL ?? '', name);
  machine.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Settings of an empty place: a database of its own on a native server, or none where there is none. */
async function emptyPlace(kind: 'embedded' | 'native'): Promise<Record<string, string>> {
  const dataDir = await mkdtemp(join(folder, 'place-'));
  if (kind === 'embedded') {
    // As migrations leave it, to save ten seconds.
    await copyTemplate(dataDir);
    return { DATA_DIR: dataDir };
  }
  const server = process.env.TEST_DATABASE_URL ?? '';
  const name = `${inject('testRun')}_backup_${databases.length}`;
  await administer(server, `create database "${name}"`);
  databases.push(name);
  return { DATA_DIR: dataDir, DATABASE_URL: databaseUrlOf(server, name) };
}

async function boundary(env: Record<string, string>, ...words: string[]): Promise<string> {
  const { exit, out, err } = await machine.run(words, { env });
  if (exit !== 0) throw new Error(`boundary ${words.join(' ')}: ${exit} ${err}`);
  return out;
}

/** All rows of a backup by table, in order of their text, without what a restore, or a server that starts, changes. */
async function rowsOf(file: string): Promise<Record<string, string>> {
  const rows: Record<string, string[]> = {};
  for await (const member of readArchive(file)) {
    const [what, table] = member.name.split('/');
    if (what !== 'tables' || !table) continue;
    const lines = gunzipSync(await member.bytes(1e9))
      .toString()
      .trimEnd()
      .split('\n');
    rows[table] = [...(rows[table] ?? []), ...lines];
  }
  for (const table of ['data_change', 'data_revision', 'data_batch']) delete rows[table];
  const digest = (lines: string[]) => createHash('sha256').update(lines.sort().join('\n')).digest('hex');
  return Object.fromEntries(Object.entries(rows).map(([table, lines]) => [table, `${lines.length} ${digest(lines)}`]));
}

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Starts a server of its own process; gives it with its address. */
async function serve(env: Record<string, string>): Promise<{ server: Running; address: string }> {
  const more = {
    PORT: '0',
    PROCESSES: '1',
    LOG_LEVEL: 'warn',
    WORKER_THREADS: '2',
    // A job that is done changes what a backup holds.
    JOBS_AT_ONCE: '0',
    // What a place lacks of the seed data is not loaded either.
    ...(isWhole ? {} : { SEED: 'none' }),
    BASE_URL: 'https://maps.example/base',
  };
  const server = machine.start(['serve'], { env: { ...env, ...more } });
  const [, address] = leading(await server.says(/Boundary Lookup \S+ at (http:\/\/127\.0\.0\.1:\d+)/), 2);
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 60_000 }).toBe(200);
  return { server, address };
}

async function end({ child, ended }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  child.kill(signal);
  await ended;
}

describe('a backup of the seed data with people, files and jobs, made under writes', () => {
  let testServer: BoundaryTestServer;
  let key: string;
  const first = () => join(folder, 'first.backup');
  const second = () => join(folder, 'second.backup');
  const questions: Question[] = [];
  const answers: string[] = [];
  let used: number;
  let missing: readonly string[];
  let saved: number;

  const isJson = { 'Content-Type': 'application/json' };
  const reported = (status: number, text: string) => `${status} ${createHash('sha256').update(text).digest('hex')}`;

  async function draw(): Promise<void> {
    const next = random(SEED);
    const all = await testServer.services.db.query<{ id: string; name: string; lat: number; lon: number }>(
      'select id, name, lat, lon from boundary where has_geometry and lat is not null order by id',
    );
    expect(all.length).toBeGreaterThan(WORLD.boundaries);
    const one = () => defined(all[Math.floor(next() * all.length)]);
    const kinds: (() => Question)[] = [
      () => ({ method: 'GET', path: `/v1/boundaries/${one().id}?detail=medium` }),
      () => ({ method: 'GET', path: `/v1/boundaries/search?q=${encodeURIComponent(one().name)}&limit=5` }),
      () => {
        const { lat, lon } = one();
        return { method: 'GET', path: `/v1/boundaries/reverse?lat=${lat / 1e7}&lon=${lon / 1e7}` };
      },
      () => ({ method: 'POST', path: '/v1/boundaries/union', body: { include: [one().id, one().id], detail: 'low' } }),
    ];
    while (questions.length < QUESTIONS) questions.push(defined(kinds[questions.length % kinds.length])());
    const { items } = (await testServer.ask('GET', '/v1/files?limit=100', { key })).json;
    for (const { id } of items) {
      questions.push({ method: 'GET', path: `/v1/files/${id}` }, { method: 'GET', path: `/v1/files/${id}/content` });
    }
  }

  beforeAll(async () => {
    testServer = await openBoundaryTestServer({}, {}, 30_000, WORLD.fixture);
    ({ key } = await testServer.key('self_hosted'));
    const done = async (op: string, input: object, by: string) => {
      const { status, json, text } = await testServer.rpc(op, input, by);
      if (status >= 300) throw new Error(`${op}: ${status} ${text}`);
      return json;
    };
    for (const [i, id] of ['iso:LU', 'iso:ES-SE', 'iso:MX'].entries()) {
      await done('save_file', { boundary_id: id, format: i ? 'kml' : 'geojson', name: id }, key);
    }
    await done('request_feature', { title: 'A name\\with \\N', details: 'One line,\nanother\\\n\tand a tab.' }, key);
    const job = { op: 'export_collection', input: { children_of: 'iso:ES-SE' }, mail: true };
    const queued = await testServer.ask('POST', '/v1/jobs', { key, json: job, headers: { 'Accept-Language': 'de' } });
    expect(queued.status, queued.text).toBe(201);
    expect(await testServer.services.db.query('select language from job')).toEqual([{ language: 'de' }]);
    await secretKeys(testServer.services.db, []);
    await draw();
    for (const { method, path, body } of questions) {
      const { status, text } = await testServer.ask(method, path, { key, json: body });
      answers.push(reported(status, text));
      if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    }
    used = await testServer.used(key);
    expect(used).toBeGreaterThan(QUESTIONS / 2);

    // Others write while the backup is made: they save the same content and other, and delete it.
    const writer = await testServer.key('self_hosted');
    let going = true;
    saved = 0;
    const writing = (async () => {
      for (let i = 0; going; i++) {
        const input = { boundary_id: i % 2 ? 'iso:LU' : 'iso:PT', format: 'wkt', name: `file ${i}` };
        const { id } = await done('save_file', input, writer.key);
        saved++;
        if (i % 3 === 0) await done('delete_file', { id }, writer.key);
      }
    })();
    const library = await openStorage(null, testServer.dataDir, 'library');
    while (saved < 3) await Promise.race([writing, sleep(10)]);
    const before = saved;
    ({ missing } = await backUp(first(), { db: testServer.services.db, library, progress: () => undefined }));
    going = false;
    await writing;
    expect(saved).toBeGreaterThan(before);
    await testServer.close();
    rows = await rowsOf(first());
  }, 900_000);

  /** Rows of the first backup (rowsOf). */
  let rows: Record<string, string>;

  /**
   * Asserts that a place has everything of the first backup, and its service gives the same answers. The backup that
   * this one writes while it serves is `again`.
   */
  async function compare(env: Record<string, string>, again: string): Promise<void> {
    const { server, address } = await serve(env);
    try {
      await boundary(env, 'backup', again);
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      expect(await rowsOf(again)).toEqual(rows);
      const { sequences, library } = await verifyArchive(first());
      const { arc_revision: before, ...others } = sequences;
      const restored = await verifyArchive(again);
      expect(restored).toMatchObject({ sequences: others, library: { missing: [] } });
      // Restored arcs get no revision that the other database gave, or gives, to other detail levels.
      expect(defined(restored.sequences.arc_revision).last_value).toBeGreaterThan(defined(before).last_value);
      expect(library.missing).toEqual([]);

      const headers = { Authorization: `Bearer ${key}` };
      const ask = async (path: string, init: RequestInit): Promise<Response> => {
        for (;;) {
          const reply = await fetch(`${address}${path}`, init);
          // A busy machine sheds load; that is not what this is about.
          if (reply.status !== 429) return reply;
          await sleep(200);
        }
      };
      const usage = await (await ask('/v1/usage', { headers })).json();
      expect(usage).toMatchObject({ used });
      const different: string[] = [];
      for (const [i, { method, path, body }] of questions.entries()) {
        const sent = body ? { body: JSON.stringify(body), headers: { ...headers, ...isJson } } : { headers };
        const reply = await ask(path, { method, ...sent });
        const answer = reported(reply.status, await reply.text());
        if (answer !== answers[i]) different.push(`${method} ${path}: ${reply.status}`);
      }
      expect(different).toEqual([]);
      expect(answers.length).toBeGreaterThanOrEqual(QUESTIONS);
      // Every library file has its content.
      const blobs = JSON.parse(await boundary(env, 'admin', 'blobs', '--check', '--json'));
      expect(blobs.faults).toEqual([]);
      expect(blobs.blobs).toBeGreaterThan(2);
      if (env.DATABASE_URL === undefined) {
        const inUse = await machine.run(['restore', first()], { env });
        expect(inUse.err).toContain('is already in use by process');
      }
    } finally {
      await end(server);
    }
  }

  it('says what it has, and only its owner can read it', async () => {
    expect(missing).toEqual([]);
    expect(statSync(first()).mode & 0o777).toBe(0o600);
    const { tables, library, database } = await verifyArchive(first());
    expect(database.kind).toBe(isNative ? 'native' : 'embedded');
    expect(defined(tables.boundary).rows).toBeGreaterThan(WORLD.boundaries);
    for (const table of ['outbox', 'job', 'change_subscription']) expect(tables[table]?.columns).toContain('language');
    expect(library.files).toBeGreaterThan(2);
    expect(existsSync(`${first()}.partial`)).toBe(false);
  });

  it(`restored into an empty embedded database, it gives the same rows and ${QUESTIONS} same answers`, {
    timeout: 900_000,
  }, async () => {
    const env = await emptyPlace('embedded');
    await boundary(env, 'restore', first());
    await compare(env, second());
    // A place that is not empty is refused, and stays as it is.
    const refused = await machine.run(['restore', first()], { env });
    expect(refused).toMatchObject({ exit: 2 });
    expect(refused.err).toContain('The database is not empty');
  });

  it.skipIf(!isNative)(
    'restored into a native database from either kind, it does so too (needs TEST_DATABASE_URL)',
    {
      timeout: 900_000,
    },
    async () => {
      const env = await emptyPlace('native');
      await boundary(env, 'restore', first());
      await compare(env, join(folder, 'native.backup'));
      const from = await emptyPlace('native');
      await boundary(from, 'restore', second());
    },
  );
});
