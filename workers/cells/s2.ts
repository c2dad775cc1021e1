/** Cells of S2 (Google's squares on the faces of a cube): s2geometry.io. */
import { s2 as library } from 's2js';
import { type Grid, HALF_TURN, MARGIN, near, QUARTER, type Span } from './grid.ts';
import { GRID_SIZES } from './sizes.ts';
import { outlineOf } from './sphere.ts';

const { cellid, Cell, LatLng } = library;
const UNITS_A_RADIAN = HALF_TURN / Math.PI;

/** A part of the size of a cell by which its rectangle is widened, so that it holds those of its children. */
const WIDENED = 1e-3;

function reachOf(cell: bigint): Span {
  const { lat, lng } = Cell.fromCellID(cell).rectBound();
  const [south, north] = [lat.lo * UNITS_A_RADIAN, lat.hi * UNITS_A_RADIAN];
  const west = lng.lo * UNITS_A_RADIAN;
  const east = lng.hi * UNITS_A_RADIAN + (lng.lo > lng.hi ? 2 * HALF_TURN : 0);
  const wider = MARGIN + WIDENED * Math.max(north - south, east - west);
  return {
    west: west - wider,
    south: Math.max(-QUARTER, south - wider),
    east: east + wider,
    north: Math.min(QUARTER, north + wider),
  };
}

function centerOf(cell: bigint): readonly [number, number] {
  const { lat, lng } = LatLng.fromPoint(Cell.fromCellID(cell).center());
  return [lng * UNITS_A_RADIAN, lat * UNITS_A_RADIAN];
}

function* descendants(cell: bigint, level: number): Generator<bigint> {
  const end = cellid.childEndAtLevel(cell, level);
  for (let one = cellid.childBeginAtLevel(cell, level); one !== end; one = cellid.next(one)) yield one;
}

export const s2: Grid<bigint> = {
  ...GRID_SIZES.s2,
  roots: () => [0, 1, 2, 3, 4, 5].map((face) => cellid.fromFace(face)),
  children: (cell) => cellid.children(cell),
  reach: reachOf,
  outline(cell) {
    const square = Cell.fromCellID(cell);
    const corners = [0, 1, 2, 3].map((k) => {
      const { lat, lng } = LatLng.fromPoint(square.vertex(k));
      return [lng * UNITS_A_RADIAN, lat * UNITS_A_RADIAN] as const;
    });
    const polar = Math.max(...corners.map(([, y]) => Math.abs(y))) > 0.98 * QUARTER;
    return polar && touchesPole(cell) ? null : outlineOf(corners, centerOf(cell)[0]);
  },
  inside(cell) {
    const [x, y] = centerOf(cell);
    return [Math.round(near(x, 0)), Math.round(y)];
  },
  count: (cell, resolution) => 4 ** (resolution - cellid.level(cell)),
  expand: descendants,
  text: (cell) => cellid.toToken(cell),
  number: (cell) => BigInt.asIntN(64, cell),
};

function touchesPole(cell: bigint): boolean {
  const { west, east } = reachOf(cell);
  return east - west > HALF_TURN;
}
