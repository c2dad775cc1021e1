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
/** The sources of this project; packages have folders of these names, too. */
const OURS = /^(?!.*\/node_modules\/).*\/(?:src|workers)\//;

let session: Session | null = null;

/**
 * Counts blocks from now on, until the process ends. V8 counts them only in functions that it compiles afterwards; of a
 * function that ran before, it counts the calls. So call this before anything else of the project runs, in a process of
 * its own (test/setup/counted.ts).
 */
export function startCounting(): void {
  if (session !== null) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/**
 * The blocks that this thread executed since they were last taken.
 * @throws Error when a function ran whose blocks are not counted
 */
function takeBlocks(counting: Session): number {
  let blocks = 0;
  const uncounted: string[] = [];
  counting.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    for (const { url, functions } of result) {
      if (!OURS.test(url)) continue;
      for (const { functionName, isBlockCoverage, ranges } of functions) {
        for (const { count } of ranges) blocks += count;
        if (!isBlockCoverage && ranges.some(({ count }) => count > 0)) uncounted.push(`${functionName} of ${url}`);
      }
    }
  });
  if (uncounted.length === 0) return blocks;
  throw new Error(`ran before startCounting(), so only their calls are counted: ${uncounted.slice(0, 5).join(', ')}`);
}

/**
 * Runs `work` and counts what this thread executes in each turn of the event loop until it ends.
 * @throws Error without startCounting(), or when `work` runs a function that ran before it
 */
export async function countWork(work: () => Promise<unknown>): Promise<Work> {
  const counting = session;
  if (counting === null) throw new Error('nothing is counted before startCounting()');
  let [longest, total] = [0, 0];
  const take = (): void => {
    const blocks = takeBlocks(counting);
    longest = Math.max(longest, blocks);
    total += blocks;
  };
  let ended = false;
  const watch = async (): Promise<void> => {
    let counted = performance.eventLoopUtilization();
    while (!ended) {
      await sleep(LEAST_MS);
      if (performance.eventLoopUtilization(counted).active < LEAST_MS) continue;
      take();
      counted = performance.eventLoopUtilization();
    }
    take();
  };
  counting.post('Profiler.takePreciseCoverage');
  const watching = watch();
  // It may fail before `work` has ended; what it throws is thrown below, if `work` has not failed.
  const watched = watching.catch(() => undefined);
  try {
    await work();
  } finally {
    ended = true;
    await watched;
  }
  await watching;
  return { longest, total };
}
