import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { idColumnOf, nestedAmong } from '../../domain/boundaries/groups.ts';
import { isBoundaryId } from '../../domain/boundaries/ids.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { FigureTable, placeOf, readFigures, withNumbers } from '../../domain/tables/figures.ts';
import { cellsOfRow, readTable, type Table } from '../../domain/tables/table.ts';

/** Figures of a result. */
export const MOST_FIGURES = 100;
/** Ids that are looked up together, and wrong rows that an error lists. */
const CHUNK = 1_000;
const LISTED = 10;

/** What a join does with the rows of a table. */
export interface JoinInput {
  readonly csv: string;
  readonly id_column?: string;
  readonly group_column?: string;
  readonly parent_level?: number;
  readonly figures?: readonly string[];
}

/** A table with the column of its ids. */
export interface JoinTable {
  readonly table: Table;
  readonly id: number;
  readonly group: number | null;
  /** The cells of the rows with an id, and their lines. */
  readonly rows: readonly { readonly cells: readonly string[]; readonly line: number }[];
  /** Rows without an id, which are left out. */
  readonly without: number;
}

/** Figures by area: by boundary id, or by group. */
export interface JoinedRows {
  readonly table: FigureTable;
  /** Canonical ids of the boundaries of the result, or of each group by its name. */
  readonly ids: readonly string[];
  readonly groups: ReadonlyMap<string, readonly string[]> | null;
}

/** Reads the table of a join. @throws invalid_input with the line */
export async function readJoin(given: JoinInput, signal: AbortSignal): Promise<JoinTable> {
  const table = await readTable(given.csv, signal);
  const folded = table.columns.map((name) => name.toLowerCase());
  const found = folded[idColumnOf(folded)];
  const name = given.id_column ?? found;
  if (name === undefined) {
    const shown = table.columns.slice(0, 20).join(', ');
    const message = `name the column with the ids; the columns are ${shown}. For names of places, call match_names first`;
    throw invalidInput([{ path: 'id_column', code: 'missing', message }]);
  }
  const id = placeOf(table.columns, name, 'id_column');
  const group = given.group_column === undefined ? null : placeOf(table.columns, given.group_column, 'group_column');
  const turns = new Turns(signal);
  const rows: JoinTable['rows'][number][] = [];
  for (const row of table.rows) {
    if (turns.spend(table.columns.length)) await turns.next();
    const cells = cellsOfRow(table, row);
    if ((cells[id] ?? '').trim() !== '') rows.push({ cells, line: row.line });
  }
  if (rows.length === 0)
    throw invalidInput([{ path: 'csv', code: 'too_small', message: `has no row with an id in ${name}` }]);
  return { table, id, group, rows, without: table.rows.length - rows.length };
}

/**
 * Joins the rows with boundaries, and adds their figures up by boundary, by parent or by group.
 * @throws invalid_input and not_found with the lines
 */
export async function joinRows(
  ctx: Context,
  reading: Snapshot,
  read: JoinTable,
  given: JoinInput,
): Promise<JoinedRows> {
  const { table, group } = read;
  const { columns, separator } = table;
  const isMerging = group !== null || given.parent_level !== undefined;
  if (isMerging && given.figures === undefined) {
    const message = 'say how rows become one figure: people:sum, rate:mean:people, name:first';
    throw invalidInput([{ path: 'figures', code: 'missing', message }]);
  }
  const free = columns.filter((_, at) => at !== read.id && at !== group);
  const named = readFigures(given.figures ?? free.slice(0, MOST_FIGURES + 1), columns);
  if (named.length > MOST_FIGURES) {
    throw invalidInput([{ path: 'figures', code: 'too_big', message: `name at most ${MOST_FIGURES} columns` }]);
  }
  const figures = await withNumbers(named, read.rows, separator, ctx.signal);
  const { areas, own } = await areasOf(ctx, reading, read, given.parent_level ?? null);
  if (isMerging || figures.some(({ how }) => how === 'share')) await requireDisjoint(ctx, reading, read, own);
  const made = new FigureTable(figures, columns, separator);
  const groups = group === null ? null : new Map<string, Set<string>>();
  const lines = new Map<string, number>();
  const turns = new Turns(ctx.signal);
  for (const [i, { cells, line }] of read.rows.entries()) {
    if (turns.spend()) await turns.next();
    const area = areas[i] ?? '';
    const before = lines.get(area);
    // Without a rule for several rows, one of them would be lost.
    if (before !== undefined && given.figures === undefined) {
      const message = `line ${line}: ${area} is in line ${before} already; say in figures how rows become one`;
      throw invalidInput([{ path: 'csv', code: 'duplicate', message }]);
    }
    lines.set(area, before ?? line);
    if (group === null || groups === null) {
      made.add(area, cells, line);
      continue;
    }
    const name = (cells[group] ?? '').trim();
    if (name === '' || name.length > 200) {
      const message = `line ${line}: must have a group of 1 to 200 characters`;
      throw invalidInput([{ path: 'csv', code: 'invalid_line', message }]);
    }
    groups.set(name, (groups.get(name) ?? new Set()).add(area));
    made.add(name, cells, line);
  }
  const listed = groups && new Map([...groups].map(([name, ids]) => [name, [...ids]]));
  return { table: made, ids: [...lines.keys()], groups: listed };
}

/**
 * Requires that no boundary of the rows is inside of another one: its figures would be added twice.
 * @param own the canonical id of the boundary of each row
 * @throws invalid_input with the lines; DataMoved
 */
async function requireDisjoint(ctx: Context, reading: Snapshot, { rows }: JoinTable, own: readonly string[]) {
  const { revision, pairs } = await nestedAmong(ctx.services.db, [...new Set(own)], ctx.signal);
  if (revision !== reading.revision) throw new DataMoved();
  if (pairs.length === 0) return;
  const lineOf = (id: string): number => defined(rows[own.indexOf(id)]).line;
  const said = pairs
    .slice(0, LISTED)
    .map(([child, parent]) => `line ${lineOf(child)}: ${child} is inside of ${parent}, of line ${lineOf(parent)}`);
  const message = `${said.join('; ')}. Their figures would be added twice: take out the totals, or the parts`;
  throw invalidInput([{ path: 'csv', code: 'conflict', message }]);
}

/** The canonical ids of the boundary of each row, and of its area: the boundary, or its parent at a level. */
async function areasOf(
  ctx: Context,
  reading: Snapshot,
  { rows, id }: JoinTable,
  level: number | null,
): Promise<{ readonly areas: readonly string[]; readonly own: readonly string[] }> {
  const texts = rows.map(({ cells }) => (cells[id] ?? '').trim());
  const wrong = rows.filter((_, i) => !isBoundaryId(texts[i] ?? '')).slice(0, LISTED);
  if (wrong.length > 0) {
    const said = wrong.map(({ cells, line }) => `line ${line}: ${(cells[id] ?? '').trim().slice(0, 50)} is not an id`);
    throw invalidInput([
      { path: 'csv', code: 'invalid_line', message: `${said.join('; ')}. For names, call match_names first` },
    ]);
  }
  const areaOf = new Map<string, string | null>();
  const ownOf = new Map<string, string>();
  const distinct = [...new Set(texts)];
  for (let from = 0; from < distinct.length; from += CHUNK) {
    ctx.signal.throwIfAborted();
    const some = distinct.slice(from, from + CHUNK);
    for (const [i, found] of (await reading.lookup(some)).entries()) {
      if (found !== null) ownOf.set(some[i] ?? '', found.id);
      const own =
        found?.admin_level === level
          ? found.id
          : found?.boundary.parents.find(({ admin_level }) => admin_level === level)?.id;
      areaOf.set(some[i] ?? '', found === null ? null : level === null ? found.id : (own ?? ''));
    }
  }
  const linesOf = (value: string | null): string =>
    rows
      .filter((_, i) => areaOf.get(texts[i] ?? '') === value)
      .slice(0, LISTED)
      .map(({ line, cells }) => `line ${line}: ${(cells[id] ?? '').trim()}`)
      .join('; ');
  const unknown = linesOf(null);
  if (unknown !== '') throw problem('not_found', `No boundary is stored for ${unknown}.`);
  const orphans = level === null ? '' : linesOf('');
  if (orphans !== '') throw problem('not_found', `There is no parent of admin_level ${level} for ${orphans}.`);
  return { areas: texts.map((text) => areaOf.get(text) ?? ''), own: texts.map((text) => ownOf.get(text) ?? '') };
}
