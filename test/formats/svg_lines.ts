import { expect } from 'vitest';
import { all, readXml } from './xml_tree.ts';

/** A line of a path in the units of its picture. */
export type Line = { points: [number, number][]; closed: boolean };

/** The lines of a path of M, l, L and z, in absolute numbers. */
export function lines(d: string): Line[] {
  const found: Line[] = [];
  for (const [, start, steps, z] of d.matchAll(/M([^lLzM]*)([^zM]*)(z?)/g)) {
    let [x, y] = start.split(' ').map(Number);
    const points: [number, number][] = [[x, y]];
    for (const [, command, some] of steps.matchAll(/([lL])([^lL]*)/g)) {
      const numbers = [...some.matchAll(/-?\d+(?:\.\d+)?/g)].map(Number);
      for (let i = 0; i < numbers.length; i += 2) {
        const [fromX, fromY] = command === 'l' ? [x, y] : [0, 0];
        [x, y] = [fromX + numbers[i], fromY + numbers[i + 1]];
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
    .flatMap(({ attributes }) => lines(attributes.d))
    .map(({ points }) =>
      [...points, points[0]].map(([x, y]): [number, number] => [Math.round(x * exact), -Math.round(y * exact)]),
    );
}
