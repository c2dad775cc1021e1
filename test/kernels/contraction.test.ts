import { describe, expect, it } from 'vitest';
import { mergeBoundaries, mergeOverlapping } from '../../workers/arcs/classify.ts';
import { type Contracted, mergeContracted } from '../../workers/arcs/contracted_union.ts';
import { contract } from '../../workers/arcs/contraction.ts';
import type { ArcTable, Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { arrange, random, rect, ringsOf, subdivision } from './topology.ts';

/** The part of a union that mergeBoundaries gives too. */
const placed = (merged: Contracted | null) => merged && { rings: merged.rings, boxes: merged.boxes };

const contracted = (table: ArcTable, boundaries: readonly Rings[]) =>
  contract(
    table,
    boundaries.map(({ refs }) => refs),
    boundaries.map(({ ringEnd }) => ringEnd),
  );

/** Boundaries that share no place, each of several faces of a subdivision, whose arcs end at corners of all faces. */
function provinces(next: () => number, most: number) {
  const faces = subdivision(next, 3 + Math.floor(next() * 8), 3 + Math.floor(next() * 8));
  const { table, refs } = arrange(faces.map((face) => [face]));
  const count = 2 + Math.floor(next() * most);
  // Neighbors mostly belong together; some faces belong to none, or to a province elsewhere.
  const owner = faces.map((_, i) =>
    next() < 0.8 ? Math.floor((i * count) / faces.length) : Math.floor(next() * count),
  );
  const boundaries = Array.from({ length: count }, (_, own) =>
    owner.flatMap((one, i) => (one === own && next() < 0.95 ? [i] : [])),
  )
    .filter((members) => members.length > 0)
    .map((members) => ringsOf(mergeOverlapping(table, refs, members, [])));
  return { table, boundaries };
}

describe('mergeContracted', () => {
  it('on random subdivisions: the rings of mergeBoundaries, in the same order, or null', () => {
    let [same, holes, several, none] = [0, 0, 0, 0];
    for (let seed = 1; seed <= 300; seed++) {
      const next = random(seed);
      const { table, boundaries } = provinces(next, 8);
      const contraction = contracted(table, boundaries);
      for (let round = 0; round < 4; round++) {
        const share = next();
        const members = [...boundaries.keys()].filter(() => next() < share);
        const expected = mergeBoundaries(
          table,
          boundaries.map(({ refs }) => refs),
          members,
          [],
        );
        const merged = mergeContracted(contraction, members);
        if (merged === null) none++;
        else {
          expect(placed(merged), `seed ${seed}, boundaries ${members}`).toEqual(expected);
          const { ringEnd, polygonEnd } = merged.rings;
          same++;
          if (ringEnd.length > polygonEnd.length) holes++;
          if (polygonEnd.length > 1) several++;
        }
      }
    }
    for (const count of [same, none]) expect(count).toBeGreaterThan(300);
    for (const count of [holes, several]) expect(count).toBeGreaterThan(50);
  });

  it('takes fewer chains than arcs: one for each border of two boundaries', () => {
    // Two rows of ten squares each.
    const squares = [0, 10].flatMap((y) =>
      Array.from({ length: 10 }, (_, i) => [rect(10 * i, y, 10 * i + 10, y + 10)]),
    );
    const { table, refs } = arrange(squares);
    const row = (first: number) =>
      ringsOf(
        mergeBoundaries(
          table,
          refs,
          Array.from({ length: 10 }, (_, i) => first + i),
          [],
        ),
      );
    const contraction = contracted(table, [row(0), row(10)]);
    expect(contraction.refs).toHaveLength(30);
    expect(contraction.end.length).toBe(3);
    expect(placed(mergeContracted(contraction, [0, 1]))).toEqual(mergeBoundaries(table, refs, [...refs.keys()], []));
    expect(contraction.sums.every((sum) => sum === 0)).toBe(true);
  });

  it('gives nothing for boundaries that touch at a point, and for no boundaries an empty union', () => {
    const { table, refs } = arrange([[rect(0, 0, 10, 10)], [rect(10, 10, 20, 20)]]);
    const boundaries = refs.map((own) => ({
      refs: own,
      ringEnd: Uint32Array.of(own.length),
      polygonEnd: Uint32Array.of(1),
    }));
    const contraction = contracted(table, boundaries);
    expect(mergeContracted(contraction, [0, 1])).toBeNull();
    expect(placed(mergeContracted(contraction, [0]))).toEqual(mergeBoundaries(table, refs, [0], []));
    expect(mergeContracted(contraction, [])?.rings.refs).toHaveLength(0);
    expect(defined(contraction.boundaries[1])).toHaveLength(1);
  });
});
