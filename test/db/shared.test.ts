import { expect, it } from 'vitest';
import type { Database } from '../../src/db/connect.ts';
import { isNative, testDatabase } from '../setup/database.ts';

/** The bytes of each table that has any. Plans depend on them, also where all rows were deleted. */
const sizes = (db: Database) =>
  db.query<{ name: string; bytes: number }>(
    `select relname as name, pg_relation_size(oid)::integer as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by relname`,
  );

it.skipIf(isNative)(
  'a database that test files share comes back as it was, with no room of rows that were deleted',
  async () => {
    const first = await testDatabase();
    const before = await sizes(first.db);
    await first.db.query(
      `insert into attempt (subject, count, ends_at) select int4send(i), 1, now() from generate_series(1, 10000) i`,
    );
    await first.db.query('delete from attempt');
    expect(await sizes(first.db)).not.toEqual(before);
    await first.close();
    const second = await testDatabase();
    try {
      expect(await sizes(second.db)).toEqual(before);
    } finally {
      await second.close();
    }
  },
);
