/** `naive_children.ts URL PORT`: the obvious handler for subdivisions of the next level: Koa, pg and one join. */
import Koa from 'koa';
import pg from 'pg';
import { FIELDS } from './naive_fields.ts';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_children' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `with below as (select c.id, c.admin_level from boundary_parent p join boundary c on c.id = p.child where p.parent = $1)
     select ${FIELDS}
     from below join boundary b on b.id = below.id
     where below.admin_level = (select min(admin_level) from below)
     order by b.name
     limit $2`,
    [ctx.query.id ?? '', ctx.query.limit ?? 1000],
  );
  ctx.body = { items: rows, total: rows.length };
});
app.listen(Number(port), '127.0.0.1');
