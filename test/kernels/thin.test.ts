import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Points } from '../../workers/kernels/clip.ts';
import { FIXED, joinEnds, THIN_REACH, thin } from '../../workers/kernels/thin.ts';

interface Vertex {
  readonly x: number;
  readonly y: number;
  readonly fixed: boolean;
}

/** The vertices that are left of a ring. */
function thinned(ring: readonly Vertex[]): string[] {
  const points = new Points();
  const flags = new Uint8Array(ring.length);
  ring.forEach(({ x, y, fixed }, i) => {
    points.push(x, y);
    flags[i] = fixed ? FIXED : 0;
  });
  joinEnds(points, flags);
  thin(points, flags);
  expect([...flags.subarray(0, points.count)].every((flag) => flag === 0)).toBe(true);
  return Array.from({ length: points.count }, (_, i) => `${points.data[2 * i]} ${points.data[2 * i + 1]}`);
}

/** The edges of a ring, each the same whichever way it is walked, in an order that says nothing. */
function edgesOf(ring: readonly string[]): string[] {
  return ring.map((a, i) => [a, ring[(i + 1) % ring.length]].sort().join(' - ')).sort();
}

/** A walk in small steps, none of which stays where it is, back to where it began. */
const walk = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: -5, max: 5 }), fc.nat({ max: 5 })), {
    minLength: 4,
    maxLength: 40,
  })
  .map((steps) => {
    let [x, y] = [0, 0];
    const ring = steps.map(([dx, dy, mark]): Vertex => {
      x += dx;
      y += dy;
      return { x, y, fixed: mark === 0 };
    });
    return [...ring, { x: x + 500, y: 900, fixed: true }, { x: -500, y: 900, fixed: true }];
  });

describe('a ring that is thinned', () => {
  it('keeps what is fixed and corners, and loses what no screen shows', () => {
    const bends = [0, 1, 0, -1, 1, 0, 0, 0, 1, 1, 0, 2, 1, 0, 0, -1, 0, 1, 0, 0];
    const river = bends.map((y, i) => ({ x: 10 * i, y, fixed: i === 6 }));
    const left = thinned([...river, { x: 190, y: 100, fixed: false }, { x: 0, y: 100, fixed: false }]);
    expect(left).toEqual(expect.arrayContaining(['60 0', '190 100', '0 100']));
    expect(left.length).toBeLessThan(river.length);
    expect(thinned(river.map((one) => ({ ...one, fixed: true }))).length).toBe(20);
  });

  it('has the same edges wherever it begins and whichever way round it runs', () => {
    fc.assert(
      fc.property(walk, fc.nat(), (ring, turn) => {
        const edges = edgesOf(thinned(ring));
        const at = turn % ring.length;
        expect(edgesOf(thinned([...ring.slice(at), ...ring.slice(0, at)]))).toEqual(edges);
        expect(edgesOf(thinned([...ring].reverse()))).toEqual(edges);
      }),
      { numRuns: 1_000 },
    );
  });

  it('has the same edges between fixed vertices whatever is beyond them, and far from what another tile leaves out', () => {
    fc.assert(
      fc.property(walk, walk, (border, other) => {
        const chain = (ring: readonly Vertex[]) => ring.slice(0, -2);
        const ends = (ring: readonly Vertex[]) =>
          ring.map((one, i) => (i === 0 || i === ring.length - 1 ? { ...one, fixed: true } : one));
        const shared = ends(chain(border));
        const beyond = chain(other).map(({ x, y, fixed }) => ({ x: 1000 - x, y: 1000 + y, fixed }));
        const closing = border.slice(-2);
        const within = (ring: readonly Vertex[]) =>
          edgesOf(thinned(ring)).filter((edge) => edge.split(' - ').every((end) => places.has(end)));
        const places = new Set(shared.map(({ x, y }) => `${x} ${y}`));
        expect(within([...shared, ...beyond])).toEqual(within([...shared, ...closing]));

        const long = [...chain(border), ...chain(other).map((one) => ({ ...one, x: one.x + 1000 }))];
        const far = long.slice(THIN_REACH + 1);
        const seen = new Set(far.slice(THIN_REACH).map(({ x, y }) => `${x} ${y}`));
        const kept = (ring: readonly Vertex[]) =>
          edgesOf(thinned([...ring, { x: 5000, y: 5000, fixed: true }])).filter((edge) =>
            edge.split(' - ').every((end) => seen.has(end)),
          );
        expect(kept(far)).toEqual(kept(long));
      }),
      { numRuns: 1_000 },
    );
  });
});
