import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importLand } from '../../src/sources/import_land.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { removeSource } from '../../src/sources/stored.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { seeds } from '../proof/rounds.ts';

const oracleUrl = process.env.ORACLE_DATABASE_URL;
const ABOUT = { source: 'made-lakes', license: 'CC0-1.0', attribution: 'the tests' };
const IDS = ['r900', 'r901', 'r902', 'r903', 'r904'];

let server: BoundaryTestServer;
let key: string;
const deps = () => ({ db: server.services.db, engine: server.engine });
type Ring = [number, number][];

beforeAll(async () => {
  server = await openBoundaryTestServer();
  // Four squares of a tenth of a degree, and all of them as one; the sea is south of a coast through the lower two.
  const boundaries = IDS.slice(0, 4).map((id, k) => {
    const [west, south] = [-40 + 0.1 * (k % 2), 0.1 * Math.floor(k / 2)];
    return fixtureBoundary(id, `Part ${k}`, ringsOf(rectangle(west, south, west + 0.1, south + 0.1)), {
      adminLevel: 6,
    });
  });
  boundaries.push(fixtureBoundary('r904', 'Whole', ringsOf(rectangle(-40, 0, -39.8, 0.2)), { adminLevel: 4 }));
  const coords = Int32Array.from([-40.1, 0.03, -39.93, 0.04, -39.91, 0.02, -39.7, 0.03], (degrees) => degrees * 1e7);
  const coast = [{ id: 9, version: 1, coords }];
  await storeBoundaries(deps(), { source: FIXTURE_SOURCE, file: 'made', boundaries, coast });
  ({ key } = await server.key('business'));
}, 120_000);
afterAll(() => server?.close());

function fileOf(name: string, polygons: readonly Ring[][]): string {
  const path = join(server.dataDir, name);
  const features = polygons.map((coordinates) => ({
    type: 'Feature',
    properties: null,
    geometry: { type: 'Polygon', coordinates },
  }));
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

const BBOX = [-41, -1, -39, 1] as const;
const put = (polygons: readonly Ring[][], source = ABOUT.source) =>
  importLand(deps(), fileOf(`${source}.geojson`, polygons), { ...ABOUT, source, bbox: BBOX }, undefined, 'water');
const ask = async (id: string, query: string) => server.get(`/v1/boundaries/${id}?detail=full&${query}`, key);
const km2 = async (id: string, query: string) =>
  ((await ask(id, query)).json.properties as { area_km2: number } | undefined)?.area_km2;
const union = (body: object) => server.ask('POST', '/v1/boundaries/union', { key, json: { detail: 'full', ...body } });
const square = rectangle;

describe('water=inland', () => {
  it('is an error that says what to import where no inland water is known, and of anything but the land', async () => {
    const { status, json } = await ask('r902', 'area=land&water=inland');
    expect([status, json.code]).toEqual([404, 'no_geometry']);
    expect(json.detail).toMatch(/--inland-water.*--water FILE/);
    for (const query of ['water=inland', 'area=all&water=inland', 'area=water&water=inland', 'area=land&water=lakes'])
      expect((await ask('r902', query)).json.code).toBe('invalid_input');
  });

  it('cuts out lakes with islands, across borders, at the coast and all around, and says how much', async () => {
    const lakes = [
      [square(-39.99, 0.11, -39.95, 0.15), square(-39.98, 0.12, -39.96, 0.14)],
      // An islet's lake.
      [square(-39.975, 0.125, -39.965, 0.135)],
      [square(-39.91, 0.16, -39.89, 0.18)],
      // Half in the sea.
      [square(-39.86, 0.01, -39.84, 0.05)],
    ];
    const summary = await put(lakes);
    expect(summary.inland).toMatchObject({ known: 5, unknown: 0 });
    for (const id of IDS) {
      const { properties } = (await ask(id, 'area=land&water=inland')).json;
      const land = (await km2(id, 'area=land')) as number;
      expect(properties).toMatchObject({ includes_water: false, land_km2: expect.closeTo(land, 9) });
      expect((properties.area_km2 as number) + (properties.inland_water_km2 as number)).toBeCloseTo(land, 6);
      expect(properties.inland_water_km2 as number)[id === 'r900' ? 'toBe' : 'toBeGreaterThan'](0);
    }
    const parts = await union({ include: IDS.slice(0, 4), area: 'land', water: 'inland' });
    const whole = (await ask('r904', 'area=land&water=inland')).json.properties;
    expect(parts.json.properties).toMatchObject({
      exact: true,
      area_km2: expect.closeTo(whole.area_km2 as number, 6),
      inland_water_km2: expect.closeTo(whole.inland_water_km2 as number, 6),
    });
    for (const tolerance_m of [2, 64, 512]) {
      const at = { tolerance_m, detail: undefined, area: 'land', water: 'inland' };
      const [four, one] = [await union({ include: IDS.slice(0, 4), ...at }), await union({ include: ['r904'], ...at })];
      expect(four.json.properties.area_km2).toBeCloseTo(one.json.properties.area_km2 as number, 6);
    }
    const steps = [{ op: 'place', id: 'r904' }];
    for (const asked of [{}, { area: 'land' }, { water: 'inland' }, { area: 'land', water: 'inland' }]) {
      const body = { plan: { steps, area: 'land', water: 'inland' }, detail: 'full', ...asked };
      const { json } = await server.ask('POST', '/v1/areas', { key, json: body });
      expect([asked, json.properties?.area_km2]).toEqual([asked, expect.closeTo(whole.area_km2 as number, 6)]);
    }
    // Nothing else changed.
    expect((await ask('r902', '')).json.properties.inland_water_km2).toBeUndefined();
  });

  it('of a boundary that is all lake is an error; another file takes the place of the one before', async () => {
    await put([[square(-40, 0.1, -39.9, 0.2)]]);
    const { json } = await ask('r902', 'area=land&water=inland');
    expect(json).toMatchObject({ code: 'no_geometry', detail: expect.stringMatching(/is inland water/) });
    expect((await ask('r903', 'area=land&water=inland')).json.properties.inland_water_km2).toBe(0);
    await put([[square(-39.89, 0.11, -39.88, 0.12)]]);
    expect((await ask('r902', 'area=land&water=inland')).json.properties.inland_water_km2).toBe(0);
  });

  it('knows nothing of boundaries beyond what a file covers; removing the file takes all away', async () => {
    const path = fileOf('one.geojson', [[square(-39.95, 0.11, -39.94, 0.12)]]);
    await importLand(deps(), path, ABOUT, undefined, 'water');
    const { json } = await ask('r902', 'area=land&water=inland');
    expect(json).toMatchObject({ code: 'no_geometry', detail: expect.stringMatching(/reaches beyond/) });
    await removeSource(deps(), ABOUT.source);
    const { db } = server.services;
    for (const table of ['inland_water', 'inland_water_set', 'shape_apart where arrangement = 3'])
      expect([table, await db.query(`select from ${table}`)]).toEqual([table, []]);
    expect((await ask('r902', 'area=land&water=inland')).json.code).toBe('no_geometry');
    expect(await km2('r902', 'area=land')).toBeGreaterThan(0);
  });
});

describe.skipIf(!oracleUrl)('random lakes', () => {
  let oracle: pg.Client;
  beforeAll(async () => {
    oracle = new pg.Client({ connectionString: oracleUrl });
    await oracle.connect();
  });
  afterAll(() => oracle?.end());

  function random(seed: number): () => number {
    let state = seed * 2654435761;
    return () => {
      state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) | 0;
      return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
    };
  }

  /** A ring around a center, at random distances from it. */
  function star(next: () => number, [x, y]: readonly [number, number], radius: number): Ring {
    const n = 5 + Math.floor(20 * next());
    const ring = Array.from({ length: n }, (_, k): [number, number] => {
      const [angle, far] = [(2 * Math.PI * k) / n, radius * (0.6 + 0.4 * next())];
      return [Math.round((x + far * Math.cos(angle)) * 1e7) / 1e7, Math.round((y + far * Math.sin(angle)) * 1e7) / 1e7];
    });
    return [...ring, ring[0] as [number, number]];
  }

  it.each(seeds(1, 20))('leave what ST_Difference leaves (%i)', async (seed) => {
    const next = random(seed);
    const lakes = Array.from({ length: 1 + Math.floor(8 * next()) }, (): Ring[] => {
      const [x, y, radius] = [-40 + 0.2 * next(), 0.2 * next(), 0.002 + 0.04 * next() ** 2];
      const island = next() < 0.5 ? [star(next, [x, y], 0.5 * radius)] : [];
      return [star(next, [x, y], radius), ...island];
    });
    await put(lakes);
    const texts = lakes.map((coordinates) => JSON.stringify({ type: 'Polygon', coordinates }));
    let sum = 0;
    for (const id of IDS) {
      const [land, dry] = [(await ask(id, 'area=land')).json, (await ask(id, 'area=land&water=inland')).json];
      const { rows } = await oracle.query(
        `with grid as (select 1e7::float8 as n), ours as (
           select st_scale(st_setsrid(st_geomfromgeojson($1), 0), n, n) as geom from grid
         ), theirs as (
           select st_difference(st_scale(st_setsrid(st_geomfromgeojson($2), 0), n, n),
                                (select st_union(st_scale(st_setsrid(st_geomfromgeojson(t), 0), n, n)) from unnest($3::text[]) as t)) as geom
           from grid
         )
         select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference,
                st_perimeter(theirs.geom) as perimeter, st_area(theirs.geom) as area
         from ours, theirs`,
        [JSON.stringify(dry.geometry ?? { type: 'Polygon', coordinates: [] }), JSON.stringify(land.geometry), texts],
      );
      const [{ valid, difference, perimeter, area }] = rows;
      expect([id, valid]).toEqual([id, true]);
      expect(difference).toBeLessThan(Math.max(perimeter, 1e-9 * area));
      if (id !== 'r904') sum += dry.properties.area_km2 as number;
      else expect(sum).toBeCloseTo(dry.properties.area_km2 as number, 6);
    }
  });
});
