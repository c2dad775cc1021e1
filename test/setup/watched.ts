import type { Queryable, StatementOptions } from '../../src/db/connect.ts';

/** A query() that passes every statement to `see` before it runs it. */
export function watchedQuery(
  db: Pick<Queryable, 'query'>,
  see: (sql: string, values: readonly unknown[]) => void,
): Queryable['query'] {
  return ((sql: string, values: readonly unknown[] = [], options?: StatementOptions) => {
    see(sql, values);
    return db.query(sql, values, options);
  }) as Queryable['query'];
}
