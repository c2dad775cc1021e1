import { foldName } from '../names/fold.ts';
import type { TableColumns } from './columns.ts';
import type { PlaceRow } from './match_rows.ts';

/** Characters of a cell that are looked at, as in a search. */
export const MOST_CHARACTERS = 200;

/** Signs and words for what stands in the line above, as lists have them; "id" and "ID" may be Idaho. */
const DITTO = /^(?:["″〃“”„]|''|’’|,,|- ?["″] ?-|[Dd]itt?o|[Ii]dem|[Dd]to\.|do\.|id\.|ebd\.)$/;

/** What a row needs of the columns of its table. */
export type PlaceColumns = Pick<TableColumns, 'name' | 'code' | 'codeStart' | 'within' | 'type' | 'filled' | 'country'>;

/**
 * Reads rows, from the first on, as what they say of their places. A ditto mark is the cell above it, and so is an empty
 * cell of the columns that are `filled`.
 */
export function placeReader(columns: PlaceColumns): (cells: readonly string[]) => PlaceRow {
  const above = new Map<number, string>();
  const carried = (cells: readonly string[], at: number): string => {
    const text = cellAt(cells, at);
    if (DITTO.test(text) || (text === '' && columns.filled.includes(at))) return above.get(at) ?? text;
    if (text !== '') above.set(at, text);
    return text;
  };
  const read = (cells: readonly string[], at: number | null): string => (at === null ? '' : carried(cells, at));
  const { codeStart } = columns;
  const codeOf = (cells: readonly string[]): string => {
    const code = read(cells, columns.code);
    return codeStart === null ? code : joined(read(cells, codeStart.at), codeStart.digits, code);
  };
  const { country = null } = columns;
  const hasCountry = country !== null && columns.within.includes(country);
  return (cells) => ({
    name: read(cells, columns.name),
    code: codeOf(cells),
    within: columns.within.map((at) => read(cells, at)).filter((text) => text !== ''),
    ...(hasCountry && { country: read(cells, country) }),
    type: read(cells, columns.type),
  });
}

/** Digits of a code that offices count inside of a place. */
const PART_DIGITS = 3;

/** A code in two cells is one, with the zeros that a spreadsheet took: 1 and 117 are 01117. */
const joined = (start: string, digits: number, code: string): string =>
  start === '' || code === '' ? code : start.padStart(digits, '0') + code.padStart(PART_DIGITS, '0');

/** A cell as it is looked at. */
export const cellAt = (cells: readonly string[], at: number): string =>
  (cells[at] ?? '').trim().slice(0, MOST_CHARACTERS);

/** By rows: the texts of their columns, which are asked for many times while the columns are looked for. */
const TEXTS = new WeakMap<readonly (readonly string[])[], Map<number, readonly string[]>>();

/** The different cells of a column that have letters, as they are first written. The rows never change. */
export function textsOf(sample: readonly (readonly string[])[], at: number): readonly string[] {
  const columns = TEXTS.get(sample) ?? new Map<number, readonly string[]>();
  TEXTS.set(sample, columns);
  const known = columns.get(at);
  if (known !== undefined) return known;
  const texts = new Map<string, string>();
  for (const cells of sample) {
    const text = cellAt(cells, at);
    const folded = foldName(text);
    if (/\p{L}/u.test(text) && !texts.has(folded)) texts.set(folded, text);
  }
  const all = [...texts.values()];
  columns.set(at, all);
  return all;
}
