import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { seeded as random } from '../../src/bench/random.ts';
import { BenchDatabase, server as nativeServer, OurImport } from '../import/native.ts';
import { compared, type Options, type Result, type Timing, timingOf } from '../measure.ts';
import { drive, type Round } from './generator.ts';
import { NewInputs, oneOf } from './new_inputs.ts';
import { send } from './send.ts';
import { firstKey, startBareUnion, startService } from './server.ts';

const LUXEMBOURG = 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf';
const LIECHTENSTEIN = 'osm/liechtenstein-2024.boundaries.osm.pbf';
const DETAILS = ['full', 'medium'] as const;

/** Boundaries of a union, and how many more lie nearest to the one in the middle: those of a set are drawn from both. */
const MERGED = 50;
const MORE = 5;
/** Sets whose answers are compared. */
const COMPARED = 3;
const SEED = 20_261_127;
/** Rounds, and the calls of each side in one: a call of the rival takes a hundred times as long. */
const ROUNDS = 7;
const CALLS = { ours: 100, rival: 5 };

/**
 * Measures the union of 50 neighbors at full and medium detail over HTTP, one call after another, each of a set that
 * was not sent before: the whole service (key, metering, warm arcs) against a bare Koa handler that sends
 * ST_AsGeoJSON(ST_Union) of the same rows of the same PostGIS, each in its own process, apart from the client's. PostGIS
 * checks first: full equals the union, medium is valid and within its tolerance of it. The rival always sends full
 * detail: it has none stored. Returns no rows without a PostGIS to compare with.
 */
export async function benchHttpUnion(data: string, options: Options): Promise<Result[]> {
  const home = nativeServer();
  if (!home) {
    process.stderr.write('http: no PostGIS to compare with (set TEST_DATABASE_URL)\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'union');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    const load = new OurImport(database, join(data, options.smoke ? LIECHTENSTEIN : LUXEMBOURG), null);
    closing.push(() => load.close());
    await load.prepare();
    await load.work();
    await load.close();
    const pool = new pg.Pool({ connectionString: database.url, max: 4 });
    closing.push(() => pool.end());
    const { rows } = await pool.query<Place>(
      'select id, lon, lat from boundary where admin_level = 8 and has_geometry order by id',
    );
    const ours = await startService(folder, { DATABASE_URL: database.url });
    closing.push(() => ours.stop());
    const key = await firstKey(folder);
    const bare = await startBareUnion(database.url);
    closing.push(() => bare.stop());

    const merged = Math.min(MERGED, rows.length >> 1);
    const [inputs, draw] = [new NewInputs(), neighborsOf(rows, merged, SEED)];
    const next = (): string[] => JSON.parse(inputs.take(1, draw)[0] as string);
    const theirs = (include: readonly string[]) => `/?include=${include.join()}`;
    const sets = (count: number) => Array.from({ length: count }, next);
    const results: Result[] = [];
    for (const detail of DETAILS) {
      const call = (include: readonly string[]) => ({ path: '/v1/boundaries/union', json: { include, detail } });
      let isSame = true;
      for (let i = 0; i < (options.smoke ? 1 : COMPARED); i++) {
        const include = next();
        const { path, json } = call(include);
        const answer = await send(agent, ours.port, 'POST', path, json, key);
        isSame = (await agrees(pool, answer, await send(agent, bare.port, 'GET', theirs(include)))) && isSame;
      }
      const sides: Caller[] = [
        (count) => drive(ours.port, sets(count).map(call), { Authorization: `Bearer ${key}` }, count, 1),
        (count) => drive(bare.port, sets(count).map(theirs), {}, count, 1),
      ];
      const [mine, others] = await raced(sides, options);
      const title = `union of ${merged} neighbors over HTTP, ${detail}, new`;
      results.push(compared(title, mine, 'Koa sending ST_AsGeoJSON(ST_Union)', others, isSame));
    }
    return results;
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}

/** Sends `count` requests that were not sent before. */
type Caller = (count: number) => Promise<Round>;

/** Times both sides in alternating rounds after one that warms up; the time of a round is that of its median call. */
async function raced(sides: readonly Caller[], { smoke }: Options): Promise<Timing[]> {
  const rounds: number[][] = sides.map(() => []);
  for (let round = 0; round <= (smoke ? 1 : ROUNDS); round++) {
    for (const [i, call] of sides.entries()) {
      const { times } = await call(smoke ? 1 : [CALLS.ours, CALLS.rival][i]);
      if (round > 0) rounds[i].push(timingOf(times).median);
    }
  }
  return rounds.map(timingOf);
}

/** A boundary and its label point in 1e-7 degrees. */
type Place = { readonly id: string; readonly lon: number; readonly lat: number };

/** Draws sets of `many` of the boundaries that lie nearest to one of them, each as the JSON of a sorted list. */
function neighborsOf(places: readonly Place[], many: number, seed: number): () => string {
  const one = oneOf(places, seed);
  const next = random(seed);
  return () => {
    const { lon, lat } = one();
    const far = (place: Place) => Math.hypot(place.lon - lon, place.lat - lat);
    const near = places.toSorted((a, b) => far(a) - far(b)).slice(0, many + MORE);
    while (near.length > many) near.splice(Math.floor(next() * near.length), 1);
    return JSON.stringify(near.map(({ id }) => id).sort());
  };
}

/**
 * Whether an answer is the union of these boundaries. Without a tolerance: the same set of points. With one: valid, and
 * within that Hausdorff distance, converted to degrees of longitude at 55 degrees of latitude, the northernmost data.
 */
async function agrees(pool: pg.Pool, ours: Buffer, theirs: Buffer): Promise<boolean> {
  const { geometry, properties } = JSON.parse(ours.toString());
  const { rows } = await pool.query<{ valid: boolean; difference: number; distance: number; size: number }>(
    `select st_isvalid(given) as valid, st_area(st_symdifference(given, whole)) as difference,
            st_hausdorffdistance(given, whole) as distance, st_area(whole) as size
     from (select st_geomfromgeojson($1) as given, st_geomfromgeojson($2) as whole) sides`,
    [JSON.stringify(geometry), JSON.stringify(JSON.parse(theirs.toString()).geometry)],
  );
  const [{ valid, difference, distance, size }] = rows;
  const tolerance = properties.tolerance_m as number;
  const longest = tolerance / (111_000 * Math.cos((55 * Math.PI) / 180));
  const ok = valid && (tolerance === 0 ? difference < 1e-9 * size : distance <= longest);
  if (!ok) process.stderr.write(`http: the union differs: ${JSON.stringify({ tolerance, ...rows[0] })}\n`);
  return ok;
}
