/** Vertices of a ring on the grid of a tile that no screen can show. */
import type { Points } from './clip.ts';

/** Added to the flag of a vertex that stays, as the end of an arc does, where three areas may meet. */
export const FIXED = 4;
/** Units from the line at most: a quarter of a pixel where a tile is drawn 512 pixels wide. */
const THIN = 2;
const ROUNDS = 2;
/** Vertices on each side of an edge that may decide whether it is there: of two rounds, and the ends of the edge. */
export const THIN_REACH = 8;

let distances = new Float64Array(4096);

/**
 * Drops vertices of a closed ring (its first not repeated), but for those flagged FIXED, that lie within THIN units of
 * the line between those beside them. A tier keeps such vertices so that the banks of a narrow river do not cross; here
 * they cross by less than a pixel shows. Of several in a row those closest to their lines go. Which go does not depend on
 * where the ring begins or which way round it runs, nor on vertices further away than THIN_REACH or behind a FIXED one:
 * so all rings and all tiles that have a border drop the same of it. `flags`, those of the edges that leave the vertices,
 * move with them and lose FIXED.
 */
export function thin(ring: Points, flags: Uint8Array): void {
  for (let round = 0; round < ROUNDS && ring.count >= 3; round++) {
    measure(ring, flags);
    drop(ring, flags);
  }
  unfix(ring, flags);
}

/** Takes FIXED from the flags of a ring. */
export function unfix({ count }: Points, flags: Uint8Array): void {
  for (let i = 0; i < count; i++) flags[i] &= ~FIXED;
}

/** Drops the last vertex of a ring where it is the first again. */
export function joinEnds(ring: Points, flags: Uint8Array): void {
  const { data, count } = ring;
  if (count < 2 || data[2 * count - 2] !== data[0] || data[2 * count - 1] !== data[1]) return;
  flags[0] |= flags[count - 1] & FIXED;
  ring.count--;
}

/** Squares of the distances of all vertices from the line between those beside them; Infinity for those that stay. */
function measure({ data, count }: Points, flags: Uint8Array): void {
  if (distances.length < count) distances = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const a = i === 0 ? count - 1 : i - 1;
    const b = i + 1 === count ? 0 : i + 1;
    const square = flags[i] & FIXED ? Infinity : squareOf(data, i, a, b);
    distances[i] = square <= THIN * THIN ? square : Infinity;
  }
}

/** The square of the distance of a vertex from the line between two others: the same number whichever of them is first. */
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

/** Drops the vertices that are closer to their lines than both beside them, and of equal ones in a row all but one. */
function drop(ring: Points, flags: Uint8Array): void {
  const { data, count } = ring;
  const goes = (i: number): boolean =>
    distances[i] !== Infinity &&
    isBefore(data, i, i === 0 ? count - 1 : i - 1) &&
    isBefore(data, i, i + 1 === count ? 0 : i + 1);
  // Asked for while all vertices are still in their places.
  for (let i = 0; i < count; i++) flags[i] = goes(i) ? flags[i] | GOES : flags[i];
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (flags[i] & GOES) {
      flags[i] &= ~GOES;
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

const GOES = 8;

/** Whether a vertex goes before another: it is closer to its line, or as close and further west, then north. */
function isBefore(data: Int32Array, i: number, j: number): boolean {
  if (distances[i] !== distances[j]) return distances[i] < distances[j];
  if (data[2 * i] !== data[2 * j]) return data[2 * i] < data[2 * j];
  return data[2 * i + 1] < data[2 * j + 1];
}
