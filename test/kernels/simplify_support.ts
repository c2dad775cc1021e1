/** Arrangements for tests of the detail tiers: cut from polygons, generated at random, checked by brute force. */

import type { ArrangedBoundary } from '../../workers/arcs/arrangement.ts';
import { type TierInput, tierArcs } from '../../workers/arcs/simplify.ts';
import type { ArcTable, Coords, Polygons, Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { leading } from '../setup/elements.ts';

/** A closed ring of [x, y] in 1e-7 degrees, without the repeated first point. */
export type Ring = [number, number][];
/** Polygons (shell counterclockwise, then holes clockwise) and the admin_level of their boundary. */
export interface Shape {
  polygons: Ring[][];
  adminLevel: number;
}
export interface Cut extends TierInput {
  boundaries: (ArrangedBoundary & Rings)[];
}

const key = (p: readonly [number, number]) => `${p[0]},${p[1]}`;

/** Cuts rings into arcs at every point with more than two neighbors in all rings, and where `also` returns true. */
export function cutShapes(shapes: readonly Shape[], also: (p: [number, number]) => boolean = () => false): Cut {
  const around = new Map<string, Set<string>>();
  for (const { polygons } of shapes) {
    for (const ring of polygons.flat()) {
      for (let i = 0; i < ring.length; i++) {
        const [a, b] = [key(defined(ring[i])), key(defined(ring[(i + 1) % ring.length]))];
        if (!around.has(a)) around.set(a, new Set());
        if (!around.has(b)) around.set(b, new Set());
        around.get(a)!.add(b);
        around.get(b)!.add(a);
      }
    }
  }
  const isJunction = (p: [number, number]) => around.get(key(p))!.size > 2 || also(p);
  const arcs: Ring[] = [];
  const known = new Map<string, number>();
  const refOf = (chain: Ring): number => {
    const forward = chain.map(key).join(' ');
    const backward = [...chain].reverse().map(key).join(' ');
    if (known.has(forward)) return known.get(forward)!;
    if (known.has(backward)) return ~known.get(backward)!;
    known.set(forward, arcs.length);
    arcs.push(chain);
    return arcs.length - 1;
  };
  const boundaries = shapes.map(({ polygons, adminLevel }) => {
    const refs: number[] = [];
    const ringEnd: number[] = [];
    const polygonEnd: number[] = [];
    for (const polygon of polygons) {
      for (const ring of polygon) {
        let start = ring.findIndex(isJunction);
        const closed = start < 0;
        if (closed) {
          start = ring.reduce((best, p, i) => {
            const [x, y] = defined(ring[best]);
            return p[0] < x || (p[0] === x && p[1] < y) ? i : best;
          }, 0);
        }
        const turned = [...ring.slice(start), ...ring.slice(0, start), ring[start]];
        let chain: Ring = [defined(turned[0])];
        for (let i = 1; i < turned.length; i++) {
          chain.push(defined(turned[i]));
          if (i < turned.length - 1 && (closed || !isJunction(defined(turned[i])))) continue;
          refs.push(refOf(chain));
          chain = [defined(turned[i])];
        }
        ringEnd.push(refs.length);
      }
      polygonEnd.push(ringEnd.length);
    }
    return {
      refs: Int32Array.from(refs),
      ringEnd: Uint32Array.from(ringEnd),
      polygonEnd: Uint32Array.from(polygonEnd),
      adminLevel,
    };
  });
  const first = Uint32Array.from(arcs, () => 0);
  for (let i = 1; i < arcs.length; i++) first[i] = defined(first[i - 1]) + defined(arcs[i - 1]).length;
  return {
    coords: Int32Array.from(arcs.flat(2)),
    first,
    length: Uint32Array.from(arcs, (arc) => arc.length),
    boundaries,
  };
}

/** The table of an arrangement with its tiers; columns that materialize does not read are empty. */
export function tableOf(cut: Cut): ArcTable {
  const none = new Float64Array(0);
  return { ...cut, ...tierArcs(cut), box: new Int32Array(0), area: none, turn: none };
}

/** The boundaries up to an admin level, with their rings. */
export function classMembers(cut: Cut, endClass: number): (ArrangedBoundary & Rings)[] {
  return cut.boundaries.filter((b) => b.adminLevel <= endClass + 1);
}

/** The distinct undirected segments of some polygons, as flat x1 y1 x2 y2 with the smaller end first. */
export function segmentsOf(all: readonly Polygons[]): Float64Array {
  const found = new Map<string, number[]>();
  for (const { coords, ringEnd } of all) {
    for (let r = 0; r < ringEnd.length; r++) {
      for (let v = (r === 0 ? 0 : defined(ringEnd[r - 1])) + 1; v < defined(ringEnd[r]); v++) {
        const [ax, ay, bx, by] = leading(coords.subarray(2 * v - 2), 4);
        const segment = ax < bx || (ax === bx && ay < by) ? [ax, ay, bx, by] : [bx, by, ax, ay];
        found.set(segment.join(' '), segment);
      }
    }
  }
  return Float64Array.from([...found.values()].flat());
}

/** An exact orientation test, independent of the kernel's: doubles where both products are exact, else BigInt. */
function side(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const [p, q] = [(bx - ax) * (cy - ay), (by - ay) * (cx - ax)];
  if (Math.abs(p) < 2 ** 53 && Math.abs(q) < 2 ** 53) return Math.sign(p - q);
  const big = BigInt(bx - ax) * BigInt(cy - ay) - BigInt(by - ay) * BigInt(cx - ax);
  return big > 0n ? 1 : big < 0n ? -1 : 0;
}

/**
 * The number of segment pairs that cross, overlap, or touch elsewhere than at a common vertex. Brute-force sweep over
 * x.
 */
export function crossings(segments: Float64Array): number {
  const n = segments.length / 4;
  const order = Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => defined(segments[4 * a]) - defined(segments[4 * b]),
  );
  const active: number[] = [];
  let count = 0;
  for (const i of order) {
    const ax = defined(segments[4 * i]);
    const ay = defined(segments[4 * i + 1]);
    const bx = defined(segments[4 * i + 2]);
    const by = defined(segments[4 * i + 3]);
    if (ax === bx && ay === by) count++;
    const [low, high] = [Math.min(ay, by), Math.max(ay, by)];
    let kept = 0;
    for (const j of active) {
      if (defined(segments[4 * j + 2]) < ax) continue;
      active[kept++] = j;
      const cy = defined(segments[4 * j + 1]);
      const dy = defined(segments[4 * j + 3]);
      if (Math.max(cy, dy) < low || Math.min(cy, dy) > high) continue;
      const cx = defined(segments[4 * j]);
      const dx = defined(segments[4 * j + 2]);
      const s = [
        side(ax, ay, bx, by, cx, cy),
        side(ax, ay, bx, by, dx, dy),
        side(cx, cy, dx, dy, ax, ay),
        side(cx, cy, dx, dy, bx, by),
      ] as const;
      if (s[0] * s[1] > 0 || s[2] * s[3] > 0) continue;
      const shared =
        Number(ax === cx && ay === cy) +
        Number(ax === dx && ay === dy) +
        Number(bx === cx && by === cy) +
        Number(bx === dx && by === dy);
      // A shared vertex is the only common point unless the other ends are collinear on the same side of it.
      if (shared === 1 && s.some((t) => t !== 0)) continue;
      if (shared === 1) {
        const [[sx, sy], [px, py]] =
          (ax === cx && ay === cy) || (ax === dx && ay === dy)
            ? ([
                [ax, ay],
                [bx, by],
              ] as const)
            : ([
                [bx, by],
                [ax, ay],
              ] as const);
        const [qx, qy] = sx === cx && sy === cy ? ([dx, dy] as const) : ([cx, cy] as const);
        if ((px - sx) * (qx - sx) + (py - sy) * (qy - sy) < 0) continue;
      } else if (s.every((t) => t === 0)) {
        const apart =
          Math.max(ax, cx) > Math.min(bx, dx) || Math.max(low, Math.min(cy, dy)) > Math.min(high, Math.max(cy, dy));
        if (apart) continue;
      }
      count++;
    }
    active.length = kept;
    active.push(i);
  }
  return count;
}

/** A seeded generator of numbers in [0, 1) (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * A grid of cells with jittered corners and fractal borders around a position, as nested boundaries: cells (admin_level
 * 8), columns (4), everything (2), some cells as postcode areas (13), and in some cells an enclave with a core.
 */
export function jitteredGrid(seed: number, size: number, cell: number, origin: [number, number]): Shape[] {
  const next = random(seed);
  const corners = Array.from({ length: (size + 1) ** 2 }, (): [number, number] => [next(), next()]);
  const corner = (i: number, j: number): [number, number] => {
    const [right, up] = defined(corners[j * (size + 1) + i]);
    return [
      Math.round(origin[0] + cell * (i + (right - 0.5) * 0.4)),
      Math.round(origin[1] + cell * (j + (up - 0.5) * 0.4)),
    ];
  };
  const borders = new Map<string, Ring>();
  // Midpoint displacement: each half stays within a thin lens of its base, so that borders do not meet.
  const fractal = (a: [number, number], b: [number, number], depth: number): Ring => {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    if (depth === 0 || Math.hypot(dx, dy) < 40) return [a];
    const lift = (next() - 0.5) * 0.24;
    const middle: [number, number] = [
      Math.round((a[0] + b[0]) / 2 - dy * lift),
      Math.round((a[1] + b[1]) / 2 + dx * lift),
    ];
    return [...fractal(a, middle, depth - 1), ...fractal(middle, b, depth - 1)];
  };
  const border = (a: [number, number], b: [number, number]): Ring => {
    const known = borders.get(key(a) + key(b));
    if (known) return known;
    const made = fractal(a, b, 3 + Math.floor(next() * 5));
    borders.set(key(a) + key(b), made);
    borders.set(key(b) + key(a), [b, ...[...made].slice(1).reverse()]);
    return made;
  };
  const walk = (points: [number, number][]): Ring =>
    points.flatMap((p, i) => border(p, defined(points[(i + 1) % points.length])));
  const cells: Ring[][] = [];
  const islands: { shape: Shape; host: number }[] = [];
  for (let j = 0; j < size; j++) {
    for (let i = 0; i < size; i++) {
      const shell = walk([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)]);
      const polygon = [shell];
      if (next() < 0.4) {
        const reach = cell * 0.02 * 2 ** (next() * 3);
        const [x, y] = [origin[0] + cell * (i + 0.5), origin[1] + cell * (j + 0.5)];
        // Star-shaped around its center, so that a smaller copy is inside it.
        const count = 8 + Math.floor(2 ** (next() * 8));
        let radius = 0.7;
        const enclave = Array.from({ length: count }, (_, step): [number, number] => {
          radius = Math.min(1, Math.max(0.4, radius + (next() - 0.5) * 0.3));
          const angle = (2 * Math.PI * step) / count;
          return [Math.round(x + reach * radius * Math.cos(angle)), Math.round(y + reach * radius * Math.sin(angle))];
        });
        polygon.push([...enclave].reverse());
        // A core slightly smaller than the enclave: the rest is a ring as narrow as a levee.
        const shrink = 1 - 0.06 * 4 ** (-2 * next());
        const core = enclave.map(([u, v]): [number, number] => [
          Math.round(x + (u - x) * shrink),
          Math.round(y + (v - y) * shrink),
        ]);
        if (reach * (1 - shrink) < 20) {
          islands.push({ shape: { polygons: [[enclave]], adminLevel: 8 }, host: cells.length });
          cells.push(polygon);
          continue;
        }
        const levee = [enclave, [...core].reverse()];
        islands.push({ shape: { polygons: [levee], adminLevel: 8 }, host: cells.length });
        islands.push({ shape: { polygons: [[core]], adminLevel: 8 }, host: cells.length + 1 });
      }
      cells.push(polygon);
    }
  }
  // Enclaves belong to another cell, except every third, which is a separate boundary.
  const shapes: Shape[] = cells.map((polygon) => ({ polygons: [polygon], adminLevel: 8 }));
  const own: Shape[] = [];
  for (const [i, { shape, host }] of islands.entries()) {
    if (i % 3 === 0) own.push(shape);
    else defined(shapes[(host + 1 + 5 * (i % 3)) % cells.length]).polygons.push(defined(shape.polygons[0]));
  }
  const outline = (i0: number, i1: number): Ring => {
    const points: [number, number][] = [];
    for (let i = i0; i <= i1; i++) points.push(corner(i, 0));
    for (let j = 1; j <= size; j++) points.push(corner(i1, j));
    for (let i = i1 - 1; i >= i0; i--) points.push(corner(i, size));
    for (let j = size - 1; j > 0; j--) points.push(corner(i0, j));
    return walk(points);
  };
  for (let i = 0; i < size; i++) shapes.push({ polygons: [[outline(i, i + 1)]], adminLevel: 4 });
  shapes.push({ polygons: [[outline(0, size)]], adminLevel: 2 });
  shapes.push({ polygons: [[walk([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)])]], adminLevel: 13 });
  return [...shapes, ...own];
}

/** The vertices of an arc. */
export function arcVertices(cut: { coords: Coords; first: Uint32Array; length: Uint32Array }, arc: number): Ring {
  const from = defined(cut.first[arc]);
  return Array.from({ length: defined(cut.length[arc]) }, (_, i): [number, number] => [
    defined(cut.coords[2 * (from + i)]),
    defined(cut.coords[2 * (from + i) + 1]),
  ]);
}
