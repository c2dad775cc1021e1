import { createHash } from 'node:crypto';
import { arcArea, ringsArea } from './arcs/area.ts';
import { addRoles, arcAreas, largestPart, noRoles } from './arcs/arrangement.ts';
import { chainBox, ringsBox } from './arcs/box.ts';
import { insideCenter, type PlaceNodes } from './arcs/center.ts';
import { findConflicts, SEVERITY } from './arcs/conflicts.ts';
import { cutChains } from './arcs/cut.ts';
import { type JoinedArcs, joinArcs, NONE, VertexNumbers } from './arcs/join.ts';
import { materialize } from './arcs/layout.ts';
import { encodeAllCells } from './arcs/reach.ts';
import { assembleRings } from './arcs/rings.ts';
import { ALL_CLASSES, noTiers, refineTiers } from './arcs/simplify.ts';
import type {
  AssembledBoundary,
  AssembleResult,
  BuildResult,
  BuildTask,
  BuildTrouble,
  BuiltBoundary,
  DescribeTask,
  TierAllTask,
  TiersOfArcs,
} from './arrangement.ts';
import { describeTask, withDescriptions, withTiers } from './assembly.ts';
import { type ArcTable, FULL, type Polygons, type Rings } from './contract.ts';
import { polygonsToEwkb } from './wkb.ts';

type Conflict = AssembleResult['conflicts'][number];
type Assembled = { rings: Rings } | BuildTrouble;

/** The stored part of a task when nothing is stored. */
export const NOTHING_STORED: Pick<BuildTask, 'stored' | 'loose'> = {
  stored: { arcClass: new Uint8Array(0), main: new Uint8Array(0), conflicted: new Uint8Array(0) },
  loose: new Int32Array(0),
};

/**
 * Computes everything that is stored about chains of vertices: what assembleArrangement() returns, tiers as if no other
 * arcs existed, and areas, boxes and centers. An import does the last two at the same time, in two threads.
 */
export function buildArrangement(task: BuildTask): BuildResult {
  const assembled = assembleArrangement(task);
  const tiers = tierAll({ ...assembled, stored: new Uint8Array(assembled.arcs.first.length) });
  const described = describeAll(describeTask(assembled, task.boundaries));
  return { ...withTiers(assembled, tiers), boundaries: withDescriptions(assembled.boundaries, described) };
}

/**
 * Cuts chains of vertices into arcs from junction to junction and assembles the rings of each boundary (or says why it
 * has none). Also finds arcs that meet other than at their ends. Pure: the caller must give all chains that touch each
 * other.
 */
export function assembleArrangement(task: BuildTask): AssembleResult {
  const { chains, storedFrom, stored } = task;
  const cut = cutChains(chains, storedFrom);
  const whole = tableOfArcs(cut.arcs);
  const live = new Uint8Array(cut.arcs.length);
  const suspect = new Uint8Array(cut.arcs.length).fill(1);
  for (let c = storedFrom; c < chains.length; c++) {
    const refs = cut.refs[c];
    for (const ref of refs) live[arcOf(ref)] = 1;
    // Conflicts between two unchanged arcs are already stored.
    if (refs.length === 1 && stored.conflicted[c - storedFrom] === 0) suspect[arcOf(refs[0])] = 0;
  }
  const conflicts = findConflicts(whole, suspect);
  const assembled = assembleAll(task, whole, cut.refs, conflicts);
  for (const one of assembled) if ('rings' in one) for (const ref of one.rings.refs) live[arcOf(ref)] = 1;

  // From here on, only arcs that a boundary uses are kept, joined into longer arcs that end only where used arcs part.
  const joined = joinArcs(cut.arcs, live, fixedEnds(task));
  const rings = assembled.map((one) => ('rings' in one ? joinedRings(one.rings, joined) : null));
  const described = describeArcs(joined);
  const { coords, first, length } = described;
  const roles = noRoles(joined.arcs.length);
  for (let c = storedFrom; c < chains.length; c++) {
    for (const ref of cut.refs[c]) {
      const arc = joined.whole[arcOf(ref)];
      roles.arcClass[arc] = Math.min(roles.arcClass[arc], stored.arcClass[c - storedFrom]);
      roles.main[arc] |= stored.main[c - storedFrom];
    }
  }
  const area = arcAreas(coords, first, length);
  const largest = rings.map((one) => (one ? largestPart(one, area) : -1));
  rings.forEach((one, i) => {
    if (one) addRoles(roles, { ...one, adminLevel: task.boundaries[i].adminLevel }, largest[i]);
  });

  return {
    arcs: { ...described, arcClass: roles.arcClass, main: roles.main },
    links: Int32Array.from(roles.links),
    storedArcs: cut.refs.slice(storedFrom).map((refs) => ({
      forward: joinedWalk(refs, joined),
      backward: joinedWalk(refs.map((ref) => ~ref).reverse(), joined),
      parts: Int32Array.from(new Set([...refs].map((ref) => joined.whole[arcOf(ref)]))),
    })),
    boundaries: assembled.map((one, i): AssembledBoundary | BuildTrouble => {
      const own = rings[i];
      return own ? { rings: own, largest: largest[i] } : (one as BuildTrouble);
    }),
    conflicts: joinedConflicts(conflicts, live, joined),
  };
}

/**
 * The tiers of the arcs of an arrangement, as if no other arcs existed. Those of `stored` arcs are not computed, and what
 * depends on them is not final: all places of stored arcs count as changes (src/sources/store/tiers.ts).
 */
export function tierAll({ arcs, links, stored }: TierAllTask): TiersOfArcs {
  const { coords, first, length, arcClass, main } = arcs;
  const tiers = noTiers(coords.length / 2, first.length);
  const roles = { arcClass, main, links, linked: null };
  const fresh = stored.map((is) => 1 - is);
  const todo = { todoWeights: fresh, todoEnds: Uint16Array.from(fresh, (is) => is * ALL_CLASSES), todoDigits: fresh };
  const work = { coords, first, length, ...roles, known: null, ...todo };
  return { ...tiers, reach: encodeAllCells(refineTiers(work, tiers).surroundings.reach) };
}

/** What is stored about each assembled boundary besides its arcs. */
export function describeAll({ arcs, boundaries }: DescribeTask): BuiltBoundary[] {
  const table = { ...NO_TIERS, ...arcs };
  return boundaries.map(({ rings, largest, places }) => describeBoundary(table, rings, largest, places));
}

/**
 * Returns a predicate for ends of stored arcs where arcs that are not given may also meet. It holds at every end of a
 * stored chain that neither a new chain nor a loose vertex touches.
 */
function fixedEnds({ chains, storedFrom, loose }: BuildTask): (x: number, y: number) => boolean {
  const ends = new VertexNumbers(2 * (chains.length - storedFrom));
  for (let c = storedFrom; c < chains.length; c++) {
    const chain = chains[c];
    ends.add(chain[0], chain[1]);
    ends.add(chain[chain.length - 2], chain[chain.length - 1]);
  }
  const free = new Uint8Array(ends.size);
  const release = (chain: Int32Array) => {
    for (let i = 0; i < chain.length; i += 2) {
      const place = ends.find(chain[i], chain[i + 1]);
      if (place >= 0) free[place] = 1;
    }
  };
  if (ends.size > 0) for (let c = 0; c < storedFrom; c++) release(chains[c]);
  release(loose);
  return (x, y) => {
    const place = ends.find(x, y);
    return place >= 0 && free[place] === 0;
  };
}

/** A walk over cut arcs as a walk over joined arcs: each joined arc where the walk enters it. */
function joinedWalk(refs: Int32Array, { forward, backward }: JoinedArcs): Int32Array {
  return refs.map((ref) => (ref < 0 ? backward[~ref] : forward[ref])).filter((ref) => ref !== NONE);
}

function joinedRings({ refs, ringEnd, polygonEnd }: Rings, joined: JoinedArcs): Rings {
  const walks: number[] = [];
  let from = 0;
  const ends = ringEnd.map((end) => {
    for (const ref of joinedWalk(refs.subarray(from, end), joined)) walks.push(ref);
    from = end;
    return walks.length;
  });
  return { refs: Int32Array.from(walks), ringEnd: ends, polygonEnd };
}

/** One conflict per pair of arcs, chosen as findConflicts does. */
function joinedConflicts(conflicts: readonly Conflict[], live: Uint8Array, { whole }: JoinedArcs): Conflict[] {
  const pairs = new Map<string, Conflict>();
  for (const conflict of conflicts) {
    if (live[conflict.a] === 0 || live[conflict.b] === 0) continue;
    const [a, b] = [whole[conflict.a], whole[conflict.b]].sort((p, q) => p - q);
    const had = pairs.get(`${a} ${b}`);
    const order = had
      ? SEVERITY.indexOf(had.kind) - SEVERITY.indexOf(conflict.kind) || had.x - conflict.x || had.y - conflict.y
      : 1;
    if (order > 0) pairs.set(`${a} ${b}`, { ...conflict, a, b });
  }
  return [...pairs.values()];
}

const arcOf = (ref: number) => (ref < 0 ? ~ref : ref);

/** The tiers of a table whose arcs are only read at full detail. */
export const NO_TIERS = { weights: new Uint8Array(0), ends: new Uint16Array(0), exact: new Uint16Array(0) };

/** Arcs as a table with only the fields that cutting and assembling need. */
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
    box.set(chainBox(arc), 4 * i);
  });
  return { ...NO_TIERS, coords, first, length, box, area: new Float64Array(0), turn: new Float64Array(0) };
}

/**
 * The rings of every boundary of the task, or why it has none. Crossing arcs make a boundary invalid, as in libosmium.
 */
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
    const odd = oddlyUsedArcs(uses);
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
function oddlyUsedArcs(uses: readonly number[]): Set<number> {
  const odd = new Set<number>();
  for (const arc of uses) if (!odd.delete(arc)) odd.add(arc);
  return odd;
}

function describeArcs({ arcs, hashes }: JoinedArcs) {
  const { coords, first, length, box } = tableOfArcs(arcs);
  const area = new Float64Array(arcs.length);
  const turn = new Float64Array(arcs.length);
  for (let i = 0; i < arcs.length; i++) ({ area: area[i], turn: turn[i] } = arcArea(coords, first[i], length[i]));
  return { coords, first, length, box, area, turn, hashes };
}

function describeBoundary(
  arcs: ArcTable,
  rings: Rings,
  largest: number,
  places: PlaceNodes | undefined,
): BuiltBoundary {
  const full = materialize(arcs, rings, FULL, 0);
  const box = ringsBox(arcs, rings);
  if (!box) throw new Error('an assembled boundary has no extent');
  return {
    rings,
    largest,
    areaKm2: ringsArea(arcs, rings) / 1e6,
    box,
    center: insideCenter(full, places),
    geometryHash: geometryHash(full),
    ewkb: polygonsToEwkb(full),
  };
}

/**
 * SHA-256 of the canonical rings: each ring starts at its smallest vertex, and rings are sorted by hash. The result
 * does not depend on how rings were cut into arcs.
 */
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
