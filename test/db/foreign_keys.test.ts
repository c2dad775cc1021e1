import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

/** Tables from which rows are deleted one at a time: what refers to one may be read as a whole. */
const DELETED_ONE_BY_ONE = ['account', 'feedback_item', 'file_format', 'org', 'plan', 'source'];

/** Columns of other tables that name a row of a table, and the indexes that begin with one of them. */
const REFERRING = `
  select c.confrelid::regclass::text as to, c.conrelid::regclass::text as of,
         array(select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any (c.conkey)) as columns,
         (select count(*)::integer from pg_index i
          where i.indrelid = c.conrelid and i.indkey[0] = any (c.conkey)
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$')) as indexes
  from pg_constraint c where c.contype = 'f'`;

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test?.close());

it('what refers to rows that are deleted by the thousands is found by an index', async () => {
  const keys = await test.db.query<{ to: string; of: string; columns: string[]; indexes: number }>(REFERRING);
  const often = keys.filter(({ to }) => !DELETED_ONE_BY_ONE.includes(to));
  expect(often.filter(({ to }) => to === 'boundary').length).toBeGreaterThan(5);
  expect(often.filter(({ indexes }) => indexes === 0).map(({ of, columns }) => `${of} (${columns.join()})`)).toEqual(
    [],
  );
});
