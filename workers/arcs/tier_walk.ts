/**
 * Walks over the arrangement that remains at a detail level: from an arc end to the next remaining vertex, across removed
 * nodes, over the arcs up to a class.
 */
import { END_CLASSES } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { REMOVED } from './point_index.ts';
import type { Remainder } from './remainder.ts';

/** Consecutive classes with the same arrangement, `limit` to `to`: only the first has arcs of its own. */
export interface ClassGroup {
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
export function walk(pass: Walk, startArc: number, startBackward: boolean, start: number): number {
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

/** The lowest class of the arcs that meet at a node. */
export function lowestClass(pass: Remainder, node: number): number {
  const { incident, incidentEnd, arcClass } = pass.arrangement;
  let lowest = REMOVED;
  for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
    lowest = Math.min(lowest, arcClass[incident[at] >> 1]);
  }
  return lowest;
}
