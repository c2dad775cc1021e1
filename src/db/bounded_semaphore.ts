import { DatabaseError } from './database_error.ts';

/** How long a caller may wait in a queue. */
export interface WaitOptions {
  /** When it aborts, the caller leaves the queue, and its call throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds; no limit when absent. */
  readonly ms?: number;
}

/** A semaphore with a bounded queue: lets a fixed number of callers run at a time, in order of arrival. */
export interface BoundedSemaphore {
  /**
   * Runs `work` when its turn comes. If it throws one of these, `work` did not run, and no later caller waits for it.
   * @throws DatabaseError `queue_full` when too many wait already; `waited` when its turn did not come within `ms`; the
   * reason of a signal that aborts before its turn
   */
  run<T>(work: () => Promise<T>, patience?: WaitOptions): Promise<T>;
  /** Number of callers that run or wait. */
  readonly size: number;
}

/** A gate with at most `limit` waiting callers, besides the `width` that run. */
export function createBoundedSemaphore(limit: number, width = 1): BoundedSemaphore {
  let running = 0;
  const waiting = new Set<() => void>();

  function turn({ signal, ms }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const aborted = (): void => leave(reasonOf(signal));
      const end = (): void => {
        waiting.delete(go);
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      // The caller that ended hands its place on, so the number of running callers stays the same.
      const go = (): void => {
        end();
        resolve();
      };
      waiting.add(go);
      signal?.addEventListener('abort', aborted, { once: true });
      if (ms === undefined || ms === Number.POSITIVE_INFINITY) return;
      timer = setTimeout(() => leave(new DatabaseError('waited', `No turn came within ${ms} ms.`)), ms);
    });
  }

  async function run<T>(work: () => Promise<T>, patience: WaitOptions = {}): Promise<T> {
    if (patience.signal?.aborted) throw reasonOf(patience.signal);
    if (running < width) running++;
    else if (waiting.size >= limit) {
      throw new DatabaseError('queue_full', `${limit} database calls are already waiting.`);
    } else await turn(patience);
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running--;
    }
  }

  return {
    run,
    get size() {
      return running + waiting.size;
    },
  };
}

/** The signal's reason as an Error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('the call was given up', { cause: reason });
}
