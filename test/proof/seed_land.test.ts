/** The land of the seed data against that of another map: geo-maps' land of the earth at 1 km, from OpenStreetMap. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataDir, openSeededEnvironment } from './environment.ts';
import { drawn } from './rounds.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const LANDS = 'coverage/geo-maps-earth-lands-1km.geojson.gz';
/** Rings sent at once. */
const AT_ONCE = 500;

/**
 * A coast of the seed may be 2 km from the true one, as countries are simplified to that, and one of the other map 1 km.
 * So what only one of the two has is in a strip of 3 km along the coast (docs/seed-data.md).
 */
const STRIP_KM = 3;
/** Islands below this size are not in the seed, in km2. */
const SMALLEST_ISLAND = 10;
/** Lakes of the other map that are compared, in square degrees: those that no country has are large. */
const LARGE_LAKE = 0.5;
/**
 * Cells of latitude and longitude, in degrees. Those from 60 degrees south on are left out, as one of the maps has the ice
 * shelves. Areas are measured in EPSG:6933, which keeps them, and in which cuts along parallels are straight.
 */
const CELL = 20;
const SOUTHERNMOST = -60;

type Ring = readonly (readonly [number, number])[];

describe.skipIf(!dataDir || !oracleUrl)('land of the seed data (needs REAL_DATA_DIR and a PostGIS)', () => {
  let oracle: pg.Client;
  let countries: { id: string; name: string; wkb: string }[];
  beforeAll(async () => {
    const server = await openSeededEnvironment();
    countries = await server.test.db.query(
      `select b.id, b.name, encode(st_asbinary(s.geom), 'hex') as wkb
       from boundary b join boundary_shape s on s.boundary_id = b.id
       -- Territories, too, but for those that are parts of a country.
       where b.kind = 'country' and not exists (select from boundary_parent p where p.child = b.id) order by b.id`,
    );
    await server.close();
    oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
    await oracle.query(`set statement_timeout = '120s'`);
    const { geometries } = JSON.parse(gunzipSync(readFileSync(join(dataDir as string, LANDS))).toString()) as {
      geometries: (GeoJSON.Polygon | GeoJSON.MultiPolygon)[];
    };
    const polygons = geometries.flatMap((one) => (one.type === 'Polygon' ? [one.coordinates] : one.coordinates));
    const rings = polygons as unknown as readonly (readonly Ring[])[];
    // Lakes are land here: holes are filled, and only those are kept apart that may be in no country.
    await store(
      'land',
      rings.map(([shell]) => shell!),
    );
    await store(
      'lake',
      rings.flatMap(([, ...holes]) => holes).filter((hole) => planar(hole) > LARGE_LAKE),
    );
    await oracle.query('create temp table part (id text, geom geometry)');
    await oracle.query(
      `insert into part select c.id, st_subdivide(st_setsrid(st_geomfromwkb(decode(c.wkb, 'hex')), 4326), 128)
       from unnest($1::text[], $2::text[]) as c (id, wkb)`,
      [countries.map(({ id }) => id), countries.map(({ wkb }) => wkb)],
    );
    await oracle.query('create index on part using gist (geom)');
    await oracle.query('analyze part');
  }, 400_000);
  afterAll(() => oracle?.end());

  /** Stores what rings are around, in pieces of few vertices: a country as a whole takes minutes to overlay. */
  async function store(table: string, rings: readonly Ring[]): Promise<void> {
    await oracle.query(`create temp table ${table} (island integer, geom geometry)`);
    for (let i = 0; i < rings.length; i += AT_ONCE) {
      const some = rings.slice(i, i + AT_ONCE).map((ring) => JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
      await oracle.query(
        `insert into ${table}
         select $2 + number, st_subdivide(case when st_isvalid(geom) then geom
                                     else st_collectionextract(st_makevalid(geom), 3) end, 128)
         from (select number, st_setsrid(st_geomfromgeojson(one), 4326) as geom
               from unnest($1::text[]) with ordinality as o (one, number)) as given`,
        [some, i],
      );
    }
    await oracle.query(`create index on ${table} using gist (geom)`);
    await oracle.query(`analyze ${table}`);
  }

  it('is nowhere at sea: no country is flooded', { timeout: 200_000 }, async () => {
    const some = drawn(countries, 40);
    const { rows } = await oracle.query<{ id: string; wet: number; outline: number }>(
      `with shape as (
         select c.id, st_perimeter(st_setsrid(st_geomfromwkb(decode(c.wkb, 'hex')), 4326)::geography) / 1000 as outline
         from unnest($1::text[], $2::text[]) as c (id, wkb)
       )
       select shape.id, shape.outline, (
         select sum(st_area(st_transform(p.geom, 6933)) - coalesce((
                  select sum(st_area(st_transform(st_intersection(p.geom, l.geom), 6933))) from land l where l.geom && p.geom
                ), 0)) / 1e6
         from part p where p.id = shape.id and st_ymin(p.geom) >= $3
       ) as wet
       from shape`,
      [some.map(({ id }) => id), some.map(({ wkb }) => wkb), SOUTHERNMOST],
    );
    expect(rows).toHaveLength(some.length);
    const names = new Map(some.map(({ id, name }) => [id, name]));
    const flooded = rows.filter(({ wet, outline }) => wet > STRIP_KM * outline);
    expect(flooded.map((one) => [names.get(one.id), one])).toEqual([]);
    // Coasts are simplified to both sides, so most countries have much less of the sea.
    const strips = rows.map(({ wet, outline }) => wet / outline).sort((a, b) => a - b);
    expect(strips[strips.length >> 1]).toBeLessThan(STRIP_KM / 4);
  });

  it('lacks no land, but for small islands and a strip along the coast', { timeout: 200_000 }, async () => {
    const { rows: cells } = await oracle.query<{ cell: string }>(
      `select distinct floor(st_xmin(geom) / $1) || ' ' || floor(st_ymin(geom) / $1) as cell
       from land where st_ymin(geom) >= $2 order by 1`,
      [CELL, SOUTHERNMOST],
    );
    const some = drawn(cells, 20).map(({ cell }) => cell);
    const { rows } = await oracle.query<{ cell: string; land: number; dry: number; lakes: number; coast: number }>(
      `with piece as (
         select floor(st_xmin(geom) / $1) || ' ' || floor(st_ymin(geom) / $1) as cell, island, geom from land
         where st_ymin(geom) >= $3
       ), small as (
         select island from land group by island having sum(st_area(st_transform(geom, 6933))) < $4 * 1e6
       )
       select cell, sum(st_area(st_transform(geom, 6933))) / 1e6 as land,
              sum((select coalesce(sum(st_area(st_transform(st_intersection(piece.geom, p.geom), 6933))), 0)
                   from part p where p.geom && piece.geom)) / 1e6 as dry,
              sum((select coalesce(sum(st_area(st_transform(st_intersection(piece.geom, k.geom), 6933))), 0)
                   from lake k where k.geom && piece.geom)) / 1e6 as lakes,
              -- A piece of four corners has no coast.
              coalesce(sum(st_perimeter(geom::geography)) filter (where st_npoints(geom) > 5), 0) / 1000 as coast
       from piece
       where cell = any ($2::text[]) and not exists (select from small where small.island = piece.island)
       group by cell`,
      [CELL, some, SOUTHERNMOST, SMALLEST_ISLAND],
    );
    expect(rows.length).toBeGreaterThan(10);
    const lacking = rows.filter(({ land, dry, lakes, coast }) => land - dry > lakes + STRIP_KM * coast);
    expect(lacking).toEqual([]);
  });
});

/** The area of a ring in square degrees. */
function planar(ring: Ring): number {
  let double = 0;
  for (let i = 0; i + 1 < ring.length; i++) {
    const [[x, y], [toX, toY]] = [ring[i]!, ring[i + 1]!];
    double += x * toY - toX * y;
  }
  return Math.abs(double) / 2;
}
