import { defined } from '../src/common/elements.ts';
/** One row of the benchmark table: ours against a rival on the same input. The answers are compared first. */
export interface Result {
  readonly case: string;
  readonly ours_ms: number;
  readonly rival: string;
  /** Null when the rival failed. */
  readonly rival_ms: number | null;
  /** Time of the rival divided by ours: how many times faster ours is. Null when the rival failed. */
  readonly ratio: number | null;
  readonly same_answer: boolean;
  /** (maximum - minimum) / median of ours. */
  readonly spread: number;
  /** What is wrong with the rival's answer, or what else a reader must know to judge the row. */
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

/** A rival to measure ours against. */
export interface Rival<T = unknown> {
  readonly name: string;
  /** The timed work; `judge` gets its answer. */
  readonly work: () => T | Promise<T>;
  /**
   * Whether the answer equals ours: true; false if ours may be wrong; or a text that says what the rival is known to
   * get wrong, when another rival of the case confirms ours.
   */
  readonly judge: (answer: Awaited<T>) => boolean | string | Promise<boolean | string>;
  readonly note?: string;
}

/** Runs of each side, excluding the warm-up; each run repeats the work for about 50 ms. */
const RUNS = 7;
const RUN_MS = 50;

/**
 * Warm-up of each side, in milliseconds: a server answers its first hundred requests at half speed because of the JIT
 * compiler, which is not what we measure.
 */
const WARM_MS = 1_000;

/** Work that takes at least this long is timed call by call: reading the clock costs a thousandth of it. */
const TIMED_ALONE_MS = 0.2;

/** Gives `judge` the type of the work's answer, in a list of rivals with different types. */
export function rival<T>(one: Rival<T>): Rival {
  return { ...one, judge: (answer) => one.judge(answer as Awaited<T>) };
}

/**
 * Measures ours against each rival. First every answer is judged, which is also the warm-up. Then the sides are timed
 * in turn, one run each, so that changes of the machine's speed affect all of them. A rival that throws gives a row
 * without a time. `smoke`: one run of each.
 * @returns one row per rival
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
    for (const [i, { work, repeats }] of racing.entries()) defined(runs[i]).push(await once(work, repeats));
  }
  const [mine, ...theirs] = runs.map(timingOf);
  return rivals.map((one, i) => {
    const verdict = verdicts[i];
    if (verdict instanceof Error) return failed(name, defined(mine), one.name, verdict);
    const note = typeof verdict === 'string' ? verdict : one.note;
    const timing = theirs.shift() as Timing;
    return {
      ...compared(name, defined(mine), one.name, timing, verdict === true),
      ...(note === undefined ? {} : { note }),
    };
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

/** Median and spread of seven runs after a warm-up, for sides that cannot alternate. */
export async function time(work: () => unknown, { smoke }: Options): Promise<Timing> {
  const repeats = await repeatsOf(work, smoke);
  const runs: number[] = [];
  for (let i = 0; i < (smoke ? 1 : RUNS); i++) runs.push(await once(work, repeats));
  return timingOf(runs);
}

/** Warms up the work, and returns how often to repeat it in a run; in a smoke run once, without a warm-up. */
async function repeatsOf(work: () => unknown, smoke: boolean): Promise<number> {
  if (smoke) return 1;
  let last = await once(work, 1);
  for (let spent = last; spent < WARM_MS; ) {
    const repeats = Math.max(1, Math.floor((WARM_MS - spent) / 8 / Math.max(last, 1e-3)));
    last = await once(work, repeats);
    spent += last * repeats;
  }
  return Math.max(1, Math.ceil(RUN_MS / Math.max(last, 1e-3)));
}

/**
 * Milliseconds per call in a run of `repeats` calls: the median if each call is long enough to be timed alone (with
 * calls of 3 ms on a shared machine, one in thirty waits 20 ms for a core), else the mean. Does not await work that
 * returns no promise.
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
  return mean < TIMED_ALONE_MS ? mean : defined(each.sort((a, b) => a - b)[repeats >> 1]);
}

/** Median and spread of durations. */
export function timingOf(runs: readonly number[]): Timing {
  const sorted = runs.toSorted((a, b) => a - b);
  const median = defined(sorted[sorted.length >> 1]);
  return { median, spread: (defined(sorted[sorted.length - 1]) - defined(sorted[0])) / median };
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
