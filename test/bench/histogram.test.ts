import { expect, test } from 'vitest';
import { Latencies } from '../../src/bench/histogram.ts';
import { seeded } from '../../src/bench/random.ts';
import { defined } from '../../src/common/elements.ts';

test('percentiles are those of the sorted values, to a tenth of a percent', () => {
  const next = seeded(7);
  const values = Array.from({ length: 20_000 }, () => 0.05 + 900 * next() ** 6);
  const latencies = new Latencies();
  for (const value of values) latencies.record(value);
  values.sort((a, b) => a - b);
  for (const of of [50, 95, 99, 99.9, 100]) {
    const exact = defined(values[Math.ceil((of / 100) * values.length) - 1]);
    const measured = latencies.percentile(of) as number;
    expect(Math.abs(measured - exact), `p${of}`).toBeLessThanOrEqual(0.001 * exact + 0.001);
  }
});

test('nothing recorded is null, and what is out of range is counted at its end', () => {
  const latencies = new Latencies();
  expect(latencies.percentiles()).toEqual({ p50: null, p95: null, p99: null, p999: null, max: null });
  latencies.record(-1);
  latencies.record(1e9);
  expect(latencies.count).toBe(2);
  expect(latencies.percentile(50)).toBe(0.001);
  expect(latencies.percentile(100)).toBeCloseTo(120_000, -3);
});
