import { expect, it } from 'vitest';
import { SqliteReader } from '../../workers/formats/geopackage/sqlite_read.ts';
import { encodeRecord, type Value } from '../../workers/formats/geopackage/sqlite_record.ts';
import { SqliteFile } from '../../workers/formats/geopackage/sqlite_write.ts';
import { Spool } from '../../workers/formats/writing/spool.ts';

/** The rows of a table, by their numbers, as they are read from a file that declares it with `sql`. */
async function rowsOf(sql: string, rows: Readonly<Record<number, readonly Value[]>>) {
  const spool = new Spool();
  try {
    const file = new SqliteFile(spool);
    const table = file.table();
    for (const [number, row] of Object.entries(rows)) await table.insert(Number(number), encodeRecord(row));
    const entry = { type: 'table', name: 't', table: 't', root: await table.finish(), sql } as const;
    const pieces: Uint8Array[] = [await file.finish([entry], 0, 0)];
    for await (const piece of spool.chunks()) pieces.push(piece.slice());
    return [...new SqliteReader(Buffer.concat(pieces)).table('t')];
  } finally {
    await spool.close();
  }
}

it.each([
  'create table t (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT)',
  'CREATE TABLE "t" ("fid" INTEGER NOT NULL, "name" TEXT, PRIMARY KEY("fid" AUTOINCREMENT))',
  'create table t (fid integer, name text, constraint "my key" primary key ([FID] desc))',
])('a key is the number of the row, wherever it is declared: %s', async (sql) => {
  expect(await rowsOf(sql, { 7: [null, 'x'], 9: [null, 'y'] })).toEqual([
    { fid: 7, name: 'x' },
    { fid: 9, name: 'y' },
  ]);
});

it('a key of two columns, or of another type, has values of its own', async () => {
  const row = { 7: [1n, 2n] };
  expect(await rowsOf('create table t (a INTEGER, b INTEGER, primary key (a, b))', row)).toEqual([{ a: 1, b: 2 }]);
  expect(await rowsOf('create table t (a INT, b INTEGER, primary key (a))', row)).toEqual([{ a: 1, b: 2 }]);
});

/** As `alter table t add column` leaves them: what SQLite reads in rows from before it. */
it.each([
  ["kind TEXT DEFAULT 'it''s'", "it's"],
  ["kind TEXT NOT NULL DEFAULT ''", ''],
  ['kind TEXT DEFAULT "two, words"', 'two, words'],
  ['kind INTEGER DEFAULT -3', -3],
  ['kind REAL not null default (1.5)', 1.5],
  ['kind MEDIUMINT DEFAULT 4', 4],
  ["kind INTEGER DEFAULT '12'", 12],
  ['kind TEXT DEFAULT 12', '12'],
  ['kind BOOLEAN DEFAULT true', 1],
  ['kind TEXT DEFAULT NULL', null],
  ["kind TEXT CHECK (kind <> 'default 5')", null],
  ['kind TEXT', null],
])('rows from before a column was added have its default: %s', async (column, value) => {
  const rows = await rowsOf(`create table t (name TEXT, ${column})`, { 1: ['x'], 2: ['y', 'own'] });
  expect(rows).toEqual([
    { name: 'x', kind: value },
    { name: 'y', kind: 'own' },
  ]);
});

it('refuses rows with a default that is not a plain value, and reads those that have their own', async () => {
  const sql = "create table t (name TEXT, at TEXT DEFAULT (strftime('%Y')))";
  expect(await rowsOf(sql, { 1: ['x', 'own'] })).toEqual([{ name: 'x', at: 'own' }]);
  await expect(rowsOf(sql, { 1: ['x'] })).rejects.toThrow('the default of the column "at"');
  await expect(rowsOf(sql.replace(/\(strf.*\)\)\)/, 'CURRENT_DATE)'), { 1: ['x'] })).rejects.toThrow('the default');
});
