import { createHash } from 'node:crypto';
import { type ArcTable, FULL, type Polygons, type Rings } from './contract.ts';
import { arcArea, ringsArea } from './kernels/area.ts';
import { ringsBox } from './kernels/box.ts';
import { insideCentre } from './kernels/centre.ts';
import { findConflicts } from './kernels/conflicts.ts';
import { cutChains } from './kernels/cut.ts';
import { layOut } from './kernels/layout.ts';
import { assembleRings } from './kernels/rings.ts';
import { tierArcs } from './kernels/simplify.ts';
import type { BuildResult, BuildTask, BuiltArcs, BuiltBoundary } from './tasks.ts';
import { polygonsToEwkb } from './wkb.ts';

type Conflict = BuildResult['conflicts'][number];
type Assembled = { rings: Rings } | { trouble: string; x: number; y: number };

/**
 * From chains of vertices to everything that is stored of them: arcs cut at every junction, the rings of each
 * boundary (or why it has none), the arcs that meet other than at ends, the weights of every vertex, areas, boxes and
 * centres. Pure: the caller says which chains touch each other by giving them all.
 */
export function buildArrangement(task: BuildTask): BuildResult {
  const cut = cutChains(task.chains);
  const whole = tableOfArcs(cut.arcs);
  const storedArcs = new Uint8Array(cut.arcs.length);
  for (let c = task.storedFrom; c < task.chains.length; c++) for (const ref of cut.refs[c]) storedArcs[arcOf(ref)] = 1;
  const conflicts = findConflicts(whole, storedArcs.map((stored) => 1 - stored) as Uint8Array);

  const assembled = assembleAll(task, whole, cut.refs, conflicts);
  const live = new Uint8Array(storedArcs);
  for (const one of assembled) if ('rings' in one) for (const ref of one.rings.refs) live[arcOf(ref)] = 1;

  // Only arcs that a boundary uses are kept; everything from here on is numbered among them.
  const renumbered = new Int32Array(cut.arcs.length).fill(-1);
  const kept: number[] = [];
  for (let i = 0; i < cut.arcs.length; i++) {
    if (live[i]) {
      renumbered[i] = kept.length;
      kept.push(i);
    }
  }
  const renumber = (ref: number) => (ref < 0 ? ~renumbered[~ref] : renumbered[ref]);
  const renumberRings = (rings: Rings): Rings => ({ ...rings, refs: rings.refs.map(renumber) });
  const rings = assembled.map((one) => ('rings' in one ? renumberRings(one.rings) : null));
  const standing = task.standing.map((one) => ({
    adminLevel: one.adminLevel,
    ...expandRings(one.rings, cut.refs, renumber),
  }));

  const arcs = describeArcs(
    kept.map((i) => cut.arcs[i]),
    kept,
    cut.hashes,
  );
  const tiers = tierArcs({
    coords: arcs.coords,
    first: arcs.first,
    length: arcs.length,
    boundaries: [
      ...rings.flatMap((one, i) => (one ? [{ ...one, adminLevel: task.boundaries[i].adminLevel }] : [])),
      ...standing,
    ],
  });
  const built: BuiltArcs = { ...arcs, weights: tiers.weights, ends: tiers.ends, exact: tiers.exact };
  return {
    arcs: built,
    chainArcs: cut.refs.map((refs) => refs.filter((ref) => live[arcOf(ref)] === 1).map(renumber)),
    boundaries: assembled.map((one, i) => {
      const ringsOfOne = rings[i];
      return ringsOfOne ? describeBoundary(built, ringsOfOne) : (one as { trouble: string; x: number; y: number });
    }),
    conflicts: conflicts
      .filter(({ a, b }) => live[a] && live[b])
      .map((conflict) => ({ ...conflict, a: renumbered[conflict.a], b: renumbered[conflict.b] })),
  };
}

const arcOf = (ref: number) => (ref < 0 ? ~ref : ref);

/** Arcs as a table that has only what cutting and assembling need. */
function tableOfArcs(arcs: readonly Int32Array[]): ArcTable {
  const first = new Uint32Array(arcs.length);
  const length = new Uint32Array(arcs.length);
  const box = new Int32Array(4 * arcs.length);
  let vertices = 0;
  arcs.forEach((arc, i) => {
    first[i] = vertices;
    length[i] = arc.length / 2;
    vertices += length[i];
  });
  const coords = new Int32Array(2 * vertices);
  arcs.forEach((arc, i) => {
    coords.set(arc, 2 * first[i]);
    box.set(boxOf(arc), 4 * i);
  });
  return {
    coords,
    weights: new Uint8Array(0),
    first,
    length,
    box,
    area: new Float64Array(0),
    turn: new Float64Array(0),
    ends: new Uint16Array(0),
    exact: new Uint16Array(0),
  };
}

function boxOf(arc: Int32Array): [number, number, number, number] {
  let [west, south, east, north] = [arc[0], arc[1], arc[0], arc[1]];
  for (let i = 2; i < arc.length; i += 2) {
    if (arc[i] < west) west = arc[i];
    if (arc[i] > east) east = arc[i];
    if (arc[i + 1] < south) south = arc[i + 1];
    if (arc[i + 1] > north) north = arc[i + 1];
  }
  return [west, south, east, north];
}

/** The rings of every boundary of the task, or why it has none: arcs that cross break it, as they break libosmium's. */
function assembleAll(
  task: BuildTask,
  table: ArcTable,
  chainRefs: readonly Int32Array[],
  conflicts: readonly Conflict[],
): Assembled[] {
  const partners = new Map<number, Conflict[]>();
  for (const conflict of conflicts) {
    for (const arc of new Set([conflict.a, conflict.b])) {
      const list = partners.get(arc);
      if (list) list.push(conflict);
      else partners.set(arc, [conflict]);
    }
  }
  return task.boundaries.map(({ chains }) => {
    const uses: number[] = [];
    for (const chain of chains) for (const ref of chainRefs[chain]) uses.push(arcOf(ref));
    const odd = oddOnes(uses);
    for (const arc of odd) {
      for (const { a, b, kind, x, y } of partners.get(arc) ?? []) {
        if (odd.has(a) && odd.has(b)) return { trouble: REASONS[kind], x, y };
      }
    }
    const result = assembleRings(table, Int32Array.from(uses));
    if ('rings' in result) return result;
    return { trouble: result.trouble.reason, x: result.trouble.x, y: result.trouble.y };
  });
}

const REASONS = {
  cross: 'its ways cross',
  touch: 'one of its ways touches another without a common node',
  overlap: 'its ways run over each other',
} as const;

/** The arcs used an odd number of times: equal segments cancel in pairs. */
function oddOnes(uses: readonly number[]): Set<number> {
  const odd = new Set<number>();
  for (const arc of uses) if (!odd.delete(arc)) odd.add(arc);
  return odd;
}

/** Rings whose references are chains (stored arcs), as rings of what those chains were cut into. */
function expandRings(rings: Rings, chainRefs: readonly Int32Array[], renumber: (ref: number) => number): Rings {
  const refs: number[] = [];
  const ringEnd = new Uint32Array(rings.ringEnd.length);
  let at = 0;
  rings.ringEnd.forEach((end, r) => {
    for (; at < end; at++) for (const ref of expandRef(rings.refs[at], chainRefs)) refs.push(renumber(ref));
    ringEnd[r] = refs.length;
  });
  return { refs: Int32Array.from(refs), ringEnd, polygonEnd: rings.polygonEnd };
}

/** The arcs that a walk along a chain, forward or backward, is now made of. */
export function expandRef(ref: number, chainRefs: readonly Int32Array[]): Int32Array {
  return ref < 0 ? chainRefs[~ref].map((arc) => ~arc).reverse() : chainRefs[ref];
}

function describeArcs(
  arcs: readonly Int32Array[],
  kept: readonly number[],
  hashes: Uint8Array,
): Omit<BuiltArcs, 'weights' | 'ends' | 'exact'> {
  const { coords, first, length, box } = tableOfArcs(arcs);
  const area = new Float64Array(arcs.length);
  const turn = new Float64Array(arcs.length);
  const keptHashes = new Uint8Array(16 * arcs.length);
  kept.forEach((original, i) => {
    keptHashes.set(hashes.subarray(16 * original, 16 * original + 16), 16 * i);
    ({ area: area[i], turn: turn[i] } = arcArea(coords, first[i], length[i]));
  });
  return { coords, first, length, box, area, turn, hashes: keptHashes };
}

function describeBoundary(arcs: BuiltArcs, rings: Rings): BuiltBoundary {
  const full = layOut(arcs, rings, FULL, 0);
  const box = ringsBox(arcs, rings);
  if (!box) throw new Error('an assembled boundary has no extent');
  return {
    rings,
    areaKm2: ringsArea(arcs, rings) / 1e6,
    box,
    centre: insideCentre(full),
    geometryHash: geometryHash(full),
    ewkb: polygonsToEwkb(full),
  };
}

/** SHA-256 over the canonical rings: each from its smallest vertex on, all in order, so that no cut of arcs shows. */
export function geometryHash(polygons: Polygons): Uint8Array {
  const digests: string[] = [];
  let from = 0;
  for (const end of polygons.ringEnd) {
    const ring = polygons.coords.subarray(2 * from, 2 * end - 2);
    let smallest = 0;
    for (let i = 2; i < ring.length; i += 2) {
      if (ring[i] < ring[smallest] || (ring[i] === ring[smallest] && ring[i + 1] < ring[smallest + 1])) smallest = i;
    }
    const hash = createHash('sha256');
    hash.update(bytesOf(ring.subarray(smallest))).update(bytesOf(ring.subarray(0, smallest)));
    digests.push(hash.digest('hex'));
    from = end;
  }
  return createHash('sha256').update(digests.sort().join()).digest();
}

const bytesOf = (ints: Int32Array) => new Uint8Array(ints.buffer, ints.byteOffset, ints.byteLength);
