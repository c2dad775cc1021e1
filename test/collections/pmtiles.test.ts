import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { dataDir } from '../proof/environment.ts';
import { luxembourg } from '../setup/luxembourg.ts';
import { type Decoded, decodeTile, doubleArea } from '../tiles/decode.ts';
import { misfits, troublesOf } from '../tiles/valid.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, {}, undefined, dataDir ? luxembourg : undefined);
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

type Tile = Record<string, Decoded[]>;

/** The archive through the reader of the makers of the format. */
function opened(bytes: Uint8Array): PMTiles {
  return new PMTiles({
    getKey: () => 'memory',
    getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.slice(offset, offset + length)).buffer }),
  });
}

async function collect(input: object): Promise<PMTiles> {
  const reply = await server.ask('POST', '/v1/collections', { key, json: { ...input, format: 'pmtiles' } });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.pmtiles']);
  return opened(reply.bytes);
}

async function tileOf(archive: PMTiles, z: number, x: number, y: number): Promise<Tile> {
  const found = await archive.getZxy(z, x, y);
  return found ? decodeTile(new Uint8Array(found.data)) : {};
}

/** Looks at every tile of a saved archive: the service sends what the archive has, to whoever may read the file. */
async function expectServed({ id, url }: { readonly id: string; readonly url: string }): Promise<void> {
  const ask = (path: string, by: string | undefined) => server.ask('GET', `/tiles/files/${id}${path}`, { key: by });
  const archive = opened((await server.ask('GET', new URL(url).pathname.replace('/base', ''), { key })).bytes);
  const { maxZoom, minLon } = await archive.getHeader();
  const described = JSON.parse((await ask('.json', key)).text);
  expect(described).toMatchObject({
    maxzoom: maxZoom,
    attribution: expect.stringContaining('OpenStreetMap'),
    vector_layers: ((await archive.getMetadata()) as { vector_layers: object }).vector_layers,
  });
  expect(described.bounds[0]).toBeCloseTo(minLon);
  let sent = 0;
  for (let z = 0; z <= maxZoom; z++) {
    for await (const { x, y } of tilesOf(archive, z)) {
      const found = await archive.getZxy(z, x, y);
      const reply = await ask(`/${z}/${x}/${y}.mvt`, key);
      expect([reply.status, reply.headers['cache-control']]).toEqual([found ? 200 : 204, 'private, no-cache']);
      if (found) expect(reply.bytes.equals(Buffer.from(found.data)), `${z}/${x}/${y}`).toBe(true);
      sent++;
    }
  }
  expect(sent).toBeGreaterThan(maxZoom);
  expect((await ask('/3/0/0.mvt', key)).status).toBe(204);
  expect((await ask(`/${maxZoom + 1}/0/0.mvt`, key)).status).toBe(404);
  expect([(await ask('.json', undefined)).status, (await ask('/0/0/0.mvt', undefined)).status]).toEqual([401, 401]);
  const stranger = (await server.key()).key;
  expect((await ask('/0/0/0.mvt', stranger)).status).toBe(404);
}

/** Every tile of a zoom that has a place in the archive's box. */
async function* tilesOf(archive: PMTiles, z: number): AsyncGenerator<{ x: number; y: number; tile: Tile }> {
  const { minLon, minLat, maxLon, maxLat } = await archive.getHeader();
  const row = (lat: number): number => {
    const sine = Math.sin((lat * Math.PI) / 180);
    return Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z);
  };
  const column = (lon: number): number => Math.min(2 ** z - 1, Math.floor((lon / 360 + 0.5) * 2 ** z));
  for (let x = column(minLon); x <= column(maxLon); x++) {
    for (let y = Math.max(0, row(maxLat)); y <= Math.min(2 ** z - 1, row(minLat)); y++) {
      yield { x, y, tile: await tileOf(archive, z, x, y) };
    }
  }
}

const onSide = (value: number): boolean => value === -64 || value === 4096 + 64;

/** The area of each, and its edges but for those along the sides of the tile, where there is more than one way round. */
function byId(areas: readonly Decoded[] = []): Map<unknown, { area: number; edges: string[] }> {
  const shape = ({ parts }: Decoded) => ({
    area: parts.reduce((sum, ring) => sum + doubleArea(ring), 0),
    edges: parts
      .flatMap((ring) =>
        ring.slice(1).flatMap((b, i) => {
          const a = ring[i] as { x: number; y: number };
          const along = (a.x === b.x && onSide(a.x)) || (a.y === b.y && onSide(a.y));
          return along ? [] : `${a.x} ${a.y} ${b.x} ${b.y}`;
        }),
      )
      .sort(),
  });
  return new Map(areas.map((area) => [area.properties.id, shape(area)]));
}

type Point = Decoded['parts'][number][number];

const edgesOf = ({ parts }: Pick<Decoded, 'parts'>): (readonly [Point, Point])[] =>
  parts.flatMap((ring) => ring.slice(1).map((b, i) => [ring[i] as Point, b] as const));

const alongSide = ([a, b]: readonly [Point, Point]): boolean =>
  (a.x === b.x && onSide(a.x)) || (a.y === b.y && onSide(a.y));

/** Vertices of the areas of a zoom of an archive. */
async function verticesAt(archive: PMTiles, z: number): Promise<number> {
  let count = 0;
  for await (const { tile } of tilesOf(archive, z)) {
    for (const { parts } of tile.areas ?? []) for (const ring of parts) count += ring.length - 1;
  }
  return count;
}

/** Edges of the areas of a tile that no other area has the other way round, those along the sides of the tile left out. */
function unshared(areas: readonly Pick<Decoded, 'parts'>[]): (readonly [Point, Point])[] {
  const open = new Map<string, { count: number; edge: readonly [Point, Point] }>();
  for (const edge of areas.flatMap(edgesOf)) {
    if (alongSide(edge)) continue;
    const [a, b] = edge.map(({ x, y }) => `${x} ${y}`) as [string, string];
    const [key, sign] = a < b ? [`${a} ${b}`, 1] : [`${b} ${a}`, -1];
    const had = open.get(key);
    if (had) had.count += sign;
    else open.set(key, { count: sign, edge });
  }
  return [...open.values()].filter(({ count }) => count !== 0).map(({ edge }) => edge);
}

/** The square of the distance of a point from a segment. */
function squareFrom([px, py]: readonly [number, number], [ax, ay, bx, by]: readonly number[]): number {
  const [dx, dy] = [(bx as number) - (ax as number), (by as number) - (ay as number)];
  const along = ((px - (ax as number)) * dx + (py - (ay as number)) * dy) / (dx * dx + dy * dy || 1);
  const held = Math.max(0, Math.min(1, along));
  return (px - (ax as number) - held * dx) ** 2 + (py - (ay as number) - held * dy) ** 2;
}

const ringsOf = (geometry: GeoJSON.Geometry): GeoJSON.Position[][] => {
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat();
  return geometry.type === 'Polygon' ? geometry.coordinates : [];
};

/** A place in units of the grid of a zoom. */
function gridded(lon: number, lat: number, z: number): [x: number, y: number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [(lon / 360 + 0.5) * 4096 * 2 ** z, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 4096 * 2 ** z];
}

/** How far putting a vertex on every second line of the grid moves it. */
const SNAP = Math.SQRT2;

describe.runIf(dataDir)('a PMTiles archive of a selection', () => {
  it('has at every zoom the vertices of its tolerance, and neighbors have all of them in common', async () => {
    const communes = { children_of: 'r2171347', admin_level: 8 };
    const archive = await collect({ ...communes, tolerance_m: 16 });
    expect((await archive.getHeader()).maxZoom).toBe(11);
    // The last zoom of an archive at that tolerance: the tier that is stored.
    for (const z of [4, 6, 8, 10]) {
      const stored = await collect({ ...communes, tolerance_m: 2 ** (15 - z) });
      const ratio = (await verticesAt(archive, z)) / (await verticesAt(stored, z));
      expect([z, ratio < 1.1], `${ratio} times the vertices`).toEqual([z, true]);
    }
    const reply = await server.ask('POST', '/v1/collections', {
      key,
      json: { ...communes, tolerance_m: 16, format: 'geojson' },
    });
    const given = (JSON.parse(reply.text) as GeoJSON.FeatureCollection).features.map(({ geometry }) => ({
      parts: ringsOf(geometry).map((ring) => ring.map(([x = 0, y = 0]) => ({ x, y }))),
    }));
    // What only one commune has: the border of the country.
    const outline = unshared(given).map(([a, b]) => [a.x, a.y, b.x, b.y]);
    for (let z = 0; z <= 11; z++) {
      const onGrid = outline.map(([a = 0, b = 0, c = 0, d = 0]) => [...gridded(a, b, z), ...gridded(c, d, z)]);
      // In units of the grid at this latitude: the tolerance and the snap.
      const perMeter = (4096 * 2 ** z) / (40_075_017 * Math.cos((49.4 * Math.PI) / 180));
      const allowed = (z === 11 ? 0 : 2 ** (15 - z)) * perMeter + 2 * SNAP;
      let furthest = 0;
      for await (const { x, y, tile } of tilesOf(archive, z)) {
        for (const [a, b] of unshared(tile.areas ?? [])) {
          const middle = [(a.x + b.x) / 2 + 4096 * x, (a.y + b.y) / 2 + 4096 * y] as const;
          const least = onGrid.reduce((near, edge) => Math.min(near, squareFrom(middle, edge)), Infinity);
          furthest = Math.max(furthest, Math.sqrt(least));
        }
        expect(await troublesOf(tile.areas ?? []), `${z}/${x}/${y}`).toEqual([]);
        expect(await misfits(tile.areas ?? []), `${z}/${x}/${y}`).toEqual([]);
      }
      expect([z, furthest <= allowed], `${furthest} of ${allowed} from the outline`).toEqual([z, true]);
    }
  });

  it('has at its last zoom the areas that the service draws there', async () => {
    const archive = await collect({ children_of: 'r2171347', admin_level: 6, tolerance_m: 8 });
    const header = await archive.getHeader();
    expect([header.minZoom, header.maxZoom, header.tileType]).toEqual([0, 12, 1]);
    let compared = 0;
    for await (const { x, y, tile } of tilesOf(archive, 12)) {
      const reply = await server.get(`/tiles/boundaries/12/${x}/${y}.mvt`);
      const drawn = reply.status === 204 ? {} : decodeTile(reply.bytes);
      const cantons = drawn.areas?.filter(({ properties }) => properties.level === 6 && properties.country === 'LU');
      expect(byId(tile.areas), `${x}/${y}`).toEqual(byId(cantons));
      compared += tile.areas?.length ?? 0;
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('has every boundary with its attributes, each border once and one label', async () => {
    const archive = await collect({ children_of: 'r2171347', admin_level: 6, detail: 'medium', names: 'fr' });
    const { maxZoom } = await archive.getHeader();
    const list = await server.get('/v1/boundaries/r2171347/children?admin_level=6&limit=100');
    const ids = list.json.items.map(({ id }) => id).sort();
    for (const z of [6, maxZoom]) {
      const found = new Set<unknown>();
      const labels: unknown[] = [];
      const french = new Set<unknown>();
      for await (const { tile } of tilesOf(archive, z)) {
        for (const { properties, parts } of tile.areas ?? []) {
          found.add(properties.id);
          expect(properties).toMatchObject({ country: 'LU', level: 6 });
          if (properties['name:fr'] !== undefined) french.add(properties['name:fr']);
          expect(doubleArea(parts[0] as Decoded['parts'][number])).toBeGreaterThan(0);
        }
        labels.push(...(tile.labels ?? []).map(({ properties }) => properties.id));
        const edges = (tile.lines ?? []).flatMap(({ parts }) =>
          parts.flatMap((line) =>
            line.slice(1).map((b, i) => {
              const a = line[i] as { x: number; y: number };
              return [`${a.x} ${a.y}`, `${b.x} ${b.y}`].sort().join();
            }),
          ),
        );
        expect(new Set(edges).size).toBe(edges.length);
      }
      expect([...found].sort()).toEqual(ids);
      expect(french.size).toBeGreaterThan(2);
      expect(labels.sort()).toEqual(ids);
    }
  });

  it('comes by the routes that make files, and from a dissolve', async () => {
    const { json } = await server.rpc(
      'export_collection',
      { children_of: 'r2171347', admin_level: 6, detail: 'low', format: 'pmtiles' },
      key,
    );
    const fetched = await server.get(new URL(json.url).pathname.replace('/base', ''));
    expect([fetched.status, fetched.headers['content-type']]).toEqual([200, 'application/vnd.pmtiles']);
    expect((await opened(fetched.bytes).getMetadata()) as object).toMatchObject({
      attribution: expect.stringContaining('OpenStreetMap'),
    });
    const saved = await server.ask('POST', '/v1/files', {
      key,
      json: { collection: { children_of: 'r2171347', admin_level: 6 }, format: 'pmtiles', detail: 'low' },
    });
    expect([saved.status, JSON.parse(saved.text).format]).toEqual([201, 'pmtiles']);
    await expectServed(JSON.parse(saved.text));
    const list = await server.get('/v1/boundaries/r2171347/children?admin_level=6&limit=100');
    const [one, two, ...rest] = list.json.items.map(({ id }) => id);
    const groups = { west: [one, two], east: rest };
    const merged = await server.ask('POST', '/v1/dissolve', {
      key,
      json: { groups, format: 'pmtiles', detail: 'low' },
    });
    const file = await server.get(new URL(merged.json.url).pathname.replace('/base', ''));
    const archive = opened(file.bytes);
    const names = new Set<unknown>();
    for await (const { tile } of tilesOf(archive, 6)) {
      for (const { properties } of tile.areas ?? []) names.add(properties.name);
    }
    expect([...names].sort()).toEqual(['east', 'west']);
  });
});

describe('a PMTiles archive', () => {
  it('reaches over 180 degrees without a column of tiles that hold nothing', async () => {
    const archive = await collect({ ids: ['r600'], tolerance_m: 512 });
    const { maxZoom, numAddressedTiles } = await archive.getHeader();
    expect(maxZoom).toBe(6);
    expect(numAddressedTiles).toBeLessThan(4 ** 6);
    let areas = 0;
    for await (const { tile } of tilesOf(archive, maxZoom)) areas += tile.areas?.length ?? 0;
    expect(areas).toBeGreaterThan(0);
  });
});
