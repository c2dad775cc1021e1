import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { BenchDatabase, server } from '../import/native.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { send } from './send.ts';
import { firstKey, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const PROVINCES = [
  'Sevilla',
  'Huelva',
  'Cádiz',
  'Córdoba',
  'Málaga',
  'Jaén',
  'Granada',
  'Almería',
  'Badajoz',
  'Toledo',
] as const;

/**
 * Measures an area of ten places described in words, over HTTP on Spain's seed set, one call after another: each time
 * the service parses, looks up, merges and checks it again. The rival is a statement without a server that looks up the
 * same ten names and merges them with ST_Union. Both give the same polygon. Returns no rows without a PostGIS.
 */
export async function benchAreas(_data: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('areas: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-areas-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'areas');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    await database.empty();
    const env = { DATABASE_URL: database.url };
    await fillWithSpain(folder, env, options);
    const ours = await startService(folder, { ...env, CACHE_BYTES: '0' });
    closing.push(() => ours.stop());
    const key = await firstKey(folder);
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    closing.push(() => pool.end());
    const names = PROVINCES.map((name) => `the province of ${name}`);
    const description = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    const call = () => send(agent, ours.port, 'POST', '/v1/areas', { description, detail: 'full' }, key);
    const naive = rival({
      name: 'ten names by lower(name), ST_Union, ST_AsGeoJSON',
      work: async () => {
        const { rows } = await pool.query<{ shape: string }>(
          `select st_asgeojson(st_union(s.geom)) as shape
           from boundary b join boundary_shape s on s.boundary_id = b.id
           where lower(b.name) = any (select lower(n) from unnest($1::text[]) n) and b.kind = 'province'`,
          [PROVINCES],
        );
        return rows[0].shape;
      },
      async judge(theirs) {
        const { geometry } = JSON.parse((await call()).toString());
        const { rows } = await pool.query<{ difference: number; area: number }>(
          `select st_area(st_symdifference(a, b)) as difference, st_area(b) as area
           from (select st_geomfromgeojson($1) as a, st_geomfromgeojson($2) as b) both_sides`,
          [JSON.stringify(geometry), theirs],
        );
        return rows[0].area > 0 && rows[0].difference < 1e-9 * rows[0].area;
      },
    });
    return await race('an area of ten places in words, over HTTP', call, [naive], options);
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}
