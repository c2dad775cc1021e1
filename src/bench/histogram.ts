import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** The longest latency, in microseconds (two minutes); longer ones count as this. */
const LONGEST_US = 120_000_000;
/** Significant digits: latencies are accurate to 0.1 %. */
const DIGITS = 3;

/** Percentiles of latencies in milliseconds; null if none was recorded. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly max: number | null;
}

/**
 * A histogram of latencies: Node's HdrHistogram (perf_hooks). Its size is fixed (150 kB) for any number of values.
 * Source: Gil Tene, HdrHistogram (http://hdrhistogram.org).
 */
export class Latencies {
  private readonly histogram: RecordableHistogram = createHistogram({
    lowest: 1,
    highest: LONGEST_US,
    figures: DIGITS,
  });

  /** Adds a latency in milliseconds; more than two minutes counts as two minutes. */
  record(milliseconds: number): void {
    this.histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(milliseconds * 1000))));
  }

  /** Returns how many latencies were recorded. */
  get count(): number {
    return this.histogram.count;
  }

  /** Returns a percentile (above 0, at most 100) in milliseconds, accurate to 0.1 %; null when empty. */
  percentile(of: number): number | null {
    return this.count === 0 ? null : this.histogram.percentile(of) / 1000;
  }

  /** Returns the percentiles that a report shows. */
  percentiles(): Percentiles {
    return {
      p50: this.percentile(50),
      p95: this.percentile(95),
      p99: this.percentile(99),
      p999: this.percentile(99.9),
      max: this.count === 0 ? null : this.histogram.max / 1000,
    };
  }
}
