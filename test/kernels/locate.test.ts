import { describe, expect, it } from 'vitest';
import { locate } from '../../workers/arcs/locate.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';
import { arrange, type Line, random, rect, subdivision } from './topology.ts';

/** The same question segment by segment, in BigInt. */
function slow(rings: readonly Line[], x: number, y: number): number {
  const [px, py] = [BigInt(2 * x), BigInt(2 * y)];
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i + 1 < ring.length; i++) {
      const [ax, ay, bx, by] = leading(
        [...defined(ring[i]), ...defined(ring[i + 1])].map((value) => BigInt(2 * value)),
        4,
      );
      const side = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      const between = (p: bigint, a: bigint, b: bigint) => (a <= p && p <= b) || (b <= p && p <= a);
      if (side === 0n && between(px, ax, bx) && between(py, ay, by)) return 0;
      if (ay > py !== by > py && side > 0n === by > ay) inside = !inside;
    }
  }
  return inside ? 1 : -1;
}

describe('locate', () => {
  it('tells inside, border and outside, corners and half units included', () => {
    const { table, refs } = arrange([[rect(0, 0, 10, 10), rect(4, 4, 6, 6)]]);
    const at = (x: number, y: number) => locate(table, defined(refs[0]), x, y);
    expect([at(1, 1), at(9.5, 9.5), at(5, 3)]).toEqual([1, 1, 1]);
    expect([at(0, 0), at(10, 5), at(5, 10), at(4, 5), at(5, 6), at(0, 9.5), at(10, 10)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect([at(5, 5), at(-0.5, 5), at(5, 10.5), at(11, 0), at(-1, 10), at(-1, 0)]).toEqual([-1, -1, -1, -1, -1, -1]);
  });

  it('is outside of nothing', () => {
    const { table } = arrange([[rect(0, 0, 10, 10)]]);
    expect(locate(table, new Int32Array(0), 5, 5)).toBe(-1);
  });

  it('equals the segment-by-segment test everywhere on small arrangements', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const next = random(seed);
      const faces = subdivision(next, 3, 3, 12);
      const chosen = faces.filter(() => next() < 0.6);
      if (chosen.length === 0) continue;
      // Cut against all faces, so that boundaries have arcs of every length.
      const { table, refs } = arrange([chosen, ...faces.map((face) => [face])]);
      const faceRefs = refs.slice(1);
      for (let x = -6; x <= 42; x += 0.5) {
        for (let y = -6; y <= 42; y += 0.5) {
          const f = Math.floor(next() * faces.length);
          expect(locate(table, defined(faceRefs[f]), x, y)).toBe(slow([defined(faces[f])], x, y));
          // Borders inside the selection have canceled.
          const states = chosen.map((face) => slow([face], x, y));
          const where = locate(table, defined(refs[0]), x, y);
          if (states.includes(1)) expect(where).toBe(1);
          else if (!states.includes(0)) expect(where).toBe(-1);
          else if (where < 0) throw new Error(`the border point ${x} ${y} is outside`);
        }
      }
    }
  });

  it('is exact on world-wide triangles', () => {
    const next = random(9);
    const any = (): [number, number] => [Math.floor((next() - 0.5) * 3.6e9), Math.floor((next() - 0.5) * 1.8e9)];
    for (let i = 0; i < 300; i++) {
      const [a, b, c] = [any(), any(), any()];
      const ring: Line = [a, b, c, a];
      const { table, refs } = arrange([[ring]]);
      for (let k = 0; k < 20; k++) {
        const t = next();
        const x = Math.round(a[0] + t * (b[0] - a[0]));
        const y = Math.round(2 * (a[1] + t * (b[1] - a[1]))) / 2;
        expect(locate(table, defined(refs[0]), x, y)).toBe(slow([ring], x, y));
      }
      expect(locate(table, defined(refs[0]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2)).toBe(0);
    }
  });
});
