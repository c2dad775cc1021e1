import { expect, test } from 'vitest';
import { joinArcs } from '../../workers/arcs/join.ts';

test('a sea of islands is joined however many there are', () => {
  // More than a function takes as arguments.
  const islands = 150_000;
  const chains = Array.from({ length: islands }, (_, i) => {
    const [x, y] = [10 * (i % 1_000), 10 * Math.floor(i / 1_000)];
    // Each starts at another vertex than its smallest.
    return Int32Array.of(x + 5, y, x + 5, y + 5, x, y, x + 5, y);
  });
  const joined = joinArcs(chains, new Uint8Array(islands).fill(1), () => false);
  expect(joined.arcs.length).toBe(islands);
  expect([...(joined.arcs[7] ?? [])]).toEqual([70, 0, 75, 0, 75, 5, 70, 0]);
});
