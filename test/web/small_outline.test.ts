import { describe, expect, test } from 'vitest';
import { pathOf, SIDE } from '../../web/src/small_outline.ts';
import { random } from '../kernels/topology.ts';

/** The corners of a path, ring by ring. */
const rings = (path: string): [number, number][][] =>
  path
    .split('Z')
    .filter(Boolean)
    .map((ring) =>
      ring
        .slice(1)
        .split('L')
        .map((point) => point.split(' ').map(Number) as [number, number]),
    );
const spreadOf = (path: string, axis: 0 | 1): number => {
  const all = rings(path)
    .flat()
    .map((point) => point[axis]);
  return Math.max(...all) - Math.min(...all);
};
const shape = (bbox: [number, number, number, number], ...polygons: number[][][][]) => ({
  geometry: { type: 'MultiPolygon' as const, coordinates: polygons },
  bbox,
});
const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

describe('the outline of a search answer', () => {
  test('fills its square and is as wide for its height as on the ground', () => {
    const next = random(5);
    for (let i = 0; i < 200; i++) {
      const [west, south] = [300 * next() - 170, 120 * next() - 70];
      const [width, height] = [0.01 + 9 * next(), 0.01 + 9 * next()];
      const path = pathOf(
        shape([west, south, west + width, south + height], [box(west, south, west + width, south + height)]),
      );
      for (const [x, y] of rings(path).flat()) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(Math.max(x, y)).toBeLessThanOrEqual(SIDE);
      }
      const ratio = (width * Math.cos(((south + height / 2) * Math.PI) / 180)) / height;
      if (ratio < 0.2 || ratio > 5) continue;
      const drawn = spreadOf(path, 0) / spreadOf(path, 1);
      expect(Math.abs(drawn / ratio - 1)).toBeLessThan(0.1);
      expect(Math.max(spreadOf(path, 0), spreadOf(path, 1))).toBeCloseTo(SIDE - 3, 0);
    }
  });

  test('is whole over the antimeridian, and leaves out what cannot be seen', () => {
    const fiji = pathOf(shape([177, -19, -178, -16], [box(177, -19, 180, -16)], [box(-180, -17, -178, -16)]));
    const [left = [], right = []] = rings(fiji);
    expect(Math.abs(Math.max(...left.map(([x]) => x)) - Math.min(...right.map(([x]) => x)))).toBeLessThan(0.2);
    const specks = pathOf(shape([0, 0, 10, 10], [box(0, 0, 10, 10)], [box(5, 5, 5.01, 5.01)]));
    expect(rings(specks).length).toBe(1);
    // The north is on top.
    const wedge =
      rings(
        pathOf(
          shape(
            [0, 0, 10, 10],
            [
              [
                [0, 0],
                [10, 0],
                [5, 10],
                [0, 0],
              ],
            ],
          ),
        ),
      )[0] ?? [];
    const top = wedge.reduce((a, b) => (a[1] < b[1] ? a : b));
    expect(top[0]).toBeCloseTo(SIDE / 2, 0);
  });
});
