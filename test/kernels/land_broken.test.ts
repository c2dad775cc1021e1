import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { landOf } from '../../workers/arcs/land.ts';

/** Broken coasts over a grid of boundaries: what is known must be what the whole coast says. */
const SIDE = 10_000;
const CELLS = 6;
const WAYS = 8;
const PER_WAY = 6;

type Place = readonly [number, number];

/** A ring around a place as ways, counterclockwise. */
function ways(random: () => number, x: number, y: number, radius: number): Place[][] {
  const n = WAYS * PER_WAY;
  const ring = Array.from({ length: n }, (_, i): Place => {
    const angle = (2 * Math.PI * i) / n;
    const r = radius * (0.7 + 0.3 * random());
    return [Math.round(x + r * Math.cos(angle)), Math.round(y + r * Math.sin(angle))];
  });
  return Array.from({ length: WAYS }, (_, w) =>
    Array.from({ length: PER_WAY + 1 }, (_, k) => ring[(w * PER_WAY + k) % n] as Place),
  );
}

const grid = Array.from({ length: CELLS * CELLS }, (_, i): Place[] => {
  const [x, y] = [(i % CELLS) * SIDE, Math.floor(i / CELLS) * SIDE];
  return [
    [x, y],
    [x + SIDE, y],
    [x + SIDE, y + SIDE],
    [x, y + SIDE],
    [x, y],
  ];
});
const chain = (places: readonly Place[]) => Int32Array.from(places.flat());
const solve = (coast: readonly (readonly Place[])[]) =>
  landOf({
    arcs: grid.map(chain),
    refs: Uint32Array.from(grid.keys()),
    refEnd: Uint32Array.from(grid, (_, i) => i + 1),
    coast: coast.map(chain),
    gapMeters: 0,
    isPolygons: false,
  }).boundaries;

function area(rings: readonly Int32Array[]): number {
  let doubled = 0;
  for (const ring of rings)
    for (let i = 2; i < ring.length; i += 2)
      doubled += (ring[i - 2] as number) * (ring[i + 1] as number) - (ring[i] as number) * (ring[i - 1] as number);
  return doubled / 2;
}

const reversed = (way: readonly Place[]) => [...way].reverse();
const without = <T>(list: readonly T[], ...gone: number[]) => list.filter((_, i) => !gone.includes(i));

type Coast = readonly (readonly Place[])[];

/** Whether the lines from a to c and from b to d cross. */
function cross([ax, ay]: Place, [bx, by]: Place, [cx, cy]: Place, [dx, dy]: Place): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number) =>
    Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
  return (
    side(ax, ay, cx, cy, bx, by) * side(ax, ay, cx, cy, dx, dy) < 0 &&
    side(bx, by, dx, dy, ax, ay) * side(bx, by, dx, dy, cx, cy) < 0
  );
}

/** A coast in which two places that follow each other have changed, so that it crosses itself there. */
function changed(coast: Coast): Coast {
  for (const [w, way] of coast.entries()) {
    for (let k = 0; k + 3 < way.length; k++) {
      const [a, b, c, d] = way.slice(k, k + 4) as [Place, Place, Place, Place];
      if (!cross(a, b, c, d)) continue;
      const other = [...way.slice(0, k), a, c, b, d, ...way.slice(k + 4)];
      return coast.map((one, i) => (i === w ? other : one));
    }
  }
  throw new Error('no two places make it cross itself');
}

/** How a coast is broken: the outer ways, then those of a lake, then those of an island in it. */
const BREAKS: Readonly<Record<string, (outer: Coast, lake: Coast, inner: Coast) => Coast>> = {
  'a way is missing': (outer, lake, inner) => [...without(outer, 2), ...lake, ...inner],
  'two ways are missing, apart': (outer, lake, inner) => [...without(outer, 1, 5), ...lake, ...inner],
  'half of the coast is missing': (outer, lake, inner) => [...outer.slice(0, 4), ...lake, ...inner],
  'a way of the lake is missing': (outer, lake, inner) => [...outer, ...without(lake, 3), ...inner],
  'a way of the island in the lake is missing': (outer, lake, inner) => [...outer, ...lake, ...without(inner, 0)],
  'a way runs the wrong way': (outer, lake, inner) => [
    ...outer.map((way, i) => (i === 4 ? reversed(way) : way)),
    ...lake,
    ...inner,
  ],
  'two ways beside each other run the wrong way': (outer, lake, inner) => [
    ...outer.map((way, i) => (i === 4 || i === 5 ? reversed(way) : way)),
    ...lake,
    ...inner,
  ],
  'the lake runs the wrong way': (outer, lake, inner) => [...outer, ...lake.map(reversed), ...inner],
  'a way crosses itself': (outer, lake, inner) => {
    const [a, , , d, ...rest] = outer[0] as Place[];
    const [[ax, ay], [dx, dy]] = [a as Place, d as Place];
    // A place on the sea side of the line from a to d.
    const at = (t: number): Place => [
      Math.round(ax + t * (dx - ax) + 0.2 * (dy - ay)),
      Math.round(ay + t * (dy - ay) - 0.2 * (dx - ax)),
    ];
    const way = [a, at(0.7), at(0.3), d, ...rest] as Place[];
    return [way, ...outer.slice(1), ...lake, ...inner];
  },
  'the places of a way are out of order': (outer, lake, inner) => [
    [0, 5, 2, 3, 4, 1, 6].map((k) => outer[3]?.[k] as Place),
    ...without(outer, 3),
    ...lake,
    ...inner,
  ],
  'two places of a way have changed': (outer, lake, inner) => [...changed(outer), ...lake, ...inner],
  'two places of the lake have changed': (outer, lake, inner) => [...outer, ...changed(lake), ...inner],
  'a way ends before the next begins': (outer, lake, inner) => [
    (outer[0] as Place[]).slice(0, -1),
    ...outer.slice(1),
    ...lake,
    ...inner,
  ],
};

/** Breaks that are drawn elsewhere than the coast was: the cells around them are other ones. */
const ELSEWHERE = new Set(['a way crosses itself']);

/** Whether a cell is where the first way of a coast is, or less than half a cell beside it. */
function isNear(cell: readonly Place[], way: readonly Place[]): boolean {
  const side = (k: 0 | 1, of: readonly Place[]) => of.map((place) => place[k]);
  return ([0, 1] as const).every((k) => {
    const [own, other] = [side(k, cell), side(k, way)];
    return Math.min(...own) < Math.max(...other) + SIDE / 2 && Math.max(...own) > Math.min(...other) - SIDE / 2;
  });
}

describe.each(Object.entries(BREAKS))('a coast of which %s', (name, broken) => {
  it('leaves unknown what it decides, floods nothing and dries nothing', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = seeded(seed);
      const middle = (SIDE * CELLS) / 2;
      const outer = ways(random, middle, middle, 2.8 * SIDE);
      const lake = ways(random, middle, middle, 1.4 * SIDE).map(reversed);
      const inner = ways(random, middle, middle, 0.5 * SIDE);
      const whole = solve([...outer, ...lake, ...inner]);
      const found = solve(broken(outer, lake, inner));
      let unknown = 0;
      found.forEach((one, i) => {
        const expected = whole[i];
        if (!('land' in one)) {
          unknown++;
          const [x, y] = one.unknown;
          expect([seed, i, x >= 0 && x <= CELLS * SIDE && y >= 0 && y <= CELLS * SIDE]).toEqual([seed, i, true]);
          return;
        }
        if (ELSEWHERE.has(name) && isNear(grid[i] as Place[], outer[0] as Place[])) return;
        const land = expected && 'land' in expected ? area(expected.land) : null;
        expect([seed, i, Math.abs(area(one.land) - (land as number)) < 4 * SIDE]).toEqual([seed, i, true]);
      });
      expect([seed, unknown > 0]).toEqual([seed, true]);
    }
  });
});
