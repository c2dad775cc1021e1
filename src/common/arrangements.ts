/** Numbers of arrangements; docs/architecture.md says what one is. */

/** The boundaries as they are at present. */
export const PRESENT = 0;
/** The land part of each boundary, and its water part. */
export const LAND = 1;
export const WATER = 2;
/** The land of each boundary without inland water, where that was imported. */
export const DRY_LAND = 3;
