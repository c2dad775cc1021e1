import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { writeArchive } from '../../src/tiles/archive.ts';
import { latitudeOf, longitudeOf } from '../../workers/arcs/mercator.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { type Decoded, decodeTile, doubleArea } from '../tiles/decode.ts';
import { misfits, troublesOf } from '../tiles/valid.ts';

const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

/** The tile of Malta and Gozo, and three around Comino. */
const TILES = ['9/276/201', '12/2210/1606', '12/2210/1607', '13/4421/3213'];

describe.skipIf(!dataDir)('land and water of Malta', () => {
  let server: BoundaryTestServer;
  let key: string;
  let country: string;
  let councils: string[];
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    const { db } = server.services;
    await importFile(
      { db, engine: server.engine },
      join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf'),
      null,
    );
    ({ key } = await server.key('business'));
    const rows = await db.query<{ id: string; admin_level: number }>(
      'select id, admin_level from boundary where has_geometry order by admin_level, id',
    );
    country = rows[0]?.id as string;
    councils = rows.filter(({ admin_level }) => admin_level === 8).map(({ id }) => id);
  }, 300_000);
  afterAll(() => server?.close());

  const km2Of = async (id: string, area: string) =>
    (await server.get(`/v1/boundaries/${id}?detail=full&area=${area}`, key)).json.properties?.area_km2 as number;

  async function tile(place: string, area: string): Promise<Record<string, Decoded[]>> {
    const reply = await server.get(`/tiles/boundaries/${place}.mvt?area=${area}`);
    expect([place, [200, 204].includes(reply.status)]).toEqual([place, true]);
    return reply.bytes.length === 0 ? {} : decodeTile(reply.bytes);
  }

  const drawnArea = (areas: readonly Decoded[] = [], id: string) =>
    areas
      .filter(({ properties }) => properties.id === id)
      .reduce((sum, { parts }) => sum + parts.reduce((own, ring) => own + doubleArea(ring) / 2, 0), 0);

  it('are in tiles, valid, with the vertices of neighbors in common, and make up the whole', async () => {
    for (const place of TILES) {
      const [all, land, water] = await Promise.all(['all', 'land', 'water'].map((area) => tile(place, area)));
      for (const part of [all, land, water]) expect(await troublesOf(part?.areas ?? [])).toEqual([]);
      const ofCouncils = (part: typeof land) =>
        (part?.areas ?? []).filter(({ properties }) => councils.includes(String(properties.id)));
      expect(await misfits(ofCouncils(land))).toEqual([]);
      const whole = drawnArea(all?.areas, country);
      const [dry, wet] = [drawnArea(land?.areas, country), drawnArea(water?.areas, country)];
      expect(Math.abs(dry + wet - whole) / whole).toBeLessThan(0.01);
    }
    const [land, water] = [await tile(TILES[0] as string, 'land'), await tile(TILES[0] as string, 'water')];
    expect(drawnArea(land.areas, country)).toBeGreaterThan(0);
    expect(drawnArea(land.areas, country)).toBeLessThan(drawnArea(water.areas, country));
  }, 120_000);

  it.skipIf(!oracleUrl)(
    'are on the sides of lines that are at sea, and of no others',
    async () => {
      const oracle = new pg.Client({ connectionString: oracleUrl });
      await oracle.connect();
      try {
        const text = readFileSync(join(dataDir as string, 'osm/malta-2018.land.expected.geojson'), 'utf8');
        const { features } = JSON.parse(text) as { features: { geometry: object }[] };
        let [checked, atSea] = [0, 0];
        for (const place of ['9/276/201', '11/1105/803', '12/2210/1606', '13/4421/3213']) {
          const { lines = [] } = await tile(place, 'all');
          const [z, x, y] = place.split('/').map(Number) as [number, number, number];
          const edges = lines.flatMap(({ properties, parts }) =>
            parts.flatMap((line) =>
              line.slice(1).map((to, i) => {
                const middle = [(line[i]!.x + to.x) / 2 + 4096 * x, (line[i]!.y + to.y) / 2 + 4096 * y] as const;
                const world = 4096 * 2 ** z;
                const at = [longitudeOf(middle[0], world) / 1e7, latitudeOf(middle[1], world) / 1e7] as const;
                return { maritime: properties.maritime, at };
              }),
            ),
          );
          expect(edges.every(({ maritime }) => typeof maritime === 'boolean')).toBe(true);
          // How far the middle of each edge is from the coast, at least, in meters.
          const { rows } = await oracle.query(
            `with land as materialized (
             select st_union(st_setsrid(st_geomfromgeojson(g), 4326)) as geom from unnest($1::text[]) as g
           ), coast as materialized (select st_boundary(geom) as line from land)
           select st_covers(land.geom, p.place) as land, 89000 * (select st_distance(line, p.place) from coast) as m
           from land, (select st_setsrid(st_point(x, y), 4326) as place, n
                       from unnest($2::float8[], $3::float8[]) with ordinality as q (x, y, n)) p
           order by n`,
            [
              features.map(({ geometry }) => JSON.stringify(geometry)),
              edges.map(({ at }) => at[0]),
              edges.map(({ at }) => at[1]),
            ],
          );
          // Half of the pixel of a simplified line, and two lines of the grid: nearer to the coast either is right.
          const width = 2 ** Math.max(3, 15 - z) + (2 * 40_075_000) / (4096 * 2 ** z);
          const clear = edges.map(({ maritime }, i) => ({ maritime, ...rows[i] })).filter(({ m }) => m > width);
          for (const { maritime, land } of clear) expect([place, maritime]).toEqual([place, !land]);
          checked += clear.length;
          atSea += clear.filter(({ maritime }) => maritime).length;
        }
        expect(checked).toBeGreaterThan(50);
        expect(atSea).toBeGreaterThan(20);
        expect(checked - atSea).toBeGreaterThan(20);
      } finally {
        await oracle.end();
      }
    },
    120_000,
  );

  it('are in tiles of a selection, which lists those of which the part is not known', async () => {
    const inland = [fixtureBoundary('r990', 'Inland', ringsOf(rectangle(-40, 10, -39, 11)))];
    const { db } = server.services;
    await storeBoundaries({ db, engine: server.engine }, { source: FIXTURE_SOURCE, file: 'made', boundaries: inland });
    const post = async (body: object) => {
      const reply = await server.ask('POST', '/tiles/selections', { key, json: body });
      return JSON.parse(reply.text) as { sha256: string; count: number; left_out?: { count: number; items: object[] } };
    };
    const ids = [...councils, 'r990'];
    const [whole, all, land, water] = [
      await post({ ids }),
      await post({ ids, area: 'all' }),
      await post({ ids, area: 'land' }),
      await post({ ids: [country], area: 'water' }),
    ];
    expect(whole).toMatchObject({ count: ids.length });
    expect([whole.sha256, whole.left_out]).toEqual([all.sha256, undefined]);
    expect(new Set([whole.sha256, land.sha256, water.sha256]).size).toBe(3);
    expect(land).toMatchObject({ count: ids.length - 1, left_out: { count: 1, items: [{ id: 'r990' }] } });
    const drawn = async ({ sha256 }: { sha256: string }, place: string, query = '') => {
      const reply = await server.get(`/tiles/selections/${sha256}/${place}.mvt${query}`);
      if (reply.status >= 300) throw new Error(reply.text);
      return reply.bytes.length === 0 ? {} : decodeTile(reply.bytes);
    };
    for (const place of TILES.slice(1)) {
      const [asAll, asLand, asWater] = [
        await tile(place, 'all'),
        await tile(place, 'land'),
        await tile(place, 'water'),
      ];
      for (const [selection, other] of [
        [whole, asAll],
        [land, asLand],
        [water, asWater],
      ] as const) {
        const own = await drawn(selection, place);
        expect(await troublesOf(own.areas ?? [])).toEqual([]);
        for (const id of selection === water ? [country] : councils)
          expect([id, drawnArea(own.areas, id)]).toEqual([id, drawnArea(other.areas, id)]);
      }
    }
    expect((await server.get(`/tiles/selections/${land.sha256}/${TILES[1]}.mvt?area=water`)).status).toBe(400);
    expect((await server.get(`/tiles/selections/${land.sha256}.json`)).json).toMatchObject({
      name: 'The land of a selection of boundaries',
    });
    expect(await post({ ids: ['r990'], area: 'land' })).toMatchObject({ code: 'no_geometry' });
    expect(await post({ ids: ['r990'], area: 'sea' })).toMatchObject({ code: 'invalid_input' });
  }, 60_000);

  it('are an archive of tiles', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'boundary-land-'));
    try {
      const file = join(folder, 'land.pmtiles');
      const options = { maxZoom: 9, bbox: null, prefer: [], metadata: {}, part: 'land' as const };
      await writeArchive(server.services, file, options, () => undefined);
      const bytes = await readFile(file);
      const archive = new PMTiles({
        getKey: () => file,
        getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
      });
      const found = await archive.getZxy(9, 276, 201);
      const own = decodeTile(new Uint8Array(found?.data as ArrayBuffer));
      expect(drawnArea(own.areas, country)).toBe(drawnArea((await tile('9/276/201', 'land')).areas, country));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it('are cached apart from whole tiles, and described', async () => {
    const url = (area: string) => `/tiles/boundaries/${TILES[0]}.mvt${area}`;
    const tags = await Promise.all(
      ['', '?area=all', '?area=land'].map(async (one) => (await server.get(url(one))).headers.etag),
    );
    expect(tags[0]).toBe(tags[1]);
    expect(tags[2]).not.toBe(tags[0]);
    expect((await server.get(url('?area=sea'))).status).toBe(400);
    const described = JSON.parse((await server.get('/tiles/boundaries.json?area=land&lang=de')).text) as {
      tiles: string[];
    };
    expect(described.tiles[0]).toContain('.mvt?lang=de&area=land');
  });

  it('are features of OGC API, and links keep the part', async () => {
    const items = `/ogc/collections/level-8/items`;
    const page = JSON.parse((await server.get(`${items}?limit=5&area=land`)).text) as {
      features: { id: string; geometry: object; properties: { area: string; area_km2: number } }[];
      links: { rel: string; href: string }[];
    };
    expect(page.features.length).toBe(5);
    for (const { id, properties } of page.features)
      expect([properties.area, properties.area_km2]).toEqual(['land', await km2Of(id, 'land')]);
    expect(page.links.find(({ rel }) => rel === 'next')?.href).toContain('area=land');
    const one = await server.get(`/ogc/collections/level-2/items/${country}?area=water`);
    const feature = JSON.parse(one.text) as { properties: object; links: { rel: string; href: string }[] };
    expect(feature.properties).toMatchObject({ area: 'water', area_km2: await km2Of(country, 'water') });
    const self = feature.links.find(({ rel }) => rel === 'self')?.href ?? '';
    expect((await server.get(self.slice(self.indexOf('/ogc')))).text).toBe(one.text);
    expect((await server.get(`${items}?area=sea`)).status).toBe(400);
  });

  it('are made by create_area, by parameter and by plan', async () => {
    const ask = async (body: object) =>
      (await server.ask('POST', '/v1/areas', { key, json: body })).json as unknown as {
        properties?: { area_km2: number; exact: boolean; plan: { area?: string } };
      };
    const two = councils.slice(0, 2);
    const steps = [
      { op: 'place', id: two[0] },
      { op: 'place', id: two[1] },
      { op: 'union', of: [0, 1] },
    ];
    const land = (await km2Of(two[0] as string, 'land')) + (await km2Of(two[1] as string, 'land'));
    for (const body of [{ plan: { steps }, area: 'land' }, { plan: { steps, area: 'land' } }]) {
      const { properties } = await ask({ ...body, detail: 'full' });
      expect(properties?.area_km2).toBeCloseTo(land, 6);
      expect([properties?.exact, properties?.plan.area]).toEqual([true, 'land']);
    }
    expect((await ask({ plan: { steps } })).properties?.plan.area).toBeUndefined();
    const clipped = await ask({
      plan: {
        steps: [
          { op: 'place', id: country },
          { op: 'clip', of: 0, direction: 'north' },
        ],
        area: 'water',
      },
      detail: 'full',
    });
    expect(clipped.properties?.area_km2).toBeLessThan(await km2Of(country, 'water'));
    expect(clipped.properties?.area_km2).toBeGreaterThan(0.3 * (await km2Of(country, 'water')));
    expect(await ask({ plan: { steps, area: 'land' }, area: 'water' })).toMatchObject({ code: 'invalid_input' });
    const widened = {
      plan: {
        steps: [
          { op: 'place', id: country },
          { op: 'buffer', of: 0, km: 2 },
        ],
      },
      area: 'land',
    };
    expect(await ask(widened)).toMatchObject({ code: 'could_not_map' });
  }, 60_000);

  it('are saved, each as a file of its own', async () => {
    const save = async (body: object) => (await server.ask('POST', '/v1/files', { key, json: body })).json;
    const [whole, land, water] = [
      await save({ boundary_id: country }),
      await save({ boundary_id: country, area: 'land' }),
      await save({ boundary_id: country, area: 'water', format: 'kml' }),
    ];
    expect([whole.code, land.code, water.code]).toEqual([undefined, undefined, undefined]);
    expect(new Set([whole.id, land.id, water.id]).size).toBe(3);
    expect((await save({ boundary_id: country, area: 'land' })).id).toBe(land.id);
    expect((await save({ boundary_id: country, area: 'all' })).id).toBe(whole.id);
    const content = await server.get(`/v1/files/${land.id}/content`, key);
    expect(content.json.properties).toMatchObject({ includes_water: false });
    const medium = await server.get(`/v1/boundaries/${country}?area=land`, key);
    expect(content.json.properties?.area_km2).toBeCloseTo(medium.json.properties?.area_km2 as number, 1);
    expect(await save({ union: { include: [country] }, area: 'land' })).toMatchObject({ code: 'invalid_input' });
    expect(await save({ area: 'land' })).toMatchObject({ code: 'invalid_input' });
  });
});
