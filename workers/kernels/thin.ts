/** Removes vertices of a ring on the grid of a tile that no screen can show. */
import type { Points } from './clip.ts';

/** Flag bit of a vertex that must stay, such as the end of an arc, where three areas may meet. */
export const FIXED = 4;
/** Maximum distance from the line in grid units: a quarter of a pixel where a tile is drawn 512 pixels wide. */
const THIN = 2;
const ROUNDS = 2;
/** Vertices on each side of an edge that can affect it: those of two rounds, and the ends of the edge. */
export const THIN_REACH = 8;

let distances = new Float64Array(4096);

/**
 * Removes, in place, vertices of a closed ring (first vertex not repeated) that are within THIN units of the line
 * between their neighbors, except those flagged FIXED. A tier keeps such vertices so that the banks of a narrow river
 * do not cross; here they cross by less than a pixel shows. Of several in a row, those closest to their lines are
 * removed. The choice does not depend on the start or direction of the ring, nor on vertices farther away than
 * THIN_REACH or beyond a FIXED one, so all rings and all tiles with a border remove the same vertices of it. `flags`,
 * which describe the edges that leave the vertices, move with them and lose FIXED.
 */
export function thin(ring: Points, flags: Uint8Array): void {
  for (let round = 0; round < ROUNDS && ring.count >= 3; round++) {
    measure(ring, flags);
    drop(ring, flags);
  }
  unfix(ring, flags);
}

/** Clears FIXED in the flags of a ring. */
export function unfix({ count }: Points, flags: Uint8Array): void {
  for (let i = 0; i < count; i++) flags[i] &= ~FIXED;
}

/** Removes the last vertex of a ring if it equals the first. */
export function joinEnds(ring: Points, flags: Uint8Array): void {
  const { data, count } = ring;
  if (count < 2 || data[2 * count - 2] !== data[0] || data[2 * count - 1] !== data[1]) return;
  flags[0] |= flags[count - 1] & FIXED;
  ring.count--;
}

/** Squared distance of every vertex from the line between its neighbors; Infinity for vertices that stay. */
function measure({ data, count }: Points, flags: Uint8Array): void {
  if (distances.length < count) distances = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const a = i === 0 ? count - 1 : i - 1;
    const b = i + 1 === count ? 0 : i + 1;
    const square = flags[i] & FIXED ? Infinity : squareOf(data, i, a, b);
    distances[i] = square <= THIN * THIN ? square : Infinity;
  }
}

/** The squared distance of a vertex from the segment between two others; the same number in either order. */
function squareOf(data: Int32Array, i: number, a: number, b: number): number {
  const dx = data[2 * b] - data[2 * a];
  const dy = data[2 * b + 1] - data[2 * a + 1];
  const px = data[2 * i] - data[2 * a];
  const py = data[2 * i + 1] - data[2 * a + 1];
  const square = dx * dx + dy * dy;
  const along = px * dx + py * dy;
  if (along <= 0) return px * px + py * py;
  if (along >= square) return (px - dx) * (px - dx) + (py - dy) * (py - dy);
  const cross = px * dy - py * dx;
  return (cross * cross) / square;
}

/** Removes the vertices that are closer to their lines than both neighbors; of equally close neighbors only one. */
function drop(ring: Points, flags: Uint8Array): void {
  const { data, count } = ring;
  const goes = (i: number): boolean =>
    distances[i] !== Infinity &&
    isBefore(data, i, i === 0 ? count - 1 : i - 1) &&
    isBefore(data, i, i + 1 === count ? 0 : i + 1);
  // Decided for all vertices before any of them moves.
  for (let i = 0; i < count; i++) flags[i] = goes(i) ? flags[i] | DROPPED : flags[i];
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (flags[i] & DROPPED) {
      flags[i] &= ~DROPPED;
      continue;
    }
    const last = kept - 1;
    if (last >= 0 && data[2 * last] === data[2 * i] && data[2 * last + 1] === data[2 * i + 1]) {
      flags[last] = flags[i] | (flags[last] & FIXED);
      continue;
    }
    data[2 * kept] = data[2 * i];
    data[2 * kept + 1] = data[2 * i + 1];
    flags[kept++] = flags[i];
  }
  ring.count = kept;
  joinEnds(ring, flags);
}

const DROPPED = 8;

/**
 * Whether a vertex is removed before another: it is closer to its line, or equally close and farther west, then north.
 */
function isBefore(data: Int32Array, i: number, j: number): boolean {
  if (distances[i] !== distances[j]) return distances[i] < distances[j];
  if (data[2 * i] !== data[2 * j]) return data[2 * i] < data[2 * j];
  return data[2 * i + 1] < data[2 * j + 1];
}
