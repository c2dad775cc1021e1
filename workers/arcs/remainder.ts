/** The vertices that remain of an arrangement during removal, and the measures that decide about removals. */
import type { Coords } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { indexPoints, type PointIndex, REMOVED } from './point_index.ts';
import { type RemovalQueue, removalQueue } from './removal_queue.ts';

/** The vertices that remain at a level. */
export interface Remainder {
  readonly arrangement: Arrangement;
  readonly index: PointIndex;
  readonly queue: RemovalQueue;
  /** Per remaining vertex of an arc, the next and the previous remaining vertex of that arc; -1 at its ends. */
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

/** The remainder before any removal. Memory and time grow with the number of vertices (n log n). */
export function fullRemainder(arrangement: Arrangement): Remainder {
  const { coords, first, length, nodeVertex, incident, incidentEnd, arcClass } = arrangement;
  const vertices = coords.length / 2;
  const next = new Int32Array(vertices).fill(-1);
  const previous = new Int32Array(vertices).fill(-1);
  const rank = new Uint8Array(vertices).fill(REMOVED);
  let inside = 0;
  for (const count of length) inside += count - 2;
  const points = new Int32Array(inside + nodeVertex.length);
  let count = 0;
  for (let arc = 0; arc < first.length; arc++) {
    const last = first[arc] + length[arc] - 1;
    for (let v = first[arc]; v < last; v++) {
      next[v] = v + 1;
      previous[v + 1] = v;
      if (v === first[arc]) continue;
      rank[v] = arcClass[arc];
      points[count++] = v;
    }
  }
  for (let node = 0; node < nodeVertex.length; node++) {
    let lowest = REMOVED;
    for (let at = node === 0 ? 0 : incidentEnd[node - 1]; at < incidentEnd[node]; at++) {
      lowest = Math.min(lowest, arcClass[incident[at] >> 1]);
    }
    rank[nodeVertex[node]] = lowest;
    points[count++] = nodeVertex[node];
  }
  const queue = removalQueue(coords, new Float64Array(vertices), points.length);
  return { arrangement, index: indexPoints(coords, points, rank), queue, next, previous };
}

/** Twice the area of a triangle, in squared coordinate units. */
export function triangleArea(coords: Coords, a: number, b: number, c: number): number {
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  return Math.abs((coords[2 * b] - ax) * (coords[2 * c + 1] - ay) - (coords[2 * b + 1] - ay) * (coords[2 * c] - ax));
}

/**
 * The largest squared distance of the vertices `from … to` from the segment between the vertices a and b, in coordinate
 * units, with longitudes scaled by `cosine`.
 */
export function squaredDeviation(
  coords: Coords,
  a: number,
  b: number,
  from: number,
  to: number,
  cosine: number,
): number {
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  const dx = (coords[2 * b] - ax) * cosine;
  const dy = coords[2 * b + 1] - ay;
  const square = dx * dx + dy * dy;
  let most = 0;
  for (let v = from; v <= to; v++) {
    let x = (coords[2 * v] - ax) * cosine;
    let y = coords[2 * v + 1] - ay;
    const along = x * dx + y * dy;
    if (along > 0) {
      const share = along < square ? along / square : 1;
      x -= share * dx;
      y -= share * dy;
    }
    const distance = x * x + y * y;
    if (distance > most) most = distance;
  }
  return most;
}
