import { describe, expect, it } from 'vitest';
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
        const arc = arcs[Math.floor(next() * arcs.length)];
        for (let cell = cellAt(arc[0], arc[1]); cell >= 0; cell = parentCell(cell)) {
          const [west, south, east, north] = cellBox(cell);
          const isIn = (coords: Int32Array) =>
            coords.some((x, i) => {
              const y = coords[i + 1];
              return i % 2 === 0 && x >= west && x <= east && y >= south && y <= north;
            });
          const expected = arcs.flatMap((coords, i) => (isIn(coords) ? [i] : []));
          expect([...new Set(index.in(cell))].sort((a, b) => a - b)).toEqual(expected);
        }
      }
    }
  });
});
