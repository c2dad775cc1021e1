import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
});
afterAll(() => server?.close());

const units = (points: readonly (readonly number[])[]) => Int32Array.from(points.flat(), (x) => Math.round(x * 1e7));
const landOf = async (id: string) => (await server.get(`/v1/boundaries/${id}?detail=full&area=land`, key)).json;

describe('Antarctica', () => {
  it('is land south of a coast that goes around the pole from 180 degrees to -180', async () => {
    const around = rectangle(-180, -90, 180, -60);
    const line = Array.from({ length: 37 }, (_, i) => [180 - 10 * i, -75]);
    const boundaries = [fixtureBoundary('r100', 'Antarctica', ringsOf(around))];
    await storeBoundaries(
      { db: server.services.db, engine: server.engine },
      { source: FIXTURE_SOURCE, file: 'made', boundaries, coast: [{ id: 1, version: 1, coords: units(line) }] },
    );
    const whole = (await server.get('/v1/boundaries/r100?detail=full', key)).json.properties?.area_km2 as number;
    const { properties, geometry } = await landOf('r100');
    // Of the sphere south of 60 degrees, the share south of 75: (1 - sin 75) / (1 - sin 60).
    const sine = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
    expect((properties?.area_km2 as number) / whole).toBeCloseTo((1 - sine(75)) / (1 - sine(60)), 2);
    const { coordinates } = geometry as { coordinates: [number, number][][] };
    expect(Math.max(...coordinates.flat().map(([, lat]) => lat))).toBe(-75);
  });
});

/**
 * Faces of a border and the coast by PostGIS, those with coast only: land is what has more places just left of the coast
 * than just right of it. How much of the land ours lacks, and how much of the water it has.
 */
const EXPECTED = `
with coast as (
  select st_setsrid(st_geomfromgeojson(g), 0) as line from unnest($2::text[]) as g
), border as (
  select st_setsrid(st_geomfromgeojson($1), 0) as area
), faces as (
  select (st_dump(st_polygonize(st_union(st_boundary(area), (select st_collect(line) from coast))))).geom as face
  from border
), points as (
  select st_lineinterpolatepoint(segment, 0.5) as middle, st_azimuth(st_startpoint(segment), st_endpoint(segment)) as angle
  from (select (st_dumpsegments(line)).geom as segment from coast) s
), sides as (
  select st_translate(middle, -1e-8 * cos(angle), 1e-8 * sin(angle)) as dry,
         st_translate(middle, 1e-8 * cos(angle), -1e-8 * sin(angle)) as wet from points
), known as (
  select face, count(*) filter (where st_covers(face, dry)) as dry, count(*) filter (where st_covers(face, wet)) as wet
  from faces, border, sides
  where st_covers(area, st_pointonsurface(face))
  group by face
), ours as (
  select st_setsrid(st_geomfromgeojson($3), 0) as geom
)
select coalesce(sum(st_area(face)) filter (where dry > wet), 0) as land,
       coalesce(sum(st_area(st_difference(face, ours.geom))) filter (where dry > wet), 0) as lacking,
       coalesce(sum(st_area(st_intersection(face, ours.geom))) filter (where wet > dry), 0) as flooded
from known, ours`;

describe.skipIf(!dataDir || !oracleUrl)('Monaco', () => {
  it('has the land that PostGIS finds by the direction of the coast that GDAL reads', async () => {
    const file = join(dataDir as string, 'osm/monaco-2023.osm.pbf');
    await importFile({ db: server.services.db, engine: server.engine }, file, null);
    const folder = mkdtempSync(join(tmpdir(), 'boundary-monaco-'));
    const oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
    try {
      const lines = join(folder, 'coast.geojson');
      execFileSync('ogr2ogr', ['-f', 'GeoJSON', lines, file, 'lines', '-where', "other_tags like '%coastline%'"]);
      const { features } = JSON.parse(readFileSync(lines, 'utf8')) as { features: { geometry: object }[] };
      const coast = features.map(({ geometry }) => JSON.stringify(geometry));
      // The file lacks a part of the border of the country, but has those of its wards.
      const wards = await server.services.db.query<{ id: string; state: string }>(
        `select b.id, l.state from boundary b join boundary_land l on l.boundary_id = b.id
         where b.admin_level = 10 and b.has_geometry order by b.id`,
      );
      let [checked, mixed] = [0, 0];
      for (const { id, state } of wards) {
        const whole = (await server.get(`/v1/boundaries/${id}?detail=full`, key)).json;
        const land = await landOf(id);
        const shapes = [JSON.stringify(whole.geometry), coast, JSON.stringify(land.geometry ?? null)];
        const [{ land: theirs, lacking, flooded }] = (await oracle.query(EXPECTED, shapes)).rows;
        // Without coast in it PostGIS has no face that is land for sure.
        if (theirs === 0) continue;
        expect([id, state === 'land' || state === 'mixed']).toEqual([id, true]);
        expect([id, (lacking + flooded) / theirs < 1e-6]).toEqual([id, true]);
        checked++;
        if (state === 'mixed') mixed++;
      }
      expect(checked).toBeGreaterThan(3);
      expect(mixed).toBeGreaterThan(1);
    } finally {
      await oracle.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
