import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { METERS_PER_UNIT, toleranceMeters, unitOf } from '../../workers/arcs/levels.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { END_CLASSES, FULL, LEVELS, MASKS_PER_END, type Polygons } from '../../workers/contract.ts';
import {
  type Cut,
  classMembers,
  crossings,
  cutShapes,
  jitteredGrid,
  random,
  segmentsOf,
  tableOf,
} from '../kernels/simplify_support.ts';

const PLACES: [string, number, [number, number], number][] = [
  ['Luxembourg', 3, [60e6, 495e6], 5e5],
  ['the equator', 4, [-10e6, -10e6], 4e5],
  ['79 north', 5, [150e6, 790e6], 3e5],
  ['the edge of the map', 6, [1796e6, -100e6], 1e5],
  ['a town', 7, [-740e6, 400e6], 4_000],
];

/** Segments as strings. */
const named = (all: readonly Polygons[]) => {
  const flat = segmentsOf(all);
  return new Set(Array.from({ length: flat.length / 4 }, (_, i) => flat.subarray(4 * i, 4 * i + 4).join(' ')));
};

/** Signed areas (doubled) of the rings of some polygons. */
function ringAreas({ coords, ringEnd }: Polygons): number[] {
  return Array.from(ringEnd, (end, r) => {
    let sum = 0;
    const from = r === 0 ? 0 : defined(ringEnd[r - 1]);
    for (let v = from + 1; v < end; v++) {
      sum +=
        (defined(coords[2 * v - 2]) - defined(coords[2 * from])) *
        (defined(coords[2 * v + 1]) - defined(coords[2 * from + 1]));
      sum -=
        (defined(coords[2 * v]) - defined(coords[2 * from])) *
        (defined(coords[2 * v - 1]) - defined(coords[2 * from + 1]));
    }
    return sum;
  });
}

/** The largest distance in meters of a vertex of `from` from the nearest segment of `to` on the ground. */
function distanceTo(from: Polygons, to: Polygons): number {
  let most = 0;
  for (let v = 0; v < from.coords.length / 2; v++) {
    const cosine = Math.cos((defined(from.coords[2 * v + 1]) * Math.PI) / 180e7);
    let least = Number.POSITIVE_INFINITY;
    for (let r = 0, w = 0; r < to.ringEnd.length; r++, w++) {
      for (; w + 1 < defined(to.ringEnd[r]); w++) {
        const ax = (defined(from.coords[2 * v]) - defined(to.coords[2 * w])) * cosine;
        const ay = defined(from.coords[2 * v + 1]) - defined(to.coords[2 * w + 1]);
        const dx = (defined(to.coords[2 * w + 2]) - defined(to.coords[2 * w])) * cosine;
        const dy = defined(to.coords[2 * w + 3]) - defined(to.coords[2 * w + 1]);
        const share = Math.min(1, Math.max(0, (ax * dx + ay * dy) / (dx * dx + dy * dy)));
        least = Math.min(least, (ax - share * dx) ** 2 + (ay - share * dy) ** 2);
      }
    }
    most = Math.max(most, least);
  }
  return Math.sqrt(most) * METERS_PER_UNIT;
}

describe.each(PLACES)('a random arrangement at %s', (_, seed, origin, cell) => {
  // Every 11th place or so is an arc end that is not a junction, as the ends of OSM ways are.
  const shapes = jitteredGrid(seed, 4, cell, origin);
  const cut: Cut = cutShapes(shapes, ([x, y]) => (x + 7 * y) % 11 === 0);
  const table = tableOf(cut);
  const levels = Array.from({ length: LEVELS }, (_, level) => level);
  const classes = [1, 3, 7, END_CLASSES - 1];

  it('is plane at full detail to begin with', () => {
    expect(cut.boundaries.length).toBeGreaterThan(20);
    expect(crossings(segmentsOf(cut.boundaries.map((b) => materialize(table, b, FULL, 0))))).toBe(0);
  });

  it('has no crossing at any level for any class', () => {
    for (const level of levels) {
      for (const endClass of classes) {
        const laid = classMembers(cut, endClass).map((b) => materialize(table, b, level, endClass));
        expect(crossings(segmentsOf(laid)), `level ${level}, class ${endClass}`).toBe(0);
      }
    }
  });

  it('gives valid polygons with rings the right way round', async () => {
    for (const level of levels) {
      for (const endClass of classes) {
        for (const boundary of classMembers(cut, endClass)) {
          const laid = materialize(table, boundary, level, endClass);
          expect(laid.polygonEnd.length).toBeGreaterThan(0);
          expect(await isValid(laid), `level ${level}, class ${endClass}`).toBeNull();
          const shells = new Set([0, ...laid.polygonEnd]);
          for (const [r, area] of ringAreas(laid).entries()) expect(area > 0).toBe(shells.has(r));
        }
      }
    }
  });

  it('lets neighbors share every vertex: what only one cell has is the outline', () => {
    const isCell = (i: number) => defined(cut.boundaries[i]).adminLevel === 8;
    for (const level of levels) {
      const laid = cut.boundaries.map((b) => materialize(table, b, level, 7));
      const uses = new Map<string, number>();
      laid.forEach((polygons, i) => {
        if (isCell(i)) for (const name of named([polygons])) uses.set(name, (uses.get(name) ?? 0) + 1);
      });
      const once = new Set([...uses].filter(([, count]) => count === 1).map(([name]) => name));
      const country = cut.boundaries.findIndex((b) => b.adminLevel === 2);
      expect(once).toEqual(named([defined(laid[country])]));
      expect(Math.max(...uses.values())).toBe(2);
    }
  });

  it('stays within the tolerance of the original, both ways', () => {
    for (const endClass of [1, 7]) {
      for (const boundary of classMembers(cut, endClass).slice(-9)) {
        const full = materialize(table, boundary, FULL, endClass);
        for (const level of levels) {
          const laid = materialize(table, boundary, level, endClass);
          // Islands that went are not near anything that is left.
          if (laid.ringEnd.length < full.ringEnd.length) break;
          const rounding = unitOf(level) > 1 ? (unitOf(level) * METERS_PER_UNIT) / Math.SQRT2 : 0;
          const allowed = (toleranceMeters(level) + rounding) * (1 + 1e-9);
          expect(distanceTo(full, laid)).toBeLessThanOrEqual(allowed);
          expect(distanceTo(laid, full)).toBeLessThanOrEqual(allowed);
        }
      }
    }
  });

  it('gives all arc ends at a place the same masks for the arcs of a class', () => {
    const lowest = new Uint8Array(cut.first.length).fill(END_CLASSES - 1);
    for (const { refs, adminLevel } of cut.boundaries) {
      for (const ref of refs)
        lowest[ref < 0 ? ~ref : ref] = Math.min(defined(lowest[ref < 0 ? ~ref : ref]), adminLevel - 1);
    }
    const known = new Map<string, number>();
    let gone = 0;
    for (let end = 0; end < 2 * cut.first.length; end++) {
      const arc = end >> 1;
      const v = defined(cut.first[arc]) + (end % 2 === 0 ? 0 : defined(cut.length[arc]) - 1);
      for (let mask = 0; mask < MASKS_PER_END; mask++) {
        const value = defined(table.ends[end * MASKS_PER_END + mask]);
        if (mask < END_CLASSES && defined(lowest[arc]) > mask) {
          expect(value).toBe(0);
          continue;
        }
        const place = `${cut.coords[2 * v]} ${cut.coords[2 * v + 1]} ${mask}`;
        expect(known.get(place) ?? value).toBe(value);
        known.set(place, value);
        if (value !== 0) gone++;
      }
      // An arc that keeps 7 digits keeps them at its ends.
      expect(defined(table.exact[arc]) & ~defined(table.ends[end * MASKS_PER_END + END_CLASSES])).toBe(0);
    }
    expect(gone).toBeGreaterThan(0);
  });

  it('does not depend on the order or the direction of arcs and boundaries', () => {
    const next = random(seed);
    const shuffled = shapes
      .map((shape) => ({ shape, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ shape }) => shape);
    const other = cutShapes(shuffled, ([x, y]) => (x + 7 * y) % 11 === 0);
    const otherTable = tableOf(other);
    for (const level of levels) {
      for (const endClass of classes) {
        const ours = named(classMembers(cut, endClass).map((b) => materialize(table, b, level, endClass)));
        const theirs = named(classMembers(other, endClass).map((b) => materialize(otherTable, b, level, endClass)));
        expect(theirs).toEqual(ours);
      }
    }
  });
});
