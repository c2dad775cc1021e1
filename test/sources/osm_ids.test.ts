import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharedIds, sortedUnique } from '../../src/sources/osm/ids.ts';
import { inParallel } from '../../src/sources/osm/parallel.ts';

const BIG = 2 ** 53 - 1;

describe('ids', () => {
  test('come out ascending and once, however they lie', () => {
    const spread = fc.array(fc.integer({ min: -BIG, max: BIG }), { maxLength: 300 });
    // Runs of neighbors, as ways have them, forward and backward, and heaps in one bucket beside a lone far id.
    const runs = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 2 ** 34 }), fc.integer({ min: -80, max: 80 })), { maxLength: 12 })
      .map((list) => [
        ...list.flatMap(([from, size]) => Array.from({ length: Math.abs(size) }, (_, k) => from + Math.sign(size) * k)),
        BIG,
      ]);
    fc.assert(
      fc.property(fc.oneof(spread, runs), (list) => {
        const expected = [...new Set(list)].sort((a, b) => a - b);
        expect([...sharedIds(Float64Array.from(list))]).toEqual(expected);
        expect([...sortedUnique(Float64Array.from(list))]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('work in parallel', () => {
  const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test('is used in the order of the items, with no more under way than allowed', async () => {
    let [under, most] = [0, 0];
    const used: number[] = [];
    await inParallel(
      3,
      [9, 1, 5, 2, 7, 0],
      async (item) => {
        most = Math.max(most, ++under);
        await later(item);
        under--;
        return 10 * item;
      },
      (result, item) => {
        expect(result).toBe(10 * item);
        used.push(item);
      },
    );
    expect(used).toEqual([9, 1, 5, 2, 7, 0]);
    expect(most).toBe(3);
  });

  test.each(['asked to', 'a piece of work fails', 'what uses it fails'])(
    'stops when %s, and waits for what is under way',
    async (why) => {
      let under = 0;
      let started = 0;
      const run = inParallel(
        2,
        Array.from({ length: 50 }, (_, k) => k),
        async (item) => {
          started++;
          under++;
          await later(2);
          under--;
          if (item === 3 && why === 'a piece of work fails') throw new Error('no');
          return item;
        },
        (item) => {
          if (item === 3 && why === 'what uses it fails') throw new Error('no');
          return item !== 3 || why !== 'asked to';
        },
      );
      if (why === 'asked to') await run;
      else await expect(run).rejects.toThrow('no');
      expect(under).toBe(0);
      expect(started).toBeLessThan(8);
    },
  );
});
