/** Web Mercator as an integer grid of the whole world: x grows eastward from 180 degrees west, y grows southward. */

const TURN = 3_600_000_000;
/** Latitudes are clamped to this (1e-7 degrees), which is outside every tile: tiles end at 85.0511 degrees. */
const LAST_LATITUDE = 890_000_000;
const RADIANS = Math.PI / 180 / 1e7;

/** The column (not rounded) of a longitude (1e-7 degrees) in a grid of `world` columns. */
export function columnAt(longitude: number, world: number): number {
  return (longitude / TURN + 0.5) * world;
}

/** The row (not rounded) of a latitude (1e-7 degrees) in a grid of `world` rows: 0 is 85.0511 degrees north. */
export function rowAt(latitude: number, world: number): number {
  const held = Math.min(LAST_LATITUDE, Math.max(-LAST_LATITUDE, latitude));
  const sine = Math.sin(held * RADIANS);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world;
}

/** The nearest column of a longitude. */
export const columnOf = (longitude: number, world: number): number => Math.floor(columnAt(longitude, world) + 0.5);

/** The nearest row of a latitude. */
export const rowOf = (latitude: number, world: number): number => Math.floor(rowAt(latitude, world) + 0.5);

/** The longitude (1e-7 degrees, not rounded) of a column; columns outside the grid give values beyond ±180 degrees. */
export function longitudeOf(column: number, world: number): number {
  return (column / world - 0.5) * TURN;
}

/** The latitude (1e-7 degrees, not rounded) of a row. */
export function latitudeOf(row: number, world: number): number {
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / world))) / RADIANS;
}
