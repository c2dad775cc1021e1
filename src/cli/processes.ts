import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { type JobProcess, startJobProcess } from './job_process.ts';

/** What the processes of one server hold together: each gets its share. */
const DIVIDED = ['WORKER_THREADS', 'CACHE_BYTES', 'ARC_CACHE_BYTES', 'SEARCH_BYTES'] as const;

/** A process that ended is started again after so long, twice as long each time it ends within LIVED_MS of its start. */
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 30_000;
const LIVED_MS = 60_000;
/** The figures of a process are waited for so long by the supervisor, and those of all by the process that was asked. */
const OWN_FIGURES_MS = 5_000;
const FIGURES_MS = 6_000;

type Told =
  | { readonly say: 'ready' }
  | { readonly say: 'joined' }
  | { readonly say: 'own?'; readonly id: number }
  | { readonly say: 'own'; readonly id: number; readonly metrics: object[] | null }
  | { readonly say: 'figures?'; readonly id: number }
  | { readonly say: 'figures'; readonly id: number; readonly page: string | null };

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'say' in message;
}

/** Whether this process is one of several that a supervisor started. */
export const isOneOfSeveral = (): boolean => cluster.isWorker;

/** Whether this process is the first of its server: it alone loads seed data, makes the first key and greets. */
export const isFirst = (): boolean => cluster.worker === undefined || cluster.worker.id === 1;

/** Settings of one of `count` processes in which the totals are divided, as the environment has them. */
export function shareOf(config: Pick<Config, (typeof DIVIDED)[number]>, count: number): Record<string, string> {
  return Object.fromEntries(DIVIDED.map((name) => [name, String(Math.max(1, Math.floor(config[name] / count)))]));
}

/**
 * Runs a server as `count` processes that share its port, and one beside them that does jobs, until SIGTERM or SIGINT ends
 * it: then they finish what they are asked and end, one after another; a second signal ends them at once. The first one
 * is up before the others start.
 * One that dies is started again. SIGHUP replaces each by a new one, which is up before the old one ends, so that no
 * connection is refused. Where the first one does not come up, its exit code is this process's.
 */
export async function superviseProcesses(config: Config, count: number, log: Logger): Promise<void> {
  // Each takes its connections from the port itself. Handed out in turn by this process, one that is on its way to a
  // process that dies would never be answered and never be closed (lib/internal/cluster/round_robin_handle.js).
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const env = shareOf(config, count);
  /** Those that have figures: one that is still starting has none, and would not answer. */
  const joined = new Set<Worker>();
  const alive = new Set<Worker>();
  let jobs: JobProcess | null = null;
  let stopping = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** Starts a process; resolves to null once it is up, and to its exit code when it ends before. */
  function start(): Promise<number | null> {
    const worker = cluster.fork(env);
    const started = Date.now();
    alive.add(worker);
    return new Promise((resolve) => {
      let up = false;
      worker.on('message', (message: unknown) => {
        if (!isTold(message)) return;
        if (message.say === 'ready') {
          up = true;
          resolve(null);
        }
        if (message.say === 'figures?') {
          const tell = (page: string | null) =>
            worker.isConnected() && worker.send({ say: 'figures', id: message.id, page });
          figuresOf(joined).then(tell, () => tell(null));
        }
        if (message.say === 'joined') joined.add(worker);
      });
      worker.once('exit', (code, signal) => {
        alive.delete(worker);
        joined.delete(worker);
        resolve(code ?? 1);
        if (stopping || worker.exitedAfterDisconnect || retired.has(worker)) return;
        if (!up) return;
        log.error({ pid: worker.process.pid, code, signal }, 'a process ended, and is started again');
        void again(Date.now() - started < LIVED_MS ? AGAIN_MS : 0);
      });
    });
  }

  /** Starts a process in place of one that ended, again and again until it is up. */
  async function again(ms: number): Promise<void> {
    for (let wait = ms; ; wait = Math.min(MOST_AGAIN_MS, Math.max(AGAIN_MS, 2 * wait))) {
      await sleep(wait);
      if (stopping || (await start()) === null) return;
    }
  }

  const retired = new WeakSet<Worker>();
  async function retire(worker: Worker): Promise<void> {
    retired.add(worker);
    if (worker.isDead()) return;
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    worker.process.kill('SIGTERM');
    await gone;
  }

  async function replaceAll(): Promise<void> {
    for (const worker of [...alive]) {
      if (stopping) return;
      if ((await start()) === null) await retire(worker);
    }
    await jobs?.replace();
    log.info({ processes: alive.size }, 'every process was replaced');
  }

  async function stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
    if (stopping) {
      for (const worker of alive) worker.process.kill('SIGKILL');
      return;
    }
    stopping = true;
    log.info({ signal }, 'stopping');
    const jobsEnded = jobs?.stop();
    for (const worker of alive) await retire(worker);
    await jobsEnded;
  }

  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => {
    turn = turn.then(replaceAll);
  });
  const failed = await start();
  if (failed !== null) {
    if (!stopping) process.exitCode = failed;
    return;
  }
  if (config.JOBS_AT_ONCE > 0 && !stopping) jobs = startJobProcess(config, log);
  await Promise.all(Array.from({ length: count - 1 }, async () => ((await start()) === null ? null : again(AGAIN_MS))));
}

/** Tells the supervisor, where there is one, that this process serves. */
export function tellReady(): void {
  if (isOneOfSeveral()) process.send?.({ say: 'ready' } satisfies Told);
}

/** The page of the figures of some processes: each metric added up as it says. Rejects when one does not answer. */
async function figuresOf(workers: Iterable<Worker>): Promise<string> {
  const all = await Promise.all(Array.from(workers, (worker) => ownFigures(worker)));
  return AggregatorRegistry.aggregate(all).metrics();
}

let questions = 0;

/** The figures of a process; none when it ends meanwhile. */
function ownFigures(worker: Worker): Promise<object[]> {
  const id = ++questions;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(late);
      worker.off('message', hear);
      worker.off('exit', left);
      settle();
    };
    const hear = (message: unknown): void => {
      if (!isTold(message) || message.say !== 'own' || message.id !== id) return;
      const { metrics } = message;
      end(() => (metrics ? resolve(metrics) : reject(new Error(`process ${worker.id} has no figures`))));
    };
    const left = (): void => end(() => resolve([]));
    const late = setTimeout(() => end(() => reject(new Error(`process ${worker.id} does not answer`))), OWN_FIGURES_MS);
    worker.on('message', hear);
    worker.once('exit', left);
    if (worker.isConnected()) worker.send({ say: 'own?', id } satisfies Told);
    else left();
  });
}

/** From now on this process answers when the supervisor asks for its figures. */
export function joinFigures(registry: Pick<Registry, 'getMetricsAsJSON'>): void {
  const tell = (told: Told): void => void process.send?.(told);
  process.on('message', (message: unknown) => {
    if (!isTold(message) || message.say !== 'own?') return;
    const { id } = message;
    registry.getMetricsAsJSON().then(
      (metrics) => tell({ say: 'own', id, metrics }),
      () => tell({ say: 'own', id, metrics: null }),
    );
  });
  tell({ say: 'joined' });
}

/** Lets this process end when it has nothing to do any more, whether the supervisor lives or not. */
export function leaveSupervisor(): void {
  process.channel?.unref();
}

let asked = 0;

/**
 * The page of metrics of all processes of the server that are up: summed, but for gauges of what they have in common.
 * Throws Error when the supervisor does
 * not have them within 6 s.
 */
export function figuresOfAll(): Promise<string> {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      if (isTold(message) && message.say === 'figures' && message.id === id) end(message.page);
    };
    const late = setTimeout(() => end(null), FIGURES_MS);
    const end = (page: string | null): void => {
      clearTimeout(late);
      process.off('message', hear);
      if (page === null) reject(new Error('the figures of the other processes did not come'));
      else resolve(page);
    };
    process.on('message', hear);
    process.send?.({ say: 'figures?', id } satisfies Told);
  });
}
