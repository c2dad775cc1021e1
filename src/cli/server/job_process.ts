import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { defined } from '../../common/elements.ts';
import { type Repeated, repeat } from '../../common/repeat.ts';
import { type Config, environmentWith } from '../../config.ts';
import type { Services } from '../../services.ts';

/**
 * Delay before a dead process restarts. It doubles, up to 30 s, each time the process dies within a minute of
 * its start.
 */
const RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 30_000;
const MIN_UPTIME_MS = 60_000;
/** The job process gets a quarter of the server's memory limits for arcs and answers, in addition to the server's. */
const MEMORY_DIVISOR = 4;

/** Milliseconds between two looks for jobs by a process of the server. */
const LOOK_MS = 1_000;

/** The process that runs a server's jobs. */
export interface JobProcess {
  /** Starts the process, unless it is there. */
  wanted(): void;
  /** Stops the process, if it is there, and starts a new one, from the program as it is installed now. */
  replace(): Promise<void>;
  /** Stops the process. Running jobs are released together with the parts that they have finished. */
  stop(): Promise<void>;
}

/** Calls `wanted` every second while there are jobs, until it is stopped. */
export function lookForJobs({ jobs, log }: Pick<Services, 'jobs' | 'log'>, wanted: () => void): Repeated {
  return repeat(
    LOOK_MS,
    async () => {
      if (await jobs.anyLive()) wanted();
    },
    (err) => log.warn({ err }, 'whether there are jobs is not known'),
  );
}

/**
 * Runs `boundary work` beside a server on a native database while there are jobs, until it is stopped: it takes as much
 * memory as a small server, so it is started by `wanted`, and ends after some minutes without a job. The server's threads then serve only
 * calls, and the operating system gives jobs what calls leave of the processors (take_jobs.ts). If the process dies, it
 * is restarted; if the server dies, the process exits.
 */
export function jobProcess(config: Config, log: Logger): JobProcess {
  let stopping = false;
  let retired: ChildProcess | null = null;
  let child: ChildProcess | null = null;
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
      if ('code' in why && why.code === 0) {
        // There was nothing left to do.
        if (child === made) child = null;
        return;
      }
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
  async function restart(exited: ChildProcess, soon: boolean): Promise<void> {
    wait = soon ? Math.min(MAX_RESTART_DELAY_MS, 2 * wait) : RESTART_DELAY_MS;
    await sleep(wait, null, { signal: over.signal }).catch(() => undefined);
    // The process may have been replaced in the meantime.
    if (!stopping && child === exited) child = start();
  }

  async function end(one: ChildProcess | null): Promise<void> {
    if (one === null || one.pid === undefined || one.exitCode !== null || one.signalCode !== null) return;
    const exited = new Promise((resolve) => one.once('exit', resolve));
    one.kill('SIGTERM');
    await exited;
  }

  return {
    wanted() {
      if (!stopping && child === null) child = start();
    },
    async replace() {
      if (child === null) return;
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
