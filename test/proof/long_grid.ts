import { defined } from '../../src/common/elements.ts';
import { generator } from './made.ts';

/** A grid of cells whose edges have many vertices, each stored once: arcs of an arrangement, generated directly. */
export interface LongGrid {
  /** Chains of x, y in 1e-7 degrees: the horizontal edges row by row from the south, west to east, then the vertical ones. */
  readonly edges: readonly Int32Array[];
  /** Signed edge references per cell, row by row from the south, counterclockwise from the south-west corner. */
  readonly cells: readonly Int32Array[];
}

/**
 * Corners are on a lattice. Edges deviate from the straight line by at most a 500th of their length and 0.3 of the
 * distance to the nearer end, so that no two cross.
 */
export function longGrid(seed: number, columns: number, rows: number, inner: number, cell: number): LongGrid {
  const random = generator(seed);
  const [west, south] = [-Math.floor((columns * cell) / 2), -Math.floor((rows * cell) / 2)];
  const edges: Int32Array[] = [];
  const edge = (x: number, y: number, across: 0 | 1) => {
    const chain = new Int32Array(2 * (inner + 2));
    for (let i = 0; i < inner + 2; i++) {
      const along = i / (inner + 1);
      const reach = Math.min(0.002, 0.3 * along, 0.3 * (1 - along));
      chain[2 * i + across] = Math.round((across ? y : x) + along * cell);
      chain[2 * i + 1 - across] = (across ? x : y) + Math.round((2 * random() - 1) * reach * cell);
    }
    return edges.push(chain) - 1;
  };
  const level = Array.from({ length: (rows + 1) * columns }, (_, i) =>
    edge(west + (i % columns) * cell, south + Math.floor(i / columns) * cell, 0),
  );
  const upright = Array.from({ length: rows * (columns + 1) }, (_, i) =>
    edge(west + (i % (columns + 1)) * cell, south + Math.floor(i / (columns + 1)) * cell, 1),
  );
  const cells = Array.from({ length: rows * columns }, (_, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const left = defined(upright[row * (columns + 1) + column]);
    return Int32Array.of(defined(level[i]), left + 1, ~defined(level[i + columns]), ~left);
  });
  return { edges, cells };
}

/** The closed ring along signed edges. */
export function ringOf({ edges }: LongGrid, refs: Int32Array): Int32Array {
  const parts = Array.from(refs, (ref) => {
    const edge = defined(edges[ref < 0 ? ~ref : ref]);
    if (ref >= 0) return edge.subarray(0, -2);
    const back = new Int32Array(edge.length - 2);
    for (let i = 0; i < back.length; i += 2) {
      back[i] = defined(edge[edge.length - 2 - i]);
      back[i + 1] = defined(edge[edge.length - 1 - i]);
    }
    return back;
  });
  const ring = new Int32Array(parts.reduce((sum, part) => sum + part.length, 2));
  let at = 0;
  for (const part of parts) {
    ring.set(part, at);
    at += part.length;
  }
  ring.set(ring.subarray(0, 2), at);
  return ring;
}
