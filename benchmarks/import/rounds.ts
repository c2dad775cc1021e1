import { type Timing, timingOf } from '../measure.ts';

/** One way to do the work; `prepare` is not timed. */
export interface Side {
  prepare?(): Promise<unknown>;
  work(): Promise<unknown>;
}

/**
 * Times several ways to do one long piece of work in turn, so that load on the machine affects all. Without a warm-up,
 * because an import runs once, cold.
 */
export async function inTurn(
  rounds: number,
  ours: Side,
  theirs: Side,
  ...others: readonly Side[]
): Promise<{ ours: Timing; theirs: Timing; others: Timing[] }> {
  const sides = [ours, theirs, ...others];
  const times: number[][] = sides.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [k, side] of sides.entries()) {
      await side.prepare?.();
      const started = performance.now();
      await side.work();
      times[k].push(performance.now() - started);
    }
  }
  const [mine, first, ...rest] = times.map(timingOf);
  return { ours: mine, theirs: first, others: rest };
}
