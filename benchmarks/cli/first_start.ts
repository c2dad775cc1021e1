import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { administer, databaseUrlOf } from '../../test/setup/native.ts';
import { freePort } from '../http/server.ts';
import type { Options, Result } from '../measure.ts';
import { peakOf } from '../peak.ts';

const RUNS = 5;
const POLL_MS = 20;
const PATIENCE_MS = 300_000;

/** The figures of one start: milliseconds since the command, and the peak memory of the process in MB. */
interface Start {
  readonly listens: number;
  /** When a country was found by name. */
  readonly served: number;
  /** When all data was loaded. */
  readonly ready: number;
  readonly peakMb: number;
}

/** Milliseconds until an empty PGlite with PostGIS answers, and its peak memory in MB. */
interface Empty {
  readonly ms: number;
  readonly peakMb: number;
}

/**
 * Measures the first start of a server, from the command to the first country it finds, with dist already built, and a
 * later start with all data. The rival is an empty PGlite with PostGIS, created and opened in the same run. Medians of
 * five, each in a new folder. Native: a new database of TEST_DATABASE_URL, filled with the same data.
 */
export async function benchFirstStart(_data: string, { smoke }: Options): Promise<Result[]> {
  const isPrepared = existsSync('dist/prepared/all.gz');
  if (!smoke && !isPrepared) throw new Error('dist has no prepared databases: npm run build');
  if (!existsSync('dist/src/main.js')) execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 2, 2] });
  const loaded = smoke ? 'countries' : 'all seed data';
  const first: Start[] = [];
  const warm: Start[] = [];
  const made: Empty[] = [];
  const opened: Empty[] = [];
  const native: Start[] = [];
  for (let run = 0; run < (smoke ? 1 : RUNS); run++) {
    const folder = await mkdtemp(join(tmpdir(), 'boundary-start-'));
    try {
      const embedded = {
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: '',
        SEED: isPrepared && !smoke ? 'all' : 'countries',
      };
      first.push(await startOf(embedded));
      made.push(await emptyOf(join(folder, 'pg')));
      warm.push(await startOf(embedded));
      opened.push(await emptyOf(join(folder, 'pg')));
      const server = process.env.TEST_DATABASE_URL;
      if (server) native.push(await nativeStart(server, join(folder, 'native'), embedded.SEED));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return [
    rowOf(`first start, embedded, ${loaded}`, first, 'an empty PGlite with PostGIS, made', made),
    rowOf(`start with ${loaded} there, embedded`, warm, 'the same PGlite, opened', opened),
    ...(native.length > 0
      ? [rowOf(`first start, native, ${loaded}`, native, 'an empty PGlite with PostGIS, made', made)]
      : []),
  ];
}

function rowOf(title: string, ours: readonly Start[], rival: string, theirs: readonly Empty[]): Result {
  const served = ours.map((one) => one.served);
  const [own, other] = [median(served), median(theirs.map(({ ms }) => ms))];
  const seconds = (of: (one: Start) => number): string => `${(median(ours.map(of)) / 1000).toFixed(1)} s`;
  const peaks = [median(ours.map(({ peakMb }) => peakMb)), median(theirs.map(({ peakMb }) => peakMb))];
  return {
    case: `${title}: a country found`,
    ours_ms: own,
    rival,
    rival_ms: other,
    ratio: other / own,
    same_answer: true,
    spread: (Math.max(...served) - Math.min(...served)) / own,
    note:
      `listens after ${seconds((one) => one.listens)}, all data after ${seconds((one) => one.ready)}; ` +
      `memory at most ${peaks.map((mb) => mb.toFixed(0)).join(' and ')} MB`,
  };
}

/** Starts the server, waits for a country and for all data, and stops it. */
async function startOf(env: Readonly<Record<string, string>>): Promise<Start> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [resolve('dist/src/main.js'), 'serve'], {
    env: { ...process.env, LOG_LEVEL: 'error', PROCESSES: '1', ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = (said + part).slice(-2_000);
  });
  const until = async (path: string, isThere: (response: Response) => Promise<boolean> | boolean): Promise<number> => {
    for (;;) {
      const answer = await fetch(url + path).catch(() => null);
      if (answer && (await isThere(answer))) return performance.now() - began;
      if (child.exitCode !== null || performance.now() - began > PATIENCE_MS) throw new Error(`no ${path}: ${said}`);
      await sleep(POLL_MS);
    }
  };
  try {
    const listens = await until('/healthz', ({ ok }) => ok);
    const served = await until('/v1/boundaries/search?q=Luxembourg&limit=1', async (response) => {
      const { items } = (await response.json()) as { items?: readonly { readonly country: string }[] };
      return response.ok && items?.[0]?.country === 'LU';
    });
    const ready = await until('/readyz', ({ ok }) => ok);
    return { listens, served, ready, peakMb: peakOf(child.pid as number) };
  } finally {
    const exited = child.exitCode === null ? once(child, 'exit') : null;
    child.kill('SIGTERM');
    await exited;
  }
}

async function nativeStart(server: string, folder: string, seed: string): Promise<Start> {
  const name = `boundary_start_${process.pid}`;
  await administer(server, `drop database if exists ${name} with (force)`);
  await administer(server, `create database ${name}`);
  try {
    return await startOf({ DATA_DIR: folder, DATABASE_URL: databaseUrlOf(server, name), SEED: seed });
  } finally {
    await administer(server, `drop database if exists ${name} with (force)`);
  }
}

async function emptyOf(folder: string): Promise<Empty> {
  const began = performance.now();
  const child = spawn(process.execPath, ['benchmarks/rivals/empty_pglite.mjs', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid as number));
  }, POLL_MS);
  const [area] = (await once(child.stdout, 'data')) as [Buffer];
  const ms = performance.now() - began;
  clearInterval(watch);
  if (child.exitCode === null) await once(child, 'exit');
  if (area.toString() !== '0.5') throw new Error(`the area of half a square is ${area}`);
  return { ms, peakMb };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
