import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import pg from 'pg';
import { type App, openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { deepestLevel } from '../../src/domain/boundaries/tiles.ts';
import { importFile } from '../../src/sources/import.ts';
import { drawTile, levelOfZoom, tileBox } from '../../src/tiles/boundary_tiles.ts';
import { decodeTile } from '../../test/tiles/decode.ts';
import { troublesOf } from '../../test/tiles/valid.ts';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { NO_LINES } from '../../workers/arcs/tagged_lines.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { compared, type Options, type Result, race, rival, timingOf } from '../measure.ts';
import { drive } from './generator.ts';
import { type BenchServer, startBare, startService } from './server.ts';

const CONNECTIONS = 64;
/** How often a round requests all tiles of the country over the same connections, and the number of rounds (median). */
const PANS = 10;
const PAN_ROUNDS = 7;
const FILE = 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf';
/** Tiles over Luxembourg, from the whole country to a few communes. */
const COLD = [
  [6, 33, 21],
  [8, 132, 87],
  [10, 529, 349],
  [12, 2117, 1396],
] as const;

/**
 * The layer of areas by PostGIS, with our attributes, at the same tolerance in meters on the ground. ST_AsMVTGeom makes
 * each polygon valid on the grid, one by one; ours are valid, too, and neighbors share every vertex.
 */
const RIVAL = `
select st_asmvt(t, 'areas', 4096, 'geom', 'number') as mvt from (
  select substr(b.id, 2)::bigint as number, b.id, b.name, b.admin_level as level, b.kind, b.country,
         st_asmvtgeom(st_simplify(st_transform(s.geom, 3857), $4::float8), st_tileenvelope($1, $2, $3), 4096, 64) as geom
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.geom && st_transform(st_tileenvelope($1, $2, $3), 4326) and b.type = 'administrative'
    and coalesce(b.admin_level, 13) <= $5
) t where geom is not null`;

/**
 * Measures tiles of Luxembourg. First drawn without a cache, against ST_AsMVT on the same table at the same tolerance
 * (which gives one layer of three, without borders and labels); the arcs and names are in memory, as after any tile of
 * the neighborhood. Then cached over HTTP against a bare Koa route with the same bytes; and all tiles of the country at
 * once, first with nothing in memory. Needs the real data and a native database.
 */
export async function benchTiles(dataDir: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) throw new Error('tiles are measured against a native PostGIS: set TEST_DATABASE_URL');
  const folder = await mkdtemp(join(tmpdir(), 'boundary-tiles-'));
  const database = new BenchDatabase(home, 'tiles');
  const running: BenchServer[] = [];
  const results: Result[] = [];
  try {
    await database.empty();
    const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', DATABASE_URL: database.url }));
    try {
      await importFile(app.services, join(dataDir, FILE), null);
      results.push(...(await cold(app, database.url, options)));
    } finally {
      await app.close();
    }
    const ours = await startService(folder, { DATABASE_URL: database.url });
    running.push(ours);
    results.push(...(await hot(ours, folder, running, options)));
    results.push(...(await panning(ours, options)));
    return results;
  } finally {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function cold({ services }: App, url: string, options: Options): Promise<Result[]> {
  const { boundaries, engine } = services;
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('vacuum analyze');
    const results: Result[] = [];
    for (const [z, x, y] of COLD) {
      const deepest = deepestLevel(z);
      const level = levelOfZoom(z);
      const ours = () =>
        boundaries.withSnapshot(async (reading) => {
          const box = tileBox({ z, x, y });
          const signal = new AbortController().signal;
          const found = await reading.tileBoundaries({ box, deepest, prefer: [] }, signal);
          return drawTile(engine, found, { z, x, y, level, endClass: endClassOf([deepest]) }, NO_LINES, signal);
        });
      const mine = await ours();
      // In map units: a meter on the ground is longer there, by the latitude.
      const tolerance = 2 ** level / Math.cos((49.8 * Math.PI) / 180);
      const work = async () => (await client.query<{ mvt: Buffer }>(RIVAL, [z, x, y, tolerance, deepest])).rows[0].mvt;
      const theirs = await work();
      const areas = layerBytes(mine, 'areas');
      const note =
        `areas ${areas} bytes against ${theirs.length} (${(areas / theirs.length).toFixed(2)}), valid on both sides; ` +
        `ours has borders and labels too: ${mine.length} bytes`;
      const judge = async (answer: Buffer) =>
        alike(mine, answer, (tolerance * 4096 * 2 ** z) / 40_075_017) &&
        (await areValid(mine)) &&
        (await areValid(answer));
      results.push(
        ...(await race(
          `cold tile ${z}/${x}/${y}, ${featuresOf(mine).size} areas`,
          ours,
          [rival({ name: 'ST_AsMVT, areas alone', work, judge, note })],
          options,
        )),
      );
    }
    return results;
  } finally {
    await client.end();
  }
}

/** The bytes of one layer of a tile. */
function layerBytes(bytes: Uint8Array, name: string): number {
  const pbf = new PbfReader(bytes);
  let found = 0;
  pbf.readFields((tag, _, reader) => {
    if (tag !== 3) return;
    const layer = reader.readBytes();
    const inner = new PbfReader(layer);
    inner.readFields((field, _none, one) => {
      if (field === 1 && one.readString() === name) found = layer.length;
    }, undefined);
  }, undefined);
  return found;
}

/** Whether every area of a tile is a valid polygon, by GEOS. */
async function areValid(bytes: Uint8Array): Promise<boolean> {
  return (await troublesOf(decodeTile(bytes).areas ?? [])).length === 0;
}

/** The area of each boundary in a tile, in units of its grid. */
function featuresOf(bytes: Uint8Array): Map<string, number> {
  const layer = new VectorTile(new PbfReader(bytes)).layers.areas;
  const found = new Map<string, number>();
  for (let i = 0; i < (layer?.length ?? 0); i++) {
    const feature = layer.feature(i);
    let area = 0;
    for (const ring of feature.loadGeometry()) {
      for (let k = 0; k + 1 < ring.length; k++) area += ring[k].x * ring[k + 1].y - ring[k + 1].x * ring[k].y;
    }
    found.set(String(feature.properties.id), Math.abs(area / 2));
  }
  return found;
}

/**
 * Whether two tiles have the same areas, except slivers at their sides. Sizes may differ by a strip as wide as the
 * tolerance (in grid units) around a square of that size.
 */
function alike(one: Uint8Array, other: Uint8Array, tolerance: number): boolean {
  const [mine, theirs] = [featuresOf(one), featuresOf(other)];
  const ids = new Set([...mine.keys(), ...theirs.keys()]);
  return [...ids].every((id) => {
    const [a, b] = [mine.get(id) ?? 0, theirs.get(id) ?? 0];
    return Math.abs(a - b) <= 4 * (tolerance + 1) * Math.sqrt(Math.max(a, b)) + 4096;
  });
}

async function hot(ours: BenchServer, folder: string, running: BenchServer[], options: Options): Promise<Result[]> {
  const path = '/tiles/boundaries/8/132/87.mvt';
  const answer = await fetch(`http://127.0.0.1:${ours.port}${path}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const body = Buffer.from(await answer.arrayBuffer());
  const file = join(folder, 'tile.mvt');
  await writeFile(file, body);
  const bare = await startBare(file);
  running.push(bare);
  const sent = Buffer.from(await (await fetch(`http://127.0.0.1:${bare.port}/`)).arrayBuffer());
  const count = options.smoke ? 64 : 1_000;
  const sides = [
    () => drive(ours.port, [path], {}, count, CONNECTIONS),
    () => drive(bare.port, ['/'], {}, count, CONNECTIONS),
  ];
  for (const side of sides) await side();
  const times: number[][] = [[], []];
  for (let round = 0; round < (options.smoke ? 1 : 7); round++) {
    for (const [k, side] of sides.entries()) times[k].push((await side()).milliseconds / count);
  }
  const [mine, theirs] = times.map(timingOf);
  const size = `${(body.length / 1e3).toFixed(0)} kB, ${CONNECTIONS} connections`;
  return [compared(`hot tile, ${size}`, mine, 'bare Koa sending the same buffer', theirs, sent.equals(body))];
}

/**
 * p95 of all tiles of Luxembourg at zooms 9 to 12 over 64 keep-alive connections, like a browser's: first once with an
 * empty cache, then repeatedly.
 */
async function panning(ours: BenchServer, { smoke }: Options): Promise<Result[]> {
  const paths: string[] = [];
  for (const z of [9, 10, 11, 12]) {
    const at = (lon: number, lat: number) => {
      const sine = Math.sin((lat * Math.PI) / 180);
      return [(lon / 360 + 0.5) * 2 ** z, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z].map(
        Math.floor,
      );
    };
    const [west, north] = at(5.7, 50.2);
    const [east, south] = at(6.6, 49.4);
    for (let x = west; x <= east; x++)
      for (let y = north; y <= south; y++) paths.push(`/tiles/boundaries/${z}/${x}/${y}.mvt`);
  }
  const pan = async (times: number): Promise<number> => {
    const round = await drive(ours.port, paths, {}, times * paths.length, CONNECTIONS);
    return [...round.times].sort((a, b) => a - b)[Math.floor(0.95 * round.times.length)];
  };
  const first = await pan(1);
  // Once for the JIT compiler, then the median of several.
  await pan(PANS);
  const rounds: number[] = [];
  for (let round = 0; round < (smoke ? 1 : PAN_ROUNDS); round++) rounds.push(await pan(PANS));
  const { median, spread } = timingOf(rounds);
  const label = `p95 of ${paths.length} tiles of a country again and again, ${CONNECTIONS} connections`;
  const note = 'the bar is 20 ms; each of the 64 sends its next request as soon as it has an answer';
  return [{ ...compared(label, { median, spread }, 'the same, nothing kept yet', { median: first }, true), note }];
}
