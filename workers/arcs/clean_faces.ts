import type { Coords } from '../contract.ts';
import type { Ints, Linework } from './clean_lines.ts';
import { compareRays } from './orient.ts';

/**
 * Per segment, the features that have it on their border an odd number of times: `features[start[s]] … features[start[s
 * + 1] - 1]`.
 */
export interface Borders {
  readonly start: Int32Array;
  readonly features: Int32Array;
}

/**
 * The plane divided by noded segments. Half-edge 2s walks segment s from `a` to `b`, half-edge 2s + 1 back. The
 * half-edges that leave vertex v are `out[start[v]] … out[start[v + 1] - 1]`, counterclockwise. `place` is the index of
 * a half-edge in `out`, -1 when its segment bounds nothing. A cycle is a closed walk with one face on its left: `cycle`
 * numbers it.
 */
export interface Faces {
  readonly start: Int32Array;
  readonly out: Int32Array;
  readonly place: Int32Array;
  readonly cycle: Int32Array;
  /** Per cycle, one of its half-edges. */
  readonly first: Int32Array;
  /** Per cycle, the features that contain its face, ascending. */
  readonly holders: readonly (readonly number[])[];
  /** Per cycle, 1 when its face is the unbounded one, seen from a connected component of the linework. */
  readonly isOuter: Uint8Array;
  /** Per cycle around the outside of a connected component, another cycle of the same face; -1 for all other cycles. */
  readonly around: Int32Array;
}

/** The vertex at which a half-edge starts. */
export function originOf(lines: Linework, h: number): number {
  return (h & 1) === 0 ? lines.a.data[h >> 1] : lines.b.data[h >> 1];
}

/** The next half-edge on the same cycle: the first clockwise from the reverse half-edge. */
export function nextOnCycle(faces: Faces, lines: Linework, h: number): number {
  const back = h ^ 1;
  const vertex = originOf(lines, back);
  const at = faces.place[back];
  return faces.out[at > faces.start[vertex] ? at - 1 : faces.start[vertex + 1] - 1];
}

/**
 * Traces the faces of noded linework and finds the features that contain each.
 *
 * Crossing a segment changes the state of exactly the features whose border it is (even-odd). So one face per connected
 * component is enough; a walk decides the rest. The face around a component is read from the first segment west of its
 * westernmost vertex, and components are taken from west to east.
 */
export function traceFaces(lines: Linework, borders: Borders): Faces {
  const { start, out, place } = sortHalfEdges(lines, borders);
  const cycle = new Int32Array(2 * lines.a.length).fill(-1);
  const first: number[] = [];
  const faces = { start, out, place, cycle };
  for (let h = 0; h < cycle.length; h++) {
    if (place[h] < 0 || cycle[h] >= 0) continue;
    const number = first.push(h) - 1;
    for (let walk = h; cycle[walk] < 0; walk = nextOnCycle(faces as Faces, lines, walk)) cycle[walk] = number;
  }
  const traced = { ...faces, first: Int32Array.from(first) };
  return { ...traced, ...label(lines, borders, traced) };
}

function sortHalfEdges(lines: Linework, borders: Borders): Pick<Faces, 'start' | 'out' | 'place'> {
  const { a, b, x, y } = lines;
  const start = new Int32Array(lines.x.length + 1);
  const bounds = (s: number) => borders.start[s + 1] > borders.start[s];
  for (let s = 0; s < a.length; s++) {
    if (!bounds(s)) continue;
    start[a.data[s] + 1]++;
    start[b.data[s] + 1]++;
  }
  for (let v = 0; v < lines.x.length; v++) start[v + 1] += start[v];
  const out = new Int32Array(start[lines.x.length]);
  const place = new Int32Array(2 * a.length).fill(-1);
  const filled = start.slice(0, -1);
  const compare = (v: number, h: number, k: number): number => {
    const to = originOf(lines, h ^ 1);
    const other = originOf(lines, k ^ 1);
    const dx = x.data[v];
    const dy = y.data[v];
    return compareRays(x.data[to] - dx, y.data[to] - dy, x.data[other] - dx, y.data[other] - dy);
  };
  for (let h = 0; h < place.length; h++) {
    if (!bounds(h >> 1)) continue;
    const v = originOf(lines, h);
    let at = filled[v]++;
    for (; at > start[v] && compare(v, out[at - 1], h) > 0; at--) out[at] = out[at - 1];
    out[at] = h;
  }
  for (let at = 0; at < out.length; at++) place[out[at]] = at;
  return { start, out, place };
}

/** The holders of the faces of all cycles, component by component from west to east. */
function label(
  lines: Linework,
  borders: Borders,
  faces: Pick<Faces, 'start' | 'out' | 'place' | 'cycle' | 'first'>,
): Pick<Faces, 'holders' | 'isOuter' | 'around'> {
  const { cycle, first, start, out } = faces;
  const holders: (readonly number[])[] = new Array(first.length);
  const isOuter = new Uint8Array(first.length);
  const around = new Int32Array(first.length).fill(-1);
  const isLine = (s: number) => borders.start[s + 1] > borders.start[s];
  for (const vertex of westernmost(lines, faces)) {
    // All segments at a component's westernmost vertex leave it eastward. The face west of it is on the left of the
    // last one counterclockwise from straight down; sorted from the positive x axis, that is the last below half a
    // turn.
    const outer = cycle[lastBeforeWest(lines, start, out, vertex)];
    const west = lines.westOf(vertex, isLine);
    if (west < 0) {
      holders[outer] = [];
      isOuter[outer] = 1;
    } else {
      // The face east of that segment is on the left of the half-edge that walks it downward.
      const [lower] = lines.upward(west);
      around[outer] = cycle[lower === lines.a.data[west] ? 2 * west + 1 : 2 * west];
      holders[outer] = holders[around[outer]];
    }
    const stack = [outer];
    for (let c = stack.pop(); c !== undefined; c = stack.pop()) {
      let h = first[c];
      do {
        const across = cycle[h ^ 1];
        if (holders[across] === undefined) {
          holders[across] = toggled(holders[c], borders, h >> 1);
          stack.push(across);
        }
        h = nextOnCycle(faces as Faces, lines, h);
      } while (h !== first[c]);
    }
  }
  return { holders, isOuter, around };
}

/** `holders`, with the features whose border has segment s added or removed. */
function toggled(holders: readonly number[], borders: Borders, s: number): readonly number[] {
  const set = new Set(holders);
  for (let k = borders.start[s]; k < borders.start[s + 1]; k++) {
    const feature = borders.features[k];
    if (!set.delete(feature)) set.add(feature);
  }
  return [...set].sort((f, g) => f - g);
}

/** The westernmost vertex (on ties the southernmost) of every connected component, from west to east. */
function westernmost(lines: Linework, faces: Pick<Faces, 'start' | 'out'>): number[] {
  const { x, y } = lines;
  const { start, out } = faces;
  const isSeen = new Uint8Array(x.length);
  const before = (v: number, w: number) => x.data[v] - x.data[w] || y.data[v] - y.data[w];
  const found: number[] = [];
  const stack: number[] = [];
  for (let v = 0; v < x.length; v++) {
    if (isSeen[v] === 1 || start[v + 1] === start[v]) continue;
    let best = v;
    isSeen[v] = 1;
    stack.push(v);
    for (let w = stack.pop(); w !== undefined; w = stack.pop()) {
      if (before(w, best) < 0) best = w;
      for (let at = start[w]; at < start[w + 1]; at++) {
        const next = originOf(lines, out[at] ^ 1);
        if (isSeen[next] === 1) continue;
        isSeen[next] = 1;
        stack.push(next);
      }
    }
    found.push(best);
  }
  return found.sort(before);
}

/** The last counterclockwise half-edge, before the direction west, that leaves a westernmost vertex. */
function lastBeforeWest(lines: Linework, start: Int32Array, out: Int32Array, vertex: number): number {
  // Sorted counterclockwise from east: first those that go up, then (past west) those that go down.
  const list = out.subarray(start[vertex], start[vertex + 1]);
  const rises = (h: number) => lines.y.data[originOf(lines, h ^ 1)] >= lines.y.data[vertex];
  let last = -1;
  for (const h of list) if (rises(h)) last = h;
  return last >= 0 ? last : list[list.length - 1];
}

/** Radius in meters of the sphere with the surface area of WGS 84. */
const RADIUS = 6_371_007.18;
const RADIANS = Math.PI / 180 / 1e7;

/**
 * A cycle's doubled signed planar area (positive: counterclockwise) and its length, in units, and its area on the
 * sphere in m2.
 */
export function measure(
  lines: Linework,
  faces: Faces,
  cycle: number,
): { doubleArea: number; length: number; m2: number } {
  const { x, y } = lines;
  const origin = originOf(lines, faces.first[cycle]);
  const sine = (v: number) => Math.sin(y.data[v] * RADIANS);
  const base = sine(origin);
  let doubleArea = 0;
  let length = 0;
  let zone = 0;
  let h = faces.first[cycle];
  let above = 0;
  do {
    const p = originOf(lines, h);
    const q = originOf(lines, h ^ 1);
    const px = x.data[p] - x.data[origin];
    const py = y.data[p] - y.data[origin];
    const qx = x.data[q] - x.data[origin];
    const qy = y.data[q] - y.data[origin];
    doubleArea += px * qy - qx * py;
    length += Math.hypot(qx - px, qy - py);
    const next = sine(q) - base;
    zone -= (qx - px) * (above + next);
    above = next;
    h = nextOnCycle(faces, lines, h);
  } while (h !== faces.first[cycle]);
  return { doubleArea, length, m2: (zone / 2) * RADIANS * RADIUS * RADIUS };
}

/**
 * The rings of a feature, given as the half-edges with the feature on their left. At a vertex the walk continues with
 * the first such half-edge clockwise from the reverse (the same sector of the interior), and is cut whenever it reaches
 * a vertex again. So every ring is simple, and no ring divides the interior of another.
 * @param isOn per half-edge, 1 when it is one of the feature's; cleared by the walk
 * @returns closed walks of vertices, the first not repeated
 */
export function walkRings(lines: Linework, faces: Faces, edges: Ints, isOn: Uint8Array): number[][] {
  const rings: number[][] = [];
  const position = new Map<number, number>();
  for (let i = 0; i < edges.length; i++) {
    let h = edges.data[i];
    if (isOn[h] === 0) continue;
    const walk: number[] = [];
    position.clear();
    while (isOn[h] === 1) {
      isOn[h] = 0;
      const vertex = originOf(lines, h);
      const earlier = position.get(vertex);
      if (earlier !== undefined) {
        const loop = walk.splice(earlier);
        for (const v of loop) position.delete(v);
        rings.push(loop);
      }
      position.set(vertex, walk.length);
      walk.push(vertex);
      h = nextOfFeature(lines, faces, isOn, h);
    }
    if (walk.length > 0) rings.push(walk);
  }
  return rings;
}

/** The feature's next half-edge after h; h itself (already walked) when the walk is closed. */
function nextOfFeature(lines: Linework, faces: Faces, isOn: Uint8Array, h: number): number {
  const back = h ^ 1;
  const vertex = originOf(lines, back);
  const from = faces.start[vertex];
  const degree = faces.start[vertex + 1] - from;
  for (let step = 1; step < degree; step++) {
    const candidate = faces.out[from + ((faces.place[back] - from - step + degree) % degree)];
    if (isOn[candidate] !== 0) return candidate;
  }
  return h;
}

/** A walk of vertices as a closed ring in 1e-7 degrees. */
export function coordinates(lines: Linework, ring: readonly number[]): Coords {
  const out = new Int32Array(2 * ring.length + 2);
  for (let i = 0; i <= ring.length; i++) {
    out[2 * i] = lines.x.data[ring[i % ring.length]];
    out[2 * i + 1] = lines.y.data[ring[i % ring.length]];
  }
  return out;
}
