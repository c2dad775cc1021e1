/** Figures of boundaries, from rows or from a table. */
import { Turns } from '../../common/turns.ts';
import { invalidInput } from '../../core/errors.ts';
import { ID_COLUMNS, idColumnOf, rowsOf, wrong } from '../../domain/boundaries/groups.ts';

/** The figure of each boundary, by its id as it is given; null: none. `path` says where it was given. */
export type Figures = ReadonlyMap<string, { readonly value: number | null; readonly path: string }>;

/** What is read of a call. */
interface ReadFigures {
  readonly figures: Figures;
  /** Rows of a matched table that have no boundary, and are left out. */
  readonly rowsWithoutId: number;
}

interface Given {
  readonly csv?: string;
  readonly rows?: readonly { readonly id: string; readonly value: number | null }[];
  /** The column of the figures. */
  readonly value?: string;
}

const MOST_CHARACTERS = 300;
/** Cells that stand for no figure. */
const NONE = new Set(['', 'na', 'n/a', 'nan', 'null', '-', '–', '..', ':']);

/** The column of ids that match_names adds: rows that it did not match have none. */
const MATCHED = 'match_id';

/**
 * Reads the figures of a call.
 * @throws invalid_input, naming the line and the column, for what is not a number, a row with more or fewer
 * cells than the header, a second row of an id, or no rows
 */
export async function readFigures(
  { csv, rows, value }: Given,
  most: number,
  signal: AbortSignal,
): Promise<ReadFigures> {
  if ((csv === undefined) === (rows === undefined)) {
    throw invalidInput([{ path: 'csv', code: 'conflict', message: 'give csv or rows, one of the two' }]);
  }
  if (rows !== undefined) {
    if (value !== undefined) throw invalidInput([{ path: 'value', code: 'conflict', message: 'is for csv only' }]);
    const figures = new Map<string, { value: number | null; path: string }>();
    rows.forEach(({ id, value }, i) => {
      if (figures.has(id))
        throw invalidInput([{ path: `rows.${i}.id`, code: 'duplicate', message: `${id} is given twice` }]);
      figures.set(id, { value, path: `rows.${i}.id` });
    });
    return { figures, rowsWithoutId: 0 };
  }
  return readTable(csv ?? '', value, most, signal);
}

async function readTable(
  text: string,
  column: string | undefined,
  most: number,
  signal: AbortSignal,
): Promise<ReadFigures> {
  const turns = new Turns(signal);
  const figures = new Map<string, { value: number | null; path: string }>();
  let columns: ReturnType<typeof columnsOf> | null = null;
  let rowsWithoutId = 0;
  for (const { cells, line } of rowsOf(text)) {
    if (turns.spend()) await turns.next();
    if (line > 4 * most + 2) throw wrong(line, 'is beyond the maximum number of lines');
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (columns === null) {
      columns = columnsOf(cells, column, line);
      continue;
    }
    // An unquoted decimal comma makes one cell more: 140,5 must not be read as 140.
    if (cells.length !== columns.width) {
      throw wrong(line, `has ${cells.length} cells where the header has ${columns.width}`);
    }
    const id = cells[columns.id]?.trim() ?? '';
    if (id === '' && columns.isMatched) {
      rowsWithoutId++;
      continue;
    }
    if (id === '') throw wrong(line, 'has no id');
    if (id.length > MOST_CHARACTERS) throw wrong(line, `has an id of more than ${MOST_CHARACTERS} characters`);
    if (figures.has(id)) throw wrong(line, `has the id ${id}, which an earlier line has`);
    if (figures.size === most) throw wrong(line, `exceeds the limit of ${most} rows per call`);
    figures.set(id, { value: numberOf(cells[columns.value] ?? '', columns.name, line), path: 'csv' });
  }
  if (figures.size === 0) {
    const message = rowsWithoutId > 0 ? `has no id in any row: fill in ${MATCHED}` : 'has no rows below its header';
    throw invalidInput([{ path: 'csv', code: 'too_small', message }]);
  }
  return { figures, rowsWithoutId };
}

function columnsOf(cells: readonly string[], column: string | undefined, line: number) {
  const names = cells.map((cell) => cell.trim());
  const id = idColumnOf(names.map((name) => name.toLowerCase()));
  if (id < 0) throw wrong(line, `must be a header with a column named ${ID_COLUMNS.join(', ')}`);
  const value = column === undefined ? names.findIndex((_, i) => i !== id) : names.indexOf(column.trim());
  if (value < 0) throw wrong(line, column === undefined ? 'has no column besides the ids' : `has no column ${column}`);
  const isMatched = names[id]?.toLowerCase() === MATCHED;
  return { id, value, name: names[value] ?? '', width: cells.length, isMatched };
}

function numberOf(cell: string, name: string, line: number): number | null {
  const text = cell.trim();
  if (NONE.has(text.toLowerCase())) return null;
  const value = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw wrong(line, `has "${text.slice(0, 40)}" in the column ${name.slice(0, 40)}, which is not a number`);
}
