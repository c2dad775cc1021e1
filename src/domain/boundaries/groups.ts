import { defined, only } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/** Groups of boundary ids by name, in the order in which they are given. */
export type Groups = ReadonlyMap<string, string[]>;

/** Maximum members and groups of one call. */
export interface GroupLimits {
  readonly members: number;
  readonly groups: number;
}

/** Names of the column with the ids, in any table, the first that is there: as match_names and locate_points write them. */
export const ID_COLUMNS = ['match_id', 'boundary_id', 'id'];

/** The place of the column with the ids among the names of columns, which are folded; -1 if there is none. */
export const idColumnOf = (names: readonly string[]): number =>
  Math.max(-1, names.indexOf(ID_COLUMNS.find((name) => names.includes(name)) ?? ''));

/** Maximum characters of an id and of a group name. */
const MOST_CHARACTERS = 200;

/** Lines without an id that an error names. */
const MOST_SAID = 10;

/** The error of lines without an id: an area that leaves members out is smaller than it looks. */
function withoutIds(lines: readonly number[], count: number) {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  const which = `${count > 1 ? 'lines' : 'line'} ${lines.join(', ')}${more}`;
  const message = `${which} must have an id and a group: write the ids, or leave out rows that no area is to have`;
  return invalidInput([{ path: 'csv', code: 'invalid_line', message }]);
}

/**
 * Reads a table with a line for each member: its id and its group. A first line with `group` and a name of the column with
 * the ids (ID_COLUMNS) names the columns, in any order and among others; without it they are the first two columns. Cells are separated by commas,
 * semicolons or tabs, and may be quoted (RFC 4180). Shares the main thread.
 * @throws invalid_input with the number of the line; the reason of the signal
 */
export async function readGroupTable(text: string, limits: GroupLimits, signal?: AbortSignal): Promise<Groups> {
  const turns = new Turns(signal);
  const groups = new Map<string, string[]>();
  let columns: { readonly id: number; readonly group: number } | null = null;
  let members = 0;
  let without = 0;
  const lines: number[] = [];
  for (const { cells, line } of rowsOf(text)) {
    if (turns.spend()) await turns.next();
    if (line > 2 * limits.members + 2) throw wrong(line, 'is beyond the maximum number of lines');
    if (cells.length === 1 && defined(cells[0]).trim() === '') continue;
    if (columns === null) {
      const names = cells.map((cell) => cell.trim().toLowerCase());
      const named = { id: idColumnOf(names), group: names.indexOf('group') };
      const isHeader = named.id >= 0 && named.group >= 0;
      columns = isHeader ? named : { id: 0, group: 1 };
      if (isHeader) continue;
    }
    const [id, group] = [cells[columns.id]?.trim() ?? '', cells[columns.group]?.trim() ?? ''];
    if (id === '' || group === '') {
      if (++without <= MOST_SAID) lines.push(line);
      continue;
    }
    if (id.length > MOST_CHARACTERS || group.length > MOST_CHARACTERS) {
      throw wrong(line, `has an id or a group of more than ${MOST_CHARACTERS} characters`);
    }
    if (++members > limits.members) throw wrong(line, `exceeds the limit of ${limits.members} members per call`);
    const list = groups.get(group);
    if (list) list.push(id);
    else if (groups.size === limits.groups) throw wrong(line, `exceeds the limit of ${limits.groups} groups per call`);
    else groups.set(group, [id]);
  }
  if (without > 0) throw withoutIds(lines, without);
  if (members === 0) throw invalidInput([{ path: 'csv', code: 'too_small', message: 'has no members' }]);
  return groups;
}

/** The error of a line of a table. */
export function wrong(line: number, message: string) {
  return invalidInput([{ path: 'csv', code: 'invalid_line', message: `line ${line} ${message}` }]);
}

/** The rows of a table with the line each begins on. The separator is the first one that appears in the first line. */
export function* rowsOf(text: string): Generator<{ readonly cells: readonly string[]; readonly line: number }> {
  const separator = /[,;\t]/.exec(defined(text.slice(0, 10_000).split('\n', 1)[0]))?.[0] ?? ',';
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const whole = text.slice(at, end < 0 ? text.length : end);
    if (!whole.includes('"')) {
      const cells = whole.replace(/\r$/, '').split(separator, MOST_CELLS + 1);
      if (cells.length > MOST_CELLS) throw wrong(line, `has more than ${MOST_CELLS} columns`);
      yield { cells, line };
      at += whole.length + 1;
      line++;
      continue;
    }
    const row = quotedRow(text, at, separator, line);
    yield { cells: row.cells, line };
    at = row.end;
    line += row.lines;
  }
}

/** Maximum columns of a row. */
const MOST_CELLS = 100;

/** Reads one row with quoted cells. */
function quotedRow(text: string, start: number, separator: string, line: number) {
  const cells: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; ) {
        const close = text.indexOf('"', at);
        if (close < 0 || close - at > 100 * MOST_CHARACTERS) throw wrong(line, 'has a quote that is not closed');
        cell += text.slice(at, close);
        at = close + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at++;
        if (cell.length > 100 * MOST_CHARACTERS) throw wrong(line, 'has a cell that is too long');
      }
      lines += cell.split('\n').length - 1;
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && text[at] !== '\n') at++;
      cell = text.slice(from, at).replace(/\r$/, '');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    cells.push(cell);
    if (cells.length > MOST_CELLS) throw wrong(line, `has more than ${MOST_CELLS} columns`);
    const next = text[at++];
    if (next === undefined || next === '\n') return { cells, end: at, lines };
    if (next !== separator) throw wrong(line, 'has text after a quoted cell');
  }
}

/** Boundaries that a division into groups leaves out. */
export interface Unassigned {
  readonly revision: number;
  readonly total: number;
  /** Canonical ids of the first of them. */
  readonly ids: readonly string[];
}

/** The boundaries of `levels` inside `within` that are neither `members` nor inside one. Lists up to `most` ids. */
export async function unassignedIn(
  db: Queryable,
  within: string,
  levels: readonly number[],
  members: readonly string[],
  most: number,
  signal?: AbortSignal,
): Promise<Unassigned> {
  const values = [within, levels, members, most] as const;
  const row = only(await db.query(loadQuery('dissolve_unassigned'), values, { signal }));
  return { ...row, revision: Number(row.revision) };
}

/** Pairs of members where the child is inside the parent, and the revision of the data. */
export async function nestedAmong(
  db: Queryable,
  members: readonly string[],
  signal?: AbortSignal,
): Promise<{ readonly revision: number; readonly pairs: readonly (readonly [child: string, parent: string])[] }> {
  const rows = await db.query(loadQuery('dissolve_nested'), [[...members]], { signal });
  const pairs = rows.flatMap(({ child, parent }) => (child && parent ? [[child, parent] as const] : []));
  return { revision: Number(defined(rows[0]).revision), pairs };
}
