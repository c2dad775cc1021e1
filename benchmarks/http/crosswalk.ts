import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { CoverageOptions } from '../../src/sources/coverage/options.ts';
import { importFile } from '../../src/sources/import.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { hasData } from '../kernels/worlds.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { send } from './send.ts';
import { firstKey, startService } from './server.ts';

const MUNICIPALITIES = 357;
const MUNICIPALITIES_OF_SMOKE = 60;
const PROVINCES = 15;
/** Least area of a pair that both must find, in square kilometers: along two borders that nearly coincide are slivers. */
const SLIVER_KM2 = 1e-4;

const JOIN = `select a.boundary_id as a, b.boundary_id as b, st_area(st_intersection(a.geom, b.geom)::geography) / 1e6 as km2
  from boundary_shape a join boundary_shape b on a.geom && b.geom
  where a.boundary_id = any ($1) and b.boundary_id = any ($2) and st_intersects(a.geom, b.geom)`;

/**
 * Measures the crosswalk of 357 municipalities of Italy (smoke: 60) and the 15 provinces of another source around them,
 * whose borders nearly coincide, over HTTP and without a cache. The rival is a statement without a server that joins the same shapes.
 * The answers are the same if they have the same pairs, but for slivers. Returns no rows without a PostGIS and the data.
 */
export async function benchHttpCrosswalk(data: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home || !hasData(data)) {
    process.stderr.write('crosswalk over HTTP: needs a native PostGIS and the real data\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-crosswalk-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'crosswalk');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    await database.empty();
    const env = { DATABASE_URL: database.url };
    const [a, b] = await fill(data, folder, env, options.smoke ? MUNICIPALITIES_OF_SMOKE : MUNICIPALITIES);
    const ours = await startService(folder, { ...env, CACHE_BYTES: '0' });
    closing.push(() => ours.stop());
    const key = await firstKey(folder);
    const client = new pg.Client(database.url);
    await client.connect();
    closing.push(() => client.end());
    const call = () => send(agent, ours.port, 'POST', '/v1/crosswalk', { a, b }, key);
    type Items = { readonly items: readonly { readonly a: string; readonly b: string; readonly area_km2: number }[] };
    const { items } = JSON.parse((await call()).toString()) as Items;
    const right = new Map(items.map((item) => [`${item.a} ${item.b}`, item.area_km2]));
    const theirs = rival({
      name: 'PostGIS ST_Intersection join, a statement',
      work: async () => (await client.query<{ a: string; b: string; km2: number }>(JOIN, [a, b])).rows,
      judge: (rows) => {
        const areas = new Map(rows.map((row) => [`${row.a} ${row.b}`, row.km2]));
        const isIn = (pair: string, km2: number, other: ReadonlyMap<string, number>) =>
          km2 < SLIVER_KM2 || Math.abs((other.get(pair) ?? 0) - km2) < SLIVER_KM2 + 1e-6 * km2;
        return (
          [...areas].every(([pair, km2]) => isIn(pair, km2, right)) &&
          [...right].every(([pair, km2]) => isIn(pair, km2, areas))
        );
      },
    });
    const title = `crosswalk of ${a.length} municipalities of Italy and ${b.length} provinces of another source, over HTTP`;
    return await race(title, call, [theirs], options);
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly coordinates: unknown };
}

/** Imports `count` municipalities and the provinces around them; returns the ids of both sets. */
async function fill(
  data: string,
  folder: string,
  env: Readonly<Record<string, string>>,
  count: number,
): Promise<string[][]> {
  const read = async (name: string): Promise<Feature[]> => {
    const bytes = await promisify(gunzip)(await readFile(join(data, 'coverage', name)));
    return (JSON.parse(bytes.toString()) as { features: Feature[] }).features;
  };
  const some = (await read('it-comuni.geojson.gz')).slice(0, count);
  const around = some.map(boxOf).reduce(joined);
  const others = (await read('ne-admin1-10m.geojson.gz'))
    .filter((one) => String(one.properties.adm1_code).startsWith('ITA-') && meets(boxOf(one), around))
    .slice(0, PROVINCES);
  const app = await openApp(loadConfig({ ...env, DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  try {
    const { services } = app;
    const common = { license: 'as the source says', attribution: 'the source', country: 'IT' };
    const store = async (features: readonly Feature[], options: CoverageOptions): Promise<string[]> => {
      const path = join(folder, `${options.source}.geojson`);
      await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
      await importFile(services, path, options);
      const rows = await services.db.query<{ id: string }>(
        'select id from boundary where source = $1 and has_geometry order by id',
        [options.source],
      );
      return rows.map(({ id }) => id);
    };
    return [
      await store(some, { ...common, source: 'comuni', map: { id: 'com_istat_code', name: 'name' }, adminLevel: 8 }),
      await store(others, { ...common, source: 'provinces', map: { id: 'adm1_code', name: 'name' }, adminLevel: 6 }),
    ];
  } finally {
    await app.close();
  }
}

type Box = readonly [west: number, south: number, east: number, north: number];

function boxOf({ geometry }: Feature): Box {
  const boxes = (value: unknown): Box[] => {
    const list = value as readonly unknown[];
    if (typeof list[0] !== 'number') return list.flatMap(boxes);
    const [x = 0, y = 0] = list as readonly number[];
    return [[x, y, x, y]];
  };
  return boxes(geometry.coordinates).reduce(joined);
}

const joined = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
];

const meets = (a: Box, b: Box) => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
