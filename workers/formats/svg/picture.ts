import type { Box, Coords, Document, Polygons } from '../../contract.ts';
import { SEAM_LONGITUDE } from '../seam.ts';

/** 180 and 90 degrees in 1e-7 degrees, and the factor to radians. */
const HALF_TURN = 1_800_000_000;
const RIGHT_ANGLE = 900_000_000;
const RADIANS = Math.PI / HALF_TURN;

/** Maximum cells along the longer side of a picture of a pole. */
const POLAR_CELLS = 2 ** 23;

/** An area at least this wide in longitude counts as going all the way round: 350 degrees, in 1e-7 degrees. */
const ALL_ROUND = 3_500_000_000;

/** The smallest scale of longitudes near a pole: that at 85 degrees. */
const SMALLEST_COSINE = Math.cos((85 * Math.PI) / 180);

/** A length of a picture is `value / unit`. Coordinates are x to the right, y down, both from 0. */
export interface Scale {
  /** Values in one length. */
  readonly unit: number;
  /** Factor of lengths along x, which the picture applies as a transformation. */
  readonly squeeze: number;
  /** Size in lengths, squeezed. */
  readonly width: number;
  readonly height: number;
}

/** Values of a picture; few pictures are so wide that they need doubles. */
export type Grid = Int32Array | Float64Array;

/** An area in a picture. */
export interface Picture extends Scale {
  /** Interleaved x, y in values, in the vertex order of the polygons. */
  readonly grid: Grid;
  /** True when the area was cut along ±180: it reaches both sides. */
  readonly cut: boolean;
}

interface Extent {
  west: number;
  south: number;
  east: number;
  north: number;
}

/**
 * Projects polygons onto a picture: equirectangular, true to scale along the middle parallel. If the document's box
 * crosses the antimeridian, the part east of it is placed to the right of the part west of it. An area that goes all
 * the way round a pole and stays beyond 45 degrees is shown from above that pole (azimuthal equidistant, Greenwich up
 * in the south and down in the north), unless it has edges that would have to be curves there.
 *
 * But for pictures of a pole, the coordinates are longitudes and latitudes less those of a corner, in units of the last
 * of the document's digits: nothing is rounded, so that rings stay valid and neighbors share their vertices. The scale
 * of the middle parallel is a transformation of the picture.
 */
export function project(polygons: Polygons, doc: Document): Picture {
  const { coords } = polygons;
  if (coords.length === 0) return { grid: new Int32Array(0), unit: 1, squeeze: 1, width: 0, height: 0, cut: false };
  const whole = extent(coords, -HALF_TURN);
  const cut = whole.west <= -SEAM_LONGITUDE && whole.east >= SEAM_LONGITUDE;
  const step = 10 ** (7 - doc.digits);
  const crosses = doc.bbox !== null && doc.bbox[0] > doc.bbox[2];
  const round = !crosses && whole.east - whole.west > ALL_ROUND;
  if (round && (whole.south > RIGHT_ANGLE / 2 || whole.north < -RIGHT_ANGLE / 2) && !hasCurvedEdges(polygons, whole)) {
    return { ...polar(coords, whole, step), cut };
  }
  // The gap between the eastern end of one part and the western end of the other is split in its middle.
  const parting = crosses && doc.bbox !== null ? ((doc.bbox[0] + doc.bbox[2]) / 2) * 1e7 : -HALF_TURN;
  const shown = crosses ? extent(coords, parting) : whole;
  return { ...equirectangular(coords, shown, parting, step), cut };
}

/** The extent in 1e-7 degrees. Longitudes west of `parting` are moved east by one turn. */
function extent(coords: Coords, parting: number): Extent {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (let i = 0; i < coords.length; i += 2) {
    const x = coords[i] < parting ? coords[i] + 2 * HALF_TURN : coords[i];
    const y = coords[i + 1];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  return { west, south, east, north };
}

function equirectangular(coords: Coords, shown: Extent, parting: number, step: number): Omit<Picture, 'cut'> {
  const frame = frameOf(shown, parting, step);
  const { unit, squeeze, width, height } = frame;
  return { grid: inFrame(coords, frame), unit, squeeze, width, height };
}

/** The map section of a picture. */
export interface Frame extends Scale {
  /** Its left and upper edge in 1e-7 degrees. */
  readonly west: number;
  readonly north: number;
  /** Longitudes west of this (1e-7 degrees) are moved east by one turn. */
  readonly parting: number;
}

/**
 * The frame of a box (1e-7 degrees; west > east across the antimeridian), equirectangular and true to scale along the
 * middle parallel, in units of the last of `digits`.
 */
export function frameAround([west, south, east, north]: Box, digits: number): Frame {
  const crosses = west > east;
  const parting = crosses ? (west + east) / 2 : -HALF_TURN;
  return frameOf({ west, south, east: crosses ? east + 2 * HALF_TURN : east, north }, parting, 10 ** (7 - digits));
}

function frameOf(shown: Extent, parting: number, unit: number): Frame {
  // The corner is on the grid of the digits, so that the rounded coordinates are whole numbers.
  const west = Math.floor(shown.west / unit) * unit;
  const north = Math.ceil(shown.north / unit) * unit;
  const squeeze = Math.max(Math.cos(((shown.south + shown.north) / 2) * RADIANS), SMALLEST_COSINE);
  const width = Math.round(((shown.east - west) / unit) * squeeze);
  return { west, north, parting, unit, squeeze, width, height: Math.round((north - shown.south) / unit) };
}

/** Interleaved longitudes and latitudes (1e-7 degrees) as x to the right and y down in a frame. */
export function inFrame(coords: Coords, { west, north, parting, unit, squeeze, width }: Frame): Grid {
  const isNarrow = (width * unit) / squeeze < 2 ** 31 - 2 * unit;
  const grid = isNarrow ? new Int32Array(coords.length) : new Float64Array(coords.length);
  for (let i = 0; i < coords.length; i += 2) {
    grid[i] = (coords[i] < parting ? coords[i] + 2 * HALF_TURN : coords[i]) - west;
    grid[i + 1] = north - coords[i + 1];
  }
  return grid;
}

/** The distance from the pole to the farthest point of the extent, in 1e-7 degrees. */
function reach(whole: Extent): number {
  return RIGHT_ANGLE - (whole.north < 0 ? -whole.north : whole.south);
}

/**
 * Whether an edge spans so much longitude that, seen from above the pole, a straight line would be wrong. Close to the
 * pole any line is right. An edge of almost a full turn is a short one that was not cut at ±180, unless it runs from
 * one side of the cut to the other.
 */
function hasCurvedEdges({ coords, ringEnd }: Polygons, whole: Extent): boolean {
  const near = RIGHT_ANGLE - reach(whole) / 4;
  let v = 0;
  for (const end of ringEnd) {
    for (; v < end - 1; v++) {
      const turn = Math.abs(coords[2 * v + 2] - coords[2 * v]);
      const short = turn < HALF_TURN / 4 || (turn > (HALF_TURN * 7) / 4 && turn < 2 * SEAM_LONGITUDE);
      if (!short && Math.min(Math.abs(coords[2 * v + 1]), Math.abs(coords[2 * v + 3])) < near) return true;
    }
    v = end;
  }
  return false;
}

function polar(coords: Coords, whole: Extent, step: number): Omit<Picture, 'cut'> {
  const southern = whole.north < 0;
  const cell = Math.max(step, (2 * reach(whole)) / POLAR_CELLS);
  const grid = new Int32Array(coords.length);
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < coords.length; i += 2) {
    const distance = (RIGHT_ANGLE - Math.abs(coords[i + 1])) / cell;
    // ±180 must give the same point: the sine of the computed half turn is not exactly 0, but rounding corrects that.
    const angle = coords[i] * RADIANS;
    const x = Math.round(distance * Math.sin(angle));
    const y = Math.round(distance * Math.cos(angle) * (southern ? -1 : 1));
    grid[i] = x;
    grid[i + 1] = y;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  for (let i = 0; i < grid.length; i += 2) {
    grid[i] -= left;
    grid[i + 1] -= top;
  }
  return { grid, unit: 1, squeeze: 1, width: right - left, height: bottom - top };
}
