import { describe, expect, it } from 'vitest';
import {
  digitsOf,
  endClassOf,
  extentMeters,
  levelFor,
  levelOfTolerance,
  METERS_PER_UNIT,
  toleranceMeters,
  unitOf,
} from '../../workers/arcs/levels.ts';
import { END_CLASSES, FULL, LEVELS } from '../../workers/contract.ts';

describe('extentMeters', () => {
  it('is at most 1 % above the ground and never below it', () => {
    // The principal radii of curvature of WGS 84, for a hundredth of a degree.
    const [a, e2] = [6_378_137, 0.00669437999014];
    for (let degree = 0; degree < 90; degree += 5) {
      const { w, h } = extentMeters([0, degree * 1e7, 1e5, degree * 1e7 + 1e5]);
      const phi = (degree * Math.PI) / 180;
      const flat = 1 - e2 * Math.sin(phi) ** 2;
      const parallel = ((a / Math.sqrt(flat)) * Math.cos(phi) * Math.PI) / 18_000;
      const meridian = ((a * (1 - e2)) / flat ** 1.5) * (Math.PI / 18_000);
      expect(w / parallel).toBeGreaterThanOrEqual(1);
      expect(w / parallel).toBeLessThan(1.01);
      expect(h / meridian).toBeGreaterThan(0.9999);
      expect(h / meridian).toBeLessThan(1.0105);
    }
  });

  it('measures along the parallel nearest to the equator', () => {
    const equator = extentMeters([0, 0, 1e7, 1e7]).w;
    expect(extentMeters([0, -600e6, 1e7, 300e6]).w).toBe(equator);
    expect(extentMeters([0, -600e6, 1e7, -300e6]).w).toBeCloseTo(equator * Math.cos(Math.PI / 6), 3);
    expect(extentMeters([0, 300e6, 1e7, 600e6]).w).toBeCloseTo(equator * Math.cos(Math.PI / 6), 3);
  });

  it('goes across the antimeridian where west is east of east', () => {
    expect(extentMeters([1790e6, 0, -1790e6, 0]).w).toBeCloseTo(2e7 * METERS_PER_UNIT, 3);
  });
});

describe('levelFor', () => {
  /** A box on the equator of so many meters from west to east. */
  const wide = (meters: number) => [0, 0, Math.ceil(meters / METERS_PER_UNIT), 0] as const;

  it('rounds the tolerance down to a power of two', () => {
    expect(levelFor('low', wide(63_999))).toBe(5);
    expect(levelFor('low', wide(64_001))).toBe(6);
    expect(levelFor('medium', wide(320_001))).toBe(6);
    expect(levelFor('high', wide(1_600_001))).toBe(6);
  });

  it('takes the larger side', () => {
    expect(levelFor('low', [0, 0, 10, Math.ceil(64_001 / METERS_PER_UNIT)])).toBe(6);
  });

  it('is FULL below one meter, for full and for nothing', () => {
    expect(levelFor('low', wide(999))).toBe(FULL);
    expect(levelFor('low', wide(1_001))).toBe(0);
    expect(levelFor('full', wide(1e7))).toBe(FULL);
    expect(levelFor('low', null)).toBe(FULL);
  });

  it('never exceeds the last level', () => {
    expect(levelFor('low', [-1800e6, -900e6, 1800e6, 900e6])).toBe(LEVELS - 1);
  });
});

describe('tolerances and digits', () => {
  it('go from a level to its tolerance and back', () => {
    for (let level = 0; level < LEVELS; level++) expect(levelOfTolerance(toleranceMeters(level))).toBe(level);
    expect(toleranceMeters(FULL)).toBe(0);
    for (const wrong of [0, -1, 3, 0.5, 65_536, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(levelOfTolerance(wrong)).toBeNull();
    }
  });

  it('keep the fewest digits that are at most a fiftieth of the tolerance', () => {
    expect(digitsOf(FULL)).toBe(7);
    for (let level = 0; level < LEVELS; level++) {
      const finest = toleranceMeters(level) / 50;
      const digits = digitsOf(level);
      if (digits < 7) expect(10 ** (7 - digits) * METERS_PER_UNIT).toBeLessThanOrEqual(finest);
      expect(10 ** (8 - digits) * METERS_PER_UNIT).toBeGreaterThan(finest);
      expect(unitOf(level)).toBe(10 ** (7 - digits));
    }
    expect([0, 3, 6, 10, 13].map(digitsOf)).toEqual([7, 6, 5, 4, 3]);
  });
});

describe('endClassOf', () => {
  it('is the smallest class that has all the boundaries', () => {
    expect(endClassOf([2])).toBe(1);
    expect(endClassOf([2, 8, 6])).toBe(7);
    expect(endClassOf([12])).toBe(11);
    expect(endClassOf([1])).toBe(0);
  });

  it('is the last one for a postcode area, an unknown level and nothing', () => {
    for (const levels of [[null], [2, null], [13], []]) expect(endClassOf(levels)).toBe(END_CLASSES - 1);
  });
});
