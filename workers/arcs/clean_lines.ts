import type { Coords } from '../contract.ts';
import { METERS_PER_UNIT, widestCosine } from './levels.ts';
import { hashPair, tableSize } from './nodes.ts';
import { orient } from './orient.ts';

/** A list of 32-bit integers that grows by doubling. */
export class Ints {
  data: Int32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Int32Array(2 * this.length);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }
}

/** The most grid cells per axis, so that one long segment does not fill the memory. */
const CELLS = 1 << 15;

/**
 * The linework of a coverage: distinct vertices, distinct undirected segments between them (equal segments of neighbors
 * are one), and a hashed grid that finds nearby segments. A segment that another crosses or touches is replaced by a
 * path of shorter ones for every feature that uses it, so neighbors still match.
 */
export class Linework {
  /** Coordinates per vertex, in 1e-7 degrees. */
  readonly x = new Ints();
  readonly y = new Ints();
  /** The two vertices of each segment, the lower number first. */
  readonly a = new Ints();
  readonly b = new Ints();
  /** Replaced segments: the vertices of the path from `a` to `b`, both included. */
  readonly path = new Map<number, readonly number[]>();

  /** Width of a grid cell and origin of the grid, in 1e-7 degrees. */
  cell = 1;
  west = 0;
  south = 0;

  private vertexSlots: Int32Array;
  private segmentSlots: Int32Array;
  private heads: Int32Array;
  private readonly entry = new Ints();
  private readonly following = new Ints();
  private seen = new Int32Array(1024);
  private stamp = 0;

  /** @param rings all rings that will be added: they determine the extent and the width of a cell */
  constructor(rings: Iterable<Coords>) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    let count = 0;
    let length = 0;
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        west = Math.min(west, ring[i]);
        east = Math.max(east, ring[i]);
        south = Math.min(south, ring[i + 1]);
        north = Math.max(north, ring[i + 1]);
        if (i > 0) length += Math.hypot(ring[i] - ring[i - 2], ring[i + 1] - ring[i - 1]);
        count++;
      }
    }
    if (count > 0) {
      this.west = west;
      this.south = south;
      const mean = length / count;
      this.cell = Math.max(2 * mean, (east - west) / CELLS, (north - south) / CELLS, 1);
    }
    this.vertexSlots = new Int32Array(tableSize(count));
    this.segmentSlots = new Int32Array(tableSize(count));
    this.heads = new Int32Array(tableSize(count)).fill(-1);
  }

  /** The number of the vertex at a location; adds it if it is new. */
  vertex(x: number, y: number): number {
    if (2 * this.x.length >= this.vertexSlots.length) {
      this.vertexSlots = new Int32Array(2 * this.vertexSlots.length);
      for (let v = 0; v < this.x.length; v++) this.vertexSlots[this.vertexSlot(this.x.data[v], this.y.data[v])] = v + 1;
    }
    const slot = this.vertexSlot(x, y);
    if (this.vertexSlots[slot] === 0) {
      this.x.push(x);
      this.y.push(y);
      this.vertexSlots[slot] = this.x.length;
    }
    return this.vertexSlots[slot] - 1;
  }

  private vertexSlot(x: number, y: number): number {
    const mask = this.vertexSlots.length - 1;
    let slot = hashPair(x, y) & mask;
    for (let v = this.vertexSlots[slot]; v !== 0; v = this.vertexSlots[slot]) {
      if (this.x.data[v - 1] === x && this.y.data[v - 1] === y) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The number of the segment between two different vertices; a new one is added to the grid. */
  segment(p: number, q: number): number {
    const a = Math.min(p, q);
    const b = Math.max(p, q);
    if (2 * this.a.length >= this.segmentSlots.length) {
      this.segmentSlots = new Int32Array(2 * this.segmentSlots.length);
      for (let s = 0; s < this.a.length; s++) {
        this.segmentSlots[this.segmentSlot(this.a.data[s], this.b.data[s])] = s + 1;
      }
    }
    const slot = this.segmentSlot(a, b);
    if (this.segmentSlots[slot] === 0) {
      this.a.push(a);
      this.b.push(b);
      this.segmentSlots[slot] = this.a.length;
      this.register(this.a.length - 1);
    }
    return this.segmentSlots[slot] - 1;
  }

  private segmentSlot(a: number, b: number): number {
    const mask = this.segmentSlots.length - 1;
    let slot = hashPair(a, b) & mask;
    for (let s = this.segmentSlots[slot]; s !== 0; s = this.segmentSlots[slot]) {
      if (this.a.data[s - 1] === a && this.b.data[s - 1] === b) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** The grid row or column of a coordinate offset. */
  private index(offset: number): number {
    return Math.floor(offset / this.cell);
  }

  private bucket(column: number, row: number): number {
    return hashPair(column, row) & (this.heads.length - 1);
  }

  /** Calls `visit` for the bucket of every cell that a segment passes through, and possibly for a few next to them. */
  private cells(s: number, visit: (bucket: number) => void): void {
    const { x, y } = this;
    let lower = this.a.data[s];
    let upper = this.b.data[s];
    if (y.data[lower] > y.data[upper]) [lower, upper] = [upper, lower];
    const y0 = y.data[lower] - this.south;
    const y1 = y.data[upper] - this.south;
    const x0 = x.data[lower] - this.west;
    const x1 = x.data[upper] - this.west;
    const slope = y1 > y0 ? (x1 - x0) / (y1 - y0) : 0;
    const first = this.index(y0);
    const last = this.index(y1);
    for (let row = first; row <= last; row++) {
      // The part of the segment inside the row, extended by one unit on either side against rounding errors.
      const from = row === first ? x0 : x0 + slope * (row * this.cell - y0);
      const to = row === last ? x1 : x0 + slope * ((row + 1) * this.cell - y0);
      const left = this.index(Math.min(from, to) - 1);
      const right = this.index(Math.max(from, to) + 1);
      for (let column = left; column <= right; column++) visit(this.bucket(column, row));
    }
  }

  private register(s: number): void {
    this.cells(s, (bucket) => {
      this.entry.push(s);
      this.following.push(this.heads[bucket]);
      this.heads[bucket] = this.entry.length - 1;
    });
  }

  /** Calls `visit` once for every unreplaced segment other than `s` that shares a grid cell with it. */
  near(s: number, visit: (other: number) => void): void {
    if (this.seen.length < this.a.length) {
      const grown = new Int32Array(Math.max(this.a.data.length, this.a.length));
      grown.set(this.seen);
      this.seen = grown;
    }
    const stamp = ++this.stamp;
    this.seen[s] = stamp;
    this.cells(s, (bucket) => {
      for (let e = this.heads[bucket]; e >= 0; e = this.following.data[e]) {
        const other = this.entry.data[e];
        if (this.seen[other] === stamp) continue;
        this.seen[other] = stamp;
        if (this.path.size === 0 || !this.path.has(other)) visit(other);
      }
    });
  }

  /**
   * The first segment west of a vertex on its parallel, among those accepted by `isLine`. A vertex of a segment on the
   * parallel counts as just below it. Only the vertex's own segments may pass through it.
   * @returns the segment's number, or -1 when there is none
   */
  westOf(vertex: number, isLine: (s: number) => boolean): number {
    const px = this.x.data[vertex];
    const py = this.y.data[vertex];
    const row = this.index(py - this.south);
    let best = -1;
    let reach = -Infinity;
    for (let column = this.index(px - this.west + 1); column >= -1; column--) {
      const bucket = this.bucket(column, row);
      for (let e = this.heads[bucket]; e >= 0; e = this.following.data[e]) {
        const s = this.entry.data[e];
        if (s === best || !isLine(s) || !this.passesWest(s, px, py)) continue;
        if (best >= 0 && !this.isFurtherEast(s, best, py)) continue;
        best = s;
        reach = this.intercept(s, py) - this.west;
      }
      // Everything in the cells farther west meets the parallel farther west.
      if (best >= 0 && reach >= column * this.cell + 1) break;
    }
    return best;
  }

  private passesWest(s: number, px: number, py: number): boolean {
    const [lower, upper] = this.upward(s);
    const { x, y } = this;
    if (!(y.data[lower] <= py && py < y.data[upper])) return false;
    return orient(x.data[lower], y.data[lower], x.data[upper], y.data[upper], px, py) < 0;
  }

  /** The two vertices of a segment, the southern one first. */
  upward(s: number): readonly [number, number] {
    const a = this.a.data[s];
    const b = this.b.data[s];
    return this.y.data[a] <= this.y.data[b] ? [a, b] : [b, a];
  }

  /** The distance on the ground between two nearby vertices, in meters. */
  meters(p: number, q: number): number {
    const south = Math.min(this.y.data[p], this.y.data[q]);
    const north = Math.max(this.y.data[p], this.y.data[q]);
    const aside = (this.x.data[p] - this.x.data[q]) * widestCosine(south, north);
    return Math.hypot(aside, north - south) * METERS_PER_UNIT;
  }

  private intercept(s: number, py: number): number {
    const [lower, upper] = this.upward(s);
    const { x, y } = this;
    const share = (py - y.data[lower]) / (y.data[upper] - y.data[lower]);
    return x.data[lower] + share * (x.data[upper] - x.data[lower]);
  }

  /** Whether s meets the parallel (or, from a common vertex on it, the line just above) farther east than t. */
  private isFurtherEast(s: number, t: number, py: number): boolean {
    const difference = this.intercept(s, py) - this.intercept(t, py);
    // Doubles are accurate to 1e-5 units here; closer cases are decided exactly.
    if (Math.abs(difference) > 1) return difference > 0;
    const [s0, s1] = this.upward(s);
    const [t0, t1] = this.upward(t);
    const { x, y } = this;
    const big = (list: Ints, v: number) => BigInt(list.data[v]);
    const sDy = big(y, s1) - big(y, s0);
    const tDy = big(y, t1) - big(y, t0);
    const sDx = big(x, s1) - big(x, s0);
    const tDx = big(x, t1) - big(x, t0);
    const sAt = (big(x, s0) * sDy + sDx * (BigInt(py) - big(y, s0))) * tDy;
    const tAt = (big(x, t0) * tDy + tDx * (BigInt(py) - big(y, t0))) * sDy;
    return sAt !== tAt ? sAt > tAt : sDx * tDy > tDx * sDy;
  }
}
