/** Reads tables of an SQLite 3 file (sqlite.org/fileformat2.html) in memory. */
import { defined } from '../../defined.ts';
import { quoted, requireSize, Unreadable } from '../reading/document.ts';
import { columnsOf, numberIfExact, type SqliteValue } from './table_columns.ts';

export type { SqliteValue } from './table_columns.ts';

const MAGIC = 'SQLite format 3\0';
const LEAF = 0x0d;
const INTERIOR = 0x05;
const MOST_DEPTH = 40;
const LATIN = new TextDecoder('latin1');

/**
 * Yields the rows of tables.
 * @throws RangeError for a damaged file
 */
export class SqliteReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly page: number;
  private readonly usable: number;
  private readonly text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  private readonly tables = new Map<string, { readonly root: number; readonly sql: string }>();

  /** @throws Unreadable for anything but an SQLite file in UTF-8 */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 100 || LATIN.decode(bytes.subarray(0, 16)) !== MAGIC) throw new Unreadable('this is not SQLite');
    const size = this.view.getUint16(16);
    this.page = size === 1 ? 65_536 : size;
    this.usable = this.page - defined(bytes[20]);
    if (this.view.getUint32(56) > 1) throw new Unreadable('its text is in UTF-16');
    for (const [type, name, , root, sql] of this.rows(1)) {
      if (type === 'table') this.tables.set(String(name).toLowerCase(), { root: Number(root), sql: String(sql) });
    }
  }

  /** Whether there is a table, not a view, of this name. */
  has(name: string): boolean {
    return this.tables.has(name.toLowerCase());
  }

  /** The rows of a table, keyed by column name, in row order; empty when the table does not exist. */
  *table(name: string): Generator<Record<string, SqliteValue>> {
    const table = this.tables.get(name.toLowerCase());
    if (!table) return;
    const columns = columnsOf(table.sql);
    for (const values of this.rows(table.root)) {
      const row: Record<string, SqliteValue> = {};
      columns.forEach(({ name: column, isRowId, initial }, i) => {
        // Rows from before a column was added have its default, which is not in their records.
        const value = isRowId ? values.at(-1) : i < values.length - 1 ? values[i] : initial;
        if (value === undefined) {
          throw new Unreadable(
            `rows have the default of the column ${quoted(column)}, which is not read: write the file again (ogr2ogr)`,
          );
        }
        row[column] = value;
      });
      yield row;
    }
  }

  /** The declared types of a table's columns, in upper case. */
  types(name: string): Map<string, string> {
    const table = this.tables.get(name.toLowerCase());
    return new Map(columnsOf(table?.sql ?? '()').map((column) => [column.name, column.type]));
  }

  /** The records below a page; each ends with its row number. */
  private *rows(page: number, depth = 0, seen = new Set<number>()): Generator<SqliteValue[]> {
    if (depth > MOST_DEPTH || seen.has(page)) throw new RangeError('its pages go round');
    seen.add(page);
    const start = (page - 1) * this.page;
    const head = start + (page === 1 ? 100 : 0);
    const type = this.view.getUint8(head);
    const cells = this.view.getUint16(head + 3);
    if (type === LEAF) {
      for (let i = 0; i < cells; i++) yield this.record(start + this.view.getUint16(head + 8 + 2 * i));
      return;
    }
    if (type !== INTERIOR) throw new RangeError('a page is not of a table');
    for (let i = 0; i < cells; i++) {
      yield* this.rows(this.view.getUint32(start + this.view.getUint16(head + 12 + 2 * i)), depth + 1, seen);
    }
    yield* this.rows(this.view.getUint32(head + 8), depth + 1, seen);
  }

  private record(cell: number): SqliteValue[] {
    const [size, afterSize] = varint(this.view, cell);
    const [number, start] = varint(this.view, afterSize);
    const payload = this.payload(start, Number(size));
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
    const values: SqliteValue[] = [];
    const [headSize, firstType] = varint(view, 0);
    let body = Number(headSize);
    for (let at = firstType; at < Number(headSize); ) {
      const [type, next] = varint(view, at);
      at = next;
      const [value, bytes] = this.value(view, body, Number(type));
      values.push(value);
      body += bytes;
    }
    values.push(numberIfExact(number));
    return values;
  }

  /** The bytes of a record. The part that does not fit on a page continues in a chain of overflow pages. */
  private payload(start: number, size: number): Uint8Array {
    const most = this.usable - 35;
    if (size <= most) return this.slice(start, size);
    const least = Math.floor(((this.usable - 12) * 32) / 255) - 23;
    const rest = least + ((size - least) % (this.usable - 4));
    const local = rest <= most ? rest : least;
    if (size > this.bytes.length) throw new RangeError('a record is larger than the file');
    const payload = new Uint8Array(size);
    payload.set(this.slice(start, local));
    let page = this.view.getUint32(start + local);
    for (let done = local; done < size; ) {
      if (page === 0) throw new RangeError('a record is not whole');
      const from = (page - 1) * this.page;
      const some = Math.min(size - done, this.usable - 4);
      payload.set(this.slice(from + 4, some), done);
      done += some;
      page = this.view.getUint32(from);
    }
    return payload;
  }

  private slice(from: number, length: number): Uint8Array {
    if (from + length > this.bytes.length) throw new RangeError('the file is cut off');
    return this.bytes.subarray(from, from + length);
  }

  private value(view: DataView, at: number, type: number): [value: SqliteValue, bytes: number] {
    if (type === 0) return [null, 0];
    if (type <= 6) {
      const bytes = defined([0, 1, 2, 3, 4, 6, 8][type]);
      let value = BigInt(view.getInt8(at));
      for (let i = 1; i < bytes; i++) value = value * 256n + BigInt(view.getUint8(at + i));
      return [numberIfExact(value), bytes];
    }
    if (type === 7) return [view.getFloat64(at), 8];
    if (type === 8 || type === 9) return [type - 8, 0];
    const length = Math.floor((type - 12) / 2);
    if (length < 0 || at + length > view.byteLength) throw new RangeError('a value is not whole');
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
    return [type % 2 === 0 ? bytes : this.textOf(bytes), length];
  }

  private textOf(bytes: Uint8Array): string {
    requireSize(bytes.byteLength, 'text');
    try {
      return this.text.decode(bytes);
    } catch {
      throw new Unreadable('a text is not UTF-8');
    }
  }
}

/** A variable-length integer and the offset after it. */
function varint(view: DataView, from: number): [value: bigint, end: number] {
  let value = 0n;
  for (let i = 0; i < 8; i++) {
    const byte = view.getUint8(from + i);
    value = value * 128n + BigInt(byte & 0x7f);
    if (byte < 0x80) return [value, from + i + 1];
  }
  return [BigInt.asIntN(64, value * 256n + BigInt(view.getUint8(from + 8))), from + 9];
}
