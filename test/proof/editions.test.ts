import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { dataDir } from './environment.ts';

const oracle = process.env.ORACLE_DATABASE_URL;
const runs = it.skipIf(!dataDir || !oracle);
const YEARS = ['2020', '2018'] as const;
const fileOf = (year: string) => join(dataDir as string, `editions/switzerland/${year}/municipalities.shp`);

let server: BoundaryTestServer;
let key: string;
let postgis: pg.Client;
const table = (year: string) => `w_time_editions_${process.pid}_${year}`;

beforeAll(async () => {
  if (!dataDir || !oracle) return;
  server = await openBoundaryTestServer({}, {}, 30_000);
  ({ key } = await server.key());
  postgis = new pg.Client({ connectionString: oracle });
  await postgis.connect();
  for (const year of YEARS) {
    const options = [
      '-f',
      'PostgreSQL',
      gdalAddress(oracle),
      fileOf(year),
      '-nln',
      table(year),
      '-nlt',
      'MULTIPOLYGON',
      '-t_srs',
      'EPSG:4326',
      '-lco',
      'GEOMETRY_NAME=geom',
    ];
    execFileSync('ogr2ogr', options);
    // GDAL's ids are columns of the file; its own column of row numbers is ogc_fid.
    await postgis.query(`create index on ${table(year)} using gist (geom)`);
  }
  for (const year of YEARS) {
    const about = { source: 'bfs', license: 'open', attribution: 'BFS', country: 'CH', adminLevel: 8 };
    await importFile(
      server.services,
      fileOf(year),
      { ...about, map: { id: 'id', name: 'name' } },
      undefined,
      [],
      undefined,
      `${year}-01-01`,
    );
  }
}, 900_000);

afterAll(async () => {
  if (!postgis) return;
  for (const year of YEARS) await postgis.query(`drop table if exists ${table(year)}`);
  await postgis.end();
  await server.close();
});

/** The oracle's database as GDAL takes it. */
function gdalAddress(url: string): string {
  const { hostname, port, username, password, pathname } = new URL(url);
  const parts = { host: hostname, port: port || '5432', user: username, password, dbname: pathname.slice(1) };
  return `PG:${Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')}`;
}

interface Member {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly area_km2: number;
}

/** The municipalities of a date, by the code of their source. */
async function membersOf(date: string): Promise<Map<string, Member>> {
  const { servicesAsOf } = await import('../../src/core/dated.ts');
  const rows = await (await servicesAsOf(server.services, date)).db.query<Member>(
    "select id, name, split_part(source_id, '/', 2) as code, area_km2 from boundary where source = 'bfs'",
  );
  return new Map(rows.map((one) => [one.code, one]));
}

runs(
  'has the ids, names and areas of each edition',
  async () => {
    for (const year of YEARS) {
      const ours = await membersOf(`${year}-06-01`);
      const { rows } = await postgis.query(
        `select id::text as code, min(name) as name, st_area(st_union(geom)::geography) / 1e6 as km2 from ${table(year)} group by id`,
      );
      expect(ours.size).toBe(rows.length);
      for (const { code, name, km2 } of rows) {
        const own = ours.get(code);
        expect(own?.name).toBe(name);
        // The grid of a centimeter moves each vertex by up to half of it.
        expect(Math.abs((own?.area_km2 ?? 0) / km2 - 1)).toBeLessThan(2e-5);
      }
    }
  },
  300_000,
);

runs(
  'merges as of each date what ST_Union merges',
  async () => {
    for (const year of YEARS) {
      const ours = await membersOf(`${year}-06-01`);
      const { rows } = await postgis.query(
        `select a.id::text as code, array_agg(b.id::text) as codes,
              (select st_area(st_union(c.geom)::geography) / 1e6 from ${table(year)} c where c.id = any (array_agg(b.id))) as km2
       from ${table(year)} a join ${table(year)} b on st_intersects(a.geom, b.geom) where a.id % 90 = 7 group by a.id`,
      );
      expect(rows.length).toBeGreaterThan(10);
      for (const { codes, km2 } of rows) {
        const include = [...new Set(codes as string[])].map((code) => ours.get(code)?.id);
        const answer = await server.rpc('union_boundaries', { include, as_of: `${year}-06-01`, detail: 'full' }, key);
        expect(answer.json.properties?.exact).toBe(true);
        expect(Math.abs((answer.json.properties.area_km2 as number) / km2 - 1)).toBeLessThan(2e-5);
      }
    }
  },
  300_000,
);

runs(
  'names every merger between two editions with its parts, and no other',
  async () => {
    const [before, after] = [await membersOf('2018-06-01'), await membersOf('2020-06-01')];
    const { rows } = await postgis.query(
      `select o.id::text as old, n.id::text as new
     from (select id, st_union(geom) as geom from ${table('2018')} group by id) o
     join (select id, st_union(geom) as geom from ${table('2020')} group by id) n on st_intersects(o.geom, n.geom)
     where not exists (select from ${table('2020')} x where x.id = o.id)
       and st_area(st_intersection(o.geom, n.geom)) > 0.5 * st_area(o.geom)`,
    );
    const expected = rows
      .map((one) => `${before.get(one.old)?.name} ${before.get(one.old)?.id} ${after.get(one.new)?.id}`)
      .sort();
    const { json } = await server.get(
      '/v1/changes?from=2018-06-01&to=2020-06-01&source=bfs&types=merged&limit=1000',
      key,
    );
    const items = json.items as unknown as { id: string; predecessors: { id: string; name: string }[] }[];
    const found = items.flatMap(({ id, predecessors }) =>
      predecessors.filter((one) => one.id !== id).map((one) => `${one.name} ${one.id} ${id}`),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(found.sort()).toEqual(expected);
  },
  300_000,
);

runs(
  'has as polygons what changed hands by ST_Intersection, and nothing else',
  async () => {
    const codes = new Map<string, string>();
    for (const date of ['2018-06-01', '2020-06-01'])
      for (const [code, { id }] of await membersOf(date)) codes.set(id, code);
    const { json } = await server.get('/v1/changes?from=2018-06-01&to=2020-06-01&source=bfs&format=geojson', key);
    const { features } = json as unknown as {
      features: { properties: { from_id: string; to_id: string; km2: number }; geometry: object }[];
    };
    const areas = new Map(
      features.map((one) => [`${codes.get(one.properties.from_id)} ${codes.get(one.properties.to_id)}`, one]),
    );
    const count = areas.size;
    const { rows } = await postgis.query(
      `with o as (select id, st_makevalid(st_union(geom)) as geom from ${table('2018')} group by id),
            n as (select id, st_makevalid(st_union(geom)) as geom from ${table('2020')} group by id)
       select o.id::text as one, n.id::text as other, st_area(i.geom::geography) / 1e6 as km2, st_asgeojson(i.geom, 9) as geom,
              least(st_area(o.geom::geography), st_area(n.geom::geography)) / 1e6 as smaller
       from o join n on o.id <> n.id and o.geom && n.geom and st_intersects(o.geom, n.geom),
            lateral (select st_collectionextract(st_intersection(o.geom, n.geom), 3) as geom) i
       where st_area(i.geom) > 1e-9`,
    );
    for (const { one, other, km2, geom, smaller } of rows) {
      const least = Math.max(0.005 * smaller, 0.05 * Math.sqrt(smaller));
      if (Math.abs(km2 / least - 1) < 0.01) {
        areas.delete(`${one} ${other}`);
        continue;
      }
      const found = areas.get(`${one} ${other}`);
      areas.delete(`${one} ${other}`);
      expect(found !== undefined, `${one} to ${other}: ${km2} of at least ${least}`).toBe(km2 > least);
      if (!found) continue;
      expect(Math.abs(found.properties.km2 / km2 - 1)).toBeLessThan(1e-4);
      const { rows: apart } = await postgis.query(
        `select st_area(st_symdifference(o.a, o.b)::geography) as m2, st_perimeter(o.a::geography) as meters
         from (select st_geomfromgeojson($1::json) as a, st_geomfromgeojson($2::json) as b) o`,
        [JSON.stringify(found.geometry), geom],
      );
      // The grid of a centimeter moves each vertex by up to half of it, on either date.
      expect(apart[0].m2, `${one} to ${other}`).toBeLessThan(0.02 * apart[0].meters);
    }
    expect([...areas.keys()]).toEqual([]);
    expect(count).toBeGreaterThan(10);
  },
  300_000,
);
