/**
 * `kernels.ts vertices|boundaries DATA SMOKE`: prints one curve as JSON. Runs in its own process, so that the memory is
 * that of this work. Sizes increase, so the peak memory belongs to the current size.
 */
import { join } from 'node:path';
import pg from 'pg';
import { seeded as random } from '../../src/bench/random.ts';
import { polygonsToEwkb } from '../../workers/wkb.ts';
import { coverageWorld, full, merged, type World, worldOfRings } from '../kernels/worlds.ts';
import { type Growth, type Point, watched } from './measured.ts';

const SIDE = 8;
/** A rival that took longer than this, in milliseconds, gets no larger size. */
const PATIENCE_MS = 15_000;

const [what, data, smoke] = process.argv.slice(2);
const curve = what === 'vertices' ? await vertices(smoke === 'true') : await boundaries(data, smoke === 'true');
process.stdout.write(JSON.stringify(curve));

/** The union of 64 generated areas, side by side, with more and more vertices. */
async function vertices(small: boolean): Promise<Growth> {
  const sizes = small ? [1e3, 1e4] : [1e3, 1e4, 1e5, 1e6, 1e7];
  const made = (size: number) => worldOfRings(grid(Math.round(size / (4 * SIDE * SIDE))));
  return {
    of: 'vertices',
    work: 'union of 64 made areas, laid out',
    memory: 'the process at work',
    ...(await grow(sizes, made)),
  };
}

/** The union of more and more communes of France, from the west; generated areas in a small run. */
async function boundaries(folder: string, small: boolean): Promise<Growth> {
  const work = "union of France's communes, laid out";
  const memory = 'the process at work (ours: all communes loaded)';
  if (small) {
    const all = grid(10);
    return {
      of: 'boundaries',
      work: 'union of made areas, laid out',
      memory,
      ...(await grow([5, 20], (n) => worldOfRings(all.slice(0, n)))),
    };
  }
  const france = await coverageWorld(join(folder, 'coverage/fr-communes.geojson.gz'), {
    map: { id: 'code', name: 'nom' },
    country: 'FR',
    adminLevel: 8,
  });
  const west = france.areas.map(
    ({ rings }) => france.table.box[4 * (rings.refs[0] < 0 ? ~rings.refs[0] : rings.refs[0])],
  );
  const order = france.areas.map((_, i) => i).sort((a, b) => west[a] - west[b]);
  const sorted = { ...france, areas: order.map((i) => france.areas[i]) };
  const sizes = [5, 20, 100, 500, 2_000, 8_000, sorted.areas.length];
  return {
    of: 'boundaries',
    work,
    memory,
    ...(await grow(sizes, (n) => ({ ...sorted, areas: sorted.areas.slice(0, n) }))),
  };
}

async function grow(sizes: readonly number[], worldOf: (size: number) => World) {
  const ours: Point[] = [];
  const theirs: Point[] = [];
  const url = process.env.TEST_DATABASE_URL;
  for (const x of sizes) {
    const world = worldOf(x);
    const all = world.areas.map((_, i) => i);
    const ms = await best(() => merged(world, all, []));
    ours.push({ x, ms, bytes: process.resourceUsage().maxRSS * 1024 });
    if (url && (theirs.at(-1)?.ms ?? 0) < PATIENCE_MS / 4)
      theirs.push(await inPostgis(url, x, world, merged(world, all, []).coords.length / 2));
  }
  return { ours, rival: 'PostGIS ST_Union', theirs };
}

/** The best of three runs, or of fewer if one takes seconds. */
async function best(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 3 && least > 0; k++) {
    const started = performance.now();
    await work();
    const taken = performance.now() - started;
    least = Math.min(least, taken);
    if (taken > 3_000) break;
  }
  return least;
}

/** ST_Union of the same areas over its own connection; returns only the number of points. */
async function inPostgis(url: string, x: number, world: World, points: number): Promise<Point> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
    await client.query('create temp table area (geom geometry)');
    for (let i = 0; i < world.areas.length; i += 500) {
      const some = world.areas.slice(i, i + 500).map((_, k) => Buffer.from(polygonsToEwkb(full(world, i + k))));
      await client.query('insert into area select st_geomfromewkb(one) from unnest($1::bytea[]) one', [some]);
    }
    const union = async () => {
      const { rows } = await client.query('select st_npoints(st_union(geom)) as points from area');
      const other = rows[0].points as number;
      if (other !== points) process.stderr.write(`growth: ${points} points here, ${other} by PostGIS at ${x}\n`);
    };
    const { value, bytes } = await watched(
      () => [pid],
      () => best(union),
    );
    return { x, ms: value, bytes };
  } finally {
    await client.end();
  }
}

/** SIDE x SIDE areas of one degree with rough borders and `points` vertices on each side. */
function grid(points: number): { name: string; adminLevel: number; chains: Int32Array[] }[] {
  const next = random(points);
  const border = (x: number, y: number, across: boolean): [number, number][] =>
    Array.from({ length: points }, (_, k) => {
      const along = k / points;
      // The roughness fades toward the corners, so that no two borders meet before them.
      const off = k === 0 ? 0 : 0.3 * Math.min(along, 1 - along) * (2 * next() - 1);
      return across ? [x + along, y + off] : [x + off, y + along];
    });
  const rows = Array.from({ length: SIDE + 1 }, (_, y) => Array.from({ length: SIDE }, (_, x) => border(x, y, true)));
  const columns = Array.from({ length: SIDE }, (_, y) =>
    Array.from({ length: SIDE + 1 }, (_, x) => border(x, y, false)),
  );
  const backward = (line: [number, number][], end: [number, number]) => [end, ...line.slice(1).reverse()];
  return Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const ring = [
      ...rows[y][x],
      ...columns[y][x + 1],
      ...backward(rows[y + 1][x], [x + 1, y + 1]),
      ...backward(columns[y][x], [x, y + 1]),
      [x, y],
    ];
    const coords = Int32Array.from(ring.flatMap(([lon, lat]) => [Math.round(lon * 1e7), Math.round((lat + 40) * 1e7)]));
    return { name: `area ${i}`, adminLevel: 8, chains: [coords] };
  });
}
