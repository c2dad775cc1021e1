import { defined } from '../common/elements.ts';
import { seeded } from './random.ts';
import type { RunReport } from './run.ts';

/** The percentiles that are compared for each part of a run. */
const METRICS = ['p50', 'p95', 'p99'] as const;

/** Shuffles of a permutation test. */
const SHUFFLES = 10_000;
/** Significance level: the chance that two runs of the same program show any difference at all. */
const LEVEL = 0.01;
/** Smaller changes count as noise: the parts of a run share its memory layout, compiled code and neighbors. */
const LEAST_CHANGE = 0.05;
/** With fewer parts in a run, the test is skipped: it could hardly find a difference. */
const LEAST_PARTS = 5;

/** A percentile of one kind of call in two runs. */
export interface Difference {
  readonly kind: string;
  readonly metric: (typeof METRICS)[number];
  /** Milliseconds: the mean over the parts of each run. */
  readonly before: number;
  readonly after: number;
  /** (after - before) / before. */
  readonly change: number;
  /** p-value, corrected for the number of figures; null with too few parts. */
  readonly p: number | null;
  readonly verdict: 'noise' | 'slower' | 'faster';
}

/**
 * Returns the p-value, the chance that two samples of one distribution differ in their mean by as much as these: a
 * two-sided permutation test with 10,000 random divisions. Sources: E. J. G. Pitman, "Significance Tests Which May Be
 * Applied to Samples from Any Populations" (1937); B. Efron and R. Tibshirani, "An Introduction to the Bootstrap",
 * chapter 15.
 */
export function permutationTest(a: readonly number[], b: readonly number[], seed = 1): number {
  const next = seeded(seed);
  const all = Float64Array.from([...a, ...b]);
  const sum = all.reduce((total, value) => total + value, 0);
  const difference = (sumOfA: number): number => Math.abs(sumOfA / a.length - (sum - sumOfA) / b.length);
  const observed = difference(a.reduce((total, value) => total + value, 0));
  let asLarge = 0;
  for (let shuffle = 0; shuffle < SHUFFLES; shuffle++) {
    let sumOfA = 0;
    // A partial Fisher-Yates shuffle: only the first a.length places are needed.
    for (let i = 0; i < a.length; i++) {
      const other = i + Math.floor(next() * (all.length - i));
      const value = defined(all[other]);
      all[other] = defined(all[i]);
      all[i] = value;
      sumOfA += value;
    }
    if (difference(sumOfA) >= observed * (1 - 1e-12)) asLarge++;
  }
  // The observed division counts as one of them, so the p-value is never 0.
  return (asLarge + 1) / (SHUFFLES + 1);
}

/**
 * Compares two runs by the percentiles of their 20 parts, with a permutation test for each figure at the 1 % level,
 * corrected for their number (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979). A change below
 * 5 % counts as noise. Kinds that only one run has are left out.
 */
export function compareRuns(before: RunReport, after: RunReport): Difference[] {
  const kinds = Object.keys(before.figures).filter((kind) => kind in after.figures);
  const found = kinds.flatMap((kind) =>
    METRICS.flatMap((metric) => {
      const valuesOf = ({ slices }: RunReport): number[] =>
        slices.map((slice) => slice[kind]?.[metric] ?? null).filter((value) => value !== null);
      const [a, b] = [valuesOf(before), valuesOf(after)];
      if (a.length === 0 || b.length === 0) return [];
      const [meanA, meanB] = [mean(a), mean(b)];
      const p = Math.min(a.length, b.length) < LEAST_PARTS ? null : permutationTest(a, b);
      return [{ kind, metric, before: meanA, after: meanB, change: meanB / meanA - 1, p }];
    }),
  );
  const corrected = holm(found.map(({ p }) => p));
  return found.map((one, i) => {
    const p = defined(corrected[i]);
    const isReal = p !== null && p < LEVEL && Math.abs(one.change) >= LEAST_CHANGE;
    return { ...one, p, verdict: !isReal ? 'noise' : one.change > 0 ? 'slower' : 'faster' };
  });
}

/** Holm's step-down correction; null stays null. */
function holm(chances: readonly (number | null)[]): (number | null)[] {
  const order = chances.flatMap((p, i) => (p === null ? [] : [{ p, i }])).sort((a, b) => a.p - b.p);
  const corrected: (number | null)[] = chances.map(() => null);
  let least = 0;
  order.forEach(({ p, i }, rank) => {
    least = Math.max(least, Math.min(1, p * (order.length - rank)));
    corrected[i] = least;
  });
  return corrected;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
