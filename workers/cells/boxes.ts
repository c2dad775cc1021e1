/** Cells that are rectangles of longitude and latitude: geohashes and quadkeys. The name of a cell is the cell. */
import { type Grid, HALF_TURN, MARGIN, type Outline, QUARTER, type Span } from './grid.ts';
import { GRID_SIZES } from './sizes.ts';

const GEOHASH = '0123456789bcdefghjkmnpqrstuvwxyz';
const QUADKEY = '0123';

interface BoxGrid {
  readonly digits: string;
  readonly coarsest: number;
  readonly finest: number;
  readonly spanOf: (cell: string) => Span;
}

function* descendants(digits: string, cell: string, resolution: number): Generator<string> {
  if (cell.length === resolution) yield cell;
  else for (const digit of digits) yield* descendants(digits, cell + digit, resolution);
}

const widened = ({ west, south, east, north }: Span): Span => ({
  west: west - MARGIN,
  south: south - MARGIN,
  east: east + MARGIN,
  north: north + MARGIN,
});

function boxGrid({ digits, finest, spanOf, coarsest }: BoxGrid): Grid<string> {
  return {
    coarsest,
    finest,
    roots: () => [...digits],
    children: (cell) => Array.from(digits, (digit) => cell + digit),
    reach: (cell) => widened(spanOf(cell)),
    outline(cell): Outline {
      const { west, south, east, north } = spanOf(cell);
      return { ring: Float64Array.of(west, south, east, south, east, north, west, north), margin: MARGIN };
    },
    inside(cell) {
      const { west, south, east, north } = spanOf(cell);
      return [Math.round((west + east) / 2), Math.round((south + north) / 2)];
    },
    count: (cell, resolution) => digits.length ** (resolution - cell.length),
    expand: (cell, resolution) => descendants(digits, cell, resolution),
    text: (cell) => cell,
  };
}

/** The rectangle of a geohash: five bits a digit, longitude first. */
function geohashSpan(cell: string): Span {
  let [west, south, width, height] = [-HALF_TURN, -QUARTER, 2 * HALF_TURN, 2 * QUARTER];
  let even = true;
  for (const digit of cell) {
    for (let bits = GEOHASH.indexOf(digit), bit = 16; bit > 0; bit >>= 1, even = !even) {
      if (even) {
        width /= 2;
        if (bits & bit) west += width;
      } else {
        height /= 2;
        if (bits & bit) south += height;
      }
    }
  }
  return { west, south, east: west + width, north: south + height };
}

/**
 * The rectangle of a quadkey: a tile of the web's maps. The first and the last row reach the poles, because a latitude
 * beyond 85.05 degrees is given to them.
 */
function quadkeySpan(cell: string): Span {
  let [x, y] = [0, 0];
  for (const digit of cell) {
    x = 2 * x + (Number(digit) & 1);
    y = 2 * y + (Number(digit) >> 1);
  }
  const tiles = 2 ** cell.length;
  const latitude = (row: number): number => {
    if (row <= 0) return QUARTER;
    if (row >= tiles) return -QUARTER;
    return (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * HALF_TURN) / Math.PI;
  };
  const width = (2 * HALF_TURN) / tiles;
  const west = x * width - HALF_TURN;
  return { west, south: latitude(y + 1), east: west + width, north: latitude(y) };
}

/** Geohashes of one to ten characters. */
export const geohash = boxGrid({
  digits: GEOHASH,
  ...GRID_SIZES.geohash,
  spanOf: geohashSpan,
});

/** Quadkeys of the levels 1 to 24: Bing's names of the tiles of maps. */
export const quadkey = boxGrid({
  digits: QUADKEY,
  ...GRID_SIZES.quadkey,
  spanOf: quadkeySpan,
});
