/** `naive_typos.ts URL PORT`: the obvious handler for a misspelled name: Koa, pg and a trigram index of lower(name). */
import Koa from 'koa';
import pg from 'pg';
import { FIELDS } from './naive_fields.ts';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_typos' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `select ${FIELDS}
     from boundary b
     where lower(b.name) % lower($1)
     order by similarity(lower(b.name), lower($1)) desc, b.population desc nulls last
     limit 10`,
    [ctx.query.q ?? 'x'],
  );
  ctx.body = { items: rows };
});
app.listen(Number(port), '127.0.0.1');
