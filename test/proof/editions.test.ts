import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { hasEditions, openSwissEditions, type SwissEditions } from './swiss_editions.ts';

const runs = it.skipIf(!hasEditions);
const YEARS = ['2020', '2018'] as const;

let editions: SwissEditions;
let server: BoundaryTestServer;
let key: string;
let postgis: pg.Client;
const table = (year: string) => editions.table(year);
const membersOf = (date: string) => editions.membersOf(date);

beforeAll(async () => {
  if (!hasEditions) return;
  editions = await openSwissEditions(YEARS);
  ({ server, key, postgis } = editions);
}, 900_000);
afterAll(() => editions?.close());

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
