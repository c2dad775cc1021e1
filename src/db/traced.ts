import { traced } from '../common/tracing.ts';
import type { Database, Queryable } from './connect.ts';
import { statementName } from './query.ts';

/**
 * The same database with a span for each statement and transaction of a trace. A span has the name of the statement,
 * never its text or values. Its time includes the wait for a session.
 */
export function tracedDatabase(db: Database): Database {
  const attributes = { 'db.system.name': 'postgresql' };
  const of = (to: Queryable): Pick<Queryable, 'query'> => ({
    query: ((sql: string, ...rest: [values?: readonly unknown[]]) =>
      traced(statementName(sql) ?? 'sql', { kind: 'client', attributes }, () =>
        to.query(sql, ...rest),
      )) as Queryable['query'],
  });
  return {
    ...db,
    ...of(db),
    transaction: (work, options) =>
      traced('transaction', { kind: 'client', attributes }, () =>
        db.transaction((tx) => work({ ...tx, ...of(tx) }), options),
      ),
  };
}
