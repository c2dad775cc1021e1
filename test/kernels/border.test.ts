import { describe, expect, it } from 'vitest';
import { measureBorder, type Ray, touchesAt } from '../../workers/arcs/border.ts';
import { tableOf } from './topology.ts';

const ray = (dx: number, dy: number, leaves: boolean): Ray => ({ dx, dy, leaves });
/** The corner of an area that fills the directions counter-clockwise from one to the other. */
const corner = (from: [number, number], to: [number, number]) => [ray(...from, true), ray(...to, false)];

describe('touchesAt', () => {
  const east: [number, number] = [1, 0];
  const north: [number, number] = [0, 1];
  const west: [number, number] = [-1, 0];
  const south: [number, number] = [0, -1];

  it('opposite quadrants touch', () => {
    expect(touchesAt(corner(east, north), corner(west, south))).toBe(true);
    expect(touchesAt(corner(west, south), corner(east, north))).toBe(true);
    expect(touchesAt(corner(south, [1, -1]), corner(north, west))).toBe(true);
  });

  it('an area inside the other, or across it, does not', () => {
    expect(touchesAt(corner(east, west), corner([2, 1], [1, 2]))).toBe(false);
    expect(touchesAt(corner([2, 1], [1, 2]), corner(east, west))).toBe(false);
    expect(touchesAt(corner(east, north), corner([1, 1], west))).toBe(false);
    expect(touchesAt(corner(south, north), corner([-1, 1], [-1, -1]))).toBe(true);
    expect(touchesAt(corner(north, south), corner([-1, 1], [-1, -1]))).toBe(false);
  });

  it('a common direction is more than a point', () => {
    expect(touchesAt(corner(east, north), corner([0, 2], west))).toBe(false);
  });

  it('an area may have several corners at a vertex', () => {
    const both = [...corner(east, north), ...corner(west, south)];
    expect(touchesAt(both, corner([-1, 2], [-2, 1]))).toBe(true);
    expect(touchesAt(both, corner([-1, -2], [1, -2]))).toBe(false);
  });
});

describe('measureBorder', () => {
  it('gives meters on WGS84 and the ends of each arc', () => {
    const table = tableOf([
      Int32Array.from([0, 0, 10_000_000, 0]),
      Int32Array.from([0, 0, 0, 10_000_000, 0, 20_000_000]),
    ]);
    const { meters, ends } = measureBorder(table, Int32Array.of(0, ~1));
    // A degree of the equator, and two of a meridian from it (Karney's GeodSolve).
    expect(meters[0]).toBeCloseTo(111_319.490793, 5);
    expect(meters[1]).toBeCloseTo(221_149.453375, 5);
    expect([...ends]).toEqual([
      0, 0, 10_000_000, 0, 10_000_000, 0, 0, 0, 0, 0, 0, 10_000_000, 0, 20_000_000, 0, 10_000_000,
    ]);
  });

  it('leaves seams out', () => {
    const table = tableOf([
      Int32Array.from([1_800_000_000, 0, 1_800_000_000, 10_000_000]),
      Int32Array.from([-1_800_000_000, -900_000_000, 1_800_000_000, -900_000_000]),
    ]);
    expect([...measureBorder(table, Int32Array.of(0, 1)).meters]).toEqual([0, 0]);
  });
});
