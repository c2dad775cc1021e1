import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { importLand } from '../../src/sources/import_land.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { rectangle } from '../ops/fixture_world.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;
const LEAST_KM2 = 0.001;

/** The multipolygons of GDAL's reader of OpenStreetMap, which assembles areas by itself. */
const WATER_OF_GDAL = `select * from multipolygons
  where natural = 'water' or landuse = 'reservoir' or other_tags like '%"waterway"=>"riverbank"%'`;

describe.skipIf(!dataDir || !oracleUrl)('inland water of Liechtenstein', () => {
  let server: BoundaryTestServer;
  let oracle: pg.Client;
  let key: string;
  let summary: Awaited<ReturnType<typeof importFile>>;
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    const deps = { db: server.services.db, engine: server.engine };
    const file = join(dataDir as string, 'osm/liechtenstein-2024.osm.pbf');
    summary = await importFile(deps, file, null, { waterKm2: LEAST_KM2 });
    const land = join(server.dataDir, 'land.geojson');
    writeFileSync(land, JSON.stringify({ type: 'Polygon', coordinates: [rectangle(5, 44, 15, 50)] }));
    await importLand(deps, land, { source: 'all-land', license: 'CC0-1.0', attribution: 'the tests' });
    key = (await server.key('business')).key;
    const made = join(server.dataDir, 'water.geojson');
    execFileSync('ogr2ogr', ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=7', '-sql', WATER_OF_GDAL, made, file]);
    const texts = JSON.parse(readFileSync(made, 'utf8')).features.map(({ geometry }: { geometry: object }) =>
      JSON.stringify(geometry),
    );
    oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
    await oracle.query('create temp table water (geom geometry)');
    await oracle.query(
      `insert into water
       select st_union(st_scale(st_setsrid(g, 0), 1e7, 1e7))
       from (select st_setsrid(st_geomfromgeojson(t), 4326) as g from unnest($1::text[]) as t) f
       where st_area(g::geography) >= $2`,
      [texts, LEAST_KM2 * 1e6],
    );
  }, 300_000);
  afterAll(async () => {
    await oracle?.end();
    await server?.close();
  });

  it('leaves of each municipality what ST_Difference with the water of GDAL leaves', async () => {
    const { db } = server.services;
    const rows = await db.query<{ id: string; state: string }>(
      `select b.id, i.state from boundary b join boundary_inland i on i.boundary_id = b.id
       where b.has_geometry and b.country = 'LI' order by b.id`,
    );
    const known = rows.filter(({ state }) => state !== 'unknown');
    expect([rows.length, known.length, summary.notices.length]).toEqual([14, 14, 1]);
    let cut = 0;
    for (const { id } of known) {
      const ask = async (query: string) =>
        (await server.get(`/v1/boundaries/${id}?detail=full&area=land${query}`, key)).json;
      const [land, dry] = [await ask(''), await ask('&water=inland')];
      const [found] = (
        await oracle.query(
          `with n as (select 1e7::float8 as n), ours as (
             select st_scale(st_setsrid(st_geomfromgeojson($1), 0), n, n) as geom from n
           ), theirs as (
             select st_difference(st_scale(st_setsrid(st_geomfromgeojson($2), 0), n, n), water.geom) as geom from n, water
           )
           select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference,
                  st_perimeter(theirs.geom) as perimeter
           from ours, theirs`,
          [JSON.stringify(dry.geometry), JSON.stringify(land.geometry)],
        )
      ).rows;
      cut += dry.properties.inland_water_km2 as number;
      expect([id, found.valid]).toEqual([id, true]);
      // A border may be half a grid unit off where it was bent through a crossing.
      expect([id, found.difference < 0.5 * found.perimeter]).toEqual([id, true]);
    }
    expect(cut).toBeGreaterThan(1);
  }, 300_000);
});
