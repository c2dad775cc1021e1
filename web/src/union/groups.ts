import { ask, type Boundary, Failure } from '../api.ts';
import type { Point } from '../choose.tsx';
import type { Atlas } from '../map.ts';
import { readCsv } from './within.ts';

/** Members whose shapes are drawn in the color of their group. */
export const MOST_DRAWN = 300;

const COLORS = ['#c2410c', '#1d6fb8', '#2f855a', '#7c3aed', '#b7791f', '#be185d', '#0f766e', '#64748b'];

/** A table of members with a head, whether the text has one or not. */
export const tableOf = (csv: string): string => (csv.includes('group') ? csv : `id,group\n${csv}`);

/** The members of a table with their groups, in its order; a member without a group is left out. */
export function rowsOf(csv: string): [id: string, group: string][] {
  const rows = readCsv(tableOf(csv)).map(({ id = '', group = '' }): [string, string] => [id.trim(), group.trim()]);
  return rows.filter(([id, group]) => id !== '' && group !== '');
}

/** The group of each member; the last one where a table has several for it. */
export const groupsOf = (csv: string): Map<string, string> => new Map(rowsOf(csv));

const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The table of groups. */
export const csvOf = (groups: Iterable<readonly [id: string, group: string]>): string =>
  ['id,group', ...[...groups].map((row) => row.map(field).join(','))].join('\n');

/** The next name of a group: A to Z, then AA. */
export function nextGroup(names: readonly string[]): string {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = [...letters, ...letters.map((letter) => letter + letter)];
  return all.find((name) => !names.includes(name)) ?? String(names.length + 1);
}

/** The color of a group among the groups; colors come again after eight. */
export const colorOf = (group: string, names: readonly string[]): string =>
  COLORS[Math.max(0, names.indexOf(group)) % COLORS.length];

/** The boundary of a level at a point: of the tile where it has it, else as stored. Throws Failure when there is none. */
export async function boundaryAt({ lat, lon }: Point, level: number, atlas: Atlas): Promise<string> {
  const drawn = (await atlas.under(lat, lon))?.find((one) => one.level === level);
  if (drawn) return drawn.id;
  const { items } = await ask<{ items: Boundary[] }>('/boundaries/reverse', { query: { lat, lon } });
  const stored = items.find((one) => one.admin_level === level);
  if (stored) return stored.id;
  throw new Failure(`No boundary of level ${level} contains this point.`, { code: 'nothing_there' });
}
