import type { Preview } from '../../reading/preview.ts';

/** Most names of a file that are looked for. */
const MOST_NAMES = 5;

/** West, south, east, north in degrees. */
type Box = NonNullable<Preview['box']>;

/** A place in degrees. */
export interface Spot {
  readonly lat: number;
  readonly lon: number;
}

const isName = (text: string): boolean => /^\p{L}[\p{L}\p{M} .,'’()/-]{2,80}$/u.test(text);

/** Up to five values of the column that has the most different names, from all over the table. */
export function namesIn({ columns, rows }: Pick<Preview, 'columns' | 'rows'>): string[] {
  const byColumn = columns.map((_, at) => [...new Set(rows.map((row) => row[at] ?? '').filter(isName))]);
  const [most = []] = byColumn.toSorted((a, b) => b.length - a.length);
  const every = Math.max(1, Math.floor(most.length / MOST_NAMES));
  return most.filter((_, i) => i % every === 0).slice(0, MOST_NAMES);
}

const holds = ([west, south, east, north]: Box, { lat, lon }: Spot): boolean =>
  lat >= south && lat <= north && lon >= west && lon <= east;

/** Degrees by which the extents of a file differ in two systems of one place, such as ETRS89 and WGS 84. */
const SAME_PLACE = 0.01;

const isSame = (a: Box, b: Box): boolean => a.every((value, i) => Math.abs(value - (b[i] ?? 0)) < SAME_PLACE);

/**
 * The reference system in which a file lies where its names are stored.
 * @param boxes the extent of the file by system; null where it cannot be read in it
 * @param places for each name the places of the boundaries that have it
 * @returns the first of those that put it in the same place; null where no system does, or several in other places
 */
export function systemByPlaces(
  boxes: ReadonlyMap<string, Box | null>,
  places: readonly (readonly Spot[])[],
): string | null {
  const counts = [...boxes].map(([code, box]) => ({
    ...{ code, box },
    names: box === null ? 0 : places.filter((spots) => spots.some((spot) => holds(box, spot))).length,
  }));
  const [best, ...others] = counts.toSorted((a, b) => b.names - a.names);
  if (best === undefined || best.box === null || best.names === 0) return null;
  const { box, names, code } = best;
  return others.every((one) => one.names < names || (one.box !== null && isSame(one.box, box))) ? code : null;
}
