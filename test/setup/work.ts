import { Session } from 'node:inspector';

/**
 * Work of this thread in executed blocks of its own sources (functions, branches and bodies of loops), as V8 counts
 * them: it depends neither on the machine nor on what else it does.
 */
export interface Work {
  /** Blocks that were executed in the turn of the event loop that had the most. */
  readonly longest: number;
  /** Blocks in all turns. */
  readonly total: number;
  readonly turns: number;
}

/** Runs `work` and counts what this thread executes in each turn of the event loop until it ends. */
export async function countWork(work: () => Promise<unknown>): Promise<Work> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let [longest, total, turns] = [0, 0, 0];
  const take = (): void => {
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      let blocks = 0;
      for (const { url, functions } of result) {
        if (!/\/(?:src|workers)\//.test(url)) continue;
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
      }
      longest = Math.max(longest, blocks);
      total += blocks;
      turns++;
    });
  };
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      await new Promise((turn) => setImmediate(turn));
      take();
    }
  })();
  try {
    take();
    [longest, total, turns] = [0, 0, 0];
    await work();
  } finally {
    ended = true;
    await watching;
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
  return { longest, total, turns };
}
