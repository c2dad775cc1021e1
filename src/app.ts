import { join } from 'node:path';
import type { Logger } from 'pino';
import { openLocalBlobs } from './adapters/blobs.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { loadQuery } from './db/query.ts';
import { createAccounts } from './domain/accounts.ts';
import { createBilling } from './domain/billing.ts';
import { createBoundaries } from './domain/boundaries.ts';
import { Engine } from './geometry/engine.ts';
import { createLogger } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { ops } from './ops/index.ts';
import type { Readiness, Services } from './services.ts';

/** Everything that runs in this process, wired together. */
export interface App {
  readonly services: Services;
  /** How many boundaries are stored. */
  countBoundaries(): Promise<number>;
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;
const READY_MS = 2_000;

/**
 * Opens the database (embedded in DATA_DIR, or DATABASE_URL), brings it up to date and starts the geometry workers.
 * @throws DatabaseError data_dir_in_use when another process owns DATA_DIR
 */
export async function openApp(config: Config, log: Logger = createLogger(config.LOG_LEVEL)): Promise<App> {
  const db = await openDatabase({
    databaseUrl: config.DATABASE_URL ?? null,
    dataDir: config.DATA_DIR,
    deadlineMs: config.REQUEST_DEADLINE_MS,
    log: (message, fields) => log.warn(fields ?? {}, message),
  });
  try {
    const { applied } = await migrate(db);
    if (applied.length > 0) log.info({ applied }, 'migrated');
  } catch (error) {
    await db.close();
    throw error;
  }
  const engine = new Engine(db, {
    threads: config.WORKER_THREADS,
    arcBytes: config.ARC_CACHE_BYTES,
    cacheBytes: config.CACHE_BYTES,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
  });
  const billing = createBilling(db);
  const metrics = createMetrics();
  measureEngine(metrics, engine);
  const sweep = setInterval(() => {
    billing.sweep().catch((error: unknown) => log.warn({ err: error }, 'reservations were not swept'));
  }, SWEEP_MS);
  sweep.unref();

  const countBoundaries = async () => {
    const [row] = await db.query<{ count: number }>(loadQuery('boundary_count'), [], { timeoutMs: READY_MS });
    return row.count;
  };
  const services: Services = {
    config,
    log,
    metrics,
    db,
    accounts: createAccounts(db),
    billing,
    boundaries: createBoundaries(db),
    engine,
    blobs: await openLocalBlobs(join(config.DATA_DIR, 'exports'), config.EXPORT_BYTES),
    ops,
    admit: null,
    ready: () => readiness(countBoundaries, engine),
  };
  return {
    services,
    countBoundaries,
    async close() {
      clearInterval(sweep);
      await engine.close();
      await db.close();
    },
  };
}

async function readiness(countBoundaries: () => Promise<number>, engine: Engine): Promise<Readiness> {
  const checks: Record<string, string> = { database: 'ok', pool: 'ok', data: 'ok' };
  try {
    if ((await countBoundaries()) === 0)
      checks.data = 'No boundary is stored: run boundary starter or boundary import.';
  } catch {
    checks.database = 'The database does not answer.';
    checks.data = 'unknown';
  }
  if (engine.pool.isFull) checks.pool = 'The queue of the geometry workers is full.';
  return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
}

function measureEngine(metrics: Metrics, engine: Engine): void {
  const { cache, arcs, pool, rungs } = engine;
  metrics.gauge('boundary_cache_hits', 'Finished documents found in memory.', () => cache.hits);
  metrics.gauge('boundary_cache_misses', 'Finished documents that had to be made.', () => cache.misses);
  metrics.gauge('boundary_cache_bytes', 'Bytes of finished documents held.', () => cache.bytes);
  metrics.gauge('boundary_cache_evictions', 'Finished documents dropped for room.', () => cache.evictions);
  metrics.gauge('boundary_arcs_held', 'Arcs in shared memory.', () => arcs.heap.size);
  metrics.gauge('boundary_arcs_evicted', 'Arcs dropped from shared memory for room.', () => arcs.heap.evictions);
  metrics.gauge('boundary_pool_queue', 'Geometry tasks that wait for a worker.', () => pool.queued);
  metrics.gauge('boundary_rung_arcs', 'Merges answered on exact arcs.', () => rungs.arcs);
  metrics.gauge('boundary_rung_overlay', 'Merges answered by an overlay.', () => rungs.overlay);
}
