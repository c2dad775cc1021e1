import { expect } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { closed, leading } from '../setup/elements.ts';
import { all, readXml } from './xml_tree.ts';

/** A line of a path in the units of its picture. */
export type Line = { points: [number, number][]; closed: boolean };

/** The lines of a path of M, l, L and z, in absolute numbers. */
export function lines(d: string): Line[] {
  const found: Line[] = [];
  for (const [, start, steps, z] of d.matchAll(/M([^lLzM]*)([^zM]*)(z?)/g)) {
    let [x, y] = leading(defined(start).split(' ').map(Number), 2);
    const points: [number, number][] = [[x, y]];
    for (const [, command, some] of defined(steps).matchAll(/([lL])([^lL]*)/g)) {
      const numbers = [...defined(some).matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
      for (let i = 0; i < numbers.length; i += 2) {
        const [right, down] = leading(numbers.slice(i), 2);
        [x, y] = command === 'l' ? [x + right, y + down] : [right, down];
        points.push([x, y]);
      }
    }
    found.push({ points, closed: z === 'z' });
  }
  expect(d.replace(/[MlLz]|[ -]?\d+(?:\.\d+)?/g, '')).toBe('');
  return found;
}

/** The filled rings of a picture, y up; in units of which a whole number is `digits` decimal places of a degree. */
export function ringsOfSvg(svg: string, digits: number): [number, number][][] {
  // Sums of decimal steps are off by the rounding of doubles; a picture has seven decimal places of a degree at most.
  const exact = 10 ** (7 - digits);
  return all(readXml(svg), 'path')
    .filter(({ attributes }) => attributes.fill !== 'none')
    .flatMap(({ attributes }) => lines(defined(attributes.d)))
    .map(({ points }) =>
      closed(points).map(([x, y]): [number, number] => [Math.round(x * exact), -Math.round(y * exact)]),
    );
}
