interface Waiting<T, R> {
  readonly item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** At most so many items in one statement: bounds its size and what waits behind it. */
const BATCH = 500;

/**
 * Calls that are made one by one and worked off together: while the batch of a key is under way, what comes for that
 * key waits and goes into the next, in the order of arrival. One statement at a time and key, however many call.
 * `work` gives a result for each item, in their order; when it rejects, all of its batch do.
 */
export function batched<T, R>(work: (key: string, items: readonly T[]) => Promise<readonly R[]>) {
  const queues = new Map<string, Waiting<T, R>[]>();

  async function drain(key: string, queue: Waiting<T, R>[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      try {
        const results = await work(
          key,
          batch.map(({ item }) => item),
        );
        batch.forEach(({ resolve }, i) => {
          resolve(results[i]);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    queues.delete(key);
  }

  return (key: string, item: T): Promise<R> =>
    new Promise((resolve, reject) => {
      const waiting = { item, resolve, reject };
      const queue = queues.get(key);
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
