import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { isNative } from '../setup/database.ts';

/** The land of the earth at a resolution of 1 km, without its lakes. */
const LANDS = 'coverage/geo-maps-earth-lands-1km.geojson.gz';
/** Polygons sent at once. */
const AT_ONCE = 200;

interface Country {
  readonly name: string;
  readonly area: number;
  readonly common: number;
}

describe.skipIf(!dataDir || !isNative)('land of the seed data (needs REAL_DATA_DIR and PostGIS)', { timeout: 400_000 }, () => {
  let server: ProofEnvironment;
  beforeAll(async () => {
    server = await openSeededEnvironment();
    const text = gunzipSync(readFileSync(join(dataDir as string, LANDS))).toString();
    const { geometries } = JSON.parse(text) as { geometries: (GeoJSON.Polygon | GeoJSON.MultiPolygon)[] };
    const polygons = geometries.flatMap((one) => (one.type === 'Polygon' ? [one.coordinates] : one.coordinates));
    const { db } = server.test;
    await db.query('create table earth_land (geom geometry)');
    for (let i = 0; i < polygons.length; i += AT_ONCE) {
      const some = polygons.slice(i, i + AT_ONCE).map((coordinates) => JSON.stringify({ type: 'Polygon', coordinates }));
      await db.query(
        `insert into earth_land
         select st_subdivide(st_makevalid(st_setsrid(st_geomfromgeojson(one), 4326)), 128) from unnest($1::text[]) one`,
        [some],
      );
    }
    await db.query('create index on earth_land using gist (geom)');
    await db.query('analyze earth_land');
  }, 400_000);
  afterAll(() => server?.close());

  it('is that of another map, and floods no country', async () => {
    const { db } = server.test;
    const countries = await db.query<Country>(
      `select b.name, b.area_km2 as area, coalesce(sum(st_area(st_intersection(s.geom, l.geom)::geography)), 0) / 1e6 as common
       from boundary b join boundary_shape s on s.boundary_id = b.id left join earth_land l on l.geom && s.geom
       where b.kind = 'country' and b.admin_level = 2 group by b.id, b.name, b.area_km2`,
    );
    const [{ land } = { land: 0 }] = await db.query<{ land: number }>(
      'select sum(st_area(geom::geography)) / 1e6 as land from earth_land',
    );
    expect(countries.length).toBeGreaterThan(200);
    const whole = countries.reduce((sum, { area }) => sum + area, 0);
    // The other map has cut out the lakes, which are land here.
    expect(Math.abs(whole / land - 1)).toBeLessThan(0.02);
    // Archipelagos at the resolution of a map of the world are coarser.
    const wet = countries.filter(({ area, common }) => area > 20_000 && common / area < 0.8);
    expect(wet.map(({ name }) => name)).toEqual([]);
  });
});
