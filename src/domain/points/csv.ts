import { defined } from '../../common/elements.ts';
import { invalidInput } from '../../core/errors.ts';
import type { AddedCells, PointRow, PointRows, PointTable } from './point_rows.ts';
import {
  type FoundColumns,
  findColumns,
  Lines,
  MAX_COLUMNS,
  noColumns,
  numberIn,
  numberWithComma,
  type Placing,
  type PointColumns,
  type PointSource,
  placingIn,
} from './text.ts';

/** Splits a line of a table into cells, at most MAX_COLUMNS. An unclosed quote ends with the line. */
export function cellsOf(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator, MAX_COLUMNS);
  const cells: string[] = [];
  for (let at = 0; at <= text.length && cells.length < MAX_COLUMNS; at++) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[++at] !== '"') break;
        cell += text[at];
      }
    }
    const end = text.indexOf(separator, at);
    cell += text.slice(at, end < 0 ? text.length : end);
    cells.push(cell);
    if (end < 0) break;
    at = end;
  }
  return cells;
}

const misfit = (text: string, line: number, cells: number, width: number): PointRow => {
  return { text, line, x: 0, y: 0, fault: `${cells} cells where the first line has ${width}` };
};

/** Reads and writes delimited text whose first line names the columns. */
export class CsvRows implements PointRows {
  readonly tail = '';
  private readonly lines = new Lines(true);
  private readonly asked: PointColumns;
  private readonly place: Placing;
  private readonly tails = new WeakMap<AddedCells, string>();

  constructor({ crs, ...asked }: PointSource = {}) {
    this.asked = asked;
    this.place = placingIn(crs);
  }

  get failure(): string | null {
    return this.lines.broken;
  }

  private header: {
    readonly text: string;
    readonly columns: readonly string[];
    readonly separator: string;
    readonly lat: number;
    readonly lon: number;
    readonly width: number;
  } | null = null;

  get table(): PointTable | null {
    return this.header && { columns: this.header.columns, separator: this.header.separator };
  }

  values(text: string): string[] {
    return cellsOf(text, this.header?.separator ?? ',');
  }

  push(text: string): PointRow[] {
    return this.read(text, false);
  }

  end(): PointRow[] {
    const rows = this.read('', true);
    if (this.header === null && this.failure === null) throw noColumns('the body is empty');
    return rows;
  }

  private read(text: string, last: boolean): PointRow[] {
    const rows: PointRow[] = [];
    this.lines.each(text, last, (line, number) => {
      if (this.header === null) this.header = headerOf(line, this.asked);
      else if (line !== '') rows.push(this.rowOf(line, number, this.header));
    });
    return rows;
  }

  private rowOf(text: string, line: number, header: NonNullable<CsvRows['header']>): PointRow {
    if (text.includes('"')) return this.quotedRowOf(text, line, header);
    const { separator, width, lat, lon } = header;
    let cells = 0;
    let y: number | null = null;
    let x: number | null = null;
    for (let at = 0; cells < MAX_COLUMNS; ) {
      const found = text.indexOf(separator, at);
      const end = found < 0 ? text.length : found;
      if (cells === lat) y = numberIn(text, at, end) ?? commaIn(text, at, end);
      else if (cells === lon) x = numberIn(text, at, end) ?? commaIn(text, at, end);
      cells++;
      if (found < 0) break;
      at = end + 1;
    }
    return cells === width ? this.placed(text, line, y, x) : misfit(text, line, cells, width);
  }

  private quotedRowOf(text: string, line: number, header: NonNullable<CsvRows['header']>): PointRow {
    const cells = cellsOf(text, header.separator);
    if (cells.length !== header.width) return misfit(text, line, cells.length, header.width);
    const [lat, lon] = [header.lat, header.lon].map((at) => numberWithComma(defined(cells[at])));
    return this.placed(text, line, lat ?? null, lon ?? null);
  }

  private placed(text: string, line: number, lat: number | null, lon: number | null): PointRow {
    const { x, y, fault } = this.place(lat, lon);
    return { text, line, x, y, fault };
  }

  head(columns: readonly string[]): string | null {
    if (this.header === null) return null;
    const { text, separator } = this.header;
    const own = cellsOf(text, separator);
    const twice = columns.filter((name) => own.includes(name));
    if (twice.length > 0) {
      throw invalidInput([
        {
          path: '',
          code: 'conflict',
          message: `has the columns ${twice.join(', ')} already: take them out, or rename them`,
        },
      ]);
    }
    return `${[text, ...columns.map((name) => this.cell(name))].join(separator)}\n`;
  }

  row({ text, fault }: PointRow, added: AddedCells): string {
    const { separator, width } = this.header as NonNullable<CsvRows['header']>;
    if (fault === null) return text + this.suffixOf(added);
    // Keep the added cells in their columns, whatever number of cells a bad row has.
    const cells = cellsOf(text, separator).slice(0, width);
    while (cells.length < width) cells.push('');
    return cells.map((cell) => this.cell(cell)).join(separator) + this.suffixOf(added);
  }

  /** The added cells of a row and the line end; cached per list, because many rows share one. */
  private suffixOf(added: AddedCells): string {
    const known = this.tails.get(added);
    if (known !== undefined) return known;
    const { separator } = this.header as NonNullable<CsvRows['header']>;
    const cells = added.map(([, value]) => separator + (value === null ? '' : this.cell(value)));
    const tail = `${cells.join('')}\n`;
    this.tails.set(added, tail);
    return tail;
  }

  errorRow(columns: readonly string[], error: string): string {
    const { separator, width } = this.header as NonNullable<CsvRows['header']>;
    return `${separator.repeat(width + columns.length - 1)}${this.cell(error)}\n`;
  }

  private cell(value: string): string {
    const { separator } = this.header as NonNullable<CsvRows['header']>;
    return /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replaceAll('"', '""')}"` : value;
  }
}

/** Text between separators as a number with a decimal comma. */
const commaIn = (text: string, from: number, to: number) => numberWithComma(text.slice(from, to));

/** What separates the cells of a table. */
export const SEPARATORS = /[,;\t|]/g;

/** The first separator of the first line with which it names the coordinates. */
function headerOf(first: string, asked: PointColumns): NonNullable<CsvRows['header']> {
  const text = first.replace(/^\ufeff/, '');
  const separators = new Set(text.match(SEPARATORS) ?? [',']);
  let trouble: string | null = null;
  for (const separator of separators) {
    const names = cellsOf(text, separator);
    const found: FoundColumns | string = findColumns(names, asked);
    if (typeof found !== 'string') return { text, columns: names, separator, ...found, width: names.length };
    trouble ??= found;
  }
  throw noColumns(trouble ?? 'the first line must name a column lat and a column lon');
}
