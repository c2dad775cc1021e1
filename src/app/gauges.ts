import type { Metrics } from '../common/metrics.ts';
import type { CoverageReport } from '../domain/boundaries/completeness.ts';
import type { Freshness } from '../domain/boundaries/freshness.ts';
import type { Boundaries } from '../domain/boundaries/model.ts';
import type { Jobs } from '../domain/jobs/model.ts';
import type { NameIndex } from '../domain/read_model/name_index.ts';
import type { Engine } from '../geometry/engine.ts';

/** Registers `boundary_stale`: boundaries that keep an older shape, by class of reason. */
export function measureStale(metrics: Metrics, freshness: Freshness): void {
  const help = 'Boundaries that keep an older shape, by class of reason.';
  metrics.gauge('boundary_stale', help, () => freshness.staleByReason(), { label: 'reason', common: true });
}

/** Registers the gauges of the job queue: queued, running, age of the oldest waiting job, and failures within a day. */
export function measureJobs(metrics: Metrics, jobs: Jobs): void {
  const figure = (name: keyof Awaited<ReturnType<Jobs['figures']>>) => async () => (await jobs.figures())[name];
  const common = { common: true };
  metrics.gauge('boundary_jobs_queued', 'Jobs that wait.', figure('queued'), common);
  metrics.gauge('boundary_jobs_running', 'Jobs that run.', figure('running'), common);
  metrics.gauge('boundary_jobs_oldest_seconds', 'Time since the oldest waiting job was due.', figure('age_s'), common);
  metrics.gauge('boundary_jobs_failed', 'Jobs that failed within the last day.', figure('failed'), common);
}

/** Registers boundaries whose kind is unknown, by country and admin_level. Counted on each scrape. */
export function measureKinds(metrics: Metrics, coverage: CoverageReport): void {
  const read = async () =>
    (await coverage.unknownKinds()).map((one) => [`${one.country ?? '-'} ${one.admin_level ?? '-'}`, one.boundaries]);
  metrics.gauge(
    'boundary_kinds_unknown',
    'Boundaries whose country and admin_level the kinds table lacks.',
    async () => Object.fromEntries(await read()),
    { label: 'country_level', common: true },
  );
}

/** Registers the figures of the in-memory boundary data: bytes, names, boxes, and hits. */
export function measureBoundaries(metrics: Metrics, boundaries: Boundaries, names: NameIndex): void {
  const held = 'Bytes held of boundaries of the present revision, by sort.';
  const bytes = () => ({ ...boundaries.held().bytes, search: names.held().bytes });
  metrics.gauge('boundary_read_model_bytes', held, bytes, { label: 'sort' });
  metrics.gauge('boundary_read_model_names', 'Names in memory, for search.', () => names.held().names, {
    common: true,
  });
  const boxes = 'Boundaries whose boxes are in memory.';
  metrics.gauge('boundary_read_model_boxes', boxes, () => boundaries.held().boxes, { common: true });
  const counts = 'Boundaries asked for, found in memory or not.';
  metrics.counter('boundary_read_model_total', counts, () => ({ ...boundaries.held().counts }), 'found');
}

/** Registers the figures of the geometry engine: caches, shared arcs, worker pool and merges. */
export function measureEngine(metrics: Metrics, engine: Engine): void {
  const { cache, arcs, pool, strategies } = engine;
  const tiers = (of: 'hits' | 'misses' | 'evictions' | 'bytes') => () =>
    Object.fromEntries(Object.entries(cache.tiers).map(([tier, counts]) => [tier, counts[of]]));
  metrics.counter('boundary_cache_hits_total', 'Answers found in memory.', tiers('hits'), 'tier');
  metrics.counter('boundary_cache_misses_total', 'Answers that had to be made.', tiers('misses'), 'tier');
  metrics.counter('boundary_cache_evictions_total', 'Answers dropped for room.', tiers('evictions'), 'tier');
  metrics.gauge('boundary_cache_bytes', 'Bytes held in memory.', tiers('bytes'), { label: 'tier' });
  metrics.counter('boundary_shapes_total', 'Shapes asked of shared memory.', () => ({ ...arcs.counts }), 'found');
  metrics.gauge('boundary_arcs_held', 'Arcs in shared memory.', () => arcs.heap.size);
  metrics.gauge('boundary_arcs_bytes', 'Bytes of arcs in shared memory.', () => arcs.heap.bytes);
  metrics.gauge('boundary_arcs_apart_bytes', 'Bytes of arcs that single requests hold.', () => arcs.apartBytes);
  metrics.counter('boundary_arcs_evicted_total', 'Arcs dropped for room.', () => arcs.heap.evictions);
  metrics.gauge('boundary_pool_queue', 'Geometry tasks that wait for a worker.', () => pool.queued);
  metrics.gauge('boundary_pool_active', 'Geometry tasks that a worker runs.', () => pool.active);
  metrics.counter('boundary_pool_tasks_total', 'What became of tasks.', () => ({ ...pool.counts }), 'outcome');
  metrics.counter('boundary_merges_total', 'Merges answered, by strategy.', () => ({ ...strategies }), 'strategy');
}
