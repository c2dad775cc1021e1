import { defined } from '../../defined.ts';
import type { Spool } from '../writing/spool.ts';
import { encodeRecord, putVarint, type Value, varintLength } from './sqlite_record.ts';

/** Bytes per page. */
export const PAGE = 4096;

const HEADER = 100;

/** Page types of a B-tree. */
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;

/** The longest record without overflow pages, and the minimum that stays on the leaf when a record overflows. */
const MAX_LOCAL = PAGE - 35;
const MIN_LOCAL = Math.floor(((PAGE - 12) * 32) / 255) - 23;

/** Children per interior page: the longest keys (9 bytes) and the header of the file then always fit. */
const CHILDREN = Math.floor((PAGE - HEADER - 12) / (2 + 4 + 9));

/** 3.40.1: the SQLite version recorded as the file's writer. */
const SQLITE_VERSION = 3_040_001;

const UTF8 = new TextEncoder();

/** A row of the schema: a table, an index, a trigger, or a virtual table (root page 0). */
export interface SchemaEntry {
  readonly type: 'table' | 'index' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly root: number;
  readonly sql: string | null;
}

/**
 * Writes the pages of a SQLite 3 database (sqlite.org/fileformat2.html), each once and in order, except the first,
 * which stores the size of the file and where its tables begin. Rows must come in the order of their numbers.
 */
export class SqliteFile {
  readonly #spool: Spool;

  /** @param spool receives the pages from the second on */
  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** The number of pages so far, including the first. */
  get #pages(): number {
    return 1 + this.#spool.length / PAGE;
  }

  /** Writes a page and returns its number. */
  async #write(page: Uint8Array): Promise<number> {
    await this.#spool.append(page);
    return this.#pages;
  }

  /** Starts a table. Several tables may be written alternately. */
  table(): Table {
    return new Table(
      (page) => this.#write(page),
      () => this.#pages,
    );
  }

  /** Writes a small table with rows numbered from 1, and returns its root page. */
  async tableOf(rows: readonly (readonly Value[])[]): Promise<number> {
    const table = this.table();
    for (const [i, row] of rows.entries()) await table.insert(i + 1, encodeRecord(row));
    return await table.finish();
  }

  /**
   * Writes an index on one page and returns its number. Rows must be in index order; each is the key and the row's
   * number.
   * @throws RangeError when the index does not fit on a page
   */
  async indexOf(rows: readonly (readonly Value[])[]): Promise<number> {
    const leaf = new Leaf(LEAF_INDEX);
    for (const row of rows) {
      const record = encodeRecord(row);
      const cell = new Uint8Array(varintLength(record.length) + record.length);
      cell.set(record, putVarint(cell, 0, record.length));
      if (cell.length > 1000 || !leaf.fits(cell.length)) throw new RangeError('the index needs more than a page');
      leaf.add(cell);
    }
    return await this.#write(leaf.page);
  }

  /**
   * Writes the schema and returns the first page of the file; the pages in the spool follow it.
   * @param applicationId for the header
   * @param userVersion for the header
   */
  async finish(schema: readonly SchemaEntry[], applicationId: number, userVersion: number): Promise<Uint8Array> {
    const table = this.table();
    for (const [i, { type, name, table: of, root, sql }] of schema.entries()) {
      await table.insert(i + 1, encodeRecord([type, name, of, BigInt(root), sql]));
    }
    const first = await table.finishFirst();
    const view = new DataView(first.buffer);
    first.set(UTF8.encode('SQLite format 3\0'));
    view.setUint16(16, PAGE);
    // Rollback journal, no reserved bytes, and the three fixed payload fractions.
    first.set([1, 1, 0, 64, 32, 32], 18);
    view.setUint32(24, 1);
    view.setUint32(28, this.#pages);
    view.setUint32(40, 1);
    view.setUint32(44, 4);
    view.setUint32(56, 1);
    view.setUint32(60, userVersion);
    view.setUint32(68, applicationId);
    view.setUint32(92, 1);
    view.setUint32(96, SQLITE_VERSION);
    return first;
  }
}

/** A page or subtree, with the highest row number in it. */
interface Child {
  readonly page: number;
  readonly last: number;
}

/** A table while it is written: leaves as they fill, then the levels above them. */
class Table {
  readonly #write: (page: Uint8Array) => Promise<number>;
  readonly #pages: () => number;
  readonly #children: Child[] = [];
  #leaf = new Leaf(LEAF_TABLE);
  #last = 0;

  constructor(write: (page: Uint8Array) => Promise<number>, pages: () => number) {
    this.#write = write;
    this.#pages = pages;
  }

  /**
   * Adds a row.
   * @param row its number, higher than that of the previous row
   */
  async insert(row: number, record: Uint8Array): Promise<void> {
    const local = record.length <= MAX_LOCAL ? record.length : localOf(record.length);
    const spills = local < record.length;
    const head = varintLength(record.length) + varintLength(row);
    const cell = new Uint8Array(head + local + (spills ? 4 : 0));
    putVarint(cell, putVarint(cell, 0, record.length), row);
    cell.set(record.subarray(0, local), head);
    if (spills) {
      const first = await this.#overflow(record.subarray(local));
      new DataView(cell.buffer).setUint32(head + local, first);
    }
    if (!this.#leaf.fits(cell.length)) await this.#flush();
    this.#leaf.add(cell);
    this.#last = row;
  }

  async #flush(): Promise<void> {
    this.#children.push({ page: await this.#write(this.#leaf.page), last: this.#last });
    this.#leaf = new Leaf(LEAF_TABLE);
  }

  /** Writes the rest of a row as a chain of pages and returns the number of the first. */
  async #overflow(rest: Uint8Array): Promise<number> {
    const first = this.#pages() + 1;
    const room = PAGE - 4;
    for (let from = 0; from < rest.length; from += room) {
      const page = new Uint8Array(PAGE);
      if (from + room < rest.length) new DataView(page.buffer).setUint32(0, this.#pages() + 2);
      page.set(rest.subarray(from, from + room), 4);
      await this.#write(page);
    }
    return first;
  }

  /** Writes the remaining pages and returns the number of the root page. */
  async finish(): Promise<number> {
    await this.#flush();
    let level: readonly Child[] = this.#children;
    while (level.length > 1) level = await this.#above(level);
    return defined(level[0]).page;
  }

  /** Like `finish`, but returns the root, which becomes the first page of the file. */
  async finishFirst(): Promise<Uint8Array> {
    await this.#flush();
    let level: readonly Child[] = this.#children;
    while (level.length > CHILDREN) level = await this.#above(level);
    return interior(level, HEADER);
  }

  /** Writes the level above: the fewest pages, filled evenly. */
  async #above(level: readonly Child[]): Promise<Child[]> {
    const count = Math.ceil(level.length / CHILDREN);
    const above: Child[] = [];
    for (let i = 0; i < count; i++) {
      const part = level.slice(Math.floor((i * level.length) / count), Math.floor(((i + 1) * level.length) / count));
      above.push({ page: await this.#write(interior(part, 0)), last: defined(part[part.length - 1]).last });
    }
    return above;
  }
}

/** An interior page: the last child is in its header, the others are cells. */
function interior(children: readonly Child[], at: number): Uint8Array<ArrayBuffer> {
  const page = new Uint8Array(PAGE);
  const view = new DataView(page.buffer);
  const cells = children.slice(0, -1);
  let content = PAGE;
  cells.forEach((child, i) => {
    content -= 4 + varintLength(child.last);
    view.setUint32(content, child.page);
    putVarint(page, content + 4, child.last);
    view.setUint16(at + 12 + 2 * i, content);
  });
  page[at] = INTERIOR_TABLE;
  view.setUint16(at + 3, cells.length);
  view.setUint16(at + 5, content);
  view.setUint32(at + 8, defined(children[children.length - 1]).page);
  return page;
}

/** A leaf page: the cell pointers grow from the front, the cells from the end. */
class Leaf {
  readonly page = new Uint8Array(PAGE);
  readonly #view = new DataView(this.page.buffer);
  #content = PAGE;
  #cells = 0;

  constructor(kind: number) {
    this.page[0] = kind;
    this.#view.setUint16(5, PAGE);
  }

  fits(length: number): boolean {
    return 8 + 2 * (this.#cells + 1) + length <= this.#content;
  }

  add(cell: Uint8Array): void {
    this.#content -= cell.length;
    this.page.set(cell, this.#content);
    this.#view.setUint16(8 + 2 * this.#cells, this.#content);
    this.#cells++;
    this.#view.setUint16(3, this.#cells);
    this.#view.setUint16(5, this.#content);
  }
}

/** Bytes of a record of this length that stay on its leaf when it needs overflow pages. */
function localOf(length: number): number {
  const local = MIN_LOCAL + ((length - MIN_LOCAL) % (PAGE - 4));
  return local <= MAX_LOCAL ? local : MIN_LOCAL;
}
