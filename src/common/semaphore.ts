/** How long a caller may wait in a queue. */
export interface WaitOptions {
  /** When it aborts, the caller leaves the queue, and its call throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds; no limit when absent. */
  readonly ms?: number;
}

/** The turn of a caller did not come, so its work did not run: `queue_full`: too many wait; `waited`: its time passed. */
export class QueueError extends Error {
  readonly code: 'queue_full' | 'waited';

  constructor(code: 'queue_full' | 'waited', message: string) {
    super(message);
    this.name = 'QueueError';
    this.code = code;
  }
}

/** A semaphore: lets at most `width` callers run at a time; others wait in order of arrival, at most `limit` of them. */
export class Semaphore {
  private readonly width: number;
  private readonly limit: number;
  private readonly queue = new Set<() => void>();
  private running = 0;

  constructor(width: number, limit = Number.POSITIVE_INFINITY) {
    this.width = width;
    this.limit = limit;
  }

  /** Number of callers that wait. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Number of callers that run or wait. */
  get size(): number {
    return this.running + this.queue.size;
  }

  /**
   * Runs `work` when its turn comes. If it throws one of these, `work` did not run, and no later caller waits for it.
   * @throws QueueError `queue_full` when too many wait already; `waited` when its turn did not come within `ms`; the
   * reason of a signal that aborts before its turn
   */
  async run<T>(work: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
    if (options.signal?.aborted) throw reasonOf(options.signal);
    if (this.running < this.width) this.running++;
    else if (this.queue.size >= this.limit) {
      throw new QueueError('queue_full', `${this.limit} calls are already waiting.`);
    } else await this.turn(options);
    try {
      return await work();
    } finally {
      const [next] = this.queue;
      if (next) next();
      else this.running--;
    }
  }

  private turn({ signal, ms }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const aborted = (): void => leave(reasonOf(signal));
      const end = (): void => {
        this.queue.delete(go);
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      // The caller that ended hands its place on, so the number of running callers stays the same.
      const go = (): void => {
        end();
        resolve();
      };
      this.queue.add(go);
      signal?.addEventListener('abort', aborted, { once: true });
      if (ms === undefined || ms === Number.POSITIVE_INFINITY) return;
      timer = setTimeout(() => leave(new QueueError('waited', `No turn came within ${ms} ms.`)), ms);
    });
  }
}

/** The signal's reason as an Error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('the call was given up', { cause: reason });
}

/**
 * A semaphore for each of many owners, such as organizations: what one of them has waiting takes no place of others. Only
 * owners with callers are kept.
 */
export class OwnedSemaphores {
  private readonly width: number;
  private readonly limit: number;
  private readonly byOwner = new Map<string, Semaphore>();

  /** @param width callers of one owner at a time; `limit`: those of it that wait */
  constructor(width: number, limit: number) {
    this.width = width;
    this.limit = limit;
  }

  /** Runs `work` when the turn of its owner comes, as Semaphore.run(). */
  async run<T>(owner: string, work: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
    const own = this.byOwner.get(owner) ?? new Semaphore(this.width, this.limit);
    this.byOwner.set(owner, own);
    try {
      return await own.run(work, options);
    } finally {
      if (own.size === 0) this.byOwner.delete(owner);
    }
  }
}
