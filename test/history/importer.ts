/**
 * Stores a file, with the options of a coverage, as the edition of a date into the given data directory or database. With a part of a statement more it
 * is killed right after that statement has run.
 */
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';

const [dataDir = '', databaseUrl, file = '', coverage = '', validFrom = '', killAfter = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir, databaseUrl: databaseUrl || null });
const engine = new Engine(db, { threads: 1, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });

const killed: Database = {
  ...db,
  transaction: (work, options) =>
    db.transaction(
      (tx) =>
        work({
          ...tx,
          query: (async (sql: string, ...more: [(readonly unknown[])?]) => {
            const rows = await tx.query(sql, ...more);
            if (killAfter !== '' && sql.includes(killAfter)) process.kill(process.pid, 'SIGKILL');
            return rows;
          }) as typeof tx.query,
        }),
      options,
    ),
};
await importFile({ db: killed, engine }, file, JSON.parse(coverage), undefined, [], undefined, validFrom);
await engine.close();
await db.close();
