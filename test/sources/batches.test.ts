import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { batchesOf, waysOfBatches } from '../../src/sources/store/batches.ts';
import type { Candidate } from '../../src/sources/store/source_rows.ts';
import type { WayRow } from '../../src/sources/store/topology_writes.ts';
import { leading } from '../setup/elements.ts';

const DEGREE = 1e7;

/** A border way from place to place, in degrees, with so many vertices. */
function way(id: number, from: readonly [number, number], to: readonly [number, number], vertices = 2): WayRow {
  const coords = new Int32Array(2 * vertices);
  for (let k = 0; k < vertices; k++) {
    for (const side of [0, 1])
      coords[2 * k + side] =
        (defined(from[side]) + ((defined(to[side]) - defined(from[side])) * k) / (vertices - 1)) * DEGREE;
  }
  return { id, version: 1, tags: {}, refs: null, coords, missing: null };
}

function candidate(id: string, ways: readonly number[]): Candidate {
  const stored = { id, ways } as unknown as Candidate['stored'];
  return { id, input: null, metaHash: '', stored, type: 'administrative', adminLevel: 8 };
}

const idsOf = (batches: ReturnType<typeof batchesOf>) =>
  batches.map(({ candidates }) => candidates.map(({ id }) => id).sort());

describe('batches', () => {
  const ways = new Map(
    [
      way(1, [8, 47], [8.3, 47.2], 10),
      way(2, [8.3, 47.2], [8.1, 47.3], 10),
      way(3, [20, 10], [20.1, 10.1], 10),
      way(4, [-179.99, 1], [-179.9, 1.1], 10),
      way(5, [179.9, 1], [179.99, 1.1], 10),
      way(6, [8.3, 47.3], [40, 47.3], 10),
    ].map((one) => [one.id, one]),
  );

  it('keep what shares a cell together and the rest apart', () => {
    const all = [candidate('a', [1]), candidate('b', [3]), candidate('c', [2])];
    expect(idsOf(batchesOf(all, ways, { aim: 1, most: 1000 }))).toEqual([['a', 'c'], ['b']]);
    expect(batchesOf(all, ways, { aim: 1, most: 1000 }).some(({ follows }) => follows)).toBe(false);
    expect(idsOf(batchesOf(all, ways, { aim: 1000, most: 1000 }))).toEqual([['a', 'b', 'c']]);
  });

  it('see that both names of the antimeridian are one line', () => {
    expect(idsOf(batchesOf([candidate('a', [4]), candidate('b', [5])], ways, { aim: 1, most: 1000 }))).toEqual([
      ['a', 'b'],
    ]);
  });

  it('divide a region that is too large; its parts follow each other, wide boundaries last', () => {
    const all = [candidate('wide', [6]), candidate('a', [1]), candidate('b', [2]), candidate('far', [3])];
    const batches = batchesOf(all, ways, { aim: 1, most: 15 });
    expect(idsOf(batches)).toEqual([['a'], ['b'], ['wide'], ['far']]);
    expect(batches.map(({ follows }) => follows)).toEqual([false, true, true, false]);
  });

  it('count a way once, however many boundaries it has', () => {
    const all = Array.from({ length: 20 }, (_, k) => candidate(`a${k}`, [1, 2]));
    expect(batchesOf(all, ways, { aim: 1, most: 20 })).toHaveLength(1);
  });

  it('do not grow with the file: ten times the regions are ten times the batches', () => {
    const sizes = [30, 300].map((count) => {
      const made = new Map(
        Array.from({ length: count }, (_, id) => {
          const [x, y] = [(id % 20) * 2 - 20, Math.floor(id / 20) * 2 - 20];
          return [id, way(id, [x, y], [x + 0.1, y + 0.1], 1000)] as const;
        }),
      );
      const all = Array.from(made.keys(), (id) => candidate(String(id), [id]));
      return batchesOf(all, made, { aim: 3000, most: 10_000 }).map(({ candidates }) => candidates.length);
    });
    expect(Math.max(...(sizes[1] as number[]))).toBe(Math.max(...(sizes[0] as number[])));
    expect(sizes[1]).toHaveLength(10 * (sizes[0]?.length ?? 0));
  });

  it('hold boundaries without any vertex', () => {
    expect(idsOf(batchesOf([candidate('a', [99]), candidate('b', [])], ways))).toEqual([['a', 'b']]);
  });

  it('store a way with the last of the batches that use it', () => {
    const batches = [
      { candidates: [candidate('a', [1, 2])], follows: false },
      { candidates: [candidate('b', [2, 6])], follows: true },
      { candidates: [candidate('c', [3])], follows: false },
    ];
    expect(waysOfBatches(batches, new Set([1, 2, 3]))).toEqual([new Set([1]), new Set([2]), new Set([3])]);
  });

  it('hold everything once, and what can meet only in one batch or in batches that follow each other', () => {
    const place = fc.tuple(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -90, max: 90, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (places, most) => {
        const made = new Map(
          places.map(([x, y], id) => [id, way(id, [x, y], [Math.min(180, x + 0.3), Math.min(90, y + 0.3)])]),
        );
        const batches = batchesOf(
          places.map((_, id) => candidate(String(id), [id])),
          made,
          { aim: 4, most },
        );
        const of = new Map(
          batches.flatMap(({ candidates }, n) => candidates.map(({ id }) => [Number(id), n] as const)),
        );
        expect(of.size).toBe(places.length);
        expect(batches.flatMap(({ candidates }) => candidates)).toHaveLength(places.length);
        places.forEach(([x, y], a) => {
          places.slice(0, a).forEach(([u, v], b) => {
            if (Math.abs(x - u) > 0.3 || Math.abs(y - v) > 0.3) return;
            const [first, last] = leading(
              [of.get(a) as number, of.get(b) as number].sort((p, q) => p - q),
              2,
            );
            for (let n = first + 1; n <= last; n++) expect(batches[n]?.follows).toBe(true);
          });
        });
      }),
    );
  });
});
