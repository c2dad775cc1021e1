import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { importLand } from '../../src/sources/import_land.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { preferSources, removeSource, storedSources } from '../../src/sources/stored.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from '../ops/fixture_world.ts';

const dataDir = process.env.REAL_DATA_DIR;
const ABOUT = { source: 'made-land', license: 'CC0-1.0', attribution: 'the tests' };

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  key = (await server.key('business')).key;
});
afterAll(() => server?.close());

const square = (west: number, south: number, east: number, north: number) => ({
  type: 'Feature',
  properties: null,
  geometry: {
    type: 'Polygon',
    // Clockwise, as some files have it.
    coordinates: [
      [
        [west, south],
        [west, north],
        [east, north],
        [east, south],
        [west, south],
      ],
    ],
  },
});

function fileOf(name: string, features: readonly object[]): string {
  const path = join(server.dataDir, name);
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return path;
}

const feature = async (id: string, area: string) =>
  (await server.get(`/v1/boundaries/${id}?detail=full&area=${area}`, key)).json;
const km2 = async (id: string, area: string) => (await feature(id, area)).properties?.area_km2 as number | undefined;

describe('a file of land polygons', () => {
  it('cuts the boundaries it meets, and no others; importing it again replaces it', async () => {
    // The western half of the grid, in two polygons that overlap.
    const half = [
      square(WEST - 1, SOUTH - 1, WEST + 1.2, SOUTH + 4),
      square(WEST + 1.1, SOUTH - 1, WEST + 1.5, SOUTH + 4),
    ];
    const deps = { db: server.services.db, engine: server.engine };
    const first = await importLand(deps, fileOf('half.geojson', half), ABOUT);
    expect(first.land.worked).toBeGreaterThan(9);
    expect([await km2('r111', 'land'), (await feature('r111', 'all')).properties?.includes_water]).toEqual([
      await km2('r111', 'all'),
      false,
    ]);
    const [land, water, all] = [await km2('r121', 'land'), await km2('r121', 'water'), await km2('r121', 'all')];
    expect((land as number) / (all as number)).toBeCloseTo(0.5, 2);
    expect((land as number) + (water as number)).toBeCloseTo(all as number, 6);
    // No polygon of the set meets it, which says nothing of it.
    expect(await feature('r131', 'land')).toMatchObject({ code: 'no_geometry' });

    const more = [square(WEST - 1, SOUTH - 1, WEST + 2.5, SOUTH + 4)];
    await importLand(deps, fileOf('more.geojson', more), ABOUT);
    expect(await km2('r121', 'land')).toBe(all);
    expect(((await km2('r131', 'land')) as number) / ((await km2('r131', 'all')) as number)).toBeCloseTo(0.5, 2);
    const rows = await server.services.db.query<{ count: number }>('select count(*)::integer from coast_line');
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('decides alone where two sets meet a boundary: the first in the order of sources', async () => {
    const deps = { db: server.services.db, engine: server.engine };
    const [land, all] = [await km2('r131', 'land'), (await km2('r131', 'all')) as number];
    const other = { ...ABOUT, source: 'other-land' };
    const rest = (north: number) => [square(WEST + 2.25, SOUTH - 1, WEST + 4, north)];
    await importLand(deps, fileOf('rest.geojson', rest(SOUTH + 4)), other);
    expect(await km2('r131', 'land')).toBe(land);
    await preferSources(deps.db, ['other-land']);
    await importLand(deps, fileOf('rest.geojson', rest(SOUTH + 5)), other);
    expect(((await km2('r131', 'land')) as number) / all).toBeCloseTo(0.75, 2);
    await removeSource(deps, 'other-land');
    expect(await km2('r131', 'land')).toBe(land);
  });

  it('cuts collections, dissolved areas and comparisons as well', async () => {
    const ask = (path: string, json: object) => server.ask('POST', path, { key, json });
    const detail = { detail: 'full' };
    const dissolved = await ask('/v1/dissolve', {
      groups: { east: ['r131', 'r132', 'r133'] },
      area: 'land',
      ...detail,
    });
    const [east] = (dissolved.json as unknown as { features: { properties: { area_km2: number; exact: boolean } }[] })
      .features;
    const parts = await Promise.all(['r131', 'r132', 'r133'].map((id) => km2(id, 'land')));
    expect(east?.properties.exact).toBe(true);
    expect(east?.properties.area_km2).toBeCloseTo(
      parts.reduce<number>((sum, one) => sum + (one as number), 0),
      6,
    );
    const collection = await ask('/v1/collections', { ids: ['r111', 'r131'], area: 'land', ...detail });
    const { features } = collection.json as unknown as {
      features: { properties: { id: string; area_km2: number; lat: number; lon: number } }[];
    };
    const { centroid } = (await feature('r131', 'land')).properties;
    const { lat, lon } = features[1]?.properties ?? {};
    expect({ lat, lon }).toEqual(centroid);
    expect((await feature('r131', 'all')).properties.centroid).not.toEqual(centroid);
    expect(features.map(({ properties }) => properties.area_km2)).toEqual([
      await km2('r111', 'land'),
      await km2('r131', 'land'),
    ]);
    const compared = await ask('/v1/crosswalk', { a: ['r131'], b: ['r131', 'r132'], area: 'land' });
    const { items } = compared.json as unknown as { items: { area_km2: number; exact: boolean }[] };
    expect(items).toMatchObject([{ exact: true, area_km2: await km2('r131', 'land') }]);
  });

  it('follows a border that changes', async () => {
    const world = fixtureWorld();
    const deps = { db: server.services.db, engine: server.engine };
    const id = 'r131';
    const before = await km2(id, 'land');
    // One boundary less beside it: the arcs of the land arrangement are joined, the land stays.
    await storeBoundaries(deps, { ...world, boundaries: [], ways: new Map(), deleted: [{ id: 'r132', version: 9 }] });
    expect(await km2(id, 'land')).toBeCloseTo(before as number, 9);
    expect(await feature('r132', 'land')).toMatchObject({ code: 'not_found' });
    const left = await server.services.db.query(`select from shape_apart where boundary_id = 'r132'`);
    expect(left).toEqual([]);
  });

  it('leaves the land of boundaries unknown that reach beyond what it covers, and says so', async () => {
    const deps = { db: server.services.db, engine: server.engine };
    const part = { ...ABOUT, source: 'part-land' };
    await removeSource(deps, ABOUT.source);
    const path = fileOf('part.geojson', [square(WEST - 1, SOUTH - 1, WEST + 1.5, SOUTH + 4)]);
    // The grid is three degrees wide, so that the country reaches more than 30 nautical miles beyond the polygon.
    const { land, notices } = await importLand(deps, path, part);
    expect(notices).toEqual([expect.stringMatching(/^part-land covers -?[0-9.]+,.* 30 nautical miles/)]);
    expect(land.broken).toContainEqual(
      expect.objectContaining({
        id: 'r100',
        reason: expect.stringContaining('beyond what the land polygons of part-land'),
      }),
    );
    expect(await feature('r100', 'land')).toMatchObject({ code: 'no_geometry' });
    expect(((await km2('r121', 'land')) as number) / ((await km2('r121', 'all')) as number)).toBeCloseTo(0.5, 2);

    // Stated to end where the polygon does, and then to cover all.
    await importLand(deps, path, { ...part, bbox: [WEST - 1, SOUTH - 1, WEST + 1.5, SOUTH + 4] });
    expect(await feature('r121', 'land')).toMatchObject({ code: 'no_geometry' });
    expect(await km2('r111', 'land')).toBeCloseTo((await km2('r111', 'all')) as number, 6);
    const { notices: stated } = await importLand(deps, path, { ...part, bbox: [170, -90, 160, 90] });
    expect(stated).toEqual([expect.stringContaining('part-land covers 170,-90,160,90, as stated')]);
    expect(((await km2('r100', 'land')) as number) / ((await km2('r100', 'all')) as number)).toBeCloseTo(0.5, 1);
    await removeSource(deps, part.source);
    expect(await deps.db.query('select from land_set')).toEqual([]);
    await importLand(deps, fileOf('more.geojson', [square(WEST - 1, SOUTH - 1, WEST + 2.5, SOUTH + 4)]), ABOUT);
  });

  it('is refused under the name of a source of boundaries, which keeps its description', async () => {
    const { db } = server.services;
    const deps = { db, engine: server.engine };
    const before = await storedSources(db);
    const coast = await db.query('select source, id from coast_line order by 1, 2');
    const path = fileOf('named.geojson', [square(WEST, SOUTH, WEST + 1, SOUTH + 1)]);
    for (const source of ['made', 'osm', 'world-atlas', 'us-atlas'])
      await expect(importLand(deps, path, { ...ABOUT, source })).rejects.toThrow(/another name/);
    await expect(importFile(deps, path, ABOUT)).rejects.toThrow(/made-land is a set of land polygons/);
    expect(await storedSources(db)).toEqual(before);
    expect(await db.query('select source, id from coast_line order by 1, 2')).toEqual(coast);
  });

  it('is gone when its source is removed, and what was cut along it', async () => {
    const { db } = server.services;
    await removeSource({ db, engine: server.engine }, ABOUT.source);
    expect(await db.query('select from coast_line')).toEqual([]);
    expect(await db.query(`select from boundary_land where state <> 'unknown'`)).toEqual([]);
    expect(await db.query('select from shape_apart')).toEqual([]);
    expect(await feature('r121', 'land')).toMatchObject({ code: 'no_geometry' });
    expect((await feature('r121', 'all')).properties?.includes_water).toBe('unknown');
    expect((await storedSources(db)).map(({ id }) => id)).not.toContain(ABOUT.source);
  });

  it.skipIf(!dataDir)(
    'of Malta, in overlapping tiles, gives the land that its coastline gives',
    async () => {
      const deps = { db: server.services.db, engine: server.engine };
      // Its coastlines are only those that are borders: islands without one are missing, so that none of them counts.
      const whole = await importFile(deps, join(dataDir as string, 'osm/malta-2018.boundaries.osm.pbf'), null);
      expect(whole.land.unknown).toBe(whole.land.worked);
      const polygons = join(dataDir as string, 'osm/malta-2018.land.expected.geojson');
      await importLand(deps, polygons, { ...ABOUT, source: 'malta-land' });
      const rows = await server.services.db.query<{ state: string; land: number }>(
        `select l.state, l.land_km2 as land from boundary_land l join boundary b on b.id = l.boundary_id
       where b.admin_level = 2 and b.source = 'osm'`,
      );
      expect(rows.map(({ state }) => state)).toEqual(['mixed']);
      expect(rows[0]?.land).toBeCloseTo(315.9689791, 4);
    },
    120_000,
  );
});
