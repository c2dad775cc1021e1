import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded as random } from '../../src/bench/random.ts';
import { MadeMap } from '../../test/land/made_map.ts';
import { BenchDatabase, server as nativeServer, OurImport, query } from '../import/native.ts';
import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { NewInputs, setsOf } from './new_inputs.ts';
import { send } from './send.ts';
import { type BenchServer, firstKey, startService } from './server.ts';

const MALTA = 'osm/malta-2018.coast-and-boundaries.osm.pbf';
const DETAILS = ['full', 'medium'] as const;
const SEED = 20_261_127;
/** Boundaries of a union. */
const MERGED = 50;
/** Sets of which the vertices are counted. */
const COUNTED = 10;
/** Pairs of calls, and those before that warm up. */
const PAIRS = 700;
const WARM = 200;
const WHOLE = 'the same of the whole boundaries';

/** A map whose boundaries are merged. */
interface World {
  readonly name: string;
  readonly path: string;
}

/** A boundary and the area of its land. */
type Member = { readonly id: string; readonly land_km2: number };

/**
 * Measures the union of the land of 50 boundaries over HTTP against that of the whole ones by the same service, each of a
 * set that was not sent before: councils of Malta, which end at the shore, so that both sides have the same vertices, and
 * made boundaries that reach out to sea. Before, land is compared with the sum of its stored areas and with the whole.
 */
export async function benchLandUnion(data: string, options: Options): Promise<Result[]> {
  const home = nativeServer();
  if (!home) return [];
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  try {
    const worlds: World[] = [
      { name: 'councils of Malta', path: join(data, MALTA) },
      { name: 'made boundaries out to sea', path: madeShore(folder) },
    ];
    const results: Result[] = [];
    for (const world of worlds) results.push(...(await benchWorld(home, world, options)));
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchWorld(home: string, { name, path }: World, options: Options): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const agent = new Agent({ keepAlive: true });
  const database = new BenchDatabase(home, 'land');
  const closing: (() => Promise<unknown>)[] = [
    () => rm(folder, { recursive: true, force: true }),
    () => database.drop(),
  ];
  try {
    const load = new OurImport(database, path, null);
    closing.push(() => load.close());
    await load.prepare();
    await load.work();
    await load.close();
    const members = await query<Member>(
      database.url,
      `select b.id, l.land_km2 from boundary b join boundary_land l on l.boundary_id = b.id
       where b.admin_level = 8 and l.state in ('land', 'mixed') order by b.id`,
    );
    const ours = await startService(folder, { DATABASE_URL: database.url });
    closing.push(() => ours.stop());
    const unions = unionsOf(ours, agent, await firstKey(folder), members);
    const results: Result[] = [];
    for (const detail of DETAILS) results.push(await raceUnions(unions, { name, detail }, options));
    return results;
  } finally {
    agent.destroy();
    for (const end of closing.reverse()) await end();
  }
}

type Unions = ReturnType<typeof unionsOf>;

/** Unions of sets of `members`, by a service. */
function unionsOf(ours: BenchServer, agent: Agent, key: string, members: readonly Member[]) {
  const land = new Map(members.map(({ id, land_km2 }) => [id, land_km2]));
  const inputs = new NewInputs();
  const draw = setsOf([...land.keys()], MERGED, SEED);
  return {
    /** A set that was not returned before. */
    next: (): string[] => JSON.parse(inputs.take(1, draw)[0] as string),
    send: (include: readonly string[], detail: string, area: string) =>
      send(agent, ours.port, 'POST', '/v1/boundaries/union', { include, detail, area }, key),
    landOf: (include: readonly string[]) => include.reduce((sum, id) => sum + (land.get(id) ?? Number.NaN), 0),
  };
}

/**
 * Times pairs of calls of the same set, one for each side, in turn first and second. The ratio is the median of those of
 * the pairs: other work on the machine meets both calls of a pair alike.
 */
async function raceUnions(
  { next, send, landOf }: Unions,
  { name, detail }: { readonly name: string; readonly detail: string },
  { smoke }: Options,
): Promise<Result> {
  const vertices = { land: 0, all: 0 };
  let isRight = true;
  for (let i = 0; i < COUNTED; i++) {
    const include = next();
    const [land, all] = [read(await send(include, detail, 'land')), read(await send(include, detail, 'all'))];
    vertices.land += land.vertices;
    vertices.all += all.vertices;
    const sum = landOf(include);
    isRight &&= Math.abs(land.areaKm2 - sum) < 1e-6 * sum && land.areaKm2 <= all.areaKm2 * (1 + 1e-9);
  }
  const times = { land: [] as number[], all: [] as number[] };
  for (let pair = smoke ? 0 : -WARM; pair < (smoke ? 2 : PAIRS); pair++) {
    const include = next();
    for (const area of pair % 2 === 0 ? (['land', 'all'] as const) : (['all', 'land'] as const)) {
      const started = performance.now();
      await send(include, detail, area);
      if (pair >= 0) times[area].push(performance.now() - started);
    }
  }
  const title = `union of the land of ${MERGED} ${name} over HTTP, ${detail}, new`;
  const ratio = medianOf(times.all.map((all, i) => all / times.land[i]));
  const [land, all] = [medianOf(times.land), medianOf(times.all)];
  const quarters = (share: number) => times.land.toSorted((a, b) => a - b)[Math.floor(share * times.land.length)];
  const more = vertices.land / vertices.all;
  const each = `${(ratio * more).toFixed(2)} for each vertex`;
  return {
    ...compared(
      title,
      { median: land, spread: (quarters(0.75) - quarters(0.25)) / land },
      WHOLE,
      { median: all },
      isRight,
    ),
    ratio,
    note: `ratio of the median pair, spread of quartiles; land has ${more.toFixed(2)} times the vertices: ${each}`,
  };
}

const medianOf = (list: readonly number[]): number => timingOf(list).median;

function read(answer: Buffer): { areaKm2: number; vertices: number } {
  const { geometry, properties } = JSON.parse(answer.toString());
  return { areaKm2: properties.area_km2 as number, vertices: countOf(geometry.coordinates) };
}

type Coordinates = readonly (number | Coordinates)[];

const countOf = (list: Coordinates): number =>
  list.reduce<number>((sum, one) => sum + (typeof one === 'number' ? 0.5 : countOf(one)), 0);

/** Made boundaries, beside each other along a coast. */
const MADE = 60;
/** Segments of a border along the coast, or at sea, and of one between two boundaries. */
const ALONG = 100;
const BETWEEN = 20;
/** Size of a boundary in degrees. */
const SIZE = 0.1;

/**
 * Writes a map of boundaries along a coast, which divides each into land and sea, and returns its path. The coast has as
 * many vertices as the border at sea.
 */
function madeShore(folder: string): string {
  const next = random(SEED);
  const shaken = (value: number): number => Number((value + 0.0002 * (next() - 0.5)).toFixed(7));
  const map = new MadeMap();
  const corner = (i: number, y: number): [number, number] => [Number((i * SIZE).toFixed(7)), y];
  const row = (i: number, y: number): [number, number][] => [
    corner(i, y),
    ...Array.from({ length: ALONG - 1 }, (_, k): [number, number] => [shaken(SIZE * (i + (k + 1) / ALONG)), shaken(y)]),
    corner(i + 1, y),
  ];
  for (let i = 0; i <= MADE; i++) {
    const side = Array.from({ length: BETWEEN - 1 }, (_, k): [number, number] => [
      shaken(SIZE * i),
      shaken((SIZE * (k + 1)) / BETWEEN),
    ]);
    map.way(3_000 + i, [corner(i, 0), ...side, corner(i, SIZE)]);
  }
  const tags = { type: 'boundary', boundary: 'administrative', admin_level: '8' };
  for (let i = 0; i < MADE; i++) {
    map.way(1_000 + i, row(i, 0)).way(2_000 + i, row(i, SIZE));
    const around = [1_000 + i, 3_000 + i + 1, 2_000 + i, 3_000 + i];
    map.relation(
      100 + i,
      around.map((way) => [way, 'outer'] as const),
      { ...tags, name: `Shore ${i}` },
    );
  }
  // Land is at the left of a coast.
  const coast = Array.from({ length: MADE + 2 }, (_, i) => row(i - 1, SIZE / 2).slice(0, -1)).flat();
  map.way(9_000, coast.toReversed(), { natural: 'coastline' });
  return map.write(folder, 'shore.osm');
}
