import type { Logger } from 'pino';

/** Exit codes by convention: 128 plus the number of the signal. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs `stop` on the first of the signals, then exits. A second signal exits at once. */
export function stopOnSignals(
  stop: () => Promise<unknown>,
  log: Logger,
  signals: readonly (keyof typeof CODES)[] = ['SIGTERM', 'SIGINT'],
): void {
  let stopping = false;
  const onSignal = (signal: 'SIGTERM' | 'SIGINT'): void => {
    if (stopping) process.exit(CODES[signal]);
    stopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of signals) process.on(signal, onSignal);
}
