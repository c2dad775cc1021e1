import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Work of this thread in executed blocks of its own sources (functions, branches and bodies of loops), as V8 counts
 * them: it depends neither on the machine nor on what else it does.
 */
export interface Work {
  /**
   * Blocks that were executed in the turn of the event loop that had the most, with those of short turns right before it
   * (at most about LEAST_MS).
   */
  readonly longest: number;
  /** Blocks in all turns. */
  readonly total: number;
}

/**
 * Milliseconds of execution between two counts, and of a wait for the next. A count takes longer than most turns do, and
 * while the thread waits for others there is nothing to count.
 */
const LEAST_MS = 1;

/** Runs `work` and counts what this thread executes in each turn of the event loop until it ends. */
export async function countWork(work: () => Promise<unknown>): Promise<Work> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let [longest, total] = [0, 0];
  const take = (): void => {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      let blocks = 0;
      for (const { url, functions } of result) {
        if (!/\/(?:src|workers)\//.test(url)) continue;
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
      }
      longest = Math.max(longest, blocks);
      total += blocks;
    });
  };
  let ended = false;
  const watching = (async () => {
    let counted = performance.eventLoopUtilization();
    while (!ended) {
      await sleep(LEAST_MS);
      if (performance.eventLoopUtilization(counted).active < LEAST_MS) continue;
      take();
      counted = performance.eventLoopUtilization();
    }
    take();
  })();
  try {
    take();
    [longest, total] = [0, 0];
    await work();
  } finally {
    ended = true;
    await watching;
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
  return { longest, total };
}
