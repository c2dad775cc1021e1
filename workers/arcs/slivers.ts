/** Limits of slivers in a coverage. Imports nothing, because the command line shows these figures in its help. */

/**
 * Widest sliver in meters: an overlap wider on average (twice its area divided by its perimeter) is kept. National
 * files are rounded to four or more decimals of a degree (11 m) and surveyed to meters, so a wider overlap is a real
 * claim.
 */
export const SLIVER_METERS = 10;

/**
 * Largest sliver, as a share of the area of either feature; also limits all that a feature gains and loses in total. So
 * the three digits of published areas stay correct, even for small islands.
 */
export const SLIVER_SHARE = 0.001;

/** The largest overlap that is removed: its average width in meters, and its share of an area. */
export interface Slivers {
  readonly meters: number;
  readonly share: number;
}

export const SLIVERS: Slivers = { meters: SLIVER_METERS, share: SLIVER_SHARE };

/** For areas known not to overlap: any overlap comes from the grid on which they were drawn. */
export const TILES: Slivers = { meters: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY };
