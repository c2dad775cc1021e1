/** What the faces between borders and the coast are: land, water, or not known. */
import type { Faces } from './clean_faces.ts';
import type { Linework } from './clean_lines.ts';
import { type Break, BreakIndex, breaksOf } from './coast_breaks.ts';
import { crossingsOf } from './coast_crossings.ts';

/** What a face is. UNKNOWN: no coast decides; CONTRADICTION: its coast says both. */
const UNKNOWN = 0;
export const LAND = 1;
export const WATER = 2;
export const CONTRADICTION = 3;
/** No coast is in it, and it may be by a coast that is not there. */
export const UNCOVERED = 4;

/** What is known of boundaries besides their borders and the coast, each by its number. */
export interface KnownOfBoundaries {
  /** LAND or WATER where all of it is known to be that, otherwise 0. */
  readonly parts: Uint8Array;
  /** 1 when the coast is known to have all lines in it. */
  readonly isCovered: Uint8Array;
  /** 1 when no other boundary is beside some of its border: only then it may be by a coast that is not there. */
  readonly isOpen: Uint8Array;
}

/** Per cycle, the number of its face: the cycles around the islands of a face are of that face. */
export function joinedFaces({ first, around, isOuter }: Faces): Int32Array {
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
export interface HeldFaces {
  /** Per cycle, its face. */
  readonly face: Int32Array;
  /** Per face, 1 when a boundary holds it. */
  readonly isHeld: Uint8Array;
  readonly isCoast: Int32Array;
}

/** Per face, 1 when one of the first `count` boundaries holds it. `face` is that of each cycle. */
export function heldFaces({ holders }: Faces, face: Int32Array, count: number): Uint8Array {
  const isHeld = new Uint8Array(face.length);
  for (let c = 0; c < face.length; c++) if (holders[c].some((b) => b < count)) isHeld[face[c]] = 1;
  return isHeld;
}

/** The faces that come to where the coast within boundaries is broken, with that place. */
export function brokenFaces(
  lines: Linework,
  coast: readonly Int32Array[],
  { cycle }: Faces,
  { face, isHeld, isCoast }: HeldFaces,
): ReadonlyMap<number, Break> {
  const broken = new Map<number, Break>();
  // Ends at the edge of all boundaries, as at the antimeridian, are none: nothing is known beyond.
  const isOutside = new Uint8Array(lines.x.length);
  for (let s = 0; s < isCoast.length; s++) {
    if (cycle[2 * s] < 0 || (isHeld[face[cycle[2 * s]]] === 1 && isHeld[face[cycle[2 * s + 1]]] === 1)) continue;
    isOutside[lines.a.data[s]] = 1;
    isOutside[lines.b.data[s]] = 1;
  }
  const ends = breaksOf(lines, coast, (vertex) => isOutside[vertex] === 0);
  const breaks = new BreakIndex([...ends, ...crossingsOf(lines, coast, isCoast)]);
  for (let s = 0; s < isCoast.length && breaks.size > 0; s++) {
    if (cycle[2 * s] < 0) continue;
    const [a, b] = [lines.a.data[s], lines.b.data[s]];
    const met = breaks.metBy([lines.x.data[a], lines.y.data[a]], [lines.x.data[b], lines.y.data[b]]);
    if (met === null) continue;
    for (const c of [cycle[2 * s], cycle[2 * s + 1]]) if (isHeld[face[c]] === 1) broken.set(face[c], met);
  }
  return broken;
}

/**
 * Per face, what it is. A face without coast is what those beside it are, unless its boundaries may be by a coast that is
 * not there: they have no coast at all, are not known to be covered, and nothing is beside some of their border.
 */
export function faceStates(
  faces: Faces,
  {
    face,
    isHeld,
    isCoast,
    broken,
    known,
  }: HeldFaces & { readonly broken: ReadonlyMap<number, Break>; readonly known?: KnownOfBoundaries },
): Uint8Array {
  const { cycle } = faces;
  const own = new Uint8Array(face.length);
  for (let s = 0; s < isCoast.length; s++) {
    if (isCoast[s] === 0 || cycle[2 * s] < 0) continue;
    own[face[cycle[2 * s]]] |= isCoast[s] > 0 ? LAND : WATER;
    own[face[cycle[2 * s + 1]]] |= isCoast[s] > 0 ? WATER : LAND;
  }
  // Where the coast is broken, what is left of it says nothing. Where none is between two faces that differ, a part of it
  // is missing at their border.
  const bad = new Uint8Array(face.length);
  for (const f of broken.keys()) bad[f] = 1;
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
  const isUncovered = known && uncoveredFaces(faces, { face, isHeld, isCoast }, own, known);
  if (known) takeKnown(faces, face, own, known.parts);
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
  for (let f = 0; f < state.length; f++) {
    if (own[f] !== UNKNOWN || isHeld[f] === 0) continue;
    const what = taken[find(f)];
    state[f] = what !== UNKNOWN && isUncovered?.[f] === 1 ? UNCOVERED : what;
  }
  return state;
}

/** Gives faces without coast what is known of all of a boundary that holds them. */
function takeKnown({ holders }: Faces, face: Int32Array, own: Uint8Array, parts: Uint8Array): void {
  const isBare = own.map((what) => (what === UNKNOWN ? 1 : 0));
  for (let c = 0; c < face.length; c++)
    if (isBare[face[c]] === 1) for (const b of holders[c]) if (b < parts.length) own[face[c]] |= parts[b];
}

/** Per face, 1 when the boundaries that hold it may be by a coast that is not there. */
function uncoveredFaces(
  { cycle, holders }: Faces,
  { face, isHeld, isCoast }: HeldFaces,
  own: Uint8Array,
  { isCovered, isOpen }: KnownOfBoundaries,
): Uint8Array {
  const count = isCovered.length;
  // Beside land that the coast is around, nothing is missing.
  const isBesideNothing = new Uint8Array(count);
  for (let h = 0; h < 2 * isCoast.length; h++) {
    const [c, other] = [cycle[h], cycle[h ^ 1]];
    if (c < 0 || isHeld[face[c]] === 0 || isHeld[face[other]] === 1 || own[face[other]] === LAND) continue;
    for (const b of holders[c]) if (b < count) isBesideNothing[b] = 1;
  }
  const isSure = isCovered.slice();
  for (let c = 0; c < face.length; c++)
    if (own[face[c]] !== UNKNOWN) for (const b of holders[c]) if (b < count) isSure[b] = 1;
  const out = new Uint8Array(face.length);
  const isSureFace = new Uint8Array(face.length);
  for (let c = 0; c < face.length; c++) {
    for (const b of holders[c]) {
      if (b >= count) continue;
      if (isSure[b] === 1) isSureFace[face[c]] = 1;
      else if (isOpen[b] === 1 && isBesideNothing[b] === 1) out[face[c]] = 1;
    }
  }
  for (let f = 0; f < out.length; f++) if (isSureFace[f] === 1) out[f] = 0;
  return out;
}

/** Per face, what it is by the number of polygons that hold it: outside of all, none does. */
export function statesOfPolygons({ cycle, isOuter }: Faces, face: Int32Array, isCoast: Int32Array): Uint8Array {
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
