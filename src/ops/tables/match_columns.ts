import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { foldName } from '../../domain/names/fold.ts';
import {
  type AskedColumns,
  findTableColumns,
  meantBy,
  rankOf,
  saysNothingOfCells,
  type TableColumns,
} from '../../domain/tables/columns.ts';
import type { PlaceRow } from '../../domain/tables/match_rows.ts';
import { cellsOfRow, type Table } from '../../domain/tables/table.ts';
import { MOST_CHARACTERS, matchPlaces } from './match_table.ts';

/** Rows of a column whose contents are looked at where its name says nothing, and the share that must be names. */
const LOOKED_AT = 100;
const NAMES_SHARE = 0.5;
/** Columns whose contents are looked at. */
const MOST_TRIED = 20;
/** A column with fewer different cells than this share of its rows may be what is around the places. */
const DIFFERENT = 0.5;
/** The share of the names from which they are ambiguous without more. */
const AMBIGUOUS_SHARE = 0.5;
/** The share of the names that must still be found inside of what a column says, for it to be around them. */
const INSIDE = 0.9;

/** The cells of the first rows of a table. */
const sampleOf = (table: Table): string[][] => table.rows.slice(0, LOOKED_AT).map((row) => cellsOfRow(table, row));

/** The columns of a table, by their names alone. @throws invalid_input for a column that does not exist */
export function columnsByName(table: Table, asked: AskedColumns, sample = sampleOf(table)): TableColumns {
  return findTableColumns(table.columns, asked, (at) => sample.map((cells) => cells[at] ?? ''));
}

/** A column by its contents. */
interface Contents {
  readonly at: number;
  /** Its different cells that have letters. */
  readonly texts: readonly string[];
  /** The share of these that are names of boundaries. */
  readonly share: number;
}

/**
 * The columns of a table, by their names; where no name says it, by their contents: the column of which most cells are
 * names of boundaries. So is one beside a column whose name is that of a place but whose cells repeat: "país" beside
 * "lugar de nacimiento".
 * @param looked is called before names are looked up, which costs a unit whatever comes of it
 * @throws invalid_input when no column has names or codes
 */
export async function columnsOf(
  ctx: Context,
  table: Table,
  asked: AskedColumns,
  looked: () => void,
): Promise<TableColumns> {
  const sample = sampleOf(table);
  const found = columnsByName(table, asked, sample);
  const isAsked = asked.name !== undefined || (found.code !== null && asked.code !== undefined);
  if (isAsked) return found;
  if (found.name !== null && !repeats(textsOf(sample, found.name), sample)) {
    const inside = await insideOf(ctx, { table, sample, found, looked });
    const columns = inside === null ? found : { ...found, ...inside };
    return asked.within === undefined ? withNumbers(ctx, { table, sample, found: columns, looked }) : columns;
  }
  const taken = [found.name, found.code, found.type, ...found.within];
  const free = [...table.columns.keys()].filter((at) => !taken.includes(at));
  // A column whose cells repeat more says less of the place of its row than the one that is known.
  const least = found.name === null ? 0 : textsOf(sample, found.name).length;
  const named: Contents[] = [];
  for (const at of free.slice(0, MOST_TRIED)) {
    const texts = textsOf(sample, at);
    if (texts.length <= least) continue;
    looked();
    const share =
      (await matchedOf(
        ctx,
        texts.map((name) => rowOf(name)),
      )) / texts.length;
    if (share >= NAMES_SHARE) named.push({ at, texts, share });
  }
  const [best] = named.sort((a, b) => (repeatsBeside(a, b) ? 1 : repeatsBeside(b, a) ? -1 : b.share - a.share));
  if (best !== undefined) {
    await requireHeader(ctx, table.columns[best.at] ?? '', best.texts);
    const known = found.name === null ? found.within : [found.name, ...found.within];
    const others = asked.within === undefined ? named.filter((one) => repeatsBeside(one, best)) : [];
    const around = await holding(ctx, sample, best.at, others);
    return { ...found, name: best.at, within: [...around, ...known], ...meantBy(table.columns[best.at] ?? '') };
  }
  if (found.name !== null || found.code !== null) return found;
  const shown = table.columns.slice(0, 20).join(', ') + (table.columns.length > 20 ? ' …' : '');
  throw problem(
    'invalid_input',
    `No column has names or codes of places: ${shown}. Name one with name_column or code_column.`,
    {
      issues: [{ path: 'name_column', code: 'missing', message: `name one of ${shown}` }],
    },
  );
}

/** @throws invalid_input where the first line has a place like those below it, which would be lost as the name of a column */
async function requireHeader(ctx: Context, name: string, texts: readonly string[]): Promise<void> {
  const rows = [name, ...texts].map((text) => rowOf(text));
  const { rows: matched } = await matchPlaces(ctx, rows, { filters: {}, whole: true, kinds: [] });
  const [first, ...others] = matched.map(({ match }) => match);
  const areAmbiguous = others.filter((match) => match === 'ambiguous').length > AMBIGUOUS_SHARE * others.length;
  const isPlace = matched[0]?.boundary && first !== 'typo';
  if (!isPlace && !(first === 'ambiguous' && areAmbiguous)) return;
  const message = `names a place, ${name}, as the lines below it do: put a line with the names of the columns in front, or give name_column=${name}`;
  throw invalidInput([{ path: '', code: 'invalid_line', message: `line 1 ${message}` }]);
}

interface Looking {
  readonly table: Table;
  readonly sample: readonly string[][];
  readonly found: TableColumns;
  looked(): void;
}

/**
 * The column whose name says nothing and whose cells are names of places inside of those of the column that has names: of
 * "col1;Provincia" the municipalities. Null if there is none.
 */
async function insideOf(
  ctx: Context,
  { table, sample, found, looked }: Looking,
): Promise<Pick<TableColumns, 'name' | 'within' | 'kinds' | 'others'> | null> {
  const { name, within } = found;
  if (name === null || rankOf(table.columns[name] ?? '') < 0) return null;
  const around = textsOf(sample, name).length;
  const taken = [name, found.code, found.type, ...within];
  const free = [...table.columns.keys()].filter(
    (at) => !taken.includes(at) && saysNothingOfCells(table.columns[at] ?? '') && textsOf(sample, at).length >= around,
  );
  for (const at of free.slice(0, MOST_TRIED)) {
    looked();
    if ((await settledOf(ctx, rowsOf(sample, at, [name]))) >= INSIDE * sample.length)
      return { name: at, within: [name, ...within], ...meantBy(table.columns[at] ?? '') };
  }
  return null;
}

/** A code of a place around others as people number them: a département, a province. */
const NUMBER = /^(?:\d{1,3}|\d[AB])$/;

/** Whether the cells of a column that are not empty are such codes. */
function isNumbered(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell !== '');
  return texts.length > 0 && texts.every((text) => NUMBER.test(text));
}

/** Adds the column of numbers that are codes of places around the names: "Dpt" of communes. */
async function withNumbers(ctx: Context, { table, sample, found, looked }: Looking): Promise<TableColumns> {
  const { name, within } = found;
  if (name === null || within.length > 0) return found;
  const rank = rankOf(table.columns[name] ?? '');
  const numbered = [...table.columns.keys()].filter(
    (at) =>
      ![name, found.code, found.type].includes(at) &&
      rankOf(table.columns[at] ?? '') > rank &&
      isNumbered(sample.map((cells) => cellAt(cells, at))),
  );
  for (const at of numbered.slice(0, MOST_TRIED)) {
    looked();
    const alone = await matchedOf(ctx, rowsOf(sample, name, []));
    if (alone > 0 && (await settledOf(ctx, rowsOf(sample, name, [at]))) >= INSIDE * alone)
      return { ...found, within: [at] };
  }
  return found;
}

/** The rows of some columns. */
const rowsOf = (sample: readonly string[][], name: number, within: readonly number[]): PlaceRow[] =>
  sample.map((cells) =>
    rowOf(
      cellAt(cells, name),
      within.map((at) => cellAt(cells, at)).filter((text) => text !== ''),
    ),
  );

/** How many rows have a boundary. */
async function settledOf(ctx: Context, rows: readonly PlaceRow[]): Promise<number> {
  const { rows: matched } = await matchPlaces(ctx, rows, { filters: {}, whole: true, kinds: [] });
  return matched.filter(({ boundary }) => boundary !== null).length;
}

const rowOf = (name: string, within: readonly string[] = []): PlaceRow => ({ name, code: '', within, type: '' });
const cellAt = (cells: readonly string[], at: number): string => (cells[at] ?? '').trim().slice(0, MOST_CHARACTERS);

/** The different cells of a column that have letters. */
function textsOf(sample: readonly string[][], at: number): string[] {
  const texts = new Map(sample.map((cells) => [foldName(cellAt(cells, at)), cellAt(cells, at)]));
  return [...texts.values()].filter((text) => /\p{L}/u.test(text));
}

const repeats = (texts: readonly string[], sample: readonly string[][]): boolean =>
  texts.length < DIFFERENT * sample.length;

/** Whether the cells of a column repeat so much more than those of another that it may be around it. */
const repeatsBeside = (one: Contents, other: Contents): boolean => one.texts.length < DIFFERENT * other.texts.length;

/** How many rows have a boundary, or may mean several. */
async function matchedOf(ctx: Context, rows: readonly PlaceRow[]): Promise<number> {
  const { rows: matched } = await matchPlaces(ctx, rows, { filters: {}, whole: false, kinds: [] });
  return matched.filter(({ match }) => match !== 'not_found' && match !== 'typo').length;
}

/** Those of some columns inside of whose places the names of a column are, the innermost first. */
async function holding(
  ctx: Context,
  sample: readonly string[][],
  name: number,
  others: readonly Contents[],
): Promise<number[]> {
  const around: number[] = [];
  if (others.length === 0) return around;
  const alone = await matchedOf(ctx, rowsOf(sample, name, []));
  for (const { at } of [...others].sort((a, b) => b.texts.length - a.texts.length)) {
    if ((await matchedOf(ctx, rowsOf(sample, name, [...around, at]))) >= INSIDE * alone) around.push(at);
  }
  return around;
}
