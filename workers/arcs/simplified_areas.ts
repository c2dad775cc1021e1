/** Simplifies areas that have coordinates but no stored arcs. What two areas share stays shared at every level. */

import { END_CLASSES, type Polygons, type Rings } from '../contract.ts';
import { addRoles, arcAreas, largestPart, noRoles } from './arrangement.ts';
import { cutChains } from './cut.ts';
import { noTiers, refineTiers } from './simplify.ts';

/** Vertices of arcs, with the first level that removes each. */
interface WeighedArcs {
  readonly coords: Int32Array;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly weights: Uint8Array;
}

/**
 * Simplifies areas together; null is an area without a shape. The borders are cut into arcs, one for all areas that
 * share it, and an arc loses the same vertices for all of them (arcs/simplify.ts). Areas that share every vertex of
 * a border before therefore share every vertex of it after, and no borders cross that did not cross before. Vertices
 * where three borders meet remain at every level. Islands smaller than the tolerance are removed, except the largest
 * part of an area.
 * @returns a function from a level (0 … 15, a tolerance of 2^level meters) to the areas, in the given order
 */
export function simplifiedTogether(areas: readonly (Polygons | null)[]): (level: number) => (Polygons | null)[] {
  const { arcs, refs } = cutChains(areas.flatMap((area) => (area ? ringsIn(area) : [])));
  let ring = 0;
  const shapes = areas.map((area): Rings | null => {
    if (area === null) return null;
    const own = refs.slice(ring, ring + area.ringEnd.length);
    ring += own.length;
    let count = 0;
    const ringEnd = area.ringEnd.map((_, r) => (count += own[r].length));
    const all = new Int32Array(count);
    own.forEach((walk, r) => void all.set(walk, r === 0 ? 0 : ringEnd[r - 1]));
    return { refs: all, ringEnd, polygonEnd: area.polygonEnd };
  });
  const weighed = weigh(arcs, shapes);
  return (level) => shapes.map((rings) => rings && materializeWeighed(weighed, rings, level));
}

const ringsIn = ({ coords, ringEnd }: Polygons): Int32Array[] =>
  Array.from(ringEnd, (end, r) => coords.subarray(r === 0 ? 0 : 2 * ringEnd[r - 1], 2 * end));

function weigh(arcs: readonly Int32Array[], shapes: readonly (Rings | null)[]): WeighedArcs {
  const first = new Uint32Array(arcs.length);
  const length = Uint32Array.from(arcs, (arc) => arc.length / 2);
  for (let i = 1; i < arcs.length; i++) first[i] = first[i - 1] + length[i - 1];
  const coords = new Int32Array(arcs.reduce((sum, arc) => sum + arc.length, 0));
  arcs.forEach((arc, i) => void coords.set(arc, 2 * first[i]));
  const roles = noRoles(arcs.length);
  const area = arcAreas(coords, first, length);
  for (const rings of shapes) {
    // One class for all arcs: here admin_level does not matter.
    if (rings) addRoles(roles, { ...rings, adminLevel: END_CLASSES }, largestPart(rings, area));
  }
  const tiers = noTiers(coords.length / 2, arcs.length);
  const todo = {
    todoWeights: new Uint8Array(arcs.length).fill(1),
    todoEnds: new Uint16Array(arcs.length),
    todoDigits: new Uint8Array(arcs.length),
  };
  refineTiers({ coords, first, length, ...roles, linked: null, known: null, ...todo }, tiers);
  return { coords, first, length, weights: tiers.weights };
}

/**
 * Rings as closed chains of the vertices that remain at a level. Collapsed rings are dropped; with a shell, its holes.
 */
function materializeWeighed(arcs: WeighedArcs, { refs, ringEnd, polygonEnd }: Rings, level: number): Polygons {
  let room = ringEnd.length;
  for (const ref of refs) room += arcs.length[ref < 0 ? ~ref : ref];
  const coords = new Int32Array(2 * room);
  const rings: number[] = [];
  const polygons: number[] = [];
  let at = 0;
  let ring = 0;
  for (const end of polygonEnd) {
    const shell = ring;
    let shellGone = false;
    for (; ring < end; ring++) {
      if (shellGone) continue;
      const start = at;
      for (let i = ring === 0 ? 0 : ringEnd[ring - 1]; i < ringEnd[ring]; i++)
        at = walk(arcs, refs[i], level, coords, at);
      if (at - start < 6) {
        at = start;
        if (ring === shell) shellGone = true;
        continue;
      }
      coords[at++] = coords[start];
      coords[at++] = coords[start + 1];
      rings.push(at / 2);
    }
    if (!shellGone) polygons.push(rings.length);
  }
  return { coords: coords.slice(0, at), ringEnd: Uint32Array.from(rings), polygonEnd: Uint32Array.from(polygons) };
}

/**
 * Appends the vertices of an arc that remain at a level, except the last of the walk; returns the next write position.
 */
function walk(
  { coords, first, length, weights }: WeighedArcs,
  ref: number,
  level: number,
  into: Int32Array,
  start: number,
): number {
  const arc = ref < 0 ? ~ref : ref;
  const last = first[arc] + length[arc] - 1;
  let at = start;
  for (let n = 0; n < length[arc] - 1; n++) {
    const v = ref < 0 ? last - n : first[arc] + n;
    if (weights[v] <= level) continue;
    into[at++] = coords[2 * v];
    into[at++] = coords[2 * v + 1];
  }
  return at;
}
