import { ask, type Boundary, type Box, send } from '../api.ts';
import { boxOf, type Corner, inside } from '../drawing/inside.ts';

/** The rows of a CSV text (RFC 4180), by column. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',' && end !== '') rows.push([]);
    if (end === '') break;
  }
  const [head = [], ...rest] = rows.filter((row) => row.length > 1);
  return rest.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const selection = ({ west, south, east, north }: Box, level: number) => ({
  ...{ within: [west, south, east, north], admin_level: level, detail: 'low' },
});

/** Ids and names of the boundaries of a level that lie entirely inside a rectangle. */
export async function within(box: Box, level: number): Promise<Named[]> {
  const body = { ...selection(box, level), format: 'csv', geometry: 'none' };
  const response = await send('/collections', { method: 'POST', body });
  return readCsv(await response.text()).map(({ id = '', name = '' }) => ({ id, name }));
}

/**
 * Ids and names of the boundaries of a level that lie entirely inside an outline that was drawn on the map, by their
 * shapes at low detail, which differ from the exact ones by less than a pixel where all of the outline is in view.
 */
export async function withinOutline(corners: readonly Corner[], level: number): Promise<Named[]> {
  const body = selection(boxOf(corners), level);
  type Found = GeoJSON.FeatureCollection<GeoJSON.Geometry | null, Boundary>;
  const { features } = await ask<Found>('/collections', { method: 'POST', body });
  const found = await inside(features as GeoJSON.Feature<GeoJSON.Geometry, Boundary>[], corners);
  return found.map(({ properties: { id, name } }) => ({ id, name }));
}
