/** Writes the rings and borders of areas into a tile. */
import type { Ints } from './clean_lines.ts';
import type { Noded } from './noded.ts';
import { isMaritime } from './sea_borders.ts';
import type { Ring } from './tile_tracing.ts';

/** Receives what is in a tile. Coordinates are on its grid; `points` is valid only during the call. */
export interface TileSink {
  /** A ring of area `b`. Shells are clockwise on the screen; holes follow their shell and are counterclockwise. */
  ring(b: number, points: Int32Array, count: number): void;
  /**
   * A border that no area before `b` has. `marked`: a marked area has it too. `maritime`: whether it is at sea, null where
   * that is not known.
   */
  line(b: number, marked: boolean, points: Int32Array, count: number, maritime: boolean | null): void;
}

/** The edges of the areas of a tile. */
export interface Edges {
  /** The half-edges that bound each area, with its inside on their left, and how often its rings walk each. */
  readonly halves: Ints;
  readonly turns: Ints;
  /** Per area, the end of its part. */
  readonly end: Int32Array;
  /** Per edge: whether it bounds an area, its flags as a border, and whether it bounds a marked area. */
  readonly alive: Uint8Array;
  readonly flags: Uint8Array;
  readonly isMarked: Uint8Array;
}

const MARITIME = [null, false, true] as const;

/** Writes rings and borders. */
export class Drawing {
  private readonly noded: Noded;
  private readonly edges: Edges;
  private readonly square: { readonly cell: number; readonly low: number; readonly high: number };
  private readonly sink: TileSink;
  /** Per edge, 1 once its border is drawn. */
  private readonly isDrawn: Uint8Array;
  private points = new Int32Array(2048);
  private count = 0;

  constructor(noded: Noded, edges: Edges, square: Drawing['square'], sink: TileSink) {
    this.noded = noded;
    this.edges = edges;
    this.square = square;
    this.sink = sink;
    this.isDrawn = new Uint8Array(noded.a.length);
  }

  private from(h: number): number {
    return h & 1 ? this.noded.b[h >> 1] : this.noded.a[h >> 1];
  }

  /** Whether three nodes (or two, one of them twice) are along one side of the square. */
  private isAlong(p: number, q: number, r: number): boolean {
    const low = this.square.low / this.square.cell;
    const high = this.square.high / this.square.cell;
    const isOn = (of: Int32Array): boolean => of[p] === of[q] && of[q] === of[r] && (of[q] === low || of[q] === high);
    return isOn(this.noded.x) || isOn(this.noded.y);
  }

  private push(node: number): void {
    if (2 * this.count + 2 > this.points.length) {
      const grown = new Int32Array(2 * this.points.length);
      grown.set(this.points);
      this.points = grown;
    }
    this.points[2 * this.count] = this.noded.x[node] * this.square.cell;
    this.points[2 * this.count + 1] = this.noded.y[node] * this.square.cell;
    this.count++;
  }

  /** Writes a ring. Along a side of the square only the ends are kept. */
  ring(b: number, ring: Ring): void {
    this.count = 0;
    ring.forEach((h, i) => {
      const before = this.from(ring[i === 0 ? ring.length - 1 : i - 1]);
      if (!this.isAlong(before, this.from(h), this.from(h ^ 1))) this.push(this.from(h));
    });
    this.sink.ring(b, this.points, this.count);
  }

  /** Writes the borders along a ring that are not drawn yet, as lines of maximal length; none along a side. */
  lines(b: number, ring: Ring): void {
    const { edges, isDrawn } = this;
    const count = ring.length;
    // 0: not drawn; else 1, plus 1 when it is marked, plus twice its place in MARITIME.
    const kind = (i: number): number => {
      const h = ring[i % count];
      const edge = h >> 1;
      if (edges.flags[edge] === 0 || isDrawn[edge]) return 0;
      if (this.isAlong(this.from(h), this.from(h), this.from(h ^ 1))) return 0;
      return 1 + edges.isMarked[edge] + 2 * MARITIME.indexOf(isMaritime(edges.flags[edge]));
    };
    let start = 0;
    while (start < count && kind(start) === kind(start + count - 1)) start++;
    if (start === count && kind(0) === 0) return;
    const kinds = ring.map((_, i) => kind(i));
    start %= count;
    for (let n = 0; n < count; ) {
      const own = kinds[(start + n) % count];
      if (own === 0) {
        n++;
        continue;
      }
      this.count = 0;
      this.push(this.from(ring[(start + n) % count]));
      for (; n < count && kinds[(start + n) % count] === own; n++) {
        const h = ring[(start + n) % count];
        this.push(this.from(h ^ 1));
        isDrawn[h >> 1] = 1;
      }
      this.sink.line(b, own % 2 === 0, this.points, this.count, MARITIME[(own - 1) >> 1]);
    }
  }
}
