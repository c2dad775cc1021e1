/**
 * The areas of a tile as valid polygons: their rings are put on the grid together (snap rounding), so they meet only at
 * shared vertices; each area is then traced along the edges that bound it. Areas that share a border on the ground
 * share every vertex of it. What is narrower than the grid vanishes for all of them alike.
 */
import { Ints } from './clean_lines.ts';
import type { Points } from './clip.ts';
import { compareRays } from './orient.ts';
import { isMaritime } from './sea_borders.ts';
import { followed, type Noded, Segments, STEPS, snapRound } from './snap_round.ts';
import { Faces } from './tile_faces.ts';

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

/** Rings of areas, in the given order, until they are drawn. */
export class TileAreas {
  private readonly cell: number;
  private readonly low: number;
  private readonly high: number;
  private readonly segments = new Segments();
  /** Per segment, its flags as a border (sea_borders.ts); 0: it is none. */
  private readonly flags = new Ints();
  private readonly refs = new Ints();
  /** Per area, the end of its part of `refs`, and whether it is marked. */
  private readonly areas: { end: number; readonly marked: boolean }[] = [];

  /** A square from `low` to `high`, in which vertices are on every `cell`-th grid line: 1, 2 or 4. */
  constructor(low: number, high: number, cell: number) {
    this.cell = cell;
    this.low = low;
    this.high = high;
  }

  /** Begins the next area. */
  begin(marked: boolean): void {
    this.areas.push({ end: this.refs.length, marked });
  }

  /**
   * Adds a ring (its first point not repeated) within the square to the current area. Shells are counterclockwise on the
   * screen, holes clockwise. A flag of 0 says that the edge that leaves the point is not a border.
   */
  ring({ data, flags, count }: Points): void {
    const area = this.areas[this.areas.length - 1];
    const { cell, segments, flags: known, refs } = this;
    // Rounded down, so that a point is in the pixel in which it was.
    const step = (value: number): number => Math.floor((value * STEPS) / cell);
    const line = (value: number): number => Math.floor(value / STEPS + 0.5);
    if (count < 2) return;
    let [x, y] = [step(data[2 * count - 2]), step(data[2 * count - 1])];
    let flag = flags[count - 1];
    for (let i = 0; i < count; i++) {
      const [toX, toY] = [step(data[2 * i]), step(data[2 * i + 1])];
      if (line(x) !== line(toX) || line(y) !== line(toY)) {
        const ref = segments.add(x, y, toX, toY);
        refs.push(ref);
        const segment = ref < 0 ? ~ref : ref;
        if (segment === known.length) known.push(flag);
        else known.data[segment] |= flag;
      }
      [x, y, flag] = [toX, toY, flags[i]];
    }
    area.end = refs.length;
  }

  /** Draws all areas; a shared border belongs to the first that has it. Returns how many have a part in the tile. */
  draw(sink: TileSink): number {
    const { cell, low, high } = this;
    if (this.refs.length === 0) return 0;
    const noded = snapRound(this.segments, low / cell, high / cell);
    const edges = this.edges(noded);
    const tracing = new Tracing(noded, edges.alive);
    const drawing = new Drawing(noded, edges, { cell, low, high }, sink);
    let drawn = 0;
    this.areas.forEach((_, b) => {
      const from = b === 0 ? 0 : edges.end[b - 1];
      if (from === edges.end[b]) return;
      const halves = edges.halves.data.subarray(from, edges.end[b]);
      const turns = edges.turns.data.subarray(from, edges.end[b]);
      const polygons = tracing.polygons(halves, turns);
      for (const rings of polygons) for (const ring of rings) drawing.ring(b, ring);
      for (const rings of polygons) for (const ring of rings) drawing.lines(b, ring);
      if (polygons.length > 0) drawn++;
    });
    return drawn;
  }

  /** Which edges bound each area: those that its rings walk more often in one direction than in the other. */
  private edges(noded: Noded): Edges {
    const count = noded.a.length;
    const edges = {
      halves: new Ints(),
      turns: new Ints(),
      end: new Int32Array(this.areas.length),
      alive: new Uint8Array(count),
      flags: new Uint8Array(count),
      isMarked: new Uint8Array(count),
    };
    const path = new Ints();
    for (let s = 0; s < this.segments.count; s++) {
      const flags = this.flags.data[s];
      if (flags === 0) continue;
      path.length = 0;
      followed(noded, s, path);
      for (let i = 0; i < path.length; i++) edges.flags[path.data[i] < 0 ? ~path.data[i] : path.data[i]] |= flags;
    }
    const sums = new Int32Array(count);
    let at = 0;
    this.areas.forEach(({ end, marked }, b) => {
      path.length = 0;
      for (; at < end; at++) followed(noded, this.refs.data[at], path);
      for (let i = 0; i < path.length; i++) {
        const edge = path.data[i];
        if (edge < 0) sums[~edge]++;
        else sums[edge]--;
      }
      for (let i = 0; i < path.length; i++) {
        const edge = path.data[i] < 0 ? ~path.data[i] : path.data[i];
        const sum = sums[edge];
        if (sum === 0) continue;
        sums[edge] = 0;
        edges.halves.push(sum > 0 ? 2 * edge : 2 * edge + 1);
        edges.turns.push(Math.abs(sum));
        edges.alive[edge] = 1;
        if (marked) edges.isMarked[edge] = 1;
      }
      edges.end[b] = edges.halves.length;
    });
    return edges;
  }
}

interface Edges {
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

/** Half-edges around a ring, in order. */
type Ring = readonly number[];

/** A ring with twice its area, and the walk around one connected inside that it is a part of. */
interface Loop {
  readonly ring: Ring;
  readonly area: number;
  readonly walk: number;
}

/** Assembles the edges of one area after another into polygons. */
class Tracing {
  private readonly noded: Noded;
  private readonly alive: Uint8Array;
  private made: Faces | undefined;
  /** Per node: the last half-edge (its index in the area) that leaves it and that arrives; its place on the walk. */
  private readonly leaving: Int32Array;
  private readonly arriving: Int32Array;
  private readonly place: Int32Array;
  /** Per edge, whether it bounds the area at hand; per face, its region. */
  private readonly bounds: Uint8Array;
  private readonly regions = new Map<number, number>();

  constructor(noded: Noded, alive: Uint8Array) {
    this.noded = noded;
    this.alive = alive;
    this.leaving = new Int32Array(noded.x.length).fill(-1);
    this.arriving = new Int32Array(noded.x.length).fill(-1);
    this.place = new Int32Array(noded.x.length).fill(-1);
    this.bounds = new Uint8Array(noded.a.length);
  }

  private get faces(): Faces {
    this.made ??= new Faces(this.noded, this.alive);
    return this.made;
  }

  private from(h: number): number {
    return h & 1 ? this.noded.b[h >> 1] : this.noded.a[h >> 1];
  }

  /** The polygons that some half-edges bound: a shell and its holes each. */
  polygons(halves: Int32Array, turns: Int32Array): Ring[][] {
    const plain = turns.every((turn) => turn === 1) ? this.assembled(halves) : null;
    if (plain) return plain;
    const assembled = this.assembled(this.resolved(halves, turns));
    if (!assembled) throw new Error('the edges around the faces of an area are not rings');
    return assembled;
  }

  /** As polygons(); null when the half-edges do not have an inside on the left and an outside on the right of each. */
  private assembled(halves: Int32Array): Ring[][] | null {
    const loops = this.loops(halves);
    if (!loops) return null;
    const walks = loops.length === 0 ? 0 : loops[loops.length - 1].walk + 1;
    const insides = walks > 1 ? this.insides(halves, loops, walks) : Int32Array.of(0);
    if (!insides) return null;
    const polygons = new Map<number, { shell?: Ring; holes: Ring[] }>();
    for (const { ring, area, walk } of loops) {
      const inside = insides[walk];
      let polygon = polygons.get(inside);
      if (!polygon) {
        polygon = { holes: [] };
        polygons.set(inside, polygon);
      }
      if (area < 0) polygon.holes.push(ring);
      else if (polygon.shell) return null;
      else polygon.shell = ring;
    }
    const found: Ring[][] = [];
    for (const { shell, holes } of polygons.values()) {
      if (!shell) return null;
      found.push([shell, ...holes]);
    }
    return found;
  }

  /**
   * The rings along some half-edges. Where an inside touches itself, the walk around it goes on along the same side, and
   * is cut into rings that pass each node once. Null when the insides at a node overlap.
   */
  private loops(halves: Int32Array): Loop[] | null {
    const { noded, leaving, arriving, place } = this;
    const { x, y } = noded;
    const nextLeaving = new Int32Array(halves.length);
    const nextArriving = new Int32Array(halves.length);
    for (let i = 0; i < halves.length; i++) {
      const [from, to] = [this.from(halves[i]), this.from(halves[i] ^ 1)];
      nextLeaving[i] = leaving[from];
      leaving[from] = i;
      nextArriving[i] = arriving[to];
      arriving[to] = i;
    }
    /** The half-edge that goes on along the same inside: the first clockwise from the way back; -1 if that arrives. */
    const following = (i: number): number => {
      const back = this.from(halves[i]);
      const node = this.from(halves[i] ^ 1);
      const [backX, backY] = [x[back] - x[node], y[back] - y[node]];
      let [best, bestX, bestY, before] = [-1, 0, 0, false];
      const offer = (index: number, to: number): void => {
        const [dx, dy] = [x[to] - x[node], y[to] - y[node]];
        const isBefore = compareRays(dx, dy, backX, backY) < 0;
        if (bestX !== 0 || bestY !== 0) {
          if (before && !isBefore) return;
          if (before === isBefore && compareRays(dx, dy, bestX, bestY) < 0) return;
        }
        [best, bestX, bestY, before] = [index, dx, dy, isBefore];
      };
      for (let j = leaving[node]; j >= 0; j = nextLeaving[j]) offer(j, this.from(halves[j] ^ 1));
      for (let j = arriving[node]; j >= 0; j = nextArriving[j]) if (j !== i) offer(-1, this.from(halves[j]));
      return best;
    };
    const loops: Loop[] = [];
    const used = new Uint8Array(halves.length);
    let walk = 0;
    const trace = (start: number): boolean => {
      const way: number[] = [];
      for (let i = start; ; ) {
        if (used[i]) return false;
        used[i] = 1;
        const h = halves[i];
        place[this.from(h)] = way.length;
        way.push(h);
        const node = this.from(h ^ 1);
        if (place[node] >= 0) {
          const ring = way.splice(place[node]);
          let area = 0;
          for (const one of ring) {
            const [a, b] = [this.from(one), this.from(one ^ 1)];
            place[a] = -1;
            area += x[a] * y[b] - x[b] * y[a];
          }
          loops.push({ ring, area, walk });
        }
        const only = leaving[node];
        const next = nextLeaving[only] < 0 ? only : following(i);
        if (next < 0) return false;
        if (next === start) return way.length === 0;
        i = next;
      }
    };
    let whole = true;
    for (let i = 0; i < halves.length && whole; i++) {
      if (used[i]) continue;
      whole = trace(i);
      walk++;
    }
    for (const h of halves) {
      for (const node of [this.from(h), this.from(h ^ 1)]) {
        leaving[node] = -1;
        arriving[node] = -1;
        place[node] = -1;
      }
    }
    return whole ? loops : null;
  }

  /** Per walk, a number of the connected inside that it goes around; null when some are inside others. */
  private insides(halves: Int32Array, loops: readonly Loop[], walks: number): Int32Array | null {
    const { faces, regions, bounds } = this;
    const insides = new Int32Array(walks).fill(-1);
    for (const h of halves) bounds[h >> 1] = 1;
    let isWhole = true;
    for (const { ring, walk } of loops) {
      if (insides[walk] >= 0) continue;
      const face = faces.left(ring[0]);
      isWhole &&= face >= 0 && (regions.has(face) || this.fill(face, walk, () => true));
      insides[walk] = regions.get(face) ?? walk;
    }
    isWhole &&= halves.every((h) => !regions.has(faces.left(h ^ 1)));
    for (const h of halves) bounds[h >> 1] = 0;
    regions.clear();
    return isWhole ? insides : null;
  }

  /**
   * Gives a region to a face and all faces that no edge of the area separates from it; those that `isWithin` refuses
   * are left out. Returns whether none was, and none is unbounded.
   */
  private fill(start: number, region: number, isWithin: (face: number) => boolean): boolean {
    const { faces, regions, bounds } = this;
    let whole = true;
    regions.set(start, region);
    const stack = [start];
    for (let face = stack.pop(); face !== undefined; face = stack.pop()) {
      faces.each(face, (h) => {
        if (bounds[h >> 1]) return;
        const across = faces.left(h ^ 1);
        if (regions.has(across)) return;
        if (across < 0 || !isWithin(across)) {
          whole = false;
          return;
        }
        regions.set(across, region);
        stack.push(across);
      });
    }
    return whole;
  }

  /**
   * The half-edges around the faces that the rings of an area turn around at least once: what rings that overlap, or
   * turn the wrong way, have inside. `turns`: how often they walk each half-edge.
   */
  private resolved(halves: Int32Array, turns: Int32Array): Int32Array {
    const { faces, regions, bounds, noded } = this;
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const h of halves) {
      bounds[h >> 1] = 1;
      const [x, y] = [noded.x[this.from(h)], noded.y[this.from(h)]];
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
    // Region 0 is the outside: every face that is not within the box of the area.
    const isWithin = (face: number): boolean => faces.isWithin(face, box);
    let count = 1;
    const outside = new Set([0]);
    const regionOf = (h: number): number => {
      const face = faces.left(h);
      if (face < 0 || !isWithin(face)) return 0;
      const known = regions.get(face);
      if (known !== undefined) return known;
      if (!this.fill(face, count, isWithin)) outside.add(count);
      return count++;
    };
    const sides = Array.from(halves, (h) => [regionOf(h), regionOf(h ^ 1)] as const);
    const beside: { readonly region: number; readonly by: number }[][] = Array.from({ length: count }, () => []);
    sides.forEach(([left, right], i) => {
      beside[right].push({ region: left, by: turns[i] });
      beside[left].push({ region: right, by: -turns[i] });
    });
    const around = new Map<number, number>(Array.from(outside, (region) => [region, 0]));
    const stack = [...outside];
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      const turn = around.get(one) ?? 0;
      for (const { region, by } of beside[one]) {
        if (around.has(region)) continue;
        around.set(region, turn + by);
        stack.push(region);
      }
    }
    const isInside = (region: number): boolean => (around.get(region) ?? 0) > 0;
    const kept: number[] = [];
    sides.forEach(([left, right], i) => {
      if (isInside(left) !== isInside(right)) kept.push(isInside(left) ? halves[i] : halves[i] ^ 1);
    });
    for (const h of halves) bounds[h >> 1] = 0;
    regions.clear();
    return Int32Array.from(kept);
  }
}

const MARITIME = [null, false, true] as const;

/** Writes rings and borders. */
class Drawing {
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
