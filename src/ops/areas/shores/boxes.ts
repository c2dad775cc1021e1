import type { Vector } from '../../../domain/areas/coast.ts';

/** West, south, east, north in 1e-7 degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

/** A row of the database with a box. */
export interface BoxRow {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Gap in 1e-7 degrees up to which boxes are near: more than land is looked for beyond an arc, up to 70 degrees latitude. */
const APART = 3_000_000;

/** Whether two boxes overlap, or are less than APART from each other. */
export function isNear([west, south, east, north]: Box, other: Box | undefined): boolean {
  return (
    other !== undefined &&
    west - APART <= other[2] &&
    other[0] - APART <= east &&
    south - APART <= other[3] &&
    other[1] - APART <= north
  );
}

/** The box around some boxes. */
export function unionOf(boxes: readonly Box[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

/** Whether a point is in a box or on its edge. */
export const isInBox = ([x, y]: Vector, [west, south, east, north]: Box): boolean =>
  west <= x && x <= east && south <= y && y <= north;

/** The box of a row. */
export const boxIn = ({ west, south, east, north }: BoxRow): Box => [west, south, east, north];

/** The box of the vertices of a ring. */
export function boxOf(ring: readonly Vector[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  return [west, south, east, north];
}
