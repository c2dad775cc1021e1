import { expect, it } from 'vitest';
import { chainBox } from '../../workers/arcs/box.ts';
import { FAR, NEAR, nearness, SHARED } from '../../workers/arcs/nearness.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';
import { cutShapes, type Ring, tableOf } from './simplify_support.ts';

/** A square from its southwest corner and its side, in degrees. */
function square(west: number, south: number, side: number): Ring {
  const [w, s, e, n] = leading(
    [west, south, west + side, south + side].map((degrees) => degrees * 1e7),
    4,
  );
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
  ];
}

/** Compares two boundaries, each a list of squares. */
function compared(one: readonly Ring[], other: readonly Ring[], meters: number | null): number {
  const cut = cutShapes([one, other].map((rings) => ({ polygons: rings.map((ring) => [ring]), adminLevel: 8 })));
  const { coords, first, length } = cut;
  const box = Int32Array.from(
    [...first].flatMap((from, i) => chainBox(coords.subarray(2 * from, 2 * (from + defined(length[i]))))),
  );
  return nearness({ ...tableOf(cut), box }, defined(cut.boundaries[0]).refs, defined(cut.boundaries[1]).refs, meters);
}

const large = [square(0, 0, 10)];

it.each([
  ['one that contains the other', [square(5, 5, 1)], NEAR],
  ['one that contains a later part of the other', [square(40, 40, 1), square(5, 5, 1)], NEAR],
  ['one that contains the first part of the other', [square(5, 5, 1), square(40, 40, 1)], NEAR],
  ['parts all outside', [square(40, 40, 1), square(20, 0, 1)], FAR],
  ['a part nearby', [square(40, 40, 1), square(10.005, 5, 1)], NEAR],
  ['borders that cross', [square(9, 9, 2)], NEAR],
])('%s', (_, parts, result) => {
  expect(compared(large, parts, 1_000)).toBe(result);
  expect(compared(parts, large, 1_000)).toBe(result);
});

it('neighbors share an arc', () => {
  expect(compared(large, [square(10, 0, 10)], null)).toBe(SHARED);
  expect(compared(large, [square(5, 5, 1)], null)).toBe(FAR);
});
