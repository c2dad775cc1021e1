/** One line of the benchmark table: ours against a rival on the same input, the answers compared first. */
export interface Result {
  readonly case: string;
  readonly ours_ms: number;
  readonly rival: string;
  /** Null when the rival failed. */
  readonly rival_ms: number | null;
  /** Rival over ours: how many times faster ours is. Null when the rival failed. */
  readonly ratio: number | null;
  readonly same_answer: boolean;
  /** (maximum - minimum) / median of ours. */
  readonly spread: number;
  /** How a rival's answer falls short of the right one, or what else a reader must know to judge the row. */
  readonly note?: string;
}

export interface Options {
  /** One short run of everything, to see that it works. */
  readonly smoke: boolean;
}

export interface Timing {
  /** Milliseconds. */
  readonly median: number;
  readonly spread: number;
}

/** What ours is measured against. */
export interface Rival<T = unknown> {
  readonly name: string;
  /** What is timed; its answer is what `judge` gets. */
  readonly work: () => T | Promise<T>;
  /**
   * Whether the answer is the same as ours: true, or false, which means that ours may be wrong; or in words what the
   * rival is known to get wrong, where another rival of the case vouches for ours.
   */
  readonly judge: (answer: Awaited<T>) => boolean | string | Promise<boolean | string>;
  readonly note?: string;
}

/** Runs of each side, the warm-up not counted; each run repeats the work until it takes about 50 ms. */
const RUNS = 7;
const RUN_MS = 50;

/**
 * How long each side is warmed up: a server answers its first hundred requests at half the pace of the following ones,
 * which is the compiler's time and not the work's.
 */
const WARM_MS = 1_000;

/** Work that takes this long is timed call by call: a look at the clock is then a thousandth of it. */
const TIMED_ALONE_MS = 0.2;

/** Lets the checker of an answer see the type of the work's answer, in a list of rivals of several types. */
export function rival<T>(one: Rival<T>): Rival {
  return { ...one, judge: (answer) => one.judge(answer as Awaited<T>) };
}

/**
 * Rows of ours against each rival. First every answer is judged (which is the warm-up as well), then all are timed in
 * turn, one run of each after the other, so that a change of the machine's pace meets them all. A rival that throws
 * is a row without a time. `smoke`: one run of each.
 */
export async function race(
  name: string,
  ours: () => unknown,
  rivals: readonly Rival[],
  { smoke }: Options,
): Promise<Result[]> {
  const racing = [{ work: ours, repeats: await repeatsOf(ours, smoke) }];
  const verdicts: (boolean | string | Error)[] = [];
  for (const { work, judge } of rivals) {
    try {
      const verdict = await judge(await work());
      racing.push({ work, repeats: await repeatsOf(work, smoke) });
      verdicts.push(verdict);
    } catch (error) {
      verdicts.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  const runs: number[][] = racing.map(() => []);
  for (let run = 0; run < (smoke ? 1 : RUNS); run++) {
    for (const [i, { work, repeats }] of racing.entries()) runs[i].push(await once(work, repeats));
  }
  const [mine, ...theirs] = runs.map(timingOf);
  return rivals.map((one, i) => {
    const verdict = verdicts[i];
    if (verdict instanceof Error) return failed(name, mine, one.name, verdict);
    const note = typeof verdict === 'string' ? verdict : one.note;
    const timing = theirs.shift() as Timing;
    return { ...compared(name, mine, one.name, timing, verdict === true), ...(note === undefined ? {} : { note }) };
  });
}

function failed(name: string, ours: Timing, rivalName: string, { message }: Error): Result {
  return {
    case: name,
    ours_ms: ours.median,
    rival: rivalName,
    rival_ms: null,
    ratio: null,
    same_answer: false,
    spread: ours.spread,
    note: `failed: ${message.split('\n')[0]}`,
  };
}

/** Median and spread of seven runs after a warm-up: for sides that cannot take turns. */
export async function time(work: () => unknown, { smoke }: Options): Promise<Timing> {
  const repeats = await repeatsOf(work, smoke);
  const runs: number[] = [];
  for (let i = 0; i < (smoke ? 1 : RUNS); i++) runs.push(await once(work, repeats));
  return timingOf(runs);
}

/** Warms work up, and tells how often it is to be repeated in a run. */
async function repeatsOf(work: () => unknown, smoke: boolean): Promise<number> {
  let last = await once(work, 1);
  if (smoke) return 1;
  for (let spent = last; spent < WARM_MS; ) {
    const repeats = Math.max(1, Math.floor((WARM_MS - spent) / 8 / Math.max(last, 1e-3)));
    last = await once(work, repeats);
    spent += last * repeats;
  }
  return Math.max(1, Math.ceil(RUN_MS / Math.max(last, 1e-3)));
}

/**
 * Milliseconds of one piece of work in a run of so many: their median where each is long enough to be timed by itself
 * (of calls of 3 ms on a shared machine, one in thirty waits 20 ms for a core), their mean where it is not. Work that
 * returns no promise is not awaited.
 */
async function once(work: () => unknown, repeats: number): Promise<number> {
  const each: number[] = [];
  const started = performance.now();
  let last = started;
  for (let i = 0; i < repeats; i++) {
    const answer = work();
    if (answer instanceof Promise) await answer;
    const now = performance.now();
    each.push(now - last);
    last = now;
  }
  const mean = (last - started) / repeats;
  return mean < TIMED_ALONE_MS ? mean : each.sort((a, b) => a - b)[repeats >> 1];
}

/** Median and spread of durations. */
export function timingOf(runs: readonly number[]): Timing {
  const sorted = runs.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  return { median, spread: (sorted[sorted.length - 1] - sorted[0]) / median };
}

/** A row of two timings. */
export function compared(
  name: string,
  ours: Timing,
  rivalName: string,
  theirs: { median: number },
  same: boolean,
): Result {
  return {
    case: name,
    ours_ms: ours.median,
    rival: rivalName,
    rival_ms: theirs.median,
    ratio: theirs.median / ours.median,
    same_answer: same,
    spread: ours.spread,
  };
}
