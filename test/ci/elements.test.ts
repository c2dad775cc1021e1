import { expect, it } from 'vitest';
import { closed, leading, pairs } from '../setup/elements.ts';

it('takes as many elements as a test asks for, or says which is missing', () => {
  expect(leading('a b c'.split(' '), 2)).toEqual(['a', 'b']);
  expect(leading(Int32Array.of(0, 7), 2)).toEqual([0, 7]);
  expect(leading([null], 1)).toEqual([null]);
  expect(() => leading(['a'], 2)).toThrow('Element 1 of 2 is missing.');
  // A group of a pattern that took no part in the match.
  expect(() => leading(/(a)|(b)/.exec('a') ?? [], 3)).toThrow('Element 2 of 3 is missing.');
});

it('closes rings and walks along them', () => {
  const ring = closed([1, 2, 3]);
  expect(ring).toEqual([1, 2, 3, 1]);
  expect(pairs(ring)).toEqual([
    [1, 2],
    [2, 3],
    [3, 1],
  ]);
  expect(pairs([1])).toEqual([]);
  expect(() => closed([])).toThrow('Element 0 of 1 is missing.');
});
