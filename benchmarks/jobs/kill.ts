/**
 * `KILLS=20 KILL_SEED=… tsx benchmarks/jobs/kill.ts`: kills processes with SIGKILL at random moments of jobs of several
 * kinds, on all of Spain in a private PostgreSQL: in turn a `boundary work`, and the `boundary serve` that runs jobs
 * itself; then `boundary locate` with its server. After each job it checks that there is exactly one new file, with the
 * bytes of an undisturbed job, that the job was charged once and for its result, that the boundary without a polygon is
 * listed as failed, and that no parts or reserved units are left. Prints a line for each job; exits with 1 when
 * something is wrong. Takes about five minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openApp } from '../../src/app/app.ts';
import { seeded } from '../../src/bench/random.ts';
import { loadConfig } from '../../src/config.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { bytesOf } from '../faults/check.ts';
import { closeStage, createFaultEnvironment, deploymentOf, type FaultEnvironment, serve } from '../faults/stage.ts';
import type { BenchServer } from '../http/server.ts';
import { query } from '../import/native.ts';
import { startPostgis } from '../postgis.ts';

const KILLS = Number(process.env.KILLS ?? 20);
const SEED = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Most kills per job: a job that five processes in a row could not continue fails, as it should. */
const MOST_OF_ONE = 3;
const SETTINGS = { JOB_LEASE_MS: '1000', JOB_PART: '150', WORKER_THREADS: '2' };
const UNSHAPED = 'r999999999';
const POINTS = 60_000;

interface Job {
  readonly id: string;
  readonly state: string;
  readonly charged: number;
  readonly total: number;
  readonly done: number;
  readonly file_id: string | null;
  readonly failed: { readonly count: number; readonly items: readonly { readonly id: string }[] };
}

/** The outcome of a job, without ids and times. */
interface JobOutcome {
  readonly state: string;
  readonly charged: number;
  readonly done: number;
  readonly failed: readonly string[];
  readonly sha256: string;
}

/** Usage and files of an organization. */
interface OrgTotals {
  readonly units: number;
  readonly calls: number;
  readonly files: number;
}

const next = seeded(SEED);
const wrong: string[] = [];
const database = await startPostgis();
if (database === null) throw new Error('PostgreSQL with PostGIS is not installed');
await query(database.url, 'create database spain');
const url = database.url.replace(/postgres$/, 'spain');
await query(url, 'create extension postgis');
const key = await fill(url);
const stage = await createFaultEnvironment(key, url);
try {
  const ids = await query<{ id: string }>(url, 'select id from boundary where admin_level = 8 order by id');
  const municipalities = ids.map(({ id }) => id);
  const kinds = await kindsOf(municipalities);
  const expected = new Map<string, { readonly came: JobOutcome; readonly ms: number }>();
  let server = await serve(stage, SETTINGS);
  for (const [name, body] of Object.entries(kinds)) expected.set(name, await undisturbed(server, body));
  await server.stop();

  let killed = 0;
  const names = Object.keys(kinds);
  process.stdout.write(`seed ${SEED}\n`);
  for (let i = 0; killed < KILLS; i++) {
    const name = names[i % names.length];
    const mode = Math.floor(i / names.length) % 2 === 0 ? 'work' : 'serve';
    server = await serve(stage, { ...SETTINGS, JOBS_AT_ONCE: mode === 'work' ? '0' : '1' });
    const kills = Math.min(KILLS - killed, 1 + Math.floor(next() * MOST_OF_ONE));
    const { came, ms } = expected.get(name) as { came: JobOutcome; ms: number };
    const books = await booksOf(server, kinds[name].op);
    const { id } = await create(server, kinds[name]);
    const moments: string[] = [];
    for (let k = 0; k < kills; k++) {
      const victim = mode === 'work' ? work(stage) : server.process;
      if (!(await isTaken(id))) break;
      const moment = next() * ms * 1.05;
      await sleep(moment);
      const gone = once(victim, 'exit');
      victim.kill('SIGKILL');
      await gone;
      killed++;
      const [{ parts, state }] = await query<{ parts: number; state: string }>(
        url,
        `select (select count(*)::int from job_part where job = '${id}') as parts, state from job where id = '${id}'`,
      );
      moments.push(`${Math.round(moment)} ms (${state}, ${parts} parts kept)`);
      if (mode === 'serve') server = await serve(stage, { ...SETTINGS, PORT: String(server.port) });
      if (state === 'done') break;
    }
    const last = mode === 'work' ? work(stage) : null;
    const job = await ended(server, id);
    const found = await cameOf(server, job);
    const after = await booksOf(server, kinds[name].op);
    const troubles = [
      ...(isDeepStrictEqual(found, came) ? [] : [`came to ${JSON.stringify(found)}, not ${JSON.stringify(came)}`]),
      ...(after.files === books.files + 1 ? [] : [`${after.files - books.files} files`]),
      ...(after.units === books.units + came.charged ? [] : [`${after.units - books.units} units charged`]),
      ...(after.calls === books.calls + 1 ? [] : [`${after.calls - books.calls} calls charged`]),
      ...(await leftBehind()),
    ];
    await end(last);
    await server.stop();
    tell(`${name}, ${mode} killed after ${moments.join(', ')}`, troubles);
  }
  await locateKilled(kinds);
  process.stdout.write(`${killed} kills of jobs, ${wrong.length === 0 ? 'nothing lost, nothing twice' : 'WRONG'}\n`);
} finally {
  await closeStage(stage);
  await database.stop();
}
if (wrong.length > 0) process.exitCode = 1;

function tell(what: string, troubles: readonly string[]): void {
  wrong.push(...troubles);
  process.stdout.write(`${what}: ${troubles.length === 0 ? 'one file, one charge' : troubles.join('; ')}\n`);
}

/** Stores Spain with its municipalities, and one boundary with unknown border; returns a key. */
async function fill(databaseUrl: string): Promise<string> {
  const folder = join('/tmp', `boundary-kill-${process.pid}`);
  const app = await openApp(loadConfig({ DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  try {
    const { source, boundaries } = await seedSpain();
    const [one] = boundaries.filter(({ adminLevel }) => adminLevel === 8);
    const unshaped = { ...one, id: UNSHAPED, sourceId: UNSHAPED, name: 'Unshaped', border: { ways: [1] } };
    const all = [...boundaries, unshaped];
    await storeBoundaries(app.services, { source: { ...source, seed: true }, file: source.id, boundaries: all });
    const { key: made } = await app.services.keys.create({ email: 'kill@example.org', plan: 'business' });
    return made;
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A create_job body of each kind. */
async function kindsOf(municipalities: readonly string[]) {
  const provinces = await query<{ id: string }>(url, 'select id from boundary where admin_level = 6 order by id');
  const groups: Record<string, string[]> = {};
  municipalities
    .filter((id) => id !== UNSHAPED)
    .forEach((id, i) => {
      const name = `g${Math.floor(i / 80)}`;
      groups[name] = [...(groups[name] ?? []), id];
    });
  const spain = 'iso:ES';
  return {
    'export_collection as ndjson': {
      op: 'export_collection',
      input: { ids: municipalities, format: 'ndjson', detail: 'full' },
    },
    'export_collection as flatgeobuf': {
      op: 'export_collection',
      input: { children_of: spain, admin_level: 8, format: 'flatgeobuf' },
    },
    'dissolve as geojson': { op: 'dissolve', input: { groups, format: 'geojson' } },
    'crosswalk as csv': {
      op: 'crosswalk',
      input: { a: { children_of: spain, admin_level: 8 }, b: provinces.map(({ id }) => id), format: 'csv' },
    },
    'export_collection as shapefile': {
      op: 'export_collection',
      input: { children_of: spain, admin_level: 8, format: 'shapefile' },
    },
  } as Readonly<Record<string, { readonly op: string; readonly input: object }>>;
}

async function create(to: BenchServer, body: object): Promise<Job> {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) } as const;
  return JSON.parse((await bytesOf(deploymentOf(to, stage), '/v1/jobs', sent)).toString());
}

async function get<T>(of: BenchServer, path: string): Promise<T> {
  return JSON.parse((await bytesOf(deploymentOf(of, stage), path)).toString()) as T;
}

async function ended(of: BenchServer, id: string): Promise<Job> {
  for (let until = Date.now() + 120_000; ; await sleep(50)) {
    const job = await get<Job>(of, `/v1/jobs/${id}`);
    if ((job.state !== 'queued' && job.state !== 'running') || Date.now() > until) return job;
  }
}

/** Whether a process claims the job within half a minute. */
async function isTaken(id: string): Promise<boolean> {
  for (let until = Date.now() + 30_000; Date.now() < until; await sleep(2)) {
    const sql = `select state, lease_until > now() as held from job where id = '${id}'`;
    const [{ state, held }] = await query<{ state: string; held: boolean }>(url, sql);
    if (state === 'done') return false;
    if (state === 'running' && held) return true;
  }
  return false;
}

async function cameOf(of: BenchServer, { state, charged, done, failed, file_id }: Job): Promise<JobOutcome> {
  const bytes =
    file_id === null ? Buffer.alloc(0) : await bytesOf(deploymentOf(of, stage), `/v1/files/${file_id}/content`);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { state, charged, done, failed: failed.items.map((one) => one.id), sha256 };
}

/** The outcome and duration of a job whose process is not killed. */
async function undisturbed(at: BenchServer, body: { readonly op: string; readonly input: object }) {
  const { id } = await create(at, body);
  const job = await ended(at, id);
  const [{ ms }] = await query<{ ms: number }>(
    url,
    `select extract(epoch from ended_at - started_at)::float8 * 1000 as ms from job where id = '${id}'`,
  );
  const came = await cameOf(at, job);
  process.stdout.write(`${body.op}: ${Math.round(ms)} ms undisturbed, ${came.charged} units\n`);
  if (came.state !== 'done') throw new Error(`a job that no one disturbs is ${JSON.stringify(job)}`);
  const listed = body.op === 'export_collection' ? [UNSHAPED] : [];
  if (!isDeepStrictEqual(came.failed, listed)) throw new Error(`failed: ${JSON.stringify(came.failed)}`);
  return { came, ms };
}

async function booksOf(of: BenchServer, op: string): Promise<OrgTotals> {
  const usage = await get<{ by_op: { op: string; calls: number; units: number }[] }>(of, '/v1/usage');
  const { total } = await get<{ total: number }>(of, '/v1/files?limit=1');
  const own = usage.by_op.find((one) => one.op === op);
  return { units: own?.units ?? 0, calls: own?.calls ?? 0, files: total };
}

/** Parts that remain in the database or in storage, and units that are still reserved. */
async function leftBehind(): Promise<string[]> {
  const [{ parts, reserved }] = await query<{ parts: number; reserved: number }>(
    url,
    `select (select count(*)::int from job_part) as parts,
            (select coalesce(sum(reserved), 0)::int from unit_month) as reserved`,
  );
  return [...(parts > 0 ? [`${parts} parts left`] : []), ...(reserved > 0 ? [`${reserved} units reserved`] : [])];
}

/** Starts a `boundary work` for the stage. */
function work({ env }: FaultEnvironment): ChildProcess {
  const all = { ...process.env, LOG_LEVEL: 'warn', ...SETTINGS, ...env };
  return spawn(process.execPath, ['dist/src/main.js', 'work'], { env: all, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function end(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** Runs `boundary locate` and kills it, then its server: the rows must equal those of an undisturbed run. */
async function locateKilled(kinds: Readonly<Record<string, unknown>>): Promise<void> {
  if (Object.keys(kinds).length === 0) return;
  const path = (name: string) => join(stage.folder, name);
  const rows = Array.from({ length: POINTS }, (_, i) => `${i},${36 + 7.5 * next()},${-9 + 12 * next()}`);
  writeFileSync(path('points.csv'), `n,lat,lon\n${rows.join('\n')}\n`);
  let at = await serve(stage, { ...SETTINGS, JOBS_AT_ONCE: '0' });
  const locate = (out: string): ChildProcess => {
    const address = `http://127.0.0.1:${at.port}`;
    const words = ['locate', path('points.csv'), '--levels', '6,8', '-o', path(out), '--url', address];
    const env = { ...process.env, BOUNDARY_API_KEY: stage.key, BOUNDARY_BASE_URL: address };
    return spawn(process.execPath, ['dist/src/main.js', ...words], { env, stdio: 'ignore' });
  };
  const books = async () => (await booksOf(at, 'locate_points')).units;
  const began = performance.now();
  await once(locate('whole.csv'), 'exit');
  const ms = performance.now() - began;
  const whole = readFileSync(path('whole.csv'));
  const price = await books();
  for (let round = 0; round < 4; round++) {
    const before = await books();
    const moments: string[] = [];
    for (const victim of ['locate', 'serve']) {
      if (existsSync(path('out.csv'))) break;
      const child = locate('out.csv');
      const gone = once(child, 'exit');
      const moment = 0.8 * next() * ms;
      await sleep(moment);
      moments.push(`${victim} after ${Math.round(moment)} ms`);
      if (victim === 'locate') child.kill('SIGKILL');
      else {
        const over = once(at.process, 'exit');
        at.process.kill('SIGKILL');
        await over;
      }
      await gone;
      if (victim === 'serve') at = await serve(stage, { ...SETTINGS, JOBS_AT_ONCE: '0', PORT: String(at.port) });
    }
    if (!existsSync(path('out.csv'))) await once(locate('out.csv'), 'exit');
    const units = (await books()) - before;
    const parts = Math.ceil(POINTS / 20_000);
    const most = price + (20 * 2 * price) / (20 * parts);
    const left = readdirSync(stage.folder).filter((name) => name.startsWith('out.csv.'));
    tell(`boundary locate, killed: ${moments.join(', ')}; ${units} units`, [
      ...(readFileSync(path('out.csv')).equals(whole) ? [] : ['other rows']),
      ...(left.length === 0 ? [] : [`left: ${left.join()}`]),
      ...(units >= price - parts && units <= most ? [] : [`${units} units where the rows cost ${price}`]),
    ]);
    rmSync(path('out.csv'));
  }
  await at.stop();
}
