import { DatabaseError } from '../db/connect.ts';
import { defined } from '../elements.ts';
import { atCapacity } from '../errors.ts';

interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** At most so many items in one statement: bounds its size and what waits behind it. */
const BATCH = 500;
/** So many may wait for one key, and so many keys may have a queue. */
const QUEUE = 10_000;
const KEYS = 10_000;

/**
 * Calls that are made one by one and worked off together: while the batch of a key is under way, what comes for that
 * key waits and goes into the next, in the order of arrival. One statement at a time and key, however many call.
 * `work` gives a result for each item, in their order. When it rejects because of what an item is, its batch is worked
 * off in halves, so that the others get their results; when it rejects for another reason (a deadline, a lost
 * connection), all of its batch do. Throws rate_limited when too many wait already.
 */
export function batched<T, R>(work: (key: string, items: readonly T[]) => Promise<readonly R[]>) {
  const queues = new Map<string, Waiting<T, R>[]>();

  async function drain(key: string, queue: Waiting<T, R>[]): Promise<void> {
    while (queue.length > 0) {
      await workOff(key, queue.splice(0, BATCH));
    }
    queues.delete(key);
  }

  async function workOff(key: string, batch: readonly Waiting<T, R>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    let results: readonly R[];
    try {
      results = await work(key, items);
    } catch (error) {
      if (batch.length === 1 || !isOfAnItem(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await workOff(key, batch.slice(0, half));
      await workOff(key, batch.slice(half));
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
      // After the present turn of the event loop, so that calls that arrive together go together.
      setImmediate(() => void drain(key, started));
    });
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint), and values that cannot be sent: nothing of it was kept. */
function isOfAnItem(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:2[23]\w{3}|value)$/.test(error.code);
}
