/** Cells of H3 (Uber's hexagons, and twelve pentagons): h3geo.org. */
import {
  cellToBoundary,
  cellToChildren,
  cellToChildrenSize,
  cellToLatLng,
  getRes0Cells,
  getResolution,
  latLngToCell,
} from 'h3-js';
import { type Grid, near, units } from './grid.ts';
import { GRID_SIZES } from './sizes.ts';
import { angle, circleSpan, outlineOf } from './sphere.ts';

/**
 * How far from the center of a cell its descendants reach, in its own circumradii. A child's center is at most 0.655
 * circumradii away, and each generation is smaller by the square root of 7, so on a plane they reach 1.053; the rest is
 * for the distortion of cells on the sphere.
 */
const REACH = 1.4;

const cornersOf = (cell: string) => cellToBoundary(cell).map(([lat, lon]) => [units(lon), units(lat)] as const);

function centerOf(cell: string): readonly [number, number] {
  const [lat, lon] = cellToLatLng(cell);
  return [units(lon), units(lat)];
}

export const h3: Grid<string> = {
  ...GRID_SIZES.h3,
  roots: () => getRes0Cells(),
  children: (cell) => cellToChildren(cell, getResolution(cell) + 1),
  reach(cell) {
    const [x, y] = centerOf(cell);
    const radius = Math.max(...cornersOf(cell).map(([cx, cy]) => angle(x, y, cx, cy)));
    return circleSpan(x, y, REACH * radius);
  },
  outline(cell) {
    const resolution = getResolution(cell);
    const polar = [90, -90].some((lat) => latLngToCell(lat, 0, resolution) === cell);
    return polar ? null : outlineOf(cornersOf(cell), centerOf(cell)[0]);
  },
  inside(cell) {
    const [x, y] = centerOf(cell);
    return [Math.round(near(x, 0)), Math.round(y)];
  },
  count: (cell, resolution) => cellToChildrenSize(cell, resolution),
  expand: (cell, resolution) => cellToChildren(cell, resolution),
  text: (cell) => cell,
  number: (cell) => BigInt(`0x${cell}`),
};
