import { defined } from '../common/elements.ts';
import { atCapacity } from '../core/errors.ts';
import { DatabaseError } from '../db/connect.ts';

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Maximum items of one statement: bounds its size and what waits behind it. */
const BATCH = 500;
/** Maximum items that wait for one key, and maximum keys with a queue. */
const QUEUE = 10_000;
const KEYS = 10_000;

/**
 * Coalesces calls: while the batch of a key runs, further calls with that key wait and form its next batch, in order of
 * arrival. One statement at a time and key, however many call. `work` returns a result for each item, in their order.
 * If it rejects because of an item's data, the batch is split into halves, so that the others get their results; if it
 * rejects for another reason (a deadline, a lost connection), the whole batch rejects.
 * @throws rate_limited when too many wait already
 */
export function coalesce<T, R>(work: (key: string, items: readonly T[]) => Promise<readonly R[]>) {
  const queues = new Map<string, Waiting<T, R>[]>();

  async function drain(key: string, queue: Waiting<T, R>[]): Promise<void> {
    while (queue.length > 0) {
      await runBatch(key, queue.splice(0, BATCH));
    }
    queues.delete(key);
  }

  async function runBatch(key: string, batch: readonly Waiting<T, R>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    let results: readonly R[];
    try {
      results = await work(key, items);
    } catch (error) {
      if (batch.length === 1 || !isItemError(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await runBatch(key, batch.slice(0, half));
      await runBatch(key, batch.slice(half));
      return;
    }
    batch.forEach(({ resolve }, i) => {
      resolve(defined(results[i]));
    });
  }

  return (key: string, item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = queues.get(key);
      if ((queue?.length ?? 0) >= QUEUE || (!queue && queues.size >= KEYS)) {
        reject(atCapacity());
        return;
      }
      if (queue) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      queues.set(key, started);
      // After the current turn of the event loop: calls that arrive together form one batch.
      setImmediate(() => void drain(key, started));
    });
}

/** Whether an item caused the error: SQLSTATE 22 (data exception), 23 (constraint), or a value that cannot be sent. */
function isItemError(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:2[23]\w{3}|value)$/.test(error.code);
}
