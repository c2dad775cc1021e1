import { spawnSync } from 'node:child_process';
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

test.each([
  ['EPSG:2154', 'infinite', [Number.POSITIVE_INFINITY, 6_860_000]],
  ['EPSG:2154', 'so large that the cone ends in the pole', [1e300, 6_860_000]],
  ['EPSG:2154', 'behind the two edges of the cone', [1e9, 1e9]],
  ['EPSG:3857', 'several times around the world', [1e9, 5_000_000]],
  ['EPSG:6933', 'beyond the pole', [0, 1e7]],
  ['EPSG:25832', 'beyond the horizon', [3e7, 3e7]],
  ['EPSG:27700', 'beyond the horizon', [1e8, 1e8]],
] as const)('%s: a position %s is refused', (code, _, position) => {
  expect(() => placer(systemOf(code)).ring([position])).toThrow('has no place');
});

test('positions far outside of the area of use are read where the formulas hold', () => {
  // London and New York in the systems of France and Germany, and a map from 0 to 360 degrees.
  const places = [
    ['EPSG:2154', 484_000, 7_171_000],
    ['EPSG:25832', -145_000, 5_733_000],
    ['EPSG:3035', -1_700_000, 6_000_000],
    ['EPSG:3857', 30_000_000, 5_000_000],
  ] as const;
  for (const [code, x, y] of places) {
    const [[lon, lat] = []] = placer(systemOf(code)).ring([[x, y]]);
    const [there] = gdal(code, x, y);
    expect([Number(lon?.toFixed(6)), Number(lat?.toFixed(6))], code).toEqual(there);
  }
});

function gdal(code: string, x: number, y: number): [number, number][] {
  const args = ['-s_srs', code, '-t_srs', 'EPSG:4326', '-output_xy'];
  const { stdout } = spawnSync('gdaltransform', args, { input: `${x} ${y}\n`, encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map((value) => Number(Number(value).toFixed(6))) as [number, number]);
}

test('edges that are too long get a limited number of vertices', () => {
  const ring: Position[] = Array.from({ length: 20 }, (_, i) => [(i % 2) * 1e6, 6_000_000 + i * 1_000]);
  const { ring: place } = placer(systemOf('EPSG:2154'), 'xy', 20_000);
  expect(() => place(ring)).toThrow('need more than 20000 vertices');
  expect(placer(systemOf('EPSG:2154'), 'xy', 100_000).ring(ring).length).toBeLessThan(100_000);
});

test('numbers without a system are guessed by the area of use', () => {
  const france = { west: 99_217, south: 6_049_646, east: 1_242_375, north: 7_110_479 };
  expect(guesses(france)[0]).toBe('EPSG:2154');
  expect(notDegrees(france)).toContain('x from 99,217 to 1,242,375');
  expect(notDegrees(france)).toContain('EPSG:2154?');
  expect(guesses({ west: 5_500, south: 5_300, east: 655_000, north: 1_219_000 })[0]).toBe('EPSG:27700');
  expect(guesses({ west: 2_485_410, south: 1_075_270, east: 2_833_837, north: 1_295_935 })[0]).toBe('EPSG:2056');
  // Small regions fit into the areas of many systems: those of the most files come first.
  expect(guesses({ west: 355_199, south: 4_499_078, east: 482_690, north: 4_604_198 })).toContain('EPSG:25830');
  expect(guesses({ west: 400_000, south: 5_720_000, east: 420_000, north: 5_740_000 })[0]).toBe('EPSG:25832');
  expect(guesses({ west: 840_000, south: 6_500_000, east: 850_000, north: 6_530_000 })[0]).toBe('EPSG:2154');
  expect(guesses({ west: 1e9, south: 1e9, east: 2e9, north: 2e9 })).toEqual([]);
  expect(isPlane({ west: -180, south: -90, east: 180, north: 90 })).toBe(false);
  expect(isPlane(france)).toBe(true);
});
