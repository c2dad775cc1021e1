import { join } from 'node:path';
import { crosswalkPairs } from '../../workers/crosswalk.ts';
import type { CrosswalkTask } from '../../workers/tasks.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { full, hasData, osmWorld } from './worlds.ts';

const JOIN = `select a.id as a, b.id as b, st_area(st_intersection(a.geom, b.geom)) as area
  from shape a join shape b on a.geom && b.geom
  where a.id = any ($1::int[]) and b.id = any ($2::int[]) and st_intersects(a.geom, b.geom)`;

/**
 * Measures the crosswalk of communes and sections of Luxembourg (smoke: communes and regions of Liechtenstein). The
 * answers are the same if the pairs are. The rival computes planar areas, which is cheaper.
 */
export async function benchCrosswalk(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const [name, file, levels] = options.smoke
    ? (['Liechtenstein', 'liechtenstein-2024', [8, 6]] as const)
    : (['Luxembourg', 'luxembourg-2018-boundaries', [8, 9]] as const);
  const world = await osmWorld(join(data, `osm/${file}.boundaries.osm.pbf`));
  const [a, b] = levels.map((level) => world.areas.flatMap(({ adminLevel }, i) => (adminLevel === level ? [i] : [])));
  const postgis = await PostgisShapes.load(world.areas.map((_, i) => full(world, i)));
  if (!postgis) return [];
  const lists = world.areas.map(({ rings }) => rings.refs);
  const refEnd = new Uint32Array(lists.length);
  let total = 0;
  for (const [i, list] of lists.entries()) {
    total += list.length;
    refEnd[i] = total;
  }
  const refs = new Int32Array(total);
  for (const [i, list] of lists.entries()) refs.set(list, refEnd[i] - list.length);
  const task: CrosswalkTask = {
    flag: 0,
    heap: null,
    refs,
    refEnd,
    conflicts: new Int32Array(0),
    a: Uint32Array.from(a),
    b: Uint32Array.from(b),
    maxPairs: 1e6,
  };
  const ours = async () => {
    const answer = await crosswalkPairs(task, { common: world.table, isCancelled: () => false });
    if (answer.kind !== 'pairs') throw new Error(`no pairs: ${answer.kind}`);
    return Array.from(answer.a, (i, p) => `${a[i]} ${b[answer.b[p]]}`).sort();
  };
  const right = (await ours()).join();
  try {
    await postgis.client.query('create index on shape using gist (geom)');
    const theirs = rival({
      name: 'PostGIS ST_Intersection join, planar areas',
      work: async () => (await postgis.client.query<{ a: number; b: number; area: number }>(JOIN, [a, b])).rows,
      judge: (rows) =>
        rows
          .filter(({ area }) => area > 0)
          .map((row) => `${row.a} ${row.b}`)
          .sort()
          .join() === right,
    });
    const title = `crosswalk of ${a.length} communes and ${b.length} ${options.smoke ? 'regions' : 'sections'} of ${name}`;
    return await race(title, ours, [theirs], options);
  } finally {
    await postgis.close();
  }
}
