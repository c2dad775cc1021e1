import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server on loopback, in its own process. */
export interface BenchServer {
  readonly port: number;
  readonly pid: number;
  /** Accepts messages. */
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** All requests of a benchmark come from one network, so lift its limit. */
const UNLIMITED = { EXPORT_REQUESTS_PER_MINUTE: '1000000000' };

/** Milliseconds that a server with data may take to start. */
const STARTS_MS = 60_000;

/**
 * Starts our service on a data directory and waits up to a minute until it is ready. It serves what its database holds
 * and loads no seed data, so that a rival filled before the start has the same data. It runs compiled, as shipped: the
 * TypeScript loader names each function as it is created, which slows a call that creates many by a third. `more`: Node
 * arguments before the program.
 */
export async function startService(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<BenchServer> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const all = {
    DATA_DIR: folder,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    PROCESSES: '1',
    DATABASE_URL: '',
    SEED: 'none',
    ...UNLIMITED,
    ...env,
  };
  compile();
  const child = startNode([...more, 'dist/src/main.js', 'serve'], all);
  await answers(child, `http://127.0.0.1:${port}/readyz`);
  return { port, pid: child.pid as number, process: child, stop: () => stop(child) };
}

/** Starts a bare Koa server of one buffer (bare.ts) and waits until it answers. */
export async function startBare(file: string): Promise<BenchServer> {
  return startScript('benchmarks/http/bare.ts', [file]);
}

/** Starts a Koa server that does all but find an answer (around.ts) and waits until it answers. */
export async function startAround(file: string): Promise<BenchServer> {
  return startScript('benchmarks/http/around.ts', [file]);
}

/** Starts a bare Koa server of PostGIS unions (growth/bare_union.ts) and waits until it answers. */
export async function startBareUnion(url: string): Promise<BenchServer> {
  return startScript('benchmarks/growth/bare_union.ts', [url]);
}

/** Starts a naive handler (rivals/naive_….ts) on a database and waits until it answers. */
export async function startNaive(
  name: 'reverse' | 'children' | 'search' | 'typos' | 'mix',
  url: string,
): Promise<BenchServer> {
  return startScript(`benchmarks/rivals/naive_${name}.ts`, [url]);
}

let compiled = false;

/** Builds dist, once per run. */
export function compile(): void {
  if (compiled) return;
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  execFileSync(process.execPath, tsc, { stdio: ['ignore', 2, 2] });
  compiled = true;
}

async function startScript(script: string, args: readonly string[]): Promise<BenchServer> {
  const port = await freePort();
  const child = startNode(['--import', 'tsx', script, ...args, String(port)], {});
  await answers(child, `http://127.0.0.1:${port}/`);
  return { port, pid: child.pid as number, process: child, stop: () => stop(child) };
}

/** The key that a server writes at its first start, shortly after it begins to listen. */
export async function firstKey(folder: string): Promise<string> {
  const path = join(folder, 'first-key');
  for (let tries = 0; tries < 100; tries++) {
    const key = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    if (key !== '') return key;
    await sleep(100);
  }
  throw new Error('the server wrote no first key');
}

function startNode(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] as StdioOptions };
  return spawn(process.execPath, [...args], options);
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  let said = '';
  child.stderr?.on('data', (part: Buffer) => {
    said = (said + part.toString()).slice(-2000);
  });
  const deadline = Date.now() + STARTS_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${said}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(200);
  }
  child.kill('SIGKILL');
  throw new Error(`the server did not start: ${said}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(40_000, null, { ref: false })]);
  if (child.exitCode === null) child.kill('SIGKILL');
}

/** Processor time in milliseconds of a process and its children (Linux), in threads that still run. */
export function cpuTime(pid: number): number {
  const read = (path: string): string => {
    try {
      return readFileSync(`/proc/${path}`, 'utf8');
    } catch {
      // The thread has ended meanwhile.
      return '';
    }
  };
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  // After the name in parentheses come the state and the parent.
  const children = processes.filter((name) => read(`${name}/stat`).split(') ').at(-1)?.split(' ')[1] === String(pid));
  const own = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(read(`${pid}/task/${thread}/schedstat`).split(' ')[0]),
  );
  return (
    own.reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0) +
    children.reduce((sum, child) => sum + cpuTime(Number(child)), 0)
  );
}

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
