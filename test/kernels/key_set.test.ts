import { describe, expect, it } from 'vitest';
import { outermost } from '../../src/sources/store/wanted_cells.ts';
import { CellClasses, KeySet } from '../../workers/arcs/key_set.ts';
import { cellAt, cellBox, isKnown, parentCell } from '../../workers/arcs/surroundings.ts';
import { random } from './topology.ts';

/** Keys as the tiers have them: small ones, large ones, and many that differ only above 2^32. */
function someKeys(count: number): number[] {
  const next = random(7);
  return Array.from({ length: count }, (_, i) =>
    i % 3 === 0 ? Math.floor(next() * 50) : i % 3 === 1 ? Math.floor(next() * 2 ** 39) : (i % 40) * 2 ** 34 + 5,
  );
}

/** Cells of several sizes near one place, with classes. */
function someCells(count: number): [cell: number, limit: number][] {
  const next = random(8);
  return Array.from({ length: count }, () => {
    let cell = cellAt(Math.floor(next() * 4e6), Math.floor(next() * 4e6));
    for (let up = Math.floor(next() * 4); up > 0; up--) cell = parentCell(cell);
    return [cell, Math.floor(next() * 12)];
  });
}

describe('KeySet', () => {
  it('equals a Set', () => {
    const [ours, theirs] = [new KeySet(), new Set<number>()];
    for (const key of someKeys(5_000)) {
      expect(ours.add(key)).toBe(!theirs.has(key));
      theirs.add(key);
    }
    expect(ours.size).toBe(theirs.size);
    expect([...ours.sorted()]).toEqual([...theirs].sort((a, b) => a - b));
    for (const key of someKeys(200)) expect(ours.has(key + 1)).toBe(theirs.has(key + 1));
  });
});

describe('CellClasses', () => {
  it('keeps the largest class of each cell', () => {
    const [ours, theirs] = [new CellClasses(), new Map<number, number>()];
    for (const [cell, limit] of someCells(3_000)) {
      ours.raise(cell, limit);
      theirs.set(cell, Math.max(limit, theirs.get(cell) ?? -1));
    }
    for (const [cell, limit] of theirs) expect(ours.of(cell)).toBe(limit);
    expect(ours.of(cellAt(-1e9, -8e8))).toBe(-1);
  });
});

describe('outermost', () => {
  it('leaves out exactly the cells that another one contains for at least the same class', () => {
    const cells = new Map(someCells(300));
    const classes = new CellClasses();
    for (const [cell, limit] of cells) classes.raise(cell, limit);
    const outer = new Map(outermost(classes));
    const contains = (one: number, other: number) => {
      const [a, b] = [cellBox(one), cellBox(other)];
      return a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3];
    };
    for (const [cell, limit] of cells) {
      const within = [...cells].some(([other, own]) => other !== cell && own >= limit && contains(other, cell));
      expect(outer.has(cell)).toBe(!within);
    }
    expect(outer.size).toBeLessThan(cells.size);
    const known = new CellClasses();
    for (const [cell, limit] of outer) known.raise(cell, limit);
    for (const [cell, limit] of cells) expect(isKnown(known, cell, limit)).toBe(true);
  });
});
