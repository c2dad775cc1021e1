/**
 * Areas drawn along official borders with noise: snapped, they have these borders exactly; nothing else of them moves by
 * more than the tolerance, and what moved is what PostGIS says.
 */
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanCoverage } from '../../workers/arcs/clean.ts';
import { alongMeters, snapBorders } from '../../workers/arcs/snap_borders.ts';
import { apart, gapsOf } from '../../workers/arcs/tiling.ts';
import { oracleUrl } from './oracle.ts';
import { seeds } from './rounds.ts';

type Point = readonly [number, number];
const STEP = 200_000;
const SIZE = 4;
/** A unit is a centimeter: 10 m. */
const TOLERANCE_M = 10;
const NOISE = 250;

const oracle = oracleUrl === undefined ? null : new pg.Client({ connectionString: oracleUrl });
await oracle?.connect();
afterAll(() => oracle?.end());

function generator(seed: number) {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32) * below;
  };
}

/** A grid of cells whose borders are random chains: official chains, and the rings of unions of columns of cells. */
function worldOf(seed: number) {
  const random = generator(seed);
  const around = (value: number, by: number) => Math.round(value + random(2 * by) - by);
  const nodes = Array.from({ length: (SIZE + 1) ** 2 }, (_, i): Point => {
    const [x, y] = [i % (SIZE + 1), Math.floor(i / (SIZE + 1))];
    return [around(20_000_000 + STEP * x, STEP / 8), around(410_000_000 + STEP * y, STEP / 8)];
  });
  const node = (x: number, y: number) => nodes[y * (SIZE + 1) + x] as Point;
  const between = ([ax, ay]: Point, [bx, by]: Point): Point[] => {
    const count = 2 + Math.floor(random(30));
    const inner = Array.from({ length: count }, (_, i): Point => {
      const at = (i + 1) / (count + 1);
      return [around(ax + at * (bx - ax), STEP / (4 * count)), around(ay + at * (by - ay), STEP / (4 * count))];
    });
    return [[ax, ay], ...inner, [bx, by]];
  };
  const right = new Map<string, Point[]>();
  const up = new Map<string, Point[]>();
  for (let y = 0; y <= SIZE; y++) {
    for (let x = 0; x <= SIZE; x++) {
      if (x < SIZE) right.set(`${x} ${y}`, between(node(x, y), node(x + 1, y)));
      if (y < SIZE) up.set(`${x} ${y}`, between(node(x, y), node(x, y + 1)));
    }
  }
  /** The ring of the cells from column `from` to `to`, over all rows from `low` to `high`, as it is official. */
  const ring = (from: number, to: number, low: number, high: number): Point[] => {
    const along = (list: (Point[] | undefined)[], turned: boolean) =>
      list.flatMap((chain) => (turned ? [...(chain ?? [])].reverse() : (chain ?? [])).slice(0, -1));
    const span = (a: number, b: number) => Array.from({ length: b - a }, (_, i) => a + i);
    return [
      ...along(
        span(from, to).map((x) => right.get(`${x} ${low}`)),
        false,
      ),
      ...along(
        span(low, high).map((y) => up.get(`${to} ${y}`)),
        false,
      ),
      ...along(
        span(from, to)
          .reverse()
          .map((x) => right.get(`${x} ${high}`)),
        true,
      ),
      ...along(
        span(low, high)
          .reverse()
          .map((y) => up.get(`${from} ${y}`)),
        true,
      ),
    ];
  };
  const chains = [...right.values(), ...up.values()].map((chain) => Int32Array.from(chain.flat()));
  return { random, around, ring, chains };
}
type World = ReturnType<typeof worldOf>;

const closed = (points: readonly Point[]) => Int32Array.from([...points, ...points.slice(0, 1)].flat());
/** Drawn by hand: each vertex is off by up to NOISE, the same for all areas, and there are more of them. */
function drawn({ random, around }: World, rings: readonly Point[][]): Int32Array[] {
  const moved = new Map<string, Point>();
  const added = new Map<string, Point | null>();
  const move = ([x, y]: Point): Point => {
    const known = moved.get(`${x} ${y}`) ?? [around(x, NOISE), around(y, NOISE)];
    moved.set(`${x} ${y}`, known as Point);
    return known as Point;
  };
  return rings.map((ring) => {
    const out: Point[] = [];
    ring.forEach((point, i) => {
      const next = ring[(i + 1) % ring.length] as Point;
      out.push(move(point));
      const key = [point, next].map(String).sort().join(' ');
      let more = added.get(key);
      if (more === undefined) {
        const at = 0.3 + random(0.4);
        const [[ax, ay], [bx, by]] = [point, next];
        more = random(2) < 1 ? null : [around(ax + at * (bx - ax), NOISE / 2), around(ay + at * (by - ay), NOISE / 2)];
        added.set(key, more);
      }
      if (more) out.push(more);
    });
    return closed(out);
  });
}

const wkt = (rings: readonly Int32Array[]): string => {
  const of = (ring: Int32Array) =>
    `((${Array.from({ length: ring.length / 2 }, (_, i) => `${ring[2 * i]! / 1e7} ${ring[2 * i + 1]! / 1e7}`).join(', ')}))`;
  return `MULTIPOLYGON(${rings.map(of).join(', ')})`;
};

describe.each(seeds(1, 40))('world %i', (seed) => {
  const world = worldOf(seed);
  const cut = 1 + Math.floor(world.random(SIZE - 1));
  const official = [world.ring(0, cut, 0, SIZE), world.ring(cut, SIZE, 0, SIZE)];

  it('areas that are made of official ones get their borders exactly', async () => {
    const rings = drawn(world, official);
    const before = (await cleanCoverage(rings.map((ring) => ({ rings: [ring] })))).features;
    expect(
      alongMeters(
        before.flatMap((one) => one.rings),
        world.chains,
      ).along,
    ).toBeLessThan(1);
    const { features, moved, left } = await snapBorders(before, world.chains, TOLERANCE_M);
    expect([left, features.map((one) => one.rings.length)]).toEqual([[], [1, 1]]);
    for (const [f, one] of features.entries()) {
      const { along, all } = alongMeters(one.rings, world.chains);
      expect(along / all).toBe(1);
      expect(apart(one.rings, [closed(official[f] as Point[])])).toBeLessThan(1e-9);
      const km2 = moved.find(({ feature }) => feature === f)?.km2 ?? 0;
      if (!oracle) continue;
      const texts = [wkt(before[f]?.rings ?? []), wkt(one.rings)];
      const sql = `select st_area(st_symdifference(a, b)::geography) / 1e6 as km2, st_isvalid(b) as valid
        from (select st_geomfromtext($1, 4326) as a, st_geomfromtext($2, 4326) as b) t`;
      const [row] = (await oracle.query(sql, texts)).rows;
      expect(row.valid).toBe(true);
      expect(Math.abs(km2 - row.km2)).toBeLessThan(1e-6 + 1e-3 * row.km2);
    }
  });

  it('a border that is not an official one stays where it is, and no area loses its form', async () => {
    // Two halves of one area, cut by a line of its own.
    const ring = world.ring(0, SIZE, 0, SIZE);
    const half = Math.floor(ring.length / 2);
    const inner: Point[] = [
      [20_000_000 + 2.2 * STEP, 410_000_000 + 2.6 * STEP],
      [20_000_000 + 2 * STEP, 410_000_000 + 1.3 * STEP],
    ];
    const halves = [
      [...ring.slice(0, half + 1), ...inner],
      [...ring.slice(half), ring[0] as Point, ...[...inner].reverse()],
    ];
    const rings = drawn(world, halves);
    const before = (await cleanCoverage(rings.map((one) => ({ rings: [one] })))).features;
    const { features, left } = await snapBorders(before, world.chains, TOLERANCE_M);
    const whole = await cleanCoverage(features);
    expect([whole.overlaps, features.map((one) => one.rings.length)]).toEqual([[], [1, 1]]);
    expect(left).toEqual([]);
    const merged = await cleanCoverage([{ rings: features.flatMap((one) => one.rings), polygonEnd: [1, 2] }]);
    const outer = alongMeters(merged.features[0]?.rings ?? [], world.chains);
    expect(outer.along / outer.all).toBeGreaterThan(0.98);
    for (const [f, one] of features.entries()) {
      // At most a strip of the tolerance along the border.
      const strip = (TOLERANCE_M * alongMeters(one.rings, []).all * 2) / 1e6;
      expect(apart(before[f]?.rings ?? [], one.rings)).toBeLessThan(strip);
    }
  });
});

it('areas far from official borders, or without any, keep their rings', async () => {
  const ring = Int32Array.from([0, 0, 1_000_000, 0, 1_000_000, 1_000_000, 0, 1_000_000, 0, 0]);
  for (const chains of [[], [Int32Array.from([5_000_000, 0, 5_000_000, 9_000_000])]]) {
    const { features, moved, left } = await snapBorders([{ rings: [ring] }], chains, TOLERANCE_M);
    expect([features[0]?.rings[0], moved, left]).toEqual([ring, [], []]);
  }
});

it('an area that would be lost is left as it is, and said', async () => {
  // Narrower than the tolerance, along a border: both of its sides would be that border.
  const thin = Int32Array.from([0, 0, 1_000_000, 0, 1_000_000, 300, 0, 300, 0, 0]);
  const chain = Int32Array.from([-1_000_000, 150, 0, 150, 500_000, 150, 1_000_000, 150, 2_000_000, 150]);
  const { features, moved, left } = await snapBorders([{ rings: [thin] }], [chain], TOLERANCE_M);
  expect([features[0]?.rings[0], moved, left]).toEqual([thin, [], [0]]);
});

/** Two areas with a gap between them of so many units, and an official border within reach of the one on the west only. */
function beside(gap: number) {
  const lens = (x: number) => [x, 900_000, x, 100_000];
  const areas = [
    [0, 0, 500_000, 0, 499_900, 100_000, 499_900, 900_000, 500_000, 1_000_000, 0, 1_000_000, 0, 0],
    [500_000, 0, 1_000_000, 0, 1_000_000, 1_000_000, 500_000, 1_000_000, ...lens(499_900 + gap), 500_000, 0],
  ];
  const chain = Int32Array.from([499_200, -1_000_000, 499_200, 100_000, 499_200, 900_000, 499_200, 2_000_000]);
  return { features: areas.map((ring) => ({ rings: [Int32Array.from(ring)] })), chains: [chain] };
}

it('a narrow gap does not become larger because one of its sides has an official border', async () => {
  const { features, chains } = beside(400);
  const snapped = await snapBorders(features, chains, TOLERANCE_M);
  expect([snapped.left, snapped.moved, snapped.widened]).toEqual([[0, 1], [], []]);
  expect(snapped.features.map(({ rings }) => rings)).toEqual(features.map(({ rings }) => rings));
});

it('a wide gap that becomes larger is listed, with how much', async () => {
  const { features, chains } = beside(20_000);
  const { left, widened, features: after } = await snapBorders(features, chains, TOLERANCE_M);
  const [before] = gapsOf(features);
  expect([left, widened.length]).toEqual([[], 1]);
  expect(widened[0]?.km2Before).toBe(before?.km2);
  expect(widened[0]?.km2).toBe(gapsOf(after)[0]?.km2);
  expect(widened[0]?.km2).toBeGreaterThan((before?.km2 ?? 0) * 1.01);
});
