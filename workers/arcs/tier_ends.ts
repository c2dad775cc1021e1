/**
 * Decides which arc ends a level may remove. A vertex where two arcs meet is a junction for communes, and an ordinary
 * vertex for the country whose outline both arcs belong to. For each class of boundaries, ends that are not junctions
 * among them are removed under the same conditions as vertices inside arcs, starting with all ends in place. The ends
 * of an arc depend on its chain in each class, on the junctions at which that chain ends, and on what remains at the
 * level in the chain's box.
 */
import { MASKS_PER_END } from '../contract.ts';
import { pointInTriangle, REMOVED } from './point_index.ts';
import { type Remainder, squaredDeviation, triangleArea } from './remainder.ts';
import { dequeue, enqueue, removeFromQueue } from './removal_queue.ts';
import { DEPENDENCY_KINDS, type Dependencies, recordAlong, recordPoint } from './surroundings.ts';
import { type ClassGroup, classGroups, endAt, lowestClass, type Walk, walk, walkFrom, walkOver } from './tier_walk.ts';

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
