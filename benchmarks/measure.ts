/** One line of the benchmark table: ours against a rival on the same input, the answers compared first. */
export interface Result {
  readonly case: string;
  readonly ours_ms: number;
  readonly rival: string;
  readonly rival_ms: number;
  /** Rival over ours: how many times faster ours is. */
  readonly ratio: number;
  readonly same_answer: boolean;
  /** (maximum - minimum) / median of ours. */
  readonly spread: number;
}

export interface Options {
  /** One short run of everything, to see that it works. */
  readonly smoke: boolean;
}

/** Median and spread of at least 7 runs after a warm-up; each run repeats the work until it takes 20 ms. */
export async function time(work: () => unknown, { smoke }: Options): Promise<{ median: number; spread: number }> {
  await work();
  if (smoke) return once(work, 1);
  const first = await once(work, 1);
  const repeats = Math.max(1, Math.ceil(20 / Math.max(first.median, 1e-3)));
  const runs: number[] = [];
  for (let i = 0; i < 9; i++) runs.push((await once(work, repeats)).median);
  runs.sort((a, b) => a - b);
  const median = runs[4];
  return { median, spread: (runs[8] - runs[0]) / median };
}

async function once(work: () => unknown, repeats: number): Promise<{ median: number; spread: number }> {
  const started = performance.now();
  for (let i = 0; i < repeats; i++) await work();
  return { median: (performance.now() - started) / repeats, spread: 0 };
}

export function compared(
  name: string,
  ours: { median: number; spread: number },
  rival: string,
  theirs: { median: number },
  same: boolean,
): Result {
  return {
    case: name,
    ours_ms: ours.median,
    rival,
    rival_ms: theirs.median,
    ratio: theirs.median / ours.median,
    same_answer: same,
    spread: ours.spread,
  };
}
