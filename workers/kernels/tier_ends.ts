/**
 * Which arc ends a level may lose: a vertex where two arcs meet is a junction for communes and an ordinary vertex for
 * the country whose outline the two arcs belong to. For each class of boundaries the ends that are no junctions among
 * them are removed under the same conditions as vertices inside arcs, with all ends in place to begin with. The ends of
 * an arc depend on its chain in each class, on the junctions that chain ends at, and on what the level leaves in the
 * chain's box.
 */
import { END_CLASSES, MASKS_PER_END } from '../contract.ts';
import { GONE, pointInTriangle } from './point_index.ts';
import { type Remainder, squaredDeviation, triangleArea } from './remainder.ts';
import { dequeue, enqueue, withdraw } from './removal_queue.ts';
import { type DigitMarks, nearSegment } from './tier_digits.ts';

/** A pass over one class, and where its last walk arrived. */
interface EndPass extends Remainder {
  /** Arcs of this class or below take part. */
  readonly limit: number;
  /** Per node, how many ends of the class's arcs meet there. */
  readonly degree: Int32Array;
  /** Runs of original vertices that walks went by: first and last of each. */
  spans: number[];
  /** The largest factor of longitude of the arcs walked. */
  cosine: number;
  /** The arc on which the last walk arrived, and whether it went backward there. */
  arc: number;
  backward: boolean;
}

/**
 * Removes, for each class, the ends that may go at a level within the tolerance (coordinate units), and sets their bits
 * in `ends`; the remainder is as before afterwards. Segments that come to be by it are added to `marks`, if given.
 */
export function endPass(
  remainder: Remainder,
  tolerance: number,
  level: number,
  ends: Uint16Array,
  marks: DigitMarks | null,
): void {
  const { arrangement, index } = remainder;
  const { arcClass, nodeVertex, incident, incidentEnd, node } = arrangement;
  const used = new Uint8Array(END_CLASSES);
  for (let arc = 0; arc < arcClass.length; arc++) used[arcClass[arc]] = 1;
  const degree = new Int32Array(nodeVertex.length);
  for (let limit = 0; limit < END_CLASSES; limit++) {
    // A class without arcs of its own is the same arrangement as the one before, which has set its bits.
    if (used[limit] === 0) continue;
    let to = limit;
    while (to + 1 < END_CLASSES && used[to + 1] === 0) to++;
    for (let end = 0; end < node.length; end++) if (arcClass[end >> 1] === limit) degree[node[end]]++;
    const pass: EndPass = { ...remainder, limit, degree, spans: [], cosine: 1, arc: -1, backward: false };
    const gone = removeEnds(pass, tolerance * tolerance);
    for (const v of gone) index.rank[v] = GONE;
    if (marks !== null) nearMerged(pass, gone, marks);
    for (const v of gone) {
      const at = arrangement.nodeAt[v];
      for (let i = at === 0 ? 0 : incidentEnd[at - 1]; i < incidentEnd[at]; i++) {
        const end = incident[i];
        if (arcClass[end >> 1] > limit) continue;
        for (let own = limit; own <= to; own++) ends[end * MASKS_PER_END + own] |= 1 << level;
      }
    }
    for (const v of gone) index.rank[v] = lowestClass(pass, arrangement.nodeAt[v]);
  }
}

/** Adds the segments that came to be where ends went, each once. */
function nearMerged(pass: EndPass, gone: readonly number[], marks: DigitMarks): void {
  const { point, nodeAt } = pass.arrangement;
  const seen = new Set<number>();
  for (const v of gone) {
    if (seen.has(v)) continue;
    const end = endAt(pass, nodeAt[v], -1);
    pass.spans = [];
    const a = walkFrom(pass, end);
    const b = walkFrom(pass, endAt(pass, nodeAt[v], end));
    for (let i = 0; i < pass.spans.length; i += 2) {
      if (pass.spans[i] === pass.spans[i + 1]) seen.add(point[pass.spans[i]]);
    }
    nearSegment(marks, a, b, pass.limit);
  }
}

/**
 * Removes ends chain by chain: a chain runs from one junction of the class to the next, or in a ring, and its triangles
 * may hold nothing that another chain has at the level, its ends included. So what a chain loses does not depend on
 * what others lose. Returns the vertices that stand for the ends, their rank as before.
 */
function removeEnds(pass: EndPass, limit: number): number[] {
  const { arrangement, index, degree } = pass;
  const { nodeVertex } = arrangement;
  const gone: number[] = [];
  const seen = new Uint8Array(nodeVertex.length);
  for (let node = 0; node < nodeVertex.length; node++) {
    if (degree[node] !== 2 || seen[node] === 1 || index.rank[nodeVertex[node]] === GONE) continue;
    const end = endAt(pass, node, -1);
    const nodes = [node];
    const to = walkChain(pass, end, nodes);
    const from = to === node ? to : walkChain(pass, endAt(pass, node, end), nodes);
    for (const one of nodes) seen[one] = 1;
    const before = gone.length;
    shorten(pass, nodes, from, to, limit, gone);
    for (let i = before; i < gone.length; i++) index.rank[gone[i]] = lowestClass(pass, arrangement.nodeAt[gone[i]]);
  }
  return gone;
}

/** Walks away from an arc end to the end of its chain, whose node is returned; adds the nodes on the way. */
function walkChain(pass: EndPass, end: number, nodes: number[]): number {
  const { arrangement, degree } = pass;
  const start = arrangement.node[end];
  let at = end;
  for (;;) {
    const node = arrangement.node[at ^ 1];
    if (node === start || degree[node] !== 2) return node;
    nodes.push(node);
    at = endAt(pass, node, at ^ 1);
  }
}

/** Removes ends of one chain between two nodes, smallest triangle first. */
function shorten(
  pass: EndPass,
  nodes: readonly number[],
  from: number,
  to: number,
  limit: number,
  gone: number[],
): void {
  const { arrangement, index, queue, degree } = pass;
  const { nodeVertex, nodeAt } = arrangement;
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
    const n = walkFrom(pass, endAt(pass, node, end));
    const p = walkFrom(pass, end);
    if (p === n || p === v || joined(pass, p, n)) continue;
    // Of chains between the same two junctions each keeps a vertex, whatever the others have left.
    if (isJunction(p) && isJunction(n)) {
      alone ??= chainsBetween(pass, from, to) === 1;
      if (!alone) continue;
    }
    if (pointInTriangle(index, p, v, n, pass.limit) >= 0) continue;
    index.rank[v] = GONE;
    gone.push(v);
    for (const u of [p, n]) {
      if (nodeAt[u] < 0 || degree[nodeAt[u]] !== 2) continue;
      if (measure(pass, nodeAt[u], limit) <= limit) enqueue(queue, u);
      else withdraw(queue, u);
    }
  }
}

/** How many chains run from one junction to another. */
function chainsBetween(pass: EndPass, from: number, to: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  let count = 0;
  for (let at = from === 0 ? 0 : incidentEnd[from - 1]; at < incidentEnd[from]; at++) {
    if (arcClass[incident[at] >> 1] <= pass.limit && walkChain(pass, incident[at], []) === to) count++;
  }
  return count;
}

/**
 * Sets the key of a node with two ends in the class; returns the square of the tolerance that its removal needs, or
 * some smaller value above `limit` where it needs more than that.
 */
function measure(pass: EndPass, node: number, limit: number): number {
  const { arrangement, queue } = pass;
  const { coords, nodeVertex } = arrangement;
  const v = nodeVertex[node];
  const end = endAt(pass, node, -1);
  pass.spans = [v, v];
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

/** An end of the class at a node, another one than `not`. */
function endAt(pass: EndPass, node: number, not: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    if (incident[at] !== not && arcClass[incident[at] >> 1] <= pass.limit) return incident[at];
  }
  return -1;
}

/** Walks away from an arc end to the next vertex that is left, and returns the vertex that stands for it. */
function walkFrom(pass: EndPass, end: number): number {
  const { first, length } = pass.arrangement;
  const arc = end >> 1;
  return walk(pass, arc, (end & 1) === 1, (end & 1) === 1 ? first[arc] + length[arc] - 1 : first[arc]);
}

/** Walks along an arc from one of its vertices to the next that is left, across nodes whose vertex is gone. */
function walk(pass: EndPass, startArc: number, startBackward: boolean, start: number): number {
  const { arrangement, index, next, previous, spans } = pass;
  const { first, length, point, nodeAt, cosine } = arrangement;
  let arc = startArc;
  let backward = startBackward;
  let from = start;
  for (;;) {
    const to = backward ? previous[from] : next[from];
    pass.cosine = Math.max(pass.cosine, cosine[arc]);
    spans.push(Math.min(from, to) + 1, Math.max(from, to) - 1);
    const p = point[to];
    if (index.rank[p] !== GONE) {
      pass.arc = arc;
      pass.backward = backward;
      return p;
    }
    spans.push(to, to);
    const end = endAt(pass, nodeAt[p], 2 * arc + (backward ? 0 : 1));
    arc = end >> 1;
    backward = (end & 1) === 1;
    from = backward ? first[arc] + length[arc] - 1 : first[arc];
  }
}

/** Whether p, at which the last walk arrived, is joined to n by a segment other than the one that would come to be. */
function joined(pass: EndPass, p: number, n: number): boolean {
  const { nodeAt, incident, incidentEnd, arcClass } = pass.arrangement;
  const node = nodeAt[p];
  if (node < 0) return walk(pass, pass.arc, pass.backward, p) === n;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    if (arcClass[incident[at] >> 1] <= pass.limit && walkFrom(pass, incident[at]) === n) return true;
  }
  return false;
}

/** The smallest class of the arcs that meet at a node. */
function lowestClass(pass: EndPass, node: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  let lowest = GONE;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    lowest = Math.min(lowest, arcClass[incident[at] >> 1]);
  }
  return lowest;
}
