import { problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { isBoundaryId } from '../../domain/boundaries/ids.ts';
import {
  isCodeColumn,
  rankOf,
  STATES,
  saysAnySort,
  saysNothingOfCells,
  saysWhoseCodes,
} from '../../domain/tables/column_titles.ts';
import {
  type AskedColumns,
  findTableColumns,
  meantBy,
  nameColumnsIn,
  type TableColumns,
} from '../../domain/tables/columns.ts';
import type { MatchFilters } from '../../domain/tables/match_rows.ts';
import { cellAt, textsOf } from '../../domain/tables/row_places.ts';
import { cellsOfRow, type Table } from '../../domain/tables/table.ts';
import { byContents } from './column_contents.ts';
import { byCodesBeside, bySplitCodes, withDeciding, withOuter, withoutAlike } from './column_parts.ts';
import { bestOf, DIFFERENT, type Looking, MOST_TRIED, namesAmong } from './column_rivals.ts';
import { EXPLAINED, explaining, MEANT, type Trial, tried } from './column_trials.ts';

/** Rows on which readings of the columns are tried. */
const LOOKED_AT = 100;
/** How many times more different cells a column must have to be inside of another. */
const MORE = 1.3;

/** The cells of the first rows of a table. */
const sampleOf = (table: Table): string[][] => table.rows.slice(0, LOOKED_AT).map((row) => cellsOfRow(table, row));

const inColumns = (sample: readonly string[][]) => (at: number) => sample.map((cells) => cells[at] ?? '');

/** What is asked of the columns of a table. */
interface Sought extends AskedColumns {
  readonly filters?: MatchFilters;
  /** Columns that are not looked at. */
  readonly left?: ReadonlySet<number>;
}

/**
 * The columns of a table, by their names, as far as the first rows bear them out; where no name says it, by their contents:
 * the column of which most cells are names of boundaries. So is one beside a column whose name is that of a place but
 * whose cells repeat: "país" beside "lugar de nacimiento".
 * @param looked is called before names are looked up, which costs a unit whatever comes of it
 * @throws invalid_input when no column has names or codes, or several may have them
 */
export async function columnsOf(
  ctx: Context,
  table: Table,
  { filters = {}, left = new Set(), ...asked }: Sought,
  looked: () => void,
): Promise<TableColumns> {
  const sample = sampleOf(table).map((cells) => cells.map((cell, at) => (left.has(at) ? '' : cell)));
  const found = findTableColumns(table.columns, asked, inColumns(sample));
  if (sample.length === 0) return requireSome(table, found);
  const fixed = {
    ...{ code: asked.code !== undefined, type: asked.type !== undefined },
    within: asked.within !== undefined,
  };
  const looking: Looking = { ctx, sample, filters, looked, table, asked, fixed };
  const sought = await ofAnySort(looking, await soughtIn(looking, found));
  const coded = (await bySplitCodes(looking, sought)) ?? (await byCodesBeside(looking, sought)) ?? sought;
  return requireCodes(looking, requireSome(table, await withDeciding(looking, await withoutAlike(looking, coded))));
}

/** The columns without what the name of that of the names rules out, if it is one for any sort and most rows need that. */
async function ofAnySort(looking: Looking, found: TableColumns): Promise<TableColumns> {
  if (found.name === null || !saysAnySort(looking.table.columns[found.name] ?? '')) return found;
  if ((await tried(looking, found)).share >= MEANT) return found;
  const columns = { ...found, kinds: [], others: [] };
  return (await tried(looking, columns)).share >= EXPLAINED ? columns : found;
}

/** The columns by their names and contents. */
async function soughtIn(looking: Looking, found: TableColumns): Promise<TableColumns> {
  const { asked, fixed, sample } = looking;
  if (asked.name !== undefined || fixed.code) return (await explaining(looking, found, fixed)).columns;
  const named = found.name === null ? null : await storedOf(looking, await byNames(looking));
  const name = named?.columns.name ?? null;
  if (named !== null && name !== null && !repeats(textsOf(sample, name), sample)) {
    const columns = (await insideOf(looking, named.columns)) ?? (await withOuter(looking, named));
    return fixed.within ? columns : withNumbers(looking, columns);
  }
  const known = named?.columns ?? found;
  return (await byContents(looking, known)) ?? known;
}

/** @throws invalid_input for columns of which none has names or codes */
function requireSome(table: Table, found: TableColumns): TableColumns {
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

/** The share of the codes of a column, found by its name alone, that must be those of boundaries. */
const CODES_SHARE = 0.75;

/**
 * Requires of a column of codes beside no names that they are those of places: "Code" may have numbers of goods, and the
 * numbers from 1 on are codes of provinces and municipalities.
 * @throws invalid_input for digits under a name that does not say whose codes they are, and for codes of which many are none
 */
async function requireCodes(looking: Looking, found: TableColumns): Promise<TableColumns> {
  const { table, sample, fixed, asked, filters } = looking;
  const at = found.name ?? found.code ?? 0;
  const title = table.columns[at] ?? '';
  const isGiven = asked.name !== undefined || fixed.code || found.within.length > 0 || filters.country !== undefined;
  if (isGiven || filters.within !== undefined || (found.name !== null && !isCodeColumn(title))) return found;
  const cells = sample.map((row) => cellAt(row, at)).filter((cell) => cell !== '');
  // Firms number their regions and districts as well.
  if (saysWhoseCodes(title, !cells.every((cell) => NUMBER.test(cell)))) return found;
  // "set:zones/north", "r62422" and "fips:48201" say themselves what they are, whether it is stored or not.
  if (cells.length > 0 && cells.every((cell) => /^[a-z]/i.test(cell) && isBoundaryId(cell))) return found;
  const areDigits = cells.filter((cell) => /^[\d .]+$/.test(cell)).length >= CODES_SHARE * cells.length;
  if (!areDigits && (await tried(looking, found)).share >= CODES_SHARE) return found;
  const message = `No column has names of places, and ${title} may have codes of something else. If they are codes of places, give code_column=${title}.`;
  throw problem('invalid_input', message, {
    issues: [{ path: 'code_column', code: 'ambiguous', message: `${title} does not say whose codes it has` }],
  });
}

/** The reading of the columns whose names say that they have the names of places, that explains the rows best. */
async function byNames(looking: Looking): Promise<Trial | null> {
  const { table, asked, sample, fixed } = looking;
  const cells = inColumns(sample);
  const { plain, doubtful, ranked } = nameColumnsIn(table.columns, asked, cells);
  const read = (at: number): Promise<Trial> =>
    explaining(looking, findTableColumns(table.columns, asked, cells, at), fixed);
  const [innermost = []] = ranked;
  // The name of a firm beside its city: where firms are not places, the city is meant.
  for (const at of plain.length === 0 && innermost.length > 0 ? doubtful.slice(0, MOST_TRIED) : []) {
    const trial = await read(at);
    if (trial.share >= MEANT) return trial;
  }
  const [group = []] = [plain, innermost, doubtful].filter(({ length }) => length > 0);
  const trials: Trial[] = [];
  for (const at of group.slice(0, MOST_TRIED)) trials.push(await read(at));
  return bestOf(looking, trials);
}

/** The share of the names of a column below which its places are not stored. */
const STORED_SHARE = 0.25;
/** The outermost places that are named in place of towns which are not stored: provinces. */
const PROVINCES = STATES - 1;

/**
 * A reading, or that of the places around its names, where hardly any of these is stored: the county beside a city, the state
 * beside a site. Cells that repeat more than the names say less, and stay around them.
 */
async function storedOf(looking: Looking, named: Trial | null): Promise<Trial | null> {
  const { table, asked, sample, fixed } = looking;
  const name = named?.columns.name ?? null;
  if (named === null || name === null || fixed.within || named.whole >= STORED_SHARE) return named;
  const isPlain = rankOf(table.columns[name] ?? '') < 0;
  const texts = textsOf(sample, name).length;
  const outer = findTableColumns(table.columns, asked, inColumns(sample), name).within.filter((at) => {
    // "EMEA" beside 20 countries says less than these.
    return isPlain || rankOf(table.columns[at] ?? '') <= PROVINCES || texts < DIFFERENT * textsOf(sample, at).length;
  });
  for (const at of outer.slice(0, MOST_TRIED)) {
    const trial = await explaining(looking, findTableColumns(table.columns, asked, inColumns(sample), at), fixed);
    const placed = new Set(trial.ids).size;
    if (trial.whole >= (isPlain ? MEANT : EXPLAINED) && placed >= trial.whole * EXPLAINED * texts) return trial;
  }
  return named;
}

/**
 * The columns with the names in one whose name says nothing, or whose cells repeat less, and are names of places inside of
 * those of the column that has names: of "col1;Provincia" the municipalities. Null if there is none.
 */
async function insideOf(looking: Looking, found: TableColumns): Promise<TableColumns | null> {
  const { table, sample } = looking;
  const { name, within } = found;
  if (name === null || rankOf(table.columns[name] ?? '') < 0) return null;
  const texts = textsOf(sample, name).length;
  // Places that repeat have others inside of them; a table of provinces may have their capitals.
  const around = texts < said(sample, name) ? texts + 1 : MORE * texts;
  const taken = [name, found.code, found.type, ...within];
  const free = [...table.columns.keys()].filter((at) => {
    const least = saysNothingOfCells(table.columns[at] ?? '') ? texts : around;
    return !taken.includes(at) && textsOf(sample, at).length >= least;
  });
  for (const at of free.slice(0, MOST_TRIED)) {
    const columns = { ...found, name: at, within: [name, ...within], ...meantBy(table.columns[at] ?? '') };
    if ((await tried(looking, columns)).share >= EXPLAINED) return columns;
  }
  return null;
}

/** How many cells of a column are not empty. */
const said = (sample: readonly string[][], at: number): number =>
  sample.filter((cells) => cellAt(cells, at) !== '').length;

/** A code of a place around others as people number them: a département, a province. */
const NUMBER = /^(?:\d{1,3}|\d[AB])$/;

/** Whether the cells of a column that are not empty are such codes. */
function isNumbered(cells: readonly string[]): boolean {
  const texts = cells.filter((cell) => cell !== '');
  return texts.length > 0 && texts.every((text) => NUMBER.test(text));
}

/** Adds the column of numbers that are codes of places around the names: "Dpt" of communes. */
async function withNumbers(looking: Looking, found: TableColumns): Promise<TableColumns> {
  const { ctx, table, sample } = looking;
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
    const names = sample.map((cells) => cellAt(cells, name)).filter((text) => text !== '');
    looking.looked();
    const alone = (await namesAmong(ctx, names)) / Math.max(1, names.length);
    const columns = { ...found, within: [at] };
    if (alone > 0 && (await tried(looking, columns)).share >= EXPLAINED * alone) return columns;
  }
  return found;
}

const repeats = (texts: readonly string[], sample: readonly string[][]): boolean =>
  texts.length < DIFFERENT * sample.length;
