/**
 * `naive_mix.ts URL PORT`: the obvious handlers for search, reverse, export and union, at our paths: Koa, pg and
 * PostGIS.
 */
import Koa from 'koa';
import pg from 'pg';
import { FIELDS } from './naive_fields.ts';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_mix' });
const app = new Koa();

/** Medium detail: a five-thousandth of the extent, in degrees. */
const SIMPLIFIED = `st_simplifypreservetopology(geom,
  greatest(st_xmax(geom) - st_xmin(geom), st_ymax(geom) - st_ymin(geom)) / 5000)`;
const EXPORT = /^\/v1\/boundaries\/(\w+)\/export$/;

/** The JSON of a request body. */
async function bodyOf(request: AsyncIterable<Uint8Array>): Promise<{ include: string[] }> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString()) as { include: string[] };
}

app.use(async (ctx) => {
  const { path, query } = ctx;
  if (path === '/v1/boundaries/search') {
    const { rows } = await pool.query(
      `select ${FIELDS} from boundary b where lower(b.name) like lower($1) || '%'
       order by length(b.name), b.population desc nulls last limit 10`,
      [query.q ?? 'x'],
    );
    ctx.body = { items: rows };
    return;
  }
  if (path === '/v1/boundaries/reverse') {
    const { rows } = await pool.query(
      `select ${FIELDS} from boundary b
       where b.id in (select boundary_id from naive_piece where st_covers(geom, st_setsrid(st_makepoint($1, $2), 4326)))
       order by b.admin_level, b.area_km2 desc`,
      [query.lon ?? 0, query.lat ?? 0],
    );
    ctx.body = { items: rows, coverage: { postal_code: 'not_mapped' } };
    return;
  }
  if (path === '/v1/boundaries/union') {
    const { include } = await bodyOf(ctx.req);
    const { rows } = await pool.query(
      `select st_asgeojson(${SIMPLIFIED}, 7) as text
       from (select st_union(geom) as geom from boundary_shape where boundary_id = any ($1)) merged`,
      [include],
    );
    ctx.type = 'application/geo+json';
    ctx.body = `{"type":"Feature","properties":{},"geometry":${rows[0].text}}`;
    return;
  }
  const [, id] = EXPORT.exec(path) ?? [];
  if (id !== undefined) {
    const write = query.format === 'kml' ? 'st_askml' : 'st_asgeojson';
    const { rows } = await pool.query(
      `select ${write}(${SIMPLIFIED}, 7) as text from boundary_shape where boundary_id = $1`,
      [id],
    );
    ctx.type = query.format === 'kml' ? 'application/vnd.google-earth.kml+xml' : 'application/geo+json';
    ctx.body = query.format === 'kml' ? rows[0].text : `{"type":"Feature","properties":{},"geometry":${rows[0].text}}`;
    return;
  }
  ctx.body = 'ready';
});
app.listen(Number(port), '127.0.0.1');
