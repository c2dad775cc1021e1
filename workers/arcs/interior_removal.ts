/** The removal of vertices inside arcs, the smallest deviation first. */
import { ALWAYS, END_CLASSES, LEVELS } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { METERS_PER_UNIT, toleranceMeters } from './levels.ts';
import { pointInTriangle, REMOVED, removePoint, restorePoint } from './point_index.ts';
import { type Remainder, squaredDeviation, triangleArea } from './remainder.ts';
import { dequeue, enqueue, removeFromQueue } from './removal_queue.ts';
import { DEPENDENCY_KINDS, type Dependencies, recordAlong, recordPoint } from './surroundings.ts';

/** The state of the removal of vertices inside arcs. */
interface InteriorRemoval extends Remainder {
  readonly surroundings: Dependencies;
  /** Per vertex, the square of the tolerance (in coordinate units) that its removal needs. */
  readonly needs: Float64Array;
  /** Per arc, how many more of its inner vertices may be removed. */
  readonly spare: Int32Array;
  /**
   * A vertex whose triangle contains another vertex waits until that one is removed (forever when it belongs to another
   * arc). These are heads of doubly linked lists, one per awaited vertex.
   */
  readonly waiting: Int32Array;
  readonly waitNext: Int32Array;
  readonly waitPrevious: Int32Array;
  /** Per vertex, the vertex it waits for, or -1. */
  readonly waitsFor: Int32Array;
}

/** The state of a removal: nothing is removed, and nothing measured. */
export function interiorRemoval(remainder: Remainder, surroundings: Dependencies): InteriorRemoval {
  const vertices = remainder.next.length;
  return {
    ...remainder,
    surroundings,
    needs: new Float64Array(vertices),
    spare: spareVertices(remainder.arrangement),
    waiting: new Int32Array(vertices).fill(-1),
    waitNext: new Int32Array(vertices).fill(-1),
    waitPrevious: new Int32Array(vertices).fill(-1),
    waitsFor: new Int32Array(vertices).fill(-1),
  };
}

/**
 * How many inner vertices each arc may lose. A closed arc keeps two, and of several arcs between the same two nodes
 * each keeps one: so a ring keeps three vertices, and no two arcs coincide.
 */
function spareVertices(arrangement: Arrangement): Int32Array {
  const { first, length, node, incident, incidentEnd } = arrangement;
  const spare = new Int32Array(first.length);
  for (let arc = 0; arc < first.length; arc++) {
    const from = node[2 * arc];
    const to = node[2 * arc + 1];
    let keeps = from === to ? 2 : 0;
    for (let at = from === 0 ? 0 : incidentEnd[from - 1]; keeps === 0 && at < incidentEnd[from]; at++) {
      const end = incident[at];
      if (end >> 1 !== arc && node[end ^ 1] === to) keeps = 1;
    }
    spare[arc] = Math.max(0, length[arc] - 2 - keeps);
  }
  return spare;
}

/** Computes the key of an inner vertex (the area of its triangle) and the squared tolerance that its removal needs. */
function measure(removal: InteriorRemoval, v: number): void {
  const { arrangement, next, previous, queue, needs } = removal;
  const { coords } = arrangement;
  const cosine = arrangement.cosine[arrangement.arcOf[v]];
  const p = previous[v];
  const n = next[v];
  queue.key[v] = triangleArea(coords, p, v, n) * cosine;
  needs[v] = squaredDeviation(coords, p, n, p + 1, n - 1, cosine);
}

/** Sets the weights of one arc, which is removed as a whole at the level `island`. Restores the remainder afterward. */
export function setWeights(removal: InteriorRemoval, arc: number, island: number, weights: Uint8Array): void {
  const { arrangement, index, next, previous } = removal;
  const { coords, first, length, arcClass, point } = arrangement;
  const from = first[arc];
  const last = from + length[arc] - 1;
  // Another arc between the same nodes would keep this one from losing all its inner vertices.
  for (const v of [point[from], point[last]]) {
    recordPoint(removal.surroundings, arc, DEPENDENCY_KINDS.weights, END_CLASSES - 1, coords[2 * v], coords[2 * v + 1]);
  }
  for (let v = from + 1; v < last; v++) measure(removal, v);
  for (let level = 0; level < Math.min(island, LEVELS); level++) {
    removeInterior(removal, arc, toleranceMeters(level) / METERS_PER_UNIT, level, weights);
  }
  if (island < LEVELS) for (let v = from; v <= last; v++) if (weights[v] === ALWAYS) weights[v] = island;
  for (let v = from + 1; v < last; v++) {
    stopWaiting(removal, v);
    if (index.rank[v] === REMOVED) restorePoint(index, v, arcClass[arc]);
  }
  for (let v = from; v < last; v++) {
    next[v] = v + 1;
    previous[v + 1] = v;
  }
}

/**
 * Removes inner vertices, smallest triangle first, until no other can be removed within the tolerance (coordinate
 * units).
 */
function removeInterior(
  removal: InteriorRemoval,
  arc: number,
  tolerance: number,
  level: number,
  weights: Uint8Array,
): void {
  const { arrangement, index, queue, next, previous, needs, spare, waitsFor, surroundings } = removal;
  const { coords, first, point } = arrangement;
  const limit = tolerance * tolerance;
  if (spare[arc] > 0) {
    for (let v = next[first[arc]]; next[v] >= 0; v = next[v]) {
      if (needs[v] <= limit && waitsFor[v] < 0) enqueue(queue, v);
    }
  }
  for (let v = dequeue(queue); v >= 0; v = dequeue(queue)) {
    if (spare[arc] === 0) continue;
    const p = previous[v];
    const n = next[v];
    // A cell that is not known may contain any vertex.
    if (!recordAlong(surroundings, arc, DEPENDENCY_KINDS.weights, END_CLASSES - 1, coords, p, v, n, 0)) continue;
    const holds = pointInTriangle(index, point[p], v, point[n], END_CLASSES - 1);
    if (holds >= 0) {
      wait(removal, v, holds);
      continue;
    }
    weights[v] = level;
    spare[arc]--;
    next[p] = n;
    previous[n] = p;
    removePoint(index, v);
    if (previous[p] >= 0) remeasure(removal, p, limit);
    if (next[n] >= 0) remeasure(removal, n, limit);
    release(removal, v, limit);
  }
}

/** After a neighbor was removed: measures the vertex again, and queues it exactly when it may be removed. */
function remeasure(removal: InteriorRemoval, v: number, limit: number): void {
  stopWaiting(removal, v);
  measure(removal, v);
  if (removal.needs[v] <= limit) enqueue(removal.queue, v);
  else removeFromQueue(removal.queue, v);
}

function wait(removal: InteriorRemoval, v: number, holds: number): void {
  const { waiting, waitNext, waitPrevious, waitsFor } = removal;
  const head = waiting[holds];
  waitNext[v] = head;
  waitPrevious[v] = -1;
  if (head >= 0) waitPrevious[head] = v;
  waiting[holds] = v;
  waitsFor[v] = holds;
}

function stopWaiting(removal: InteriorRemoval, v: number): void {
  const { waiting, waitNext, waitPrevious, waitsFor } = removal;
  if (waitsFor[v] < 0) return;
  const before = waitPrevious[v];
  const after = waitNext[v];
  if (before >= 0) waitNext[before] = after;
  else waiting[waitsFor[v]] = after;
  if (after >= 0) waitPrevious[after] = before;
  waitsFor[v] = -1;
}

/** Requeues the vertices that waited for a removed vertex, if the squared tolerance allows their removal. */
function release(removal: InteriorRemoval, gone: number, limit: number): void {
  for (let v = removal.waiting[gone]; v >= 0; v = removal.waiting[gone]) {
    stopWaiting(removal, v);
    if (removal.needs[v] <= limit) enqueue(removal.queue, v);
  }
}
