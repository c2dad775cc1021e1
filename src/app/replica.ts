import type { Logger } from 'pino';
import type { Metrics } from '../common/metrics.ts';
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../db/connect.ts';
import { replicatedDatabase } from '../db/replica.ts';

/** Routes reads of boundary data to the replica of DATABASE_REPLICA_URL. Without one, returns the primary itself. */
export function withReplica(
  primary: Database,
  config: Config,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Database {
  const databaseUrl = config.DATABASE_REPLICA_URL;
  if (databaseUrl === undefined) return primary;
  const replicated = replicatedDatabase(primary, {
    open: () => openDatabase({ databaseUrl, dataDir: config.DATA_DIR, deadlineMs: config.REQUEST_DEADLINE_MS }),
    log: (level, message, fields) => log[level](fields, message),
  });
  metrics.counter(
    'boundary_replica_statements_total',
    'Statements that a replica can answer, by result: replica, or why the primary answered.',
    () => ({ ...replicated.counts }),
    'answered',
  );
  const help = '1 while the replica answers reads of boundary data, else 0.';
  metrics.gauge('boundary_replica_used', help, () => Number(replicated.isUsed()));
  return replicated.db;
}
