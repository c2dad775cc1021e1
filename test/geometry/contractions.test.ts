import { expect, it } from 'vitest';
import { Contractions } from '../../src/geometry/contractions.ts';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import type { ArcTable, Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { arrange, type Line, rect, ringsOf } from '../kernels/topology.ts';

const SIDE = 20;

/** Squares of a checkerboard whose unit has twenty smaller ones on each side, and one square that overlaps the first. */
function board(columns: number): { table: ArcTable; boundaries: Rings[] } {
  const cells: Line[][] = [];
  for (let x = 0; x < columns * SIDE; x++) for (let y = 0; y < SIDE; y++) cells.push([rect(x, y, x + 1, y + 1)]);
  const { table, refs } = arrange(cells);
  const square = (from: number) => {
    const members = Array.from({ length: SIDE * SIDE }, (_, i) => from * SIDE + i);
    return ringsOf(mergeBoundaries(table, refs, members, []));
  };
  return { table, boundaries: [...Array.from({ length: columns }, (_, i) => square(SIDE * i)), square(SIDE / 2)] };
}

const { table, boundaries } = board(6);
const OVERLAPPING = boundaries.length - 1;
const EPOCH = 3;

/** Asks for the union of boundaries by their indexes. */
function asked(contractions: Contractions, members: readonly number[], epoch = EPOCH, level: number | null = 6) {
  const of = members.map((i) => defined(boundaries[i]));
  const shapes = of.map(({ ringEnd }) => ({ ringEnd }));
  const union = contractions.union({ shapes, refs: of.map(({ refs }) => refs) }, epoch, level);
  return union && { rings: union.rings, boxes: union.boxes };
}

const merged = (members: readonly number[]) =>
  mergeBoundaries(
    table,
    boundaries.map(({ refs }) => refs),
    members,
    [],
  );

/** Contractions that know the boundaries, after as many unions as that takes. */
function warm(members = [0, 1, 2, 3, 4, 5]): { contractions: Contractions; missed: number } {
  const contractions = new Contractions(table);
  let missed = 0;
  while (asked(contractions, members) === null && missed < 50) missed++;
  return { contractions, missed };
}

it('contracts what unions ask for once that pays, and then gives what a merge gives', () => {
  const { contractions, missed } = warm();
  expect(missed).toBe(15);
  for (const members of [
    [0, 1],
    [1, 0],
    [0, 2],
    [0, 1, 2, 3, 4, 5],
    [1, 3, 5],
    [2, 5, 0, 3],
  ]) {
    expect(asked(contractions, members), `${members}`).toEqual(merged(members));
  }
});

it('compares each two shapes, and leaves those that overlap and twins to a merge', () => {
  const contractions = new Contractions(table);
  for (let i = 0; i < 80; i++) asked(contractions, [0, 2, OVERLAPPING]);
  expect(asked(contractions, [0, OVERLAPPING])).toBeNull();
  expect(asked(contractions, [0, 0])).toBeNull();
  expect(asked(contractions, [2, OVERLAPPING])).toEqual(merged([2, OVERLAPPING]));
  expect(asked(contractions, [0, 2])).toEqual(merged([0, 2]));
});

it('admits shapes that come later, and keeps what it knows of pairs', () => {
  const { contractions } = warm([0, 1]);
  expect(asked(contractions, [0, 5])).toBeNull();
  for (let i = 0; i < 80; i++) asked(contractions, [0, 5]);
  expect(asked(contractions, [0, 5])).toEqual(merged([0, 5]));
  expect(asked(contractions, [0, 1])).toEqual(merged([0, 1]));
});

it('forgets all when slots have changed, and keeps each admin_level apart', () => {
  const { contractions } = warm();
  expect(asked(contractions, [0, 1], EPOCH, 8)).toBeNull();
  expect(asked(contractions, [0, 1])).not.toBeNull();
  expect(asked(contractions, [0, 1], EPOCH + 1)).toBeNull();
  expect(asked(contractions, [0, 1])).toBeNull();
});

it('does not contract shapes of few arcs, one alone, or many more than one turn of the main thread can look at', () => {
  const small = arrange([[rect(0, 0, 1, 1)], [rect(1, 0, 2, 1)]]);
  const contractions = new Contractions(small.table);
  const shapes = small.refs.map((refs) => ({ ringEnd: Uint32Array.of(refs.length) }));
  for (let i = 0; i < 80; i++) expect(contractions.union({ shapes, refs: small.refs }, EPOCH, 8)).toBeNull();
  expect(asked(warm().contractions, [0])).toBeNull();
  const many = Array.from({ length: 65 }, () => 0);
  expect(asked(warm().contractions, many)).toBeNull();
});
