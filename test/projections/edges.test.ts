import { expect, test } from 'vitest';
import { guesses, isPlane, notDegrees } from '../../workers/projections/guess.ts';
import { placer } from '../../workers/projections/place.ts';
import { systemOf } from '../../workers/projections/systems.ts';
import { transformer } from '../../workers/projections/transform.ts';

type Position = readonly [number, number];

const at = (list: readonly Position[], i: number): Position => list[i] as Position;

/** Meters from a place to the straight line (in degrees) between two others. */
function distance([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number {
  const scale = Math.cos((y * Math.PI) / 180);
  const [dx, dy, px, py] = [(bx - ax) * scale, by - ay, (x - ax) * scale, y - ay];
  const part = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
  return 111_320 * Math.hypot(px - part * dx, py - part * dy);
}

/** Long edges in each direction. */
const RINGS: readonly (readonly [code: string, ring: readonly Position[]])[] = [
  [
    'EPSG:2154',
    [
      [100_000, 6_100_000],
      [1_200_000, 6_100_000],
      [1_200_000, 7_000_000],
      [100_000, 7_000_000],
      [100_000, 6_100_000],
    ],
  ],
  [
    'EPSG:3035',
    [
      [2_700_000, 1_500_000],
      [7_000_000, 1_600_000],
      [6_900_000, 5_300_000],
      [2_700_000, 1_500_000],
    ],
  ],
  [
    'EPSG:5070',
    [
      [-2_300_000, 300_000],
      [2_200_000, 350_000],
      [100_000, 3_100_000],
      [-2_300_000, 300_000],
    ],
  ],
  [
    'EPSG:27700',
    [
      [100_000, 20_000],
      [600_000, 30_000],
      [300_000, 1_200_000],
      [100_000, 20_000],
    ],
  ],
  [
    'EPSG:3031',
    [
      [1_000_000, 1_000_000],
      [2_500_000, 1_000_000],
      [2_500_000, 2_000_000],
      [1_000_000, 1_000_000],
    ],
  ],
];

test.each(RINGS)('long edges of %s stay in their place, and both directions have the same vertices', (code, ring) => {
  const { ring: place } = placer(systemOf(code));
  const found = place(ring);
  expect(found.length).toBeGreaterThan(ring.length);
  const back = place([...ring].reverse()).reverse();
  expect(back).toEqual(found);
  // Places along each edge lie within 1 cm of an edge of the result.
  for (let i = 1; i < ring.length; i++) {
    const [p, q] = [at(ring, i - 1), at(ring, i)];
    for (let part = 0.003; part < 1; part += 0.0371) {
      const coords = Float64Array.of(p[0] + (q[0] - p[0]) * part, p[1] + (q[1] - p[1]) * part);
      transformer(systemOf(code)).apply(coords);
      const one: Position = [coords[0] as number, coords[1] as number];
      const nearest = Math.min(...found.slice(1).map((end, k) => distance(one, at(found, k), end)));
      expect(nearest).toBeLessThan(0.0125);
    }
  }
});

test('short edges get no vertices, and degrees that agree with WGS 84 stay as they are', () => {
  const square: Position[] = [
    [650_000, 6_860_000],
    [650_200, 6_860_000],
    [650_200, 6_860_200],
    [650_000, 6_860_000],
  ];
  expect(placer(systemOf('EPSG:2154')).ring(square)).toHaveLength(4);
  const wide: Position[] = [
    [-5, 42],
    [8, 42],
    [8, 51],
    [-5, 42],
  ];
  expect(placer(systemOf('EPSG:4171')).ring(wide)).toEqual(wide);
});

test('EPSG:4326 has its latitude first in the order of the authority', () => {
  expect(placer(systemOf('EPSG:4326'), 'authority').ring([[48, 2]])).toEqual([[2, 48]]);
  expect(placer(systemOf('OGC:CRS84'), 'authority').ring([[2, 48]])).toEqual([[2, 48]]);
});

test('a position that a projection does not have is refused', () => {
  expect(() => placer(systemOf('EPSG:2154')).ring([[Number.NaN, 0]])).toThrow(RangeError);
  expect(() => placer(systemOf('EPSG:3035')).ring([[1e9, 1e9]])).toThrow('has no place');
});

test('numbers without a system are guessed by the area of use', () => {
  const france = { west: 99_217, south: 6_049_646, east: 1_242_375, north: 7_110_479 };
  expect(guesses(france)[0]).toBe('EPSG:2154');
  expect(notDegrees(france)).toContain('x from 99,217 to 1,242,375');
  expect(notDegrees(france)).toContain('EPSG:2154?');
  expect(guesses({ west: 5_500, south: 5_300, east: 655_000, north: 1_219_000 })[0]).toBe('EPSG:27700');
  expect(guesses({ west: 2_485_410, south: 1_075_270, east: 2_833_837, north: 1_295_935 })[0]).toBe('EPSG:2056');
  expect(guesses({ west: 1e9, south: 1e9, east: 2e9, north: 2e9 })).toEqual([]);
  expect(isPlane({ west: -180, south: -90, east: 180, north: 90 })).toBe(false);
  expect(isPlane(france)).toBe(true);
});
