/** How far straight edges of a reference system leave their place when only their ends are moved into degrees. */
import type { Box } from './table.ts';

/** What moves the positions of a reference system into degrees. */
export interface Course {
  /** Moves the positions of a list in place; NaN where the system has no such place. */
  readonly apply: (coords: Float64Array) => void;
  /** Whether all places of a box of the system's coordinates are moved by one formula without breaks. */
  readonly isSmooth: (box: Box) => boolean;
  /** Meters, or degrees, in one unit of the coordinates. */
  readonly unit: number;
  readonly isDegrees: boolean;
}

/** Meters in a degree of latitude, roughly. */
export const METERS = 111_320;

/** Beyond this latitude (degrees) meridians are so close to each other that a cell says little of them. */
export const STEEP = 85;

/** The side of a cell: over it, the curvature of a projection differs by some hundredths at most. */
const CELL_METERS = 32_768;
const CELL_DEGREES = 0.25;

/** The longest edge of which a cell says something, in sides. */
const LONGEST = 1 / 8;

/** The most cells kept, of 100 bytes each. */
const MOST_CELLS = 2 ** 16;

/** Columns and rows on each side of the origin: both numbers of a cell are one integer together. */
const MOST_COLUMNS = 2 ** 25;

/** What is measured at the corners of a cell counts so many times, for what lies between them. */
const SAFETY = 2;

/** The limit of how far the edge between two positions leaves its place, in meters. */
export type BendLimit = (px: number, py: number, qx: number, qy: number) => number;

/**
 * Limits, in meters, of how far edges leave their place: of the distances between each part of an edge and the same part of
 * the straight line, in degrees, from the place of one end to that of the other. A curve whose second derivative is at most
 * K leaves its chord of length L by at most K L² / 8. K is measured once for each cell of a grid.
 * @returns the limit of the edge between two positions, which depends on nothing else; Infinity where none is known
 */
export function bends({ apply, isSmooth, unit, isDegrees }: Course): BendLimit {
  const side = (isDegrees ? CELL_DEGREES : CELL_METERS) / unit;
  const longest = (side * LONGEST) ** 2;
  const cells = new Map<number, Cell | null>();
  let last = Number.NaN;
  let cell: Cell | null = null;

  return (px, py, qx, qy) => {
    const [dx, dy] = [qx - px, qy - py];
    const square = dx * dx + dy * dy;
    const [column, row] = [Math.floor(px / side), Math.floor(py / side)];
    // Also where a coordinate is NaN.
    if (!(square <= longest && Math.abs(column) < MOST_COLUMNS && Math.abs(row) < MOST_COLUMNS)) return Infinity;
    const number = (column + MOST_COLUMNS) * 2 * MOST_COLUMNS + row + MOST_COLUMNS;
    if (number !== last) {
      let found = cells.get(number);
      if (found === undefined) {
        if (cells.size === MOST_CELLS) cells.clear();
        const [x, y] = [(column + 0.5) * side, (row + 0.5) * side];
        // Cells are measured by what is half a side around them, too.
        found = isSmooth([x - side, y - side, x + side, y + side]) ? cellAt(apply, x, y, side / 2) : null;
        cells.set(number, found);
      }
      last = number;
      cell = found;
    }
    if (cell === null) return Infinity;
    const [xxEast, xxNorth, xyEast, xyNorth, yyEast, yyNorth, spread] = cell;
    const east = xxEast * dx * dx + 2 * xyEast * dx * dy + yyEast * dy * dy;
    const north = xxNorth * dx * dx + 2 * xyNorth * dx * dy + yyNorth * dy * dy;
    return (Math.sqrt(east * east + north * north) + spread * square) / 8;
  };
}

/**
 * The second derivatives in the middle of a cell, in meters: by x twice, by x and y, and by y twice, each to the east and to
 * the north; then by how much the second derivative in any direction differs from that in the middle.
 */
type Cell = Float64Array;

/** Points on each side of the grid by which a cell is measured. */
const POINTS = 5;
const MIDDLE = (POINTS * POINTS - 1) / 2;
const CORNERS = [MIDDLE - POINTS - 1, MIDDLE - POINTS + 1, MIDDLE + POINTS - 1, MIDDLE + POINTS + 1] as const;

/**
 * Measures the cell around a middle.
 * @param step half of its side: the distance of points
 * @returns null near a pole, and where a point has no place
 */
function cellAt(apply: Course['apply'], x: number, y: number, step: number): Cell | null {
  const grid = new Float64Array(2 * POINTS * POINTS);
  for (let row = 0, i = 0; row < POINTS; row++) {
    for (let column = 0; column < POINTS; column++, i += 2) {
      grid[i] = x + (column - 2) * step;
      grid[i + 1] = y + (row - 2) * step;
    }
  }
  apply(grid);
  const [lon, lat] = [grid[2 * MIDDLE], grid[2 * MIDDLE + 1]];
  const east = METERS * Math.cos((lat * Math.PI) / 180);
  for (let i = 0; i < grid.length; i += 2) {
    if (!(Math.abs(grid[i + 1]) < STEEP)) return null;
    grid[i] = turn(grid[i] - lon) * east;
    grid[i + 1] = (grid[i + 1] - lat) * METERS;
  }
  const cell = new Float64Array(7);
  const other = new Float64Array(6);
  derive(grid, MIDDLE, step, cell);
  for (const corner of CORNERS) {
    derive(grid, corner, step, other);
    const [xx, xy, yy] = [0, 2, 4].map((k) => Math.hypot(other[k] - cell[k], other[k + 1] - cell[k + 1]));
    // In the direction (cos, sin) it is xx cos² + 2 xy cos sin + yy sin².
    cell[6] = Math.max(cell[6], SAFETY * (Math.max(xx, yy) + xy));
  }
  return Number.isFinite(cell[6]) ? cell : null;
}

/** Puts the second derivatives at a point of a grid, by differences to its neighbors, in the order of a cell. */
function derive(grid: Float64Array, point: number, step: number, out: Float64Array): void {
  const square = step * step;
  for (let axis = 0; axis < 2; axis++) {
    const at = 2 * point + axis;
    const row = 2 * POINTS;
    out[axis] = (grid[at + 2] - 2 * grid[at] + grid[at - 2]) / square;
    out[2 + axis] = (grid[at + row + 2] - grid[at + row - 2] - grid[at - row + 2] + grid[at - row - 2]) / (4 * square);
    out[4 + axis] = (grid[at + row] - 2 * grid[at] + grid[at - row]) / square;
  }
}

/** The difference of two longitudes, the short way. */
export function turn(degrees: number): number {
  if (degrees > 180) return degrees - 360;
  return degrees < -180 ? degrees + 360 : degrees;
}
