import { describe, expect, it } from 'vitest';
import { materialize } from '../../workers/arcs/layout.ts';
import { ALWAYS, type ArcTable, ENDS_PER_ARC, FULL, MASKS_PER_END, type Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { generator } from '../proof/made.ts';
import { closed } from '../setup/elements.ts';

/** A table of arcs with all vertices at all levels, 7 digits kept at none. */
function tableOf(...arcs: [number, number][][]): ArcTable {
  const length = Uint32Array.from(arcs, (arc) => arc.length);
  const first = new Uint32Array(arcs.length);
  for (let i = 1; i < arcs.length; i++) first[i] = defined(first[i - 1]) + defined(length[i - 1]);
  const coords = Int32Array.from(arcs.flat(2));
  return {
    coords,
    first,
    length,
    weights: new Uint8Array(coords.length / 2).fill(ALWAYS),
    ends: new Uint16Array(ENDS_PER_ARC * arcs.length),
    exact: new Uint16Array(arcs.length),
    box: new Int32Array(0),
    area: new Float64Array(0),
    turn: new Float64Array(0),
  };
}

const rings = (refs: number[], ringEnd: number[], polygonEnd: number[]): Rings => ({
  refs: Int32Array.from(refs),
  ringEnd: Uint32Array.from(ringEnd),
  polygonEnd: Uint32Array.from(polygonEnd),
});

const points = (coords: Int32Array) =>
  Array.from({ length: coords.length / 2 }, (_, v): [number, number] => [
    defined(coords[2 * v]),
    defined(coords[2 * v + 1]),
  ]);

/** A square of two arcs, a closed hole in it (clockwise), and a small island. */
const square = () =>
  tableOf(
    [
      [0, 0],
      [1000, 1],
      [2000, 0],
      [2000, 2000],
    ],
    [
      [0, 0],
      [0, 1004],
      [0, 2000],
      [2000, 2000],
    ],
    [
      [500, 500],
      [500, 900],
      [900, 900],
      [500, 500],
    ],
    [
      [5000, 0],
      [5005, 0],
      [5005, 5],
      [5000, 0],
    ],
  );
const all = rings([0, ~1, 2, 3], [2, 3, 4], [2, 3]);

describe('layOut', () => {
  it('copies everything at full detail, in order, rings closed', () => {
    const table = square();
    table.weights.fill(0);
    table.ends.fill(0xffff);
    const { coords, ringEnd, polygonEnd } = materialize(table, all, FULL, 7);
    expect(points(coords)).toEqual([
      ...[
        [0, 0],
        [1000, 1],
        [2000, 0],
        [2000, 2000],
        [0, 2000],
        [0, 1004],
        [0, 0],
      ],
      ...[
        [500, 500],
        [500, 900],
        [900, 900],
        [500, 500],
      ],
      ...[
        [5000, 0],
        [5005, 0],
        [5005, 5],
        [5000, 0],
      ],
    ]);
    expect([...ringEnd]).toEqual([7, 11, 15]);
    expect([...polygonEnd]).toEqual([2, 3]);
  });

  it('needs no tiers at full detail', () => {
    const none = { weights: new Uint8Array(0), ends: new Uint16Array(0), exact: new Uint16Array(0) };
    expect(materialize({ ...square(), ...none }, all, FULL, 0)).toEqual(materialize(square(), all, FULL, 7));
  });

  it('leaves out the vertices whose level has come', () => {
    const table = square();
    table.weights[1] = 4;
    table.weights[5] = 5;
    const at = (level: number) => points(materialize(table, rings([0, ~1], [2], [1]), level, 7).coords).length;
    expect([0, 1, 2].map(at)).toEqual([7, 7, 7]);
    expect(at(4)).toBe(6);
    expect(at(5)).toBe(5);
  });

  it('leaves out an arc end for the classes that say so, whichever way the arc is walked', () => {
    const table = square();
    // The vertex 2000, 2000 is the last of both arcs.
    for (const arc of [0, 1]) table.ends[arc * ENDS_PER_ARC + MASKS_PER_END + 1] = 1 << 2;
    for (const walk of [
      [0, ~1],
      [1, ~0],
    ]) {
      const ring = rings(walk, [2], [1]);
      const has = (level: number, endClass: number) =>
        points(materialize(table, ring, level, endClass).coords).some(([x, y]) => x === 2000 && y === 2000);
      expect(has(2, 1)).toBe(false);
      expect(has(2, 7)).toBe(true);
      expect(has(1, 1)).toBe(true);
    }
    // A ring that begins at an end that is gone is closed all the same.
    const { coords } = materialize(table, rings([~1, 0], [2], [1]), 2, 1);
    expect(points(coords)[0]).toEqual([0, 2000]);
    expect(points(coords).at(-1)).toEqual([0, 2000]);
  });

  it('rounds to the digits of the level except where 7 are kept', () => {
    const table = square();
    // Level 6 (64 m) keeps five digits: multiples of 100.
    const ring = rings([0, ~1], [2], [1]);
    expect(points(materialize(table, ring, 6, 7).coords)).toContainEqual([0, 1000]);
    expect(points(materialize(table, ring, 2, 7).coords)).toContainEqual([0, 1004]);
    table.exact[1] = 1 << 6;
    expect(points(materialize(table, ring, 6, 7).coords)).toContainEqual([0, 1004]);
    expect(points(materialize(table, ring, 6, 7).coords)).toContainEqual([1000, 0]);
    const odd = tableOf([
      [33, 33],
      [2000, 0],
      [2000, 2000],
      [33, 33],
    ]);
    expect(points(materialize(odd, rings([0], [1], [1]), 6, 7).coords)[0]).toEqual([0, 0]);
    odd.ends[MASKS_PER_END - 1] = 1 << 6;
    const kept = points(materialize(odd, rings([0], [1], [1]), 6, 7).coords);
    expect([kept[0], kept.at(-1)]).toEqual([
      [33, 33],
      [33, 33],
    ]);
  });

  it('drops a hole or an island that is gone, and a shell with its holes', () => {
    const gone = (arc: number) => {
      const table = square();
      for (let v = defined(table.first[arc]); v < defined(table.first[arc]) + defined(table.length[arc]); v++)
        table.weights[v] = 2;
      return materialize(table, all, 2, 7);
    };
    expect([...gone(2).polygonEnd]).toEqual([1, 2]);
    expect([...gone(3).polygonEnd]).toEqual([2]);
    const shell = gone(0);
    // The hole goes with its shell although its own arc is there.
    expect([...shell.polygonEnd]).toEqual([1]);
    expect(points(shell.coords)[0]).toEqual([5000, 0]);
  });

  it('lays nothing out as nothing', () => {
    const { coords, ringEnd, polygonEnd } = materialize(square(), rings([], [], []), 3, 7);
    expect([coords.length, ringEnd.length, polygonEnd.length]).toEqual([0, 0, 0]);
  });

  it('refuses tiers that leave a ring fewer than three places', () => {
    const table = square();
    table.weights[9] = 3;
    table.weights[10] = 3;
    expect(() => materialize(table, rings([2], [1], [1]), 3, 7)).toThrow(RangeError);
  });

  it('keeps the vertices that their weights keep, wherever arcs and weights begin in memory', () => {
    const random = generator(20261121);
    const upTo = (n: number) => Math.floor(random() * n);
    for (let round = 0; round < 300; round++) {
      // Arcs one after the other around a circle of steps, each forward or backward; their order in the table is any.
      const sizes = Array.from({ length: 2 + upTo(4) }, () => 2 + upTo(round % 3 === 0 ? 60 : 9));
      let at = 0;
      const walks = sizes.map((size, i) => {
        const walk = Array.from({ length: size }, (_, v): [number, number] => [64 * (at + v), 64 * ((at + v) % 7)]);
        at += size - 1;
        if (i === sizes.length - 1) walk[size - 1] = [0, 0];
        return walk;
      });
      const isBackward = walks.map(() => random() < 0.5);
      const order = walks.map((_, i) => i).sort(() => random() - 0.5);
      const made = tableOf(...order.map((i) => (isBackward[i] ? defined(walks[i]).toReversed() : defined(walks[i]))));
      const offset = upTo(5);
      const weights = new Uint8Array(new ArrayBuffer(offset + made.weights.length), offset);
      const most = random();
      for (let v = 0; v < weights.length; v++) weights[v] = random() < most ? upTo(16) : ALWAYS;
      const table = { ...made, weights, exact: new Uint16Array(walks.length).fill(0xffff) };
      for (const first of table.first) weights[first] = ALWAYS;
      const level = upTo(16);

      const expected = walks.flatMap((walk, i) => {
        const from = defined(table.first[order.indexOf(i)]);
        const kept = (v: number) => defined(weights[from + (isBackward[i] ? walk.length - 1 - v : v)]) > level;
        return walk.slice(0, -1).filter((_, v) => v === 0 || kept(v));
      });
      const ring = rings(
        walks.map((_, i) => (isBackward[i] ? ~order.indexOf(i) : order.indexOf(i))),
        [walks.length],
        [1],
      );
      // Ends are at 7 digits only where their masks say so.
      table.ends.fill(0);
      for (let end = 0; end < 2 * walks.length; end++) table.ends[end * MASKS_PER_END + MASKS_PER_END - 1] = 0xffff;
      if (expected.length < 3) expect(() => materialize(table, ring, level, 7)).toThrow(RangeError);
      else expect(points(materialize(table, ring, level, 7).coords)).toEqual(closed(expected));
    }
  });
});
