import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import geographiclib from 'geographiclib-geodesic';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, ringsOf } from '../ops/fixture_world.ts';

const { Geodesic } = geographiclib;
const ITEMS = '/ogc/collections/lines/items';

interface Line {
  readonly id: string;
  readonly geometry: { readonly type: string; readonly coordinates: readonly (readonly [number, number])[] };
  readonly properties: Readonly<Record<string, unknown>> & { readonly length_km: number };
}

interface Page {
  readonly features: readonly Line[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const units = (points: readonly (readonly number[])[]) => Int32Array.from(points.flat(), (x) => Math.round(x * 1e7));
const kmOf = (points: readonly (readonly [number, number])[]): number =>
  points.slice(1).reduce((sum, [x, y], i) => {
    const [fromX, fromY] = points[i]!;
    return sum + (Geodesic.WGS84.Inverse(fromY, fromX, y, x, Geodesic.DISTANCE).s12 as number) / 1000;
  }, 0);

let server: BoundaryTestServer;
const dataDir = process.env.REAL_DATA_DIR;
const oracleUrl = process.env.ORACLE_DATABASE_URL;

const store = (input: Omit<StoreInput, 'file' | 'source'>) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', bbox: [-180, -90, 180, 90], ...input },
  );

/** All lines that a query gives, over its pages. */
async function all(query: string, limit = 100): Promise<Line[]> {
  const found: Line[] = [];
  let path: string | null = `${ITEMS}?limit=${limit}${query}`;
  for (let pages = 0; path !== null; pages++) {
    expect(pages).toBeLessThan(200);
    const reply = await server.get(path);
    const page = reply.json as unknown as Page;
    expect([path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([path, 200, '']);
    expect(page.features.length).toBeLessThanOrEqual(limit);
    found.push(...page.features);
    const next = page.links.find(({ rel }) => rel === 'next')?.href;
    path = next === undefined ? null : next.slice(next.indexOf('/ogc'));
  }
  return found;
}

/** The lines that pass a place. */
const at = (lines: readonly Line[], x: number, y: number) =>
  lines.filter(({ geometry: { coordinates } }) =>
    coordinates.slice(1).some(([toX, toY], i) => {
      const [fromX, fromY] = coordinates[i]!;
      const isOn = Math.abs((toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX)) < 1e-9;
      return isOn && (x - fromX) * (x - toX) + (y - fromY) * (y - toY) <= 0;
    }),
  );
const saidAt = (lines: readonly Line[], x: number, y: number) => at(lines, x, y).map((one) => one.properties.maritime);

/** A rectangle with a vertex every half of a degree, so that those beside it have it, too. */
function dense(west: number, south: number, east: number, north: number): [number, number][] {
  const steps = (from: number, to: number) =>
    Array.from({ length: Math.abs(to - from) * 2 }, (_, k) => from + (Math.sign(to - from) * k) / 2);
  return [
    ...steps(west, east).map((x): [number, number] => [x, south]),
    ...steps(south, north).map((y): [number, number] => [east, y]),
    ...steps(east, west).map((x): [number, number] => [x, north]),
    ...steps(north, south).map((y): [number, number] => [west, y]),
    [west, south],
  ];
}

/** Two countries out to sea, beside each other, another one inland, and a region of the first. */
async function storeWorld(): Promise<void> {
  const country = (id: string, west: number, south: number, east: number, north: number) =>
    fixtureBoundary(id, id, ringsOf(dense(west, south, east, north)), { adminLevel: 2 });
  const region = fixtureBoundary('r980', 'Region', ringsOf(dense(-40, 0, -39.5, 1)), { adminLevel: 4 });
  await store({
    boundaries: [
      country('r970', -40, 0, -39, 1),
      country('r971', -39, 0, -38, 1),
      country('r972', -40, 1, -38, 2),
      region,
    ],
  });
}

describe('the collection of borders', () => {
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    await storeWorld();
  });
  afterAll(() => server?.close());

  it('has each border once, of the lowest level that it bounds, and says nothing of the sea before a coast is stored', async () => {
    const lines = await all('');
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    expect(new Set(lines.map(({ properties }) => properties.maritime))).toEqual(new Set([null]));
    expect(new Set(lines.map(({ properties }) => properties.disputed))).toEqual(new Set([false]));
    expect(at(lines, -39, 0.5).map((one) => one.properties)).toMatchObject([{ admin_level: 2 }]);
    expect(at(lines, -39.5, 0.5).map((one) => one.properties)).toMatchObject([{ admin_level: 4 }]);
    const [ofOne] = at(lines, -39.5, 0.5);
    expect(new Set([ofOne?.properties.left_id, ofOne?.properties.right_id])).toEqual(new Set(['r980', null]));
    // The border of the region that is that of the country, too.
    expect(at(lines, -40, 0.5).map((one) => one.properties.admin_level)).toEqual([2]);
    const [between] = at(lines, -39, 0.5);
    const { left_id, right_id } = between!.properties;
    expect([left_id, right_id].sort()).toEqual(['r970', 'r971']);
    // Northward, the west is on the left.
    const [[, south], [, north]] = [between!.geometry.coordinates[0]!, between!.geometry.coordinates.at(-1)!];
    expect(left_id).toBe(north > south ? 'r970' : 'r971');
    const km = lines.reduce((sum, { properties }) => sum + properties.length_km, 0);
    const drawn = lines.reduce((sum, { geometry }) => sum + kmOf(geometry.coordinates), 0);
    // Lines lack the vertices of a parallel, which bends less than the tolerance of 8 m.
    expect(km).toBeCloseTo(drawn, 3);
    const whole = [
      [-40, 0, -39.5, 0, -39, 0, -38.5, 0, -38, 0, -38, 0.5, -38, 1, -38, 1.5, -38, 2],
      [-38, 2, -38.5, 2, -39, 2, -39.5, 2, -40, 2, -40, 1.5, -40, 1, -40, 0.5, -40, 0],
      [-40, 1, -39.5, 1, -39, 1, -38.5, 1, -38, 1],
      [-39, 0, -39, 0.5, -39, 1],
      [-39.5, 0, -39.5, 0.5, -39.5, 1],
    ].map((flat) => flat.flatMap((x, i) => (i % 2 === 0 ? [[x, defined(flat[i + 1])] as const] : [])));
    expect(km).toBeCloseTo(
      whole.reduce((sum, points) => sum + kmOf(points), 0),
      6,
    );
  });

  it('divides a border where it leaves the land, and gives the kilometers of each part', async () => {
    const coast = units([
      [-41, 0.25],
      [-39.1, 0.25],
      [-39.1, 0.1],
      [-38.9, 0.1],
      [-38.9, 0.25],
      [-37, 0.25],
    ]);
    await store({ boundaries: [], coast: [{ id: 9, version: 1, coords: coast }] });
    const lines = await all('');
    for (const [x, y, says] of [
      [-39, 0.5, false],
      [-39, 0.15, false],
      [-39, 0.05, true],
      [-39.25, 0, true],
      [-40, 0.2, true],
      [-40, 0.3, false],
      [-39.5, 0.3, false],
      [-39.5, 0.2, true],
      [-39.5, 1, false],
      [-40, 1.5, false],
    ] as const) {
      const said = new Set(saidAt(lines, x, y));
      expect([x, y, [...said]]).toEqual([x, y, [says]]);
    }
    const inner = at(lines, -39, 0.5).concat(at(lines, -39, 0.05));
    expect(inner.map(({ id }) => id.split('.').slice(0, 2).join('.'))).toEqual([
      inner[0]!.id.slice(0, -2),
      inner[0]!.id.slice(0, -2),
    ]);
    const kmTo = (south: number, north: number) =>
      kmOf([
        [-39, south],
        [-39, north],
      ]);
    expect(inner.map(({ properties }) => properties.length_km)).toEqual([
      expect.closeTo(kmTo(0.1, 1), 6),
      expect.closeTo(kmTo(0, 0.1), 6),
    ]);
    // What neighbors say of the same border.
    const { key } = await server.key('business');
    const near = await server.get('/v1/boundaries/r970/neighbors', key);
    const items = near.json.items as unknown as readonly Readonly<Record<string, unknown>>[];
    const other = defined(items.find(({ id }) => id === 'r971'));
    expect(other.land_km).toBeCloseTo(inner[0]!.properties.length_km, 2);
    expect(other.sea_km).toBeCloseTo(inner[1]!.properties.length_km, 2);
  });

  it('takes a box, a level, maritime and a limit, and its pages are the whole', async () => {
    const lines = await all('');
    const ids = lines.map(({ id }) => id);
    for (const limit of [1, 2, 5]) expect((await all('', limit)).map(({ id }) => id)).toEqual(ids);
    const ofCountries = lines.filter(({ properties }) => properties.admin_level === 2);
    expect(await all('&admin_level=2')).toEqual(ofCountries);
    expect(await all('&admin_level=4')).toEqual(lines.filter(({ properties }) => properties.admin_level === 4));
    expect(await all('&admin_level=7')).toEqual([]);
    for (const says of [true, false]) {
      const some = lines.filter(({ properties }) => properties.maritime === says);
      expect(some.length).toBeGreaterThan(0);
      expect(await all(`&maritime=${says}`, 2)).toEqual(some);
    }
    const boxed = await all('&bbox=-39.1,0.02,-38.9,0.05');
    expect(boxed.length).toBeGreaterThan(0);
    expect(boxed.length).toBeLessThan(lines.length);
    expect(at(boxed, -39, 0.03)).toHaveLength(1);
    expect(await all('&bbox=10,10,11,11')).toEqual([]);
    // A box across the antimeridian that has all of it, and one that has none.
    expect(await all('&bbox=170,-10,-30,10')).toEqual(lines);
    expect(await all('&bbox=170,-10,-170,10')).toEqual([]);
  });

  it('draws no line along 180 degrees or a pole', async () => {
    const south: [number, number][] = [-180, -90, 0, 90, 180].map((x) => [x, -90]);
    const shore: [number, number][] = [
      [180, -70],
      [90, -75],
      [0, -70],
      [-90, -75],
      [-180, -70],
    ];
    const cap = [...south, ...shore, [-180, -90] as [number, number]];
    await store({ boundaries: [fixtureBoundary('r999', 'Cap', ringsOf(cap), { adminLevel: 3 })] });
    const lines = await all('&admin_level=3');
    expect(lines.flatMap(({ geometry }) => geometry.coordinates.map(([, y]) => y)).sort()).toEqual([
      -70, -70, -70, -75, -75,
    ]);
    const km = kmOf(shore);
    expect(lines.reduce((sum, { properties }) => sum + properties.length_km, 0)).toBeCloseTo(km, 6);
  });

  it('gives one line, in either system, as a page, and refuses others', async () => {
    const [line] = await all('&maritime=true', 1);
    const own = await server.get(`${ITEMS}/${line!.id}`);
    expect(own.json).toMatchObject(line as object);
    const mercator = await server.get(`${ITEMS}/${line!.id}?crs=EPSG:3857`);
    expect(mercator.headers['content-crs']).toContain('3857');
    const [[x = 0] = []] = mercator.json.geometry.coordinates as number[][];
    expect(Math.abs(x)).toBeGreaterThan(1e6);
    for (const path of ['', '/queryables', '/items', `/items/${line!.id}`]) {
      const page = await server.get(`/ogc/collections/lines${path}?f=html`);
      expect([path, page.status, page.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
      const json = await server.get(`/ogc/collections/lines${path}?f=json`);
      expect([path, json.status]).toEqual([path, 200]);
    }
    const listed = JSON.parse((await server.get('/ogc/collections?f=json')).text) as { collections: { id: string }[] };
    expect(listed.collections.map(({ id }) => id)).toContain('lines');
    for (const id of ['r970.99.0', 'r970.1.99', 'r1.1.0', 'r970', 'r970.0.0', 'x.1.1', 'r970.1.0.0']) {
      const reply = await server.get(`${ITEMS}/${id}`);
      expect([id, reply.status, reply.json.code]).toEqual([id, 404, 'not_found']);
    }
    for (const query of [
      'maritime=maybe',
      'admin_level=x',
      'admin_level=-1',
      'after=r970',
      'after=r970.1',
      'area=land',
      'water=inland',
      'filter=admin_level=2',
      'lang=de',
      'limit=0',
      'bbox=1,2,3',
      'datetime=never',
      'maritime=true&maritime=false',
    ]) {
      const reply = await server.get(`${ITEMS}?${query}`);
      expect([query, reply.status, reply.json.code]).toEqual([query, 400, 'invalid_input']);
    }
  });
});

describe.skipIf(!dataDir || !oracleUrl)(
  'the borders of Malta (needs REAL_DATA_DIR and a PostGIS)',
  { timeout: 120_000 },
  () => {
    let oracle: pg.Client;
    beforeAll(async () => {
      server = await openBoundaryTestServer();
      const file = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
      await importFile({ db: server.services.db, engine: server.engine }, file, null);
      oracle = new pg.Client({ connectionString: oracleUrl });
      await oracle.connect();
    }, 120_000);
    afterAll(async () => {
      await oracle?.end();
      await server?.close();
    });

    it('are as long as PostGIS measures them, each once, and at sea where the land of osmcoastline is not', async () => {
      const lines = await all('');
      const shapes = await server.services.db.query<{ geom: string }>(
        'select st_asgeojson(st_boundary(geom), 9) as geom from boundary_shape',
      );
      const { rows: measured } = await oracle.query<{ km: number }>(
        `select st_length(st_union(st_geomfromgeojson(g))::geography) / 1000 as km from unnest($1::text[]) as g`,
        [shapes.map(({ geom }) => geom)],
      );
      const km = lines.reduce((sum, { properties }) => sum + properties.length_km, 0);
      expect(km / measured[0]!.km).toBeCloseTo(1, 7);
      const { features } = JSON.parse(
        readFileSync(join(dataDir as string, 'osm/malta-2018.land.expected.geojson'), 'utf8'),
      ) as { features: { geometry: object }[] };
      // A line at sea is out of the land but for its ends, and the tolerance by which it is simplified.
      const { rows } = await oracle.query<{ maritime: boolean; m: number; wet: number }>(
        `with land as (select st_union(st_geomfromgeojson(g)) as geom from unnest($1::text[]) as g),
            line as (select st_geomfromgeojson(g) as geom, maritime from unnest($2::text[], $3::boolean[]) as l (g, maritime))
       select line.maritime, sum(st_length(line.geom::geography)) as m,
              sum(st_length(st_difference(line.geom, st_buffer(land.geom, 1e-4))::geography)) as wet
       from line, land group by line.maritime`,
        [
          features.map(({ geometry }) => JSON.stringify(geometry)),
          lines.map(({ geometry }) => JSON.stringify(geometry)),
          lines.map(({ properties }) => properties.maritime),
        ],
      );
      const [atSea, onLand] = [rows.find(({ maritime }) => maritime), rows.find(({ maritime }) => maritime === false)];
      expect(rows).toHaveLength(2);
      expect(defined(atSea).wet / defined(atSea).m).toBeGreaterThan(0.999);
      expect(defined(onLand).wet).toBe(0);
    });

    it('say nothing of the sea of a past date', async () => {
      const past = await server.get(`${ITEMS}?datetime=2015-01-01`);
      expect([past.status, (past.json as unknown as Page).features]).toEqual([200, []]);
      const today = new Date().toISOString().slice(0, 10);
      const now = await all(`&datetime=${today}`);
      expect(now.map(({ id }) => id).length).toBeGreaterThan(100);
      expect(new Set(now.map(({ properties }) => properties.maritime))).toEqual(new Set([null]));
    });
  },
);
