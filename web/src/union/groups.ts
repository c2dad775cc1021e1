import { ask, type BoundaryAtPoint, Failure } from '../api.ts';
import type { Atlas } from '../atlas.ts';
import type { Point } from '../choose.tsx';
import { t } from '../language.ts';
import { readCsv } from './within.ts';

/** Most members whose shapes are drawn in the color of their group. */
export const MOST_DRAWN = 300;

const FIRST_COLOR = '#c2410c';
const COLORS = [FIRST_COLOR, '#1d6fb8', '#2f855a', '#7c3aed', '#b7791f', '#be185d', '#0f766e', '#64748b'];

/** The CSV with a header, added if it has none. */
export const tableOf = (csv: string): string => (csv.includes('group') ? csv : `id,group\n${csv}`);

/** The members with their groups, in order; skips members without a group. */
export function rowsOf(csv: string): [id: string, group: string][] {
  const rows = readCsv(tableOf(csv)).map(({ id = '', group = '' }): [string, string] => [id.trim(), group.trim()]);
  return rows.filter(([id, group]) => id !== '' && group !== '');
}

/** The group of each member; its last one if the table has several. */
export const groupsOf = (csv: string): Map<string, string> => new Map(rowsOf(csv));

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The CSV of groups. */
export const csvOf = (groups: Iterable<readonly [id: string, group: string]>): string =>
  ['id,group', ...[...groups].map((row) => row.map(field).join(','))].join('\n');

/** The next free name of a group: A to Z, then AA, BB and so on. */
export function nextGroup(names: readonly string[]): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = [...letters, ...letters.map((letter) => letter + letter)];
  return all.find((name) => !names.includes(name)) ?? String(names.length + 1);
}

/** The color of each group; colors repeat after eight. */
export function colorsOf(names: readonly string[]): (group: string) => string {
  const places = new Map(names.map((name, i) => [name, i] as const).reverse());
  return (group) => COLORS[(places.get(group) ?? 0) % COLORS.length] ?? FIRST_COLOR;
}

/**
 * The id of the boundary of a level at a point, from the tile if possible, else from the service.
 * @throws Failure when there is none
 */
export async function boundaryAt({ lat, lon }: Point, level: number, atlas: Atlas): Promise<string> {
  const drawn = (await atlas.under(lat, lon))?.find((one) => one.level === level);
  if (drawn) return drawn.id;
  const { items } = await ask<{ items: BoundaryAtPoint[] }>('/boundaries/reverse', { query: { lat, lon } });
  const stored = items.find((one) => one.contains && one.admin_level === level);
  if (stored) return stored.id;
  throw new Failure(t('union.noneHere', { level: String(level) }), { code: 'nothing_there' });
}
