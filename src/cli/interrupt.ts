import { dropDrafts } from './files.ts';

/** What a shell shows for a program that Ctrl-C or SIGTERM ended. */
const EXITS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The person pressed Ctrl-C, or the system asks the program to end. */
export class Interrupted extends Error {
  readonly exit: number;

  constructor(signal: keyof typeof EXITS) {
    super('interrupted');
    this.name = 'Interrupted';
    this.exit = EXITS[signal];
  }
}

/**
 * A signal that aborts when the program is asked to end, with Interrupted as its reason, so that what runs can close
 * what it has open. Asked a second time, the program ends at once.
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
