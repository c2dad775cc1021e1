/**
 * Runs `work` for each item, at most `width` at a time, and passes the results to `use` in the order of the items.
 * Stops when `use` returns false, and rejects with the first error. Either way it waits for work in flight, which may
 * use open files.
 */
export async function inParallel<T, R>(
  width: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
  use: (result: R, item: T) => unknown = () => {},
): Promise<void> {
  const coming: { item: T; result: Promise<R> }[] = [];
  const next = items[Symbol.iterator]();
  try {
    for (let more = true; ; ) {
      while (more && coming.length < width) {
        const { value: item, done } = next.next();
        if (done) {
          more = false;
          break;
        }
        const result = work(item);
        // An error is thrown where the result is awaited; this prevents an unhandled rejection until then.
        result.catch(() => {});
        coming.push({ item, result });
      }
      const first = coming.shift();
      if (first === undefined || (await use(await first.result, first.item)) === false) return;
    }
  } finally {
    await Promise.allSettled(coming.map(({ result }) => result));
  }
}
