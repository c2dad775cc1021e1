/**
 * `DATABASE_URL=… COUNTRY=FR LEVEL=8 tsx benchmarks/collections_proof.ts`: exports all boundaries of a level of a
 * country as a job in every format of a collection, reads them back with other software (GDAL; hyparquet; Python's
 * zipfile; lines of .poly and SVG) and compares them with the database feature by feature: count, attributes, and
 * geometry on the grid of 1e-7 degrees. Then checks four tolerances: every boundary is valid, none overlap (PostGIS),
 * and the sum of their areas equals the area of their union, so there are no gaps either. The PMTiles archive has a
 * tolerance of 16 m (PMTILES_TOLERANCE): at full detail a country as large as the United States has more tiles than one
 * archive holds. Its last zoom is compared with the ndjson of that tolerance, within 1.75 grid units
 * (collections_tiles.ts). Needs a filled native database, ogr2ogr and python3. FORMATS and TOLERANCES select some; KEY
 * is a key of an account whose plan allows the export; without it, the script creates an account and leaves it in the
 * database. Compares while reading and keeps only a hash of each feature. Exits with 1 at a difference.
 */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { openApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config.ts';
import { COLLECTION_FORMATS, type CollectionFormat, extension } from '../workers/formats/registry.ts';
import { canonical, doubleArea, type Feature, type Geometry, hashOf, ringsOf } from './collections_geometry.ts';
import { byGdal, byHyparquet, byPython, polyRings, ROWS, svgIds } from './collections_readers.ts';
import { compareTiles } from './collections_tiles.ts';
import { startService } from './http/server.ts';

const COUNTRY = process.env.COUNTRY ?? 'FR';
const LEVEL = Number(process.env.LEVEL ?? 8);
const FORMATS = (process.env.FORMATS?.split(',') ?? COLLECTION_FORMATS) as CollectionFormat[];
/** An empty value means none. */
const TOLERANCES = (process.env.TOLERANCES ?? '16,256,2048,8192').split(',').filter(Boolean).map(Number);
const PMTILES_TOLERANCE = Number(process.env.PMTILES_TOLERANCE ?? 16);
const JSON_TYPE = { 'content-type': 'application/json' };

const url = process.env.DATABASE_URL ?? '';
const folder = await mkdtemp(join(tmpdir(), 'boundary-collections-'));
const key = process.env.KEY ?? (await newKey());
const client = new pg.Client(url);
await client.connect();
const server = await startService(folder, { DATABASE_URL: url, DATA_DIR: folder });
const address = `http://127.0.0.1:${server.port}`;

/** Creates an account and returns a key of it. */
async function newKey(): Promise<string> {
  const app = await openApp(loadConfig({ DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  try {
    return (await app.services.keys.create({ email: 'proof@example.org', plan: 'business' })).key;
  } finally {
    await app.close();
  }
}

/** Attributes as text, because some formats have no types or fewer of them. */
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

interface Known {
  readonly geometry: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The expected features by id: the polygons from PostGIS, and the attributes that are table columns. */
async function expected(): Promise<Map<string, Known>> {
  const found = new Map<string, Known>();
  for (let last = ''; ; ) {
    const { rows } = await client.query(
      `select b.id, b.name as local_name, b.kind, b.admin_level, b.country, b.iso, b.wikidata, b.population,
              st_asgeojson(s.geom, 7) as geometry
       from boundary b join boundary_shape s on s.boundary_id = b.id
       where b.country = $1 and b.admin_level = $2 and b.id > $3 order by b.id limit ${ROWS}`,
      [COUNTRY, LEVEL, last],
    );
    if (rows.length === 0) return found;
    for (const { geometry, ...values } of rows) {
      const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
      found.set(values.id, { geometry: hashOf(ringsOf(JSON.parse(geometry))), values: texts });
    }
    last = rows[rows.length - 1].id;
  }
}

/** Sends a request to the server. @throws Error when it fails */
async function ask(path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, ...(body && JSON_TYPE) };
  const answer = await request(`${address}${path}`, {
    method: body ? 'POST' : 'GET',
    headers,
    ...(body && { body: JSON.stringify(body) }),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (answer.statusCode >= 300)
    throw new Error(`${path}: ${answer.statusCode} ${(await answer.body.text()).slice(0, 300)}`);
  return answer.body;
}

/** Creates a file with a job and downloads it. */
async function fileOf(op: string, input: object, name: string): Promise<string> {
  const { id } = (await (await ask('/v1/jobs', { op, input })).json()) as { id: string };
  for (;;) {
    const job = (await (await ask(`/v1/jobs/${id}`)).json()) as { state: string; url: string | null };
    if (job.state === 'done' && job.url !== null) {
      const path = join(folder, name);
      await pipeline(await ask(new URL(job.url).pathname), createWriteStream(path));
      return path;
    }
    if (job.state === 'failed' || job.state === 'canceled') throw new Error(`${op}: ${JSON.stringify(job)}`);
    await sleep(200);
  }
}

function requireSame(format: string, what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted)
    throw new Error(`${format}: ${what}: ${String(found).slice(0, 200)} instead of ${String(wanted).slice(0, 200)}`);
}

/** Compares features with the expected ones, one by one. */
async function compare(
  format: CollectionFormat,
  features: AsyncIterable<Feature>,
  known: Map<string, Known>,
): Promise<void> {
  const seen = new Set<string>();
  for await (const { id, properties, geometry } of features) {
    const one = known.get(id);
    if (!one) throw new Error(`${format}: ${id} was not asked for`);
    requireSame(format, `${id} twice`, seen.has(id), false);
    seen.add(id);
    requireSame(format, `geometry of ${id}`, geometry && hashOf(ringsOf(geometry)), one.geometry);
    for (const [name, value] of Object.entries(one.values)) {
      // Shapefile columns have names of ten characters, and control characters become spaces, because the format cannot
      // store them; the title of a single file has its own members.
      const isDbf = format === 'shapefile';
      const own = isDbf ? name.slice(0, 10) : name;
      if (format === 'zip' && !(own in properties)) continue;
      const wanted = isDbf ? value.replace(/\p{Cc}/gu, ' ') : value;
      requireSame(format, `${name} of ${id}`, textOf(properties[own]), wanted);
    }
  }
  requireSame(format, 'features', seen.size, known.size);
}

/** Compares tiles with GeoJSON lines of the same tolerance. */
async function comparePmtiles(known: Map<string, Known>): Promise<string> {
  const selection = { country: COUNTRY, admin_level: LEVEL, tolerance_m: PMTILES_TOLERANCE };
  const archive = await fileOf('export_collection', { ...selection, format: 'pmtiles' }, 'all.pmtiles');
  const lines = await fileOf('export_collection', { ...selection, format: 'ndjson' }, 'tiles.ndjson');
  const shown = await compareTiles(client, { archive, lines }, known);
  await Promise.all([rm(archive), rm(lines)]);
  return shown;
}

async function compareNeighbors(tolerance_m: number, ids: readonly string[]): Promise<string> {
  const selection = { country: COUNTRY, admin_level: LEVEL, tolerance_m };
  const file = await fileOf('export_collection', { ...selection, format: 'ndjson' }, 'tolerance.ndjson');
  await client.query('create temp table if not exists part (id text, geom geometry)');
  await client.query('truncate part');
  let area = 0n;
  let some: [string, string][] = [];
  const put = async () => {
    await client.query(
      `insert into part select i, st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson(g), 0), 1e7, 1e7), 1)
       from unnest($1::text[], $2::text[]) as t (i, g)`,
      [some.map(([id]) => id), some.map(([, geometry]) => geometry)],
    );
    some = [];
  };
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { properties, geometry } = JSON.parse(line) as Feature;
    count++;
    if (geometry === null) continue;
    area += doubleArea(geometry);
    some.push([String(properties.id), JSON.stringify(geometry)]);
    if (some.length === ROWS) await put();
  }
  await put();
  requireSame(`${tolerance_m} m`, 'features', count, ids.length);
  await client.query('create index if not exists part_geom on part using gist (geom)');
  await client.query('analyze part');
  const { rows } = await client.query(
    `select (select count(*) from part where not st_isvalid(geom))::integer as invalid,
            (select count(*) from part a join part b on a.id < b.id and a.geom && b.geom
             where st_relate(a.geom, b.geom, '2********'))::integer as overlaps`,
  );
  const { invalid, overlaps } = rows[0];
  requireSame(`${tolerance_m} m`, 'invalid', invalid, 0);
  requireSame(`${tolerance_m} m`, 'overlaps', overlaps, 0);
  const merged = await ask('/v1/dissolve', { groups: { all: ids }, tolerance_m });
  const { features } = (await merged.json()) as { features: { properties: { exact: boolean }; geometry: Geometry }[] };
  const [whole] = features;
  requireSame(`${tolerance_m} m`, 'merged on arcs', whole.properties.exact, true);
  requireSame(`${tolerance_m} m`, 'area of all merged', doubleArea(whole.geometry), area);
  return `${count} features valid, no overlap, their area on the grid that of all merged`;
}

const say = (text: string, began: number): void => {
  const memory = Math.round(process.memoryUsage().rss / 1e6);
  process.stdout.write(`${text}; ${((performance.now() - began) / 1000).toFixed(0)} s, ${memory} MB here\n`);
};

try {
  const began = performance.now();
  const known = await expected();
  say(`${COUNTRY} ${LEVEL}: ${known.size} boundaries in the database`, began);
  if (known.size === 0) throw new Error('the database has none');
  const selection = { country: COUNTRY, admin_level: LEVEL, detail: 'full' };
  let rings: string[] = [];
  for (const format of FORMATS) {
    const started = performance.now();
    if (format === 'pmtiles') {
      say(`${format}: ${await comparePmtiles(known)}`, started);
      continue;
    }
    const file = await fileOf('export_collection', { ...selection, format }, `all.${extension(format)}`);
    if (format === 'svg') {
      requireSame(format, 'ids', (await svgIds(file)).join(), [...known.keys()].sort().join());
    } else if (format === 'poly') {
      const { rows } = await client.query(
        `select st_asgeojson(geom, 7) as geometry from boundary b join boundary_shape s on s.boundary_id = b.id
         where b.country = $1 and b.admin_level = $2`,
        [COUNTRY, LEVEL],
      );
      rings = rows.flatMap(({ geometry }) =>
        ringsOf(JSON.parse(geometry)).map((ring) => createHash('sha256').update(canonical(ring)).digest('base64')),
      );
      requireSame(format, 'rings', (await polyRings(file)).join(), rings.sort().join());
    } else if (format === 'geoparquet') await compare(format, byHyparquet(file), known);
    else if (format === 'zip') await compare(format, byPython(file), known);
    else await compare(format, byGdal(format === 'shapefile' ? `/vsizip/${file}` : file, format), known);
    const { length } = await readFile(file);
    say(`${format}: the same, ${(length / 1e6).toFixed(1)} MB`, started);
    await rm(file);
  }
  for (const tolerance of TOLERANCES) {
    const started = performance.now();
    say(`${tolerance} m: ${await compareNeighbors(tolerance, [...known.keys()])}`, started);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
} finally {
  await server.stop();
  await client.end();
  await rm(folder, { recursive: true, force: true });
}
