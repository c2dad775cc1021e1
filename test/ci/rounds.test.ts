import { expect, test } from 'vitest';
import { casesOf } from '../proof/rounds.ts';

test.each([
  [1, 1],
  [7, 1],
  [10, 1],
  [25, 3],
  [400, 40],
  [5, 2],
])('of %i cases, %i a day, each has its day, and no day has one twice', (length, count) => {
  const all = Array.from({ length }, (_, i) => i);
  const seen = new Set<number>();
  for (let day = 20_000; day < 20_000 + length; day++) {
    const some = casesOf(day, all, count);
    expect(some.length).toBe(count);
    expect(new Set(some).size).toBe(count);
    expect(some).toEqual([...some].sort((a, b) => a - b));
    for (const one of some) seen.add(one);
  }
  expect(seen.size).toBe(length);
});

test('where as many are asked for as there are, or more, all run', () => {
  expect(casesOf(20_783, ['a', 'b', 'c'], 3)).toEqual(['a', 'b', 'c']);
  expect(casesOf(20_783, ['a', 'b', 'c'], 9)).toEqual(['a', 'b', 'c']);
  expect(casesOf(20_783, [], 1)).toEqual([]);
});

test('whatever runs in turn has run after three days', () => {
  for (const length of [1, 2, 3, 31, 39, 40]) {
    const all = Array.from({ length }, (_, i) => i);
    const days = [20_783, 20_784, 20_785].flatMap((day) => casesOf(day, all, Math.ceil(length / 3)));
    expect(new Set(days).size).toBe(length);
  }
});
