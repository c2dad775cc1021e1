/** `naive_search.ts URL PORT`: the obvious handler for a name prefix: Koa, pg and an index of lower(name). */
import Koa from 'koa';
import pg from 'pg';
import { FIELDS } from './naive_fields.ts';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_search' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `select ${FIELDS}
     from boundary b
     where lower(b.name) like lower($1) || '%'
     order by length(b.name), b.population desc nulls last
     limit 10`,
    [ctx.query.q ?? 'x'],
  );
  ctx.body = { items: rows };
});
app.listen(Number(port), '127.0.0.1');
