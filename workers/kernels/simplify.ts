/**
 * Detail tiers: one greedy removal over the whole arrangement, so that a tier is a function of the arcs and the
 * tolerance, and never of the request.
 *
 * A vertex may go when every original vertex of the span that would be merged lies within T of the new segment (which
 * bounds the Hausdorff distance both ways: distance to a segment is convex along an edge, and the span's nearest points
 * cover the segment), and when no other vertex that is left lies in the triangle it makes with its neighbours (an
 * edge that is to cross the new segment would have to end in the triangle, so nothing crosses, no island is jumped over
 * and the order of arcs at a junction stays). Smallest triangle first, as in Visvalingam and Whyatt 1993; each level
 * goes on from the one before.
 */
import { ALWAYS, type Coords, END_CLASSES, ENDS_PER_ARC, LEVELS } from '../contract.ts';
import { type ArrangedBoundary, type Arrangement, arrange, islandLevels } from './arrangement.ts';
import { METRES_PER_UNIT, toleranceMetres, unitOf } from './levels.ts';
import { GONE, pointInTriangle, removePoint } from './point_index.ts';
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
  for (let level = 0; level < LEVELS; level++) {
    const tolerance = toleranceMetres(level) / METRES_PER_UNIT;
    removeIslands(removal, islands, level, weights);
    removeInterior(removal, tolerance, level, weights);
    const marks = unitOf(level) > 1 ? digitMarks(remainder, unitOf(level)) : null;
    endPass(remainder, tolerance, level, ends, marks);
    if (marks !== null) markExact(marks, level, exact, ends);
  }
  return { weights, ends, exact };
}

/** The bookkeeping of the removal of vertices inside arcs. */
interface InteriorRemoval extends Remainder {
  /** Per vertex, the square of the tolerance (in coordinate units) that its removal needs. */
  readonly needs: Float64Array;
  /** Per arc, how many more of its inner vertices may go. */
  readonly spare: Int32Array;
  /** A vertex whose triangle holds another waits for it: heads of lists by what is waited for, links both ways. */
  readonly waiting: Int32Array;
  readonly waitNext: Int32Array;
  readonly waitPrevious: Int32Array;
  /** Per vertex, what it waits for, or -1. */
  readonly waitsFor: Int32Array;
}

function interiorRemoval(remainder: Remainder): InteriorRemoval {
  const { first, length } = remainder.arrangement;
  const vertices = remainder.next.length;
  const spare = spareVertices(remainder.arrangement);
  const removal = {
    ...remainder,
    needs: new Float64Array(vertices),
    spare,
    waiting: new Int32Array(vertices).fill(-1),
    waitNext: new Int32Array(vertices).fill(-1),
    waitPrevious: new Int32Array(vertices).fill(-1),
    waitsFor: new Int32Array(vertices).fill(-1),
  };
  for (let arc = 0; arc < first.length; arc++) {
    for (let v = first[arc] + 1; v < first[arc] + length[arc] - 1; v++) measure(removal, v);
  }
  return removal;
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

/** Takes out all vertices of the islands that go at a level. */
function removeIslands(removal: InteriorRemoval, islands: Uint8Array, level: number, weights: Uint8Array): void {
  const { arrangement, index } = removal;
  const { first, length, point } = arrangement;
  for (let arc = 0; arc < islands.length; arc++) {
    if (islands[arc] !== level) continue;
    removal.spare[arc] = 0;
    for (let v = first[arc]; v < first[arc] + length[arc]; v++) {
      if (weights[v] === ALWAYS) weights[v] = level;
      const p = point[v];
      if (index.rank[p] === GONE) continue;
      removePoint(index, p);
      stopWaiting(removal, p);
      release(removal, p, -1);
    }
  }
}

/** Removes inner vertices, smallest triangle first, until none can go within the tolerance (in coordinate units). */
function removeInterior(removal: InteriorRemoval, tolerance: number, level: number, weights: Uint8Array): void {
  const { arrangement, index, queue, next, previous, needs, spare, waitsFor } = removal;
  const { first, arcOf, point } = arrangement;
  const limit = tolerance * tolerance;
  for (let arc = 0; arc < first.length; arc++) {
    if (spare[arc] === 0) continue;
    for (let v = next[first[arc]]; next[v] >= 0; v = next[v]) {
      if (needs[v] <= limit && waitsFor[v] < 0) enqueue(queue, v);
    }
  }
  for (let v = dequeue(queue); v >= 0; v = dequeue(queue)) {
    const arc = arcOf[v];
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
