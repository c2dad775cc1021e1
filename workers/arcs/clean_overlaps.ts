/**
 * Decides which of the features that contain a face keep it. Two areas that truly overlap (postcodes, disputed places,
 * an enclave whose hole is not drawn) both keep the overlap. A sliver, which drawing and rounding leave between
 * neighbors, goes to one of them.
 */
import { arcArea } from './area.ts';
import { type Faces, measure, nextOnCycle, originOf } from './clean_faces.ts';
import type { Linework } from './clean_lines.ts';
import type { Slivers } from './slivers.ts';

/** A gap of at most this average width, in 1e-7 degrees (2 cm), is a rounding artifact. */
const GAP = 2;

/**
 * A face with more holders than this in one layer is not a rounding artifact, and has too many pairs to compare them
 * all.
 */
const MOST_HOLDERS = 8;

/** Two features of one layer that both keep their overlap, and its area. */
export interface KeptOverlap {
  /** Indexes of features, a < b. */
  readonly a: number;
  readonly b: number;
  /** Area in m2 on WGS 84. */
  readonly m2: number;
}

/** The decisions about the faces of one layer. */
export interface FaceOwners {
  /** Per cycle, the features that own its face afterward, ascending. */
  readonly owners: readonly (readonly number[])[];
  readonly kept: readonly KeptOverlap[];
}

/** Per feature of all layers, the area that it gives to others and takes over, in m2. */
export interface Ledger {
  readonly lost: Float64Array;
  readonly gained: Float64Array;
}

/** Connected faces that two features share. */
interface Shared {
  readonly a: number;
  readonly b: number;
  m2: number;
  /** Length of the border, in meters. */
  length: number;
  readonly cycles: number[];
}

/**
 * Decides the faces of one layer and adds to `ledger`. The smaller feature keeps a sliver (so an enclave keeps its
 * area), on ties the first; a feature that would lose more than its share to slivers loses none. A gap remains, unless
 * it is at most 2 units wide on average: then the neighbor with the longest common border gets it.
 */
export function decideOwners(
  lines: Linework,
  faces: Faces,
  holders: readonly (readonly number[])[],
  { areas, ledger, meters, share }: Slivers & { areas: Float64Array; ledger: Ledger },
): FaceOwners {
  const known = new Map<number, number>();
  const areaOf = (c: number): number => {
    const area = known.get(c) ?? cycleArea(lines, faces, c);
    known.set(c, area);
    return area;
  };
  const shared = sharedFaces(lines, faces, holders, { count: areas.length, areaOf });
  const isBefore = (f: number, g: number) => areas[f] < areas[g] || (areas[f] === areas[g] && f < g);
  const loserOf = ({ a, b }: Shared) => (isBefore(a, b) ? b : a);
  const slivers = shared.filter(
    ({ a, b, m2, length }) => 2 * m2 <= meters * length && m2 <= share * Math.min(areas[a], areas[b]),
  );
  const losses = new Map<number, number>();
  for (const one of slivers) losses.set(loserOf(one), (losses.get(loserOf(one)) ?? 0) + one.m2);
  const settled = new Set(
    slivers.filter((one) => {
      const loser = loserOf(one);
      return (losses.get(loser) as number) <= share * areas[loser];
    }),
  );
  const losersAt = new Map<number, [loser: number, winner: number][]>();
  for (const one of settled) {
    const loser = loserOf(one);
    for (const cycle of one.cycles) {
      const list = losersAt.get(cycle);
      const pair: [number, number] = [loser, loser === one.a ? one.b : one.a];
      if (list === undefined) losersAt.set(cycle, [pair]);
      else list.push(pair);
    }
  }
  const owners: (readonly number[])[] = holders.slice();
  for (const [cycle, pairs] of losersAt) {
    // Smallest loser first: a feature that has lost a face cannot win it from another.
    const out = new Set<number>();
    pairs.sort(([, f], [, g]) => (f === g ? 0 : isBefore(f, g) ? -1 : 1));
    for (const [loser, winner] of pairs) if (!out.has(winner)) out.add(loser);
    for (const f of out) ledger.lost[f] += areaOf(cycle);
    owners[cycle] = holders[cycle].filter((f) => !out.has(f));
  }
  closeGaps(lines, faces, owners, { areas, ledger, share });
  return { owners, kept: keptOverlaps(shared, settled) };
}

function keptOverlaps(shared: readonly Shared[], settled: ReadonlySet<Shared>): KeptOverlap[] {
  const pairs = new Map<string, { a: number; b: number; m2: number }>();
  for (const one of shared) {
    if (settled.has(one) || one.m2 <= 0) continue;
    const key = `${one.a} ${one.b}`;
    const pair = pairs.get(key);
    if (pair === undefined) pairs.set(key, { a: one.a, b: one.b, m2: one.m2 });
    else pair.m2 += one.m2;
  }
  return [...pairs.values()];
}

/**
 * The connected faces that pairs of features share. In a face with more than MOST_HOLDERS holders, only pairs with its
 * first holder are formed.
 */
function sharedFaces(
  lines: Linework,
  faces: Faces,
  holders: readonly (readonly number[])[],
  { count, areaOf }: { count: number; areaOf: (cycle: number) => number },
): Shared[] {
  const found: Shared[] = [];
  // Per pair of features, the cycles that both contain, and the shared faces to which each cycle was assigned.
  const cyclesOf = new Map<number, { a: number; b: number; cycles: Map<number, Shared | null> }>();
  for (let c = 0; c < holders.length; c++) {
    const own = holders[c];
    for (let i = 1; i < own.length; i++) {
      for (let k = 0; k < (own.length > MOST_HOLDERS ? 1 : i); k++) {
        const key = own[k] * count + own[i];
        let pair = cyclesOf.get(key);
        if (pair === undefined) {
          pair = { a: own[k], b: own[i], cycles: new Map() };
          cyclesOf.set(key, pair);
        }
        pair.cycles.set(c, null);
      }
    }
  }
  for (const { a, b, cycles } of cyclesOf.values()) {
    const insides = new Map<number, number[]>();
    for (const c of cycles.keys()) {
      const around = faces.around[c];
      if (around < 0 || !cycles.has(around)) continue;
      const list = insides.get(around);
      if (list === undefined) insides.set(around, [c]);
      else list.push(c);
    }
    for (const [start, part] of cycles) {
      if (part !== null) continue;
      const one: Shared = { a, b, m2: 0, length: 0, cycles: [] };
      cycles.set(start, one);
      const stack = [start];
      const reach = (c: number) => {
        if (cycles.get(c) !== null) return;
        cycles.set(c, one);
        stack.push(c);
      };
      for (let c = stack.pop(); c !== undefined; c = stack.pop()) {
        one.cycles.push(c);
        one.m2 += areaOf(c);
        // A face has several cycles: the one around it and those around islands in it.
        if (faces.around[c] >= 0) reach(faces.around[c]);
        for (const inside of insides.get(c) ?? []) reach(inside);
        let h = faces.first[c];
        do {
          const across = faces.cycle[h ^ 1];
          if (cycles.has(across)) reach(across);
          else one.length += lines.meters(originOf(lines, h), originOf(lines, h ^ 1));
          h = nextOnCycle(faces, lines, h);
        } while (h !== faces.first[c]);
      }
      found.push(one);
    }
  }
  return found;
}

/** The signed area of a cycle in m2 on WGS 84. */
function cycleArea(lines: Linework, faces: Faces, cycle: number): number {
  const ring: number[] = [];
  let h = faces.first[cycle];
  do {
    const v = originOf(lines, h);
    ring.push(lines.x.data[v], lines.y.data[v]);
    h = nextOnCycle(faces, lines, h);
  } while (h !== faces.first[cycle]);
  ring.push(ring[0], ring[1]);
  return -arcArea(Int32Array.from(ring), 0, ring.length / 2).area;
}

function closeGaps(
  lines: Linework,
  faces: Faces,
  owners: (readonly number[])[],
  { areas, ledger, share }: { areas: Float64Array; ledger: Ledger; share: number },
): void {
  for (let c = 0; c < owners.length; c++) {
    if (owners[c].length > 0 || faces.isOuter[c] === 1) continue;
    const { doubleArea, length, m2 } = measure(lines, faces, c);
    // A cycle with a negative area is the hole around an island: its face belongs to the cycle around it.
    if (doubleArea <= 0 || doubleArea > (GAP * length) / 2) continue;
    const owner = longestNeighbor(lines, faces, owners, c);
    if (owner < 0 || ledger.lost[owner] + ledger.gained[owner] + m2 > share * areas[owner]) continue;
    ledger.gained[owner] += m2;
    owners[c] = [owner];
  }
}

/** The owner of the longest part of a cycle's border; -1 when a gap is on the other side of a part of it. */
function longestNeighbor(lines: Linework, faces: Faces, owners: readonly (readonly number[])[], cycle: number): number {
  const shared = new Map<number, number>();
  let h = faces.first[cycle];
  do {
    const across = owners[faces.cycle[h ^ 1]];
    const p = originOf(lines, h);
    const q = originOf(lines, h ^ 1);
    const length = Math.hypot(lines.x.data[p] - lines.x.data[q], lines.y.data[p] - lines.y.data[q]);
    if (across.length === 0) return -1;
    for (const owner of across) shared.set(owner, (shared.get(owner) ?? 0) + length);
    h = nextOnCycle(faces, lines, h);
  } while (h !== faces.first[cycle]);
  let best = -1;
  for (const [owner, length] of shared) {
    if (best < 0 || length > shared.get(best)! || (length === shared.get(best) && owner < best)) best = owner;
  }
  return best;
}

/**
 * Correction for areas on the sphere, which exceed those on WGS 84 by up to 0.45 %: keeps the limits of shares
 * conservative.
 */
const AREA_CORRECTION = 0.995;

/** The area of each feature in m2, from the faces it contains: never above the true area, at most 1.4 % below. */
export function heldAreas(
  lines: Linework,
  faces: Faces,
  holders: readonly (readonly number[])[],
  count: number,
): Float64Array {
  const areas = new Float64Array(count);
  for (let c = 0; c < holders.length; c++) {
    if (holders[c].length === 0) continue;
    const { m2 } = measure(lines, faces, c);
    for (const f of holders[c]) areas[f] += AREA_CORRECTION * m2;
  }
  return areas;
}
