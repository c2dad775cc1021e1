import type { Metrics } from '../common/metrics.ts';
import type { CompletenessReport } from '../domain/boundaries/completeness.ts';
import type { Freshness } from '../domain/boundaries/freshness.ts';
import type { Boundaries } from '../domain/boundaries/reads.ts';
import type { Jobs } from '../domain/jobs/job.ts';
import type { NameIndex } from '../domain/read_model/name_index.ts';
import type { Cache } from '../geometry/cached.ts';
import type { Engine } from '../geometry/engine.ts';

/** Registers `boundary_stale`: boundaries that keep an older shape, by class of reason. */
export function measureStale(metrics: Metrics, freshness: Freshness): void {
  const help = 'Stale boundaries, which keep an older shape, by class of reason.';
  metrics.gauge('boundary_stale', help, () => freshness.staleByReason(), { label: 'reason', common: true });
}

/** Registers the gauges of the job queue: queued, running, age of the oldest waiting job, and failures within a day. */
export function measureJobs(metrics: Metrics, jobs: Jobs): void {
  const figure = (name: keyof Awaited<ReturnType<Jobs['figures']>>) => async () => (await jobs.figures())[name];
  const common = { common: true };
  metrics.gauge('boundary_jobs_queued', 'Waiting jobs.', figure('queued'), common);
  metrics.gauge('boundary_jobs_running', 'Running jobs.', figure('running'), common);
  metrics.gauge(
    'boundary_jobs_oldest_seconds',
    'Seconds since the oldest waiting job was due.',
    figure('age_s'),
    common,
  );
  metrics.gauge('boundary_jobs_failed', 'Jobs that failed in the last 24 hours.', figure('failed'), common);
}

/** Registers boundaries whose kind is unknown, by country and admin_level. Counted on each scrape. */
export function measureKinds(metrics: Metrics, coverage: CompletenessReport): void {
  const read = async () =>
    (await coverage.unknownKinds()).map((one) => [`${one.country ?? '-'} ${one.admin_level ?? '-'}`, one.boundaries]);
  metrics.gauge(
    'boundary_kinds_unknown',
    'Boundaries whose country and admin_level are not in the kinds table.',
    async () => Object.fromEntries(await read()),
    { label: 'country_level', common: true },
  );
}

/** Registers the figures of the in-memory boundary data: bytes, names, boxes, and hits. */
export function measureBoundaries(metrics: Metrics, boundaries: Boundaries, names: NameIndex): void {
  const held = 'Bytes of boundary data in memory for the current revision, by sort.';
  const bytes = () => ({ ...boundaries.held().bytes, search: names.held().bytes });
  metrics.gauge('boundary_read_model_bytes', held, bytes, { label: 'sort' });
  metrics.gauge('boundary_read_model_names', 'Names in memory for search.', () => names.held().names, {
    common: true,
  });
  const boxes = 'Bounding boxes in memory.';
  metrics.gauge('boundary_read_model_boxes', boxes, () => boundaries.held().boxes, { common: true });
  const counts = 'Boundary lookups, by where they were found.';
  metrics.counter('boundary_read_model_total', counts, () => ({ ...boundaries.held().counts }), 'found');
}

/** Registers the figures of the geometry engine: caches, shared arcs, worker pool and merges. */
export function measureEngine(metrics: Metrics, engine: Engine, cache: Cache): void {
  const { arcs, pool, strategies } = engine;
  const tiers = (of: 'hits' | 'misses' | 'evictions' | 'bytes') => () =>
    Object.fromEntries(Object.entries(cache.tiers).map(([tier, counts]) => [tier, counts[of]]));
  metrics.counter('boundary_cache_hits_total', 'Cache hits of answers.', tiers('hits'), 'tier');
  metrics.counter('boundary_cache_misses_total', 'Cache misses of answers.', tiers('misses'), 'tier');
  metrics.counter('boundary_cache_evictions_total', 'Answers evicted from the cache.', tiers('evictions'), 'tier');
  metrics.gauge('boundary_cache_bytes', 'Bytes in the cache of answers.', tiers('bytes'), { label: 'tier' });
  metrics.counter('boundary_shapes_total', 'Shape lookups in shared memory.', () => ({ ...arcs.counts }), 'found');
  metrics.gauge('boundary_arcs_held', 'Arcs in shared memory.', () => arcs.heap.size);
  metrics.gauge('boundary_arcs_bytes', 'Bytes of arcs in shared memory.', () => arcs.heap.bytes);
  metrics.gauge(
    'boundary_arcs_apart_bytes',
    'Bytes of arcs outside the cache, held by single requests.',
    () => arcs.privateBytes,
  );
  metrics.counter('boundary_arcs_evicted_total', 'Arcs evicted from shared memory.', () => arcs.heap.evictions);
  metrics.gauge('boundary_pool_queue', 'Geometry tasks waiting for a worker.', () => pool.queued);
  metrics.gauge('boundary_pool_active', 'Geometry tasks running.', () => pool.active);
  metrics.counter('boundary_pool_tasks_total', 'Geometry tasks by outcome.', () => ({ ...pool.counts }), 'outcome');
  metrics.counter('boundary_merges_total', 'Merges by strategy.', () => ({ ...strategies }), 'strategy');
}
