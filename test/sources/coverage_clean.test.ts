import { describe, expect, it } from 'vitest';
import type { Coords } from '../../workers/contract.ts';
import { cleanCoverage, dissolve } from '../../workers/kernels/clean.ts';
import { doubleArea, geosArea, geosCheck, pairsMeetAtEdges, ring } from './coverage_support.ts';

type Corner = readonly [number, number];
const square = (x: number, y: number, size: number): Coords =>
  ring([x, y], [x + size, y], [x + size, y + size], [x, y + size]);

const area = (rings: readonly Coords[]) => rings.reduce((sum, own) => sum + doubleArea(own) / 2, 0);

async function clean(...features: Coords[][]) {
  const given = features.map((rings) => ({ rings }));
  const result = await cleanCoverage(given);
  expect(await geosCheck(result.features)).toEqual({ invalid: [], matches: true });
  const again = await cleanCoverage(result.features);
  expect(again.mended, 'what is clean stays as it is').toEqual([]);
  return { ...result, areas: result.features.map(({ rings }) => area(rings)), given };
}

describe('cleanCoverage, small shapes', () => {
  it('keeps the very rings of features that are in no trouble', async () => {
    const { features, mended, given } = await clean([square(0, 0, 10)], [square(10, 0, 10)], [square(30, 0, 5)]);
    expect(mended).toEqual([]);
    for (const [i, feature] of features.entries()) expect(feature.rings).toBe(given[i]!.rings);
  });

  it('makes two rings of a bowtie', async () => {
    const bowtie = ring([0, 0], [10, 10], [10, 0], [0, 10]);
    const { features, mended } = await clean([bowtie], [square(20, 0, 10)]);
    expect(mended).toEqual([0]);
    expect(features[0]!.rings.map((own) => Math.abs(doubleArea(own)) / 2)).toEqual([25, 25]);
  });

  it('puts a vertex of a neighbour into a long edge, at a T-junction', async () => {
    const { features, mended, areas } = await clean([square(0, 0, 20)], [square(20, 0, 10)], [square(20, 10, 10)]);
    expect(mended).toEqual([0]);
    expect(areas).toEqual([400, 100, 100]);
    const corners = new Set(pairs(features[0]!.rings[0]!));
    expect(corners).toContain('20 10');
    expect(corners.size).toBe(5);
  });

  it('gives an overlap to the smaller feature, of equal ones to the first', async () => {
    const unequal = await clean([square(0, 0, 20)], [square(15, 5, 10)]);
    expect(unequal.areas).toEqual([350, 100]);
    expect(unequal.mended).toEqual([0, 1]);
    expect(unequal.overlap / 2).toBe(50);
    const equal = await clean([square(0, 0, 20)], [square(10, 0, 20)]);
    expect(equal.areas).toEqual([400, 200]);
  });

  it('cuts an enclave out of a feature whose hole was forgotten, touching or not', async () => {
    const inside = await clean([square(0, 0, 30)], [square(10, 10, 10)]);
    expect(inside.areas).toEqual([800, 100]);
    expect(inside.mended).toEqual([0]);
    const touching = await clean([square(0, 0, 30)], [ring([0, 10], [10, 5], [10, 15])]);
    expect(touching.areas).toEqual([850, 50]);
  });

  it('leaves an enclave and a counter-enclave that are drawn right', async () => {
    const { mended } = await clean(
      [square(0, 0, 90), square(10, 10, 60)],
      [square(10, 10, 60), square(20, 20, 10)],
      [square(20, 20, 10)],
    );
    expect(mended).toEqual([]);
  });

  it('leaves nothing of a duplicate feature and of a collapsed ring, without harm to the neighbours', async () => {
    const twice = await clean([square(0, 0, 10)], [square(0, 0, 10)], [square(10, 0, 10)]);
    expect(twice.areas).toEqual([100, 0, 100]);
    expect(twice.features[1]!.rings).toEqual([]);
    expect(twice.mended).toEqual([1]);
    const collapsed = await clean([ring([0, 0], [7, 5], [0, 0])], [square(0, 0, 10)]);
    expect(collapsed.areas).toEqual([0, 100]);
    expect(collapsed.mended).toEqual([0]);
  });

  it('drops spikes and zero-length edges, and keeps the neighbour that has the vertex', async () => {
    const spike = ring([0, 0], [10, 0], [10, 5], [14, 5], [10, 5], [10, 10], [0, 10], [0, 10]);
    const { features, areas, mended } = await clean([spike], [square(10, 0, 10)]);
    expect(areas).toEqual([100, 100]);
    expect(mended).toEqual([0, 1]);
    expect(pairs(features[0]!.rings[0]!)).not.toContain('14 5');
  });

  it('keeps a gap, and closes one that is at most two units wide', async () => {
    const gap = await clean([square(0, 0, 1000)], [square(1010, 0, 1000)]);
    expect(gap.mended).toEqual([]);
    const upper = ring([0, 0], [2000, 0], [2000, 1000], [0, 1000]);
    const lower = ring([0, 0], [0, -1000], [2000, -1000], [2000, 0], [1000, -2]);
    const sliver = await clean([upper], [lower]);
    expect(sliver.areas[0]! + sliver.areas[1]!).toBe(4_000_000);
    const wide = await clean([upper], [ring([0, 0], [0, -1000], [2000, -1000], [2000, 0], [1000, -20])]);
    expect(wide.areas[0]! + wide.areas[1]!).toBe(4_000_000 - 20_000);
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

  it('nodes crossings that lie off the grid, for both neighbours alike', async () => {
    const { areas, overlap } = await clean(
      [ring([0, 0], [1000, 0], [1003, 333], [997, 667], [1000, 1000], [0, 1000])],
      [ring([1000, 0], [2000, 0], [2000, 1000], [1000, 1000], [1004, 501])],
    );
    expect(overlap).toBeGreaterThan(0);
    expect(areas[0]! + areas[1]!).toBeGreaterThan(1_995_000);
  });

  it('takes rings that do not repeat their first vertex, features without rings, and none at all', async () => {
    const { areas, mended } = await clean([Int32Array.of(0, 0, 10, 0, 10, 10, 0, 10)], []);
    expect(areas).toEqual([100, 0]);
    expect(mended).toEqual([0]);
    expect(await cleanCoverage([])).toEqual({ features: [], mended: [], overlap: 0 });
  });

  it('works at the edges of the grid', async () => {
    const [w, h] = [1_800_000_000, 900_000_000];
    const { areas, mended } = await clean(
      [ring([-w, -h], [w, -h], [w, -h / 2], [-w, -h / 2])],
      [ring([-w, h / 2], [w, h / 2], [w, h], [-w, h])],
      [ring([-w, -h / 2], [0, -h / 2], [0, h / 2], [-w, h / 2])],
    );
    expect(areas).toEqual([w * h, w * h, w * h]);
    expect(mended).toEqual([0, 1]);
  });
});

describe('cleanCoverage, layers', () => {
  it('lets features of different layers overlap, with common vertices, and not those of one', async () => {
    const given = [
      { rings: [square(0, 0, 20)], layer: 4 },
      { rings: [square(0, 0, 10)], layer: 6 },
      { rings: [ring([10, 0], [20, 0], [20, 20], [0, 20], [0, 10], [10, 10])], layer: 6 },
      { rings: [square(15, 15, 10)], layer: 4 },
    ];
    const { features, mended } = await cleanCoverage(given);
    const [state, first, second, other] = features.map(({ rings }) => area(rings));
    expect([state, first, second, other]).toEqual([400 - 25, 100, 300, 100]);
    expect(features[1]!.rings).toBe(given[1]!.rings);
    expect(mended).toEqual([0, 2, 3]);
    // The state has the corners of its parts on its border.
    expect(pairs(features[0]!.rings[0]!)).toEqual(expect.arrayContaining(['10 0', '0 10', '20 15', '15 15']));
    expect(pairs(features[2]!.rings[0]!)).toEqual(expect.arrayContaining(['20 15', '15 20']));
    expect(await pairsMeetAtEdges([features[0]!, features[3]!])).toBe(true);
    expect(await pairsMeetAtEdges([features[1]!, features[2]!])).toBe(true);
  });
});

describe('cleanCoverage, random shapes', () => {
  it.each([
    [12, 8, 150],
    [60, 12, 60],
    [1_000_000, 10, 60],
    [1_800_000_000, 6, 60],
  ])('within ±%i, %i features, %i times: valid, matching, and the area of the union', async (extent, count, times) => {
    const random = generator(extent + count);
    for (let time = 0; time < times; time++) {
      const features = Array.from({ length: count }, () => ({
        rings: Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomRing(random, extent)),
      }));
      const { features: cleaned, mended } = await cleanCoverage(features);
      expect((await geosCheck(cleaned)).invalid, `run ${time}`).toEqual([]);
      expect(await pairsMeetAtEdges(cleaned), `run ${time}`).toBe(true);
      for (const [f, feature] of cleaned.entries()) {
        if (!mended.includes(f)) expect(feature.rings).toBe(features[f]!.rings);
      }
      expect((await cleanCoverage(cleaned)).mended, `run ${time}`).toEqual([]);
      const { area: union, length } = await geosArea(features.map(({ rings }) => rings));
      const sum = cleaned.reduce((total, { rings }) => total + area(rings), 0);
      // Every edge may have moved by less than a unit, and a sliver of two be filled.
      expect(Math.abs(sum - union), `run ${time}`).toBeLessThanOrEqual(4 * length + 1e-9 * union);
    }
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

function pairs(coords: Coords): string[] {
  return Array.from({ length: coords.length / 2 }, (_, i) => `${coords[2 * i]} ${coords[2 * i + 1]}`);
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomRing(random: () => number, extent: number): Coords {
  const at = () => Math.round((random() * 2 - 1) * extent);
  const corners: Corner[] = Array.from({ length: 3 + Math.floor(random() * 5) }, () => [at(), at()]);
  return ring(...corners);
}
