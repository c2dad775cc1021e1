import { describe, expect, it } from 'vitest';
import { mergeBoundaries, mergeOverlapping } from '../../workers/arcs/classify.ts';
import { mergeApart, mergeGroups } from '../../workers/arcs/groups.ts';
import type { ArcTable, Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { arrange, type Line, planeArea, polygonsOf, random, rect, ringsOf, subdivision } from './topology.ts';

/** mergeGroups over boundaries given by their arcs, and groups by the places of their members. */
function merged(table: ArcTable, boundaries: readonly Int32Array[], groups: readonly (readonly number[])[]) {
  const ends = (lists: readonly { length: number }[]) => {
    let end = 0;
    return Uint32Array.from(lists, ({ length }) => {
      end += length;
      return end;
    });
  };
  const refs = Int32Array.from(boundaries.flatMap((list) => [...list]));
  const groupMembers = Uint32Array.from(groups.flat());
  return [...mergeGroups(table, { refs, refEnd: ends(boundaries), groupMembers, groupEnd: ends(groups) })];
}

const box = (x: number, y: number, size: number): Line[] => [rect(x, y, x + size, y + size)];

/** Boundaries of whole faces of a random subdivision: many at random, some of which lie in others or overlap them. */
function randomBoundaries(next: () => number): Line[][] {
  const faces = subdivision(next, 3 + Math.floor(next() * 6), 3 + Math.floor(next() * 6));
  const boundaries: Line[][] = faces.filter(() => next() < 0.8).map((face) => [face]);
  for (let i = Math.floor(next() * 3); i > 0; i--) {
    const density = 0.05 + 0.9 * next();
    const many = faces.filter(() => next() < density);
    if (many.length > 0) boundaries.push(many);
  }
  return boundaries.length > 0 ? boundaries : [[defined(faces[0])]];
}

describe('mergeGroups', () => {
  it('on random subdivisions: the same rings as mergeOverlapping, and null exactly where members overlap', () => {
    let [apart, overlapping] = [0, 0];
    for (let seed = 1; seed <= 400; seed++) {
      const next = random(seed);
      const { table, refs } = arrange(randomBoundaries(next));
      const groups = Array.from({ length: 1 + Math.floor(next() * 5) }, () => {
        const share = next();
        return [...refs.keys()].filter(() => next() < share);
      });
      merged(table, refs, groups).forEach((rings, g) => {
        const one = (members: readonly number[]): Rings => ringsOf(mergeOverlapping(table, refs, members, []));
        const union = one(defined(groups[g]));
        const area = (some: Rings) => planeArea(polygonsOf(table, some));
        const disjoint = defined(groups[g]).reduce((sum, member) => sum + area(one([member])), 0) === area(union);
        expect(rings, `seed ${seed}, group ${groups[g]}`).toEqual(disjoint ? union : null);
        if (disjoint && defined(groups[g]).length > 1) apart++;
        if (!disjoint) overlapping++;
      });
    }
    expect(apart).toBeGreaterThan(300);
    expect(overlapping).toBeGreaterThan(200);
  });

  it('gives a merge of two ways: by sums of borders where nothing overlaps, else by location', () => {
    let [apart, overlapping] = [0, 0];
    for (let seed = 1; seed <= 300; seed++) {
      const next = random(seed);
      const { table, refs } = arrange(randomBoundaries(next));
      const share = next();
      const include = [...refs.keys()].filter(() => next() < share);
      const located = mergeOverlapping(table, refs, include, []);
      expect(mergeBoundaries(table, refs, include, []), `seed ${seed}`).toEqual(located);
      const members = include.map((b) => defined(refs[b]));
      if (mergeApart(table, members)) apart++;
      else overlapping++;
    }
    expect(apart).toBeGreaterThan(50);
    expect(overlapping).toBeGreaterThan(50);
  });

  it('gives up looking for islands in others after as many steps as it may take', () => {
    // The box of the triangle holds all the squares, none of which lies in the triangle.
    const triangle: Line = [
      [0, 0],
      [100, 0],
      [100, 100],
      [0, 0],
    ];
    const squares = Array.from({ length: 10 }, (_, i) => box(2 + i, 50 + 3 * i, 1));
    const { table, refs } = arrange([[triangle], ...squares]);
    expect(mergeApart(table, refs)?.rings.polygonEnd.length).toBe(11);
    const gaveUp = expect.objectContaining({ name: 'TooManySteps' });
    // 32 steps for each of the eleven arcs, and five for each square that is sought in the triangle.
    for (const most of [11 * 32 - 1, 11 * 32 + 20])
      expect(() => mergeApart(table, refs, undefined, most)).toThrowError(gaveUp);
    expect(mergeApart(table, refs, undefined, 11 * 32 + 200)?.rings.polygonEnd.length).toBe(11);
  });

  it('notices members inside others without a common arc, whatever the depth', () => {
    const { table, refs } = arrange([box(0, 0, 100), box(10, 10, 50), box(20, 20, 10), box(200, 0, 10)]);
    const answers = merged(table, refs, [[0, 1], [0, 3], [0, 1, 2], [1, 2, 3], [3], [1, 3], []]);
    expect(answers.map((rings) => rings?.polygonEnd.length ?? null)).toEqual([null, 2, null, null, 1, 2, 0]);
  });

  it('fills a hole with what lies in it, and keeps an island in a hole apart', () => {
    const ring: Line[] = [defined(box(0, 0, 100)[0]), defined(box(10, 10, 50)[0])];
    const { table, refs } = arrange([ring, box(10, 10, 50), box(20, 20, 10)]);
    const [filled, island, both] = merged(table, refs, [
      [0, 1],
      [0, 2],
      [0, 1, 2],
    ]);
    expect([filled?.ringEnd.length, filled?.polygonEnd.length]).toEqual([1, 1]);
    expect([island?.ringEnd.length, island?.polygonEnd.length]).toEqual([3, 2]);
    expect(both).toBeNull();
  });
});
