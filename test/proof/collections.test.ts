import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { feature } from 'topojson-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { COLLECTION_FORMATS, extension } from '../../workers/formats/registry.ts';
import { hasGdal } from '../formats/gdal.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { leading, pairs } from '../setup/elements.ts';
import { seeded } from '../setup/seeded.ts';
import { canonicalRings, dataDir } from './environment.ts';
import { oracleUrl } from './oracle.ts';
import { drawn } from './rounds.ts';

type Value = string | number | null;
interface Read {
  readonly id?: string;
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

let server: BoundaryTestServer;
let key: string;
let folder: string;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, {}, undefined, seeded);
  const deps = { db: server.services.db, engine: server.engine };
  if (dataDir) await importFile(deps, join(dataDir, 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf'), null);
  ({ key } = await server.key());
  folder = mkdtempSync(join(tmpdir(), 'collections-'));
}, 600_000);
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function collect(input: object): Promise<Buffer> {
  const reply = await server.ask('POST', '/v1/collections', { key, json: input });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.bytes;
}

const selections: Readonly<Record<string, object>> = {
  "Spain's provinces": { country: 'ES', kind: 'province', detail: 'medium' },
  'the municipalities of Andalusia': { children_of: 'iso:ES-AN', admin_level: 8, detail: 'high' },
  'the counties of the United States': { country: 'US', kind: 'county', detail: 'medium' },
  ...(dataDir ? { 'all of Luxembourg': { children_of: 'iso:LU', levels: 'all', tolerance_m: 16 } } : {}),
};

/** What GDAL reads of a file, by id. */
function gdal(bytes: Uint8Array, format: string, extension: string): Map<string, Read> {
  const file = join(folder, `collection.${extension}`);
  writeFileSync(file, bytes);
  const open = format === 'csv' ? ['-oo', 'GEOM_POSSIBLE_NAMES=wkt', '-oo', 'AUTODETECT_TYPE=YES'] : [];
  const out = execFileSync(
    'ogr2ogr',
    [...open, '-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=7', '-lco', 'RFC7946=NO', '-q', '/vsistdout/', file],
    { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  );
  rmSync(file);
  rmSync(join(folder, 'collection.gfs'), { force: true });
  const { features } = JSON.parse(out) as { features: Read[] };
  // GDAL takes an id that is also the feature's own for that alone.
  return new Map(
    features.map((one) => {
      const id = String(one.properties.id ?? one.id);
      return [id, { ...one, properties: { ...one.properties, id } }];
    }),
  );
}

/** Attributes as text: formats without types, or with fewer, tell them as they can. */
const texts = (properties: Readonly<Record<string, Value>>, names: readonly string[]) =>
  names.map((name) => (properties[name] === null || properties[name] === undefined ? '' : String(properties[name])));

describe.runIf(hasGdal)('every format read back', () => {
  for (const [name, input] of drawn(Object.entries(selections))) {
    it(`has ${name}, feature by feature`, { timeout: 600_000 }, async () => {
      const collection = JSON.parse((await collect({ ...input, names: 'fr' })).toString()) as { features: Read[] };
      const expected = new Map(collection.features.map((one) => [String(one.properties.id), one]));
      const rings = new Map([...expected].map(([id, { geometry }]) => [id, canonicalRings(geometry)]));
      expect(expected.size).toBe(collection.features.length);
      expect(expected.size).toBeGreaterThan(10);
      const columns = Object.keys(defined(collection.features[0]).properties).filter((column) => column !== 'name:fr');
      for (const format of COLLECTION_FORMATS) {
        // Other readers prove these: this file further down, binary.test.ts, pmtiles.test.ts, and test/formats/collection.
        if (['svg', 'poly', 'pmtiles', 'shapefile', 'geoparquet', 'zip'].includes(format)) continue;
        const bytes = await collect({ ...input, names: 'fr', format });
        const found = gdal(bytes, format, format === 'ndjson' ? 'geojsonl' : extension(format));
        expect([...found.keys()].sort(), format).toEqual([...expected.keys()].sort());
        for (const [id, one] of expected) {
          const read = found.get(id) as Read;
          expect(canonicalRings(read.geometry), `${format} ${id}`).toEqual(rings.get(id));
          const known = format === 'kml' ? { ...read.properties, name: read.properties.Name } : read.properties;
          expect(texts(known as Record<string, Value>, columns), `${format} ${id}`).toEqual(
            texts(one.properties, columns),
          );
        }
      }
    });
  }

  it('is a topology in which each border is there once', { timeout: 600_000 }, async () => {
    const input = defined(selections["Spain's provinces"]);
    const topology = JSON.parse((await collect({ ...input, format: 'topojson' })).toString());
    const collection = JSON.parse((await collect(input)).toString()) as { features: Read[] };
    const made = feature(topology, topology.objects.boundaries) as unknown as { features: (Read & { id: string })[] };
    expect(made.features.map(({ id }) => id)).toEqual(collection.features.map(({ properties }) => properties.id));
    made.features.forEach((one, i) => {
      expect(canonicalRings(one.geometry), one.id).toEqual(canonicalRings(defined(collection.features[i]).geometry));
    });
    const arcs = topology.arcs as [number, number][][];
    const edges = new Set<string>();
    for (const arc of arcs) {
      for (let i = 1; i < arc.length; i++) {
        const edge = [defined(arc[i - 1]).join(' '), defined(arc[i]).join(' ')].sort().join();
        expect(edges.has(edge)).toBe(false);
        edges.add(edge);
      }
    }
  });

  it('draws one group a feature, and one section a ring', { timeout: 600_000 }, async () => {
    const input = defined(selections["Spain's provinces"]);
    const collection = JSON.parse((await collect(input)).toString()) as { features: Read[] };
    const svg = (await collect({ ...input, format: 'svg' })).toString();
    expect([...svg.matchAll(/<g id="(\w+)"/g)].map(([, id]) => id)).toEqual(
      collection.features.map(({ properties }) => properties.id),
    );
    const poly = (await collect({ ...input, format: 'poly' })).toString();
    const rings = collection.features.flatMap(({ geometry }) => canonicalRings(geometry));
    const sections = poly.split('\nEND\n').slice(0, -1);
    expect(sections.length).toBe(rings.length);
    const read = sections.map((section) => {
      const points = section.split('\n').filter((line) => line.startsWith('\t'));
      return { type: 'Polygon', coordinates: [points.map((line) => line.trim().split('\t').map(Number))] };
    });
    expect(read.flatMap(canonicalRings).sort()).toEqual([...rings].sort());
    expect(poly.endsWith('END\nEND\n')).toBe(true);
  });
});

/** Twice the area on the grid, exactly. */
function doubleArea(geometry: Read['geometry']): bigint {
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][];
  let sum = 0n;
  for (const ring of polygons.flat()) {
    const grid = ring.map((point) =>
      leading(
        point.map((degrees) => BigInt(Math.round(degrees * 1e7))),
        2,
      ),
    );
    for (const [[ax, ay], [bx, by]] of pairs(grid)) sum += ax * by - bx * ay;
  }
  return sum;
}

describe.runIf(oracleUrl)('neighbors at one tolerance', () => {
  const cases: (readonly [string, object])[] = [
    ['iso:ES', { country: 'ES', kind: 'province' }],
    ['iso:ES-AN', { children_of: 'iso:ES-AN', admin_level: 8 }],
    ['iso:US-NM', { children_of: 'iso:US-NM', admin_level: 6 }],
    ...(dataDir ? ([['iso:LU', { children_of: 'iso:LU', admin_level: 8 }]] as [string, object][]) : []),
  ];
  it.each(drawn(cases))(
    'tile %s without overlap or gap, at four tolerances',
    { timeout: 600_000 },
    async (parent, selection) => {
      const client = new pg.Client({ connectionString: oracleUrl });
      await client.connect();
      try {
        for (const tolerance_m of [16, 256, 2048, 8192]) {
          const { features } = JSON.parse((await collect({ ...selection, tolerance_m })).toString()) as {
            features: Read[];
          };
          const [whole] = leading(
            JSON.parse((await collect({ ids: [parent], tolerance_m })).toString()).features as Read[],
            1,
          );
          const area = features.reduce((sum, { geometry }) => sum + doubleArea(geometry), 0n);
          // Elsewhere some of the parts are unknown: what they leave is not a gap between neighbors.
          const left = doubleArea(whole.geometry) - area;
          expect(left >= 0n && (parent !== 'iso:US-NM' || left === 0n), `${parent} ${tolerance_m} ${left}`).toBe(true);
          await client.query('create temp table if not exists part (n integer, geom geometry)');
          await client.query('truncate part');
          await client.query(
            `insert into part select n, st_scale(st_geomfromgeojson(g), 1e7, 1e7)
           from unnest($1::text[]) with ordinality as t (g, n)`,
            [features.map(({ geometry }) => JSON.stringify(geometry))],
          );
          await client.query('update part set geom = st_snaptogrid(geom, 1)');
          const { rows } = await client.query(
            `select (select count(*) from part where not st_isvalid(geom))::integer as invalid,
                  (select count(*) from part a join part b on a.n < b.n and a.geom && b.geom
                   where st_intersects(a.geom, b.geom) and not st_touches(a.geom, b.geom))::integer as overlaps`,
          );
          expect(rows[0], `${parent} ${tolerance_m}`).toEqual({ invalid: 0, overlaps: 0 });
        }
      } finally {
        await client.end();
      }
    },
  );
});
