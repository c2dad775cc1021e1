import { defined } from '../elements.ts';
import type { RunReport } from './run.ts';

/** The rule by which a rate counts as served. */
export interface Bound {
  /** Milliseconds that the 99th percentile of latency may take. */
  readonly p99: number;
}

/** A rate that was tried. */
export interface Step {
  readonly rate: number;
  readonly passed: boolean;
  /** Why it did not pass; null where it did. */
  readonly reason: string | null;
  readonly report: RunReport;
}

/** Rates are searched to this part of the result. */
const PRECISION = 0.05;
const MOST_STEPS = 40;
/** A rate that does not pass is tried once more: something else on the machine may have disturbed the first try. */
const TRIES = 2;
/** A generator that is at work for more of the time measures itself. */
const BUSIEST = 0.9;

/** Returns why a run at a rate does not count as served, or null: calls not answered with success, or a p99 above the bound. */
export function shortfall({ figures, generator }: RunReport, { p99 }: Bound): string | null {
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
 * Searches the saturation point: the highest rate at which every call is answered with success and p99 stays under the
 * bound, in one of two tries. Doubles the rate until it does not pass, then halves the interval until its ends are
 * within 5 %. Returns the steps in order; the result is the highest one that passed. `most`: no higher rate is tried.
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

/** Returns how many calls a search sends at most: doubled rates, then halves of an interval below the highest one. */
export function mostCalls(first: number, most: number, seconds: number): number {
  const doubled = Math.max(0, Math.ceil(Math.log2(most / first))) + 1;
  const sum = Array.from({ length: doubled }, (_, i) => Math.min(most, first * 2 ** i)).reduce((a, b) => a + b, 0);
  return Math.ceil(TRIES * seconds * (sum + most * Math.ceil(Math.log2(1 / PRECISION))));
}
