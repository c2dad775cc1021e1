import { type Box, send } from '../api.ts';

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

/** Ids and names of the boundaries of a level that lie entirely inside a rectangle. */
export async function within(
  { west, south, east, north }: Box,
  level: number,
): Promise<{ id: string; name: string }[]> {
  const body = {
    within: [west, south, east, north],
    admin_level: level,
    format: 'csv',
    geometry: 'none',
    detail: 'low',
  };
  const response = await send('/collections', { method: 'POST', body });
  return readCsv(await response.text()).map(({ id = '', name = '' }) => ({ id, name }));
}
