import { join } from 'node:path';
import Flatbush from 'flatbush';
import { seeded as generator } from '../../src/bench/random.ts';
import { boxesAt, locateAmong } from '../../workers/arcs/locate_many.ts';
import { packBoxes } from '../../workers/arcs/pack_boxes.ts';
import { type Options, type Result, type Rival, race, rival } from '../measure.ts';
import { GeosShapes } from '../rivals/geos.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { coverageWorld, full, hasData } from './worlds.ts';

const POINTS = 100_000;

/**
 * Measures lookups of many points in one level: the communes of France (smoke: the counties of the United States), near
 * vertices of their borders. Rivals use the same tree of boxes, or a GiST index on subdivided polygons of 128 vertices.
 * The answers are the same if the number of pairs is equal and the sum of the products of their numbers too.
 */
export async function benchLocate(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const [file, read, what] = options.smoke
    ? (['us-counties-10m.topo.json', { object: 'counties', adminLevel: 6, country: 'US' }, 'counties'] as const)
    : ([
        'fr-communes.geojson.gz',
        { map: { id: 'code', name: 'code' }, adminLevel: 8, country: 'FR' },
        'communes of France',
      ] as const);
  const { table, areas } = await coverageWorld(join(data, 'coverage', file), read);
  const refEnd = new Uint32Array(areas.length);
  let end = 0;
  for (const [i, { rings }] of areas.entries()) refEnd[i] = end += rings.refs.length;
  const refFrom = Uint32Array.from(refEnd, (_, i) => (i === 0 ? 0 : refEnd[i - 1]));
  const refs = new Int32Array(end);
  const boxes = new Int32Array(4 * areas.length);
  for (const [i, { rings }] of areas.entries()) {
    refs.set(rings.refs, refEnd[i] - rings.refs.length);
    const own = Array.from(rings.refs, (ref) => 4 * (ref < 0 ? ~ref : ref));
    const least = (at: number) => own.reduce((found, b) => Math.min(found, table.box[b + at]), 2 ** 31);
    const most = (at: number) => own.reduce((found, b) => Math.max(found, table.box[b + at]), -(2 ** 31));
    boxes.set([least(0), least(1), most(2), most(3)], 4 * i);
  }
  const tree = packBoxes(boxes);
  const count = options.smoke ? 1_000 : POINTS;
  const random = generator(20261122);
  const points = new Int32Array(2 * count);
  for (let p = 0; p < count; p++) {
    const vertex = Math.floor((random() * table.coords.length) / 2);
    points[2 * p] = table.coords[2 * vertex] + Math.round((random() - 0.5) * 400_000);
    points[2 * p + 1] = table.coords[2 * vertex + 1] + Math.round((random() - 0.5) * 400_000);
  }
  const ours = () => {
    const found = boxesAt(tree, boxes, points);
    const inside = locateAmong(table, { refs, refFrom, refEnd }, points, found);
    let [pairs, sum] = [0, 0];
    for (let p = 0; p < count; p++) {
      for (let k = found.from[p]; k < found.end[p]; k++) {
        if (inside[k] === 0) continue;
        pairs++;
        sum += p * (found.items[k] + 1);
      }
    }
    return { pairs, sum };
  };
  const right = ours();
  const same = (answer: { pairs: number; sum: number }) => answer.pairs === right.pairs && answer.sum === right.sum;
  const shapes = areas.map((_, i) => full({ table, areas }, i));
  const geos = await GeosShapes.load(shapes);
  const holds = geos.prepared(shapes.length);
  const index = Flatbush.from(tree);
  const rivals: Rival[] = [
    rival({
      name: 'geos-wasm prepared polygons, a loop over a tree of boxes',
      work: () => {
        let [pairs, sum] = [0, 0];
        for (let p = 0; p < count; p++) {
          const [x, y] = [points[2 * p], points[2 * p + 1]];
          for (const i of index.search(x, y, x, y)) {
            if (!holds(i, x, y)) continue;
            pairs++;
            sum += p * (i + 1);
          }
        }
        return { pairs, sum };
      },
      judge: same,
    }),
  ];
  const postgis = await PostgisShapes.load(shapes);
  if (postgis) {
    const { client } = postgis;
    await client.query('create temp table place (id int primary key, geom geometry)');
    const [xs, ys] = [0, 1].map((axis) => Array.from({ length: count }, (_, p) => points[2 * p + axis]));
    await client.query(
      `insert into place select n - 1, st_makepoint(x, y)
       from unnest($1::int[], $2::int[]) with ordinality as t(x, y, n)`,
      [xs, ys],
    );
    await client.query('create temp table piece as select id, st_subdivide(geom, 128) as geom from shape');
    await client.query('create index on piece using gist (geom)');
    await client.query('analyze piece; analyze place');
    rivals.push(
      rival({
        name: 'PostGIS join on ST_Subdivide',
        work: async () =>
          (
            await client.query<{ pairs: number; sum: number }>(
              `select count(*)::int as pairs, sum(point::float8 * (id + 1)) as sum
               from (select distinct p.id as point, s.id from place p join piece s on st_covers(s.geom, p.geom)) t`,
            )
          ).rows[0],
        judge: same,
      }),
    );
  }
  try {
    return await race(`locate: ${count} points in ${areas.length} ${what}`, ours, rivals, options);
  } finally {
    geos.release();
    await postgis?.close();
  }
}
