/** The connected regions of the plane that the same features of a clean coverage hold, or none of them. */
import type { Coords } from '../contract.ts';
import { coordinates, type Faces, nextOnCycle, originOf, traceFaces, walkRings } from './clean_faces.ts';
import { Ints, Linework } from './clean_lines.ts';
import { nodeLinework } from './clean_nodes.ts';
import { type CoverageFeature, expand, holdersOf, readRings } from './clean_read.ts';
import { METERS_PER_UNIT } from './levels.ts';
import { widthAt } from './official_borders.ts';

/** A connected region that is bounded. */
export interface Region {
  /** The features that hold it, in ascending order. */
  readonly holders: readonly number[];
  /** The shell counterclockwise, then the holes clockwise; all simple and closed, in 1e-7 degrees. */
  readonly rings: readonly Coords[];
  /** Meters of its border by the feature on the other side. */
  readonly beside: ReadonlyMap<number, number>;
}

/**
 * The bounded regions that are wanted, by who holds them. A region is a face of the borders of all features: what lies
 * within it (an island in a lake) is not a part of it, however often that repeats.
 * @throws Error when the borders do not meet at common vertices only, as those of a clean coverage do
 */
export function regionsOf(
  features: readonly CoverageFeature[],
  isWanted: (holders: readonly number[]) => boolean,
): Region[] {
  const lines = new Linework(features.flatMap(({ rings }) => rings));
  const read = readRings(lines, features);
  if (nodeLinework(lines).length > 0) throw new Error('the coverage is not clean');
  const faces = traceFaces(lines, expand(lines, read, features.length).borders);
  const holders = holdersOf(faces, read);
  const cyclesOf = new Map<number, number[]>();
  const faceOf = facesOf(faces);
  for (let c = 0; c < faces.first.length; c++) {
    if (!isWanted(holders[c])) continue;
    const face = faceOf[c];
    if (faces.isOuter[face] === 1) continue;
    const cycles = cyclesOf.get(face);
    if (cycles === undefined) cyclesOf.set(face, [c]);
    else cycles.push(c);
  }
  const isOn = new Uint8Array(2 * lines.a.length);
  const regions: Region[] = [];
  for (const cycles of cyclesOf.values()) {
    const beside = new Map<number, number>();
    const edges = new Ints(64);
    for (const c of cycles) {
      let h = faces.first[c];
      do {
        edges.push(h);
        isOn[h] = 1;
        const meters = lengthOf(lines, originOf(lines, h), originOf(lines, h ^ 1));
        for (const f of holders[faces.cycle[h ^ 1]]) beside.set(f, (beside.get(f) ?? 0) + meters);
        h = nextOnCycle(faces, lines, h);
      } while (h !== faces.first[c]);
    }
    const rings = walkRings(lines, faces, edges, isOn).map((ring) => coordinates(lines, ring));
    // The one that goes around all others counts as positive, and is the largest.
    const sizes = rings.map(doubleArea);
    const shell = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size)));
    regions.push({ holders: holders[cycles[0]], rings: [rings[shell], ...rings.toSpliced(shell, 1)], beside });
  }
  return regions;
}

/** Per cycle, the cycle that stands for its face: the last of those around it. */
function facesOf({ around }: Faces): Int32Array {
  const face = around.map((other, c) => (other < 0 ? c : other));
  for (let c = 0; c < face.length; c++) {
    let last = c;
    while (face[last] !== last) last = face[last];
    for (let at = c; at !== last; ) {
      const next = face[at];
      face[at] = last;
      at = next;
    }
  }
  return face;
}

function lengthOf({ x, y }: Linework, from: number, to: number): number {
  const wide = (x.data[to] - x.data[from]) * widthAt(y.data[to]);
  return Math.hypot(wide, (y.data[to] - y.data[from]) * METERS_PER_UNIT);
}

/** Twice the signed planar area of a closed ring. */
function doubleArea(ring: Coords): number {
  let sum = 0;
  for (let i = 2; i < ring.length; i += 2) {
    const [px, py] = [ring[i - 2] - ring[0], ring[i - 1] - ring[1]];
    sum += px * (ring[i + 1] - ring[1]) - (ring[i] - ring[0]) * py;
  }
  return sum;
}
