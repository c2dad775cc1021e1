/** Materializes rings of arcs as coordinates at a level of detail. */

import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { type ArcTable, FULL, MASKS_PER_END, type Polygons, type Rings } from '../contract.ts';
import { roundTo, unitOf } from './levels.ts';

/** Arcs between two checks of `isCanceled`: tens of thousands of vertices. */
const POLL = 1024;

/**
 * Polygons of at most this many vertices at full detail are laid out in memory that is used again, so that the vertices
 * that remain need not be counted first. Tiers are usually read by the server's thread, and then of small polygons.
 */
const SCRATCH_VERTICES = 1 << 16;
let scratch: Int32Array | undefined;

/** From this many vertices on, copying an arc as a block is faster than vertex by vertex. */
const BLOCK = 64;

/**
 * The polygons of rings at a level (FULL is unsimplified) for boundaries of an end class, in 1e-7 degrees. It only
 * filters by the stored tiers, so every request gets the same vertices of an arc. Rings are closed and keep their order
 * and orientation. The ring of an island removed at the level is left out; if it is a shell, so are its holes.
 * Coordinates are rounded to the digits of the level except where the table's masks say that they keep 7.
 *
 * The rings must be cycles of arcs of boundaries of the end class, in one arrangement with its tiers. Then every
 * remaining ring has at least three distinct vertices, and the polygons are valid if they are valid at full detail.
 * @throws RangeError for a ring with fewer vertices: the tiers do not belong to the rings
 * @throws DOMException named AbortError when canceled
 * @param table the arcs, with their tiers
 * @param rings cycles of arcs
 * @param level the level of detail, or FULL
 * @param endClass the class of levels whose boundaries these are
 * @example
 * materialize(table, rings, FULL, 0).ringEnd // => [5]
 */
export function materialize(
  table: ArcTable,
  rings: Rings,
  level: number,
  endClass: number,
  isCanceled?: IsCanceled,
): Polygons {
  const words = wordsOf(table.weights);
  const coords = roomFor(table, words, rings, level);
  const { end, ...kept } = layRings(table, rings, level, coords, (ring, at) => {
    const from = ring === 0 ? 0 : rings.ringEnd[ring - 1];
    return fillRing(table, words, rings.refs, from, rings.ringEnd[ring], level, endClass, coords, at, isCanceled);
  });
  return { coords: coords !== scratch && end === coords.length ? coords : coords.slice(0, end), ...kept };
}

/**
 * Lays out the rings that remain at a level, as materialize does: the polygons, and how many numbers were written.
 * @param table the arcs, with their tiers
 * @param rings cycles of arcs
 * @param level the level of detail, or FULL
 * @param coords room for the vertices
 * @param fill writes the vertices of a ring into `coords` from an index on, as fillRing does, and returns the next index
 */
export function layRings(
  { weights, first }: Pick<ArcTable, 'weights' | 'first'>,
  { refs, ringEnd, polygonEnd }: Rings,
  level: number,
  coords: Int32Array,
  fill: (ring: number, at: number) => number,
): Omit<Polygons, 'coords'> & { readonly end: number } {
  const keptRings = new Uint32Array(ringEnd.length);
  const keptPolygons = new Uint32Array(polygonEnd.length);
  let at = 0;
  let kept = 0;
  let polygons = 0;
  let ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    let shellRemoved = false;
    for (; ring < polygonEnd[polygon]; ring++) {
      const from = ring === 0 ? 0 : ringEnd[ring - 1];
      const ref = refs[from];
      const gone = level !== FULL && weights[first[ref < 0 ? ~ref : ref]] <= level;
      if (ring === shell) shellRemoved = gone;
      if (gone || shellRemoved) continue;
      const start = at;
      at = fill(ring, at);
      const count = (at - start) / 2;
      if (count < 3) throw new RangeError(`a ring has ${count} vertices left at level ${level}`);
      coords[at] = coords[start];
      coords[at + 1] = coords[start + 1];
      at += 2;
      keptRings[kept++] = at / 2;
    }
    if (!shellRemoved && ring > shell) keptPolygons[polygons++] = kept;
  }
  return {
    end: at,
    ringEnd: keptRings.slice(0, kept),
    polygonEnd: keptPolygons.slice(0, polygons),
  };
}

/**
 * The weights as words of four; empty when the array does not start at a word boundary, which disables the fast path.
 */
export function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  return byteOffset % 4 === 0 ? new Int32Array(buffer, byteOffset, length >> 2) : new Int32Array(0);
}

/**
 * The number to add to the lower 7 bits of each byte of a word so that the byte's highest bit is set when its weight is
 * above `level`. Weights are below LEVELS or ALWAYS, so no sum carries into the next byte. (Byte-wise comparison in a
 * word: Lamport, "Multiple Byte Processing with Full-Word Instructions", 1975.)
 */
const aboveOf = (level: number): number => (127 - level) * 0x01010101;
const LOWER = 0x7f7f7f7f;
const HIGHEST = 0x80808080 | 0;

/** Room for the vertices of rings at a level: new memory, or the scratch. */
function roomFor(table: ArcTable, words: Int32Array, rings: Rings, level: number): Int32Array {
  if (level !== FULL) {
    let most = rings.ringEnd.length;
    for (const ref of rings.refs) most += table.length[ref < 0 ? ~ref : ref];
    if (most <= SCRATCH_VERTICES) {
      scratch ??= new Int32Array(2 * SCRATCH_VERTICES);
      return scratch;
    }
  }
  return new Int32Array(2 * countRoom(table, words, rings, level));
}

/** An upper bound of the vertices of rings at a level; counts the repeated vertices and every arc end. */
function countRoom({ weights, first, length }: ArcTable, words: Int32Array, rings: Rings, level: number): number {
  const { refs, ringEnd } = rings;
  const above = aboveOf(level);
  let count = ringEnd.length + refs.length;
  for (let i = 0; i < refs.length; i++) {
    const arc = refs[i] < 0 ? ~refs[i] : refs[i];
    const high = first[arc] + length[arc] - 1;
    let v = first[arc] + 1;
    if (level === FULL) {
      count += high - v;
      continue;
    }
    while (v < high) {
      if ((v & 3) === 0 && v + 4 <= high && v >> 2 < words.length) {
        const over = ((words[v >> 2] & LOWER) + above) & HIGHEST;
        count += Math.imul(over >>> 7, 0x01010101) >>> 24;
        v += 4;
      } else count += (level - weights[v++]) >>> 31;
    }
  }
  return count;
}

/**
 * Writes the vertices of a ring into `into` from index `start`, without the repeated last vertex (which must still
 * fit), and returns the next index.
 * @throws DOMException named AbortError when canceled
 */
export function fillRing(
  table: ArcTable,
  words: Int32Array,
  refs: Int32Array,
  from: number,
  to: number,
  level: number,
  endClass: number,
  into: Int32Array,
  start: number,
  isCanceled: IsCanceled | undefined,
): number {
  const { coords, weights, ends, exact, first, length } = table;
  const unit = unitOf(level);
  const above = aboveOf(level);
  let at = start;
  for (let i = from; i < to; i++) {
    if (i % POLL === 0) throwIfCanceled(isCanceled);
    const backward = refs[i] < 0;
    const arc = backward ? ~refs[i] : refs[i];
    const low = first[arc];
    const high = low + length[arc] - 1;
    const begin = backward ? high : low;
    const masks = (2 * arc + (backward ? 1 : 0)) * MASKS_PER_END;
    if (level === FULL || ((ends[masks + endClass] >> level) & 1) === 0) {
      const own = level === FULL || ((ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1 ? 1 : unit;
      into[at] = roundTo(coords[2 * begin], own);
      into[at + 1] = roundTo(coords[2 * begin + 1], own);
      at += 2;
    }
    const inside = at;
    if (level === FULL) {
      if (backward || high - low < BLOCK) {
        const step = backward ? -1 : 1;
        for (let v = begin + step, left = high - low - 1; left > 0; left--, v += step, at += 2)
          copyVertex(coords, v, into, at);
      } else {
        into.set(coords.subarray(2 * low + 2, 2 * high), at);
        at += 2 * (high - low - 1);
      }
    } else if (backward) {
      for (let v = high - 1; v > low; ) {
        if ((v & 3) === 3 && v - 4 >= low && v >> 2 < words.length) {
          let over = ((words[v >> 2] & LOWER) + above) & HIGHEST;
          for (; over !== 0; at += 2) {
            const byte = 3 - (Math.clz32(over) >> 3);
            copyVertex(coords, (v & ~3) + byte, into, at);
            over &= ~(0x80 << (byte << 3));
          }
          v -= 4;
        } else {
          if (weights[v] > level) {
            copyVertex(coords, v, into, at);
            at += 2;
          }
          v--;
        }
      }
    } else {
      for (let v = low + 1; v < high; ) {
        if ((v & 3) === 0 && v + 4 <= high && v >> 2 < words.length) {
          let over = ((words[v >> 2] & LOWER) + above) & HIGHEST;
          for (; over !== 0; at += 2) {
            const byte = (31 - Math.clz32(over & -over)) >> 3;
            copyVertex(coords, v + byte, into, at);
            over &= over - 1;
          }
          v += 4;
        } else {
          if (weights[v] > level) {
            copyVertex(coords, v, into, at);
            at += 2;
          }
          v++;
        }
      }
    }
    if (unit > 1 && ((exact[arc] >> level) & 1) === 0) {
      for (let j = inside; j < at; j++) into[j] = roundTo(into[j], unit);
    }
  }
  return at;
}

function copyVertex(coords: Int32Array, v: number, into: Int32Array, at: number): void {
  into[at] = coords[2 * v];
  into[at + 1] = coords[2 * v + 1];
}
