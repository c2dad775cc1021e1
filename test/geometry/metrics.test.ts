import { expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { ByteCache } from '../../src/geometry/cache.ts';

it('figures are read when the page is asked for, one for each label', async () => {
  const metrics = createMetrics();
  const cache = new ByteCache<{ a: { size: number }; b: { size: number } }>(10_000, ['a', 'b']);
  const hits = () => Object.fromEntries(Object.entries(cache.tiers).map(([tier, counts]) => [tier, counts.hits]));
  metrics.counter('test_hits_total', 'Hits.', hits, 'tier');
  metrics.gauge('test_bytes', 'Bytes.', () => cache.bytes);
  const note = metrics.durations('test_seconds', 'Time.', 'strategy');
  const page = async () => (await metrics.registry.metrics()).split('\n');
  expect(await page()).toContain('test_hits_total{tier="a"} 0');
  cache.set('a', 'k', { size: 100 });
  cache.get('a', 'k');
  cache.get('a', 'k');
  note('arcs', 0.003);
  // Asked for twice, what only grows has not been added twice.
  await page();
  const lines = await page();
  for (const line of [
    'test_hits_total{tier="a"} 2',
    'test_hits_total{tier="b"} 0',
    `test_bytes ${cache.bytes}`,
    'test_seconds_bucket{le="0.0025",strategy="arcs"} 0',
    'test_seconds_bucket{le="0.005",strategy="arcs"} 1',
    'test_seconds_count{strategy="arcs"} 1',
  ]) {
    expect(lines).toContain(line);
  }
});

it('two applications over the same services have one gauge, which shows the sum of both', async () => {
  const metrics = createMetrics();
  const bytes = [10, 5];
  metrics.gauge('test_bytes', 'Bytes.', () => defined(bytes[0]));
  metrics.gauge('test_bytes', 'Bytes.', () => defined(bytes[1]));
  const shown = async () => (await metrics.registry.metrics()).match(/^test_bytes .*/gm);
  expect(await shown()).toEqual(['test_bytes 15']);
  bytes[0] = 0;
  expect(await shown()).toEqual(['test_bytes 5']);
});

it('a gauge that cannot be read is left out', async () => {
  const metrics = createMetrics();
  metrics.gauge('test_rows', 'Rows.', () => Promise.reject(new Error('no database')));
  expect((await metrics.registry.metrics()).match(/^test_rows .*/gm)).toBeNull();
});
