const CELL_WIDTH = 40;

/** JSON for a person to read: a list as a table, anything else indented. Ends with a line feed. */
export function renderJson(value: unknown): string {
  const items = typeof value === 'object' && value !== null && 'items' in value ? value.items : null;
  if (!Array.isArray(items) || !items.every((item) => typeof item === 'object' && item !== null)) {
    return `${visible(JSON.stringify(value, null, 2), /[^\n\P{Cc}]/gu)}\n`;
  }
  const { total } = value as { total?: unknown };
  const count = typeof total === 'number' && total > items.length ? `${items.length} of ${total}` : `${items.length}`;
  return `${renderTable(items)}${count} ${count === '1' ? 'item' : 'items'}\n`;
}

/** Members that hold one value in some row are columns; objects and lists are left to --json. */
function renderTable(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => row[name] !== null && row[name] !== undefined && typeof row[name] !== 'object'),
  );
  if (columns.length === 0) return '';
  const cells = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => width(line[i]))));
  return cells
    .map((line) =>
      line
        .map((text, i) => text + ' '.repeat(widths[i] - width(text)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'object') return '';
  const text = visible(String(value), /\p{Cc}/gu);
  const characters = [...text];
  return characters.length > CELL_WIDTH ? `${characters.slice(0, CELL_WIDTH - 1).join('')}…` : text;
}

/** Names come from anybody: a control character could steer the terminal. */
function visible(text: string, controls: RegExp): string {
  return text.replace(controls, '\ufffd');
}

/** Columns that a terminal uses: ideographs, kana and Hangul take two, combining marks none. */
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
