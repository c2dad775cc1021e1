/** What of a coverage counts as a sliver. Nothing is imported here: the command line shows these figures in its help. */

/**
 * An overlap that is wider on average (twice its area by its perimeter), in meters, is not a sliver. National files are
 * rounded to four decimals of a degree or more (11 m), and surveyed to meters: what is wider is someone's claim.
 */
export const SLIVER_METERS = 10;

/**
 * An overlap of more than this share of the area of either feature is not a sliver, and what a feature gives away and takes
 * over stays below it altogether: so the three digits to which areas are published stay true, of small islands too.
 */
export const SLIVER_SHARE = 0.001;

/** How wide (in meters, on average) and how large (by its share of an area) an overlap may be that is cleaned away. */
export interface Slivers {
  readonly meters: number;
  readonly share: number;
}

export const SLIVERS: Slivers = { meters: SLIVER_METERS, share: SLIVER_SHARE };

/** For areas of which is known that none overlap: whatever they share comes from the grid they were drawn on. */
export const TILES: Slivers = { meters: Number.POSITIVE_INFINITY, share: Number.POSITIVE_INFINITY };
