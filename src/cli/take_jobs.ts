import { openApp } from '../app/app.ts';
import type { Config } from '../config.ts';
import { createLogger } from '../log.ts';
import { stopOnSignals } from './stop.ts';

/**
 * Does jobs until a signal ends it: one at a time, or as many as JOBS_AT_ONCE says. An embedded database has one process,
 * so that a server in the same folder does its jobs itself. Throws DatabaseError data_dir_in_use.
 */
export async function takeJobs(config: Config): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  const app = await openApp({ ...config, JOBS_AT_ONCE: Math.max(1, config.JOBS_AT_ONCE) }, log);
  const { stop } = stopper();
  stopOnSignals(async () => {
    await app.close();
    stop();
  }, log);
  await app.jobRunner.start();
  process.stderr.write('Waiting for jobs. Stop with Ctrl-C.\n');
}

/** Keeps the process alive until it is stopped: what polls does not. */
function stopper(): { stop(): void } {
  const timer = setInterval(() => undefined, 60_000);
  return { stop: () => clearInterval(timer) };
}
