/**
 * `tsx benchmarks/http/disturbed.ts [calls a second] [seconds]`: sends the mix of `boundary bench` at a constant rate
 * to one `boundary serve` of two processes, with all of Spain in a private PostgreSQL. First undisturbed, then while
 * `boundary import` stores France's communes (skipped without REAL_DATA_DIR), while the server runs job after job, and
 * while one of its processes is killed with SIGKILL every ten seconds. Prints the number of answers, p50 to p99.9, and
 * refusals and failures by code. Exits with 1 if a call failed that was not on a connection to a killed process, or if
 * an answer at the end differs from the first one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_MIX, type Deployment, drawCalls } from '../../src/bench/deployment.ts';
import { type Figures, type RunReport, runMix } from '../../src/bench/run.ts';
import { answersOf } from '../faults/check.ts';
import { COMMUNES_OPTIONS } from '../import/communes.ts';
import { query } from '../import/native.ts';
import { jobAfterJob, untilRuns } from '../jobs/make.ts';
import { startPostgis } from '../postgis.ts';
import { firstKey, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const SEED = 20_261_124;
const RATE = Number(process.argv[2] ?? 1500);
const SECONDS = Number(process.argv[3] ?? 60);
const WARM_SECONDS = 10;
const KILL_EVERY_MS = 10_000;
/** Error codes of a call whose connection was cut. */
const CUT = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const data = process.env.REAL_DATA_DIR;
const database = await startPostgis({ settings: { fsync: 'on', synchronous_commit: 'on' } });
if (database === null) throw new Error('PostgreSQL with PostGIS is not installed');
const { url } = database;
const folder = await mkdtemp(join(tmpdir(), 'boundary-disturbed-'));
const env = { DATABASE_URL: url, DATA_DIR: folder, PROCESSES: '2', JOBS_AT_ONCE: '1' };
try {
  await query(url, 'create extension postgis');
  await fillWithSpain(folder, env, { smoke: false } as Parameters<typeof fillWithSpain>[2]);
  const server = await startService(folder, env);
  const us: Deployment = { address: `http://127.0.0.1:${server.port}`, key: await firstKey(folder) };
  const calls = await drawCalls(us, DEFAULT_MIX, SEED);
  const at = (seconds: number, signal?: AbortSignal): Promise<RunReport> =>
    runMix(us, DEFAULT_MIX, calls, {
      ...{ rate: RATE, seconds, warmup: 1, connections: 256, timeoutMs: 10_000, seed: SEED, signal },
    });
  await at(WARM_SECONDS);
  // A search by name may find another place after an import.
  const fixed = new Map([...calls.byKind].filter(([kind]) => kind !== 'search'));
  const before = await answersOf(us, fixed);

  printRun('nothing else', await at(SECONDS), []);
  if (data === undefined) process.stdout.write('import: left out, REAL_DATA_DIR is not set\n');
  else {
    const words = ['dist/src/main.js', 'import', join(data, 'coverage/fr-communes.geojson.gz'), ...COMMUNES_OPTIONS];
    const all = { ...process.env, ...env, LOG_LEVEL: 'error' };
    const importing = spawn(process.execPath, words, { env: all, stdio: ['ignore', 'ignore', 'inherit'] });
    const began = performance.now();
    const ended = once(importing, 'exit').then(([code]) => ({ code, ms: performance.now() - began }));
    const report = await at(SECONDS);
    const during = importing.exitCode === null ? 'ran on after it' : 'ended meanwhile';
    const { code, ms } = await ended;
    if (code !== 0) throw new Error(`boundary import ended with ${code}`);
    printRun(`an import (${(ms / 1000).toFixed(0)} s, ${during})`, report, []);
  }

  const over = new AbortController();
  const jobs = jobAfterJob(us, url, over.signal);
  await untilRuns(url);
  const beside = await at(SECONDS);
  over.abort();
  printRun(`job after job (${await jobs} ended)`, beside, []);
  await query(url, "update job set state = 'canceled', ended_at = now() where state in ('queued', 'running')");

  const done = new AbortController();
  const killing = killInTurn(server.pid, done.signal);
  const killed = await at(SECONDS);
  done.abort();
  printRun(`a killed process every ten seconds (${await killing} in all)`, killed, CUT);

  if (!isDeepStrictEqual(await answersOf(us, fixed), before)) {
    process.stdout.write('answers are not as they were\n');
    process.exitCode = 1;
  }
  await server.stop();
} finally {
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Prints a run, and sets the exit code if it has failures with codes other than those `allowed`. */
function printRun(name: string, report: RunReport, allowed: Iterable<string>): void {
  const { ok, sent, refused, failed, goodput, latency, codes } = report.figures.all as Figures;
  const { p50, p95, p99, p999 } = latency;
  const times = Object.entries({ p50, p95, p99, p999 }).map(([p, ms]) => `${p} ${ms?.toFixed(1)} ms`);
  process.stdout.write(
    `${name}: ${ok} of ${sent} answered, ${goodput.toFixed(0)} a second; ${times.join(', ')}; ${refused} refused, ` +
      `${failed} failed ${JSON.stringify(codes)}; generator ${Math.round(100 * report.generator.busy)} % busy, ` +
      `load ${loadavg()[0].toFixed(1)}\n`,
  );
  const known = new Set(allowed);
  const others = Object.entries(codes).filter(([code]) => !known.has(code) && code !== 'rate_limited');
  if (failed > 0 && others.length > 0) process.exitCode = 1;
}

/** Kills the serving processes of a supervisor in turn, one every ten seconds; returns how many. */
async function killInTurn(supervisor: number, signal: AbortSignal): Promise<number> {
  const killed = new Set<number>();
  while (true) {
    await sleep(KILL_EVERY_MS, null, { signal }).catch(() => undefined);
    if (signal.aborted) return killed.size;
    const serving = childrenOf(supervisor).filter((pid) => isServing(pid) && !killed.has(pid));
    const [oldest] = serving;
    if (oldest === undefined || serving.length < 2) continue;
    process.kill(oldest, 'SIGKILL');
    killed.add(oldest);
  }
}

/** The child processes of a process, oldest first (Linux). */
function childrenOf(pid: number): number[] {
  const said = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return said === '' ? [] : said.split(' ').map(Number);
}

/** Whether a process of a server serves calls; the one for jobs was started with `work`. */
function isServing(pid: number): boolean {
  return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('work');
}
