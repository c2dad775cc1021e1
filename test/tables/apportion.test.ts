import { describe, expect, test } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { apportion } from '../../src/domain/tables/apportion.ts';

const sum = (parts: readonly number[]): number => parts.reduce((all, one) => all + one, 0);

describe('whole units', () => {
  test('add up to the total, each less than one from its part', () => {
    const next = seeded(20261126);
    for (let round = 0; round < 500; round++) {
      const total = Math.floor(next() * 10 ** (1 + Math.floor(next() * 12)));
      const shares = Array.from({ length: 1 + Math.floor(next() * 40) }, () => next());
      const parts = shares.map((share) => (total * share) / sum(shares));
      const whole = apportion(parts, total);
      expect(sum(whole)).toBe(total);
      for (const [i, one] of whole.entries()) expect(Math.abs(one - (parts[i] ?? 0))).toBeLessThan(1 + total * 1e-15);
    }
  });

  test('add up where rounding errors are more than a unit a part, and are never below zero', () => {
    expect(sum(apportion([9e15 / 3, 9e15 / 3 - 7], 9e15 / 1.5))).toBe(9e15 / 1.5);
    expect(apportion([3, 0, 0], 1)).toEqual([1, 0, 0]);
    expect(apportion([0, 0], 5)).toEqual([3, 2]);
  });
});
