/** Lays rings of arcs out as coordinates at a level of detail. */
import { type ArcTable, FULL, MASKS_PER_END, type Polygons, type Rings } from '../contract.ts';
import { type IsCancelled, stopIf } from '../halt.ts';
import { roundTo, unitOf } from './levels.ts';

/** Arcs between two looks at `isCancelled`: a few ten thousand vertices. */
const POLL = 1024;

/**
 * The polygons of some rings at a level (FULL for the untouched geometry), for boundaries of an end class: a filter on
 * the stored tiers, so that whoever asks for an arc gets the same vertices. Rings are closed and keep their order and
 * orientation; the ring of an island that is gone at the level is left out, with its holes when it is a shell.
 * Coordinates are rounded to the digits of the level except where `exact` says that they keep 7.
 *
 * The rings must be cycles of arcs of boundaries of the end class, in one arrangement with its tiers; then every ring
 * that is left has at least three places, and the polygons are valid if they are at full detail. Throws a RangeError
 * for a ring that has fewer, which means that tiers and rings do not belong together, and a DOMException named
 * AbortError once `isCancelled` returns true.
 */
export function layOut(
  table: ArcTable,
  rings: Rings,
  level: number,
  endClass: number,
  isCancelled?: IsCancelled,
): Polygons {
  const { weights, first } = table;
  const { refs, ringEnd, polygonEnd } = rings;
  const keptRings = new Uint32Array(ringEnd.length);
  const keptPolygons = new Uint32Array(polygonEnd.length);
  let vertices = 0;
  let kept = 0;
  let polygons = 0;
  let ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    let shellGone = false;
    for (; ring < polygonEnd[polygon]; ring++) {
      const from = ring === 0 ? 0 : ringEnd[ring - 1];
      const ref = refs[from];
      const gone = level !== FULL && weights[first[ref < 0 ? ~ref : ref]] <= level;
      if (ring === shell) shellGone = gone;
      if (gone || shellGone) continue;
      const count = countRing(table, refs, from, ringEnd[ring], level, endClass, isCancelled);
      if (count < 3) throw new RangeError(`a ring has ${count} vertices left at level ${level}`);
      vertices += count + 1;
      keptRings[kept++] = vertices;
    }
    if (!shellGone && ring > shell) keptPolygons[polygons++] = kept;
  }

  const coords = new Int32Array(2 * vertices);
  let at = 0;
  ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    let shellGone = false;
    for (; ring < polygonEnd[polygon]; ring++) {
      const from = ring === 0 ? 0 : ringEnd[ring - 1];
      const ref = refs[from];
      const gone = level !== FULL && weights[first[ref < 0 ? ~ref : ref]] <= level;
      if (ring === shell) shellGone = gone;
      if (gone || shellGone) continue;
      const start = at;
      at = fillRing(table, refs, from, ringEnd[ring], level, endClass, coords, at, isCancelled);
      coords[at] = coords[start];
      coords[at + 1] = coords[start + 1];
      at += 2;
    }
  }
  return { coords, ringEnd: keptRings.slice(0, kept), polygonEnd: keptPolygons.slice(0, polygons) };
}

/** How many vertices a ring has left at a level, the repeated one not counted. */
function countRing(
  table: ArcTable,
  refs: Int32Array,
  from: number,
  to: number,
  level: number,
  endClass: number,
  isCancelled: IsCancelled | undefined,
): number {
  const { weights, ends, first, length } = table;
  let count = 0;
  for (let i = from; i < to; i++) {
    if (i % POLL === 0) stopIf(isCancelled);
    const backward = refs[i] < 0;
    const arc = backward ? ~refs[i] : refs[i];
    if (level === FULL) {
      count += length[arc] - 1;
      continue;
    }
    const masks = (2 * arc + (backward ? 1 : 0)) * MASKS_PER_END;
    count += 1 - ((ends[masks + endClass] >> level) & 1);
    const last = first[arc] + length[arc] - 1;
    // The sign bit of the difference instead of a branch: which vertices stay is as good as random to a processor.
    for (let v = first[arc] + 1; v < last; v++) count += (level - weights[v]) >>> 31;
  }
  return count;
}

/** Writes the vertices of a ring, the repeated one not (there must be room for it), and returns where it goes. */
function fillRing(
  table: ArcTable,
  refs: Int32Array,
  from: number,
  to: number,
  level: number,
  endClass: number,
  into: Int32Array,
  start: number,
  isCancelled: IsCancelled | undefined,
): number {
  const { coords, weights, ends, exact, first, length } = table;
  const unit = unitOf(level);
  let at = start;
  for (let i = from; i < to; i++) {
    if (i % POLL === 0) stopIf(isCancelled);
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
    // Every vertex is written, and one that is gone is written over by what comes next. (FULL is below every weight,
    // but needs none to be there.)
    if (level === FULL) {
      if (backward) for (let v = high - 1; v > low; v--, at += 2) copyVertex(coords, v, into, at);
      else for (let v = low + 1; v < high; v++, at += 2) copyVertex(coords, v, into, at);
    } else if (backward) {
      for (let v = high - 1; v > low; v--) {
        copyVertex(coords, v, into, at);
        at += ((level - weights[v]) >>> 31) << 1;
      }
    } else {
      for (let v = low + 1; v < high; v++) {
        copyVertex(coords, v, into, at);
        at += ((level - weights[v]) >>> 31) << 1;
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
