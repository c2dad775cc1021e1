import { Turns } from '../../common/turns.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { cellsOf, SEPARATORS } from '../points/csv.ts';
import { Lines, MAX_COLUMNS } from '../points/text.ts';

/** Limits of a table in one call. */
export const MOST_ROWS = 250_000;
export const MOST_BYTES = 32 * 1024 * 1024;

/** A table of delimited text, whole. */
export interface Table {
  readonly separator: string;
  /** The first line as it is written. */
  readonly head: string;
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  /** Without its line end. */
  readonly text: string;
  /** Number of the line on which it starts, from 1. */
  readonly line: number;
}

/** The first line of a table. */
interface Head {
  readonly text: string;
  readonly separator: string;
  readonly columns: string[];
}

const wrong = (message: string) => invalidInput([{ path: '', code: 'invalid_line', message }]);

/** @throws too_large for more than MOST_BYTES */
export function requireTableBytes(bytes: number): void {
  if (bytes > MOST_BYTES) throw problem('too_large', `A table may have ${MOST_BYTES / 1024 / 1024} MiB. Split it.`);
}

/** Reads a table from a text that arrives in chunks. */
export class TableReader {
  private readonly lines = new Lines(true);
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private readonly rows: TableRow[] = [];
  private head: Head | null = null;
  private bytes = 0;

  /** Number of rows so far. */
  get count(): number {
    return this.rows.length;
  }

  /**
   * Reads a chunk.
   * @throws invalid_input with the number of the line; too_large for more than MOST_ROWS rows or MOST_BYTES
   */
  push(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    requireTableBytes(this.bytes);
    this.read(chunk, false);
  }

  /** The whole table. @throws what push() throws */
  end(): Table {
    this.read(new Uint8Array(), true);
    if (this.head === null) throw wrong('the table is empty: its first line must name the columns');
    const { text: head, separator, columns } = this.head;
    return { separator, head, columns, rows: this.rows };
  }

  private read(chunk: Uint8Array, last: boolean): void {
    let text: string;
    try {
      text = this.decoder.decode(chunk, { stream: !last });
    } catch {
      throw wrong(`the table is not UTF-8, after ${this.rows.length} rows: save it as "CSV UTF-8"`);
    }
    this.lines.each(text, last, (line, number) => {
      if (this.head === null) this.head = headOf(line);
      else if (line.trim() !== '') {
        if (this.rows.length === MOST_ROWS) throw problem('too_large', `A table may have ${MOST_ROWS} rows. Split it.`);
        if (this.rows.length === 0) this.head = agreeing(this.head, line);
        this.rows.push({ text: line, line: number });
      }
    });
    if (this.lines.broken !== null) throw wrong(this.lines.broken);
  }
}

/** Bytes of a text that are read before others get a turn. */
const PIECE = 256 * 1024;

/** Reads a table from a whole text. Shares the main thread. @throws what TableReader throws; the reason of the signal */
export async function readTable(text: string, signal: AbortSignal): Promise<Table> {
  const reader = new TableReader();
  const turns = new Turns(signal);
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += PIECE) {
    reader.push(bytes.subarray(from, from + PIECE));
    await turns.next();
  }
  return reader.end();
}

/** The first line of a table. The separator is the one that it has most often. */
function headOf(line: string): Head {
  const text = line.replace(/^\ufeff/, '');
  const [separator = ','] = separatorsIn(text);
  return separatedBy(text, separator);
}

/** The signs in a line that may separate its cells, the most frequent first. */
function separatorsIn(text: string): string[] {
  const counts = new Map<string, number>();
  for (const sign of text.replaceAll(/"[^"]*"/g, '').match(SEPARATORS) ?? []) {
    counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([sign]) => sign);
}

function separatedBy(text: string, separator: string): Head {
  const columns = cellsOf(text, separator);
  if (columns.length >= MAX_COLUMNS) throw wrong(`line 1: ${MAX_COLUMNS} columns or more`);
  return { text, separator, columns: columns.map((name) => name.trim()) };
}

/** The first line with the separator by which the second has as many cells: names of columns may have commas. */
function agreeing(head: Head, second: string): Head {
  const isAgreed = ({ separator, columns }: Head): boolean => cellsOf(second, separator).length === columns.length;
  if (isAgreed(head)) return head;
  const others = separatorsIn(head.text).map((separator) => separatedBy(head.text, separator));
  return others.find(isAgreed) ?? head;
}

/**
 * The cells of a row.
 * @throws invalid_input with the number of the line when it has more or fewer cells than there are columns
 */
export function cellsOfRow({ separator, columns }: Table, { text, line }: TableRow): string[] {
  const cells = cellsOf(text, separator);
  if (cells.length === columns.length) return cells;
  throw wrong(`line ${line}: ${cells.length} cells where the first line has ${columns.length}`);
}

/** A cell as it is written in a table. */
export function written(value: string, separator: string): string {
  return /["\r\n]/.test(value) || value.includes(separator) ? `"${value.replaceAll('"', '""')}"` : value;
}
