import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, readClasses } from '../../workers/maps/classes.ts';
import { colorsOf } from '../../workers/maps/colors.ts';
import { formatter } from '../../workers/maps/legend.ts';
import { SCHEMES } from '../../workers/maps/schemes.ts';

/** The sum of squared differences from the mean of each class. */
function spread(figures: readonly number[], bounds: readonly number[]): number {
  let sum = 0;
  for (let k = 0; k <= bounds.length; k++) {
    const own = figures.filter((one) => one >= (bounds[k - 1] ?? -Infinity) && one < (bounds[k] ?? Infinity));
    const mean = own.reduce((all, one) => all + one, 0) / own.length;
    sum += own.reduce((all, one) => all + (one - mean) ** 2, 0);
  }
  return sum;
}

/** Every choice of `count` of some numbers, ascending. */
function* choices(of: readonly number[], count: number): Generator<number[]> {
  if (count === 0) yield [];
  else {
    for (let i = 0; i < of.length; i++) {
      for (const rest of choices(of.slice(i + 1), count - 1)) yield [of[i] as number, ...rest];
    }
  }
}

describe('classes of a map', () => {
  it('bounds classes by the number that people mean, which is then in the upper one', () => {
    // d3 gives 0.30000000000000004, 0.7000000000000001 and 0.44999999999999996.
    expect(boundsOf({ by: 'equal', count: 4 }, [0.1, 0.3, 0.7, 0.9])).toEqual([0.3, 0.5, 0.7]);
    expect(boundsOf({ by: 'quantile', count: 2 }, [0.1, 0.2, 0.7, 0.8])).toEqual([0.45]);
    const close = formatter([9.1, 9.100000000000001, 9.1000000000000014]);
    expect(close(9.100000000000001)).toBe('9.1');
  });

  it('finds natural breaks with the least spread of all', () => {
    const figures = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(figures, fc.integer({ min: 2, max: 4 }), (some, count) => {
        const distinct = [...new Set(some)].sort((a, b) => a - b);
        const bounds = boundsOf({ by: 'natural', count }, some);
        expect(bounds.length).toBe(Math.min(count, distinct.length) - 1);
        if (distinct.length < 2) return;
        const least = Math.min(...[...choices(distinct.slice(1), bounds.length)].map((one) => spread(some, one)));
        expect(spread(some, bounds)).toBeCloseTo(least, 6);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('gives ascending bounds within the figures, and no more classes than there are figures', () => {
    const figures = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }), {
      maxLength: 60,
    });
    const by = fc.constantFrom('quantile', 'equal', 'natural');
    fc.assert(
      fc.property(figures, by, fc.integer({ min: 2, max: 9 }), (some, by, count) => {
        const bounds = boundsOf({ by: by as 'equal', count }, some);
        expect(bounds.length).toBeLessThan(count);
        expect([...bounds].sort((a, b) => a - b)).toEqual(bounds);
        expect(new Set(bounds).size).toBe(bounds.length);
        if (bounds.length > 0) {
          expect(bounds[0]).toBeGreaterThan(Math.min(...some));
          expect(bounds.at(-1)).toBeLessThanOrEqual(Math.max(...some));
        }
      }),
      { seed: 8, numRuns: 500 },
    );
  });

  it('reads what it takes, and nothing else', () => {
    expect(readClasses('quantile:5')).toEqual({ by: 'quantile', count: 5 });
    expect(readClasses('given:1,2.5,3e2')).toEqual({ by: 'given', bounds: [1, 2.5, 300] });
    for (const text of ['', 'quantile', 'quantile:1', 'equal:10', 'given:', 'given:2,1', 'given:1,,2', 'x:5']) {
      expect(readClasses(text)).toBeNull();
    }
  });

  it('has as many different colors as classes, in every scheme', () => {
    for (const scheme of SCHEMES) {
      for (let count = 1; count <= 9; count++) {
        const colors = colorsOf(scheme, count, false);
        expect(new Set(colors).size).toBe(count);
        for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
        expect(colorsOf(scheme, count, true)).toEqual(colors.toReversed());
      }
    }
  });
});
