import { type Timing, timingOf } from '../measure.ts';

/** One of several ways of doing the same work; `prepare` is not timed. */
export interface Side {
  prepare?(): Promise<unknown>;
  work(): Promise<unknown>;
}

/**
 * Times ways of doing one long piece of work in turn, so that a busy moment of the machine meets all. Nothing is warmed
 * up: an import runs once, cold.
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
