/** Locates many points in many boundaries: boxes first, then arcs. */
import Flatbush from 'flatbush';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable } from '../contract.ts';
import { arcCrossings, locate } from './locate.ts';
import { LatitudeIndex } from './rows.ts';

/** A list of items per point: point i has `items[from[i]] … items[end[i] - 1]`. */
export interface PerPoint {
  readonly from: Uint32Array;
  readonly end: Uint32Array;
  readonly items: Uint32Array;
}

/** Points between two checks of `isCanceled`. */
const POLL = 1024;
/** The antimeridian in 1e-7 degrees. It is both 180 and -180 degrees, and data touches it from both sides. */
const SEAM = 1_800_000_000;
/** Boundaries with more arcs than this get an index of their arcs by latitude. */
export const INDEX_ABOVE_ARCS = 96;

/** Cells per side of the grid by which points are sorted, and the most points of a cell that share one tree search. */
const CELLS = 256;
const POINTS_PER_SEARCH = 64;

/**
 * Sorts points by the cells of a grid, so that neighbors are looked up one after another: `order` has the point indexes
 * cell by cell, and those of cell c end before `cellEnd[c]`. O(n).
 */
function byCell(points: Int32Array): { readonly order: Uint32Array; readonly cellEnd: Uint32Array } {
  const count = points.length / 2;
  let [west, south, east, north] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
  for (let i = 0; i < points.length; i += 2) {
    if (points[i] < west) west = points[i];
    if (points[i] > east) east = points[i];
    if (points[i + 1] < south) south = points[i + 1];
    if (points[i + 1] > north) north = points[i + 1];
  }
  const width = (east - west + 1) / CELLS;
  const height = (north - south + 1) / CELLS;
  const cell = new Uint16Array(count);
  const cellEnd = new Uint32Array(CELLS * CELLS);
  for (let i = 0; i < count; i++) {
    const row = Math.floor((points[2 * i + 1] - south) / height);
    const column = Math.floor((points[2 * i] - west) / width);
    // Every second row runs backward, so that consecutive cells touch.
    cell[i] = row * CELLS + (row & 1 ? CELLS - 1 - column : column);
    cellEnd[cell[i]]++;
  }
  for (let c = 1; c < cellEnd.length; c++) cellEnd[c] += cellEnd[c - 1];
  const order = new Uint32Array(count);
  const next = cellEnd.slice();
  for (let i = count - 1; i >= 0; i--) order[--next[cell[i]]] = i;
  return { order, cellEnd };
}

/**
 * The indexes of the boxes that contain each point, borders included. `tree` is from packBoxes() over `boxes`, or null
 * when there are no boxes; `points` has x, y per point in 1e-7 degrees.
 * @throws DOMException named AbortError when canceled
 * @param tree of packBoxes(), or null
 * @param boxes west, south, east, north of each box, in 1e-7 degrees
 * @param points x, y of each point, in 1e-7 degrees
 * @param isCanceled whether to stop
 */
export function boxesAt(
  tree: ArrayBufferLike | null,
  boxes: Int32Array,
  points: Int32Array,
  isCanceled?: IsCanceled,
): PerPoint {
  const count = points.length / 2;
  const from = new Uint32Array(count);
  const end = new Uint32Array(count);
  if (tree === null) return { from, end, items: new Uint32Array(0) };
  const index = Flatbush.from(tree);
  let items = new Uint32Array(8 * count + 64);
  let written = 0;
  const take = (found: readonly number[], x: number, y: number): void => {
    if (written + found.length > items.length) {
      const more = new Uint32Array(2 * items.length + found.length);
      more.set(items);
      items = more;
    }
    for (let f = 0; f < found.length; f++) {
      const b = 4 * found[f];
      if (boxes[b] <= x && boxes[b + 1] <= y && boxes[b + 2] >= x && boxes[b + 3] >= y) items[written++] = found[f];
    }
  };
  const { order, cellEnd } = byCell(points);
  for (let cell = 0, at = 0; cell < cellEnd.length; cell++) {
    while (at < cellEnd[cell]) {
      throwIfCanceled(isCanceled);
      const to = Math.min(at + POINTS_PER_SEARCH, cellEnd[cell]);
      let [west, south, east, north] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
      for (let k = at; k < to; k++) {
        const p = 2 * order[k];
        if (points[p] < west) west = points[p];
        if (points[p] > east) east = points[p];
        if (points[p + 1] < south) south = points[p + 1];
        if (points[p + 1] > north) north = points[p + 1];
      }
      const found = index.search(west, south, east, north);
      for (; at < to; at++) {
        const i = order[at];
        const x = points[2 * i];
        const y = points[2 * i + 1];
        from[i] = written;
        take(found, x, y);
        if (x === SEAM || x === -SEAM) take(index.search(-x, y, -x, y), -x, y);
        end[i] = written;
      }
    }
  }
  return { from, end, items: items.slice(0, written) };
}

/**
 * Which candidates contain each point: a byte per item, 1 when the point is inside or on the border. An item is the
 * index of a boundary, whose signed arcs are `refs[refFrom[b]] … refs[refEnd[b] - 1]`. Exact, like `locate`.
 * @throws DOMException named AbortError when canceled
 * @param table the arcs, with their boxes
 * @param arcs the signed arcs of each boundary
 * @param points x, y of each point, in 1e-7 degrees
 * @param candidates the boundaries of each point
 * @param isCanceled whether to stop
 */
export function locateAmong(
  table: ArcTable,
  { refs, refFrom, refEnd }: { readonly refs: Int32Array; readonly refFrom: Uint32Array; readonly refEnd: Uint32Array },
  points: Int32Array,
  { from: start, end, items }: PerPoint,
  isCanceled?: IsCanceled,
): Uint8Array {
  const inside = new Uint8Array(items.length);
  const tall: (ArcsByLatitude | undefined)[] = new Array(refEnd.length);
  const where = (b: number, x: number, y: number): number => {
    const from = refFrom[b];
    const to = refEnd[b];
    if (to - from <= INDEX_ABOVE_ARCS) return locate(table, refs, x, y, from, to);
    tall[b] ??= new ArcsByLatitude(table, refs.subarray(from, to));
    return tall[b].locate(x, y);
  };
  const { order } = byCell(points);
  for (let n = 0; n < order.length; n++) {
    if (n % POLL === 0) throwIfCanceled(isCanceled);
    const i = order[n];
    const x = points[2 * i];
    const y = points[2 * i + 1];
    for (let k = start[i]; k < end[i]; k++) {
      if (where(items[k], x, y) >= 0 || ((x === SEAM || x === -SEAM) && where(items[k], -x, y) >= 0)) inside[k] = 1;
    }
  }
  return inside;
}

/** The arcs of one boundary, indexed by latitude: for looking up many points in a boundary of many arcs. */
export class ArcsByLatitude {
  private readonly table: ArcTable;
  private readonly arcs: Int32Array;
  private readonly rows: LatitudeIndex;

  /** Indexes the signed arcs `refs` of a table. Valid while their slots of the table are. */
  constructor(table: ArcTable, refs: Int32Array) {
    this.table = table;
    this.arcs = refs.map((ref) => (ref < 0 ? ~ref : ref));
    this.rows = new LatitudeIndex(table.box, this.arcs);
  }

  /** Like locate(). */
  locate(x: number, y: number): -1 | 0 | 1 {
    const items = this.rows.at(y);
    let inside = false;
    for (let i = 0; i < items.length; i++) {
      const crossings = arcCrossings(this.table, this.arcs[items[i]], x, y);
      if (crossings < 0) return 0;
      if (crossings & 1) inside = !inside;
    }
    return inside ? 1 : -1;
  }
}
