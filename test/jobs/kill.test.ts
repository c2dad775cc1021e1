import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtMain } from '../setup/built.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';

/** How often a process is killed, and from which seed: KILLS=20 KILL_SEED=… repeats a long run. */
const KILLS = Number(process.env.KILLS ?? 5);
const SEED = Number(process.env.KILL_SEED ?? 20261122);

let dataDir: string;
let native: TestDatabase | null = null;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  if (isNative) {
    native = await testDatabase();
    dataDir = native.dataDir;
  } else {
    dataDir = await mkdtemp(join(tmpdir(), 'boundary-kill-'));
    await copyTemplate(dataDir);
  }
  const database = native?.databaseUrl ? { DATABASE_URL: native.databaseUrl } : {};
  const jobs = { JOB_PART: '4', JOB_LEASE_MS: '1000', WORKER_THREADS: '1', LOG_LEVEL: 'debug' };
  const { PATH, BUNDLED_THREADS } = process.env;
  env = { PATH, BUNDLED_THREADS, DATA_DIR: dataDir, BASE_URL: 'https://maps.example', ...database, ...jobs };
});
afterAll(async () => {
  await native?.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function child(...words: string[]) {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'kill_child.ts'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout);
}

interface Worker {
  readonly process: ChildProcess;
  /** It looks for jobs: with its low priority it may take long to start on a busy machine. */
  readonly started: Promise<void>;
  /** How often the log has a message. */
  count(message: string): number;
  /** Resolves when it has it so often, or when it says that the job is done; false: neither within the time. */
  reaches(message: string, times: number, ms?: number): Promise<boolean>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** A real `boundary work`. */
async function work(): Promise<Worker> {
  const started = spawn(process.execPath, [await builtMain(), 'work'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const looks = new Promise<void>((resolve) => {
    started.stderr.on('data', (some: Buffer) => {
      log += some;
      if (log.includes('Waiting for jobs')) resolve();
    });
    started.once('exit', () => resolve());
  });
  const ended = new Promise<void>((resolve) => started.once('exit', () => resolve()));
  const count = (message: string): number => log.split(`"msg":"${message}"`).length - 1;
  return {
    process: started,
    started: looks,
    count,
    async reaches(message, times, ms = 20_000) {
      for (const until = Date.now() + ms; Date.now() < until; await sleep(2)) {
        if (count(message) >= times || count('job done') > 0) return true;
        if (started.exitCode !== null) throw new Error(`boundary work ended: ${log}`);
      }
      return false;
    },
    async end(signal) {
      started.kill(signal);
      await ended;
    },
  };
}

/** A small linear congruential generator: 0 to 1. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test(`a job whose process is killed ${KILLS} times, seed ${SEED}, is delivered once, charged once and as it would be`, {
  timeout: 1_500_000,
}, async () => {
  await child('fill');
  const whole = await child('single', 'ndjson');
  const next = random(SEED);
  let jobs = 0;
  const check = async (id: string): Promise<void> => {
    const report = await child('report', id);
    expect(report).toMatchObject({ state: 'done', charged: 144, done: 144, reserved: 0, sha256: whole, files: jobs });
    // The single call is one of them.
    expect(report.by_op).toContainEqual({ op: 'export_collection', calls: jobs + 1, units: 144 * (jobs + 1) });
  };
  let id: string | null = null;
  let parts = 0;
  for (let killed = 0; killed < KILLS || id !== null; ) {
    if (id === null) {
      id = (await child('create', 'ndjson')) as string;
      jobs++;
    }
    const one = await work();
    await one.started;
    const isClaimed = await one.reaches('job claimed', 1);
    // Somewhere in the job, or at its end; the last process is left alone.
    const place = killed < KILLS ? 1 + Math.floor(next() * 20) : 1_000;
    if (isClaimed) await one.reaches('job part', place, 60_000);
    if (isClaimed && killed < KILLS) {
      await sleep(next() * 40);
      killed++;
    }
    await one.end('SIGKILL');
    parts += one.count('job part');
    // One that was killed after its last word may have done it.
    if (!isClaimed || one.count('job done') > 0) {
      await check(id);
      id = null;
    }
  }
  expect(jobs).toBeGreaterThan(0);
  expect(parts).toBeGreaterThan(0);
});
