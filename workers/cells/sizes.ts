/** The resolutions of each grid and how large its cells are, without the libraries that find them. */

const EARTH_KM2 = 510_065_622;
const EQUATOR_KM = 40_075.017;

/** The coarsest and finest resolution of a grid, and the average area in km2 of its cells. */
interface GridSize {
  readonly coarsest: number;
  readonly finest: number;
  /** Of geohashes and quadkeys at the equator, where they are largest. */
  readonly areaKm2: (resolution: number) => number;
}

/** The grids by name. */
export const GRID_SIZES = {
  h3: { coarsest: 0, finest: 15, areaKm2: (resolution) => EARTH_KM2 / (2 + 120 * 7 ** resolution) },
  s2: { coarsest: 0, finest: 24, areaKm2: (resolution) => EARTH_KM2 / (6 * 4 ** resolution) },
  geohash: { coarsest: 1, finest: 10, areaKm2: (resolution) => EQUATOR_KM ** 2 / 2 / 32 ** resolution },
  quadkey: { coarsest: 1, finest: 24, areaKm2: (resolution) => EQUATOR_KM ** 2 / 4 ** resolution },
} as const satisfies Record<string, GridSize>;
export type GridName = keyof typeof GRID_SIZES;

/** Formats of a table of cells. */
export const CELL_FORMATS = ['csv', 'parquet', 'json'] as const;
export type CellFormat = (typeof CELL_FORMATS)[number];

/** Either a resolution, or the finest one of which all areas together have at most that many cells. */
export type Fineness = { readonly resolution: number } | { readonly mostCells: number };
