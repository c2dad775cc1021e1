import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { BenchDatabase, server as nativeServer, OurImport } from '../import/native.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { send } from './send.ts';
import { firstKey, startService } from './server.ts';

const MALTA = 'osm/malta-2018.coast-and-boundaries.osm.pbf';
const DETAILS = ['full', 'medium'] as const;

/**
 * Measures the union of the land of 50 councils of Malta over HTTP against that of the whole councils by the same
 * service, without cached answers. The land parts are checked first: their union has the sum of their areas, and is no
 * larger than that of the whole councils.
 */
export async function benchLandUnion(data: string, options: Options): Promise<Result[]> {
  const home = nativeServer();
  if (!home) return [];
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'land');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    const load = new OurImport(database, join(data, MALTA), null);
    closing.push(() => load.close());
    await load.prepare();
    await load.work();
    await load.close();
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    closing.push(() => pool.end());
    const { rows } = await pool.query<{ id: string; land_km2: number }>(
      `select b.id, l.land_km2 from boundary b join boundary_land l on l.boundary_id = b.id
       where b.admin_level = 8 and l.state in ('land', 'mixed') order by b.lon, b.id limit 50`,
    );
    const include = rows.map(({ id }) => id);
    const sum = rows.reduce((all, { land_km2 }) => all + land_km2, 0);
    const ours = await startService(folder, { DATABASE_URL: database.url, CACHE_BYTES: '0' });
    closing.push(() => ours.stop());
    const key = await firstKey(folder);
    const results: Result[] = [];
    for (const detail of DETAILS) {
      const call = (area: string) => () =>
        send(agent, ours.port, 'POST', '/v1/boundaries/union', { include, detail, area }, key);
      const whole = rival({
        name: 'the same of whole councils',
        work: call('all'),
        judge: async (answer) => {
          const [land, all] = [areaOf(await call('land')()), areaOf(answer)];
          const isSum = detail !== 'full' || Math.abs(land - sum) < 1e-6 * sum;
          return isSum && land <= all * (1 + 1e-9);
        },
      });
      const name = `union of the land of ${include.length} councils over HTTP, ${detail}, not cached`;
      results.push(...(await race(name, call('land'), [whole], options)));
    }
    return results;
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}

const areaOf = (answer: Buffer): number => JSON.parse(answer.toString()).properties.area_km2 as number;
