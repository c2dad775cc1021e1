import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import pg from 'pg';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { ops } from '../../src/ops/index.ts';
import { importFile } from '../../src/sources/import.ts';
import { createHttpApp } from '../../src/transports/http.ts';
import { listen } from '../../src/transports/listen.ts';
import { BenchDatabase, server as nativeServer } from '../import/native.ts';
import { type Options, type Result, race, rival } from '../measure.ts';

const LUXEMBOURG = 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf';
const LIECHTENSTEIN = 'osm/liechtenstein-2024.boundaries.osm.pbf';
const DETAILS = ['full', 'medium'] as const;

/**
 * The union of up to 50 neighbours at full and medium detail over HTTP, one call after the other: the whole service
 * (key, metering, arcs warm; finished answers are not kept) against a bare Koa handler that sends
 * ST_AsGeoJSON(ST_Union) of the same rows of the same PostGIS. Checked in PostGIS first: full equals the union, medium
 * is valid and within its tolerance of it. Nothing without a PostGIS to compare with.
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
    await database.empty();
    // Nothing fits into a cache of no bytes: every answer is made anew.
    const env = { DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent', CACHE_BYTES: '0' };
    const config = loadConfig(env);
    const app = await openApp(config);
    closing.push(() => app.close());
    const { services } = app;
    await importFile(services, join(data, options.smoke ? LIECHTENSTEIN : LUXEMBOURG), null);
    const include = (
      await services.db.query<{ id: string }>(
        'select id from boundary where admin_level = 8 and has_geometry order by lon, id limit 50',
      )
    ).map(({ id }) => id);
    const { key } = await services.keys.create({ email: 'bench@example.org' });
    const ours = await listen(createHttpApp(services, ops).callback(), { host: '127.0.0.1', port: 0 }, config.BASE_URL);
    closing.push(() => ours.close());
    const port = Number(new URL(ours.address).port);

    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    closing.push(() => pool.end());
    const bare = new Koa();
    bare.use(async (ctx) => {
      const { rows } = await pool.query(
        'select st_asgeojson(st_union(geom), 7) as text from boundary_shape where boundary_id = any ($1)',
        [include],
      );
      ctx.type = 'application/geo+json';
      ctx.body = `{"type":"Feature","properties":{},"geometry":${rows[0].text}}`;
    });
    const server = bare.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    closing.push(() => new Promise((done) => server.close(done)));
    const callRival = () => post(agent, (server.address() as AddressInfo).port, '/', { include });

    const results: Result[] = [];
    for (const detail of DETAILS) {
      const call = () => post(agent, port, '/v1/boundaries/union', { include, detail }, key);
      const koa = rival({
        name: 'Koa sending ST_AsGeoJSON(ST_Union)',
        work: callRival,
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
 * Whether an answer is the union of these boundaries: without tolerance the same set of points, with one valid and
 * nowhere further from it (Hausdorff in degrees; up to 55 degrees of latitude one metre is at most so many of longitude).
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

function post(agent: Agent, port: number, path: string, input: object, key?: string): Promise<Buffer> {
  const body = JSON.stringify(input);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method: 'POST', path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`POST ${path}: ${response.statusCode} ${answer.toString().slice(0, 200)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
