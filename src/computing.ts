/**
 * Which calls are being worked on, and which only wait for their turn. A call is known by the signal that ends it: when
 * its time is over, one that was computing asked for too much, and one that was waiting met a server at capacity.
 */

const running = new WeakMap<AbortSignal, number>();
const workers = new WeakMap<AbortSignal, Set<AbortSignal>>();

/** Work of a call runs from now on, until the function that is given is called. */
export function computes(signal: AbortSignal | undefined): () => void {
  if (!signal) return () => undefined;
  running.set(signal, (running.get(signal) ?? 0) + 1);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    running.set(signal, (running.get(signal) ?? 1) - 1);
  };
}

/** A call is worked on also while `work` is: the signal of what is made for several calls at once. */
export function sharesWork(signal: AbortSignal | undefined, work: AbortSignal): void {
  if (!signal) return;
  workers.set(signal, (workers.get(signal) ?? new Set()).add(work));
}

/** Whether work of a call runs at this moment, in a geometry worker or in the database. */
export function isComputing(signal: AbortSignal): boolean {
  return (running.get(signal) ?? 0) > 0 || [...(workers.get(signal) ?? [])].some(isComputing);
}
