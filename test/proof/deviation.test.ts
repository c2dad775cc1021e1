import { describe, expect, it } from 'vitest';
import { flatten, rect } from '../kernels/topology.ts';
import { closed } from '../setup/elements.ts';
import { deviation, outline } from './deviation.ts';

const METRE = 1e7 / ((6_399_593.626 * Math.PI) / 180);
const ring = (...points: [number, number][]) => Int32Array.from(closed(points).flat());

describe('deviation', () => {
  // A square at the equator with a bulge of 3 m on its southern side.
  const bulge = Math.round(3 * METRE);
  const full = ring([0, 0], [5000, -bulge], [10_000, 0], [10_000, 10_000], [0, 10_000]);
  const simple = ring([0, 0], [10_000, 0], [10_000, 10_000], [0, 10_000]);

  it('is the distance in meters of what went, wherever a ring begins', () => {
    expect(deviation(full, simple, 1)).toBeCloseTo(3, 2);
    const turned = ring([10_000, 10_000], [0, 10_000], [0, 0], [10_000, 0]);
    expect(deviation(full, turned, 1)).toBeCloseTo(3, 2);
    expect(deviation(full, full, 1)).toBe(0);
  });

  it('counts longitudes by the cosine of the latitude', () => {
    const north = (points: Int32Array) => points.map((value, i) => (i % 2 === 0 ? value : value + 600_000_000));
    const upright = ring([0, 0], [bulge, 5000], [0, 10_000], [-10_000, 5000]);
    expect(deviation(north(upright), north(ring([0, 0], [0, 10_000], [-10_000, 5000])), 1)).toBeCloseTo(1.5, 2);
  });

  it('finds rounded vertices, and is infinite for a vertex that is none of the original', () => {
    const rounded = simple.map((value) => Math.round(value / 1000) * 1000);
    expect(deviation(full, rounded, 1000)).toBeCloseTo(3, 2);
    const moved = simple.map((value, i) => (i === 2 ? value + 1 : value));
    expect(deviation(full, moved, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(deviation(full, ring([0, 10_000], [10_000, 10_000], [10_000, 0], [0, 0]), 1)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('outline', () => {
  const [left, right] = [flatten([[rect(0, 0, 10, 10)]]), flatten([[rect(10, 0, 20, 10)]])];

  it('is what is left of the edges when neighbors are joined', () => {
    expect(outline([left, right])).toHaveLength(6);
    expect(outline([left, right])).toEqual(outline([right, left]));
  });

  it('tells a neighbor whose border lost a vertex, and areas that lie on each other', () => {
    const bent = flatten([
      [
        [
          [10, 0],
          [20, 0],
          [20, 10],
          [10, 10],
          [10, 5],
          [10, 0],
        ],
      ],
    ]);
    expect(outline([left, bent])).toHaveLength(9);
    expect(() => outline([left, left])).toThrow('two areas on one side');
  });
});
