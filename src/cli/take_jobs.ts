import { readdir } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { openApp } from '../app/app.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../log.ts';
import { showMail } from './shown_mail.ts';
import { stopOnSignals } from './stop.ts';

/**
 * Does jobs until a signal ends it: one at a time, or as many as JOBS_AT_ONCE says. An embedded database has one process,
 * so that a server in the same folder does its jobs itself. On a native one the process has a low priority: a server on
 * the same machine gets the processor first. Throws DatabaseError data_dir_in_use.
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
  // A server's own (job_process.ts): a terminal sends its interrupt to both, and the server alone decides then. Where the
  // server dies this process ends, too; it may have died before anyone listened here.
  if (process.connected !== undefined) {
    const end = () => void close().finally(() => process.exit());
    process.on('SIGINT', () => undefined);
    process.once('disconnect', end);
    stopOnSignals(close, log, ['SIGTERM']);
    return process.connected ? app.jobRunner.start() : end();
  }
  stopOnSignals(close, log);
  await app.jobRunner.start();
  process.stderr.write('Waiting for jobs. Stop with Ctrl-C.\n');
}

/**
 * Lowers the priority of the process, to a tenth of the share of others: with less, its transactions would hold locks for
 * long on a busy machine; tasks of geometry, which hold none, get less (pool.ts). On Linux each thread has a priority of
 * its own, and a new thread has its maker's.
 */
async function giveWay(): Promise<void> {
  const threads = process.platform === 'linux' ? await readdir('/proc/self/task') : ['0'];
  for (const id of threads) {
    try {
      setPriority(Number(id), constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It has ended since it was listed; or a sandbox refuses, and jobs run as before.
    }
  }
}

/** Keeps the process alive until it is stopped: what polls does not. */
function stopper(): { stop(): void } {
  const timer = setInterval(() => undefined, 60_000);
  return { stop: () => clearInterval(timer) };
}
