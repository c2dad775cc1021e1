/**
 * Detail tiers: one greedy removal along every arc, in the arrangement as it is at full detail, so that a tier is a
 * function of an arc, its surroundings and the tolerance, and never of the request.
 *
 * A vertex may go when every original vertex of the span that would be merged lies within T of the new segment (which
 * bounds the Hausdorff distance both ways: distance to a segment is convex along an edge, and the span's nearest points
 * cover the segment), and when the triangle it makes with its neighbours holds no vertex of its own arc that is left
 * and no vertex at all of another arc, gone or not. Smallest triangle first, as in Visvalingam and Whyatt 1993; each
 * level goes on from the one before.
 *
 * Nothing crosses at any level: take one arc after the other through its removals. An edge that is to cross a new
 * segment would have to end in the triangle; no vertex of another arc lies there, whether that arc has had its turn or
 * not. So no island is jumped over, the order of arcs at a junction stays, and the order of turns does not matter: the
 * inner vertices of an arc depend on it, on the vertices of other arcs in its box and on the arcs between its ends.
 */
import { ALWAYS, type Coords, END_CLASSES, ENDS_PER_ARC, LEVELS } from '../contract.ts';
import { type ArrangedBoundary, type Arrangement, arrange, islandLevels } from './arrangement.ts';
import { METRES_PER_UNIT, toleranceMetres, unitOf } from './levels.ts';
import { GONE, pointInTriangle, removePoint, restorePoint } from './point_index.ts';
import { everything, type Remainder, squaredDeviation, triangleArea } from './remainder.ts';
import { dequeue, enqueue, withdraw } from './removal_queue.ts';
import { digitMarks, markExact } from './tier_digits.ts';
import { endPass } from './tier_ends.ts';

/** What the detail tiers of some arcs are made from. */
export interface TierInput {
  /** Vertices of the arcs; other vertices may lie between them. */
  readonly coords: Coords;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  readonly boundaries: readonly ArrangedBoundary[];
}

/** The detail tiers, laid out as in ArcTable. */
export interface Tiers {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: Uint16Array;
}

/**
 * The detail tiers of arcs that meet only at their ends (arcs that cross stay as they are there: nothing is promised
 * about them). Per vertex of `coords`, the first level at which it is gone; arc ends go only with an island. Per arc
 * end and end class, the levels at which it is gone all the same. Per arc, and for its ends, the levels at which
 * coordinates keep 7 digits. At every level and for every class the arrangement of the class's boundaries, simplified
 * and rounded, is plane: no segments cross, overlap or touch away from the vertices they share.
 * The result depends on places and boundaries only, not on the order of arcs. About n log n.
 */
export function tierArcs(input: TierInput): Tiers {
  const { coords, first, length, boundaries } = input;
  const arrangement = arrange(coords, first, length, boundaries);
  const arcs = first.length;
  const weights = new Uint8Array(coords.length / 2).fill(ALWAYS);
  const ends = new Uint16Array(ENDS_PER_ARC * arcs);
  const exact = new Uint16Array(arcs);
  const islands = islandLevels(arrangement, boundaries);
  const remainder = everything(arrangement);
  const removal = interiorRemoval(remainder);
  for (let arc = 0; arc < arcs; arc++) weigh(removal, arc, islands[arc], weights);
  for (let level = 0; level < LEVELS; level++) {
    const tolerance = toleranceMetres(level) / METRES_PER_UNIT;
    removeLevel(remainder, weights, level);
    const marks = unitOf(level) > 1 ? digitMarks(remainder, unitOf(level)) : null;
    endPass(remainder, tolerance, level, ends, marks);
    if (marks !== null) markExact(marks, level, exact, ends);
  }
  return { weights, ends, exact };
}

/** Takes what is gone at a level, but not at the one before, out of the remainder. */
function removeLevel({ arrangement, index, next, previous }: Remainder, weights: Uint8Array, level: number): void {
  const { first, length, point } = arrangement;
  for (let arc = 0; arc < first.length; arc++) {
    const last = first[arc] + length[arc] - 1;
    for (let v = first[arc]; v <= last; v++) {
      if (weights[v] !== level) continue;
      if (index.rank[point[v]] !== GONE) removePoint(index, point[v]);
      if (v === first[arc] || v === last) continue;
      next[previous[v]] = next[v];
      previous[next[v]] = previous[v];
    }
  }
}

/** The bookkeeping of the removal of vertices inside arcs. */
interface InteriorRemoval extends Remainder {
  /** Per vertex, the square of the tolerance (in coordinate units) that its removal needs. */
  readonly needs: Float64Array;
  /** Per arc, how many more of its inner vertices may go. */
  readonly spare: Int32Array;
  /**
   * A vertex whose triangle holds another waits for it (in vain when that is of another arc): heads of lists by what
   * is waited for, links both ways.
   */
  readonly waiting: Int32Array;
  readonly waitNext: Int32Array;
  readonly waitPrevious: Int32Array;
  /** Per vertex, what it waits for, or -1. */
  readonly waitsFor: Int32Array;
}

function interiorRemoval(remainder: Remainder): InteriorRemoval {
  const vertices = remainder.next.length;
  return {
    ...remainder,
    needs: new Float64Array(vertices),
    spare: spareVertices(remainder.arrangement),
    waiting: new Int32Array(vertices).fill(-1),
    waitNext: new Int32Array(vertices).fill(-1),
    waitPrevious: new Int32Array(vertices).fill(-1),
    waitsFor: new Int32Array(vertices).fill(-1),
  };
}

/**
 * How many inner vertices each arc may lose: a closed arc keeps two, and of arcs between the same two nodes each keeps
 * one, so that a ring keeps three vertices and no two arcs fall together.
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

/** Computes the key of an inner vertex (the area of its triangle) and the tolerance its removal needs. */
function measure(removal: InteriorRemoval, v: number): void {
  const { arrangement, next, previous, queue, needs } = removal;
  const { coords } = arrangement;
  const cosine = arrangement.cosine[arrangement.arcOf[v]];
  const p = previous[v];
  const n = next[v];
  queue.key[v] = triangleArea(coords, p, v, n) * cosine;
  needs[v] = squaredDeviation(coords, p, n, p + 1, n - 1, cosine);
}

/** Sets the weights of one arc, which goes as a whole at the level `island`; the remainder is as before afterwards. */
function weigh(removal: InteriorRemoval, arc: number, island: number, weights: Uint8Array): void {
  const { arrangement, index, next, previous } = removal;
  const { first, length, arcClass } = arrangement;
  const from = first[arc];
  const last = from + length[arc] - 1;
  for (let v = from + 1; v < last; v++) measure(removal, v);
  for (let level = 0; level < Math.min(island, LEVELS); level++) {
    removeInterior(removal, arc, toleranceMetres(level) / METRES_PER_UNIT, level, weights);
  }
  if (island < LEVELS) for (let v = from; v <= last; v++) if (weights[v] === ALWAYS) weights[v] = island;
  for (let v = from + 1; v < last; v++) {
    stopWaiting(removal, v);
    if (index.rank[v] === GONE) restorePoint(index, v, arcClass[arc]);
  }
  for (let v = from; v < last; v++) {
    next[v] = v + 1;
    previous[v + 1] = v;
  }
}

/** Removes inner vertices, smallest triangle first, until none can go within the tolerance (in coordinate units). */
function removeInterior(
  removal: InteriorRemoval,
  arc: number,
  tolerance: number,
  level: number,
  weights: Uint8Array,
): void {
  const { arrangement, index, queue, next, previous, needs, spare, waitsFor } = removal;
  const { first, point } = arrangement;
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

/** After a neighbour went: measures again, and lets the vertex stand in the queue exactly when it may go. */
function remeasure(removal: InteriorRemoval, v: number, limit: number): void {
  stopWaiting(removal, v);
  measure(removal, v);
  if (removal.needs[v] <= limit) enqueue(removal.queue, v);
  else withdraw(removal.queue, v);
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

/** Puts those that waited for a vertex that went back into the queue, as far as the squared tolerance lets them. */
function release(removal: InteriorRemoval, gone: number, limit: number): void {
  for (let v = removal.waiting[gone]; v >= 0; v = removal.waiting[gone]) {
    stopWaiting(removal, v);
    if (removal.needs[v] <= limit) enqueue(removal.queue, v);
  }
}
