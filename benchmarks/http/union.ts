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
import { compared, type Options, type Result, time } from '../measure.ts';

const LUXEMBOURG = 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf';
const LIECHTENSTEIN = 'osm/liechtenstein-2024.boundaries.osm.pbf';
const SCHEMA = 'boundary_bench';

/**
 * The union of up to 50 neighbours at full detail over HTTP, one call after the other: the whole service (key, metering,
 * arcs warm, no finished answer is kept) against a bare Koa handler that sends ST_AsGeoJSON(ST_Union) from PostGIS.
 * Nothing without a PostGIS to compare with.
 */
export async function benchHttpUnion(data: string, options: Options): Promise<Result[]> {
  const url = process.env.TEST_DATABASE_URL ?? process.env.ORACLE_DATABASE_URL;
  if (!url) return [];
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const app = await openApp(config);
  const agent = new Agent({ keepAlive: true });
  const closing: (() => Promise<unknown>)[] = [];
  try {
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
    const callOurs = () =>
      post(agent, Number(new URL(ours.address).port), '/v1/boundaries/union', { include, detail: 'full' }, key);

    const pool = new pg.Pool({ connectionString: url, max: 4 });
    closing.push(() => pool.end());
    await pool.query(`create schema if not exists ${SCHEMA}`);
    closing.push(() => pool.query(`drop schema ${SCHEMA} cascade`));
    await pool.query(`create table ${SCHEMA}.boundary (id text primary key, geom geometry)`);
    for (const id of include) {
      const [{ wkb }] = await services.db.query<{ wkb: string }>(
        'select geom::text as wkb from boundary_shape where boundary_id = $1',
        [id],
      );
      await pool.query(`insert into ${SCHEMA}.boundary values ($1, $2::geometry)`, [id, wkb]);
    }
    const rival = new Koa();
    rival.use(async (ctx) => {
      const { rows } = await pool.query(
        `select st_asgeojson(st_union(geom), 7) as text from ${SCHEMA}.boundary where id = any ($1)`,
        [include],
      );
      ctx.type = 'application/geo+json';
      ctx.body = `{"type":"Feature","properties":{},"geometry":${rows[0].text}}`;
    });
    const server = rival.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    closing.push(() => new Promise((done) => server.close(done)));
    const callRival = () => post(agent, (server.address() as AddressInfo).port, '/', { include });

    const same = vertices(await callOurs()) === vertices(await callRival());
    const name = `union of ${include.length} over HTTP, full, not cached`;
    const rivalName = 'Koa sending ST_AsGeoJSON(ST_Union)';
    const [mine, theirs] = [await time(callOurs, options), await time(callRival, options)];
    return [compared(name, mine, rivalName, theirs, same)];
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The vertices of each ring in order of their text, rings likewise: equal for the same set of rings. */
function vertices(body: Buffer): string {
  const { geometry } = JSON.parse(body.toString()) as { geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon };
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const point = ([x, y]: number[]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`;
  return polygons
    .flat()
    .map((ring) => ring.slice(1).map(point).sort().join())
    .sort()
    .join(';');
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
