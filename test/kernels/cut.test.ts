import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { type CutChains, cutChains } from '../../workers/arcs/cut.ts';
import type { Coords } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { closed } from '../setup/elements.ts';
import { chain, type Line, random, rect, subdivision } from './topology.ts';

/** The vertices that a chain's refs walk through. */
function walked({ arcs }: CutChains, refs: Int32Array): string[] {
  const out: string[] = [];
  for (const ref of refs) {
    const line: string[] = [];
    const arc = defined(arcs[ref < 0 ? ~ref : ref]);
    for (let i = 0; i < arc.length; i += 2) line.push(`${arc[i]} ${arc[i + 1]}`);
    if (ref < 0) line.reverse();
    if (out.length > 0) expect(line[0]).toBe(out.pop());
    out.push(...line);
  }
  return out;
}

function texts(line: Line): string[] {
  return line.map(([x, y]) => `${x} ${y}`);
}

const plain = (arcs: readonly Coords[]) => arcs.map((arc) => [...arc]);

describe('cutChains', () => {
  it('keeps an open chain as one arc in its canonical direction', () => {
    const cut = cutChains([
      chain([
        [9, 9],
        [5, 0],
        [1, 1],
      ]),
    ]);
    expect(plain(cut.arcs)).toEqual([[1, 1, 5, 0, 9, 9]]);
    expect([...defined(cut.refs[0])]).toEqual([~0]);
  });

  it('stores a chain and its reverse once', () => {
    const line: Line = [
      [0, 0],
      [3, 1],
      [5, 5],
    ];
    const cut = cutChains([chain(line), chain([...line].reverse()), chain(line)]);
    expect(cut.arcs).toHaveLength(1);
    expect(cut.refs.map((refs) => [...refs])).toEqual([[0], [~0], [0]]);
  });

  it('does not cut a closed chain at its own start: every start and direction gives the same arc', () => {
    const ring = rect(0, 0, 10, 10).slice(0, 4);
    const chains: Coords[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const turned = [...ring.slice(turn), ...ring.slice(0, turn)];
      chains.push(chain(closed(turned)), chain([defined(turned[0]), ...turned.slice(1).reverse(), defined(turned[0])]));
    }
    const cut = cutChains(chains);
    expect(plain(cut.arcs)).toEqual([[0, 0, 0, 10, 10, 10, 10, 0, 0, 0]]);
    expect(cut.refs.map((refs) => [...refs])).toEqual([[~0], [0], [~0], [0], [~0], [0], [~0], [0]]);
  });

  it('cuts two neighboring rings at the ends of their common border', () => {
    const cut = cutChains([chain(rect(0, 0, 10, 10)), chain(rect(10, 0, 20, 10))]);
    expect(cut.arcs).toHaveLength(3);
    expect(cut.refs[0]).toHaveLength(2);
    const shared = [...defined(cut.refs[0])].filter((ref) => defined(cut.refs[1]).includes(~ref));
    const ref = only(shared);
    expect([...defined(cut.arcs[ref < 0 ? ~ref : ref])]).toEqual([10, 0, 10, 10]);
  });

  it('cuts a closed chain where an open one ends, and a ring with one junction starts there', () => {
    const cut = cutChains([
      chain(rect(0, 0, 10, 10)),
      chain([
        [10, 10],
        [20, 20],
      ]),
    ]);
    expect(plain(cut.arcs)).toEqual([
      [10, 10, 0, 10, 0, 0, 10, 0, 10, 10],
      [10, 10, 20, 20],
    ]);
    expect([...defined(cut.refs[0])]).toEqual([0]);
  });

  it('cuts at the end of an open chain even where the vertex has two neighbors', () => {
    const cut = cutChains([
      chain([
        [0, 0],
        [5, 5],
      ]),
      chain([
        [5, 5],
        [9, 0],
      ]),
    ]);
    expect(cut.arcs).toHaveLength(2);
  });

  it('cuts a figure of eight at its crossing vertex', () => {
    const eight: Line = [
      [0, 0],
      [10, 10],
      [20, 0],
      [20, 20],
      [10, 10],
      [0, 20],
      [0, 0],
    ];
    const cut = cutChains([chain(eight)]);
    expect(cut.arcs).toHaveLength(2);
    for (const arc of cut.arcs) expect([...arc.slice(0, 2), ...arc.slice(-2)]).toEqual([10, 10, 10, 10]);
  });

  it('drops consecutive duplicates and chains without extent', () => {
    const cut = cutChains([
      chain([
        [1, 1],
        [1, 1],
        [4, 4],
        [4, 4],
      ]),
      chain([
        [7, 7],
        [7, 7],
        [7, 7],
      ]),
      chain([[7, 7]]),
      chain([]),
    ]);
    expect(plain(cut.arcs)).toEqual([[1, 1, 4, 4]]);
    expect(cut.refs.map((refs) => refs.length)).toEqual([1, 0, 0, 0]);
  });

  it('takes a chain there and back apart, and a ring walked twice', () => {
    const spike = cutChains([
      chain([
        [0, 0],
        [5, 5],
        [0, 0],
      ]),
    ]);
    expect(plain(spike.arcs)).toEqual([[0, 0, 5, 5]]);
    expect([...defined(spike.refs[0])]).toEqual([0, ~0]);

    const ring: Line = [
      [0, 0],
      [9, 0],
      [0, 9],
    ];
    const twice = cutChains([chain([...ring, ...ring, defined(ring[0])])]);
    expect(twice.arcs).toHaveLength(3);
    expect([...defined(twice.refs[0])].sort()).toHaveLength(6);
  });

  it('keeps a chain that turns back apart from one that goes on through the same vertex', () => {
    const back: Line = [
      [-5, 0],
      [0, 0],
      [5, 0],
      [0, 0],
      [0, -5],
    ];
    const on: Line = [
      [-9, 9],
      [0, 0],
      [5, 0],
      [9, 0],
      [9, 9],
    ];
    const cut = cutChains([chain(back), chain(on)]);
    expect(walked(cut, defined(cut.refs[0]))).toEqual(texts(back));
    expect(walked(cut, defined(cut.refs[1]))).toEqual(texts(on));
  });

  it('hashes the little-endian vertices in canonical order', () => {
    const cut = cutChains([
      chain([
        [5, -6],
        [-2_147_483_648, 2_147_483_647],
      ]),
    ]);
    const bytes = Buffer.alloc(16);
    [-2_147_483_648, 2_147_483_647, 5, -6].forEach((value, i) => {
      bytes.writeInt32LE(value, 4 * i);
    });
    const wanted = createHash('sha256').update(bytes).digest().subarray(0, 16);
    expect(Buffer.from(cut.hashes).equals(wanted)).toBe(true);
  });

  it('is independent of the order, direction and start of chains, and idempotent', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed);
      const faces = subdivision(next, 1 + Math.floor(next() * 5), 1 + Math.floor(next() * 5));
      const cut = cutChains(faces.map(chain));
      const names = (result: CutChains) =>
        result.arcs.map((_, i) => Buffer.from(result.hashes.subarray(16 * i, 16 * i + 16)).toString('hex')).sort();

      faces.forEach((face, f) => {
        const path = walked(cut, defined(cut.refs[f]));
        const open = texts(face).slice(0, -1);
        const turn = open.indexOf(defined(path[0]));
        expect(path).toEqual([...open.slice(turn), ...open.slice(0, turn), path[0]]);
      });
      // Simple inside: an interior vertex of an arc is in no other arc.
      const interior = cut.arcs.flatMap((arc) => {
        const line: string[] = [];
        for (let i = 2; i < arc.length - 2; i += 2) line.push(`${arc[i]} ${arc[i + 1]}`);
        return line;
      });
      expect(new Set(interior).size).toBe(interior.length);

      const shuffled = faces
        .map((face) => {
          const open = face.slice(0, -1);
          const turn = Math.floor(next() * open.length);
          const turned = [...open.slice(turn), ...open.slice(0, turn)];
          if (next() < 0.5) turned.reverse();
          return { key: next(), line: closed(turned) };
        })
        .sort((a, b) => a.key - b.key);
      expect(names(cutChains(shuffled.map(({ line }) => chain(line))))).toEqual(names(cut));
      const again = cutChains(cut.arcs);
      expect(names(again)).toEqual(names(cut));
      expect(again.refs.map((refs) => [...refs])).toEqual(cut.arcs.map((_, i) => [i]));
    }
  });
});
