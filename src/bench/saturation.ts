import { defined } from '../common/elements.ts';
import type { RunReport } from './run.ts';

/** The rule by which a rate counts as served. */
export interface Bound {
  /** The largest accepted p99 latency, in milliseconds. */
  readonly p99: number;
}

/** A rate that was tried. */
export interface Step {
  readonly rate: number;
  readonly passed: boolean;
  /** Why it did not pass; null if it did. */
  readonly reason: string | null;
  readonly report: RunReport;
}

/** The search ends when its interval is at most this share of the higher rate. */
const PRECISION = 0.05;
const MOST_STEPS = 40;
/** Tries per rate: something else on the machine may have disturbed the first one. */
const TRIES = 2;
/** Above this share of busy time, the load generator is the bottleneck. */
const BUSIEST = 0.9;

/** Returns why a run did not pass, or null: calls without success, p99 above the bound, or a busy load generator. */
function shortfall({ figures, generator }: RunReport, { p99 }: Bound): string | null {
  const all = defined(figures.all);
  if (all.ok < all.sent) {
    const codes = Object.entries(all.codes).map(([code, count]) => `${count} ${code}`);
    return codes.join(', ') || 'unanswered';
  }
  const measured = all.latency.p99;
  if (measured === null || measured > p99) return `p99 ${measured?.toFixed(0) ?? '-'} ms`;
  if (generator.busy > BUSIEST) return 'the generator is the limit';
  return null;
}

/**
 * Searches the saturation point: the highest rate at which every call succeeds and p99 stays within the bound, in one
 * of two tries. Doubles the rate from `first` until it does not pass or reaches `most`, then bisects the interval to
 * 5 %. Returns the steps in order; saturationOf() picks the highest one that passed.
 */
export async function findSaturation(
  first: number,
  most: number,
  bound: Bound,
  run: (rate: number) => Promise<RunReport>,
  onStep: (step: Step) => void,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const passes = async (rate: number): Promise<boolean> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const report = await run(rate);
      const reason = shortfall(report, bound);
      const step = { rate, passed: reason === null, reason, report };
      steps.push(step);
      onStep(step);
      if (step.passed) return true;
    }
    return false;
  };
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let rate = first; steps.length < MOST_STEPS; ) {
    if (await passes(rate)) low = rate;
    else high = rate;
    const isNear = Number.isFinite(high) && high - low <= PRECISION * high;
    if (low >= most || isNear || high <= 1) break;
    rate = Number.isFinite(high) ? Math.max(1, Math.round((low + high) / 2)) : Math.min(most, rate * 2);
    if (rate === low || rate === high) break;
  }
  return steps;
}

/** Returns the highest rate that passed, or null when none did. */
export function saturationOf(steps: readonly Step[]): Step | null {
  return steps
    .filter((step) => step.passed)
    .reduce<Step | null>((best, step) => (step.rate > (best?.rate ?? 0) ? step : best), null);
}

/** Returns the most calls that a search sends: while the rate doubles, then while it bisects below the highest rate. */
export function mostCalls(first: number, most: number, seconds: number): number {
  const doubled = Math.max(0, Math.ceil(Math.log2(most / first))) + 1;
  const sum = Array.from({ length: doubled }, (_, i) => Math.min(most, first * 2 ** i)).reduce((a, b) => a + b, 0);
  return Math.ceil(TRIES * seconds * (sum + most * Math.ceil(Math.log2(1 / PRECISION))));
}
