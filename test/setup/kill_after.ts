import type { Database } from '../../src/db/connect.ts';

/**
 * `db`, whose process is killed (SIGKILL) right after a transaction has run a statement that has `part` in its text; `db`
 * itself when `part` is empty.
 */
export function killAfter(db: Database, part: string): Database {
  if (part === '') return db;
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(
        (tx) =>
          work({
            ...tx,
            query: (async (sql: string, ...more: [(readonly unknown[])?]) => {
              const rows = await tx.query(sql, ...more);
              if (sql.includes(part)) process.kill(process.pid, 'SIGKILL');
              return rows;
            }) as typeof tx.query,
          }),
        options,
      ),
  };
}
