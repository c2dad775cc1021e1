/** `naive_reverse.ts URL PORT`: the obvious handler for reverse: Koa, pg, and ST_Covers on subdivided polygons. */
import Koa from 'koa';
import pg from 'pg';
import { FIELDS } from './naive_fields.ts';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_reverse' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `select ${FIELDS}
     from boundary b
     where b.id in (select boundary_id from naive_piece where st_covers(geom, st_setsrid(st_makepoint($1, $2), 4326)))
     order by b.admin_level, b.area_km2 desc`,
    [ctx.query.lon ?? 0, ctx.query.lat ?? 0],
  );
  ctx.body = { items: rows, coverage: { postal_code: 'not_mapped' } };
});
app.listen(Number(port), '127.0.0.1');
