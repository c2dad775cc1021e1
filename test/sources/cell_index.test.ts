import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { CellIndex } from '../../src/sources/store/cell_index.ts';
import { cellAt, cellBox, parentCell } from '../../workers/arcs/surroundings.ts';
import { random } from '../kernels/simplify_support.ts';

describe('arcs by cells', () => {
  it('are those with a vertex in the box of the cell, whatever its size and whenever they came', () => {
    const next = random(7);
    const place = (spread: number) => Math.floor((next() - 0.5) * spread);
    const index = new CellIndex();
    const arcs: Int32Array[] = [];
    for (let turn = 0; turn < 6; turn++) {
      for (let n = 0; n < 40; n++) {
        const [x, y] = [place(3.6e9), place(1.8e9)];
        const arc = Int32Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? x : y) + place(3e6));
        index.add(arcs.push(arc) - 1, arc);
      }
      for (let n = 0; n < 60; n++) {
        const arc = defined(arcs[Math.floor(next() * arcs.length)]);
        for (let cell = cellAt(defined(arc[0]), defined(arc[1])); cell >= 0; cell = parentCell(cell)) {
          const [west, south, east, north] = cellBox(cell);
          const isIn = (coords: Int32Array) =>
            coords.some((x, i) => {
              if (i % 2 === 1) return false;
              const y = defined(coords[i + 1]);
              return x >= west && x <= east && y >= south && y <= north;
            });
          const expected = arcs.flatMap((coords, i) => (isIn(coords) ? [i] : []));
          expect([...new Set(index.in(cell))].sort((a, b) => a - b)).toEqual(expected);
        }
      }
    }
  });
});
