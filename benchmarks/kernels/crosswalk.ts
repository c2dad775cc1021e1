import { join } from 'node:path';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import type { CrosswalkTask } from '../../workers/tasks/crosswalk.ts';
import { run as crosswalkPairs } from '../../workers/tasks/crosswalk.ts';
import { type Options, type Result, race, rival } from '../measure.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { coverageAreas, full, hasData, osmWorld, type World, worldOfRings } from './worlds.ts';

const JOIN = `select a.id as a, b.id as b, st_area(st_intersection(a.geom, b.geom)) as area
  from shape a join shape b on a.geom && b.geom
  where a.id = any ($1::int[]) and b.id = any ($2::int[]) and st_intersects(a.geom, b.geom)`;

/** Two lists of areas of a world, and what they are. */
interface Sides {
  readonly title: string;
  readonly world: World;
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/**
 * Measures the crosswalk of communes and sections of Luxembourg (smoke: communes and regions of Liechtenstein), and of
 * municipalities of Italy and provinces of another source, whose borders nearly coincide (smoke: fewer). The answers are the same if the
 * pairs are. The rival computes planar areas, which is cheaper.
 */
export async function benchCrosswalk(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const results: Result[] = [];
  for (const sides of [nestedSides, nearSides]) {
    results.push(...(await benchSides(await sides(data, options), options)));
  }
  return results;
}

async function nestedSides(data: string, options: Options): Promise<Sides> {
  const [name, file, levels] = options.smoke
    ? (['Liechtenstein', 'liechtenstein-2024', [8, 6]] as const)
    : (['Luxembourg', 'luxembourg-2018-boundaries', [8, 9]] as const);
  const world = await osmWorld(join(data, `osm/${file}.boundaries.osm.pbf`));
  const [a, b] = levels.map((level) => world.areas.flatMap(({ adminLevel }, i) => (adminLevel === level ? [i] : [])));
  const title = `crosswalk of ${a.length} communes and ${b.length} ${options.smoke ? 'regions' : 'sections'} of ${name}`;
  return { title, world, a, b };
}

/** Municipalities of Italy for one side. */
const MUNICIPALITIES = 2_000;
const MUNICIPALITIES_OF_SMOKE = 60;

async function nearSides(data: string, options: Options): Promise<Sides> {
  const file = (name: string) => join(data, 'coverage', name);
  const read = { map: { id: 'com_istat_code' }, country: 'IT', adminLevel: 8 };
  const municipalities = await coverageAreas(file('it-comuni.geojson.gz'), read);
  const codes = { id: 'adm1_code', name: 'adm1_code' };
  const provinces = await coverageAreas(file('ne-admin1-10m.geojson.gz'), { map: codes, adminLevel: 4 });
  const world = worldOfRings([
    ...municipalities.slice(0, options.smoke ? MUNICIPALITIES_OF_SMOKE : MUNICIPALITIES),
    ...provinces.filter(({ name }) => name.startsWith('ITA-')),
  ]);
  const [a, b] = [8, 4].map((level) => world.areas.flatMap(({ adminLevel }, i) => (adminLevel === level ? [i] : [])));
  const title = `crosswalk of ${a.length} municipalities of Italy and ${b.length} provinces of another source`;
  return { title, world, a, b };
}

/** Least area of a pair that both must find, in square degrees of 1e-7: about 100 m2. */
const SLIVER = 1e6;

async function benchSides({ title, world, a, b }: Sides, options: Options): Promise<Result[]> {
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
    heap: null,
    refs,
    refEnd,
    arrangements: new Uint32Array(lists.length),
    conflicts: Int32Array.from(findConflicts(world.table).flatMap((pair) => [pair.a, pair.b])),
    a: Uint32Array.from(a),
    b: Uint32Array.from(b),
    maxPairs: 1e6,
  };
  const ours = async () => {
    const answer = await crosswalkPairs(task, { common: world.table, isCanceled: () => false });
    if (answer.kind !== 'pairs') throw new Error(`no pairs: ${answer.kind}`);
    return new Map(Array.from(answer.a, (i, p) => [`${a[i]} ${b[answer.b[p]]}`, answer.areaKm2[p]]));
  };
  const right = await ours();
  try {
    await postgis.client.query('create index on shape using gist (geom)');
    const theirs = rival({
      name: 'PostGIS ST_Intersection join, planar areas',
      work: async () => (await postgis.client.query<{ a: number; b: number; area: number }>(JOIN, [a, b])).rows,
      // Along borders that nearly coincide, either may find slivers that rounding takes from the other.
      judge: (rows) => {
        const areas = new Map(rows.map((row) => [`${row.a} ${row.b}`, row.area]));
        return (
          [...areas].every(([pair, area]) => area < SLIVER || right.has(pair)) &&
          [...right].every(([pair, km2]) => km2 < 1e-4 || (areas.get(pair) ?? 0) > 0)
        );
      },
    });
    return await race(title, ours, [theirs], options);
  } finally {
    await postgis.close();
  }
}
