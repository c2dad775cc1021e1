/** Median and spread ((maximum - minimum) / median) of durations in milliseconds. */
export interface Timing {
  readonly median: number;
  readonly spread: number;
}

/** One of two ways of doing the same work; `prepare` is not timed. */
export interface Side {
  prepare?(): Promise<unknown>;
  work(): Promise<unknown>;
}

/**
 * Times two ways of doing one long piece of work in turn, so that a busy moment of the machine meets both. Nothing is
 * warmed up: an import runs once, cold.
 */
export async function inTurn(rounds: number, ours: Side, theirs: Side): Promise<{ ours: Timing; theirs: Timing }> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [k, side] of [ours, theirs].entries()) {
      await side.prepare?.();
      const started = performance.now();
      await side.work();
      times[k].push(performance.now() - started);
    }
  }
  return { ours: timing(times[0]), theirs: timing(times[1]) };
}

/** Median and spread of durations. */
export function timing(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  return { median, spread: (sorted[sorted.length - 1] - sorted[0]) / median };
}
