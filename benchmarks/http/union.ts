import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { BenchDatabase, server as nativeServer, OurImport } from '../import/native.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { send } from './send.ts';
import { firstKey, startBareUnion, startService } from './server.ts';

const LUXEMBOURG = 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf';
const LIECHTENSTEIN = 'osm/liechtenstein-2024.boundaries.osm.pbf';
const DETAILS = ['full', 'medium'] as const;

/**
 * Measures the union of up to 50 neighbors at full and medium detail over HTTP, one call after another: the whole
 * service (key, metering, warm arcs; no cached answers) against a bare Koa handler that sends ST_AsGeoJSON(ST_Union) of
 * the same rows of the same PostGIS, each in its own process, apart from the client's. PostGIS checks first: full
 * equals the union, medium is valid and within its tolerance of it. Returns no rows without a PostGIS to compare with.
 */
export async function benchHttpUnion(data: string, options: Options): Promise<Result[]> {
  const home = nativeServer();
  if (!home) {
    process.stderr.write('http: no PostGIS to compare with (set TEST_DATABASE_URL)\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'union');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    const load = new OurImport(database, join(data, options.smoke ? LIECHTENSTEIN : LUXEMBOURG), null);
    closing.push(() => load.close());
    await load.prepare();
    await load.work();
    await load.close();
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    closing.push(() => pool.end());
    const { rows } = await pool.query<{ id: string }>(
      'select id from boundary where admin_level = 8 and has_geometry order by lon, id limit 50',
    );
    const include = rows.map(({ id }) => id);
    // A cache of zero bytes holds nothing: every answer is computed again.
    const ours = await startService(folder, { DATABASE_URL: database.url, CACHE_BYTES: '0' });
    closing.push(() => ours.stop());
    const key = await firstKey(folder);
    const bare = await startBareUnion(database.url, include);
    closing.push(() => bare.stop());

    const results: Result[] = [];
    for (const detail of DETAILS) {
      const call = () => send(agent, ours.port, 'POST', '/v1/boundaries/union', { include, detail }, key);
      const koa = rival({
        name: 'Koa sending ST_AsGeoJSON(ST_Union)',
        work: () => send(agent, bare.port, 'GET', '/'),
        judge: async (answer) => agrees(pool, await call(), answer),
      });
      results.push(
        ...(await race(`union of ${include.length} over HTTP, ${detail}, not cached`, call, [koa], options)),
      );
    }
    return results;
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}

/**
 * Whether an answer is the union of these boundaries. Without a tolerance: the same set of points. With one: valid, and
 * within that Hausdorff distance, converted to degrees of longitude at 55 degrees of latitude, the northernmost data.
 */
async function agrees(pool: pg.Pool, ours: Buffer, theirs: Buffer): Promise<boolean> {
  const { geometry, properties } = JSON.parse(ours.toString());
  const { rows } = await pool.query<{ valid: boolean; difference: number; distance: number; size: number }>(
    `select st_isvalid(given) as valid, st_area(st_symdifference(given, whole)) as difference,
            st_hausdorffdistance(given, whole) as distance, st_area(whole) as size
     from (select st_geomfromgeojson($1) as given, st_geomfromgeojson($2) as whole) sides`,
    [JSON.stringify(geometry), JSON.stringify(JSON.parse(theirs.toString()).geometry)],
  );
  const [{ valid, difference, distance, size }] = rows;
  const tolerance = properties.tolerance_m as number;
  const longest = tolerance / (111_000 * Math.cos((55 * Math.PI) / 180));
  const ok = valid && (tolerance === 0 ? difference < 1e-9 * size : distance <= longest);
  if (!ok) process.stderr.write(`http: the union differs: ${JSON.stringify({ tolerance, ...rows[0] })}\n`);
  return ok;
}
