import { describe, expect, it } from 'vitest';
import { materialize } from '../../workers/arcs/layout.ts';
import { METERS_PER_UNIT, toleranceMeters, unitOf } from '../../workers/arcs/levels.ts';
import { tierArcs } from '../../workers/arcs/simplify.ts';
import { ALWAYS, ENDS_PER_ARC, LEVELS, MASKS_PER_END } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { leading, pairs } from '../setup/elements.ts';
import { arcVertices, type Cut, crossings, cutShapes, type Ring, segmentsOf, tableOf } from './simplify_support.ts';

/** Coordinate units of so many meters (a multiple of them, on the equator). */
const meters = (count: number) => Math.round(count / METERS_PER_UNIT);
/** A ring of [x, y] in meters east and north of 0, 0. */
const ring = (...points: [number, number][]): Ring => points.map(([x, y]) => [meters(x), meters(y)]);
const one = (adminLevel: number, ...polygons: Ring[][]) => ({ adminLevel, polygons });

/** The weight of the vertex of an arrangement at a place in meters, which one arc has. */
function weightAt(cut: Cut, weights: Uint8Array, x: number, y: number): number {
  for (let v = 0; v < cut.coords.length / 2; v++) {
    if (cut.coords[2 * v] === meters(x) && cut.coords[2 * v + 1] === meters(y)) return defined(weights[v]);
  }
  throw new Error(`no vertex at ${x}, ${y}`);
}

/** Crossings over all boundaries at a level, for the class of admin_level 8. */
function crossingsAt(cut: Cut, table: ReturnType<typeof tableOf>, level: number): number {
  return crossings(segmentsOf(cut.boundaries.map((b) => materialize(table, b, level, 7))));
}

describe('a vertex inside an arc', () => {
  it('stays as long as it is farther than the tolerance from what would replace it', () => {
    // A spike of 100 m on a square of 20 km, with a bump of 3 m.
    const cut = cutShapes([
      one(8, [
        ring(
          [0, 0],
          [9_990, 0],
          [10_000, -100],
          [10_010, 0],
          [20_000, 0],
          [20_003, 10_000],
          [20_000, 20_000],
          [0, 20_000],
        ),
      ]),
    ]);
    const { weights } = tierArcs(cut);
    // The bump deviates by 3 m: gone at 4 m, not at 2 m; the spike by 100 m.
    expect(weightAt(cut, weights, 20_003, 10_000)).toBe(2);
    expect(weightAt(cut, weights, 10_000, -100)).toBe(7);
    expect(weightAt(cut, weights, 20_000, 20_000)).toBeGreaterThan(12);
  });

  it('is measured against the original, not against the level before', () => {
    // A bow of 5 km that rises by 15 m: every small step passes at 2 m, the whole does not.
    const bow: [number, number][] = Array.from({ length: 101 }, (_, i) => [
      50 * i,
      -15 * Math.sin((Math.PI * i) / 100),
    ]);
    const cut = cutShapes([one(8, [ring(...bow, [5_000, 5_000], [0, 5_000])])]);
    const { weights } = tierArcs(cut);
    const arc = arcVertices(cut, 0);
    for (const level of [0, 1, 2, 3]) {
      const kept = arc.flatMap((_, v) => (defined(weights[v]) > level ? [v] : []));
      for (const [from, to] of pairs(kept)) {
        for (let v = from; v <= to; v++) {
          const distance = distanceMeters(defined(arc[v]), defined(arc[from]), defined(arc[to]));
          expect(distance).toBeLessThanOrEqual(toleranceMeters(level));
        }
      }
      expect(kept.length).toBeLessThan(60);
    }
  });

  it('does not go where its triangle holds a vertex of another arc', () => {
    // A point of an enclave lies 2 m under the tip of a roof 30 m high; the enclave itself stays (it is a boundary).
    const enclave = ring([4_000, -2_000], [5_000, -28], [6_000, -2_000]);
    const shell = ring([0, 0], [0, -9_000], [10_000, -9_000], [10_000, 0], [5_000, -30 + 30.5]);
    const roof = ring([0, -30], [0, -9_000], [10_000, -9_000], [10_000, -30], [5_000, -26]);
    const free = cutShapes([one(8, [shell])]);
    expect(weightAt(free, tierArcs(free).weights, 5_000, 0.5)).toBe(0);
    const held = cutShapes([one(8, [roof, [...enclave].reverse()]), one(8, [enclave])]);
    const table = tableOf(held);
    expect(weightAt(held, table.weights, 5_000, -26)).toBeGreaterThan(2);
    for (let level = 0; level < LEVELS; level++) expect(crossingsAt(held, table, level)).toBe(0);
  });

  it('waits for a vertex of its own arc, and never goes over one of another', () => {
    // A slot with a roof 1.8 m high, and under it a gable of 2.5 m: of a tower of its own, or of the slot's own floor.
    const roof: [number, number][] = [
      [5_010, 0],
      [5_000, 1.8],
      [4_990, 0],
    ];
    const gable: [number, number][] = [
      [4_992, -1.5],
      [5_000, 1],
      [5_008, -1.5],
    ];
    const round: [number, number][] = [
      [0, 4_000],
      [9_000, 4_000],
    ];
    const slot = ring([5_010, -3_000], ...roof, [4_990, -3_000], ...round);
    const tower = ring([4_992, -2_900], [5_008, -2_900], ...[...gable].reverse());
    const two = cutShapes([one(8, [slot]), one(8, [tower])]);
    const apart = tierArcs(two).weights;
    expect(weightAt(two, apart, 5_000, 1)).toBe(2);
    expect(weightAt(two, apart, 5_000, 1.8)).toBeGreaterThan(8);
    const folded = ring(
      ...roof,
      [4_990, -3_000],
      [4_992, -3_000],
      ...gable,
      [5_008, -3_000],
      [9_000, -3_000],
      [9_000, 4_000],
      [0, 4_000],
      [0, -4_000],
      [9_500, -4_000],
      [9_500, -1],
    );
    const own = cutShapes([one(8, [folded])]);
    expect(weightAt(own, tierArcs(own).weights, 5_000, 1.8)).toBe(2);
    const alone = cutShapes([one(8, [slot])]);
    expect(weightAt(alone, tierArcs(alone).weights, 5_000, 1.8)).toBe(1);
  });

  it('does not straighten into its neighbor', () => {
    // Two borders of a corridor, 3 m apart, with teeth that fit into each other: neither can straighten alone.
    const teeth = (y: number): [number, number][] =>
      Array.from({ length: 99 }, (_, i): [number, number] => [100 + 100 * i, y + (i % 2 === 0 ? 6 : -6)]);
    const low: [number, number][] = [[0, 0], ...teeth(0), [10_000, 0]];
    const high: [number, number][] = [[0, 3], ...teeth(3), [10_000, 3]];
    const corridor = ring(...low, ...[...high].reverse());
    const cut = cutShapes([
      one(8, [corridor]),
      one(8, [ring([0, -5_000], [10_000, -5_000], ...[...low].reverse())]),
      one(8, [ring(...high, [10_000, 5_000], [0, 5_000])]),
    ]);
    const table = tableOf(cut);
    for (let level = 0; level < LEVELS; level++) expect(crossingsAt(cut, table, level)).toBe(0);
    const left = [...table.weights].filter((weight) => weight > 5).length;
    expect(left).toBeLessThan(30);
  });

  it('does not go beyond what keeps arcs between the same two ends apart', () => {
    // A lens and the line through it: three arcs from one tip to the other.
    const up: [number, number][] = Array.from({ length: 19 }, (_, i) => [
      100 * (i + 1),
      40 * Math.sin((Math.PI * (i + 1)) / 20),
    ]);
    const flat: [number, number][] = up.map(([x]) => [x, 0.5]);
    const down = up.map(([x, y]): [number, number] => [x, -y]);
    const back = (points: [number, number][]) => [...points].reverse();
    const cut = cutShapes([
      one(8, [ring([0, 0], ...flat, [2_000, 0], ...back(up))]),
      one(8, [ring([0, 0], ...down, [2_000, 0], ...back(flat))]),
    ]);
    const table = tableOf(cut);
    expect(cut.first.length).toBe(3);
    for (let level = 0; level < LEVELS; level++) {
      for (let arc = 0; arc < 3; arc++) {
        const inside = Array.from(
          { length: defined(cut.length[arc]) - 2 },
          (_, i) => table.weights[defined(cut.first[arc]) + 1 + i],
        );
        expect(inside.filter((weight) => defined(weight) > level).length).toBeGreaterThanOrEqual(1);
      }
      expect(crossingsAt(cut, table, level)).toBe(0);
    }
  });

  it('leaves a closed arc three vertices', () => {
    const round = Array.from({ length: 90 }, (_, i): [number, number] => [
      1_000 * Math.cos((Math.PI * i) / 45),
      1_000 * Math.sin((Math.PI * i) / 45),
    ]);
    const cut = cutShapes([one(8, [ring(...round)])]);
    const table = tableOf(cut);
    const laid = materialize(table, defined(cut.boundaries[0]), LEVELS - 1, 7);
    expect(laid.ringEnd).toEqual(Uint32Array.of(4));
  });

  it('is measured in meters where the arc runs', () => {
    // Two bumps of 60 m each way at 60 north, where a degree of longitude is half as long.
    const north = 600e6;
    const shape = (dx: number, dy: number): Ring => [
      [0, north],
      [1e6 + dx, north],
      [2e6, north],
      [2e6 + 2 * dy, north + 1e6],
      [2e6, north + 2e6],
      [0, north + 2e6],
    ];
    const cut = cutShapes([one(8, [shape(0, meters(60))])]);
    const { weights } = tierArcs(cut);
    const at = [...weights.keys()].find((v) => cut.coords[2 * v] === 2e6 + 2 * meters(60))!;
    expect(weights[at]).toBe(6);
  });
});

describe('surroundings', () => {
  it('matter only as far as their vertices lie in the box of an arc', () => {
    const saw = (x: number): [number, number][] =>
      Array.from({ length: 41 }, (_, i) => [x + 100 * i, i % 2 === 0 ? 0 : 3]);
    const near = one(8, [ring(...saw(0), [4_000, 4_000], [0, 4_000])]);
    const far = one(8, [ring(...saw(4_500), [8_500, 4_000], [4_500, 4_000])]);
    const alone = tierArcs(cutShapes([near]));
    const both = tierArcs(cutShapes([near, far]));
    expect(both.weights.subarray(0, alone.weights.length)).toEqual(alone.weights);
  });

  it('count as they are at full detail, so that no order of imports shows', () => {
    // A row of saws that stand in each other's way: each is as it is beside its next neighbors alone.
    const row = Array.from({ length: 6 }, (_, r) => {
      const line = (y: number): [number, number][] =>
        Array.from({ length: 41 }, (_, i) => [100 * i, y + (i % 2 === 0 ? 0 : 60)]);
      return one(8, [ring(...line(50 * r), ...line(50 * r + 20).reverse())]);
    });
    const whole = cutShapes(row);
    const part = cutShapes(row.slice(0, 4));
    const length = defined(part.length[0]) + defined(part.length[1]);
    expect(tierArcs(part).weights.subarray(0, length)).toEqual(tierArcs(whole).weights.subarray(0, length));
  });
});

describe('ties', () => {
  it('are settled by place, not by the order of arcs', () => {
    // A saw of equal teeth on both sides of a border, given forward and backward.
    const saw = Array.from({ length: 41 }, (_, i): [number, number] => [100 * i, i % 2 === 0 ? 0 : 3]);
    const back = [...saw].reverse();
    const shapes = [
      one(8, [ring(...saw, [4_000, 4_000], [0, 4_000])]),
      one(8, [ring([0, -4_000], [4_000, -4_000], ...back)]),
    ];
    const tiers = [shapes, [...shapes].reverse()].map((order) => {
      const cut = cutShapes(order);
      const table = tableOf(cut);
      return Array.from({ length: LEVELS }, (_, level) =>
        [...segmentsOf(cut.boundaries.map((b) => materialize(table, b, level, 7)))].map(String).sort().join(),
      );
    });
    expect(tiers[0]).toEqual(tiers[1]);
  });
});

describe('islands', () => {
  const square = (x: number, y: number, side: number) =>
    ring([x, y], [x + side, y], [x + side, y + side], [x, y + side]);

  it('go at the first level whose tolerance exceeds their extent, the largest part never', () => {
    const parts = [[square(0, 0, 300)], [square(9_000, 0, 1_000)], [square(0, 9_000, 100)]];
    const cut = cutShapes([one(8, ...parts)]);
    const table = tableOf(cut);
    const sizes = Array.from(
      { length: LEVELS },
      (_, level) => materialize(table, defined(cut.boundaries[0]), level, 7).polygonEnd.length,
    );
    // 100 m goes at 128 m, 300 m at 512 m, 1,000 m (the largest) not at 1,024 m.
    expect(sizes).toEqual([3, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('go with the hole they fill, unless a boundary has its largest part there', () => {
    const enclave = square(4_000, 4_000, 200);
    const shell = square(0, 0, 10_000);
    const far = square(50_000, 0, 5_000);
    const foreign = cutShapes([one(8, [shell, [...enclave].reverse()]), one(8, [far], [enclave])]);
    const table = tableOf(foreign);
    const [host, owner] = leading(foreign.boundaries, 2);
    for (let level = 0; level < LEVELS; level++) {
      const holes = materialize(table, host, level, 7).ringEnd.length - 1;
      expect(holes).toBe(materialize(table, owner, level, 7).polygonEnd.length - 1);
      expect(holes).toBe(level < 8 ? 1 : 0);
    }
    const own = cutShapes([one(8, [shell, [...enclave].reverse()]), one(10, [enclave])]);
    const kept = tableOf(own);
    expect(materialize(kept, defined(own.boundaries[0]), LEVELS - 1, 9).ringEnd.length).toBe(2);
    expect(materialize(kept, defined(own.boundaries[1]), LEVELS - 1, 9).ringEnd.length).toBe(1);
  });

  it('stay around a boundary that has its largest part in them', () => {
    // An exclave of the far boundary, 200 m wide, around a boundary of its own.
    const exclave = square(4_000, 4_000, 200);
    const core = square(4_050, 4_050, 100);
    const cut = cutShapes([
      one(8, [square(0, 0, 10_000), [...exclave].reverse()]),
      one(8, [square(50_000, 0, 5_000)], [exclave, [...core].reverse()]),
      one(8, [core]),
    ]);
    const table = tableOf(cut);
    const rings = cut.boundaries.map((b) => materialize(table, b, LEVELS - 1, 7).ringEnd.length);
    expect(rings).toEqual([2, 3, 1]);
  });

  it('go with all the arcs they consist of, their ends included', () => {
    // An island of two communes, beside a large one.
    const west = square(0, 0, 100);
    const east = square(100, 0, 100);
    const cut = cutShapes([one(8, [square(9_000, 0, 5_000)], [west]), one(8, [square(20_000, 0, 5_000)], [east])]);
    const { weights } = tierArcs(cut);
    const island = [...weights.keys()].filter((v) => defined(cut.coords[2 * v]) <= meters(200));
    expect(island.length).toBeGreaterThan(6);
    for (const v of island) expect(weights[v]).toBeLessThanOrEqual(8);
    expect(Math.max(...island.map((v) => defined(weights[v])))).toBe(8);
  });
});

describe('arc ends', () => {
  /** Two communes side by side; the border meets the outline, which bends by `bend` meters there. */
  const halves = (bend: number) => {
    const west = ring([0, 0], [5_000, -bend], [5_000, 5_000 + bend], [0, 5_000]);
    const east = ring([5_000, -bend], [10_000, 0], [10_000, 5_000], [5_000, 5_000 + bend]);
    const country = ring([0, 0], [5_000, -bend], [10_000, 0], [10_000, 5_000], [5_000, 5_000 + bend], [0, 5_000]);
    return cutShapes([one(8, [west]), one(8, [east]), one(2, [country])]);
  };

  it('go for the country whose outline they are an ordinary vertex of, and stay for communes', () => {
    const cut = halves(30);
    const table = tableOf(cut);
    const country = defined(cut.boundaries[2]);
    const corners = (level: number, endClass: number) =>
      materialize(table, country, level, endClass).coords.length / 2 - 1;
    expect([3, 4, 5, 6].map((level) => corners(level, 1))).toEqual([6, 6, 4, 4]);
    expect([3, 4, 5, 6].map((level) => corners(level, 7))).toEqual([6, 6, 6, 6]);
    // No level-4 boundary: the class is the country's arrangement still.
    expect(corners(5, 3)).toBe(4);
    expect([...table.weights].filter((weight) => weight === ALWAYS).length).toBeGreaterThan(0);
  });

  it('carry the same decision on every arc that meets there', () => {
    const cut = halves(10);
    const { ends } = tierArcs(cut);
    expect(ends.length).toBe(ENDS_PER_ARC * cut.first.length);
    const at = new Map<string, Set<number>>();
    for (let arc = 0; arc < cut.first.length; arc++) {
      if (![...defined(cut.boundaries[2]).refs].some((ref) => (ref < 0 ? ~ref : ref) === arc)) continue;
      const vertices = arcVertices(cut, arc);
      for (const side of [0, 1]) {
        const place = String(vertices.at(-side));
        const mask = defined(ends[(2 * arc + side) * MASKS_PER_END + 1]);
        at.set(place, (at.get(place) ?? new Set()).add(mask));
      }
    }
    expect([...at.values()].every((masks) => masks.size === 1)).toBe(true);
    expect([...at.values()].some((masks) => !masks.has(0))).toBe(true);
  });

  it('stay where their going would lay two arcs on each other or leave a ring two vertices', () => {
    // A triangle cut at all its corners, and a lens of a straight arc and one with a single bend, cut there.
    const triangle = ring([0, 0], [40, 0], [20, 30]);
    const lens = ring([1_000, 0], [1_040, 0], [1_020, 3]);
    for (const shape of [triangle, lens]) {
      const cut = cutShapes([one(2, [shape])], () => true);
      const table = tableOf(cut);
      for (let level = 0; level < LEVELS; level++) {
        expect(materialize(table, defined(cut.boundaries[0]), level, 1).coords.length / 2).toBe(4);
      }
    }
  });

  it('stay where another arc would be jumped over', () => {
    // The outline bends by 20 m around the tip of an enclave that is a boundary of its own.
    const enclave = ring([4_900, 1_000], [5_000, -15], [5_100, 1_000]);
    const west = ring([0, 0], [5_000, -20], [5_000, -15], [4_900, 1_000], [5_000, 5_000], [0, 5_000]);
    const outline = ring([0, 0], [5_000, -20], [10_000, 0], [10_000, 5_000], [5_000, 5_000], [0, 5_000]);
    const cut = cutShapes([one(2, [outline]), one(2, [enclave]), one(8, [west])], (p) => p[1] === meters(-20));
    const table = tableOf(cut);
    for (let level = 0; level < LEVELS; level++) {
      const laid = cut.boundaries.slice(0, 2).map((b) => materialize(table, b, level, 1));
      expect(crossings(segmentsOf(laid))).toBe(0);
    }
    const outlineAt = materialize(table, defined(cut.boundaries[0]), 6, 1).coords;
    expect([...outlineAt].some((value, i) => i % 2 === 1 && value < meters(-10))).toBe(true);
  });
});

describe('digits', () => {
  it('are kept where rounding would close a narrow strip, at both its borders and nowhere else', () => {
    // A strip 3 m wide and 8 km long between two communes: at 1,024 m a unit of rounding is 11 m.
    const strip = ring([10, 0], [8_010, 4], [8_010, 7], [10, 3]);
    const south = ring([10, -6_000], [8_010, -6_000], [8_010, 4], [10, 0]);
    const north = ring([10, 3], [8_010, 7], [8_010, 6_000], [10, 6_000]);
    const far = ring([20_000, 0], [26_011, 3], [26_000, 6_000]);
    const cut = cutShapes([one(8, [strip]), one(8, [south]), one(8, [north]), one(8, [far])]);
    const table = tableOf(cut);
    for (let level = 0; level < LEVELS; level++) expect(crossingsAt(cut, table, level)).toBe(0);
    const level = 10;
    const unit = unitOf(level);
    expect(unit).toBe(1_000);
    const isRound = (coords: Int32Array) => coords.every((value) => value % unit === 0);
    expect(isRound(materialize(table, defined(cut.boundaries[0]), level, 7).coords)).toBe(false);
    expect(isRound(materialize(table, defined(cut.boundaries[3]), level, 7).coords)).toBe(true);
    // A neighbor that does not own the strip sees the same four corners.
    const places = (i: number) => {
      const { coords } = materialize(table, defined(cut.boundaries[i]), level, 7);
      return new Set(Array.from({ length: coords.length / 2 }, (_, v) => `${coords[2 * v]},${coords[2 * v + 1]}`));
    };
    const [inStrip, inSouth, inNorth] = [places(0), places(1), places(2)];
    expect([...inStrip].every((place) => inSouth.has(place) || inNorth.has(place))).toBe(true);
  });

  it('are never kept at levels that round nothing', () => {
    const cut = cutShapes([one(8, [ring([0, 0], [10, 0], [10, 0.1], [0, 0.05])])]);
    const { exact } = tierArcs(cut);
    for (const mask of exact) expect(mask & 0b111).toBe(0);
  });
});

/** Distance in meters of a place near the equator from a segment. */
function distanceMeters(p: readonly number[], a: readonly number[], b: readonly number[]): number {
  const [[px, py], [ax, ay], [bx, by]] = [leading(p, 2), leading(a, 2), leading(b, 2)];
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square));
  return Math.hypot(px - ax - share * dx, py - ay - share * dy) * METERS_PER_UNIT;
}
