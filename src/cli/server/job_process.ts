import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { defined } from '../../common/elements.ts';
import { type Config, environmentWith } from '../../config.ts';

/**
 * Delay before a dead process restarts. It doubles, up to 30 s, each time the process dies within a minute of
 * its start.
 */
const RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;
const MIN_UPTIME_MS = 60_000;
/** The job process gets a quarter of the server's memory limits for arcs and answers, in addition to the server's. */
const MEMORY_DIVISOR = 4;

/** The process that runs a server's jobs. */
export interface JobProcess {
  /** Stops the process and starts a new one, from the program as it is installed now. */
  replace(): Promise<void>;
  /** Stops the process. Running jobs are released together with the parts that they have finished. */
  stop(): Promise<void>;
}

/**
 * Runs `boundary work` beside a server on a native database until it is stopped. The server's threads then serve only
 * calls, and the operating system gives jobs what calls leave of the processors (take_jobs.ts). If the process dies, it
 * is restarted; if the server dies, the process exits.
 */
export function startJobProcess(config: Config, log: Logger): JobProcess {
  let stopping = false;
  let retired: ChildProcess | null = null;
  let child = start();
  const over = new AbortController();

  function start(): ChildProcess {
    const bytes = (all: number): string => String(Math.max(1, Math.floor(all / MEMORY_DIVISOR)));
    const env = environmentWith({
      // Flags of `serve` may have overridden these.
      BASE_URL: config.BASE_URL,
      DATA_DIR: config.DATA_DIR,
      CACHE_BYTES: bytes(config.CACHE_BYTES),
      ARC_CACHE_BYTES: bytes(config.ARC_CACHE_BYTES),
    });
    const started = Date.now();
    const made = fork(defined(process.argv[1]), ['work'], { env });
    const ended = (why: object): void => {
      if (stopping || made === retired) return;
      log.error({ pid: made.pid, ...why }, 'the job process ended and is restarted');
      void restart(made, Date.now() - started < MIN_UPTIME_MS);
    };
    made.once('exit', (code, signal) => ended({ code, signal }));
    made.on('error', (err) => {
      // Without a pid the process did not start and emits no exit event.
      if (made.pid === undefined) ended({ err });
      else log.warn({ err, pid: made.pid }, 'the job process could not be reached');
    });
    return made;
  }

  let wait = RESTART_DELAY_MS;
  async function restart(gone: ChildProcess, soon: boolean): Promise<void> {
    wait = soon ? Math.min(MAX_RESTART_DELAY_MS, 2 * wait) : RESTART_DELAY_MS;
    await sleep(wait, null, { signal: over.signal }).catch(() => undefined);
    // The process may have been replaced in the meantime.
    if (!stopping && child === gone) child = start();
  }

  async function end(one: ChildProcess): Promise<void> {
    if (one.pid === undefined || one.exitCode !== null || one.signalCode !== null) return;
    const gone = new Promise((resolve) => one.once('exit', resolve));
    one.kill('SIGTERM');
    await gone;
  }

  return {
    async replace() {
      retired = child;
      await end(child);
      if (!stopping) child = start();
    },
    async stop() {
      stopping = true;
      over.abort();
      await end(child);
    },
  };
}
