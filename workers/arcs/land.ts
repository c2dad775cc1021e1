/**
 * The land and the water of boundaries: their borders and the coast are noded together on the integer grid, so that all levels
 * share every junction. Each face of that linework is land or water by the direction of the coast on its edge. A face
 * without coast is what the faces beside it are, as a border alone changes nothing. Where the coast contradicts itself
 * (a gap, a wrong direction), the face is unknown, and so is every boundary that holds it; nothing spreads from it.
 */
import type { Coords } from '../contract.ts';
import { type Borders, type Faces, originOf, traceFaces, walkRings } from './clean_faces.ts';
import { Ints, Linework } from './clean_lines.ts';
import { nodeLinework } from './clean_nodes.ts';
import { BreakIndex, breaksOf } from './coast_breaks.ts';
import { closeGaps, type Gap } from './coast_gaps.ts';

export interface LandTask {
  /** The arcs of the borders, each once. */
  readonly arcs: readonly Coords[];
  /** Per boundary, the arcs of its rings: those of boundary i end before `refEnd[i]`. */
  readonly refs: Uint32Array;
  readonly refEnd: Uint32Array;
  /** Coastlines, with land on their left and water on their right. */
  readonly coast: readonly Coords[];
  /** Whether the coast is the rings of polygons, all of them closed, which may overlap: what is in none is water. */
  readonly isPolygons: boolean;
  /** Gaps of the coast up to this length are closed, in meters. */
  readonly gapMeters: number;
}

/** The land and the water of a boundary: closed rings, empty without any; or a place (1e-7 degrees) that is unknown. */
export type LandOfBoundary =
  | { readonly land: readonly Int32Array[]; readonly water: readonly Int32Array[] }
  | { readonly unknown: readonly [x: number, y: number]; readonly contradiction: boolean };

export interface LandResult {
  readonly boundaries: readonly LandOfBoundary[];
  /** The gaps of the coast that were closed. */
  readonly gaps: readonly Gap[];
}

/** What a face is. UNKNOWN: no coast decides; CONTRADICTION: its coast says both. */
const UNKNOWN = 0;
const LAND = 1;
const WATER = 2;
const CONTRADICTION = 3;

/** The land and the water of each boundary. @throws Error when the linework cannot be noded */
export function landOf(task: LandTask): LandResult {
  const lines = new Linework([...task.arcs, ...task.coast]);
  const arcs = task.arcs.map((arc) => segmentsOf(lines, arc));
  const coast = task.coast.map((chain) => segmentsOf(lines, chain));
  const gaps = task.isPolygons ? [] : closeGaps(lines, coast, task.gapMeters);
  const left = nodeLinework(lines);
  if (left.length > 0) throw new Error('borders and the coast cannot be put on the grid together');
  const isCoast = coastSides(lines, coast);
  const borders = bordersOf(lines, task, arcs, isCoast);
  const faces = traceFaces(lines, borders);
  const count = task.refEnd.length;
  const face = joinedFaces(faces);
  const isHeld = heldFaces(faces, face, count);
  const state = task.isPolygons
    ? statesOfPolygons(faces, face, isCoast)
    : faceStates(faces, {
        face,
        isHeld,
        isCoast,
        isBroken: brokenFaces(lines, coast, faces, { face, isHeld, isCoast }),
      });
  return { boundaries: landOfEach(lines, faces, face, state, count), gaps };
}

/** The segments of a chain: s from its vertex a to b, ~s from b to a. */
function segmentsOf(lines: Linework, chain: Coords): Int32Array {
  const out = new Ints(Math.max(1, chain.length / 2));
  let last = lines.vertex(chain[0], chain[1]);
  for (let i = 2; i < chain.length; i += 2) {
    const next = lines.vertex(chain[i], chain[i + 1]);
    if (next === last) continue;
    out.push(signed(lines, lines.segment(last, next), last));
    last = next;
  }
  return out.data.slice(0, out.length);
}

const signed = (lines: Linework, s: number, from: number): number => (lines.a.data[s] === from ? s : ~s);

/** Calls `visit` for the segments that a segment was replaced by, in the direction of its reference. */
function eachPiece(lines: Linework, ref: number, visit: (ref: number) => void): void {
  const stack = [ref];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const path = lines.path.get(at < 0 ? ~at : at);
    if (path === undefined) {
      visit(at);
      continue;
    }
    const walk = at < 0 ? [...path].reverse() : path;
    for (let i = walk.length - 1; i > 0; i--)
      stack.push(signed(lines, lines.segment(walk[i - 1], walk[i]), walk[i - 1]));
  }
}

/**
 * Per segment, above 0 when land is on its left from a to b, below when it is on its right, 0 when it is not of the
 * coast: how often it is walked in that direction.
 */
function coastSides(lines: Linework, coast: readonly Int32Array[]): Int32Array {
  const sides = new Map<number, number>();
  for (const chain of coast) {
    for (const ref of chain) {
      eachPiece(lines, ref, (piece) => {
        const s = piece < 0 ? ~piece : piece;
        sides.set(s, (sides.get(s) ?? 0) + (piece < 0 ? -1 : 1));
      });
    }
  }
  const out = new Int32Array(lines.a.length);
  // A line that is walked both ways has the same on its two sides.
  for (const [s, sum] of sides) out[s] = sum;
  return out;
}

/** The boundaries that have each segment on their border, and for coast the number after the last boundary. */
function bordersOf(lines: Linework, task: LandTask, arcs: readonly Int32Array[], isCoast: Int32Array): Borders {
  const count = task.refEnd.length;
  const features = count + 1;
  const pieces = arcs.map((arc) => {
    const own: number[] = [];
    for (const ref of arc) eachPiece(lines, ref, (piece) => own.push(piece < 0 ? ~piece : piece));
    return own;
  });
  let total = 0;
  for (const ref of task.refs) total += pieces[ref].length;
  const keys = new Float64Array(total + isCoast.length);
  let filled = 0;
  for (let b = 0; b < count; b++) {
    for (let k = b === 0 ? 0 : task.refEnd[b - 1]; k < task.refEnd[b]; k++)
      for (const s of pieces[task.refs[k]]) keys[filled++] = s * features + b;
  }
  for (let s = 0; s < isCoast.length; s++) if (isCoast[s] !== 0) keys[filled++] = s * features + count;
  const sorted = keys.subarray(0, filled).sort();
  const start = new Int32Array(isCoast.length + 1);
  const list = new Ints(Math.max(1, filled));
  for (let from = 0, to = 0; from < filled; from = to) {
    while (to < filled && sorted[to] === sorted[from]) to++;
    if ((to - from) % 2 === 0) continue;
    const s = Math.floor(sorted[from] / features);
    start[s + 1]++;
    list.push(sorted[from] - s * features);
  }
  for (let s = 0; s < isCoast.length; s++) start[s + 1] += start[s];
  return { start, features: list.data.slice(0, list.length) };
}

/** Per cycle, the number of its face: the cycles around the islands of a face are of that face. */
function joinedFaces({ first, around, isOuter }: Faces): Int32Array {
  const parent = Int32Array.from(first, (_, c) => c);
  const find = (cycle: number): number => {
    let at = cycle;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  let outer = -1;
  for (let c = 0; c < parent.length; c++) {
    if (around[c] >= 0) parent[find(c)] = find(around[c]);
    else if (isOuter[c] === 1) {
      if (outer >= 0) parent[find(c)] = find(outer);
      outer = c;
    }
  }
  return parent.map((_, c) => find(c));
}

/** What is known of faces besides their sides. */
interface HeldFaces {
  /** Per cycle, its face. */
  readonly face: Int32Array;
  /** Per face, 1 when a boundary holds it. */
  readonly isHeld: Uint8Array;
  readonly isCoast: Int32Array;
}

function heldFaces({ holders }: Faces, face: Int32Array, count: number): Uint8Array {
  const isHeld = new Uint8Array(face.length);
  for (let c = 0; c < face.length; c++) if (holders[c].some((b) => b < count)) isHeld[face[c]] = 1;
  return isHeld;
}

/** Per face, 1 when it comes to where the coast within boundaries is broken. */
function brokenFaces(
  lines: Linework,
  coast: readonly Int32Array[],
  { cycle }: Faces,
  { face, isHeld, isCoast }: HeldFaces,
): Uint8Array {
  const isBroken = new Uint8Array(face.length);
  // Ends at the edge of all boundaries, as at the antimeridian, are none: nothing is known beyond.
  const isOutside = new Uint8Array(lines.x.length);
  for (let s = 0; s < isCoast.length; s++) {
    if (cycle[2 * s] < 0 || (isHeld[face[cycle[2 * s]]] === 1 && isHeld[face[cycle[2 * s + 1]]] === 1)) continue;
    isOutside[lines.a.data[s]] = 1;
    isOutside[lines.b.data[s]] = 1;
  }
  const breaks = new BreakIndex(breaksOf(lines, coast, (vertex) => isOutside[vertex] === 0));
  for (let s = 0; s < isCoast.length && breaks.size > 0; s++) {
    if (cycle[2 * s] < 0) continue;
    const [a, b] = [lines.a.data[s], lines.b.data[s]];
    if (!breaks.meets([lines.x.data[a], lines.y.data[a]], [lines.x.data[b], lines.y.data[b]])) continue;
    for (const c of [cycle[2 * s], cycle[2 * s + 1]]) if (isHeld[face[c]] === 1) isBroken[face[c]] = 1;
  }
  return isBroken;
}

/** Per face, what it is. */
function faceStates(
  { cycle }: Faces,
  { face, isHeld, isCoast, isBroken }: HeldFaces & { readonly isBroken: Uint8Array },
): Uint8Array {
  const own = new Uint8Array(face.length);
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] === 0 || cycle[2 * s] < 0) continue;
    own[face[cycle[2 * s]]] |= isCoast[s] > 0 ? LAND : WATER;
    own[face[cycle[2 * s + 1]]] |= isCoast[s] > 0 ? WATER : LAND;
  }
  // Where the coast is broken, what is left of it says nothing. Where none is between two faces that differ, a part of it
  // is missing at their border.
  const bad = isBroken.slice();
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] !== 0 || cycle[2 * s] < 0) continue;
    const [f, g] = [face[cycle[2 * s]], face[cycle[2 * s + 1]]];
    if (f === g || isHeld[f] === 0 || isHeld[g] === 0) continue;
    if ((own[f] | own[g]) !== CONTRADICTION || own[f] === CONTRADICTION || own[g] === CONTRADICTION) continue;
    bad[f] = 1;
    bad[g] = 1;
  }
  for (let f = 0; f < own.length; f++) if (bad[f] === 1) own[f] = CONTRADICTION;
  // Faces without coast, joined across borders, take what the held faces beside them are.
  const parent = Int32Array.from(face, (_, f) => f);
  const find = (f: number): number => {
    let at = f;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  const beside: [number, number][] = [];
  const state = own.slice();
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] !== 0 || cycle[2 * s] < 0) continue;
    const [f, g] = [face[cycle[2 * s]], face[cycle[2 * s + 1]]];
    if (f === g || isHeld[f] === 0 || isHeld[g] === 0) continue;
    if (own[f] === UNKNOWN && own[g] === UNKNOWN) parent[find(f)] = find(g);
    else if (own[f] === UNKNOWN) beside.push([f, own[g]]);
    else if (own[g] === UNKNOWN) beside.push([g, own[f]]);
  }
  const taken = new Uint8Array(face.length);
  for (const [f, what] of beside) if (what !== CONTRADICTION) taken[find(f)] |= what;
  for (let f = 0; f < state.length; f++) if (own[f] === UNKNOWN && isHeld[f] === 1) state[f] = taken[find(f)];
  return state;
}

/** Per face, what it is by the number of polygons that hold it: outside of all, none does. */
function statesOfPolygons({ cycle, isOuter }: Faces, face: Int32Array, isCoast: Int32Array): Uint8Array {
  const start = new Int32Array(face.length + 1);
  for (const c of cycle) if (c >= 0) start[face[c] + 1]++;
  for (let f = 0; f < face.length; f++) start[f + 1] += start[f];
  const edges = new Int32Array(start[face.length]);
  const filled = start.slice(0, -1);
  for (let h = 0; h < cycle.length; h++) if (cycle[h] >= 0) edges[filled[face[cycle[h]]]++] = h;
  const holds = new Int32Array(face.length);
  const isSeen = new Uint8Array(face.length);
  const outer = isOuter.indexOf(1);
  const stack = outer < 0 ? [] : [face[outer]];
  for (const f of stack) isSeen[f] = 1;
  for (let f = stack.pop(); f !== undefined; f = stack.pop()) {
    for (let at = start[f]; at < start[f + 1]; at++) {
      const h = edges[at];
      const across = face[cycle[h ^ 1]];
      if (isSeen[across] === 1) continue;
      isSeen[across] = 1;
      // Walked from a to b, the left side is held once more than the right one for each polygon.
      holds[across] = holds[f] + ((h & 1) === 0 ? -isCoast[h >> 1] : isCoast[h >> 1]);
      stack.push(across);
    }
  }
  return Uint8Array.from(holds, (n) => (n > 0 ? LAND : WATER));
}

/** The land and the water of each boundary, from what its faces are. */
function landOfEach(
  lines: Linework,
  faces: Faces,
  face: Int32Array,
  state: Uint8Array,
  count: number,
): LandOfBoundary[] {
  const { holders, first } = faces;
  const unknown: (LandOfBoundary | undefined)[] = new Array(count);
  for (let c = 0; c < face.length; c++) {
    const what = state[face[c]];
    if (what === LAND || what === WATER) continue;
    for (const b of holders[c]) {
      if (b < count && (unknown[b] === undefined || what === CONTRADICTION)) {
        const at = originOf(lines, first[c]);
        unknown[b] = { unknown: [lines.x.data[at], lines.y.data[at]], contradiction: what === CONTRADICTION };
      }
    }
  }
  const [land, water] = [LAND, WATER].map((what) =>
    ringsOfFaces(
      lines,
      faces,
      holders.map((list, c) => (state[face[c]] === what ? list : [])),
      count,
    ),
  );
  return land.map((rings, b) => unknown[b] ?? { land: rings, water: water[b] });
}

/** Per boundary, the rings around its part: the faces on the left of cycles that are `held` by it. */
function ringsOfFaces(
  lines: Linework,
  faces: Faces,
  held: readonly (readonly number[])[],
  count: number,
): Int32Array[][] {
  const { cycle } = faces;
  const edges = Array.from({ length: count }, () => new Ints(4));
  for (let h = 0; h < cycle.length; h++) {
    if (cycle[h] < 0) continue;
    const other = held[cycle[h ^ 1]];
    for (const b of held[cycle[h]]) if (b < count && !other.includes(b)) edges[b].push(h);
  }
  const isOn = new Uint8Array(cycle.length);
  return edges.map((own) => {
    for (let i = 0; i < own.length; i++) isOn[own.data[i]] = 1;
    return walkRings(lines, faces, own, isOn).map((walk) => {
      const ring = new Int32Array(2 * walk.length + 2);
      [...walk, walk[0]].forEach((v, i) => {
        ring.set([lines.x.data[v], lines.y.data[v]], 2 * i);
      });
      return ring;
    });
  });
}
