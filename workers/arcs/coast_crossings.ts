import { Ints, type Linework } from './clean_lines.ts';
import type { Break } from './coast_breaks.ts';
import { METERS_PER_UNIT } from './levels.ts';
import { compareRays } from './orient.ts';

/** With more crossings than this, the coast is damaged as a whole: one break is around all of them. */
const MOST_CROSSINGS = 5_000;
/** The coast is looked for around a crossing as far as this times half the extent of what is between crossings. */
const BEND = 1.5;

/**
 * The breaks of a coast where it crosses itself or another coast. Around a vertex at which coasts only touch, land and
 * water are in turn; where they cross, two sides say both. A circle is around what is between such a vertex and the next
 * one, or itself, the longest way out left off (the rest of the island), and around the segments that cross there.
 * @param coast the segments of each chain before they were noded
 * @param isCoast per segment, above 0 when land is on its left from a to b, below when on its right, 0 without coast
 */
export function crossingsOf(lines: Linework, coast: readonly Int32Array[], isCoast: Int32Array): Break[] {
  const crossed = crossedVertices(lines, isCoast);
  if (crossed.size === 0) return [];
  const boxes = new Map([...crossed].map((vertex) => [vertex, new Extent(lines, vertex)]));
  addWays(lines, isCoast, boxes);
  addSegments(lines, coast, boxes);
  const breaks = [...boxes.values()].map((box) => box.circle());
  if (breaks.length <= MOST_CROSSINGS) return breaks;
  const [first, ...others] = boxes.values();
  for (const other of others) first.addExtent(other);
  return [first.circle()];
}

/** The vertices of more than one coast around which land and water are not in turn. */
function crossedVertices(lines: Linework, isCoast: Int32Array): ReadonlySet<number> {
  const { a, b, x, y } = lines;
  const degree = new Uint32Array(x.length);
  let most = 0;
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] === 0) continue;
    most = Math.max(most, ++degree[a.data[s]], ++degree[b.data[s]]);
  }
  if (most <= 2) return new Set();
  const rays = new Map<number, { readonly dx: number; readonly dy: number; readonly leaves: boolean }[]>();
  const balance = new Map<number, number>();
  const addRay = (v: number, w: number, walked: number): void => {
    if (degree[v] <= 2) return;
    const own = rays.get(v) ?? [];
    rays.set(v, own);
    own.push({ dx: x.data[w] - x.data[v], dy: y.data[w] - y.data[v], leaves: walked > 0 });
    balance.set(v, (balance.get(v) ?? 0) + walked);
  };
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] === 0) continue;
    addRay(a.data[s], b.data[s], isCoast[s]);
    addRay(b.data[s], a.data[s], -isCoast[s]);
  }
  const crossed = new Set<number>();
  for (const [v, own] of rays) {
    // What ends or begins there is another break.
    if (balance.get(v) !== 0) continue;
    own.sort((one, other) => compareRays(one.dx, one.dy, other.dx, other.dy));
    if (own.some(({ leaves }, i) => leaves === own[(i + 1) % own.length].leaves)) crossed.add(v);
  }
  return crossed;
}

/** Adds to the extent of each crossing the ways from it to the next one, but for the longest. */
function addWays(lines: Linework, isCoast: Int32Array, boxes: ReadonlyMap<number, Extent>): void {
  const { a, b } = lines;
  // The coast that leaves each vertex: at crossings, all of them.
  const next = new Int32Array(lines.x.length).fill(-1);
  const leaving = new Map<number, number[]>();
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] === 0) continue;
    const from = isCoast[s] > 0 ? a.data[s] : b.data[s];
    next[from] = s;
    if (boxes.has(from)) leaving.set(from, [...(leaving.get(from) ?? []), s]);
  }
  const other = (s: number, v: number): number => (a.data[s] === v ? b.data[s] : a.data[s]);
  const isWalked = new Uint8Array(isCoast.length);
  for (const [vertex, segments] of leaving) {
    const ways = segments.map((first) => {
      const path = new Ints(8);
      let meters = 0;
      for (let s = first, v = vertex; s >= 0 && isWalked[s] === 0; ) {
        isWalked[s] = 1;
        const w = other(s, v);
        meters += lines.meters(v, w);
        path.push(w);
        if (boxes.has(w)) break;
        [s, v] = [next[w], w];
      }
      return { path, meters };
    });
    ways.sort((one, two) => one.meters - two.meters);
    for (const { path } of ways.length > 1 ? ways.slice(0, -1) : ways) {
      const end = path.data[path.length - 1];
      for (let i = 0; i < path.length; i++) {
        boxes.get(vertex)?.add(path.data[i]);
        boxes.get(end)?.add(path.data[i]);
      }
      boxes.get(end)?.add(vertex);
    }
  }
}

/** Adds to the extent of each crossing the segments of the coast, as they were given, that come through it. */
function addSegments(lines: Linework, coast: readonly Int32Array[], boxes: ReadonlyMap<number, Extent>): void {
  for (const chain of coast) {
    for (const ref of chain) {
      const s = ref < 0 ? ~ref : ref;
      if (!lines.path.has(s)) continue;
      const stack = [s];
      const passed: number[] = [];
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        const path = lines.path.get(at);
        if (path === undefined) continue;
        passed.push(...path);
        for (let i = 1; i < path.length; i++) stack.push(lines.segment(path[i - 1], path[i]));
      }
      for (const vertex of passed) {
        boxes.get(vertex)?.add(lines.a.data[s]);
        boxes.get(vertex)?.add(lines.b.data[s]);
      }
    }
  }
}

/** The box around vertices. */
class Extent {
  private readonly lines: Linework;
  private west: number;
  private south: number;
  private east: number;
  private north: number;

  constructor(lines: Linework, vertex: number) {
    this.lines = lines;
    this.west = this.east = lines.x.data[vertex];
    this.south = this.north = lines.y.data[vertex];
  }

  add(vertex: number): void {
    this.addPlace(this.lines.x.data[vertex], this.lines.y.data[vertex]);
  }

  addExtent({ west, south, east, north }: Extent): void {
    this.addPlace(west, south);
    this.addPlace(east, north);
  }

  private addPlace(x: number, y: number): void {
    this.west = Math.min(this.west, x);
    this.east = Math.max(this.east, x);
    this.south = Math.min(this.south, y);
    this.north = Math.max(this.north, y);
  }

  /** The circle around it, larger by BEND. */
  circle(): Break {
    const [x, y] = [(this.west + this.east) / 2, (this.south + this.north) / 2];
    const squeeze = Math.cos((y / 1e7 / 180) * Math.PI);
    const half = Math.hypot((this.east - this.west) * squeeze, this.north - this.south) / 2;
    return { x, y, meters: Math.max(1, BEND * half * METERS_PER_UNIT) };
  }
}
