import { describe, expect, it } from 'vitest';
import { compareRays, crossSign, orient } from '../../workers/arcs/orient.ts';
import { leading } from '../setup/elements.ts';
import { random } from './topology.ts';

function exact(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const [a, b, c, d, e, f] = leading(
    [ax, ay, bx, by, cx, cy].map((value) => BigInt(2 * value)),
    6,
  );
  const determinant = (c - a) * (f - b) - (d - b) * (e - a);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}

describe('orient', () => {
  it('is positive to the left, negative to the right, zero on the line', () => {
    expect(orient(0, 0, 10, 0, 5, 1)).toBe(1);
    expect(orient(0, 0, 10, 0, 5, -1)).toBe(-1);
    expect(orient(0, 0, 10, 10, -7, -7)).toBe(0);
    expect(orient(3, 3, 3, 3, 8, 9)).toBe(0);
  });

  it('equals BigInt over all corners of the int32 range', () => {
    const values = [-(2 ** 31), -(2 ** 31) + 1, -1, 0, 1, 2 ** 31 - 2, 2 ** 31 - 1];
    let checked = 0;
    for (const ax of values)
      for (const ay of values)
        for (const bx of values)
          for (const by of values)
            for (const cx of values)
              for (const cy of values) {
                if (orient(ax, ay, bx, by, cx, cy) !== exact(ax, ay, bx, by, cx, cy)) {
                  throw new Error(`wrong at ${[ax, ay, bx, by, cx, cy]}`);
                }
                checked++;
              }
    expect(checked).toBe(7 ** 6);
  });

  it('equals BigInt near collinearity over world-wide spans, half units included', () => {
    const next = random(1);
    const any = () => Math.floor((next() - 0.5) * 2 ** 32);
    let zeros = 0;
    for (let i = 0; i < 20_000; i++) {
      const [ax, ay, bx, by] = [any(), any(), any(), any()];
      const t = next();
      const cx = Math.round(2 * (ax + t * (bx - ax))) / 2 + Math.round(next() * 2 - 1) / 2;
      const cy = Math.round(2 * (ay + t * (by - ay))) / 2;
      const want = exact(ax, ay, bx, by, cx, cy);
      expect(orient(ax, ay, bx, by, cx, cy)).toBe(want);
      expect(orient(ax, ay, bx, by, (ax + bx) / 2, (ay + by) / 2)).toBe(0);
      if (want === 0) zeros++;
    }
    expect(zeros).toBeLessThan(20_000);
  });

  it('decides what doubles cannot: products beyond 2^53 that differ by one', () => {
    const n = 2 ** 31 - 1;
    expect(crossSign(n, n - 1, n + 1, n)).toBe(1);
    expect(crossSign(n + 1, n, n, n - 1)).toBe(-1);
    expect(crossSign(n, n - 1, n, n - 1)).toBe(0);
  });
});

describe('compareRays', () => {
  it('orders all directions counter-clockwise from the positive x axis', () => {
    const rays: [number, number][] = [
      [5, 0],
      [5, 1],
      [1, 1],
      [0, 3],
      [-1, 2],
      [-4, 0],
      [-3, -1],
      [0, -1],
      [2, -9],
      [9, -1],
    ];
    rays.forEach(([ux, uy], i) => {
      rays.forEach(([vx, vy], j) => {
        expect(Math.sign(compareRays(ux, uy, vx, vy))).toBe(Math.sign(i - j));
        expect(Math.sign(compareRays(7 * ux, 7 * uy, vx, vy))).toBe(Math.sign(i - j));
      });
    });
  });
});
