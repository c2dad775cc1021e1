import { join } from 'node:path';
import { simplify } from '@turf/simplify';
import { seeded as random } from '../../src/bench/random.ts';
import { integerWkb } from '../../test/proof/oracle.ts';
import { ringsArea } from '../../workers/arcs/area.ts';
import { ringsBox } from '../../workers/arcs/box.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { endClassOf, levelFor, METERS_PER_UNIT, toleranceMeters, widestCosine } from '../../workers/arcs/levels.ts';
import { locate } from '../../workers/arcs/locate.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import type { Polygons } from '../../workers/contract.ts';
import { type Options, type Result, type Rival, race, rival } from '../measure.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { toGeojson, vertices } from './same.ts';
import { atlasWorld, full, hasData, osmWorld, type World } from './worlds.ts';

/** Luxembourg, or Liechtenstein in a smoke run; without the real data, Andalusia or La Rioja from es-atlas. */
export async function realWorld(data: string, { smoke }: Options): Promise<{ name: string; world: World }> {
  if (!hasData(data))
    return smoke
      ? { name: 'La Rioja (es-atlas)', world: await atlasWorld('ES-RI') }
      : { name: 'Andalusia (es-atlas)', world: await atlasWorld('ES-AN') };
  const [name, file] = smoke ? ['Liechtenstein', 'liechtenstein-2024'] : ['Luxembourg', 'luxembourg-2018-boundaries'];
  return { name, world: await osmWorld(join(data, `osm/${file}.boundaries.osm.pbf`)) };
}

const communesOf = ({ areas }: World): number[] => areas.flatMap(({ adminLevel }, i) => (adminLevel === 8 ? [i] : []));

/**
 * Measures one tier of one boundary, the country's outline, materialized. Simplifications differ, so there is no single
 * right answer: ours must be valid, and within the tolerance of the full outline in both directions (Hausdorff distance
 * in PostGIS).
 */
export async function benchTiers(data: string, options: Options): Promise<Result[]> {
  const { name, world } = await realWorld(data, options);
  const country = world.areas.findIndex(({ adminLevel }) => adminLevel === 2);
  const { rings } = world.areas[country];
  const box = ringsBox(world.table, rings);
  if (!box) throw new Error('the country has no extent');
  const whole = full(world, country);
  const feature: GeoJSON.Feature<GeoJSON.MultiPolygon> = {
    type: 'Feature',
    properties: {},
    geometry: toGeojson(whole),
  };
  const cosine = widestCosine(box[1], box[3]);
  const postgis = await PostgisShapes.load([whole]);
  const results: Result[] = [];
  try {
    for (const detail of ['low', 'medium', 'high'] as const) {
      const level = levelFor(detail, box);
      const tolerance = toleranceMeters(level) / METERS_PER_UNIT;
      const ours = () => materialize(world.table, rings, level, endClassOf([2]));
      const tier = ours();
      const rivals: Rival[] = [];
      const title = `${detail} tier of ${name} (${vertices(whole)} vertices to ${vertices(tier)})`;
      if (postgis) {
        rivals.push(
          rival({
            name: 'PostGIS ST_SimplifyPreserveTopology',
            work: () => postgis.points('select st_simplifypreservetopology(geom, $1) as geom from shape', [tolerance]),
            judge: () => isTier(postgis, tier, tolerance, cosine),
          }),
        );
      }
      rivals.push(
        rival({
          name: '@turf/simplify, high quality',
          work: () => simplify(feature, { tolerance: tolerance / 1e7, highQuality: true, mutate: false }),
          judge: async () => (await isValid(tier)) === null,
        }),
      );
      results.push(...(await race(title, ours, rivals, options)));
    }
  } finally {
    await postgis?.close();
  }
  return results;
}

/** Whether PostGIS finds a tier valid and within the tolerance (grid units, longitude scaled) of the loaded shape. */
async function isTier(postgis: PostgisShapes, tier: Polygons, tolerance: number, cosine: number): Promise<boolean> {
  const { rows } = await postgis.client.query(
    `select st_isvalid(tier) as valid,
            st_hausdorffdistance(st_boundary(st_scale(geom, $2, 1)), st_boundary(st_scale(tier, $2, 1))) as distance
     from shape, st_geomfromwkb($1) as tier`,
    [integerWkb(tier), cosine],
  );
  // Rounding to the tier's digits moves a vertex by at most a fiftieth of the tolerance.
  return rows[0].valid && rows[0].distance <= 1.02 * tolerance;
}

/** Measures the geodesic area of every commune; each must be within a millionth of PostGIS's. */
export async function benchArea(data: string, options: Options): Promise<Result[]> {
  const { name, world } = await realWorld(data, options);
  const communes = communesOf(world);
  const postgis = await PostgisShapes.load(communes.map((i) => full(world, i)));
  if (!postgis) return [];
  try {
    await postgis.client.query(
      'create temp table place as select id, st_setsrid(st_scale(geom, 1e-7, 1e-7), 4326)::geography as geog from shape',
    );
    const ours = () => communes.map((i) => ringsArea(world.table, world.areas[i].rings));
    const areas = ours();
    const theirs = rival({
      name: 'PostGIS ST_Area(geography)',
      work: async () =>
        (await postgis.client.query<{ area: number }>('select st_area(geog) as area from place order by id')).rows,
      judge: (rows) =>
        rows.length === areas.length && rows.every(({ area }, i) => Math.abs(areas[i] / area - 1) < 1e-6),
    });
    return await race(`geodesic area of ${communes.length} communes of ${name}`, ours, [theirs], options);
  } finally {
    await postgis.close();
  }
}

/** Boxes of areas, to find candidates for a point. */
function boxesOf(world: World, areas: readonly number[]): Int32Array {
  const boxes = new Int32Array(4 * areas.length);
  areas.forEach((area, i) => {
    boxes.set(ringsBox(world.table, world.areas[area].rings) ?? [1, 1, 0, 0], 4 * i);
  });
  return boxes;
}

const POINTS = 100_000;

/**
 * Measures reverse lookups: the communes of each of 100,000 points, by boxes and then arcs, against ST_Covers on whole
 * polygons and on subdivided ones of 128 vertices, each with a GiST index. The answers are the same if the number of
 * pairs is equal and the sum of their area numbers too.
 */
export async function benchReverse(data: string, options: Options): Promise<Result[]> {
  const { name, world } = await realWorld(data, options);
  const communes = communesOf(world);
  const refs = communes.map((i) => world.areas[i].rings.refs);
  const boxes = boxesOf(world, communes);
  const count = options.smoke ? 1_000 : POINTS;
  const points = scattered(boxes, count);
  const ours = () => {
    let pairs = 0;
    let sum = 0;
    for (let p = 0; p < count; p++) {
      const x = points[2 * p];
      const y = points[2 * p + 1];
      for (let i = 0, b = 0; i < refs.length; i++, b += 4) {
        if (boxes[b] > x || boxes[b + 2] < x || boxes[b + 1] > y || boxes[b + 3] < y) continue;
        if (locate(world.table, refs[i], x, y) < 0) continue;
        pairs++;
        sum += p * (i + 1);
      }
    }
    return { pairs, sum };
  };
  const right = ours();
  const postgis = await PostgisShapes.load(communes.map((i) => full(world, i)));
  if (!postgis) return [];
  try {
    const { client } = postgis;
    await client.query('create temp table place (id int primary key, geom geometry)');
    const [xs, ys] = [0, 1].map((axis) => Array.from({ length: count }, (_, p) => points[2 * p + axis]));
    await client.query(
      `insert into place select n - 1, st_makepoint(x, y)
       from unnest($1::int[], $2::int[]) with ordinality as t(x, y, n)`,
      [xs, ys],
    );
    await client.query('create index on shape using gist (geom)');
    await client.query('create temp table piece as select id, st_subdivide(geom, 128) as geom from shape');
    await client.query('create index on piece using gist (geom)');
    await client.query('analyze shape; analyze piece; analyze place');
    const covers = (from: string, distinct: string) =>
      `select ${distinct} p.id as point, s.id from place p join ${from} s on st_covers(s.geom, p.geom)`;
    // A point on the border of two pieces matches twice.
    const against = (title: string, pairs: string) =>
      rival({
        name: title,
        work: async () =>
          (
            await client.query<{ pairs: number; sum: number }>(
              `select count(*)::int as pairs, sum(point::float8 * (id + 1)) as sum from (${pairs}) as t`,
            )
          ).rows[0],
        judge: (answer) => answer.pairs === right.pairs && answer.sum === right.sum,
      });
    return await race(
      `reverse: ${count} points in ${communes.length} communes of ${name}`,
      ours,
      [
        against('PostGIS ST_Covers, whole polygons', covers('shape', '')),
        against('PostGIS ST_Covers, ST_Subdivide', covers('piece', 'distinct')),
      ],
      options,
    );
  } finally {
    await postgis.close();
  }
}

/** Random points across the extent of some boxes. */
function scattered(boxes: Int32Array, count: number): Int32Array {
  let [west, south, east, north] = boxes;
  for (let b = 4; b < boxes.length; b += 4) {
    west = Math.min(west, boxes[b]);
    south = Math.min(south, boxes[b + 1]);
    east = Math.max(east, boxes[b + 2]);
    north = Math.max(north, boxes[b + 3]);
  }
  const next = random(11);
  return Int32Array.from({ length: 2 * count }, (_, i) =>
    i % 2 === 0 ? west + Math.floor(next() * (east - west)) : south + Math.floor(next() * (north - south)),
  );
}
