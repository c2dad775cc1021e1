/**
 * What a detail tier was looked up in: the cells of a quadtree in which the answer to a question about an arc lies. An
 * arc whose cells nothing has changed in keeps its tiers; and where not all arcs are given, the cells say which of the
 * others are needed.
 *
 * A cell is a number: 4 bits for its size, 15 each for its column and row. Sizes run from 2^17 units (1.5 km) to the
 * whole plane, so that every box is covered by a few cells not much larger than itself.
 */
import type { Coords } from '../contract.ts';

/** Binary logarithm of the side of the smallest cells, in coordinate units. */
const SMALLEST = 17;
const LARGEST = 32;
const ORIGIN = 2 ** 31;
const ROWS = 2 ** 15;
const SIZES = 2 ** 30;
/** What a cell is multiplied by to tell kinds of questions apart: a key is `kind * CELLS + cell`. */
export const CELLS = 2 ** 34;

/** Kinds of questions: what changes the answer. `ends` and `merged` have one for each class, up to the class's points. */
export const KINDS = {
  /** Weights of the vertices inside an arc: any vertex. */
  weights: 0,
  /** Whether an arc goes with an island: any arc, and whether a boundary has its largest part there. */
  island: 1,
  /** Ends that go: vertices of the class, and the levels at which they are gone. */
  ends: 2,
  /** Digits of a segment of an arc: any vertex, and the levels at which it is gone. */
  digits: 15,
  /** The same of a segment that came to be where ends of a class went. */
  merged: 16,
} as const;

export interface Surroundings {
  /** Cells of which all arcs up to a class are given, with that class; null: all there are. */
  readonly known: ReadonlyMap<number, number> | null;
  /** Cells that were looked in but are not known, with the class up to which. */
  readonly missing: Map<number, number>;
  /** Per arc, the keys of the cells that were looked in. */
  readonly reach: (Set<number> | undefined)[];
  /** Per arc, 1 when its answers are not final, because a cell was missing. */
  readonly open: Uint8Array;
}

/** Nothing looked at yet. */
export function surroundingsOf(arcs: number, known: Surroundings['known']): Surroundings {
  return { known, missing: new Map(), reach: new Array(arcs), open: new Uint8Array(arcs) };
}

/** The smallest cell that holds a place. */
export function cellAt(x: number, y: number): number {
  return cellOf(SMALLEST, x, y);
}

function cellOf(size: number, x: number, y: number): number {
  const side = 2 ** size;
  return (size - SMALLEST) * SIZES + Math.floor((x + ORIGIN) / side) * ROWS + Math.floor((y + ORIGIN) / side);
}

/** The cell of twice the size that holds a cell, or -1. */
export function parentCell(cell: number): number {
  const size = Math.floor(cell / SIZES);
  if (size + SMALLEST === LARGEST) return -1;
  const column = Math.floor(cell / ROWS) % ROWS;
  return (size + 1) * SIZES + (column >> 1) * ROWS + ((cell % ROWS) >> 1);
}

/** Where the smallest cells in a cell begin and end along Morton's curve. */
export function cellSpan(cell: number): [from: number, to: number] {
  const count = 4 ** Math.floor(cell / SIZES);
  const place = spread(Math.floor(cell / ROWS) % ROWS) + 2 * spread(cell % ROWS);
  return [place * count, (place + 1) * count];
}

/** The bits of a number below 2^15, each moved to twice its place. */
function spread(bits: number): number {
  let b = bits;
  b = (b | (b << 8)) & 0x00ff00ff;
  b = (b | (b << 4)) & 0x0f0f0f0f;
  b = (b | (b << 2)) & 0x33333333;
  return (b | (b << 1)) & 0x55555555;
}

/** West, south, east, north of a cell, the last two within it. */
export function cellBox(cell: number): [number, number, number, number] {
  const side = 2 ** (Math.floor(cell / SIZES) + SMALLEST);
  const west = (Math.floor(cell / ROWS) % ROWS) * side - ORIGIN;
  const south = (cell % ROWS) * side - ORIGIN;
  return [west, south, west + side - 1, south + side - 1];
}

/** Whether all arcs up to a class are given that have something in a cell. */
export function isKnown(known: Surroundings['known'], cell: number, limit: number): boolean {
  if (known === null) return true;
  for (let at = cell; at >= 0; at = parentCell(at)) if ((known.get(at) ?? -1) >= limit) return true;
  return false;
}

/** Notes that an arc's answer lies in a cell; returns whether all arcs up to the class are known there. */
function note(surroundings: Surroundings, arc: number, kind: number, limit: number, cell: number): boolean {
  const { reach, known, missing, open } = surroundings;
  const key = kind * CELLS + cell;
  let own = reach[arc];
  if (own === undefined) {
    own = new Set();
    reach[arc] = own;
  }
  if (!own.has(key)) own.add(key);
  if (isKnown(known, cell, limit)) return true;
  missing.set(cell, Math.max(missing.get(cell) ?? -1, limit));
  open[arc] = 1;
  return false;
}

/** Notes a place; see `note`. */
export function lookAt(
  surroundings: Surroundings,
  arc: number,
  kind: number,
  limit: number,
  x: number,
  y: number,
): boolean {
  return note(surroundings, arc, kind, limit, cellOf(SMALLEST, x, y));
}

/** Notes a box; see `note`. */
export function lookInBox(
  surroundings: Surroundings,
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
      all = note(surroundings, arc, kind, limit, (size - SMALLEST) * SIZES + column * ROWS + row) && all;
    }
  }
  return all;
}

/**
 * Notes what lies in a triangle a, b, c or, when b and c are the same, within `margin` of a segment (per axis): cells
 * of an eighth of its extent, so that a long thin one has no more than what is along it. See `note`.
 */
export function lookAlong(
  surroundings: Surroundings,
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
    return lookInBox(surroundings, arc, kind, limit, west, south, east, north);
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
      // The third corner says which side of an edge is inside; a segment has nothing on either.
      if (beside(ax, ay, bx, by, cx, cy, x, y, reach)) continue;
      if (b !== c && (beside(bx, by, cx, cy, ax, ay, x, y, reach) || beside(cx, cy, ax, ay, bx, by, x, y, reach))) {
        continue;
      }
      all = note(surroundings, arc, kind, limit, (size - SMALLEST) * SIZES + column * ROWS + row) && all;
    }
  }
  return all;
}

/** Whether a square lies beside the line p q, on another side than r (which may be on the line). */
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
  let least = Infinity;
  let most = -Infinity;
  for (let corner = 0; corner < 4; corner++) {
    const cross = dx * (y + (corner & 1) * side - py) - dy * (x + (corner >> 1) * side - px);
    least = Math.min(least, cross);
    most = Math.max(most, cross);
  }
  // Far more than the rounding of doubles at these sizes.
  const slack = 1e-9 * (Math.abs(dx) + Math.abs(dy)) * side;
  return (inside <= 0 && least > slack) || (inside >= 0 && most < -slack);
}
