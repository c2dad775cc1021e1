/**
 * The dependencies of detail tiers: the quadtree cells that decide an answer about an arc. An arc keeps its tiers as
 * long as nothing changes in its cells. When only some arcs are given, the cells determine which others are needed.
 *
 * A cell is a number: 4 bits for its size, 15 each for its column and row. Sizes range from 2^17 units (1.5 km) to the
 * whole plane, so every box is covered by a few cells not much larger than itself.
 */
import type { Coords } from '../contract.ts';
import { type CellClasses, KeySet } from './key_set.ts';

/** Base-2 logarithm of the side of the smallest cells, in coordinate units. */
const SMALLEST = 17;
const LARGEST = 32;
const ORIGIN = 2 ** 31;
const ROWS = 2 ** 15;
const SIZES = 2 ** 30;
/** Combines a kind of question and a cell into one key: `kind * CELLS + cell`. */
export const CELLS = 2 ** 34;

/**
 * Kinds of questions, by what can change the answer. `ends` and `merged` have one kind per class, affected by the
 * vertices up to that class.
 */
export const DEPENDENCY_KINDS = {
  /** Weights of the vertices inside an arc: depend on any vertex. */
  weights: 0,
  /**
   * Whether an arc is removed with an island: depends on any arc, and on whether a boundary has its largest part there.
   */
  island: 1,
  /** Removed ends: depend on vertices of the class, and on the levels that remove them. */
  ends: 2,
  /** Digits of a segment of an arc: depend on any vertex, and on the levels that remove it. */
  digits: 15,
  /** Digits of a segment that replaced removed ends of a class. */
  merged: 16,
} as const;

export interface Dependencies {
  /** Cells whose arcs up to a class are all given, with that class; null when all arcs are given. See isKnown. */
  readonly known: CellClasses | null;
  /** Cells that were needed but are not known, with the class up to which they are needed. */
  readonly missing: Map<number, number>;
  /** Per arc, the keys of the cells it depends on. */
  readonly reach: (KeySet | undefined)[];
  /** Per arc, 1 when its answers are not final because a cell was missing. */
  readonly open: Uint8Array;
}

/** Empty dependencies for a number of arcs. */
export function emptyDependencies(arcs: number, known: Dependencies['known']): Dependencies {
  return { known, missing: new Map(), reach: new Array(arcs), open: new Uint8Array(arcs) };
}

/** The smallest cell that contains a point. */
export function cellAt(x: number, y: number): number {
  return cellOf(SMALLEST, x, y);
}

function cellOf(size: number, x: number, y: number): number {
  const side = 2 ** size;
  return (size - SMALLEST) * SIZES + Math.floor((x + ORIGIN) / side) * ROWS + Math.floor((y + ORIGIN) / side);
}

/** The bit of a cell's size; larger cells have higher bits. */
export const sizeBit = (cell: number): number => 1 << Math.floor(cell / SIZES);

/** The cell of twice the size that contains a cell, or -1. */
export function parentCell(cell: number): number {
  const size = Math.floor(cell / SIZES);
  if (size + SMALLEST === LARGEST) return -1;
  const column = Math.floor(cell / ROWS) % ROWS;
  return (size + 1) * SIZES + (column >> 1) * ROWS + ((cell % ROWS) >> 1);
}

/** The range of a cell's smallest cells along the Morton curve: from (inclusive), to (exclusive). */
export function cellSpan(cell: number): [from: number, to: number] {
  const count = 4 ** Math.floor(cell / SIZES);
  const place = spread(Math.floor(cell / ROWS) % ROWS) + 2 * spread(cell % ROWS);
  return [place * count, (place + 1) * count];
}

/** Interleaves the bits of a number below 2^15 with zeros. */
function spread(bits: number): number {
  let b = bits;
  b = (b | (b << 8)) & 0x00ff00ff;
  b = (b | (b << 4)) & 0x0f0f0f0f;
  b = (b | (b << 2)) & 0x33333333;
  return (b | (b << 1)) & 0x55555555;
}

/** West, south, east, north of a cell, all inclusive. */
export function cellBox(cell: number): [number, number, number, number] {
  const side = 2 ** (Math.floor(cell / SIZES) + SMALLEST);
  const west = (Math.floor(cell / ROWS) % ROWS) * side - ORIGIN;
  const south = (cell % ROWS) * side - ORIGIN;
  return [west, south, west + side - 1, south + side - 1];
}

/**
 * Whether all arcs up to a class in a cell are given, because those of a cell that contains it are. Adds to `known` what
 * follows for the cell itself: the next question about it is one look-up.
 */
export function isKnown(known: Dependencies['known'], cell: number, limit: number): boolean {
  if (known === null) return true;
  for (let at = cell; at >= 0; at = parentCell(at)) {
    const given = known.of(at);
    if (given < limit) continue;
    if (at !== cell) known.raise(cell, given);
    return true;
  }
  return false;
}

/** Records that an arc's answer depends on a cell; returns whether all arcs up to the class are known there. */
function recordCell(surroundings: Dependencies, arc: number, kind: number, limit: number, cell: number): boolean {
  const { reach, known, missing, open } = surroundings;
  let own = reach[arc];
  if (own === undefined) {
    own = new KeySet();
    reach[arc] = own;
  }
  const isNew = own.add(kind * CELLS + cell);
  if (known === null) return true;
  // Asked before for this arc: unless it was missing then, it is known.
  if (!isNew && (missing.get(cell) ?? -1) < limit) return true;
  if (isKnown(known, cell, limit)) return true;
  missing.set(cell, Math.max(missing.get(cell) ?? -1, limit));
  open[arc] = 1;
  return false;
}

/** Records a point; see `recordCell`. */
export function recordPoint(
  surroundings: Dependencies,
  arc: number,
  kind: number,
  limit: number,
  x: number,
  y: number,
): boolean {
  return recordCell(surroundings, arc, kind, limit, cellOf(SMALLEST, x, y));
}

/** Records a box; see `recordCell`. */
export function recordBox(
  surroundings: Dependencies,
  arc: number,
  kind: number,
  limit: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  let size = SMALLEST;
  while (2 ** size < Math.max(east - west, north - south)) size++;
  const side = 2 ** size;
  let all = true;
  const right = Math.floor((east + ORIGIN) / side);
  const top = Math.floor((north + ORIGIN) / side);
  for (let column = Math.floor((west + ORIGIN) / side); column <= right; column++) {
    for (let row = Math.floor((south + ORIGIN) / side); row <= top; row++) {
      if (column < 0 || row < 0 || column * side >= 2 * ORIGIN || row * side >= 2 * ORIGIN) continue;
      all = recordCell(surroundings, arc, kind, limit, (size - SMALLEST) * SIZES + column * ROWS + row) && all;
    }
  }
  return all;
}

/**
 * Records the cells of a triangle a, b, c or, when b and c are equal, those within `margin` of a segment (per axis).
 * Cells have 1/8 of its extent, so that a long thin one gets only the cells along it. See `recordCell`.
 */
export function recordAlong(
  surroundings: Dependencies,
  arc: number,
  kind: number,
  limit: number,
  coords: Coords,
  a: number,
  b: number,
  c: number,
  margin: number,
): boolean {
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  const bx = coords[2 * b];
  const by = coords[2 * b + 1];
  const cx = coords[2 * c];
  const cy = coords[2 * c + 1];
  const west = Math.min(ax, bx, cx) - margin;
  const south = Math.min(ay, by, cy) - margin;
  const east = Math.max(ax, bx, cx) + margin;
  const north = Math.max(ay, by, cy) + margin;
  if (east - west <= 2 ** SMALLEST && north - south <= 2 ** SMALLEST) {
    return recordBox(surroundings, arc, kind, limit, west, south, east, north);
  }
  let size = SMALLEST;
  while (8 * 2 ** size < Math.max(east - west, north - south)) size++;
  const side = 2 ** size;
  let all = true;
  const right = Math.floor((east + ORIGIN) / side);
  const top = Math.floor((north + ORIGIN) / side);
  for (let column = Math.floor((west + ORIGIN) / side); column <= right; column++) {
    for (let row = Math.floor((south + ORIGIN) / side); row <= top; row++) {
      if (column < 0 || row < 0 || column * side >= 2 * ORIGIN || row * side >= 2 * ORIGIN) continue;
      const x = column * side - ORIGIN - margin;
      const y = row * side - ORIGIN - margin;
      const reach = side + 2 * margin;
      // The third corner determines the inner side of an edge; a segment has no inner side.
      if (beside(ax, ay, bx, by, cx, cy, x, y, reach)) continue;
      if (b !== c && (beside(bx, by, cx, cy, ax, ay, x, y, reach) || beside(cx, cy, ax, ay, bx, by, x, y, reach))) {
        continue;
      }
      all = recordCell(surroundings, arc, kind, limit, (size - SMALLEST) * SIZES + column * ROWS + row) && all;
    }
  }
  return all;
}

/** Whether a square is entirely on the other side of the line p q than r (which may be on the line). */
function beside(
  px: number,
  py: number,
  qx: number,
  qy: number,
  rx: number,
  ry: number,
  x: number,
  y: number,
  side: number,
): boolean {
  const dx = qx - px;
  const dy = qy - py;
  const inside = dx * (ry - py) - dy * (rx - px);
  // The least and the greatest cross product of the four corners.
  const south = dx * (y - py);
  const north = dx * (y + side - py);
  const west = dy * (x - px);
  const east = dy * (x + side - px);
  const least = Math.min(south, north) - Math.max(west, east);
  const most = Math.max(south, north) - Math.min(west, east);
  // Far above the rounding errors of doubles at these sizes.
  const slack = 1e-9 * (Math.abs(dx) + Math.abs(dy)) * side;
  return (inside <= 0 && least > slack) || (inside >= 0 && most < -slack);
}
