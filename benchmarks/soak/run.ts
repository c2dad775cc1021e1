/**
 * `tsx benchmarks/soak/run.ts [minutes] [calls a second]`: simulates a day in half an hour. Three `serve` and two
 * `work` processes use one private PostgreSQL and S3-compatible store, behind a round-robin proxy, under a constant
 * rate of calls, saved files and jobs. 24 events happen that a day brings: a server restarted or killed, a worker
 * killed, a backup, an import. Prints what clients saw, the p95 and the memory of each third, and inconsistencies at
 * the end. Exits with 1 if anything is lost or charged twice, or if the memory of the server that is never restarted
 * grows by more than a tenth from the second third to the last.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { generation } from '../../test/deploy/generations.ts';
import { startS3 } from '../../test/library/s3_server.ts';
import { startRoundRobin } from '../../test/setup/round_robin.ts';
import { charged, fixedAnswers, inconsistencies } from '../faults/check.ts';
import { type CallOutcome, LoadClients, summarize } from '../faults/crowd.ts';
import { fill } from '../faults/stage.ts';
import { type BenchServer, startService } from '../http/server.ts';
import { query } from '../import/native.ts';
import { startPostgis } from '../postgis.ts';

const MINUTES = Number(process.argv[2] ?? 30);
const RATE = Number(process.argv[3] ?? 30);
const HOURS = 24;
const SAMPLE_MS = 2000;
/** Saves half a file per second, and creates two jobs per minute. */
const OFTEN = { saveEach: 2 * RATE, jobMs: 30_000 };
const MOST_GROWTH = 1.1;

const run = promisify(execFile);
const database = await startPostgis();
if (database === null) throw new Error('PostgreSQL with PostGIS is not installed');
const [s3, proxy, folder] = await Promise.all([
  startS3(),
  startRoundRobin(),
  mkdtemp(join(tmpdir(), 'boundary-soak-')),
]);
const settings = {
  DATABASE_URL: database.url,
  STORAGE_URL: s3.url,
  BASE_URL: proxy.address,
  TRUSTED_PROXIES: '127.0.0.1',
  WORKER_THREADS: '1',
  JOBS_AT_ONCE: '0',
  JOB_LEASE_MS: '3000',
  JOB_PART: '4',
};
/** Imported at the start, and again in every sixth hour: answers do not change. */
const file = join(folder, 'made.osm');
const servers: BenchServer[] = [];
const workers: ChildProcess[] = [];
try {
  await query(database.url, 'create extension postgis');
  const key = await fill(database.url, join(folder, 'fill'));
  writeFileSync(file, generation(0));
  await boundary(0, 'import', file);
  servers.push(await serve('a'), await serve('b'), await serve('c'));
  proxy.targets = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  workers.push(work('d'), work('e'));
  const deployment = { address: proxy.address, key };
  const answers = await fixedAnswers(deployment);
  const crowd = await LoadClients.of(deployment);
  const before = { answers, charged: await charged(deployment) };
  const [first] = servers as [BenchServer];
  const memory: number[] = [];
  const sampler = setInterval(() => memory.push(memoryOf(first.pid)), SAMPLE_MS);
  const ends: number[] = [];
  crowd.start(RATE, OFTEN);
  for (let hour = 0; hour < HOURS; hour++) {
    const began = performance.now();
    await runEvent(hour);
    await sleep(Math.max(0, (MINUTES * 60_000) / HOURS - (performance.now() - began)));
    if (hour % (HOURS / 3) === HOURS / 3 - 1) ends.push(crowd.seen.length);
  }
  await crowd.stop();
  clearInterval(sampler);
  const wrong = await inconsistencies(deployment, crowd, before, { metered: true });
  const third = Math.floor(memory.length / 3);
  const [, middle, last] = [0, 1, 2].map((k) => median(memory.slice(k * third, (k + 1) * third))) as [
    number,
    number,
    number,
  ];
  tell(crowd.seen, ends, memory, wrong);
  if (last > MOST_GROWTH * middle) wrong.push(`memory grew from ${middle} to ${last} MB`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all([proxy.close(), s3.close(), database.stop()]);
  await rm(folder, { recursive: true, force: true });
}

/** The event of one hour; the first server is never disturbed. */
async function runEvent(hour: number): Promise<void> {
  const i = 1 + (Math.floor(hour / 6) % 2);
  if (hour % 6 === 0) await replaceServer(i, 'SIGTERM');
  else if (hour % 6 === 1) await replaceServer(i, 'SIGKILL');
  else if (hour % 6 === 2) workers[hour % 2]?.kill('SIGKILL');
  else if (hour % 6 === 3) workers.push(work(`work-${hour}`));
  else if (hour % 6 === 4) await boundary(hour, 'backup', join(folder, `backup-${hour}`));
  else await boundary(hour, 'import', file);
}

/** Ends a server and starts another one on its port. With SIGTERM, it is first removed from the round-robin. */
async function replaceServer(i: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const server = servers[i] as BenchServer;
  const all = proxy.targets;
  if (signal === 'SIGTERM') proxy.targets = all.filter((address) => !address.endsWith(`:${server.port}`));
  await sleep(500);
  const ended = once(server.process, 'exit');
  server.process.kill(signal);
  await ended;
  servers[i] = await serve(`again-${server.port}`, server.port);
  proxy.targets = all;
}

function serve(name: string, port?: number): Promise<BenchServer> {
  return startService(join(folder, name), { ...settings, ...(port === undefined ? {} : { PORT: String(port) }) });
}

/** Starts a `boundary work`. */
function work(name: string): ChildProcess {
  const own = { ...settings, JOBS_AT_ONCE: '1', DATA_DIR: join(folder, name), LOG_LEVEL: 'warn' };
  return spawn(process.execPath, ['dist/src/main.js', 'work'], { env: { ...process.env, ...own }, stdio: 'ignore' });
}

/** Runs a `boundary` command beside the servers. */
async function boundary(hour: number, ...words: string[]): Promise<void> {
  const env = { ...process.env, ...settings, DATA_DIR: join(folder, `command-${hour}`), LOG_LEVEL: 'error' };
  await run(process.execPath, ['dist/src/main.js', ...words], { env, maxBuffer: 2 ** 26 });
}

function tell(
  seen: readonly CallOutcome[],
  ends: readonly number[],
  memory: readonly number[],
  wrong: readonly string[],
): void {
  process.stdout.write(`${MINUTES} minutes at ${RATE} calls a second: ${summarize(seen)}\n`);
  const third = Math.floor(memory.length / 3);
  for (const [k, end] of ends.entries()) {
    const of = memory.slice(k * third, (k + 1) * third);
    const part = seen.slice(ends[k - 1] ?? 0, end);
    process.stdout.write(
      `third ${k + 1}: ${summarize(part)}; memory ${median(of)} MB, at most ${Math.max(...of)} MB\n`,
    );
  }
  process.stdout.write(wrong.length === 0 ? 'nothing lost\n' : `${wrong.slice(0, 20).join('\n')}\n`);
}

/** Resident memory of a process in MB. */
function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
