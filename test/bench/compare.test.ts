import { describe, expect, test } from 'vitest';
import { compareRuns, permutationTest } from '../../src/bench/compare.ts';
import { seeded } from '../../src/bench/random.ts';
import type { RunReport, Slice } from '../../src/bench/run.ts';
import { findSaturation, mostCalls, saturationOf } from '../../src/bench/saturation.ts';
import { leading } from '../setup/elements.ts';

/** Twenty parts of a run whose percentiles vary by up to `spread` around `factor` times 10, 20 and 40 ms. */
function slices(seed: number, factor = 1, spread = 0.2): Slice[] {
  const next = seeded(seed);
  const around = (ms: number): number => factor * ms * (1 + spread * (2 * next() - 1));
  const figures = () => ({ ok: 100, p50: around(10), p95: around(20), p99: around(40) });
  return Array.from({ length: 20 }, () => ({ all: figures(), search: figures() }));
}

const reportOf = (parts: readonly Slice[]): RunReport =>
  ({ format: 'boundary-bench-1', rate: 100, figures: { all: {}, search: {} }, slices: parts }) as unknown as RunReport;

describe('two runs', () => {
  test('of the same are noise, whatever the seed', () => {
    for (let seed = 1; seed <= 15; seed++) {
      const found = compareRuns(reportOf(slices(seed)), reportOf(slices(1000 + seed)));
      expect(found).toHaveLength(6);
      expect(found.filter(({ verdict }) => verdict !== 'noise')).toEqual([]);
    }
  });

  test('of which one is 20 % slower are not', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const [quick, slow] = leading([slices(seed), slices(1000 + seed, 1.2)].map(reportOf), 2);
      expect(new Set(compareRuns(quick, slow).map(({ verdict }) => verdict))).toEqual(new Set(['slower']));
      expect(new Set(compareRuns(slow, quick).map(({ verdict }) => verdict))).toEqual(new Set(['faster']));
    }
  });

  test('that differ by 2 %, however surely, are noise', () => {
    const found = compareRuns(reportOf(slices(1, 1, 0.001)), reportOf(slices(2, 1.02, 0.001)));
    expect(found.every(({ p, verdict }) => p !== null && p < 0.01 && verdict === 'noise')).toBe(true);
  });

  test('with too few parts are not judged, and kinds of one run are left out', () => {
    const few = { ...reportOf(slices(1).slice(0, 3)), figures: { all: {} } } as unknown as RunReport;
    const found = compareRuns(few, reportOf(slices(2, 3)));
    expect(found.map(({ kind, p, verdict }) => [kind, p, verdict])).toEqual(Array(3).fill(['all', null, 'noise']));
  });
});

test('a permutation test agrees with all divisions of small samples', () => {
  const [a, b] = [
    [1, 2, 4, 9],
    [3, 7, 8, 11],
  ];
  const all = [...a, ...b];
  const difference = (sum: number): number => Math.abs(sum / 4 - (45 - sum) / 4);
  let divisions = 0;
  let asLarge = 0;
  for (let bits = 0; bits < 256; bits++) {
    const chosen = all.filter((_, i) => bits & (1 << i));
    if (chosen.length !== 4) continue;
    divisions++;
    if (difference(chosen.reduce((sum, value) => sum + value, 0)) >= difference(16)) asLarge++;
  }
  expect(divisions).toBe(70);
  expect(permutationTest(a, b)).toBeCloseTo(asLarge / divisions, 1);
  expect(permutationTest(a, a)).toBe(1);
});

describe('the search for the saturation point', () => {
  /** A server that serves up to `limit` calls a second. */
  const served = (limit: number) => async (rate: number) => {
    const ok = rate <= limit ? 100 : 90;
    const all = { sent: 100, ok, codes: { rate_limited: 100 - ok }, latency: { p99: 5 } };
    return { figures: { all }, generator: { busy: 0.1 } } as unknown as RunReport;
  };
  const find = (first: number, most: number, limit: number) =>
    findSaturation(first, most, { p99: 100 }, served(limit), () => undefined);

  test.each([7, 50, 333, 1000])('finds %d to 5 %%', async (limit) => {
    const steps = await find(50, 20_000, limit);
    const best = saturationOf(steps)?.rate ?? 0;
    expect(best).toBeLessThanOrEqual(limit);
    // A whole number of calls a second.
    expect(best).toBeGreaterThan(0.95 * limit - 1);
    const sent = steps.reduce((sum, { rate }) => sum + rate, 0);
    expect(sent).toBeLessThanOrEqual(mostCalls(50, 20_000, 1));
  });

  test('ends at the highest rate that was allowed', async () => {
    expect(saturationOf(await find(50, 300, 5000))?.rate).toBe(300);
  });

  test('finds nothing where nothing is served', async () => {
    expect(saturationOf(await find(50, 300, 0))).toBe(null);
  });
});
