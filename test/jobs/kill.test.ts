import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startS3 } from '../library/s3_server.ts';
import { drawn, drawnIfEmbedded } from '../proof/rounds.ts';
import { builtMain } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { fill, withCaller } from './killed_job.ts';

/** Places of the first kills: after so many of the 36 parts. */
const PLACES = drawn([1, 18, 36], 2);
/** Where a process is killed: at one of these places, or while its file is uploaded. */
const KILLED = drawnIfEmbedded(['at a part', 'at the upload']);
/**
 * How often a process is killed, from the fourth time at places that this seed draws: KILLS=20 KILL_SEED=… repeats a long
 * run.
 */
const KILLS = Number(process.env.KILLS ?? PLACES.length);
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
  await fill(env);
}, 300_000);
afterAll(async () => {
  await native?.close();
  await rm(dataDir, { recursive: true, force: true });
});

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
async function work(more: Record<string, string | undefined> = {}): Promise<Worker> {
  const all = { ...env, ...more };
  const started = spawn(process.execPath, [COMPILE_ONCE, await builtMain(), 'work'], {
    env: all,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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

test.runIf(KILLED.includes('at a part'))(
  `a job whose process is killed ${KILLS} times, seed ${SEED}, is delivered once, charged once and as it would be`,
  {
    timeout: 1_500_000,
  },
  async () => {
    const next = random(SEED);
    let jobs = 1;
    let interrupted = 0;
    const [whole, first] = await withCaller(
      env,
      async (caller) => [await caller.single(), await caller.create()] as const,
    );
    let id = first;
    let parts = 0;
    for (let killed = 0; ; ) {
      const one = await work();
      await one.started;
      const isClaimed = await one.reaches('job claimed', 1);
      // The last process is left alone.
      const place = killed < KILLS ? (PLACES[killed] ?? 1 + Math.floor(next() * 36)) : 1_000;
      if (isClaimed) await one.reaches('job part', place, 60_000);
      if (isClaimed && killed < KILLS) {
        if (killed >= PLACES.length) await sleep(next() * 40);
        killed++;
      }
      await one.end('SIGKILL');
      parts += one.count('job part');
      // One that was killed after its last word may have done it.
      if (isClaimed && one.count('job done') === 0) {
        interrupted++;
        continue;
      }
      const isLast = killed >= KILLS;
      id = await withCaller(env, async (caller) => {
        const report = await caller.report(id);
        expect(report).toMatchObject({
          state: 'done',
          charged: 144,
          done: 144,
          reserved: 0,
          sha256: whole,
          files: jobs,
        });
        // The single call is one of them.
        expect(report.by_op).toContainEqual({ op: 'export_collection', calls: jobs + 1, units: 144 * (jobs + 1) });
        return isLast ? id : caller.create();
      });
      if (isLast) break;
      jobs++;
    }
    expect(interrupted).toBeGreaterThan(0);
    expect(parts).toBeGreaterThan(0);
  },
);

/** A way to a store of files that holds uploads to the library back while the test wants it. */
async function holdingUploads(port: number) {
  let isHolding = true;
  let holds = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    holds = resolve;
  });
  const sockets: Socket[] = [];
  const relay = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    sockets.push(socket, onward);
    socket.on('data', (some) => {
      if (isHolding && /^(?:PUT|POST) \S*\/library\//.test(some.toString('latin1'))) {
        holds();
        socket.pause();
      } else onward.write(some);
    });
    onward.on('data', (some) => void socket.write(some));
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
  return {
    port: (relay.address() as AddressInfo).port,
    held,
    release() {
      isHolding = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}

test.runIf(KILLED.includes('at the upload'))(
  'a job whose process is killed while its file is uploaded is delivered and charged once',
  {
    timeout: 900_000,
  },
  async () => {
    const s3 = await startS3();
    const way = await holdingUploads(Number(/:(\d+)&/.exec(s3.url)?.[1]));
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
    const keys = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const held = { ...keys, STORAGE_URL: s3.url.replace(/:\d+&/, `:${way.port}&`) };
    const direct = { ...env, ...keys, STORAGE_URL: s3.url };
    try {
      const [before, id] = await withCaller(direct, async (caller) => {
        const { files } = await caller.report(await caller.create());
        return [files, await caller.create()] as const;
      });
      const one = await work(held);
      await way.held;
      await one.end('SIGKILL');
      expect(one.count('job done')).toBe(0);
      await withCaller(direct, async (caller) => {
        expect(await caller.report(id)).toMatchObject({ charged: 0, files: before, sha256: null });
      });
      way.release();
      const other = await work(held);
      while (other.count('job done') < 2) await sleep(20);
      await other.end('SIGTERM');
      await withCaller(direct, async (caller) => {
        const report = await caller.report(id);
        expect(report).toMatchObject({ state: 'done', charged: 144, done: 144, reserved: 0, files: before + 2 });
        expect(report.sha256).toBe(await caller.single());
      });
    } finally {
      way.close();
      await s3.close();
    }
  },
);
