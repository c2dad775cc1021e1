import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, environmentWith } from '../config.ts';
import { defined } from '../elements.ts';

/** A process that ended is started again after so long, twice as long each time it ends within LIVED_MS of its start. */
const AGAIN_MS = 500;
const MOST_AGAIN_MS = 30_000;
const LIVED_MS = 60_000;
/** Of the memory for arcs and answers that a server on this machine may take, what its process of jobs may take beside. */
const SHARE = 4;

/** The process that does the jobs of a server. */
export interface JobProcess {
  /** Ends it, and starts another, of the program as it is installed now. */
  replace(): Promise<void>;
  /** Ends it: jobs that run are given back with the parts that are made. */
  stop(): Promise<void>;
}

/**
 * Runs `boundary work` beside a server on a native database until it is stopped: the main thread and the threads of the
 * server then belong to calls alone, and the system gives a job what calls leave of the processors (take_jobs.ts). One
 * that dies is started again; one whose server dies ends.
 */
export function startJobProcess(config: Config, log: Logger): JobProcess {
  let stopping = false;
  let retired: ChildProcess | null = null;
  let child = start();
  const over = new AbortController();

  function start(): ChildProcess {
    const bytes = (all: number): string => String(Math.max(1, Math.floor(all / SHARE)));
    const env = environmentWith({
      // Flags of `serve` may stand for these.
      BASE_URL: config.BASE_URL,
      DATA_DIR: config.DATA_DIR,
      CACHE_BYTES: bytes(config.CACHE_BYTES),
      ARC_CACHE_BYTES: bytes(config.ARC_CACHE_BYTES),
    });
    const started = Date.now();
    const made = fork(defined(process.argv[1]), ['work'], { env });
    const ended = (why: object): void => {
      if (stopping || made === retired) return;
      log.error({ pid: made.pid, ...why }, 'the process of jobs ended, and is started again');
      void again(made, Date.now() - started < LIVED_MS);
    };
    made.once('exit', (code, signal) => ended({ code, signal }));
    made.on('error', (err) => {
      // Without a pid it was never there, and has no exit.
      if (made.pid === undefined) ended({ err });
      else log.warn({ err, pid: made.pid }, 'the process of jobs was not reached');
    });
    return made;
  }

  let wait = AGAIN_MS;
  async function again(gone: ChildProcess, soon: boolean): Promise<void> {
    wait = soon ? Math.min(MOST_AGAIN_MS, 2 * wait) : AGAIN_MS;
    await sleep(wait, null, { signal: over.signal }).catch(() => undefined);
    // Another may have replaced it meanwhile.
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
