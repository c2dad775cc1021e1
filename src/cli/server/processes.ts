import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../../config.ts';
import { type JobProcess, jobProcess } from './job_process.ts';

/** Settings that are totals of a server and are divided among its processes. */
const DIVIDED_SETTINGS = ['WORKER_THREADS', 'CACHE_BYTES', 'ARC_CACHE_BYTES', 'SEARCH_BYTES'] as const;

/**
 * Delay before a dead process restarts. It doubles, up to 30 s, each time the process dies within a minute of
 * its start.
 */
const RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;
const MIN_UPTIME_MS = 60_000;
/** Timeouts for metrics: the supervisor's for one process, and a process's for the supervisor. */
const WORKER_METRICS_TIMEOUT_MS = 5_000;
const METRICS_TIMEOUT_MS = 6_000;

type WorkerMessage =
  | { readonly say: 'ready' }
  | { readonly say: 'joined' }
  | { readonly say: 'jobs' }
  | { readonly say: 'own?'; readonly id: number }
  | { readonly say: 'own'; readonly id: number; readonly metrics: object[] | null }
  | { readonly say: 'figures?'; readonly id: number }
  | { readonly say: 'figures'; readonly id: number; readonly page: string | null };

function isWorkerMessage(message: unknown): message is WorkerMessage {
  return typeof message === 'object' && message !== null && 'say' in message;
}

/** Whether this process is a worker of a supervisor. */
export const isClusterWorker = (): boolean => cluster.isWorker;

/**
 * Whether this process is the first of its server. Only the first loads seed data, creates the first key and prints the
 * welcome message.
 */
export const isFirst = (): boolean => cluster.worker === undefined || cluster.worker.id === 1;

/** Environment variables of one of `count` processes, with the totals divided. */
export function shareOf(
  config: Pick<Config, (typeof DIVIDED_SETTINGS)[number]>,
  count: number,
): Record<string, string> {
  return Object.fromEntries(
    DIVIDED_SETTINGS.map((name) => [name, String(Math.max(1, Math.floor(config[name] / count)))]),
  );
}

/**
 * Runs a server as `count` processes that share its port, and a job process beside them while
 * there are jobs, until SIGTERM or SIGINT. They
 * then finish their requests and exit one after another; a second signal kills them. The first process is up before the
 * others start. A process that dies is restarted. SIGHUP replaces each process with a new one, which is up before the
 * old one exits, so that no connection is refused. If the first process fails to start, its exit code becomes this
 * process's.
 */
export async function superviseProcesses(config: Config, count: number, log: Logger): Promise<void> {
  // Each worker accepts connections itself. With round-robin, a connection that is being passed to a dying worker would
  // never be answered or closed (lib/internal/cluster/round_robin_handle.js).
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const env = shareOf(config, count);
  /** Workers that have metrics. One that is still starting has none and would not answer. */
  const joined = new Set<Worker>();
  const alive = new Set<Worker>();
  let jobs: JobProcess | null = null;
  let stopping = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** Starts a worker. Resolves to null once it is up, or to its exit code if it exits before. */
  function start(): Promise<number | null> {
    const worker = cluster.fork(env);
    const started = Date.now();
    alive.add(worker);
    return new Promise((resolve) => {
      let up = false;
      worker.on('message', (message: unknown) => {
        if (!isWorkerMessage(message)) return;
        if (message.say === 'ready') {
          up = true;
          resolve(null);
        }
        if (message.say === 'figures?') {
          const reply = (page: string | null) =>
            worker.isConnected() && worker.send({ say: 'figures', id: message.id, page });
          metricsOf(joined).then(reply, () => reply(null));
        }
        if (message.say === 'joined') joined.add(worker);
        if (message.say === 'jobs') jobs?.wanted();
      });
      worker.once('exit', (code, signal) => {
        alive.delete(worker);
        joined.delete(worker);
        resolve(code ?? 1);
        if (stopping || worker.exitedAfterDisconnect || retired.has(worker)) return;
        if (!up) return;
        log.error({ pid: worker.process.pid, code, signal }, 'a process ended and is restarted');
        void restart(Date.now() - started < MIN_UPTIME_MS ? RESTART_DELAY_MS : 0);
      });
    });
  }

  /** Replaces a worker that died; retries until one is up. */
  async function restart(ms: number): Promise<void> {
    for (let wait = ms; ; wait = Math.min(MAX_RESTART_DELAY_MS, Math.max(RESTART_DELAY_MS, 2 * wait))) {
      await sleep(wait);
      if (stopping || (await start()) === null) return;
    }
  }

  const retired = new WeakSet<Worker>();
  async function retire(worker: Worker): Promise<void> {
    retired.add(worker);
    if (worker.isDead()) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.process.kill('SIGTERM');
    await exited;
  }

  async function replaceAll(): Promise<void> {
    for (const worker of [...alive]) {
      if (stopping) return;
      if ((await start()) === null) await retire(worker);
    }
    await jobs?.replace();
    log.info({ processes: alive.size }, 'all processes were replaced');
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
  if (config.JOBS_AT_ONCE > 0 && !stopping) jobs = jobProcess(config, log);
  await Promise.all(
    Array.from({ length: count - 1 }, async () => ((await start()) === null ? null : restart(RESTART_DELAY_MS))),
  );
}

/** Reports to the supervisor, if there is one, that this process is serving. */
export function reportReady(): void {
  if (isClusterWorker()) process.send?.({ say: 'ready' } satisfies WorkerMessage);
}

/** Tells the supervisor that there are jobs. */
export function reportJobs(): void {
  if (process.connected) process.send?.({ say: 'jobs' } satisfies WorkerMessage);
}

/** The metrics page of several processes, each metric aggregated by its own rule. Rejects when one does not answer. */
async function metricsOf(workers: Iterable<Worker>): Promise<string> {
  const all = await Promise.all(Array.from(workers, (worker) => workerMetrics(worker)));
  return AggregatorRegistry.aggregate(all).metrics();
}

let lastWorkerRequest = 0;

/** The metrics of a worker; empty if it exits in the meantime. */
function workerMetrics(worker: Worker): Promise<object[]> {
  const id = ++lastWorkerRequest;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(late);
      worker.off('message', hear);
      worker.off('exit', left);
      settle();
    };
    const hear = (message: unknown): void => {
      if (!isWorkerMessage(message) || message.say !== 'own' || message.id !== id) return;
      const { metrics } = message;
      end(() => (metrics ? resolve(metrics) : reject(new Error(`process ${worker.id} has no metrics`))));
    };
    const left = (): void => end(() => resolve([]));
    const late = setTimeout(
      () => end(() => reject(new Error(`process ${worker.id} does not answer`))),
      WORKER_METRICS_TIMEOUT_MS,
    );
    worker.on('message', hear);
    worker.once('exit', left);
    if (worker.isConnected()) worker.send({ say: 'own?', id } satisfies WorkerMessage);
    else left();
  });
}

/** Makes this process answer when the supervisor asks for its metrics. */
export function serveMetrics(registry: Pick<Registry, 'getMetricsAsJSON'>): void {
  const send = (message: WorkerMessage): void => void process.send?.(message);
  process.on('message', (message: unknown) => {
    if (!isWorkerMessage(message) || message.say !== 'own?') return;
    const { id } = message;
    registry.getMetricsAsJSON().then(
      (metrics) => send({ say: 'own', id, metrics }),
      () => send({ say: 'own', id, metrics: null }),
    );
  });
  send({ say: 'joined' });
}

/** Lets this process exit when it has no work left, whether or not the supervisor is alive. */
export function detachFromSupervisor(): void {
  process.channel?.unref();
}

let lastRequest = 0;

/**
 * The metrics page of all processes of the server: summed, except gauges of shared values.
 * @throws Error when the supervisor does not answer within 6 s
 */
export function aggregatedMetrics(): Promise<string> {
  const id = ++lastRequest;
  return new Promise((resolve, reject) => {
    const hear = (message: unknown): void => {
      if (isWorkerMessage(message) && message.say === 'figures' && message.id === id) end(message.page);
    };
    const late = setTimeout(() => end(null), METRICS_TIMEOUT_MS);
    const end = (page: string | null): void => {
      clearTimeout(late);
      process.off('message', hear);
      if (page === null) reject(new Error('the metrics of the other processes did not arrive'));
      else resolve(page);
    };
    process.on('message', hear);
    process.send?.({ say: 'figures?', id } satisfies WorkerMessage);
  });
}
