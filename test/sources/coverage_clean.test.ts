import { describe, expect, it } from 'vitest';
import { cleanCoverage, dissolve } from '../../workers/arcs/clean.ts';
import type { Coords } from '../../workers/contract.ts';
import { doubleArea, geosCheck, meetAtVertices, pairsMeetAtEdges, ring } from './coverage_support.ts';

const square = (x: number, y: number, size: number): Coords =>
  ring([x, y], [x + size, y], [x + size, y + size], [x, y + size]);

const area = (rings: readonly Coords[]) => rings.reduce((sum, own) => sum + doubleArea(own) / 2, 0);

async function clean(...features: Coords[][]) {
  const given = features.map((rings) => ({ rings }));
  const result = await cleanCoverage(given);
  expect(await geosCheck(result.features)).toEqual({ invalid: [], matches: result.overlaps.length === 0 });
  const again = await cleanCoverage(result.features);
  expect(again.repaired, 'what is clean stays as it is').toEqual([]);
  return { ...result, areas: result.features.map(({ rings }) => area(rings)), given };
}

describe('cleanCoverage, small shapes', () => {
  it('keeps the very rings of features that are in no trouble', async () => {
    const { features, repaired, given } = await clean([square(0, 0, 10)], [square(10, 0, 10)], [square(30, 0, 5)]);
    expect(repaired).toEqual([]);
    for (const [i, feature] of features.entries()) expect(feature.rings).toBe(given[i]!.rings);
  });

  it('makes two rings of a bowtie', async () => {
    const bowtie = ring([0, 0], [10, 10], [10, 0], [0, 10]);
    const { features, repaired, repairs } = await clean([bowtie], [square(20, 0, 10)]);
    expect(repaired).toEqual([0]);
    expect(repairs[0]!.reasons).toContain('rings');
    expect(features[0]!.rings.map((own) => Math.abs(doubleArea(own)) / 2)).toEqual([25, 25]);
  });

  it('adds nothing of a hole that is outside its shell, and reports it', async () => {
    const given = { rings: [square(0, 0, 10), square(20, 0, 5)], polygonEnd: [2], shellEnd: [1] };
    const { features, repairs } = await cleanCoverage([given]);
    expect(area(features[0]!.rings)).toBe(100);
    expect(repairs).toMatchObject([{ feature: 0, reasons: ['rings'] }]);
    // Without knowing which rings are holes, all count alike.
    expect(area((await cleanCoverage([{ rings: given.rings }])).features[0]!.rings)).toBe(125);
    const all = { rings: [square(0, 0, 10)], polygonEnd: [1], shellEnd: [0] };
    expect((await cleanCoverage([all])).features[0]!.rings).toEqual([]);
  });

  it('takes a hole that is given twice once, from any vertex and in either direction, and reports it', async () => {
    const hole = ring([2, 2], [2, 4], [4, 4], [4, 2]);
    for (const again of [hole, ring([4, 4], [4, 2], [2, 2], [2, 4]), ring([4, 2], [4, 4], [2, 4], [2, 2])]) {
      const given = { rings: [square(0, 0, 10), hole, square(6, 6, 2), again], polygonEnd: [4], shellEnd: [1] };
      const { features, repairs } = await cleanCoverage([given]);
      expect(area(features[0]!.rings)).toBe(100 - 4 - 4);
      expect(repairs).toMatchObject([{ feature: 0, reasons: ['rings'] }]);
    }
  });

  it('is shells without holes for random boxes, by counting cells', async () => {
    let state = 7;
    const random = (n: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * n);
    };
    const boxOf = () => {
      const [x, y] = [random(20), random(20)];
      return [x, y, x + 1 + random(12), y + 1 + random(12)] as const;
    };
    for (let round = 0; round < 300; round++) {
      const polygons = Array.from({ length: 1 + random(3) }, () => Array.from({ length: 1 + random(4) }, boxOf));
      const rings: Coords[] = [];
      const polygonEnd: number[] = [];
      const shellEnd: number[] = [];
      for (const polygon of polygons) {
        shellEnd.push(rings.length + 1);
        for (const [w, s, e, n] of polygon) rings.push(ring([w, s], [e, s], [e, n], [w, n]));
        polygonEnd.push(rings.length);
      }
      let cells = 0;
      for (let x = 0; x < 34; x++) {
        for (let y = 0; y < 34; y++) {
          const isIn = ([w, s, e, n]: readonly [number, number, number, number]) => x >= w && x < e && y >= s && y < n;
          if (polygons.some(([shell, ...holes]) => isIn(shell!) && holes.filter(isIn).length % 2 === 0)) cells++;
        }
      }
      const { features } = await cleanCoverage([{ rings, polygonEnd, shellEnd }]);
      expect(area(features[0]!.rings), JSON.stringify(polygons)).toBe(cells);
      expect(await geosCheck(features)).toMatchObject({ invalid: [] });
    }
  });

  it('puts a vertex of a neighbor into a long edge, at a T-junction', async () => {
    const { features, repaired, areas } = await clean([square(0, 0, 20)], [square(20, 0, 10)], [square(20, 10, 10)]);
    expect(repaired).toEqual([0]);
    expect(areas).toEqual([400, 100, 100]);
    const corners = new Set(pairs(features[0]!.rings[0]!));
    expect(corners).toContain('20 10');
    expect(corners.size).toBe(5);
  });

  it('keeps what two areas truly share with both, and says how much it is', async () => {
    const unequal = await clean([square(0, 0, 200_000)], [square(150_000, 50_000, 100_000)]);
    expect(unequal.areas).toEqual([4e10, 1e10]);
    expect(unequal.repaired, 'they meet at vertices').toEqual([0, 1]);
    expect(unequal.repairs.map(({ reasons }) => reasons)).toEqual([['vertices'], ['vertices']]);
    for (const { km2Before, km2After } of unequal.repairs) expect(km2After / km2Before).toBeCloseTo(1, 8);
    const [overlap] = unequal.overlaps;
    expect(overlap).toMatchObject({ a: 0, b: 1 });
    expect(overlap!.km2 / (5e9 * SQUARE_UNIT_KM2)).toBeCloseTo(1, 3);
    const third = await clean([square(0, 0, 30_000)], [square(20_000, 0, 30_000)]);
    expect(third.areas).toEqual([9e8, 9e8]);
    expect(third.overlaps).toHaveLength(1);
  });

  it('gives a sliver to the smaller area, of equal ones to the first', async () => {
    const large = ring([0, 0], [200_000, 0], [200_000, 100_000], [0, 100_000]);
    const unequal = await clean([large], [square(199_950, 0, 100_000)]);
    expect(unequal.areas).toEqual([2e10 - 5e6, 1e10]);
    expect(unequal.overlaps).toEqual([]);
    const [lost] = unequal.repairs;
    expect(lost).toMatchObject({ feature: 0, reasons: ['vertices', 'overlap'] });
    expect((lost!.km2Before - lost!.km2After) / (5e6 * SQUARE_UNIT_KM2)).toBeCloseTo(1, 3);
    const equal = await clean([square(0, 0, 100_000)], [square(99_950, 0, 100_000)]);
    expect(equal.areas).toEqual([1e10, 1e10 - 5e6]);
  });

  it('keeps an overlap that is narrow but more than the share, or within the share but wide', async () => {
    // 0.4 m wide and a five-hundredth of the area; 10.5 m wide and a ten-thousandth.
    for (const [size, overlap] of [
      [20_000, 40],
      [1_000_000, 950],
    ] as const) {
      const { areas, overlaps } = await clean([square(0, 0, size)], [square(size - overlap, 0, size)]);
      expect(areas).toEqual([size * size, size * size]);
      expect(overlaps).toHaveLength(1);
    }
    const narrow = await clean([square(0, 0, 1_000_000)], [square(999_110, 0, 1_000_000)]);
    expect(narrow.areas).toEqual([1e12, 1e12 - 890e6]);
    expect(narrow.overlaps).toEqual([]);
  });

  it('takes no slivers from an area that together are more than its share', async () => {
    // Strips of 40,000 beside a square of 100,000: each takes a share of 0.0004 of it.
    const strip = (turn: number, width: number) => [
      turned(ring([0, -40_000], [100_000, -40_000], [100_000, width], [0, width]), turn),
    ];
    const two = await clean([square(0, 0, 100_000)], strip(0, 40), strip(2, 40));
    expect(two.areas).toEqual([1e10 - 8e6, 4.004e9, 4.004e9]);
    expect(two.overlaps).toEqual([]);
    const three = await clean([square(0, 0, 100_000)], strip(0, 40), strip(2, 40), strip(1, 40));
    expect(three.areas[0]).toBe(1e10);
    expect(three.overlaps.map(({ a, b }) => [a, b])).toEqual(
      expect.arrayContaining([
        [0, 1],
        [0, 2],
        [0, 3],
      ]),
    );
  });

  it('keeps an enclave whose hole was forgotten, and the area around it, touching or not', async () => {
    const inside = await clean([square(0, 0, 30)], [square(10, 10, 10)]);
    expect(inside.areas).toEqual([900, 100]);
    expect(inside.repaired).toEqual([]);
    const touching = await clean([square(0, 0, 30)], [ring([0, 10], [10, 5], [10, 15])]);
    expect(touching.areas).toEqual([900, 50]);
  });

  it('takes polygons of one feature that overlap for the area they hold together', async () => {
    const rings = [square(0, 0, 20), square(10, 0, 20), square(2, 2, 2)];
    const { features, repairs } = await cleanCoverage([{ rings, polygonEnd: [1, 3] }]);
    expect(area(features[0]!.rings)).toBe(600);
    expect(repairs[0]!.reasons).toContain('rings');
    expect(repairs[0]!.km2Before / repairs[0]!.km2After).toBeCloseTo((400 + 400 - 4) / 600, 4);
    const holed = await cleanCoverage([{ rings, polygonEnd: [2, 3] }]);
    expect(area(holed.features[0]!.rings), 'even-odd within one').toBe(400 + 400 - 2 * 200);
  });

  it('leaves an enclave and a counter-enclave that are drawn right', async () => {
    const { repaired } = await clean(
      [square(0, 0, 90), square(10, 10, 60)],
      [square(10, 10, 60), square(20, 20, 10)],
      [square(20, 20, 10)],
    );
    expect(repaired).toEqual([]);
  });

  it('keeps a duplicate feature, and leaves nothing of a collapsed ring, without harm to the neighbors', async () => {
    const twice = await clean([square(0, 0, 10)], [square(0, 0, 10)], [square(10, 0, 10)]);
    expect(twice.areas).toEqual([100, 100, 100]);
    expect(twice.repaired).toEqual([]);
    expect(twice.overlaps).toMatchObject([{ a: 0, b: 1 }]);
    const collapsed = await clean([ring([0, 0], [7, 5], [0, 0])], [square(0, 0, 10)]);
    expect(collapsed.areas).toEqual([0, 100]);
    expect(collapsed.repaired).toEqual([0]);
  });

  it('drops spikes and zero-length edges, and keeps the neighbor that has the vertex', async () => {
    const spike = ring([0, 0], [10, 0], [10, 5], [14, 5], [10, 5], [10, 10], [0, 10], [0, 10]);
    const { features, areas, repaired } = await clean([spike], [square(10, 0, 10)]);
    expect(areas).toEqual([100, 100]);
    expect(repaired).toEqual([0, 1]);
    expect(pairs(features[0]!.rings[0]!)).not.toContain('14 5');
  });

  it('keeps a gap, and closes one that is at most two units wide', async () => {
    const gap = await clean([square(0, 0, 1000)], [square(1010, 0, 1000)]);
    expect(gap.repaired).toEqual([]);
    const upper = ring([0, 0], [20_000, 0], [20_000, 10_000], [0, 10_000]);
    const lower = (depth: number) => ring([0, 0], [0, -10_000], [20_000, -10_000], [20_000, 0], [10_000, -depth]);
    const sliver = await clean([upper], [lower(2)]);
    expect(sliver.areas[0]! + sliver.areas[1]!).toBe(4e8);
    expect(sliver.repairs.map(({ reasons }) => reasons)).toEqual([['gap']]);
    const wide = await clean([upper], [lower(20)]);
    expect(wide.areas[0]! + wide.areas[1]!).toBe(4e8 - 200_000);
  });

  it('splits what a ring that touches itself holds together, and joins what two rings share', async () => {
    const { features, areas } = await clean([
      ring([0, 0], [10, 0], [10, 10], [20, 10], [20, 20], [10, 20], [10, 10], [0, 10]),
    ]);
    expect(areas).toEqual([200]);
    expect(features[0]!.rings).toHaveLength(2);
    const two = await clean([square(0, 0, 10), square(10, 0, 10)]);
    expect(two.features[0]!.rings).toHaveLength(1);
    expect(two.areas).toEqual([200]);
  });

  it('parts an area whose hole touches its border twice, as a valid polygon has one interior', async () => {
    const { features, areas } = await clean([square(0, 0, 20), ring([10, 0], [15, 10], [10, 20], [5, 10])]);
    expect(areas).toEqual([300]);
    expect(features[0]!.rings).toHaveLength(2);
  });

  it('nodes crossings that lie off the grid, for both neighbors alike', async () => {
    const { areas } = await clean(
      [ring([0, 0], [1000, 0], [1003, 333], [997, 667], [1000, 1000], [0, 1000])],
      [ring([1000, 0], [2000, 0], [2000, 1000], [1000, 1000], [1004, 501])],
    );
    expect(areas[0]! + areas[1]!).toBeGreaterThan(1_995_000);
  });

  it('takes rings that do not repeat their first vertex, features without rings, and none at all', async () => {
    const { areas, repaired } = await clean([Int32Array.of(0, 0, 10, 0, 10, 10, 0, 10)], []);
    expect(areas).toEqual([100, 0]);
    expect(repaired).toEqual([0]);
    expect(await cleanCoverage([])).toEqual({ features: [], repaired: [], repairs: [], overlaps: [] });
  });

  it('works at the edges of the grid', async () => {
    const [w, h] = [1_800_000_000, 900_000_000];
    const { areas, repaired } = await clean(
      [ring([-w, -h], [w, -h], [w, -h / 2], [-w, -h / 2])],
      [ring([-w, h / 2], [w, h / 2], [w, h], [-w, h])],
      [ring([-w, -h / 2], [0, -h / 2], [0, h / 2], [-w, h / 2])],
    );
    expect(areas).toEqual([w * h, w * h, w * h]);
    expect(repaired).toEqual([0, 1]);
  });
});

describe('cleanCoverage, layers', () => {
  it('lets features of different layers overlap, with common vertices, and says so of those of one', async () => {
    const given = [
      { rings: [square(0, 0, 20)], layer: 4 },
      { rings: [square(0, 0, 10)], layer: 6 },
      { rings: [ring([10, 0], [20, 0], [20, 20], [0, 20], [0, 10], [10, 10])], layer: 6 },
      { rings: [square(15, 15, 10)], layer: 4 },
    ];
    const { features, repaired, overlaps } = await cleanCoverage(given);
    const [state, first, second, other] = features.map(({ rings }) => area(rings));
    expect([state, first, second, other]).toEqual([400, 100, 300, 100]);
    expect(overlaps).toMatchObject([{ a: 0, b: 3 }]);
    expect(features[1]!.rings).toBe(given[1]!.rings);
    expect(repaired).toEqual([0, 2, 3]);
    // The state has the corners of its parts on its border.
    expect(pairs(features[0]!.rings[0]!)).toEqual(expect.arrayContaining(['10 0', '0 10', '20 15', '15 20']));
    expect(pairs(features[2]!.rings[0]!)).toEqual(expect.arrayContaining(['20 15', '15 20']));
    expect(await meetAtVertices(features)).toBe(true);
    expect(await pairsMeetAtEdges([features[1]!, features[2]!])).toBe(true);
  });
});

describe('dissolve', () => {
  it('leaves out the borders that two features share, and keeps holes and islands', async () => {
    const rings = await dissolve([
      { rings: [square(0, 0, 10)] },
      { rings: [square(10, 0, 10)] },
      { rings: [ring([0, 10], [20, 10], [20, 20], [0, 20]), square(5, 12, 5)] },
      { rings: [square(40, 0, 5)] },
    ]);
    expect(rings).toHaveLength(3);
    expect(area(rings)).toBe(400 - 25 + 25);
    expect(await geosCheck([{ rings }])).toEqual({ invalid: [], matches: true });
  });
});

/** A square unit of 1e-7 degrees at the equator. */
const SQUARE_UNIT_KM2 = (0.0111319 * 0.0110574) / 1e6;

/** A ring in the square of 100,000 units, turned by right angles about its middle. */
function turned(coords: Coords, times: number): Coords {
  let out = coords;
  for (let i = 0; i < times; i++) out = out.map((_, k) => (k % 2 === 0 ? 100_000 - out[k + 1]! : out[k - 1]!));
  return out;
}

function pairs(coords: Coords): string[] {
  return Array.from({ length: coords.length / 2 }, (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`);
}
