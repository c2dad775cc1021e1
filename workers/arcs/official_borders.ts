/** Borders that others are snapped to: the nearest place on them, and the shortest way along them within a corridor. */
import Flatbush from 'flatbush';
import type { Coords } from '../contract.ts';
import { Linework } from './clean_lines.ts';
import { METERS_PER_UNIT } from './levels.ts';

/** A place on the borders: a vertex of theirs (`from` and `to` are the same), or a point of the segment between two. */
export interface BorderPoint {
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
}

/** The most vertices that one way along the borders may visit. */
const MOST_STEPS = 20_000;

/** Meters for each unit of longitude at a latitude, in 1e-7 degrees. */
export const widthAt = (y: number): number => METERS_PER_UNIT * Math.cos((y / 1e7) * (Math.PI / 180));

/** The distance in meters of a point from a segment, and how far along the segment (0 to 1) the nearest point is. */
export function fromSegment(
  px: number,
  py: number,
  [ax, ay, bx, by]: readonly [number, number, number, number],
): { readonly meters: number; readonly at: number } {
  const width = widthAt(py);
  const [ux, uy] = [(bx - ax) * width, (by - ay) * METERS_PER_UNIT];
  const [vx, vy] = [(px - ax) * width, (py - ay) * METERS_PER_UNIT];
  const square = ux * ux + uy * uy;
  const at = square === 0 ? 0 : Math.min(1, Math.max(0, (vx * ux + vy * uy) / square));
  return { meters: Math.hypot(vx - at * ux, vy - at * uy), at };
}

/** Borders as a graph of vertices on the grid. */
export class OfficialBorders {
  private readonly lines: Linework;
  private readonly index: Flatbush | null;
  /** Per vertex, the vertices that a segment joins it with. */
  private readonly beside: number[][] = [];

  constructor(chains: readonly Coords[]) {
    this.lines = new Linework(chains);
    const { lines } = this;
    for (const chain of chains) {
      for (let i = 2; i < chain.length; i += 2) {
        const [a, b] = [lines.vertex(chain[i - 2], chain[i - 1]), lines.vertex(chain[i], chain[i + 1])];
        if (a !== b) lines.segment(a, b);
      }
    }
    const count = lines.a.length;
    this.index = count === 0 ? null : new Flatbush(count, 16, Int32Array);
    for (let v = 0; v < lines.x.length; v++) this.beside.push([]);
    for (let s = 0; s < count; s++) {
      const [a, b] = [lines.a.data[s], lines.b.data[s]];
      this.beside[a].push(b);
      this.beside[b].push(a);
      const [ax, ay, bx, by] = this.ends(a, b);
      this.index?.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
    }
    this.index?.finish();
  }

  private ends(a: number, b: number): [number, number, number, number] {
    const { x, y } = this.lines;
    return [x.data[a], y.data[a], x.data[b], y.data[b]];
  }

  /** The coordinates of a vertex. */
  vertex(v: number): readonly [number, number] {
    return [this.lines.x.data[v], this.lines.y.data[v]];
  }

  /** The place to snap a point to: the nearest vertex within `meters`, else the nearest point of a segment; or null. */
  nearest(x: number, y: number, meters: number): BorderPoint | null {
    const { lines, index } = this;
    if (index === null) return null;
    const high = Math.ceil(meters / METERS_PER_UNIT);
    const wide = Math.ceil(meters / Math.max(widthAt(y), METERS_PER_UNIT / 1_000));
    let place: BorderPoint | null = null;
    let best = Infinity;
    let vertex = -1;
    let nearest = Infinity;
    for (const s of index.search(x - wide, y - high, x + wide, y + high)) {
      const [from, to] = [lines.a.data[s], lines.b.data[s]];
      const ends = this.ends(from, to);
      const { meters: far, at } = fromSegment(x, y, ends);
      if (far > meters) continue;
      if (far < best) {
        best = far;
        const [ax, ay, bx, by] = ends;
        place = { from, to, x: Math.round(ax + at * (bx - ax)), y: Math.round(ay + at * (by - ay)) };
      }
      for (const v of [from, to]) {
        const [vx, vy] = this.vertex(v);
        const away = Math.hypot((vx - x) * widthAt(y), (vy - y) * METERS_PER_UNIT);
        // On ties the place decides, so that the result does not depend on the order of the borders.
        if (away < nearest || (away === nearest && this.before(v, vertex))) {
          nearest = away;
          vertex = v;
        }
      }
    }
    if (nearest > meters || vertex < 0) return place;
    const [vx, vy] = this.vertex(vertex);
    return { from: vertex, to: vertex, x: vx, y: vy };
  }

  private before(v: number, other: number): boolean {
    const [[x, y], [ox, oy]] = [this.vertex(v), this.vertex(other)];
    return x < ox || (x === ox && y < oy);
  }

  /**
   * The shortest way along the borders from one place to another whose vertices are all within `meters` of a segment.
   * @returns its vertices between the two places; null when there is none, or none of at most `longest` meters
   */
  way(
    from: BorderPoint,
    to: BorderPoint,
    corridor: readonly [number, number, number, number],
    { meters, longest }: { readonly meters: number; readonly longest: number },
  ): number[] | null {
    if (from.from !== from.to && from.from === to.from && from.to === to.to) return [];
    const costs = new Map<number, number>();
    const before = new Map<number, number>();
    const done = new Set<number>();
    const open: number[] = [];
    const far = (v: number, x: number, y: number): number => {
      const [vx, vy] = this.vertex(v);
      return Math.hypot((vx - x) * widthAt(y), (vy - y) * METERS_PER_UNIT);
    };
    const reach = (v: number, cost: number, by: number): void => {
      if (cost > longest || (costs.get(v) ?? Infinity) <= cost) return;
      const [x, y] = this.vertex(v);
      if (fromSegment(x, y, corridor).meters > meters) return;
      if (!costs.has(v)) open.push(v);
      costs.set(v, cost);
      before.set(v, by);
    };
    for (const v of new Set([from.from, from.to])) reach(v, far(v, from.x, from.y), -1);
    let [end, best] = [-1, Infinity];
    while (open.length > 0 && done.size < MOST_STEPS) {
      // Few vertices are open at a time: a line has two ends.
      let first = 0;
      for (let i = 1; i < open.length; i++) if (costs.get(open[i])! < costs.get(open[first])!) first = i;
      const v = open.splice(first, 1)[0];
      const cost = costs.get(v)!;
      done.add(v);
      if (cost >= best) break;
      if (v === to.from || v === to.to) {
        const whole = cost + far(v, to.x, to.y);
        if (whole < best && whole <= longest) [end, best] = [v, whole];
      }
      const [x, y] = this.vertex(v);
      for (const next of this.beside[v]) if (!done.has(next)) reach(next, cost + far(next, x, y), v);
    }
    if (end < 0) return null;
    const way: number[] = [];
    for (let v = end; v >= 0; v = before.get(v)!) way.push(v);
    return way.reverse();
  }
}
