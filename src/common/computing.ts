/**
 * Which calls are computing, and which only wait for their turn. A call is known by the signal that aborts it: at its
 * deadline, a call that was computing asked for too much, and one that was waiting met a server at capacity.
 */

const running = new WeakMap<AbortSignal, number>();
const workers = new WeakMap<AbortSignal, Set<AbortSignal>>();

/** Marks a call as computing until the returned function is called. */
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

/** Counts a call as computing also while `work` is: the signal of work shared by several calls. */
export function sharesWork(signal: AbortSignal | undefined, work: AbortSignal): void {
  if (!signal) return;
  workers.set(signal, (workers.get(signal) ?? new Set()).add(work));
}

/** Whether work of a call is running now, in a geometry worker or in the database. */
export function isComputing(signal: AbortSignal): boolean {
  return (running.get(signal) ?? 0) > 0 || [...(workers.get(signal) ?? [])].some(isComputing);
}
