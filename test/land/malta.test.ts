import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

/** The area of the symmetric difference, and how much of it is further than two grid units from a vertex of ours. */
const COMPARE = `
with ours as (
  select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($1), 0), 1e7, 1e7), 1) as geom
), whole as (
  select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($2), 0), 1e7, 1e7), 1) as geom
), theirs as (
  select st_collectionextract(st_intersection(whole.geom, malta_land.geom), 3) as geom from whole, malta_land
), difference as (
  select st_symdifference(ours.geom, theirs.geom) as geom from ours, theirs
)
select st_isvalid(ours.geom) as valid, st_area(theirs.geom) as area, st_area(difference.geom) as difference,
       st_perimeter(theirs.geom) as perimeter
from ours, theirs, difference`;

describe.skipIf(!dataDir || !oracleUrl)('the land of Malta', () => {
  let server: BoundaryTestServer;
  let oracle: pg.Client;
  let key: string;
  let summary: Awaited<ReturnType<typeof importFile>>;
  let ids: { id: string; admin_level: number }[];
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    const { db } = server.services;
    const file = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
    summary = await importFile({ db, engine: server.engine }, file, null);
    key = (await server.key('business')).key;
    ids = await db.query('select id, admin_level from boundary where has_geometry order by admin_level, id');
    oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
    const expected = JSON.parse(readFileSync(join(dataDir as string, 'osm/malta-2018.land.expected.geojson'), 'utf8'));
    const parts = expected.features.map(({ geometry }: { geometry: object }) => JSON.stringify(geometry));
    await oracle.query('create temp table malta_land (geom geometry)');
    await oracle.query(
      `insert into malta_land
       select st_union(st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson(g), 0), 1e7, 1e7), 1))
       from unnest($1::text[]) as g`,
      [parts],
    );
  }, 300_000);
  afterAll(async () => {
    await oracle?.end();
    await server?.close();
  });

  const full = async (id: string, area: string) => {
    const reply = await server.get(`/v1/boundaries/${id}?detail=full&area=${area}`, key);
    expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    return reply.json;
  };
  const union = (body: object) => server.ask('POST', '/v1/boundaries/union', { key, json: body });

  it('is known of every boundary', () => {
    expect(summary.land).toEqual({ worked: 73, unknown: 0, gaps: [], broken: [] });
  });

  it('is what ST_Intersection with the polygons of osmcoastline gives', async () => {
    let worst = 0;
    for (const { id } of ids) {
      const [land, whole] = [await full(id, 'land'), await full(id, 'all')];
      const { rows } = await oracle.query(COMPARE, [JSON.stringify(land.geometry), JSON.stringify(whole.geometry)]);
      const [{ valid, area, difference, perimeter }] = rows;
      expect([id, valid]).toEqual([id, true]);
      // The border may be half a grid unit off, where it was bent through a crossing.
      expect(difference).toBeLessThan(Math.max(0.5 * perimeter, 1e-9 * area));
      worst = Math.max(worst, difference / area);
    }
    expect(worst).toBeLessThan(1e-7);
  }, 300_000);

  it('says which answer includes water, and both areas', async () => {
    const country = ids[0]?.id as string;
    const [all, land, water] = [
      await full(country, 'all'),
      await full(country, 'land'),
      await full(country, 'water'),
    ].map(({ properties }) => properties as { area_km2: number; land_km2: number; includes_water: boolean });
    expect(all).toMatchObject({ includes_water: true });
    expect(land).toMatchObject({ includes_water: false, area_km2: all?.land_km2 });
    expect(water).toMatchObject({ includes_water: true, land_km2: all?.land_km2 });
    expect(water?.area_km2).toBeCloseTo((all?.area_km2 as number) - (all?.land_km2 as number), 3);
    expect((all?.land_km2 as number) / (all?.area_km2 as number)).toBeCloseTo(0.074, 3);
  });

  it('of the councils is that of the country, exact on arcs, at every level of detail', async () => {
    const councils = ids.filter(({ admin_level }) => admin_level === 8).map(({ id }) => id);
    const islands = ids.filter(({ admin_level }) => admin_level === 4).map(({ id }) => id);
    for (const tolerance_m of [undefined, 2, 32, 256]) {
      const detail = tolerance_m === undefined ? { detail: 'full' } : { tolerance_m };
      const parts = [councils.slice(0, 34), councils.slice(34), islands];
      const unions = [];
      for (const include of parts) {
        const { status, json } = await union({ include, area: 'land', ...detail });
        expect([status, json.properties?.exact, json.properties?.includes_water]).toEqual([200, true, false]);
        unions.push(json);
      }
      const areas = unions.map(({ properties }) => properties.area_km2 as number);
      // Where a council is of a district alone, the three islands have it: they tile the same land.
      expect((areas[0] as number) + (areas[1] as number)).toBeLessThanOrEqual((areas[2] as number) + 1e-6);
      const { rows } = await oracle.query(
        `with part as (select st_geomfromgeojson(g) as geom from unnest($1::text[]) as g)
         select st_area(st_intersection((select geom from part limit 1), (select geom from part offset 1 limit 1))) as overlap`,
        [unions.slice(0, 2).map(({ geometry }) => JSON.stringify(geometry))],
      );
      expect(rows[0].overlap).toBe(0);
    }
  }, 300_000);

  it('is not part of editions', async () => {
    const { db } = server.services;
    const file = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
    const store = () => importFile({ db, engine: server.engine }, file, null, { validFrom: '2018-01-01' });
    const [{ arcs } = { arcs: 0 }] = await db.query<{ arcs: number }>(
      'select count(*)::integer as arcs from arc where arrangement = 0',
    );
    expect(arcs).toBeGreaterThan(100);
    expect(await store()).toMatchObject({ newArcs: arcs, land: { worked: 0 } });
    expect(await store()).toMatchObject({ newArcs: 0, newShapes: 0, newStates: 0 });
    expect((await full(ids[0]?.id as string, 'land')).properties).toMatchObject({ includes_water: false });
  }, 300_000);

  it('is an error, never the whole, where no coast was imported', async () => {
    const { db } = server.services;
    const file = join(dataDir as string, 'osm/liechtenstein-2024.boundaries.osm.pbf');
    await importFile({ db, engine: server.engine }, file, null);
    const reply = await server.get('/v1/boundaries/r1155955?detail=low&area=land');
    expect([reply.status, reply.json.code]).toEqual([404, 'no_geometry']);
    expect(reply.json.detail).toContain('--land FILE');
    expect((await server.get('/v1/boundaries/r1155955?detail=low')).json.properties).toMatchObject({
      includes_water: 'unknown',
      land_km2: null,
    });
  }, 300_000);
});
