import { cellToBoundary } from 'h3-js';
import { describe, expect, it } from 'vitest';
import { crossingsEast } from '../../workers/arcs/locate.ts';
import { cover, fullCells, GRIDS, TooManyCells } from '../../workers/cells/cover.ts';
import type { Grid } from '../../workers/cells/grid.ts';
import type { GridName } from '../../workers/cells/sizes.ts';
import type { Polygons } from '../../workers/contract.ts';
import { cellOf } from './cell_of.ts';

const NAMES = ['h3', 's2', 'geohash', 'quadkey'] as const;
/** Resolutions with cells of about 100 km and of about 10 km. */
const COARSE = { h3: 3, s2: 6, geohash: 3, quadkey: 8 } as const;
const FINE = { h3: 5, s2: 9, geohash: 4, quadkey: 11 } as const;

function generator(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Ring = readonly (readonly [number, number])[];

/** Polygons of rings in degrees, each closed here: the first ring of each is its shell. */
function polygonsOf(polygons: readonly (readonly Ring[])[]): Polygons {
  const coords: number[] = [];
  const [ringEnd, polygonEnd]: [number[], number[]] = [[], []];
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of [...ring, ring[0] as readonly [number, number]]) {
        coords.push(Math.round(x * 1e7), Math.round(y * 1e7));
      }
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** A star with a hole, around a place. */
function star(random: () => number, x: number, y: number, size: number): Ring[] {
  const around = (scale: number, corners: number): Ring =>
    Array.from({ length: corners }, (_, i) => {
      const angle = (2 * Math.PI * i) / corners;
      const length = scale * (0.4 + 0.6 * random());
      return [x + length * Math.cos(angle), y + length * Math.sin(angle) * 0.7] as const;
    });
  return [around(size, 5 + Math.floor(random() * 60)), around(size * 0.15, 5).toReversed()];
}

/** Where a point is, by scanning every ring: 1 inside, 0 on the border, -1 outside. */
function where({ coords, ringEnd }: Polygons, x: number, y: number): number {
  let [crossings, from] = [0, 0];
  for (const end of ringEnd) {
    const found = crossingsEast(coords, 2 * from, 2 * (end - 1), x, y);
    if (found < 0) return 0;
    crossings += found;
    from = end;
  }
  return crossings % 2 === 1 ? 1 : -1;
}

function namesOf(polygons: Polygons, name: GridName, resolution: number) {
  const grid = GRIDS[name] as Grid<unknown>;
  const made = cover([polygons], grid, { resolution }, 2_000_000);
  const [area] = made.areas;
  if (!area) throw new Error('an area was given');
  const full = new Set(Array.from(fullCells(area, grid, resolution), (cell) => grid.text(cell)));
  const edge = new Set(area.edge.map((cell) => grid.text(cell)));
  expect([full.size, edge.size]).toEqual([made.full, made.edge]);
  return { full, edge };
}

/** Checks that the cell of each point says what the polygons say of it. */
function check(polygons: Polygons, points: Iterable<readonly [number, number]>, resolutions: Record<GridName, number>) {
  const count = { full: 0, edge: 0, none: 0 };
  const covers = NAMES.map((name) => ({ name, ...namesOf(polygons, name, resolutions[name]) }));
  for (const [px, py] of points) {
    const [x, y] = [Math.round(px * 1e7), Math.round(py * 1e7)];
    const place = where(polygons, x, y);
    for (const { name, full, edge } of covers) {
      const cell = cellOf(name, x / 1e7, y / 1e7, resolutions[name]);
      expect(full.has(cell) && edge.has(cell)).toBe(false);
      if (full.has(cell)) {
        count.full++;
        if (place < 1) throw new Error(`${name} ${cell} is marked full, but ${x / 1e7} ${y / 1e7} is ${place}`);
      } else if (edge.has(cell)) count.edge++;
      else {
        count.none++;
        if (place > 0) throw new Error(`${name} ${cell} is missing, but ${x / 1e7} ${y / 1e7} is inside`);
      }
    }
  }
  return count;
}

function* pointsAround(random: () => number, { coords }: Polygons, count: number) {
  for (let i = 0; i < count; i++) {
    const at = 2 * Math.floor((random() * coords.length) / 2);
    const far = random() < 0.5 ? 0.2 : 3;
    yield [
      Math.max(-180, Math.min(180, (coords[at] as number) / 1e7 + far * (random() - 0.5))),
      Math.max(-90, Math.min(90, (coords[at + 1] as number) / 1e7 + far * (random() - 0.5))),
    ] as const;
  }
}

describe('cover', () => {
  it('marks a cell full only when the area has all its points, and leaves out only cells without any', () => {
    const random = generator(1);
    const total = { full: 0, edge: 0, none: 0 };
    for (let world = 0; world < 6; world++) {
      const [x, y] = [-160 + 320 * random(), -70 + 140 * random()];
      const polygons = polygonsOf([star(random, x, y, 1 + 3 * random())]);
      const fine = world % 3 === 0;
      const count = check(polygons, pointsAround(random, polygons, 2_500), fine ? FINE : COARSE);
      for (const key of ['full', 'edge', 'none'] as const) total[key] += count[key];
    }
    // Each kind occurs often enough for the test to mean something.
    expect(Math.min(total.full, total.edge, total.none)).toBeGreaterThan(2_000);
  });

  it('covers across the antimeridian and around the poles', () => {
    const across = polygonsOf([
      [
        [
          [170, -20],
          [180, -20],
          [180, -10],
          [172, -9],
        ],
      ],
      [
        [
          [-180, -20],
          [-171, -19],
          [-173, -11],
          [-180, -10],
        ],
      ],
    ]);
    const cap: Ring = Array.from({ length: 37 }, (_, i) => [-180 + 10 * i, -70 + 3 * Math.sin(i * 0.7)] as const);
    const closed: Ring = [
      ...cap.slice(0, 36),
      [180, (cap[0] as readonly [number, number])[1]],
      [180, -90],
      [-180, -90],
    ];
    const pole = polygonsOf([[closed]]);
    const north = polygonsOf([[closed.map(([x, y]) => [x, -y] as const)]]);
    const random = generator(2);
    const everywhere = (south: number, top: number) =>
      Array.from({ length: 6_000 }, () => [360 * random() - 180, south + (top - south) * random()] as const);
    const dateLine = Array.from({ length: 4_000 }, () => [180 - 10 * random(), -22 + 14 * random()] as const);
    expect(check(across, [...dateLine, ...dateLine.map(([x, y]) => [-x, y] as const)], COARSE).full).toBeGreaterThan(
      5_000,
    );
    const { full } = namesOf(across, 'h3', COARSE.h3);
    const crossing = [...full].filter((cell) => {
      const xs = cellToBoundary(cell).map(([, lon]) => lon);
      return Math.max(...xs) - Math.min(...xs) > 180;
    });
    expect(crossing.length).toBeGreaterThan(3);
    expect(check(pole, everywhere(-90, -60), COARSE).full).toBeGreaterThan(2_000);
    expect(check(north, everywhere(60, 90), COARSE).full).toBeGreaterThan(2_000);
    expect(namesOf(pole, 'h3', 3).full.has(cellOf('h3', 0, -90, 3))).toBe(true);
    expect(namesOf(pole, 's2', 6).full.has(cellOf('s2', 0, -90, 6))).toBe(true);
  });

  it('finds the finest resolution for a budget, and refuses more cells than allowed', () => {
    const polygons = polygonsOf([star(generator(3), 10, 50, 2)]);
    for (const name of NAMES) {
      const grid = GRIDS[name] as Grid<unknown>;
      const made = cover([polygons], grid, { mostCells: 2_000 }, 1_000_000);
      expect(made.full + made.edge).toBeLessThanOrEqual(2_000);
      const finer = cover([polygons], grid, { resolution: made.resolution + 1 }, 1_000_000);
      expect(finer.full + finer.edge).toBeGreaterThan(2_000);
      expect(() => cover([polygons], grid, { resolution: made.resolution + 1 }, 2_000)).toThrow(TooManyCells);
    }
  });
});
