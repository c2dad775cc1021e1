import { asProblem } from '../../core/errors.ts';

/** Milliseconds between two looks for boundaries that are due. */
const REFRESH_MS = 30_000;

/** Refreshes what is due, every now and then. */
export interface Refreshes {
  /** Starts to look, until stop(). */
  start(): void;
  /** Looks at once, if started. */
  soon(): void;
  /** Begins no further refresh. */
  stop(): void;
  /** Resolves when the running refreshes have ended. */
  ended(): Promise<unknown>;
}

/**
 * Creates the refreshes of an upstream.
 * @param refreshOne refreshes one boundary; false when none is due
 * @param failed gets errors but problems, which the servers log already
 */
export function createRefreshes(refreshOne: () => Promise<boolean>, failed: (error: unknown) => void): Refreshes {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let open = true;

  async function refreshAll(): Promise<void> {
    while (open && (await refreshOne()));
  }

  function schedule(ms: number): void {
    if (!open) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      running = running
        .then(refreshAll)
        .catch((error: unknown) => {
          if (!asProblem(error)) failed(error);
        })
        .then(() => schedule(REFRESH_MS));
    }, ms);
    timer.unref();
  }

  return {
    start: () => schedule(REFRESH_MS),
    soon() {
      if (timer) schedule(0);
    },
    stop() {
      open = false;
      if (timer) clearTimeout(timer);
    },
    ended: () => running,
  };
}
