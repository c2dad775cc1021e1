import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drive } from '../http/generator.ts';
import { type BenchServer, firstKey, startBareUnion, startService } from '../http/server.ts';
import { BenchDatabase, OurImport, query, server } from '../import/native.ts';
import type { Options } from '../measure.ts';
import { type Growth, type Point, watched } from './measured.ts';

/** Target duration of a round, in milliseconds. */
const ROUND_MS = 3_000;
const COMMUNES = 50;
const VARIANTS = 500;

/**
 * Measures the union of 50 communes of Luxembourg at full detail over HTTP, uncached, with 1 to 64 concurrent calls:
 * the service with key and metering against a bare Koa handler on the same PostGIS, each in its own process. The time
 * is the duration of a round divided by its calls. Null without a PostGIS.
 */
export async function concurrency(data: string, { smoke }: Options): Promise<Growth | null> {
  const home = server();
  if (!home) return null;
  const database = new BenchDatabase(home, 'growth');
  const file = smoke ? 'liechtenstein-2024' : 'luxembourg-2018-boundaries';
  const load = new OurImport(database, join(data, `osm/${file}.boundaries.osm.pbf`), null);
  const folder = await mkdtemp(join(tmpdir(), 'boundary-growth-'));
  const running: BenchServer[] = [];
  try {
    await load.prepare();
    await load.work();
    await load.close();
    const ids = (
      await query<{ id: string }>(
        database.url,
        'select id from boundary where admin_level = 8 and has_geometry order by lon, id',
      )
    ).map(({ id }) => id);
    const ours = await startService(folder, { DATABASE_URL: database.url, CACHE_BYTES: '0' });
    running.push(ours);
    const theirs = await startBareUnion(database.url);
    running.push(theirs);
    const headers = { Authorization: `Bearer ${await firstKey(folder)}` };
    const paths = variants(ids).map((include) => {
      const input = encodeURIComponent(JSON.stringify({ include, detail: 'full' }));
      return `/v1/ops/union_boundaries?input=${input}`;
    });
    const backends = async () =>
      (
        await query<{ pid: number }>(
          home,
          `select pid from pg_stat_activity where application_name = 'bare_union' and datname = '${database.name}'`,
        )
      ).map(({ pid }) => pid);
    const sizes = smoke ? [1, 4] : [1, 2, 4, 8, 16, 32, 64];
    const round = smoke ? 200 : ROUND_MS;
    return {
      of: 'calls at once',
      work: `union of ${Math.min(COMMUNES, ids.length)} communes over HTTP, a call`,
      memory: 'the server (PostGIS: and its backends)',
      ours: await rise(
        sizes,
        round,
        () => [ours.pid],
        (count, at) => drive(ours.port, paths, headers, count, at),
      ),
      rival: 'Koa and PostGIS ST_Union',
      theirs: await rise(
        sizes,
        round,
        async () => [theirs.pid, ...(await backends())],
        (count, at) => drive(theirs.port, [`/?include=${ids.slice(0, COMMUNES).join()}`], {}, count, at),
      ),
    };
  } finally {
    for (const one of running) await one.stop();
    await load.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sets of up to 50 neighbors, each with another one left out: calls for the same set would be coalesced. */
function variants(ids: readonly string[]): string[][] {
  const size = Math.min(COMMUNES, ids.length);
  const starts = ids.length - size + 1;
  return Array.from({ length: Math.min(VARIANTS, starts * size) }, (_, i) => {
    const start = i % starts;
    const set = ids.slice(start, start + size);
    set.splice(Math.floor(i / starts), 1);
    return set;
  });
}

async function rise(
  sizes: readonly number[],
  round: number,
  pids: () => Promise<readonly number[]> | readonly number[],
  run: (count: number, connections: number) => Promise<{ milliseconds: number }>,
): Promise<Point[]> {
  const points: Point[] = [];
  const warm = 64;
  let each = (await run(warm, 8)).milliseconds / warm;
  for (const x of sizes) {
    const count = Math.max(2 * x, Math.min(20_000, Math.round(round / each)));
    const { value, bytes } = await watched(pids, () => run(count, x));
    each = value.milliseconds / count;
    points.push({ x, ms: each, bytes });
  }
  return points;
}
