/**
 * Decides which arc ends a level may remove. A vertex where two arcs meet is a junction for communes, and an ordinary
 * vertex for the country whose outline both arcs belong to. For each class of boundaries, ends that are not junctions
 * among them are removed under the same conditions as vertices inside arcs, starting with all ends in place. The ends
 * of an arc depend on its chain in each class, on the junctions at which that chain ends, and on what remains at the
 * level in the chain's box.
 */
import { END_CLASSES, MASKS_PER_END } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { pointInTriangle, REMOVED } from './point_index.ts';
import { type Remainder, squaredDeviation, triangleArea } from './remainder.ts';
import { dequeue, enqueue, removeFromQueue } from './removal_queue.ts';
import { DEPENDENCY_KINDS, type Dependencies, recordAlong, recordPoint } from './surroundings.ts';

/** Consecutive classes with the same arrangement, `limit` to `to`: only the first has arcs of its own. */
interface ClassGroup {
  readonly limit: number;
  readonly to: number;
  /** Per node, the number of ends there of arcs up to the class. */
  readonly degree: Int32Array;
}

/** A walk over the arcs up to a class, and where it last arrived. */
export interface Walk extends Remainder {
  readonly limit: number;
  /** Runs of original vertices that walks passed: first and last of each. */
  spans: number[];
  /** The arcs that walks followed. */
  arcs: number[];
  /** The largest cosine (scale of longitudes) of the arcs followed. */
  cosine: number;
  /** The arc on which the last walk arrived, and whether it was walked backward. */
  arc: number;
  backward: boolean;
}

/** A pass over one group of classes. */
interface EndPass extends Walk, ClassGroup {
  readonly surroundings: Dependencies;
}

/** What a pass over the ends decides: per node, the bits of the classes. */
export interface EndTask {
  readonly level: number;
  /** Tolerance in coordinate units. */
  readonly tolerance: number;
  readonly todo: Uint16Array;
  readonly surroundings: Dependencies;
}

/** A walk that has not started. */
export function walkOver(remainder: Remainder, limit: number): Walk {
  return { ...remainder, limit, spans: [], arcs: [], cosine: 1, arc: -1, backward: false };
}

/** Yields the groups of classes in order. `degree` is one array, updated from group to group. */
export function* classGroups({ arcClass, nodeVertex, node }: Arrangement): Generator<ClassGroup> {
  const used = new Uint8Array(END_CLASSES);
  for (let arc = 0; arc < arcClass.length; arc++) used[arcClass[arc]] = 1;
  const degree = new Int32Array(nodeVertex.length);
  for (let limit = 0; limit < END_CLASSES; limit++) {
    if (used[limit] === 0) continue;
    let to = limit;
    while (to + 1 < END_CLASSES && used[to + 1] === 0) to++;
    for (let end = 0; end < node.length; end++) if (arcClass[end >> 1] === limit) degree[node[end]]++;
    yield { limit, to, degree };
  }
}

/**
 * Per class, removes the ends that may be removed at a level within the tolerance, and sets their bits in `ends`. Only
 * visits the chains of todo nodes. Restores the remainder afterward.
 */
export function endPass(
  remainder: Remainder,
  { level, tolerance, todo, surroundings }: EndTask,
  ends: Uint16Array,
): void {
  const { arrangement, index } = remainder;
  for (const group of classGroups(arrangement)) {
    const pass: EndPass = { ...walkOver(remainder, group.limit), ...group, surroundings };
    const seen = new Uint8Array(todo.length);
    const wanted = 2 ** (group.to + 1) - 2 ** group.limit;
    for (let node = 0; node < todo.length; node++) {
      if ((todo[node] & wanted) === 0 || seen[node] === 1) continue;
      setBits(pass, [node], ends, level, false);
      if (surroundings.known !== null && !lookAtNode(pass, arrangement.incident[incidentFrom(pass, node)] >> 1, node))
        continue;
      if (group.degree[node] !== 2 || index.rank[arrangement.nodeVertex[node]] === REMOVED) continue;
      const gone = removeEnds(pass, node, seen, tolerance * tolerance, (nodes) =>
        setBits(pass, nodes, ends, level, false),
      );
      for (const v of gone) index.rank[v] = lowestClass(pass, arrangement.nodeAt[v]);
      setBits(
        pass,
        gone.map((v) => arrangement.nodeAt[v]),
        ends,
        level,
        true,
      );
    }
  }
}

const incidentFrom = ({ arrangement: { incidentEnd } }: Remainder, node: number) =>
  node === 0 ? 0 : incidentEnd[node - 1];

/** Sets or clears the bits of a level and of the pass's classes at nodes. */
function setBits(pass: EndPass, nodes: readonly number[], ends: Uint16Array, level: number, gone: boolean): void {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  for (const node of nodes) {
    for (let i = incidentFrom(pass, node); i < incidentEnd[node]; i++) {
      const end = incident[i];
      if (arcClass[end >> 1] > pass.limit) continue;
      for (let own = pass.limit; own <= pass.to; own++) {
        if (gone) ends[end * MASKS_PER_END + own] |= 1 << level;
        else ends[end * MASKS_PER_END + own] &= ~(1 << level);
      }
    }
  }
}

/** Records that the removed ends of an arc depend on which arcs meet at a node. */
function lookAtNode(pass: EndPass, arc: number, node: number): boolean {
  const { coords, nodeVertex } = pass.arrangement;
  const v = nodeVertex[node];
  return recordPoint(
    pass.surroundings,
    arc,
    DEPENDENCY_KINDS.ends + pass.to,
    pass.to,
    coords[2 * v],
    coords[2 * v + 1],
  );
}

/**
 * Removes ends of the chain of a node and returns the vertices that represent them, now marked as removed. A chain runs
 * from one junction of the class to the next, or in a ring. Its triangles must contain nothing that another chain has
 * at the level, ends included, so what a chain loses does not depend on what others lose.
 */
function removeEnds(
  pass: EndPass,
  node: number,
  seen: Uint8Array,
  limit: number,
  begin: (nodes: readonly number[]) => void,
): number[] {
  const end = endAt(pass, node, -1);
  const nodes = [node];
  const to = walkChain(pass, end, nodes, -1);
  const from = to === node ? to : walkChain(pass, endAt(pass, node, end), nodes, -1);
  for (const one of nodes) seen[one] = 1;
  const gone: number[] = [];
  if (to < 0 || from < 0) return gone;
  begin(nodes);
  shorten(pass, nodes, from, to, limit, gone);
  return gone;
}

/**
 * Walks from an arc end to the end of its chain and returns the node there, or -1 when an arc on the way is not known.
 * Adds the nodes on the way to `nodes`. Records the dependency for the arc `asked`, or for the arcs walked (-1).
 */
function walkChain(pass: EndPass, end: number, nodes: number[], asked: number): number {
  const { arrangement, degree } = pass;
  const start = arrangement.node[end];
  let at = end;
  for (;;) {
    const node = arrangement.node[at ^ 1];
    if (!lookAtNode(pass, asked < 0 ? at >> 1 : asked, node)) return -1;
    if (node === start || degree[node] !== 2) return node;
    nodes.push(node);
    at = endAt(pass, node, at ^ 1);
  }
}

/** Removes ends of one chain between two nodes, smallest triangle first; adds them to `gone`. */
function shorten(
  pass: EndPass,
  nodes: readonly number[],
  from: number,
  to: number,
  limit: number,
  gone: number[],
): void {
  const { arrangement, index, queue, degree, surroundings } = pass;
  const { coords, nodeVertex, nodeAt } = arrangement;
  for (const node of nodes) {
    const v = nodeVertex[node];
    if (measure(pass, node, limit) <= limit) enqueue(queue, v);
  }
  const isJunction = (v: number) => nodeAt[v] >= 0 && degree[nodeAt[v]] !== 2;
  let alone: boolean | null = null;
  for (let v = dequeue(queue); v >= 0; v = dequeue(queue)) {
    const node = nodeAt[v];
    const end = endAt(pass, node, -1);
    pass.spans = [];
    pass.arcs = [];
    const n = walkFrom(pass, endAt(pass, node, end));
    const p = walkFrom(pass, end);
    if (p === n || p === v || joined(pass, p, n)) continue;
    // Of several chains between the same two junctions each keeps a vertex, whatever the others keep.
    if (isJunction(p) && isJunction(n)) {
      alone ??= chainsBetween(pass, from, to, end >> 1) === 1;
      if (!alone) continue;
    }
    const other = endAt(pass, node, end);
    let known = true;
    for (const arc of [end >> 1, other >> 1]) {
      known = recordAlong(surroundings, arc, DEPENDENCY_KINDS.ends + pass.to, pass.to, coords, p, v, n, 0) && known;
    }
    if (!known || pointInTriangle(index, p, v, n, pass.limit) >= 0) continue;
    index.rank[v] = REMOVED;
    gone.push(v);
    for (const u of [p, n]) {
      if (nodeAt[u] < 0 || degree[nodeAt[u]] !== 2) continue;
      if (measure(pass, nodeAt[u], limit) <= limit) enqueue(queue, u);
      else removeFromQueue(queue, u);
    }
  }
}

/** The number of chains from one junction to another; 2 when it is not known. */
function chainsBetween(pass: EndPass, from: number, to: number, asked: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  let count = 0;
  for (let at = from === 0 ? 0 : incidentEnd[from - 1]; at < incidentEnd[from]; at++) {
    if (arcClass[incident[at] >> 1] > pass.limit) continue;
    const reached = walkChain(pass, incident[at], [], asked);
    if (reached < 0) return 2;
    if (reached === to) count++;
  }
  return count;
}

/**
 * Sets the key of a node with two ends in the class; returns the square of the tolerance that its removal needs, or
 * some smaller value above `limit` when that is larger than `limit`.
 */
function measure(pass: EndPass, node: number, limit: number): number {
  const { arrangement, queue } = pass;
  const { coords, nodeVertex } = arrangement;
  const v = nodeVertex[node];
  const end = endAt(pass, node, -1);
  pass.spans = [v, v];
  pass.arcs = [];
  pass.cosine = 0;
  const p = walkFrom(pass, end);
  const n = walkFrom(pass, endAt(pass, node, end));
  let most = 0;
  for (let i = 0; i < pass.spans.length && most <= limit; i += 2) {
    most = Math.max(most, squaredDeviation(coords, p, n, pass.spans[i], pass.spans[i + 1], pass.cosine));
  }
  queue.key[v] = triangleArea(coords, p, v, n) * pass.cosine;
  return most;
}

/** An arc end of the class at a node, other than `not`; -1 when there is none. */
export function endAt(pass: Walk, node: number, not: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    if (incident[at] !== not && arcClass[incident[at] >> 1] <= pass.limit) return incident[at];
  }
  return -1;
}

/**
 * Walks from an arc end to the next remaining vertex and returns the vertex that represents it; -1 when an arc on the
 * way is not given.
 */
export function walkFrom(pass: Walk, end: number): number {
  const { first, length } = pass.arrangement;
  const arc = end >> 1;
  return walk(pass, arc, (end & 1) === 1, (end & 1) === 1 ? first[arc] + length[arc] - 1 : first[arc]);
}

/** Walks along an arc from one of its vertices to the next remaining one, across removed nodes. */
function walk(pass: Walk, startArc: number, startBackward: boolean, start: number): number {
  const { arrangement, index, next, previous, spans } = pass;
  const { first, length, point, nodeAt, cosine } = arrangement;
  let arc = startArc;
  let backward = startBackward;
  let from = start;
  for (;;) {
    const to = backward ? previous[from] : next[from];
    pass.cosine = Math.max(pass.cosine, cosine[arc]);
    spans.push(Math.min(from, to) + 1, Math.max(from, to) - 1);
    pass.arcs.push(arc);
    const p = point[to];
    if (index.rank[p] !== REMOVED) {
      pass.arc = arc;
      pass.backward = backward;
      return p;
    }
    spans.push(to, to);
    const end = endAt(pass, nodeAt[p], 2 * arc + (backward ? 0 : 1));
    if (end < 0) return -1;
    arc = end >> 1;
    backward = (end & 1) === 1;
    from = backward ? first[arc] + length[arc] - 1 : first[arc];
  }
}

/** Whether p, where the last walk arrived, is already joined to n by a segment. */
function joined(pass: EndPass, p: number, n: number): boolean {
  const { nodeAt, incident, incidentEnd, arcClass } = pass.arrangement;
  const node = nodeAt[p];
  if (node < 0) return walk(pass, pass.arc, pass.backward, p) === n;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    if (arcClass[incident[at] >> 1] <= pass.limit && walkFrom(pass, incident[at]) === n) return true;
  }
  return false;
}

/** The lowest class of the arcs that meet at a node. */
export function lowestClass(pass: Remainder, node: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  let lowest = REMOVED;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    lowest = Math.min(lowest, arcClass[incident[at] >> 1]);
  }
  return lowest;
}
