import { describe, expect, it } from 'vitest';
import { cleanCoverage } from '../../workers/arcs/clean.ts';
import type { Coords } from '../../workers/contract.ts';
import {
  doubleArea,
  geosArea,
  geosCheck,
  meetAtVertices,
  pairsMeetAtEdges,
  ring,
} from '../sources/coverage_support.ts';
import { rounds } from './rounds.ts';

type Corner = readonly [number, number];

const area = (rings: readonly Coords[]) => rings.reduce((sum, own) => sum + doubleArea(own) / 2, 0);

describe('cleanCoverage, random shapes', () => {
  it.each([
    [12, 8, rounds(40)],
    [60, 12, rounds(15)],
    [1_000_000, 10, rounds(15)],
    [1_800_000_000, 6, rounds(25)],
  ])(
    'within ±%i, %i features, %i times: valid, meeting at vertices, each with its area',
    async (extent, count, times) => {
      const random = generator(extent + count);
      // A share of the ground, on which the square units of high latitudes are small.
      const share = extent > 1e9 ? 1e-2 : 1e-3;
      for (let time = 0; time < times; time++) {
        const features = Array.from({ length: count }, () => ({
          rings: Array.from({ length: 1 + Math.floor(random() * 2) }, () => randomRing(random, extent)),
        }));
        const { features: cleaned, repaired, overlaps } = await cleanCoverage(features);
        expect((await geosCheck(cleaned)).invalid, `run ${time}`).toEqual([]);
        expect(await meetAtVertices(cleaned), `run ${time}`).toBe(true);
        expect(await pairsMeetAtEdges(cleaned), `run ${time}`).toBe(overlaps.length === 0);
        for (const [f, feature] of cleaned.entries()) {
          if (!repaired.includes(f)) expect(feature.rings).toBe(features[f]!.rings);
          const { area: own, length } = await geosArea([features[f]!.rings]);
          // Every edge may have moved by less than a unit, and a sliver of two be filled.
          expect(Math.abs(area(feature.rings) - own), `run ${time}`).toBeLessThanOrEqual(4 * length + share * own);
        }
        // Where many overlap, what one gave away may make a sliver of what is left of another overlap: no more than slivers.
        for (const { km2Before, km2After } of (await cleanCoverage(cleaned)).repairs) {
          expect(Math.abs(km2After - km2Before), `run ${time}`).toBeLessThanOrEqual(1.000001e-3 * km2Before);
        }
        const { area: union, length } = await geosArea(features.map(({ rings }) => rings));
        const { area: ours } = await geosArea(cleaned.map(({ rings }) => rings));
        expect(Math.abs(ours - union), `run ${time}`).toBeLessThanOrEqual(4 * length + share * union);
      }
    },
  );
});

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomRing(random: () => number, extent: number): Coords {
  const at = (most: number) => Math.round((random() * 2 - 1) * Math.min(extent, most));
  const corners: Corner[] = Array.from({ length: 3 + Math.floor(random() * 5) }, () => [at(1.8e9), at(9e8)]);
  return ring(...corners);
}
