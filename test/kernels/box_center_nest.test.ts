import { describe, expect, it } from 'vitest';
import { ringsBox } from '../../workers/arcs/box.ts';
import { insideCenter } from '../../workers/arcs/center.ts';
import { locate } from '../../workers/arcs/locate.ts';
import { overlapShare } from '../../workers/arcs/nest.ts';
import { overlay } from '../../workers/arcs/overlay.ts';
import { stitch } from '../../workers/arcs/stitch.ts';
import { defined } from '../../workers/defined.ts';
import { closed } from '../setup/elements.ts';
import {
  arrange,
  chain,
  flatten,
  type Line,
  planeArea,
  random,
  rect,
  ringsOf,
  subdivision,
  tableOf,
  withAreas,
} from './topology.ts';

const box = (...rings: Line[]) => {
  const { table, refs } = arrange([rings.map((ring) => ring.map(([x, y]) => [x * 1e7, y * 1e7] as const))]);
  return ringsBox(table, ringsOf(stitch(table, defined(refs[0]))))?.map((value) => value / 1e7);
};

describe('ringsBox', () => {
  it('is null for nothing and plain for one polygon', () => {
    expect(
      ringsBox(tableOf([]), { refs: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) }),
    ).toBeNull();
    expect(box(rect(-10, -20, 30, 40))).toEqual([-10, -20, 30, 40]);
    expect(box(rect(-180, -90, 180, 90))).toEqual([-180, -90, 180, 90]);
    expect(box(rect(0, 0, 9, 9), rect(3, 3, 4, 4))).toEqual([0, 0, 9, 9]);
  });

  it('crosses the antimeridian where that is shorter: west > east', () => {
    expect(box(rect(176, -20, 180, -10), rect(-180, -19, -178, -12))).toEqual([176, -20, -178, -10]);
    expect(box(rect(170, 0, 175, 5), rect(-175, 1, -170, 6))).toEqual([170, 0, -170, 6]);
    expect(box(rect(20, 40, 180, 80), rect(-180, 60, -170, 70))).toEqual([20, 40, -170, 80]);
  });

  it('does not cross where it is not shorter, and keeps the ordinary box on a tie', () => {
    expect(box(rect(-100, 0, -90, 5), rect(-60, 0, -50, 5))).toEqual([-100, 0, -50, 5]);
    expect(box(rect(-90, 0, -80, 5), rect(90, 0, 100, 5))).toEqual([-90, 0, 100, 5]);
    expect(box(rect(-90, 0, -80, 5), rect(91, 0, 100, 5))).toEqual([91, 0, -80, 5]);
  });

  it('takes the widest of several gaps', () => {
    expect(box(rect(-180, 0, -170, 1), rect(-40, 0, -30, 1), rect(150, 0, 180, 1))).toEqual([150, 0, -30, 1]);
  });
});

/** Inside by the arc test on the same rings. */
function isInside(polygons: (readonly Line[])[], [x, y]: readonly [number, number]): boolean {
  const { table, refs } = arrange([polygons.flat()]);
  return locate(table, defined(refs[0]), x, y) === 1;
}

describe('insideCentre', () => {
  it('is the centroid where that lies inside', () => {
    expect(insideCenter(flatten([[rect(0, 0, 100, 50)]]))).toEqual([50, 25]);
  });

  it('is in the largest polygon', () => {
    expect(insideCenter(flatten([[rect(0, 0, 10, 10)], [rect(1000, 0, 1100, 100)]]))).toEqual([1050, 50]);
  });

  it('leaves the hole of a ring and the gap of a horseshoe', () => {
    const ring = [[rect(0, 0, 100, 100), [...rect(20, 20, 80, 80)].reverse()]];
    expect(isInside(ring, insideCenter(flatten(ring)))).toBe(true);
    const shoe: Line[][] = [
      [
        [
          [0, 0],
          [100, 0],
          [100, 100],
          [90, 100],
          [90, 10],
          [10, 10],
          [10, 100],
          [0, 100],
          [0, 0],
        ],
      ],
    ];
    expect(isInside(shoe, insideCenter(flatten(shoe)))).toBe(true);
  });

  it('stays clear of the border', () => {
    // The centroid of this U is just inside its left leg's edge or outside: never within 2 units of the border.
    const shape: Line[][] = [
      [
        [
          [0, 0],
          [1000, 0],
          [1000, 100],
          [400, 100],
          [400, 1000],
          [0, 1000],
          [0, 0],
        ],
      ],
    ];
    const [x, y] = insideCenter(flatten(shape));
    expect(isInside(shape, [x, y])).toBe(true);
    for (const [dx, dy] of [
      [10, 0],
      [-10, 0],
      [0, 10],
      [0, -10],
    ])
      expect(isInside(shape, [x + defined(dx), y + defined(dy)])).toBe(true);
  });

  it('finds the only inner point, and settles for a vertex where there is none', () => {
    expect(insideCenter(flatten([[rect(0, 0, 2, 2)]]))).toEqual([1, 1]);
    const sliver: Line = [
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ];
    expect(insideCenter(flatten([[sliver]]))).toEqual([0, 0]);
  });

  const island = rect(0, 0, 100, 100);
  const mainland = [rect(1000, 0, 1040, 40), [...rect(1001, 1, 1011, 11)].reverse()];

  it('is the label where that lies inside', () => {
    const shape = flatten([[island], mainland]);
    expect(insideCenter(shape, { label: [1015, 35], seat: null })).toEqual([1015, 35]);
    expect(insideCenter(shape, { label: [1015, 35], seat: [1030, 30] })).toEqual([1015, 35]);
    expect(insideCenter(shape, { label: [1015, 35], seat: [5000, 5000] })).toEqual([1015, 35]);
  });

  it('is in the polygon with the seat where the label is outside, on the border, in a hole or in another polygon', () => {
    const shape = flatten([[island], mainland]);
    for (const label of [null, [500, 50], [1000, 20], [1005, 5], [50, 50]] as const) {
      const center = insideCenter(shape, { label, seat: [1039, 39] });
      expect(isInside([mainland], center), String(label)).toBe(true);
    }
  });

  it('is in the largest polygon where neither label nor seat lies inside', () => {
    const shape = flatten([[island], mainland]);
    expect(insideCenter(shape, { label: [500, 50], seat: [1005, 5] })).toEqual([50, 50]);
  });

  it('is a pole: no place of an L is farther from the border by more than the margin', () => {
    const corners: Line = [
      [0, 0],
      [3000, 0],
      [3000, 400],
      [1000, 400],
      [1000, 3000],
      [0, 3000],
      [0, 0],
    ];
    const [x, y] = insideCenter(flatten([[corners]]));
    const clear = Math.min(x, y, 3000 - y, x < 1000 && y > 400 ? 1000 - x : Math.hypot(1000 - x, 400 - y));
    // The pole of this shape touches both outer sides and the inner corner: at most 586 from each of them.
    expect(clear).toBeGreaterThan(450);
  });

  it('refuses an empty multipolygon', () => {
    expect(() => insideCenter(flatten([]))).toThrow(RangeError);
  });

  it('is inside every random star and comb', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed);
      const spokes = 5 + Math.floor(next() * 60);
      const ring: [number, number][] = [];
      for (let k = 0; k < spokes; k++) {
        const angle = (2 * Math.PI * k) / spokes;
        const radius = 1000 * (0.05 + next());
        ring.push([Math.round(3000 + radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))]);
      }
      const shape = [[closed(ring)]];
      expect(isInside(shape, insideCenter(flatten(shape))), `seed ${seed}`).toBe(true);
    }
  });
});

describe('overlapShare', () => {
  const share = (child: Line[], parent: Line[], others: Line[][] = []) => {
    const { table, refs } = arrange([child, parent, ...others]);
    return overlapShare(withAreas(table), defined(refs[0]), defined(refs[1]));
  };

  it('is 1 for a child inside, equal, or sharing part of the border', () => {
    expect(share([rect(10, 10, 20, 20)], [rect(0, 0, 40, 40)])).toBe(1);
    expect(share([rect(0, 0, 40, 40)], [rect(0, 0, 40, 40)])).toBe(1);
    const parent: Line = [
      [0, 0],
      [10, 0],
      [40, 0],
      [40, 40],
      [0, 40],
      [0, 10],
      [0, 0],
    ];
    expect(share([rect(0, 0, 10, 10)], [parent])).toBe(1);
  });

  it('is 0 for a child outside, next door or in a hole', () => {
    expect(share([rect(50, 0, 60, 10)], [rect(0, 0, 40, 40)])).toBe(0);
    expect(share([rect(10, 0, 20, 10)], [rect(0, 0, 10, 10)])).toBe(0);
    expect(share([rect(10, 10, 20, 20)], [rect(0, 0, 40, 40), rect(10, 10, 20, 20)])).toBe(0);
    expect(share([rect(12, 12, 18, 18)], [rect(0, 0, 40, 40), rect(10, 10, 20, 20)])).toBe(0);
  });

  it('is in between where the parent has a hole in the child, or lies in it', () => {
    expect(share([rect(0, 0, 40, 40)], [rect(0, 0, 40, 40), rect(10, 10, 20, 20)])).toBeCloseTo(1 - 100 / 1600, 6);
    expect(share([rect(0, 0, 40, 40)], [rect(10, 10, 20, 20)])).toBeCloseTo(100 / 1600, 6);
    expect(share([rect(0, 0, 10, 10), rect(20, 0, 30, 10)], [rect(0, 0, 10, 10)])).toBeCloseTo(0.5, 6);
  });

  it('is null for a child without arcs and where borders lie on each other', () => {
    const { table, refs } = arrange([[rect(0, 0, 10, 10)]]);
    expect(overlapShare(table, new Int32Array(0), defined(refs[0]))).toBeNull();
    const off = withAreas(tableOf([chain(rect(0, 0, 10, 10)), chain(rect(0, 0, 10, 6))]));
    expect(overlapShare(off, Int32Array.of(0), Int32Array.of(1))).toBeNull();
  });

  it('is 1 or 0 where no arc of the parent comes near', () => {
    const corners: Line = rect(0, 0, 40, 40);
    const sides = [0, 1, 2, 3].map((i) => chain([defined(corners[i]), defined(corners[i + 1])]));
    const table = withAreas(tableOf([...sides, chain(rect(10, 10, 20, 20)), chain(rect(50, 10, 60, 20))]));
    const parent = Int32Array.of(0, 1, 2, 3);
    expect([4, 5].map((child) => overlapShare(table, Int32Array.of(child), parent))).toEqual([1, 0]);
    expect(overlapShare(table, Int32Array.of(4, 5), parent)).toBeCloseTo(0.5, 6);
  });

  it('equals the overlay on random groups of faces', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed);
      const faces = subdivision(next, 4, 4, 100_000);
      const child = faces.filter(() => next() < 0.3);
      const parent = faces.filter(() => next() < 0.6);
      if (child.length === 0 || parent.length === 0) continue;
      const all = (list: Line[]) => list.map((face) => flatten([[face]]));
      const lost = planeArea(await overlay(all(child), all(parent)));
      const whole = planeArea(await overlay(all(child), []));
      expect(share(child, parent)).toBeCloseTo(1 - lost / whole, 6);
    }
  });
});
