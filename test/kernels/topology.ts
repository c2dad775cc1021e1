import { arcArea } from '../../workers/arcs/area.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import type { ArcTable, Coords, GeometryFault, Polygons, Rings } from '../../workers/contract.ts';
import { ALWAYS, FULL } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { closed, pairs } from '../setup/elements.ts';

/** A ring or a line as a list of [x, y]. */
export type Line = readonly (readonly [number, number])[];

export function chain(line: Line): Coords {
  return Int32Array.from(line.flat());
}

/** A closed rectangle, counterclockwise. */
export function rect(west: number, south: number, east: number, north: number): Line {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** An arc table over private arrays. Latitudes out of range give NaN areas: such tables are for planar tests. */
export function tableOf(arcs: readonly Coords[]): ArcTable {
  const vertices = arcs.reduce((sum, arc) => sum + arc.length / 2, 0);
  const coords = new Int32Array(2 * vertices);
  const first = new Uint32Array(arcs.length);
  const length = new Uint32Array(arcs.length);
  const box = new Int32Array(4 * arcs.length);
  const area = new Float64Array(arcs.length);
  const turn = new Float64Array(arcs.length);
  let at = 0;
  arcs.forEach((arc, i) => {
    coords.set(arc, 2 * at);
    first[i] = at;
    length[i] = arc.length / 2;
    let [w, s, e, n] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
    for (let v = 0; v < arc.length; v += 2) {
      w = Math.min(w, defined(arc[v]));
      s = Math.min(s, defined(arc[v + 1]));
      e = Math.max(e, defined(arc[v]));
      n = Math.max(n, defined(arc[v + 1]));
    }
    box.set([w, s, e, n], 4 * i);
    at += arc.length / 2;
  });
  const table: ArcTable = {
    coords,
    weights: new Uint8Array(vertices).fill(ALWAYS),
    first,
    length,
    box,
    area,
    turn,
    ends: new Uint16Array(0),
    exact: new Uint16Array(arcs.length),
  };
  return table;
}

/** Computes the areas of a table's arcs. */
export function withAreas(table: ArcTable): ArcTable {
  for (let i = 0; i < table.first.length; i++) {
    const sums = arcArea(table.coords, defined(table.first[i]), defined(table.length[i]));
    table.area[i] = sums.area;
    table.turn[i] = sums.turn;
  }
  return table;
}

/** Boundaries from rings, cut against each other and assembled. */
export function arrange(boundaries: readonly (readonly Line[])[]): { table: ArcTable; refs: Int32Array[] } {
  const lines = boundaries.flat();
  const { arcs, refs } = cutChains(lines.map(chain));
  const table = tableOf(arcs);
  let c = 0;
  const signed = boundaries.map((rings) => {
    const walked: number[] = [];
    for (let r = 0; r < rings.length; r++) walked.push(...defined(refs[c++]));
    return ringsOf(
      assembleRings(
        table,
        Int32Array.from(walked, (ref) => (ref < 0 ? ~ref : ref)),
      ),
    ).refs;
  });
  return { table, refs: signed };
}

/** The rings of a result. @throws Error with the reason when there are none */
export function ringsOf(result: { rings: Rings } | { trouble: GeometryFault }): Rings {
  if ('rings' in result) return result.rings;
  const { reason, x, y } = result.trouble;
  throw new Error(`${reason} at ${x} ${y}`);
}

/** The reason of a failed result. @throws when there are rings */
export function reasonOf(result: { rings: Rings } | { trouble: GeometryFault }): string {
  if ('rings' in result) throw new Error('rings where trouble was expected');
  return result.trouble.reason;
}

export function polygonsOf(table: ArcTable, rings: Rings): Polygons {
  return materialize(table, rings, FULL, 0);
}

/** Polygons as nested lists: polygon, ring, vertex. */
export function nested({ coords, ringEnd, polygonEnd }: Polygons): [number, number][][][] {
  const result: [number, number][][][] = [];
  let ring = 0;
  let vertex = 0;
  for (const end of polygonEnd) {
    const polygon: [number, number][][] = [];
    for (; ring < end; ring++) {
      const line: [number, number][] = [];
      for (; vertex < defined(ringEnd[ring]); vertex++)
        line.push([defined(coords[2 * vertex]), defined(coords[2 * vertex + 1])]);
      polygon.push(line);
    }
    result.push(polygon);
  }
  return result;
}

export function flatten(polygons: readonly (readonly Line[])[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const polygon of polygons) {
    for (const ring of polygon) {
      coords.push(...ring.flat());
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** The well-known text, each coordinate multiplied by `scale`. */
export function wkt(polygons: Polygons, scale = 1): string {
  if (polygons.polygonEnd.length === 0) return 'MULTIPOLYGON EMPTY';
  const ring = (line: Line) => `(${line.map(([x, y]) => `${x * scale} ${y * scale}`).join(',')})`;
  return `MULTIPOLYGON(${nested(polygons)
    .map((polygon) => `(${polygon.map(ring).join(',')})`)
    .join(',')})`;
}

/** Twice the signed planar area of materialized polygons: exact for small coordinates. */
export function planeArea(polygons: Polygons): number {
  let sum = 0;
  for (const ring of nested(polygons).flat()) {
    for (const [a, b] of pairs(ring)) sum += a[0] * b[1] - b[0] * a[1];
  }
  return sum;
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A planar subdivision: cells of a jittered grid in row-major order, some split along a diagonal, some edges bent.
 * Every face is a simple counterclockwise ring, and neighbors share their vertices exactly.
 */
export function subdivision(next: () => number, columns: number, rows: number, size = 100): Line[] {
  const jitter = () => Math.round((next() - 0.5) * 0.4 * size);
  const corners: [number, number][] = [];
  for (let r = 0; r <= rows; r++)
    for (let c = 0; c <= columns; c++) corners.push([c * size + jitter(), r * size + jitter()]);
  const corner = (c: number, r: number) => defined(corners[r * (columns + 1) + c]);
  const bends = new Map<string, [number, number][]>();
  const edge = (a: [number, number], b: [number, number]): [number, number][] => {
    const forward = a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
    const [p, q] = forward ? [a, b] : [b, a];
    const key = `${p} ${q}`;
    let bend = bends.get(key);
    if (!bend) {
      const off = () => Math.round((next() - 0.5) * 0.1 * size);
      const middle: [number, number] = [Math.round((p[0] + q[0]) / 2) + off(), Math.round((p[1] + q[1]) / 2) + off()];
      bend = next() < 0.5 ? [] : [middle];
      bends.set(key, bend);
    }
    return [a, ...(forward ? bend : [...bend].reverse())];
  };
  const faces: Line[] = [];
  const close = (...path: [number, number][]) => {
    faces.push(closed(pairs(closed(path)).flatMap(([p, q]) => edge(p, q))));
  };
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const [a, b, d, e] = [corner(c, r), corner(c + 1, r), corner(c + 1, r + 1), corner(c, r + 1)];
      if (next() < 0.3) {
        close(a, b, d);
        close(a, d, e);
      } else close(a, b, d, e);
    }
  }
  return faces;
}
