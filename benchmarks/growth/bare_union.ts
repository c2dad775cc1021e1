/**
 * `bare_union.ts URL PORT`: a Koa server with one route that sends ST_AsGeoJSON(ST_Union) of the rows `?include=` from
 * PostGIS.
 */
import Koa from 'koa';
import pg from 'pg';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'bare_union' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    'select st_asgeojson(st_union(geom), 7) as text from boundary_shape where boundary_id = any ($1)',
    [String(ctx.query.include ?? '').split(',')],
  );
  ctx.type = 'application/geo+json';
  ctx.body = Buffer.from(`{"type":"Feature","properties":{},"geometry":${rows[0]?.text ?? null}}`);
});
app.listen(Number(port), '127.0.0.1');
