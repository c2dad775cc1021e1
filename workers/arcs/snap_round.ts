/**
 * Snap rounding (Hobby, "Practical segment intersection with finite precision output", 1999): puts segments on a grid
 * so that they meet only at their ends, and so that no vertex passes from one side of a segment to the other. Every
 * pixel of the grid with a vertex or a crossing is hot. A segment becomes the path of the hot pixels it runs through.
 */
import { Ints } from './clean_lines.ts';
import { type Noded, nodesOnSides, numberedEdges } from './noded.ts';
import { hashPair } from './nodes.ts';
import type { Segments } from './segments.ts';

/** Steps of input coordinates per grid line. */
export const STEPS = 256;
/**
 * Maximum length of all segments in pixels. A tile of dense data has 150,000; for more than this, which only a file made
 * for the purpose has, the grid is made coarser.
 */
const MOST_PIXELS = 1 << 20;
/** More than the segments of a tile: a pixel and a segment are one number below 2^53. */
const SEGMENTS = 2 ** 26;
/** A pixel through which more segments than this run is hot, whether they cross or not. */
const CROWD = 16;
/** More than the rounding error of the computed place of a crossing, in steps. */
const SURE = 1e-3;

/** Puts segments on the grid of whole lines from `low` to `high`, between which they all run. */
export function snapRound(segments: Segments, low: number, high: number): Noded {
  let size = 1;
  while (pixelsOf(segments, STEPS * size) > MOST_PIXELS) size *= 2;
  return new Rounding(segments, low, high, size).run();
}

/** The length of all segments along their longer axes, in pixels of `unit` steps. */
function pixelsOf({ ax, ay, bx, by, count }: Segments, unit: number): number {
  let sum = 0;
  for (let s = 0; s < count; s++) {
    sum += Math.max(Math.abs(bx.data[s] - ax.data[s]), Math.abs(by.data[s] - ay.data[s]));
  }
  return sum / unit;
}

/** One bit per pixel: which are hot, and which a segment runs through. Shared by all tiles; all 0 between them. */
let hotBits = new Int32Array(0);
let seenBits = new Int32Array(0);
/** The pixels of one segment. */
let run = new Int32Array(0);

class Rounding {
  private readonly segments: Segments;
  private readonly size: number;
  /** Steps per pixel. */
  private readonly unit: number;
  /** The pixel at `low`, and pixels per side. */
  private readonly low: number;
  private readonly width: number;
  /** The sides of the square, in steps. */
  private readonly sides: readonly [low: number, high: number];
  /** Pixels of nodes, and the nodes by pixel. */
  private readonly nodes = new Ints();
  private slots = new Int32Array(2048).fill(-1);
  /** Per segment, 1 when it runs through a hot pixel between its ends. */
  private readonly hit: Uint8Array;

  constructor(segments: Segments, low: number, high: number, size: number) {
    this.segments = segments;
    this.size = size;
    this.unit = STEPS * size;
    this.sides = [STEPS * low, STEPS * high];
    this.low = Math.floor(low / size);
    this.width = Math.ceil(high / size) - this.low + 1;
    this.hit = new Uint8Array(segments.count);
    const words = Math.ceil((this.width * this.width) / 32);
    if (hotBits.length < words) {
      hotBits = new Int32Array(words);
      seenBits = new Int32Array(words);
    }
    if (run.length < 4 * this.width) run = new Int32Array(4 * this.width);
  }

  run(): Noded {
    const { ax, ay, bx, by, count } = this.segments;
    const words = Math.ceil((this.width * this.width) / 32);
    hotBits.fill(0, 0, words);
    seenBits.fill(0, 0, words);
    const ends = new Int32Array(2 * count);
    for (let s = 0; s < count; s++) {
      ends[2 * s] = this.heat(this.pixel(ax.data[s], ay.data[s]));
      ends[2 * s + 1] = this.heat(this.pixel(bx.data[s], by.data[s]));
    }
    this.heatCrossings();
    return this.paths(ends);
  }

  private line(value: number): number {
    return Math.floor(value / this.unit + 0.5);
  }

  private pixel(x: number, y: number): number {
    return (this.line(y) - this.low) * this.width + this.line(x) - this.low;
  }

  /** Makes a pixel hot; returns its node. */
  private heat(pixel: number): number {
    hotBits[pixel >> 5] |= 1 << (pixel & 31);
    if (2 * this.nodes.length >= this.slots.length) {
      this.slots = new Int32Array(2 * this.slots.length).fill(-1);
      for (let n = 0; n < this.nodes.length; n++) this.slots[this.slotOf(this.nodes.data[n])] = n;
    }
    const slot = this.slotOf(pixel);
    if (this.slots[slot] < 0) {
      this.slots[slot] = this.nodes.length;
      this.nodes.push(pixel);
    }
    return this.slots[slot];
  }

  private slotOf(pixel: number): number {
    const mask = this.slots.length - 1;
    let slot = hashPair(pixel, 0) & mask;
    while (this.slots[slot] >= 0 && this.nodes.data[this.slots[slot]] !== pixel) slot = (slot + 1) & mask;
    return slot;
  }

  /**
   * Writes the pixels that a segment runs through to `run`, in order; returns their number. A pixel has its western and
   * northern sides, not the others. All numbers are whole and below 2^53, so nothing is rounded.
   */
  private trace(s: number): number {
    const { segments, unit, low, width } = this;
    const [ax, ay] = [segments.ax.data[s], segments.ay.data[s]];
    const [bx, by] = [segments.bx.data[s], segments.by.data[s]];
    const steep = Math.abs(by - ay) > bx - ax;
    // Along the longer axis, upward; `across` is the other one.
    const backward = steep && by < ay;
    const from = steep ? (backward ? by : ay) : ax;
    const to = steep ? (backward ? ay : by) : bx;
    const across = steep ? (backward ? bx : ax) : ay;
    const length = to - from;
    const rise = steep ? (backward ? ax - bx : bx - ax) : by - ay;
    const [step, side] = steep ? [width, 1] : [1, width];
    const last = this.line(to);
    const end = this.line(across + rise);
    const first = this.line(from);
    // Where the segment leaves a column: `next` whole rows and `rest` parts of `parts`.
    const parts = 2 * unit * length;
    const over = 2 * (across * length + rise * (first * unit + unit / 2 - from)) + unit * length;
    let next = length === 0 ? 0 : Math.floor(over / parts);
    let rest = over - next * parts;
    let n = 0;
    let row = this.line(across);
    for (let c = first; c <= last; c++) {
      const pixel = (c - low) * step - low * side;
      const stop = c === last ? end : rise > 0 && rest === 0 ? next - 1 : next;
      run[n++] = pixel + row * side;
      if (stop > row) for (let r = row + 1; r <= stop; r++) run[n++] = pixel + r * side;
      else for (let r = row - 1; r >= stop; r--) run[n++] = pixel + r * side;
      row = next;
      rest += 2 * rise * unit;
      if (rest >= parts) {
        next++;
        rest -= parts;
      } else if (rest < 0) {
        next--;
        rest += parts;
      }
    }
    if (backward) run.subarray(0, n).reverse();
    return n;
  }

  /** Whether a segment runs along a side of the square, where it crosses nothing. */
  private isSide(s: number): boolean {
    const { ax, ay, bx, by } = this.segments;
    const [low, high] = this.sides;
    const [x, y] = [ax.data[s], ay.data[s]];
    return (x === bx.data[s] && (x === low || x === high)) || (y === by.data[s] && (y === low || y === high));
  }

  /** Makes the pixels hot in which segments cross, and finds the segments that run through hot pixels. */
  private heatCrossings(): void {
    const { segments, hit } = this;
    const { count } = segments;
    /** Pixels through which a second segment runs. */
    const shared = new Ints();
    for (let s = 0; s < count; s++) {
      if (this.isSide(s)) continue;
      const n = this.trace(s);
      const [start, end] = [run[0], run[n - 1]];
      for (let i = 0; i < n; i++) {
        const pixel = run[i];
        const bit = 1 << (pixel & 31);
        const word = pixel >> 5;
        if (hotBits[word] & bit) {
          if (pixel !== start && pixel !== end) hit[s] = 1;
        } else if (seenBits[word] & bit) shared.push(pixel);
        else seenBits[word] |= bit;
      }
    }
    if (shared.length === 0) return;
    seenBits.fill(0, 0, Math.ceil((this.width * this.width) / 32));
    for (let i = 0; i < shared.length; i++) seenBits[shared.data[i] >> 5] |= 1 << (shared.data[i] & 31);
    let visits = new Float64Array(4 * shared.length);
    let visited = 0;
    for (let s = 0; s < count; s++) {
      if (this.isSide(s)) continue;
      const n = this.trace(s);
      for (let i = 0; i < n; i++) {
        if ((seenBits[run[i] >> 5] & (1 << (run[i] & 31))) === 0) continue;
        if (visited === visits.length) {
          const grown = new Float64Array(2 * visited);
          grown.set(visits);
          visits = grown;
        }
        visits[visited++] = run[i] * SEGMENTS + s;
      }
    }
    const ordered = visits.subarray(0, visited).sort();
    const pixelAt = (i: number): number => Math.floor(ordered[i] / SEGMENTS);
    for (let from = 0, to = 0; from < ordered.length; from = to) {
      const pixel = pixelAt(from);
      for (to = from; to < ordered.length && pixelAt(to) === pixel; ) to++;
      const through: number[] = [];
      for (let i = from; i < to; i++) through.push(ordered[i] - pixel * SEGMENTS);
      if (through.length <= CROWD && !this.crossIn(pixel, through)) continue;
      this.heat(pixel);
      for (const s of through) hit[s] = 1;
    }
  }

  /** Whether any two of some segments cross in a pixel. Both pixels have a crossing that may be between them. */
  private crossIn(pixel: number, some: readonly number[]): boolean {
    const { unit, width, low } = this;
    const { ax, ay, bx, by } = this.segments;
    const row = Math.floor(pixel / width);
    const [x, y] = [unit * (pixel - row * width + low), unit * (row + low)];
    const reach = unit / 2 + SURE;
    for (let i = 0; i < some.length; i++) {
      const s = some[i];
      const [px, py, dx, dy] = [ax.data[s], ay.data[s], bx.data[s] - ax.data[s], by.data[s] - ay.data[s]];
      for (let j = 0; j < i; j++) {
        const t = some[j];
        const [ux, uy, ex, ey] = [ax.data[t], ay.data[t], bx.data[t] - ax.data[t], by.data[t] - ay.data[t]];
        // Whole numbers below 2^53; only the quotient is rounded.
        const turn = dx * ey - dy * ex;
        const along = ((ux - px) * ey - (uy - py) * ex) / turn;
        const other = ((ux - px) * dy - (uy - py) * dx) / turn;
        if (turn === 0 || along <= 0 || along >= 1 || other <= 0 || other >= 1) continue;
        if (Math.abs(px + along * dx - x) <= reach && Math.abs(py + along * dy - y) <= reach) return true;
      }
    }
    return false;
  }

  /** The paths of all segments over nodes; `ends`: the nodes at the ends of each. */
  private paths(ends: Int32Array): Noded {
    const { segments, hit, nodes, size, width, low } = this;
    const { a, b, edgeOf } = numberedEdges(segments.count);
    const [x, y] = [new Int32Array(nodes.length), new Int32Array(nodes.length)];
    for (let n = 0; n < x.length; n++) {
      const row = Math.floor(nodes.data[n] / width);
      x[n] = nodes.data[n] - row * width + low;
      y[n] = row + low;
    }
    const onSides = nodesOnSides(x, y, [low, this.line(this.sides[1])]);
    const path = new Ints();
    const pathEnd = new Uint32Array(segments.count);
    for (let s = 0; s < pathEnd.length; s++) {
      let last = ends[2 * s];
      if (this.isSide(s)) {
        for (const node of onSides(last, ends[2 * s + 1])) {
          path.push(edgeOf(last, node));
          last = node;
        }
      } else if (hit[s]) {
        const n = this.trace(s);
        for (let i = 1; i + 1 < n; i++) {
          if ((hotBits[run[i] >> 5] & (1 << (run[i] & 31))) === 0) continue;
          const node = this.slots[this.slotOf(run[i])];
          if (node !== last) path.push(edgeOf(last, node));
          last = node;
        }
      }
      if (last !== ends[2 * s + 1]) path.push(edgeOf(last, ends[2 * s + 1]));
      pathEnd[s] = path.length;
    }
    for (let n = 0; n < x.length; n++) {
      x[n] *= size;
      y[n] *= size;
    }
    return { x, y, a: a.data.slice(0, a.length), b: b.data.slice(0, b.length), path: path.data, pathEnd };
  }
}
