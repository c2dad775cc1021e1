import { DatabaseError } from './database_error.ts';

/** How long a caller stands in a queue at most. */
export interface Patience {
  /** Leaves the queue when it aborts; what was waited for then throws its reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds; as long as it takes when absent. */
  readonly ms?: number;
}

/** Lets so many callers through at a time, in order of arrival. */
export interface Gate {
  /**
   * Runs `work` when everyone before is done. Throws DatabaseError `queue_full` when too many wait already, `waited`
   * when its turn did not come within `ms`, and the reason of a signal that aborts before: `work` is not run then, and
   * no one behind waits for it.
   */
  run<T>(work: () => Promise<T>, patience?: Patience): Promise<T>;
  /** How many run or wait. */
  readonly size: number;
}

/** A gate whose queue holds at most `limit` callers beside the `width` that run. */
export function createGate(limit: number, width = 1): Gate {
  let running = 0;
  const waiting = new Set<() => void>();

  function turn({ signal, ms }: Patience): Promise<void> {
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
      // The place of the one that ended is handed on: the count of those that run stays.
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

  async function run<T>(work: () => Promise<T>, patience: Patience = {}): Promise<T> {
    if (patience.signal?.aborted) throw reasonOf(patience.signal);
    if (running < width) running++;
    else if (waiting.size >= limit) {
      throw new DatabaseError('queue_full', `${limit} database calls are waiting already.`);
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

/** What whoever aborted says, as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('the call was given up', { cause: reason });
}
