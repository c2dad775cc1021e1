import { readdir } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { type App, openApp } from '../../app/app.ts';
import { createLogger } from '../../common/log.ts';
import { repeat } from '../../common/repeat.ts';
import type { Config } from '../../config.ts';
import { showMail } from '../render/shown_mail.ts';
import { stopOnSignals } from './stop.ts';

/**
 * Runs jobs until a signal stops the process: JOBS_AT_ONCE at a time, at least one. An embedded database allows one
 * process, so a server in the same folder runs its jobs itself. On a native database the process has a low priority, so
 * that a server on the same machine gets the processor first.
 * @throws DatabaseError data_dir_in_use
 */
export async function takeJobs(config: Config): Promise<void> {
  if (config.DATABASE_URL) await giveWay();
  const log = createLogger(config.LOG_LEVEL);
  const settings = { ...config, JOBS_AT_ONCE: Math.max(1, config.JOBS_AT_ONCE) };
  const app = await openApp(settings, log, { onMail: showMail });
  const { stop } = stopper();
  const close = async (): Promise<void> => {
    await app.close();
    stop();
  };
  // A server's own job process (job_process.ts). A terminal sends SIGINT to both; the server alone handles it. When the
  // server dies, this process exits too; the server may have died before this listener was added.
  if (process.connected !== undefined) {
    const end = () => void close().finally(() => process.exit());
    process.on('SIGINT', () => undefined);
    process.once('disconnect', end);
    stopOnSignals(close, log, ['SIGTERM']);
    if (!process.connected) return end();
    await app.jobRunner.start();
    endWhenIdle(app, end);
    return;
  }
  stopOnSignals(close, log);
  await app.jobRunner.start();
  process.stderr.write('Waiting for jobs. Stop with Ctrl-C.\n');
}

/** Milliseconds without a job after which the process of a server ends, and between two looks. */
const IDLE_MS = 600_000;
const LOOK_MS = 60_000;

/** Calls `end` once there has been no job for ten minutes; the server starts the process again for the next one. */
function endWhenIdle({ services: { jobs, log } }: App, end: () => void): void {
  let since = performance.now();
  const look = async (): Promise<void> => {
    if (await jobs.anyLive()) since = performance.now();
    else if (performance.now() - since >= IDLE_MS) end();
  };
  repeat(LOOK_MS, look, (err) => log.warn({ err }, 'whether there are jobs is not known'));
}

/**
 * Lowers the priority of the process to a tenth of the share of others. With less, its transactions would hold locks
 * for long on a busy machine; geometry tasks, which hold none, get less (pool.ts). On Linux each thread has its own
 * priority, and a new thread inherits its creator's.
 */
async function giveWay(): Promise<void> {
  const threads = process.platform === 'linux' ? await readdir('/proc/self/task') : ['0'];
  for (const id of threads) {
    try {
      setPriority(Number(id), constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended since it was listed, or a sandbox refuses; then jobs run at the normal priority.
    }
  }
}

/** Keeps the process alive until it is stopped; the polling timer does not. */
function stopper(): { stop(): void } {
  const timer = setInterval(() => undefined, 60_000);
  return { stop: () => clearInterval(timer) };
}
