/** `naive_reverse.ts URL PORT`: reverse as anyone would write it: Koa, pg, and ST_Covers on subdivided polygons. */
import Koa from 'koa';
import pg from 'pg';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'naive_reverse' });
const app = new Koa();
app.use(async (ctx) => {
  const { rows } = await pool.query(
    `select b.id, b.name, b.name as local_name, b.kind, b.admin_level, b.country, b.countries, b.disputed,
            (select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'kind', q.kind,
                                                        'admin_level', q.admin_level) order by p.position), '[]')
             from boundary_parent p join boundary q on q.id = p.parent where p.child = b.id) as parents,
            json_build_object('west', b.west / 1e7, 'south', b.south / 1e7, 'east', b.east / 1e7, 'north', b.north / 1e7) as bbox,
            json_build_object('lat', b.lat / 1e7, 'lon', b.lon / 1e7) as centroid,
            b.population, b.wikidata, b.iso, b.has_geometry, b.source, b.version, b.stale
     from boundary b
     where b.id in (select boundary_id from naive_piece where st_covers(geom, st_setsrid(st_makepoint($1, $2), 4326)))
     order by b.admin_level, b.area_km2 desc`,
    [ctx.query.lon ?? 0, ctx.query.lat ?? 0],
  );
  ctx.body = { items: rows, coverage: { postal_code: 'not_mapped' } };
});
app.listen(Number(port), '127.0.0.1');
