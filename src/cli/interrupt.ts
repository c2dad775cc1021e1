import { dropDrafts } from './files.ts';

/** Exit codes by convention: 128 plus the number of the signal. */
const EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ctrl-C was pressed, or the system asked the program to exit. */
export class Interrupted extends Error {
  readonly exit: number;

  constructor(signal: keyof typeof EXITS) {
    super('interrupted');
    this.name = 'Interrupted';
    this.exit = EXITS[signal];
  }
}

/**
 * Returns a signal that aborts with Interrupted on the first SIGINT or SIGTERM, so that running work can clean up. On
 * the second, the program exits at once.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) {
        dropDrafts();
        process.exit(EXITS[name]);
      }
      controller.abort(new Interrupted(name));
    });
  }
  return controller.signal;
}
