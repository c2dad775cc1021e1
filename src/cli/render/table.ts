import { defined } from '../../common/elements.ts';
/** Renders JSON for people: lists as tables, everything else as lines of a name and a value. */

import { visible } from '../../transports/visible.ts';

type Row = Readonly<Record<string, unknown>>;

/** Display options. */
export interface RenderOptions {
  /** Terminal width in columns, to which tables are cut. Absent: only very long cells are cut. */
  readonly width?: number;
  readonly colors?: boolean;
}

const LONGEST_CELL = 60;
const SHORTEST_CELL = 12;
const GAP = '  ';
/** Maximum number of members of an object that is shown on one line. */
const MAX_INLINE_MEMBERS = 3;

/** Columns of a boundary in a list; --json and get-boundary show the rest. */
const BOUNDARY_COLUMNS = ['id', 'name', 'kind', 'admin_level', 'country', 'parents', 'population'];
/**
 * Columns of a boundary only where a list has them: what a neighbor shares; why reverse lists one that does not contain
 * the point.
 */
const OPTIONAL_COLUMNS = ['contact', 'shared_km', 'why'];

/** Members that no table shows, because they are long and mean nothing to people. */
const HIDDEN_MEMBERS = new Set(['sha256', 'url', 'content_type', 'request_id']);

/** Renders a JSON value. The text ends with a line feed. */
export function renderJson(value: unknown, look: RenderOptions = {}): string {
  if (!isRow(value)) return `${visible(JSON.stringify(value, null, 2))}\n`;
  if (value.deleted === true && Object.keys(value).length === 2) return `${cell(value.id)} deleted\n`;
  const { items, total, limit: _limit, offset, ...rest } = value;
  if (!isRows(items)) return renderRecord(value, look, '');
  const from = typeof offset === 'number' && offset > 0 ? `, from ${offset + 1}` : '';
  const count =
    typeof total === 'number' && total > items.length ? `${items.length} of ${total}${from}` : `${items.length}`;
  return `${renderTable(items, look)}${count} ${count === '1' ? 'item' : 'items'}\n${renderRecord(rest, look, '')}`;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

/** Whether a value is a nested list, with or without its count. */
function isPage(value: unknown): value is { readonly items: readonly Row[] } {
  return isRow(value) && isRows(value.items);
}

/** Renders one aligned line per member. Null members are left out; nested ones are indented. */
function renderRecord(record: Row, look: RenderOptions, indent: string): string {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const shown = Object.entries(record).filter(([, value]) => !isEmpty(value));
  const short = shown.map(([name, value]) => [name, inLine(name, value)] as const);
  const column = Math.max(0, ...short.map(([name, text]) => (text === null ? 0 : width(name))));
  return short
    .map(([name, text], i) => {
      const label = visible(name, true);
      // Indents continuation lines, so that none can imitate a line of ours.
      const lines = text?.replaceAll('\n', `\n${indent}${' '.repeat(column)}${GAP}`);
      if (text !== null) return `${indent}${strong(pad(label, column), look)}${GAP}${lines}`.trimEnd().concat('\n');
      const [, value] = defined(shown[i]);
      const inner = `${indent}  `;
      const rows = isPage(value) ? value.items : value;
      const content = isRows(rows)
        ? renderTable(rows, look).replace(/^(?=.)/gm, inner)
        : renderRecord(Array.isArray(value) ? { ...value } : (value as Row), look, inner);
      return `${indent}${strong(label, look)}\n${content}`;
    })
    .join('');
}

/** Renders a value on one line; null for one that needs several. */
function inLine(member: string, value: unknown): string | null {
  if (isRows(value) && member !== 'parents') return null;
  if (typeof value !== 'object' || value === null) return visible(time(String(value)));
  if ('west' in value && 'south' in value && 'east' in value && 'north' in value) {
    return visible(`${value.west},${value.south},${value.east},${value.north}`, true);
  }
  if (isPage(value)) return value.items.length === 0 ? '0' : null;
  const short = Object.keys(value).length <= MAX_INLINE_MEMBERS || Array.isArray(value) ? cell(value) : '';
  if (short !== '') return short;
  return Object.keys(value).length === 0 ? '' : null;
}

/** Renders rows as a table. Columns are the members that have a short form in at least one row. */
function renderTable(rows: readonly Row[], look: RenderOptions): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isBoundary = BOUNDARY_COLUMNS.every((name) => names.includes(name));
  const own = OPTIONAL_COLUMNS.filter((name) => names.includes(name));
  const shown = isBoundary ? [...BOUNDARY_COLUMNS, ...own] : names.filter((name) => !HIDDEN_MEMBERS.has(name));
  const columns = shown.filter((name) => rows.some((row) => cell(row[name]) !== ''));
  if (columns.length === 0) return '';
  const cells = rows.map((row) => columns.map((name) => cell(row[name])));
  const room = fit(
    columns.map((name, i) => Math.max(width(name), ...cells.map((line) => width(defined(line[i]))))),
    columns.map((name) => width(name)),
    look.width,
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => pad(cut(text, defined(room[i])), defined(room[i])))
      .join(GAP)
      .trimEnd();
  return [strong(line(columns.map((name) => visible(name, true))), look), ...cells.map(line)]
    .map((text) => `${text}\n`)
    .join('');
}

/** Column widths: the widest columns shrink until all fit the terminal, if possible. */
function fit(wanted: readonly number[], least: readonly number[], total: number | undefined): number[] {
  const room = wanted.map((columns) => Math.min(columns, LONGEST_CELL));
  if (total === undefined) return room;
  const floor = least.map((columns) => Math.max(columns, SHORTEST_CELL));
  let over = room.reduce((sum, columns) => sum + columns, GAP.length * (room.length - 1)) - total;
  for (; over > 0; over--) {
    const widest = room.reduce(
      (best, columns, i) => (columns > defined(floor[i]) && columns > (room[best] ?? 0) ? i : best),
      -1,
    );
    if (widest === -1) break;
    room[widest] = defined(room[widest]) - 1;
  }
  return room;
}

/**
 * Renders a value as a table cell: an object by its name, a place by its coordinates; empty if it has no short form.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return visible(time(String(value)), true);
  if (Array.isArray(value)) {
    const parts = value.map(cell);
    const isPath = value.every((item) => isRow(item) && typeof item.name === 'string');
    return parts.includes('') ? '' : parts.join(isPath ? ' > ' : ', ');
  }
  const row = value as Row;
  if (typeof row.lat === 'number' && typeof row.lon === 'number' && Object.keys(row).length === 2)
    return `${row.lat},${row.lon}`;
  const name = row.name ?? row.slug ?? row.email;
  if (typeof name === 'string' && ('id' in row || 'name' in row)) return visible(name, true);
  // A small object, such as the details of an audit log entry.
  const pairs = Object.entries(row).filter(([, member]) => member !== null);
  const isFlat =
    pairs.length <= MAX_INLINE_MEMBERS && pairs.every(([, member]) => typeof member !== 'object') && !('west' in row);
  return isFlat ? visible(pairs.map(([key, member]) => `${key}=${member}`).join(' '), true) : '';
}

/** Shortens a timestamp to the minute. */
function time(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/, '$1 $2Z');
}

function strong(text: string, look: RenderOptions): string {
  return look.colors ? `\x1b[1m${text}\x1b[0m` : text;
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = '';
  for (const character of text) {
    if (width(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Width in terminal columns: ideographs, kana and Hangul take two, combining marks none. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (/\p{Mn}/u.test(character)) continue;
    columns += /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff01-\uff60]/u.test(character)
      ? 2
      : 1;
  }
  return columns;
}
