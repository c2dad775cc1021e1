/** Which loops of a result are holes of which shells. */
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcLines, ArcTable, GeometryFault, Rings } from '../contract.ts';
import { locate } from './locate.ts';
import { orient } from './orient.ts';
import { LatitudeIndex } from './rows.ts';

/**
 * The direction of loop `l`, whose box begins at `west` (1e-7 degrees): 1 counterclockwise, -1 clockwise, 0 when it folds
 * back on itself. Exact: the smallest vertex (by x, then y) is convex, so the turn there decides. Arc boxes narrow the
 * search for it.
 */
export function loopSign(table: ArcLines, loops: Loops, l: number, west: number): -1 | 0 | 1 {
  const { box, coords, first, length } = table;
  const { refs } = loops;
  const start = l === 0 ? 0 : loops.end[l - 1];
  const end = loops.end[l];
  let lowest = Number.POSITIVE_INFINITY;
  let place = start;
  let vertex = 0;
  for (let k = start; k < end; k++) {
    const ref = refs[k];
    const arc = ref < 0 ? ~ref : ref;
    if (box[4 * arc] !== west) continue;
    const v = first[arc];
    const last = v + length[arc] - 1;
    // Visits every vertex of the loop once: an arc's last vertex in walking order belongs to the next arc.
    const from = ref < 0 ? v + 1 : v;
    const to = ref < 0 ? last : last - 1;
    for (let i = from; i <= to; i++) {
      if (coords[2 * i] === west && coords[2 * i + 1] < lowest) {
        lowest = coords[2 * i + 1];
        place = k;
        vertex = i;
      }
    }
  }
  const ref = refs[place];
  const arc = ref < 0 ? ~ref : ref;
  const after = ref < 0 ? vertex - 1 : vertex + 1;
  let before = ref < 0 ? vertex + 1 : vertex - 1;
  if (vertex === (ref < 0 ? first[arc] + length[arc] - 1 : first[arc])) {
    const previous = refs[place === start ? end - 1 : place - 1];
    const other = previous < 0 ? ~previous : previous;
    before = previous < 0 ? first[other] + 1 : first[other] + length[other] - 2;
  }
  return orient(coords[2 * before], coords[2 * before + 1], west, lowest, coords[2 * after], coords[2 * after + 1]);
}

/**
 * Assigns every hole to its shell and writes the loops in a fixed order.
 * @param sign the direction of each loop, as loopSign gives it
 * @param boxes those of all loops, as loopBoxes gives them
 */
export function nest(
  table: ArcTable,
  loops: Loops,
  { sign, boxes }: { readonly sign: Int8Array; readonly boxes: Int32Array },
  isCanceled: IsCanceled | undefined,
): Stitched {
  const { count, end, walk, refs } = loops;
  const shellOfWalk = new Int32Array(count === 0 ? 0 : walk[count - 1] + 1).fill(-1);
  const shells: number[] = [];
  for (let l = 0; l < count; l++) {
    if (sign[l] < 0) continue;
    if (shellOfWalk[walk[l]] >= 0) return { trouble: troubleAt(table, refs[end[l] - 1], 'two outlines in one walk') };
    shellOfWalk[walk[l]] = l;
    shells.push(l);
  }

  const holes: number[][] = new Array(count);
  for (const shell of shells) holes[shell] = [];
  const rows = shells.length < count ? new LatitudeIndex(boxes, Int32Array.from(shells)) : null;
  for (let l = 0; l < count; l++) {
    if (sign[l] > 0) continue;
    if (shellOfWalk[walk[l]] < 0 && rows) {
      throwIfCanceled(isCanceled);
      const found = smallestShell(table, loops, shells, { boxes, rows }, refs[end[l] - 1]);
      if (typeof found !== 'number') return { trouble: found };
      shellOfWalk[walk[l]] = found;
    }
    holes[shellOfWalk[walk[l]]].push(l);
  }

  const startAt = loopStarts(table, loops);
  const byStart = (a: number, b: number) => compareStarts(table, refs[startAt[a]], refs[startAt[b]]);
  shells.sort(byStart);
  const out = new Int32Array(refs.length);
  const ringEnd = new Uint32Array(count);
  const polygonEnd = new Uint32Array(shells.length);
  const shellBoxes = new Int32Array(4 * shells.length);
  let ring = 0;
  let written = 0;
  const write = (l: number) => {
    const begin = end[l - 1] ?? 0;
    const size = end[l] - begin;
    const turn = startAt[l] - begin;
    for (let k = 0; k < size; k++) out[written++] = refs[begin + ((turn + k) % size)];
    ringEnd[ring++] = written;
  };
  for (let p = 0; p < shells.length; p++) {
    write(shells[p]);
    for (let side = 0; side < 4; side++) shellBoxes[4 * p + side] = boxes[4 * shells[p] + side];
    for (const hole of holes[shells[p]].sort(byStart)) write(hole);
    polygonEnd[p] = ring;
  }
  return { rings: { refs: out, ringEnd, polygonEnd }, boxes: shellBoxes };
}

/** The box of each loop: west, south, east, north in 1e-7 degrees. */
export function loopBoxes({ box }: ArcLines, { refs, end, count }: Loops): Int32Array {
  const boxes = new Int32Array(4 * count);
  for (let l = 0, k = 0; l < count; l++) {
    let [west, south, east, north] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
    for (; k < end[l]; k++) {
      const b = 4 * (refs[k] < 0 ? ~refs[k] : refs[k]);
      if (box[b] < west) west = box[b];
      if (box[b + 1] < south) south = box[b + 1];
      if (box[b + 2] > east) east = box[b + 2];
      if (box[b + 3] > north) north = box[b + 3];
    }
    boxes[4 * l] = west;
    boxes[4 * l + 1] = south;
    boxes[4 * l + 2] = east;
    boxes[4 * l + 3] = north;
  }
  return boxes;
}

/** The innermost shell that contains the midpoint of an arc of a hole, or the trouble. */
function smallestShell(
  table: ArcTable,
  loops: Loops,
  shells: readonly number[],
  { boxes, rows }: { boxes: Int32Array; rows: LatitudeIndex },
  ref: number,
): number | GeometryFault {
  const [x, y] = arcSample(table, ref < 0 ? ~ref : ref);
  let found = -1;
  let extent = Number.POSITIVE_INFINITY;
  for (const s of rows.at(y)) {
    const b = 4 * shells[s];
    if (x < boxes[b] || y < boxes[b + 1] || x > boxes[b + 2] || y > boxes[b + 3]) continue;
    // Shells that contain the same point are nested, and the inner one has the strictly smaller box.
    const size = boxes[b + 2] - boxes[b] + boxes[b + 3] - boxes[b + 1];
    if (size >= extent) continue;
    const where = locate(table, loops.refs.subarray(loops.end[shells[s] - 1] ?? 0, loops.end[shells[s]]), x, y);
    if (where === 0) return { reason: 'two borders lie on each other', x: Math.floor(x), y: Math.floor(y) };
    if (where < 0) continue;
    found = shells[s];
    extent = size;
  }
  return found >= 0 ? found : { reason: 'a hole outside every outline', x: Math.floor(x), y: Math.floor(y) };
}

/** The midpoint of an arc's middle segment, in multiples of 1/2 of 1e-7 degrees; never an arc end. */
export function arcSample(table: ArcTable, arc: number): [number, number] {
  const { coords, first, length } = table;
  const at = 2 * (first[arc] + ((length[arc] - 2) >> 1));
  return [(coords[at] + coords[at + 2]) / 2, (coords[at + 1] + coords[at + 3]) / 2];
}

/** Per loop, the index into its refs of the walked arc that starts at the loop's smallest arc end. */
function loopStarts(table: ArcTable, loops: Loops): Int32Array {
  const startAt = new Int32Array(loops.count);
  for (let l = 0; l < loops.count; l++) {
    let best = loops.end[l - 1] ?? 0;
    for (let k = best + 1; k < loops.end[l]; k++) {
      if (compareStarts(table, loops.refs[k], loops.refs[best]) < 0) best = k;
    }
    startAt[l] = best;
  }
  return startAt;
}

/** Orders walked arcs by their first vertex, then by their second, because loops may touch in their first. */
export function compareStarts(table: ArcLines, a: number, b: number): number {
  const { coords, first, length } = table;
  const i = 2 * (a < 0 ? first[~a] + length[~a] - 1 : first[a]);
  const j = 2 * (b < 0 ? first[~b] + length[~b] - 1 : first[b]);
  if (coords[i] !== coords[j]) return coords[i] - coords[j];
  if (coords[i + 1] !== coords[j + 1]) return coords[i + 1] - coords[j + 1];
  const u = a < 0 ? i - 2 : i + 2;
  const v = b < 0 ? j - 2 : j + 2;
  return coords[u] - coords[v] || coords[u + 1] - coords[v + 1];
}

/** Polygons as rings of arcs, and the box of each polygon: west, south, east, north in 1e-7 degrees. */
export interface Placed {
  readonly rings: Rings;
  readonly boxes: Int32Array;
}

/** Polygons, or the reason and place for which the request needs the next strategy. */
export type Stitched = Placed | { readonly trouble: GeometryFault };

/** Simple closed loops of walked arcs. Loop l is `refs[end[l - 1] … end[l] - 1]`. */
export interface Loops {
  readonly refs: Int32Array;
  readonly end: Int32Array;
  /** Per loop, the closed walk that it was cut from. */
  readonly walk: Int32Array;
  readonly count: number;
}

/** A trouble located at the first vertex of an arc. */
export function troubleAt(table: ArcTable, ref: number, reason: string): GeometryFault {
  const at = 2 * table.first[ref < 0 ? ~ref : ref];
  return { reason, x: table.coords[at], y: table.coords[at + 1] };
}
