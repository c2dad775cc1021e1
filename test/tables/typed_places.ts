import { foldName } from '../../src/domain/names/fold.ts';
import type { Draw } from '../search/made.ts';
import type { HeldOutTable, Place } from './held_out_tables.ts';

/** A place with the name of what is around it. */
export interface Within extends Place {
  readonly within: string | null;
}

/** How people write the name of a place, and what that is called in the figures. */
export type Way<T extends Place = Within> = readonly [noise: string, does: (place: T) => string];

/** What a row says and means: the id of a boundary, or null for several or none. */
export interface TypedRow {
  readonly cells: Readonly<Record<string, string>>;
  readonly id: string | null;
  readonly noise: string;
}

/** A table of rows, in their order; cells are quoted where they must be. */
export function typedTable(name: string, rows: readonly TypedRow[], separator = ';'): HeldOutTable {
  const quoted = (cell: string): string =>
    cell.includes(separator) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const columns = Object.keys(rows[0]?.cells ?? {});
  const lines = rows.map(({ cells }) => columns.map((column) => quoted(cells[column] ?? '')).join(separator));
  return {
    name,
    csv: `${[columns.map(quoted).join(separator), ...lines].join('\n')}\n`,
    expect: rows.map(({ id }) => id),
    noise: rows.map(({ noise }) => noise),
  };
}

/** A row for each place, in a way drawn for it; the cells beside the name are those of `beside`. */
export function typed<T extends Place>(
  draw: Draw,
  places: readonly T[],
  ways: readonly Way<T>[],
  column: string,
  beside: (place: T) => Readonly<Record<string, string>> = () => ({ n: String(draw.below(9_999)) }),
): TypedRow[] {
  return places.map((place) => {
    const [noise, does] = draw.one(ways);
    return { cells: { [column]: does(place), ...beside(place) }, id: place.id, noise };
  });
}

/** The first words of French and Italian names that people shorten, as one. */
const saint = (folded: string): string => folded.replaceAll(/\b(?:saint|san|santo|santa|sant|sainte|ste|st|s)\b/g, 's');

/** Those of some places whose names, folded, are those of one place around which is the same. */
export function lone<T extends Within>(places: readonly T[], among: readonly Within[], inContainer = true): T[] {
  const keyOf = ({ name, within }: Within) => `${saint(foldName(name))}|${inContainer ? within : ''}`;
  const seen = new Map<string, number>();
  for (const one of among) seen.set(keyOf(one), (seen.get(keyOf(one)) ?? 0) + 1);
  return places.filter((one) => seen.get(keyOf(one)) === 1);
}

export const plain = (text: string): string =>
  text.replaceAll(/[øØ]/g, 'o').replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
/** Umlauts as two letters. */
export const spelledOut = (text: string): string =>
  text
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll('Ä', 'Ae')
    .replaceAll('Ö', 'Oe')
    .replaceAll('Ü', 'Ue');
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A text in UTF-8 as programs show it that take it for another encoding. */
export const misread = (text: string, as: 'macintosh' | 'windows-1252'): string =>
  new TextDecoder(as).decode(Buffer.from(text, 'utf8'));
/** A text in Latin-1 as programs for the Macintosh show it. */
export const latinOnMac = (text: string): string => new TextDecoder('macintosh').decode(Buffer.from(text, 'latin1'));
/** The letters of code page 850 at the places of some of Latin-1: what old programs show of these. */
const DOS: Readonly<Record<string, string>> = {
  ...{ á: 'ß', é: 'Ú', í: 'Ý', ó: '¾', ú: '·', ñ: '±', ü: '³', è: 'Þ', à: 'Ó', ç: 'þ', ò: '‗', ï: '´', ö: '÷' },
};
export const latinOnDos = (text: string): string => text.replaceAll(/[^\0-\x7f]/g, (letter) => DOS[letter] ?? letter);
