/** The plane divided by the edges of a tile, to find what is inside an area of several rings. */
import { Ints } from './clean_lines.ts';
import type { Noded } from './noded.ts';
import { compareRays } from './orient.ts';

/** Strips of the plane by x, in each of which the edges are looked up. */
const STRIPS = 64;

/**
 * Half-edge 2e walks edge e from `a` to `b`, half-edge 2e + 1 back. A half-edge has one face on its left: the side to
 * which positive rings turn. The unbounded face is -1.
 */
export class Faces {
  private readonly noded: Noded;
  /** Per half-edge, the next with the same face on its left, and the cycle of those; -1 when its edge is not alive. */
  readonly next: Int32Array;
  private readonly cycle: Int32Array;
  /** Per cycle: a half-edge; twice its area; its face; the next cycle within the same face, or -1; its box. */
  private readonly first = new Ints();
  private readonly area: number[] = [];
  private readonly face: Int32Array;
  private readonly following: Int32Array;
  private readonly box = new Ints();

  /** `alive`: per edge, 1 when it bounds anything. */
  constructor(noded: Noded, alive: Uint8Array) {
    this.noded = noded;
    const halves = 2 * noded.a.length;
    this.next = new Int32Array(halves).fill(-1);
    this.cycle = new Int32Array(halves).fill(-1);
    this.link(alive);
    for (let h = 0; h < halves; h++) if (alive[h >> 1] && this.cycle[h] < 0) this.walk(h);
    this.face = Int32Array.from(this.area, (area, c) => (area > 0 ? c : -1));
    this.following = new Int32Array(this.area.length).fill(-1);
    this.nest(alive);
  }

  /** The face on the left of a half-edge. */
  left(h: number): number {
    return this.face[this.cycle[h]];
  }

  /** Whether a face is within a box: west, north, east, south. */
  isWithin(face: number, [west, north, east, south]: readonly number[]): boolean {
    const { data } = this.box;
    const at = 4 * face;
    return data[at] >= west && data[at + 1] >= north && data[at + 2] <= east && data[at + 3] <= south;
  }

  /** Calls `visit` with every half-edge that has a face on its left. */
  each(face: number, visit: (h: number) => void): void {
    for (let c = face; c >= 0; c = this.following[c]) {
      const start = this.first.data[c];
      let h = start;
      do {
        visit(h);
        h = this.next[h];
      } while (h !== start);
    }
  }

  private origin(h: number): number {
    return h & 1 ? this.noded.b[h >> 1] : this.noded.a[h >> 1];
  }

  /** Finds `next` of every half-edge: the first clockwise from the way back. */
  private link(alive: Uint8Array): void {
    const { next } = this;
    const { x } = this.noded;
    const end = new Int32Array(x.length + 1);
    for (let h = 0; h < next.length; h++) if (alive[h >> 1]) end[this.origin(h) + 1]++;
    for (let n = 0; n < x.length; n++) end[n + 1] += end[n];
    const out = new Int32Array(end[x.length]);
    const filled = end.slice(0, -1);
    for (let h = 0; h < next.length; h++) {
      if (!alive[h >> 1]) continue;
      const n = this.origin(h);
      let at = filled[n]++;
      for (; at > end[n] && this.compare(n, out[at - 1], h) > 0; at--) out[at] = out[at - 1];
      out[at] = h;
    }
    for (let n = 0; n < x.length; n++) {
      for (let at = end[n]; at < end[n + 1]; at++) next[out[at] ^ 1] = out[at === end[n] ? end[n + 1] - 1 : at - 1];
    }
  }

  private compare(n: number, one: number, other: number): number {
    const { x, y } = this.noded;
    const [to, beside] = [this.origin(one ^ 1), this.origin(other ^ 1)];
    return compareRays(x[to] - x[n], y[to] - y[n], x[beside] - x[n], y[beside] - y[n]);
  }

  private walk(start: number): void {
    const { x, y } = this.noded;
    const c = this.area.length;
    let [area, west, north, east, south] = [0, Infinity, Infinity, -Infinity, -Infinity];
    let h = start;
    do {
      this.cycle[h] = c;
      const [from, to] = [this.origin(h), this.origin(h ^ 1)];
      area += x[from] * y[to] - x[to] * y[from];
      west = Math.min(west, x[from]);
      north = Math.min(north, y[from]);
      east = Math.max(east, x[from]);
      south = Math.max(south, y[from]);
      h = this.next[h];
    } while (h !== start);
    this.first.push(start);
    this.area.push(area);
    for (const side of [west, north, east, south]) this.box.push(side);
  }

  /** Finds the face around every connected part: the one above its uppermost node. */
  private nest(alive: Uint8Array): void {
    const { area, box, face, following } = this;
    const outer: number[] = [];
    area.forEach((one, c) => {
      if (one <= 0) outer.push(c);
    });
    if (outer.length < 2) return;
    const strips = new Strips(this.noded, alive);
    outer.sort((c, d) => box.data[4 * c + 1] - box.data[4 * d + 1]);
    for (const c of outer) {
      const above = strips.above(this.uppermost(c));
      if (above < 0) continue;
      face[c] = this.left(above);
      if (face[c] < 0) continue;
      following[c] = following[face[c]];
      following[face[c]] = c;
    }
  }

  private uppermost(c: number): number {
    const { y } = this.noded;
    const start = this.first.data[c];
    let h = start;
    while (y[this.origin(h)] !== this.box.data[4 * c + 1]) h = this.next[h];
    return this.origin(h);
  }
}

/** Edges by the strips of x in which they are. */
class Strips {
  private readonly noded: Noded;
  private readonly west: number;
  private readonly width: number;
  private readonly end = new Int32Array(STRIPS + 1);
  private readonly edges: Int32Array;

  constructor(noded: Noded, alive: Uint8Array) {
    this.noded = noded;
    const { x, a, b } = noded;
    let [west, east] = [x[0], x[0]];
    for (const one of x) {
      if (one < west) west = one;
      if (one > east) east = one;
    }
    this.west = west;
    this.width = (east - west + 1) / STRIPS;
    const { end } = this;
    const span = (e: number): readonly [number, number] => {
      const [from, to] = [this.strip(x[a[e]]), this.strip(x[b[e]])];
      return from < to ? [from, to] : [to, from];
    };
    for (let e = 0; e < a.length; e++) {
      if (!alive[e]) continue;
      const [from, to] = span(e);
      for (let s = from; s <= to; s++) end[s + 1]++;
    }
    for (let s = 0; s < STRIPS; s++) end[s + 1] += end[s];
    this.edges = new Int32Array(end[STRIPS]);
    const filled = end.slice(0, -1);
    for (let e = 0; e < a.length; e++) {
      if (!alive[e]) continue;
      const [from, to] = span(e);
      for (let s = from; s <= to; s++) this.edges[filled[s]++] = e;
    }
  }

  private strip(x: number): number {
    return Math.floor((x - this.west) / this.width);
  }

  /** The half-edge just above a node, with the face between them on its left; -1 when there is none. */
  above(node: number): number {
    const { noded, end, edges } = this;
    const { x, y, a, b } = noded;
    const strip = this.strip(x[node]);
    let [best, height, slope] = [-1, -Infinity, 0];
    for (let i = end[strip]; i < end[strip + 1]; i++) {
      const e = edges[i];
      const forward = x[a[e]] < x[b[e]];
      const [from, to] = forward ? [a[e], b[e]] : [b[e], a[e]];
      if (x[from] > x[node] || x[to] <= x[node]) continue;
      const rise = (y[to] - y[from]) / (x[to] - x[from]);
      const at = y[from] + ((y[to] - y[from]) * (x[node] - x[from])) / (x[to] - x[from]);
      // Edges that begin at the same node: the lowest of them.
      if (at >= y[node] || at < height || (at === height && rise <= slope)) continue;
      [best, height, slope] = [forward ? 2 * e : 2 * e + 1, at, rise];
    }
    return best;
  }
}
