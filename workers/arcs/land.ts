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
import type { Break } from './coast_breaks.ts';
import { closeGaps, type Gap } from './coast_gaps.ts';
import {
  brokenFaces,
  CONTRADICTION,
  faceStates,
  heldFaces,
  joinedFaces,
  type KnownOfBoundaries,
  LAND,
  statesOfPolygons,
  UNCOVERED,
  WATER,
} from './land_faces.ts';

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
  /** What is known of boundaries besides; not used with polygons. */
  readonly known?: KnownOfBoundaries;
}

/** The land and the water of a boundary: closed rings, empty without any; or a place (1e-7 degrees) that is unknown. */
export type LandOfBoundary =
  | { readonly land: readonly Int32Array[]; readonly water: readonly Int32Array[] }
  | { readonly unknown: readonly [x: number, y: number]; readonly why: WhyUnknown };

/** Why land is unknown: no coast decides; the coast says both; what is beside may end at a coast that is not there. */
export type WhyUnknown = 'open' | 'broken' | 'uncovered';

export interface LandResult {
  readonly boundaries: readonly LandOfBoundary[];
  /** The gaps of the coast that were closed. */
  readonly gaps: readonly Gap[];
}

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
  const broken = task.isPolygons
    ? new Map<number, Break>()
    : brokenFaces(lines, coast, faces, { face, isHeld, isCoast });
  const state = task.isPolygons
    ? statesOfPolygons(faces, face, isCoast)
    : faceStates(faces, {
        face,
        isHeld,
        isCoast,
        broken,
        ...(task.known && { known: task.known }),
      });
  const placeOf = (c: number): readonly [number, number] => {
    const at = broken.get(face[c]);
    if (at !== undefined) return [Math.round(at.x), Math.round(at.y)];
    const v = originOf(lines, faces.first[c]);
    return [lines.x.data[v], lines.y.data[v]];
  };
  return { boundaries: landOfEach(lines, faces, { face, state, placeOf }, count), gaps };
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
  const out = new Int32Array(lines.a.length);
  for (const chain of coast) {
    for (const ref of chain) {
      eachPiece(lines, ref, (piece) => {
        const s = piece < 0 ? ~piece : piece;
        // A line that is walked both ways has the same on its two sides.
        out[s] += piece < 0 ? -1 : 1;
      });
    }
  }
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

/** Per cycle its face, what that is, and a place of it: where it is broken, if it is. */
interface StatesOfFaces {
  readonly face: Int32Array;
  readonly state: Uint8Array;
  readonly placeOf: (cycle: number) => readonly [x: number, y: number];
}

/** The land and the water of each boundary, from what its faces are. */
function landOfEach(
  lines: Linework,
  faces: Faces,
  { face, state, placeOf }: StatesOfFaces,
  count: number,
): LandOfBoundary[] {
  const { holders } = faces;
  const unknown: (LandOfBoundary | undefined)[] = new Array(count);
  for (let c = 0; c < face.length; c++) {
    const what = state[face[c]];
    if (what === LAND || what === WATER) continue;
    for (const b of holders[c]) {
      if (b < count && (unknown[b] === undefined || what === CONTRADICTION)) {
        const why = what === CONTRADICTION ? 'broken' : what === UNCOVERED ? 'uncovered' : 'open';
        unknown[b] = { unknown: placeOf(c), why };
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
