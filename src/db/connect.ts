import { createDatabase } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { openNative } from './native.ts';
import type { Database } from './queryable.ts';

export { DatabaseError } from './database_error.ts';
export type { Database, Queryable, Row, Statement, StatementOptions, StatementReturning } from './queryable.ts';

/** How to open a database. */
export interface DatabaseOptions {
  /** A PostgreSQL URL in the form pg accepts (Unix sockets and TLS included); null or absent means embedded. */
  readonly databaseUrl?: string | null;
  /** The directory of the embedded database, created when missing and owned by this process until close. */
  readonly dataDir: string;
  /** A prepared embedded database to unpack where there is none (prepared.ts); null or absent: a new one is created. */
  readonly prepared?: string | null;
  /** Time a statement may run, in milliseconds; 30,000 when absent. */
  readonly deadlineMs?: number;
  /** Limit of connections to a native database; 10 when absent. */
  readonly poolSize?: number;
  /** Logs lost connections and restarts. It never receives values or statements. */
  readonly log?: (message: string, fields?: object) => void;
}

const DEADLINE_MS = 30_000;
const POOL_SIZE = 10;

/** Opens the database. @throws DatabaseError: `data_dir_in_use`, `connection_lost`, `too_many_connections` */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const log = options.log ?? (() => undefined);
  const backend = options.databaseUrl
    ? await openNative({ url: options.databaseUrl, deadlineMs, poolSize: options.poolSize ?? POOL_SIZE, log })
    : await openEmbedded({ dataDir: options.dataDir, prepared: options.prepared ?? null, deadlineMs, log });
  return createDatabase(backend);
}
