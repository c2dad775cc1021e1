import type { Noded } from './noded.ts';
import { compareRays } from './orient.ts';
import { Faces } from './tile_faces.ts';

/** Half-edges around a ring, in order. */
export type Ring = readonly number[];

/** A ring with twice its area, and the walk around one connected inside that it is a part of. */
interface Loop {
  readonly ring: Ring;
  readonly area: number;
  readonly walk: number;
}

/** Assembles the edges of one area after another into polygons. */
export class Tracing {
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
