import type { Database, Queryable, StatementOptions } from '../../src/db/connect.ts';

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

/**
 * Passes every statement that a database is sent to `see` from now on, also those of its transactions, each of which
 * begins with `begin`. Returns a function that ends this.
 */
export function watchStatements(db: Database, see: (sql: string) => void): () => void {
  const { query, transaction } = db;
  const watched: Pick<Database, 'query' | 'transaction'> = {
    query: watchedQuery({ query }, see),
    transaction: (work, options) => {
      see('begin');
      return transaction((tx) => work({ ...tx, query: watchedQuery(tx, see) }), options);
    },
  };
  Object.assign(db, watched);
  return () => void Object.assign(db, { query, transaction });
}
