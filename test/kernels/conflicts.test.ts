import { describe, expect, it } from 'vitest';
import { type Conflict, findConflicts } from '../../workers/arcs/conflicts.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import type { ArcTable } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';
import { chain, type Line, random, rect, subdivision, tableOf } from './topology.ts';

function conflictsOf(...lines: Line[]): Conflict[] {
  return findConflicts(tableOf(lines.map(chain)));
}

type Point = readonly [number, number];

function side(a: Point, b: Point, c: Point): bigint {
  const [ax, ay, bx, by, cx, cy] = leading([...a, ...b, ...c].map(BigInt), 6);
  const value = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  return value > 0n ? 1n : value < 0n ? -1n : 0n;
}

const within = (p: Point, a: Point, b: Point) =>
  side(a, b, p) === 0n &&
  p[0] >= Math.min(a[0], b[0]) &&
  p[0] <= Math.max(a[0], b[0]) &&
  p[1] >= Math.min(a[1], b[1]) &&
  p[1] <= Math.max(a[1], b[1]);

const same = (a: Point, b: Point) => a[0] === b[0] && a[1] === b[1];

/** Kinds of meeting per pair of arcs, every segment against every other, by definition. */
function slow({ coords, first, length }: ArcTable): Map<string, string> {
  const rank = ['overlap', 'cross', 'touch'];
  const found = new Map<string, string>();
  const segments: { arc: number; index: number; a: Point; b: Point }[] = [];
  for (let arc = 0; arc < first.length; arc++) {
    for (let k = 0; k + 1 < defined(length[arc]); k++) {
      const v = 2 * (defined(first[arc]) + k);
      segments.push({
        arc,
        index: k,
        a: [defined(coords[v]), defined(coords[v + 1])],
        b: [defined(coords[v + 2]), defined(coords[v + 3])],
      });
    }
  }
  const isEnd = (arc: number, p: Point) =>
    [defined(first[arc]), defined(first[arc]) + defined(length[arc]) - 1].some((v) =>
      same(p, leading(coords.subarray(2 * v), 2)),
    );
  segments.forEach((s, i) => {
    segments.slice(i + 1).forEach((t) => {
      const shared = [s.a, s.b, t.a, t.b].filter((p) => within(p, s.a, s.b) && within(p, t.a, t.b));
      const distinct = shared.filter((p, k) => shared.findIndex((q) => same(p, q)) === k);
      let kind = '';
      if (distinct.length > 1) kind = 'overlap';
      else if (distinct.length === 1) {
        const p = defined(distinct[0]);
        const vertexOfBoth = (same(p, s.a) || same(p, s.b)) && (same(p, t.a) || same(p, t.b));
        const neighbors = s.arc === t.arc && t.index === s.index + 1 && same(p, s.b) && same(p, t.a);
        if (!vertexOfBoth || (!neighbors && !(isEnd(s.arc, p) && isEnd(t.arc, p)))) kind = 'touch';
        // An end of the arc that the arc passes through again is a touch all the same.
        else if (vertexOfBoth && !neighbors && !endOfSegment(s, p, length)) kind = 'touch';
        else if (vertexOfBoth && !neighbors && !endOfSegment(t, p, length)) kind = 'touch';
      } else if (side(s.a, s.b, t.a) * side(s.a, s.b, t.b) < 0n && side(t.a, t.b, s.a) * side(t.a, t.b, s.b) < 0n) {
        kind = 'cross';
      }
      if (!kind) return;
      const key = `${Math.min(s.arc, t.arc)} ${Math.max(s.arc, t.arc)}`;
      const old = found.get(key);
      if (!old || rank.indexOf(kind) < rank.indexOf(old)) found.set(key, kind);
    });
  });
  return found;
}

/** Whether p is the first or last vertex of the segment's arc as a place in the chain, not only in the plane. */
function endOfSegment(s: { arc: number; index: number; a: Point; b: Point }, p: Point, length: Uint32Array): boolean {
  return (s.index === 0 && same(p, s.a)) || (s.index === defined(length[s.arc]) - 2 && same(p, s.b));
}

describe('findConflicts', () => {
  it('finds none where arcs meet at their ends, closed or not', () => {
    expect(
      conflictsOf(
        rect(0, 0, 10, 10),
        [
          [0, 0],
          [-5, -5],
        ],
        [
          [0, 0],
          [-9, 0],
          [-9, 9],
        ],
      ),
    ).toEqual([]);
    expect(conflictsOf()).toEqual([]);
    expect(conflictsOf([[5, 5]], [])).toEqual([]);
  });

  it('finds a crossing and its place', () => {
    expect(
      conflictsOf(
        [
          [0, 0],
          [10, 10],
        ],
        [
          [0, 10],
          [10, 0],
        ],
      ),
    ).toEqual([{ a: 0, b: 1, kind: 'cross', x: 5, y: 5 }]);
  });

  it('finds a vertex on the inside of a segment', () => {
    expect(
      conflictsOf(
        [
          [0, 0],
          [10, 0],
        ],
        [
          [5, 0],
          [5, 9],
        ],
      ),
    ).toEqual([{ a: 0, b: 1, kind: 'touch', x: 5, y: 0 }]);
  });

  it('finds a shared vertex that is inside one of the arcs', () => {
    const through: Line = [
      [0, 0],
      [5, 5],
      [10, 0],
    ];
    expect(
      conflictsOf(through, [
        [5, 5],
        [5, 9],
      ]),
    ).toEqual([{ a: 0, b: 1, kind: 'touch', x: 5, y: 5 }]);
    expect(
      conflictsOf(through, [
        [0, 9],
        [5, 5],
        [9, 9],
      ]),
    ).toEqual([{ a: 0, b: 1, kind: 'touch', x: 5, y: 5 }]);
  });

  it('finds stretches that lie on each other, level, upright and equal', () => {
    expect(
      conflictsOf(
        [
          [0, 0],
          [10, 0],
        ],
        [
          [7, 0],
          [20, 0],
        ],
      ),
    ).toEqual([{ a: 0, b: 1, kind: 'overlap', x: 7, y: 0 }]);
    expect(
      conflictsOf(
        [
          [0, 0],
          [0, 10],
        ],
        [
          [0, 20],
          [0, 4],
        ],
      ),
    ).toEqual([{ a: 0, b: 1, kind: 'overlap', x: 0, y: 4 }]);
    expect(
      conflictsOf(
        [
          [0, 0],
          [3, 3],
        ],
        [
          [3, 3],
          [0, 0],
        ],
      ),
    ).toEqual([{ a: 0, b: 1, kind: 'overlap', x: 0, y: 0 }]);
    expect(
      conflictsOf(
        [
          [0, 0],
          [3, 3],
        ],
        [
          [3, 3],
          [6, 6],
        ],
      ),
    ).toEqual([]);
  });

  it('finds an arc that meets itself: bow tie, spike, lasso', () => {
    expect(
      conflictsOf([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
        [0, 0],
      ]),
    ).toMatchObject([{ a: 0, b: 0, kind: 'cross' }]);
    expect(
      conflictsOf([
        [0, 0],
        [10, 0],
        [4, 0],
      ]),
    ).toMatchObject([{ a: 0, b: 0, kind: 'overlap', x: 4 }]);
    expect(
      conflictsOf([
        [0, 0],
        [5, 0],
        [9, 5],
        [1, 5],
        [5, 0],
      ]),
    ).toMatchObject([{ kind: 'touch', x: 5, y: 0 }]);
  });

  it('reports one row per pair, the gravest meeting', () => {
    const zigzag: Line = [
      [0, 0],
      [2, 4],
      [4, 0],
      [6, 4],
      [8, 0],
      [10, 0],
    ];
    expect(
      conflictsOf(
        [
          [-1, 2],
          [20, 2],
        ],
        zigzag,
      ),
    ).toHaveLength(1);
    const both = conflictsOf(
      [
        [0, 2],
        [9, 2],
        [9, 0],
        [12, 0],
      ],
      zigzag,
    );
    expect(both).toEqual([{ a: 0, b: 1, kind: 'overlap', x: 9, y: 0 }]);
  });

  it('is exact across the whole int32 range', () => {
    const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
    const long: Line = [
      [low, low],
      [high, high - 1],
    ];
    expect(
      conflictsOf(long, [
        [0, 0],
        [0, 5],
      ]),
    ).toEqual([]);
    expect(
      conflictsOf(long, [
        [0, -1],
        [0, 5],
      ]),
    ).toMatchObject([{ kind: 'cross' }]);
    expect(
      conflictsOf(long, [
        [low, low],
        [high, high],
      ]),
    ).toEqual([]);
  });

  it('looks only at pairs with a suspect', () => {
    const lines: Line[] = [
      [
        [0, 0],
        [10, 10],
      ],
      [
        [0, 10],
        [10, 0],
      ],
      [
        [0, 5],
        [10, 5],
      ],
    ];
    const table = tableOf(lines.map(chain));
    const pairs = (suspects: number[]) => findConflicts(table, Uint8Array.from(suspects)).map(({ a, b }) => [a, b]);
    expect(pairs([0, 0, 0])).toEqual([]);
    expect(pairs([0, 0, 1])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(pairs([0, 1, 0])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(pairs([1, 1, 1])).toEqual(findConflicts(table).map(({ a, b }) => [a, b]));
  });

  it('equals the test of every segment against every other', () => {
    let total = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const next = random(seed);
      const size = 4 + Math.floor(next() * 40);
      const lines: Line[] = [];
      for (let k = 0; k < 4 + next() * 12; k++) {
        const line: [number, number][] = [];
        for (let v = 0; v < 2 + next() * 20; v++) {
          const last = line.at(-1);
          const step = () => Math.round((next() - 0.5) * (next() < 0.1 ? 40 : 6));
          const point: [number, number] = last
            ? [last[0] + step(), last[1] + step()]
            : [Math.floor(next() * size), Math.floor(next() * size)];
          if (!last || !same(last, point)) line.push(point);
        }
        if (line.length > 1) lines.push(line);
      }
      const table = tableOf(lines.map(chain));
      const found = findConflicts(table);
      expect(new Map(found.map(({ a, b, kind }) => [`${a} ${b}`, kind])), `seed ${seed}`).toEqual(slow(table));
      total += found.length;
    }
    expect(total).toBeGreaterThan(1000);
  });

  it('finds a single displaced vertex in a large subdivision, with lines across all of it', () => {
    const next = random(77);
    const faces = subdivision(next, 60, 60, 10_000);
    const { arcs } = cutChains(faces.map(chain));
    expect(findConflicts(tableOf(arcs))).toEqual([]);
    const far = cutChains([
      ...faces.map(chain),
      chain([
        [-1e9, -1e6],
        [1e9, -1e6],
      ]),
    ]);
    expect(findConflicts(tableOf(far.arcs))).toEqual([]);
    const through = tableOf([
      ...arcs,
      chain([
        [-1e9, 305_001],
        [1e9, 305_003],
      ]),
    ]);
    const crossed = findConflicts(through);
    expect(crossed.length).toBeGreaterThan(50);
    for (const { b } of crossed) expect(b).toBe(arcs.length);
  });
});
