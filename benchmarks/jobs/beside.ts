/**
 * `tsx benchmarks/jobs/beside.ts [rounds] [calls a second]`: measures how much slower calls are while a job runs. One
 * `boundary serve` with default settings, with all of Spain in a private PostgreSQL, answers the mix of `boundary
 * bench` at half of its saturation rate (measured first, unless a rate is given). Rounds alternate: without a job;
 * beside a loop of the lowest priority that reads and writes nothing, which shows the cost of the machine itself; with
 * a job in the server; with a job in a `boundary work`. Jobs follow each other for the whole round: collections, a
 * dissolve, a crosswalk. Prints the p95 of each round, their medians, and the median of the ratios of each round to the
 * one without a job. Exits with 1 if the ratio of jobs is above 1.5.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_MIX, type Deployment, drawCalls } from '../../src/bench/deployment.ts';
import { type RunReport, runMix } from '../../src/bench/run.ts';
import { findSaturation, saturationOf } from '../../src/bench/saturation.ts';
import { firstKey, startService } from '../http/server.ts';
import { fillWithSpain } from '../http/spain.ts';
import { query } from '../import/native.ts';
import { timingOf } from '../measure.ts';
import { startPostgis } from '../postgis.ts';
import { jobAfterJob, untilRuns } from './make.ts';

const SEED = 20_261_123;
const ROUNDS = Number(process.argv[2] ?? 7);
const SECONDS = 6;
const WARM_SECONDS = 10;
/** A rate counts as served when no call fails and p99 stays below this many milliseconds. */
const P99_MS = 100;
const BOUND = 1.5;
const LOOP = 'a loop of the lowest priority';
const MODES = ['no job', LOOP, 'a job in serve', 'a job in work'] as const;

const database = await startPostgis({ settings: { fsync: 'on', synchronous_commit: 'on' } });
if (database === null) throw new Error('PostgreSQL with PostGIS is not installed');
const folder = await mkdtemp(join(tmpdir(), 'boundary-beside-'));
const env = { DATABASE_URL: database.url, DATA_DIR: folder };
try {
  await query(database.url, 'create extension postgis');
  await fillWithSpain(folder, env, { smoke: false } as Parameters<typeof fillWithSpain>[2]);
  let server = await startService(folder, env);
  const us: Deployment = { address: `http://127.0.0.1:${server.port}`, key: await firstKey(folder) };
  const calls = await drawCalls(us, DEFAULT_MIX, SEED);
  const at = (rate: number, seconds = SECONDS): Promise<RunReport> =>
    runMix(us, DEFAULT_MIX, calls, {
      rate,
      seconds,
      warmup: 1,
      connections: 256,
      timeoutMs: 10_000,
      seed: SEED,
    });
  await at(100);
  const rate = process.argv[3] ? Number(process.argv[3]) : Math.floor((await saturation(at)) / 2);
  process.stdout.write(`half of saturation: ${rate} calls a second; load average ${loadavg()[0].toFixed(1)}\n`);

  const p95s = new Map<string, number[]>(MODES.map((mode) => [mode, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const mode of MODES) {
      await server.stop();
      const jobs = { JOBS_AT_ONCE: mode === 'a job in serve' ? '1' : '0', PORT: String(server.port) };
      server = await startService(folder, { ...env, ...jobs });
      const worker = mode === 'a job in work' ? work() : null;
      // Until its hot functions are compiled.
      await at(rate, WARM_SECONDS);
      const over = new AbortController();
      const loop = mode === LOOP ? busyLoop() : null;
      const hasJobs = mode === 'a job in serve' || mode === 'a job in work';
      const made = hasJobs ? jobAfterJob(us, database.url, over.signal) : Promise.resolve(0);
      if (hasJobs) await untilRuns(database.url);
      const { figures, generator } = await at(rate);
      over.abort();
      loop?.kill('SIGKILL');
      const ended = await made;
      await query(
        database.url,
        "update job set state = 'canceled', ended_at = now() where state in ('queued', 'running')",
      );
      if (worker) {
        const gone = once(worker, 'exit');
        worker.kill('SIGTERM');
        await gone;
      }
      const { latency, ok, sent } = figures.all as NonNullable<typeof figures.all>;
      p95s.get(mode)?.push(latency.p95 ?? Number.NaN);
      process.stdout.write(
        `${mode}: p50 ${latency.p50?.toFixed(1)} ms, p95 ${latency.p95?.toFixed(1)} ms, p99 ${latency.p99?.toFixed(1)} ms, ` +
          `${ok} of ${sent} answered, ${ended} jobs ended, generator ${Math.round(100 * generator.busy)} % busy, load ${loadavg()[0].toFixed(1)}\n`,
      );
    }
  }
  await server.stop();
  const alone = p95s.get('no job') as number[];
  for (const mode of MODES) {
    const some = p95s.get(mode) as number[];
    const ratio = timingOf(some.map((p95, i) => p95 / alone[i])).median;
    process.stdout.write(
      `${mode}: median p95 ${timingOf(some).median.toFixed(1)} ms, median ratio ${ratio.toFixed(2)}\n`,
    );
    if (mode !== LOOP && ratio > BOUND) process.exitCode = 1;
  }
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** The highest rate that is served. */
async function saturation(at: (rate: number, seconds?: number) => Promise<RunReport>): Promise<number> {
  const steps = await findSaturation(
    100,
    4000,
    { p99: P99_MS },
    (rate) => at(rate, 4),
    ({ rate, reason }) => {
      process.stderr.write(`${rate} calls a second: ${reason ?? 'served'}\n`);
    },
  );
  const best = saturationOf(steps);
  if (best === null) throw new Error('not even 100 calls a second are served');
  return best.rate;
}

/** Starts a `boundary work` on the same database and storage. */
function work(): ChildProcess {
  const all = { ...process.env, LOG_LEVEL: 'warn', ...env };
  return spawn(process.execPath, ['dist/src/main.js', 'work'], { env: all, stdio: 'ignore' });
}

/** Starts a process that uses idle processor time only, for at most a minute. */
function busyLoop(): ChildProcess {
  return spawn(
    process.execPath,
    ['-e', "require('node:os').setPriority(19); for (const end = Date.now() + 6e4; Date.now() < end; );"],
    { stdio: 'ignore' },
  );
}
