import { expect, it } from 'vitest';
import type { Database } from '../../src/db/connect.ts';
import { isNative, testDatabase } from '../setup/database.ts';

/** What plans depend on: the bytes of each table, also where all rows were deleted, and the rows that ANALYZE counted. */
const sizes = (db: Database) =>
  db.query<{ name: string; bytes: number; rows: number }>(
    `select relname as name, pg_relation_size(oid)::integer as bytes, reltuples as rows from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  );

it.skipIf(isNative)('a database that test files share plans as before, whatever was deleted or analyzed', async () => {
  const first = await testDatabase();
  const before = await sizes(first.db);
  await first.db.query(
    'insert into attempt (subject, count, ends_at) select int4send(i), 1, now() from generate_series(1, 10000) i',
  );
  await first.db.query('delete from attempt');
  await first.db.query('analyze');
  expect(await sizes(first.db)).not.toEqual(before);
  await first.close();
  const second = await testDatabase();
  try {
    expect(await sizes(second.db)).toEqual(before);
  } finally {
    await second.close();
  }
});
