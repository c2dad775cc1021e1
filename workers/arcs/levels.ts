/** The detail levels: the tolerance of a request, the digits it keeps, and the arc ends it may lose. */

import { type Box, type Detail, END_CLASSES, FULL, LEVELS } from '../contract.ts';

/**
 * Upper bound of the meters on the ground per 1e-7 degrees of latitude, or of longitude at the equator: from WGS 84's
 * polar radius of curvature, 6,399,593.626 m, which neither principal radius exceeds anywhere. A distance measured with
 * it (longitude times the cosine of the latitude) is never below the true one, and at most 1 % above it.
 */
export const METERS_PER_UNIT = (6_399_593.626 * Math.PI) / 180 / 1e7;

/** A degree in coordinate units. */
const DEGREE = 1e7;

/** The tolerance of a detail is the longer side of the box divided by this. */
const DIVISOR = { low: 1_000, medium: 5_000, high: 25_000 } as const;

/**
 * The cosine of the smallest absolute latitude between two latitudes (1e-7 degrees, south <= north): an upper bound of
 * the scale of lengths along a parallel between them.
 */
export function widestCosine(south: number, north: number): number {
  const nearest = south > 0 ? south : north < 0 ? -north : 0;
  return Math.cos((nearest / DEGREE) * (Math.PI / 180));
}

/**
 * The extent of a box on the ground in meters: `w` along its parallel nearest to the equator, `h` along a meridian.
 * A box with west > east crosses the antimeridian. Never below the true extent, at most 1 % above (METERS_PER_UNIT).
 */
export function extentMeters(box: Box): { w: number; h: number } {
  const [west, south, east, north] = box;
  const width = west > east ? east - west + 360 * DEGREE : east - west;
  return { w: width * METERS_PER_UNIT * widestCosine(south, north), h: (north - south) * METERS_PER_UNIT };
}

/**
 * The level of a detail for the area in `box` (1e-7 degrees). The tolerance is the longer side on the ground divided by
 * 1,000 (low), 5,000 (medium) or 25,000 (high), rounded down to 2^level meters, at most LEVELS - 1. FULL for `full`,
 * for a tolerance below one meter, and for an empty box (null).
 * @example
 * levelFor('full', [0, 0, 10, 10]) // => FULL
 */
export function levelFor(detail: Detail, box: Box | null): number {
  if (detail === 'full' || box === null) return FULL;
  const { w, h } = extentMeters(box);
  const tolerance = Math.max(w, h) / DIVISOR[detail];
  let level = FULL;
  while (level + 1 < LEVELS && toleranceMeters(level + 1) <= tolerance) level++;
  return level;
}

/**
 * The tolerance of a level in meters: 2^level, and 0 for FULL.
 * @example
 * toleranceMeters(4) // => 16
 */
export function toleranceMeters(level: number): number {
  return level === FULL ? 0 : 2 ** level;
}

/**
 * The level whose tolerance is exactly this many meters (1, 2, 4 … 2^(LEVELS - 1)), or null when there is none.
 * @example
 * levelOfTolerance(16) // => 4
 * levelOfTolerance(15) // => null
 */
export function levelOfTolerance(tolerance_m: number): number | null {
  for (let level = 0; level < LEVELS; level++) if (toleranceMeters(level) === tolerance_m) return level;
  return null;
}

/**
 * The decimal places of a degree that a level keeps: the fewest whose last digit is at most 1/50 of the tolerance on
 * the ground, at most the 7 of the data. FULL keeps 7.
 * @example
 * digitsOf(FULL) // => 7
 */
export function digitsOf(level: number): number {
  if (level === FULL) return 7;
  let digits = 7;
  while (digits > 0 && METERS_PER_UNIT * 10 ** (8 - digits) <= toleranceMeters(level) / 50) digits--;
  return digits;
}

/**
 * The value of a level's last digit in coordinate units: rounded coordinates are multiples of it (1 when no digit is
 * lost).
 */
export function unitOf(level: number): number {
  return level === FULL ? 1 : UNITS[level];
}

/** Precomputed, because unitOf runs once per arc. */
const UNITS = Array.from({ length: LEVELS }, (_, level) => 10 ** (7 - digitsOf(level)));

/** A coordinate rounded to the nearest multiple of a unit, halves upward. */
export function roundTo(value: number, unit: number): number {
  return Math.floor(value / unit + 0.5) * unit;
}

/**
 * The class of arc ends for boundaries of these admin levels (1 … 12; null without one, such as a postcode area): the
 * smallest class that includes them all. An empty list gives the last class, which loses the fewest ends.
 */
export function endClassOf(adminLevels: readonly (number | null)[]): number {
  let found = -1;
  for (const level of adminLevels) {
    const own = level === null || level > 12 ? END_CLASSES - 1 : Math.max(level, 1) - 1;
    if (own > found) found = own;
  }
  return found < 0 ? END_CLASSES - 1 : found;
}

/**
 * The decimal places that a writer uses for polygons laid out at a level. All 7 for text formats: materialize has already
 * rounded, except the arcs that rounding would make cross. The unit of an SVG picture is the last of the level's digits.
 */
export function writerDigits(format: string, level: number): number {
  return format === 'svg' ? digitsOf(level) : 7;
}
