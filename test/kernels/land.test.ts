import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { type LandOfBoundary, landOf } from '../../workers/arcs/land.ts';
import { intersection } from '../../workers/arcs/overlay.ts';
import type { Polygons } from '../../workers/contract.ts';

type Ring = readonly (readonly [number, number])[];

const SIDE = 10_000;

const closed = (ring: Ring) => Int32Array.from([...ring, ring[0] as readonly [number, number]].flat());
const box = (x: number, y: number, w = SIDE, h = SIDE): Ring => [
  [x, y],
  [x + w, y],
  [x + w, y + h],
  [x, y + h],
];

/** The rings of boundaries, with the coast, as a task. Equal sides of neighbors are equal segments. */
function solve(
  boundaries: readonly (readonly Ring[])[],
  coast: readonly Int32Array[],
  gapMeters = 0,
  isPolygons = false,
) {
  const arcs: Int32Array[] = [];
  const refEnd = new Uint32Array(boundaries.length);
  boundaries.forEach((rings, b) => {
    for (const ring of rings) arcs.push(closed(ring));
    refEnd[b] = arcs.length;
  });
  return landOf({ arcs, refs: Uint32Array.from(arcs.keys()), refEnd, coast, gapMeters, isPolygons });
}

function area(rings: readonly Int32Array[]): number {
  let doubled = 0;
  for (const ring of rings)
    for (let i = 2; i < ring.length; i += 2)
      doubled += (ring[i - 2] as number) * (ring[i + 1] as number) - (ring[i] as number) * (ring[i - 1] as number);
  return doubled / 2;
}

const landArea = (one: LandOfBoundary | undefined) => (one && 'land' in one ? area(one.land) : null);
const waterArea = (one: LandOfBoundary | undefined) => (one && 'land' in one ? area(one.water) : null);
const isUnknown = (one: LandOfBoundary | undefined) => one !== undefined && 'unknown' in one;

const polygon = (...rings: Ring[]): Polygons => {
  const coords = rings.map(closed);
  let end = 0;
  return {
    coords: Int32Array.from(coords.flatMap((ring) => [...ring])),
    ringEnd: Uint32Array.from(coords, (ring) => (end += ring.length / 2)),
    polygonEnd: Uint32Array.of(rings.length),
  };
};

function areaOf({ coords, ringEnd }: Polygons): number {
  let from = 0;
  let sum = 0;
  for (const end of ringEnd) {
    sum += area([coords.subarray(2 * from, 2 * end)]);
    from = end;
  }
  return sum;
}

/** A star around a point, counterclockwise. */
function star(random: () => number, x: number, y: number, radius: number, points = 40): Ring {
  return Array.from({ length: points }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / points;
    const r = radius * (0.4 + 0.6 * random());
    return [Math.round(x + r * Math.cos(angle)), Math.round(y + r * Math.sin(angle))];
  });
}

describe('land and water by the direction of the coast', () => {
  it('of random islands under a grid of boundaries are what GEOS intersects, and tile the whole', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const island = star(random, 2.2 * SIDE, 1.9 * SIDE, 1.8 * SIDE);
      const cells = [0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].map((y) => box(x * SIDE, y * SIDE)));
      const whole = box(0, 0, 4 * SIDE, 4 * SIDE);
      const { boundaries } = solve([...cells.map((cell) => [cell]), [whole]], [closed(island)]);
      let sum = 0;
      for (const [i, cell] of cells.entries()) {
        const theirs = areaOf(await intersection(polygon(cell), polygon(island)));
        const ours = landArea(boundaries[i]);
        // A cell beside the island, and all of the sea, is known from its neighbors.
        expect([seed, i, ours === null]).toEqual([seed, i, false]);
        expect(Math.abs((ours as number) - theirs)).toBeLessThan(8 * SIDE);
        expect((ours as number) + (waterArea(boundaries[i]) as number)).toBe(SIDE * SIDE);
        sum += ours as number;
      }
      expect(sum).toBe(landArea(boundaries[16]));
    }
  });

  it('of an island in a lake on an island, with a border along the coast and an enclave harbor', () => {
    const outer = box(1_000, 1_000, 8_000, 8_000);
    const lake = [...box(3_000, 3_000, 4_000, 4_000)].reverse();
    const inner = box(4_000, 4_000, 2_000, 2_000);
    const coast = [outer, lake, inner].map(closed);
    const country = box(0, 0, SIDE, SIDE);
    const along = outer;
    const harbor = box(2_500, 4_500, 1_000, 1_000);
    const { boundaries } = solve([[country], [along], [harbor], [country, [...harbor].reverse()]], coast);
    expect(landArea(boundaries[0])).toBe(64e6 - 16e6 + 4e6);
    expect(landArea(boundaries[1])).toBe(64e6 - 16e6 + 4e6);
    expect([landArea(boundaries[2]), waterArea(boundaries[2])]).toEqual([0.5e6, 0.5e6]);
    expect(landArea(boundaries[3])).toBe(52e6 - 0.5e6);
  });

  it('of random islands in lakes on islands, with borders along the coast and from its vertices, are what GEOS intersects', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(100 + seed);
      const [x, y] = [2 * SIDE, 2 * SIDE];
      const outer = star(random, x, y, 1.8 * SIDE);
      const lake = star(random, x, y, 0.6 * SIDE);
      const inner = star(random, x, y, 0.2 * SIDE);
      const coast = [outer, [...lake].reverse(), inner].map(closed);
      const between = (i: number) => {
        const [a, b] = [outer[i] as (typeof outer)[number], outer[i + 1] as (typeof outer)[number]];
        return [Math.round((a[0] + b[0]) / 2), Math.round((a[1] + b[1]) / 2)] as const;
      };
      const [from, to] = [1 + Math.floor(10 * random()), 14 + Math.floor(6 * random())];
      const given: Ring[] = [
        box(0, 0, 4 * SIDE, 4 * SIDE),
        // Along all of the coast; from a vertex of it to another; from and to places within its segments.
        outer,
        [[x, y], ...outer.slice(from, to)],
        [[x, y], between(20), ...outer.slice(21, 32), between(32)],
        // Across it anywhere.
        star(random, x + SIDE, y - SIDE / 2, 1.2 * SIDE),
        // A harbor: around a vertex of the coast.
        box((outer[5] as (typeof outer)[number])[0] - 700, (outer[5] as (typeof outer)[number])[1] - 600, 1_500, 1_400),
      ];
      const { boundaries } = solve(
        given.map((ring) => [ring]),
        coast,
      );
      const dry = [polygon(outer, [...lake].reverse()), polygon(inner)];
      for (const [i, ring] of given.entries()) {
        let theirs = 0;
        for (const one of dry) theirs += areaOf(await intersection(polygon(ring), one));
        const one = boundaries[i];
        expect([seed, i, isUnknown(one)]).toEqual([seed, i, false]);
        // Borders and coasts move by half a grid unit where they cross.
        expect(Math.abs((landArea(one) as number) - theirs)).toBeLessThan(16 * SIDE);
        const whole = areaOf(polygon(ring));
        expect(Math.abs((landArea(one) as number) + (waterArea(one) as number) - whole)).toBeLessThan(16 * SIDE);
      }
    }
  });

  it('of borders that end at the shore in a vertex and within a segment', () => {
    const island = closed([
      [2_000, 2_000],
      [8_000, 2_000],
      [8_000, 5_000],
      [8_000, 8_000],
      [2_000, 8_000],
    ]);
    const north = box(0, 5_000, SIDE, 5_000);
    const south = box(0, 0, SIDE, 5_000);
    const { boundaries } = solve([[north], [south]], [island]);
    expect([landArea(boundaries[0]), landArea(boundaries[1])]).toEqual([18e6, 18e6]);
    // The two have the same vertices on their common border.
    const vertices = boundaries.map((one) => {
      const all = 'land' in one ? one.land.flatMap((ring) => [...ring]) : [];
      return new Set(all.flatMap((x, i) => (i % 2 === 0 && all[i + 1] === 5_000 ? [x] : [])));
    });
    expect(vertices[0]).toEqual(vertices[1]);
  });
});

describe('a broken coast', () => {
  const island = box(2_000, 2_000, 6_000, 6_000);
  const lines = island.map((from, i) => Int32Array.from([...from, ...(island[(i + 1) % 4] as readonly number[])]));
  const west = box(0, 0, 5_000, SIDE);
  const east = box(5_000, 0, 5_000, SIDE);
  const far = box(20_000, 0);
  // Further from the eastern side than the coast there may bend.
  const away = box(0, 0, 3_000, SIDE);
  const rest = box(3_000, 0, 7_000, SIDE);

  it('with a way that is missing leaves unknown what it opens, and never floods', () => {
    // Without the eastern side.
    const { boundaries } = solve([[away], [rest], [far]], [lines[0], lines[2], lines[3]] as Int32Array[]);
    expect(landArea(boundaries[0])).toBe(6e6);
    expect([isUnknown(boundaries[1]), isUnknown(boundaries[2])]).toEqual([true, true]);
  });

  it('with a way in the wrong direction leaves both sides of it unknown', () => {
    const wrong = [lines[0], Int32Array.from([8_000, 8_000, 8_000, 2_000]), lines[2], lines[3]] as Int32Array[];
    const { boundaries } = solve([[away], [rest]], wrong);
    expect(landArea(boundaries[0])).toBe(6e6);
    expect(isUnknown(boundaries[1])).toBe(true);
  });

  it('that crosses itself is unknown where it does', () => {
    const eight = closed([
      [1_000, 1_000],
      [4_000, 4_000],
      [4_000, 1_000],
      [1_000, 4_000],
    ]);
    const { boundaries } = solve([[west], [east]], [eight]);
    expect([isUnknown(boundaries[0]), landArea(boundaries[1])]).toEqual([true, null]);
  });

  it('with a narrow gap is closed, and the gap is listed', () => {
    const open = lines.map((line) => line.slice());
    (open[1] as Int32Array).set([8_000, 7_990], 2);
    expect(isUnknown(solve([[east]], open).boundaries[0])).toBe(true);
    const { boundaries, gaps } = solve([[east]], open, 1);
    expect(gaps).toMatchObject([{ from: [8_000, 7_990], to: [8_000, 8_000] }]);
    expect(landArea(boundaries[0])).toBe(18e6);
  });
});

describe('land polygons', () => {
  it('may overlap and share sides: what any of them holds is land', () => {
    const tiles = [box(1_000, 1_000, 3_500, 3_000), box(4_000, 1_000, 3_000, 3_000), box(1_000, 4_000, 3_500, 2_000)];
    const { boundaries } = solve([[box(0, 0)], [box(20_000, 0)]], tiles.map(closed), 0, true);
    expect(landArea(boundaries[0])).toBe(6_000 * 3_000 + 3_500 * 2_000);
    expect([landArea(boundaries[1]), waterArea(boundaries[1])]).toEqual([0, SIDE * SIDE]);
  });
});
