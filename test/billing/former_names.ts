import type { Queryable } from '../../src/db/connect.ts';

/** A database, or a transaction, whose statements about pools say what release 0.1.0 said. */
export function withFormerNames<Q extends Queryable>(db: Q): Q {
  return { ...db, query: (sql: string, ...others: never[]) => db.query(formerText(sql) as never, ...others) } as Q;
}

/** A statement with the names that tables and columns of pools had in release 0.1.0. */
function formerText(sql: string): string {
  return sql
    .replaceAll('unit_month', 'usage_month')
    .replaceAll('unit_reservation', 'usage_reservation')
    .replaceAll('org_budget', 'org_purse')
    .replaceAll(/(?<!returning |\b[go]\.)\bpool\b/g, 'purse');
}
