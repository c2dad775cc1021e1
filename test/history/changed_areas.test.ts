import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { seeds } from '../proof/rounds.ts';
import { MADE } from './made_editions.ts';
import { type History, madeHistory } from './made_history.ts';

const oracle = process.env.ORACLE_DATABASE_URL;
const runs = it.skipIf(!oracle);

interface Area {
  readonly properties: {
    readonly from_id: string;
    readonly to_id: string;
    readonly types: string;
    readonly km2: number;
    readonly share_of_from: number;
    readonly from_date: string;
    readonly to_date: string;
  };
  readonly geometry: object;
}

/** Common areas of the areas of level 8 of two GeoJSON files that are more than a line, by codes: km2 and their shape. */
const EXPECTED = `
  with features as (
    select side, f -> 'properties' ->> 'id' as code, st_geomfromgeojson(f -> 'geometry') as geom
    from (values (1, $1::json), (2, $2::json)) v (side, file), json_array_elements(file -> 'features') f
    where f -> 'properties' ->> 'level' = '8'
  ), areas as (select side, code, st_union(geom) as geom from features group by side, code)
  select a.code as one, b.code as other, st_area(i.geom::geography) / 1e6 as km2, st_asgeojson(i.geom, 9) as geom,
         least(st_area(a.geom::geography), st_area(b.geom::geography)) / 1e6 as smaller
  from areas a join areas b on a.side = 1 and b.side = 2 and a.code <> b.code and st_intersects(a.geom, b.geom),
       lateral (select st_collectionextract(st_intersection(a.geom, b.geom), 3) as geom) i
  where st_area(i.geom) > 0`;
/** Square meters that are in one of two areas only, and the length of both borders in meters. */
const APART = `
  select st_area(st_symdifference(o.a, o.b)::geography) as m2, st_perimeter(o.a::geography) as meters
  from (select st_geomfromgeojson($1::json) as a, st_geomfromgeojson($2::json) as b) o`;

runs.each(seeds(11, 6))(
  'has the areas that ST_Intersection has between the dates of a random history (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const postgis = new pg.Client({ connectionString: oracle });
    await postgis.connect();
    const server = await openBoundaryTestServer();
    const history: History = madeHistory(seed, 3, 12);
    try {
      const { key } = await server.key();
      for (const { date, file } of history.worlds) {
        await importFile(server.services, file, MADE, { validFrom: date });
      }
      const rows = await server.services.db.query<{ id: string; code: string }>(
        "select distinct id, regexp_replace(source_id, '^.*/', '') as code from edition_boundary",
      );
      const codes = new Map(rows.map(({ id, code }) => [id, code]));
      let compared = 0;
      for (const [i, j] of [
        [0, 1],
        [1, 2],
        [0, 2],
      ] as const) {
        const [from, to] = [history.worlds[i], history.worlds[j]];
        if (from === undefined || to === undefined) throw new Error('a world is missing');
        const query = `from=${from.date}&to=${to.date}&source=made&admin_level=8`;
        const reply = await server.get(`/v1/changes?${query}&format=geojson`, key);
        expect(reply.status, reply.text).toBe(200);
        const areas = new Map(
          (reply.json as unknown as { features: Area[] }).features.map((one) => [
            `${codes.get(one.properties.from_id)} ${codes.get(one.properties.to_id)}`,
            one,
          ]),
        );
        const texts = [from, to].map(({ file }) => readFileSync(file, 'utf8'));
        const expected = (await postgis.query(EXPECTED, texts)).rows as Record<string, number>[];
        for (const { one, other, km2 = 0, smaller = 0, geom } of expected) {
          const least = Math.max(0.005 * smaller, 0.05 * Math.sqrt(smaller));
          if (Math.abs(km2 / least - 1) < 1e-3) continue;
          const found = areas.get(`${one} ${other}`);
          areas.delete(`${one} ${other}`);
          expect(found !== undefined, `${one} to ${other}: ${km2} of at least ${least}`).toBe(km2 > least);
          if (!found) continue;
          expect(Math.abs(found.properties.km2 / km2 - 1)).toBeLessThan(1e-5);
          expect([found.properties.from_date, found.properties.to_date]).toEqual([from.date, to.date]);
          const { rows: apart } = await postgis.query(APART, [JSON.stringify(found.geometry), geom]);
          // Where borders cross, the vertex is on the grid of a centimeter.
          expect(apart[0].m2).toBeLessThan(0.02 * apart[0].meters);
          compared++;
        }
        expect([...areas.keys()]).toEqual([]);
        const { json } = await server.get(`/v1/changes?${query}&limit=1000`, key);
        const listed = new Set((json.items as unknown as { type: string }[]).map(({ type }) => type));
        for (const type of ['merged', 'split', 'border_moved', 'recoded']) {
          const some = await server.get(`/v1/changes?${query}&format=geojson&types=${type}`, key);
          const own = (some.json as unknown as { features: Area[] }).features;
          expect(own.every(({ properties }) => properties.types.split(' ').includes(type))).toBe(true);
          if (listed.has(type)) expect(own.length, type).toBeGreaterThan(0);
        }
      }
      expect(compared).toBeGreaterThan(5);
    } finally {
      history.remove();
      await postgis.end();
      await server.close();
    }
  },
);

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
}, 120_000);
afterAll(() => server?.close());

it('refuses a format within a file that is none, and is empty where nothing changed', async () => {
  const query = 'from=2010-01-01&to=2015-01-01&source=made';
  const wrong = await server.get(`/v1/changes?${query}&format=geojson&zip_of=kml`, key);
  expect([wrong.status, wrong.json.code]).toEqual([400, 'invalid_input']);
  for (const format of ['geojson', 'geopackage', 'topojson', 'kml', 'zip', 'flatgeobuf', 'shapefile', 'geoparquet']) {
    const { status, text } = await server.get(`/v1/changes?${query}&format=${format}`, key);
    expect([format, status], text.slice(0, 300)).toEqual([format, 200]);
  }
  const call = await server.rpc(
    'list_changes',
    { from: '2010-01-01', to: '2015-01-01', source: 'made', format: 'kml' },
    key,
  );
  expect(call.json).toMatchObject({ count: 0, format: 'kml', attribution: '' });
});
