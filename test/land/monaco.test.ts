/** A tiny country of little land: as mapped (REAL_DATA_DIR), and a made one with a harbor and a corridor out to sea. */
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { MadeMap } from './made_map.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;
type Place = readonly [x: number, y: number];
type Feature = { geometry?: unknown; code?: string; properties?: Record<string, number | boolean> };

let server: BoundaryTestServer;
let key: string;
let oracle: pg.Client;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
  oracle = new pg.Client({ connectionString: oracleUrl });
  if (oracleUrl) await oracle.connect();
}, 120_000);
afterAll(async () => {
  await server?.close();
  if (oracleUrl) await oracle?.end();
});

const imported = (path: string) => importFile({ db: server.services.db, engine: server.engine }, path, null);
const get = async (id: string, area: string): Promise<Feature> =>
  (await server.get(`/v1/boundaries/${id}?detail=full&area=${area}`, key)).json as unknown as Feature;
const union = async (body: object): Promise<Feature> =>
  (await server.ask('POST', '/v1/boundaries/union', { key, json: body })).json as unknown as Feature;

/** How an answer differs from what land polygons and the whole boundary have in common, in square grid units. */
async function compared(ours: unknown, whole: unknown, land: readonly string[]) {
  const { rows } = await oracle.query(
    `with grid as (select 1e7::float8 as n), ours as (
       select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($1), 0), n, n), 1) as geom from grid
     ), land as (
       select st_union(st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson(t), 0), n, n), 1)) as geom
       from grid, unnest($3::text[]) as t
     ), theirs as (
       select st_collectionextract(st_intersection(
                st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($2), 0), n, n), 1), land.geom), 3) as geom
       from grid, land
     )
     select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as off,
            st_perimeter(theirs.geom) as perimeter, st_area(theirs.geom) as area
     from ours, theirs`,
    [JSON.stringify(ours ?? { type: 'Polygon', coordinates: [] }), JSON.stringify(whole), land],
  );
  return rows[0] as { valid: boolean; off: number; perimeter: number; area: number };
}

/** The land of each boundary is that of the oracle; returns its areas in km2 by id, 0 for a boundary of water. */
async function expectLand(ids: readonly string[], land: readonly string[]): Promise<Map<string, number>> {
  const km2 = new Map<string, number>();
  for (const id of ids) {
    const [own, all] = [await get(id, 'land'), await get(id, 'all')];
    const { valid, off, perimeter, area } = await compared(own.geometry, all.geometry, land);
    expect([id, own.code]).toEqual([id, area === 0 ? 'no_geometry' : undefined]);
    expect([id, valid, off <= Math.max(0.5 * perimeter, 1e-9 * area)]).toEqual([id, true, true]);
    km2.set(id, own.code === undefined ? Number(own.properties?.area_km2) : 0);
    expect([id, all.properties?.land_km2]).toEqual([id, expect.closeTo(km2.get(id) as number, 6)]);
  }
  return km2;
}

/** Parts that tile a country have its land, without a gap or an overlap, at every level of detail. */
async function expectTiled(parts: readonly string[], country: string): Promise<void> {
  for (const more of [{ detail: 'full' }, { tolerance_m: 2 }, { tolerance_m: 8 }, { tolerance_m: 64 }]) {
    const [all, one] = [
      await union({ include: parts, area: 'land', ...more }),
      await union({ include: [country], area: 'land', ...more }),
    ];
    const { off, perimeter } = await compared(all.geometry, one.geometry, [JSON.stringify(one.geometry)]);
    expect([more, all.properties?.exact, all.properties?.includes_water]).toEqual([more, true, false]);
    // A tolerance of a part that has no neighbor of its level at an end of its border may keep a vertex more.
    expect([more, all.properties?.area_km2]).toEqual([more, expect.closeTo(Number(one.properties?.area_km2), 9)]);
    expect([more, off <= perimeter]).toEqual([more, true]);
  }
}

describe.skipIf(!oracleUrl)('a made Monaco', () => {
  it('has the land that PostGIS intersects: along a narrow shore, around a harbor, and none in the corridor', async () => {
    // In thousandths of a degree. The shore runs from west to east, land north of it, with a harbor whose mouth is 30 m wide.
    const at = (x: number, y: number): Place => [
      Math.round((-32.6 + x / 1000) * 1e7) / 1e7,
      Math.round((43.7 + y / 1000) * 1e7) / 1e7,
    ];
    const shore = [
      ...[at(-100, -20), at(5, 20), at(12, 24), at(18, 27), at(22, 29)],
      ...[at(23, 33), at(20, 35), at(20, 38), at(26, 38), at(26, 35), at(23.4, 33)],
      ...[at(24.5, 29.5), at(29, 36), at(34, 44), at(39.6, 50), at(200, 80)],
    ];
    // Inland from the west to the east, and out to sea, twelve miles along a corridor of 2.4 km.
    const [a, b, m1, m2, c, d] = [at(9, 27), at(10, 31), at(16.2, 36.5), at(23, 42), at(27, 46), at(39, 51)];
    const [p, s2, s1, q] = [at(39, -168), at(30, -168), at(18, -168), at(9, -168)];
    const map = new MadeMap('', 7_000_000);
    map.way(701, shore.slice(0, 8), { natural: 'coastline' });
    map.way(702, shore.slice(7), { natural: 'coastline' });
    map.way(711, [a, b]).way(712, [b, m1]).way(713, [m1, m2]).way(714, [m2, c]).way(715, [c, d]);
    map.way(721, [d, p]).way(722, [p, s2], { maritime: 'yes' }).way(723, [s2, s1]);
    map.way(724, [s1, q]).way(725, [q, a]);
    // Borders of quarters that end at vertices of the coast and go on at sea; the border of the country ends in segments.
    map.way(731, [m1, shore[3] as Place, s1]).way(732, [m2, at(27.5, 39.5), shore[12] as Place, s2]);
    // The basin, a quarter of water and a quay within the one in the middle.
    const basin = [at(20.5, 35.5), at(25.5, 35.5), at(25.5, 38.6), at(20.5, 38.6)];
    map.way(741, [...basin, basin[0] as Place]);
    const tagsOf = (level: string, name: string) => ({
      ...{ type: 'boundary', boundary: 'administrative' },
      ...{ admin_level: level, name },
    });
    const members = (role: string, ...ways: number[]) => ways.map((way) => [way, role] as const);
    const border = [711, 712, 713, 714, 715, 721, 722, 723, 724, 725];
    map.relation(790, members('outer', ...border), tagsOf('2', 'Rock'));
    map.relation(791, members('outer', 711, 712, 731, 724, 725), tagsOf('10', 'West'));
    map.relation(792, [...members('outer', 713, 732, 723, 731), ...members('inner', 741)], tagsOf('10', 'Middle'));
    map.relation(793, members('outer', 714, 715, 721, 722, 732), tagsOf('10', 'East'));
    map.relation(794, members('outer', 741), tagsOf('10', 'Basin'));
    // The country around has the rest, on land and at sea.
    map.way(751, [at(150, 200), at(-50, 200), at(-50, -300), at(150, -300), at(150, 200)]);
    map.relation(795, [...members('outer', 751), ...members('inner', ...border)], tagsOf('2', 'Around'));
    const { broken, land } = await imported(map.write(server.dataDir, 'made_monaco.osm'));
    expect([broken, land.unknown, land.broken]).toEqual([[], 0, []]);
    const ring = [...shore, at(200, 300), at(-100, 300), shore[0]];
    const polygon = JSON.stringify({ type: 'Polygon', coordinates: [ring] });
    const quarters = ['r791', 'r792', 'r793', 'r794'];
    const km2 = await expectLand(['r790', 'r795', ...quarters], [polygon]);
    expect(quarters.reduce((sum, id) => sum + (km2.get(id) as number), 0)).toBeCloseTo(km2.get('r790') as number, 9);
    const { properties } = await get('r790', 'all');
    expect(Number(properties?.land_km2) / Number(properties?.area_km2)).toBeLessThan(0.1);
    await expectTiled(quarters, 'r790');
    const { items } = (await server.get('/v1/boundaries/r790/neighbors', key)).json as unknown as {
      items: { id: string; land_km: number; sea_km: number; maritime: boolean }[];
    };
    expect(items.map(({ id, maritime }) => [id, maritime])).toEqual([['r795', false]]);
    expect(items[0]?.sea_km).toBeGreaterThan(2 * 18);
    for (const [lon, lat, on, country] of [
      [-32.58, 43.7395, 'land', 'r790'],
      [-32.577, 43.7365, 'water', 'r794'],
      [-32.575, 43.6, 'water', 'r790'],
      [-32.64, 43.6, 'water', 'r795'],
    ] as const) {
      const said = (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key)).json as unknown as {
        on: string;
        items: { id: string }[];
      };
      expect([lon, lat, said.on, said.items.some(({ id }) => id === country)]).toEqual([lon, lat, on, true]);
    }
  }, 120_000);
});

describe.skipIf(!dataDir || !oracleUrl)('Monaco', () => {
  it('as the map has it gives its quarters the land that PostGIS intersects', async () => {
    await imported(join(dataDir as string, 'osm/monaco-2023.osm.pbf'));
    const { db } = server.services;
    const rows: { id: string }[] = await db.query(
      "select id from boundary where has_geometry and source = 'osm' and admin_level = 10 and id <> all ($1)",
      [['r791', 'r792', 'r793', 'r794']],
    );
    // The file lacks the border at sea of the country.
    const quarters = rows.map(({ id }) => id);
    expect(quarters.length).toBeGreaterThan(5);
    // The coast of the file runs from west to east; land is on its left.
    const lines: { coords: Buffer }[] = await db.query('select coords from coast_line where id > 1000 order by id');
    const ways = lines.map(({ coords }) => {
      const all = new Int32Array(Uint8Array.from(coords).buffer);
      return JSON.stringify({
        type: 'LineString',
        coordinates: Array.from({ length: all.length / 2 }, (_, i) => [
          (all[2 * i] as number) / 1e7,
          (all[2 * i + 1] as number) / 1e7,
        ]),
      });
    });
    const merged = await oracle.query(
      `select st_asgeojson((st_dump(st_linemerge(st_collect(st_geomfromgeojson(t))))).geom, 7) as line from unnest($1::text[]) as t`,
      [ways],
    );
    const land: string[] = merged.rows.map(({ line }) => {
      const { coordinates } = JSON.parse(line) as { coordinates: Place[] };
      const [first, last] = [coordinates[0] as Place, coordinates.at(-1) as Place];
      const isClosed = first[0] === last[0] && first[1] === last[1];
      const west = Math.min(first[0], 7) - 0.1;
      const ring = isClosed ? coordinates : [...coordinates, [last[0], 45], [west, 45], [west, first[1]], first];
      return JSON.stringify({ type: 'Polygon', coordinates: [ring] });
    });
    const km2 = await expectLand(quarters, land);
    // Some have the sea before them, others none.
    const all = await Promise.all(quarters.map((id) => get(id, 'all')));
    const share = all.map(
      ({ properties }, i) => (km2.get(quarters[i] as string) as number) / Number(properties?.area_km2),
    );
    expect([Math.min(...share) < 0.99, Math.max(...share) < 1 + 1e-9]).toEqual([true, true]);
  }, 300_000);
});
