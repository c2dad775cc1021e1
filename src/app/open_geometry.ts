import type { Metrics } from '../common/metrics.ts';
import { tracedUntilNow } from '../common/tracing.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { createCache } from '../geometry/cached.ts';
import { Engine } from '../geometry/engine.ts';
import type { TaskTimes } from '../geometry/pool.ts';
import { measureEngine } from './gauges.ts';

/**
 * Starts the geometry workers, and makes the cache of answers, which gets `cacheBytes`. Their times are metrics, and
 * spans of the running trace where calls are traced.
 */
export function openGeometry(
  config: Config,
  { db, metrics, cacheBytes, isTraced }: OpenedWith & { readonly cacheBytes: number; readonly isTraced: boolean },
) {
  const onStrategy = metrics.durations('boundary_merge_seconds', 'Duration of merges, by strategy.', 'strategy');
  const observeTask = metrics.durations(
    'boundary_pool_seconds',
    'Duration of geometry tasks, by phase: waiting, running, returning.',
    'phase',
  );
  const cache = createCache(cacheBytes);
  const engine = new Engine(db, {
    threads: config.WORKER_THREADS,
    arcBytes: config.ARC_CACHE_BYTES,
    cache,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    onStrategy,
    onTimes: (name, times) => {
      for (const [phase, seconds] of Object.entries(times)) observeTask(phase, seconds);
      if (isTraced) traceTask(name, times);
    },
  });
  measureEngine(metrics, engine, cache);
  return { cache, engine };
}

interface OpenedWith {
  readonly db: Database;
  readonly metrics: Metrics;
}

/** Records a geometry task as a span of the running trace, with the time it waited for a thread. */
function traceTask(name: string, { wait, run, back }: Parameters<TaskTimes>[1]): void {
  const attributes = { 'boundary.wait_ms': wait * 1000, 'boundary.run_ms': run * 1000 };
  tracedUntilNow(`task ${name}`, (wait + run + back) * 1000, attributes);
}
