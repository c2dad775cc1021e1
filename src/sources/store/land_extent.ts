/** What sets of land polygons cover: beyond it, that a place is in none of their polygons says nothing. */
import type { MapBox } from '../../../workers/osm/blob.ts';
import { defined } from '../../common/elements.ts';
import type { Box } from './parts.ts';
import type { CoastLine } from './source_rows.ts';
import type { Extent } from './topology.ts';

/** The extent that a set covers, in 1e-7 degrees (west > east across the antimeridian). */
export interface LandExtent {
  readonly box: Extent;
  /** Whether the person who imported it said so; otherwise it is the extent of its polygons. */
  readonly stated: boolean;
}

/**
 * How far boundaries may reach beyond the extent of the polygons, in 1e-7 degrees of latitude: 30 nautical miles.
 * Territorial waters end 12 nautical miles off the coast, and further off where islands are outside of the polygons.
 */
const WATERS = 5_000_000;
const HALF_TURN = 1_800_000_000;
const QUARTER_TURN = 900_000_000;

/** The extent of polygons, by their rings. */
export function extentOfLand(lines: readonly CoastLine[]): LandExtent {
  let [west, south, east, north] = [HALF_TURN, QUARTER_TURN, -HALF_TURN, -QUARTER_TURN];
  for (const { coords } of lines) {
    for (let i = 0; i < coords.length; i += 2) {
      const [x, y] = [defined(coords[i]), defined(coords[i + 1])];
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return { box: [west, south, east, north], stated: false };
}

/** Where boundaries have their land by a set: the stated extent, or that of its polygons and the waters around. */
export function coveredBox({ box, stated }: LandExtent): Extent {
  if (stated) return box;
  const [west, south, east, north] = box;
  const [low, high] = [Math.max(south - WATERS, -QUARTER_TURN), Math.min(north + WATERS, QUARTER_TURN)];
  const narrowest = Math.cos((Math.max(Math.abs(low), Math.abs(high)) / 1e7 / 180) * Math.PI);
  const side = WATERS / Math.max(narrowest, 1e-3);
  if (east - west + 2 * side >= 2 * HALF_TURN) return [-HALF_TURN, low, HALF_TURN, high];
  const around = (x: number) => Math.round(x > HALF_TURN ? x - 2 * HALF_TURN : x < -HALF_TURN ? x + 2 * HALF_TURN : x);
  return [around(west - side), low, around(east + side), high];
}

/** The box that a file states, in 1e-7 degrees. */
export const unitsOf = (bbox: MapBox): Extent => {
  const [west, south, east, north] = bbox;
  const unit = (degrees: number) => Math.round(degrees * 1e7);
  return [unit(west), unit(south), unit(east), unit(north)];
};

/** The sides of an extent by their names. */
export const boxOf = ([west, south, east, north]: Extent): Box => ({ west, south, east, north });

/**
 * Whether a box is within an extent of files (west <= east), or reaches less than `edge` beyond (1e-7 degrees).
 */
export function isWithin(box: Box, extent: Box, edge = 0): boolean {
  const [west, south, east, north] = [extent.west - edge, extent.south - edge, extent.east + edge, extent.north + edge];
  if (box.south < south || box.north > north) return false;
  if (box.west > box.east) return west <= -HALF_TURN && east >= HALF_TURN;
  return box.west >= west && box.east <= east;
}

/** A vertex of some arcs that is outside of a box; null when all are in it. */
export function vertexBeyond(
  [west, south, east, north]: Extent,
  arcs: Iterable<Int32Array>,
): readonly [number, number] | null {
  for (const coords of arcs) {
    for (let i = 0; i < coords.length; i += 2) {
      const [x, y] = [defined(coords[i]), defined(coords[i + 1])];
      const isBeside = west > east ? x < west && x > east : x < west || x > east;
      if (isBeside || y < south || y > north) return [x, y];
    }
  }
  return null;
}

/** A box as text in degrees: west,south,east,north. */
export const boxText = (box: Extent): string => box.map((side) => side / 1e7).join(',');
