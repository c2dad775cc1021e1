/** What a grid of cells is, and lengths on the grid of coordinates: units are 1e-7 degrees, longitude before latitude. */

/** Half a turn (180 degrees) and a quarter in 1e-7 degrees. */
export const HALF_TURN = 1_800_000_000;
export const QUARTER = 900_000_000;

/**
 * Width, in 1e-7 degrees, of the strip around a cell in which a border makes it an edge cell. It is wider than the
 * rounding of a point to 1e-7 degrees, and of the floating-point formulas by which programs find the cell of a point.
 */
export const MARGIN = 4;

/** A rectangle in 1e-7 degrees. West may be below -180 degrees and east above 180: it then crosses the antimeridian. */
export interface Span {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * The outline of a cell: x, y of its corners in order, in 1e-7 degrees, joined by straight lines. Longitudes may be
 * beyond 180 degrees. The cell itself is nowhere farther than `margin` outside these lines.
 */
export interface Outline {
  readonly ring: Float64Array;
  readonly margin: number;
}

/** A grid of cells in resolutions, each cell of which is divided into the cells of the next. */
export interface Grid<Cell = unknown> {
  readonly coarsest: number;
  readonly finest: number;
  /** The cells of the coarsest resolution. */
  roots(): readonly Cell[];
  children(cell: Cell): readonly Cell[];
  /** A rectangle that holds the cell and all cells that it is divided into, at every resolution. */
  reach(cell: Cell): Span;
  /** The outline; null where it has none on a plane, as around a pole: `reach` stands for it. */
  outline(cell: Cell): Outline | null;
  /** A point of the cell on the grid of 1e-7 degrees. */
  inside(cell: Cell): readonly [x: number, y: number];
  /** The number of cells of a resolution that the cell is divided into. */
  count(cell: Cell, resolution: number): number;
  /** These cells. */
  expand(cell: Cell, resolution: number): Iterable<Cell>;
  /** The name of a cell, as programs write it. */
  text(cell: Cell): string;
  /** The cell as a signed 64-bit number; absent where cells are text only. */
  number?(cell: Cell): bigint;
}

/** Longitude or latitude in 1e-7 degrees. */
export const units = (degrees: number): number => degrees * 1e7;

/** Moves a longitude by whole turns to within half a turn of another. */
export function near(x: number, of: number): number {
  return x - 2 * HALF_TURN * Math.round((x - of) / (2 * HALF_TURN));
}
