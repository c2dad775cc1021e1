import { join } from 'node:path';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { type Groups, mergeGroups } from '../../workers/arcs/groups.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { FULL, type Polygons, type Rings } from '../../workers/contract.ts';
import { polygonsFromWkb } from '../../workers/wkb.ts';
import { type Options, type Result, type Rival, race, rival } from '../measure.ts';
import { GeosShapes } from '../rivals/geos.ts';
import { MapshaperShapes, polygonsOf } from '../rivals/mapshaper.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { samePolygons, toGeojson } from './same.ts';
import { coverageWorld, full, hasData, type World } from './worlds.ts';

const GROUPED = `select key, st_union(geom) as geom from shape
  join unnest($1::int[], $2::text[]) as k (shape, key) on k.shape = id group by key`;

/**
 * Measures many unions in one call, at full detail until coordinates are materialized: the communes of France into
 * departments (smoke: the counties of the United States), by the first two characters of their codes (smoke: names).
 */
export async function benchDissolve(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const [file, read, what] = options.smoke
    ? ([
        'us-counties-10m.topo.json',
        { object: 'counties', adminLevel: 6, country: 'US' },
        'counties of the United States into groups',
      ] as const)
    : ([
        'fr-communes.geojson.gz',
        { map: { id: 'code', name: 'code' }, adminLevel: 8, country: 'FR' },
        'communes of France into departments',
      ] as const);
  const world = await coverageWorld(join(data, 'coverage', file), read);
  const keys = world.areas.map(({ name }) => name.slice(0, 2));
  const groups = new Map<string, number[]>();
  keys.forEach((key, i) => {
    const members = groups.get(key);
    if (members) members.push(i);
    else groups.set(key, [i]);
  });
  const shapes = world.areas.map((_, i) => full(world, i));
  const flat = flatGroups(world, [...groups.values()]);
  const lists = [...groups.values()].map((members) => members.map((i) => world.areas[i].rings.refs));
  const ours = () =>
    Array.from(mergeGroups(world.table, flat), (rings, g) => {
      // As workers/tasks/dissolve.ts does with a group in which one member is inside another.
      const merged = rings ?? mergedAlone(world, lists[g]);
      return materialize(world.table, merged, FULL, 0);
    });
  const names = [...groups.keys()];
  const right = new Map(ours().map((one, g) => [names[g], one]));
  const same = (answers: ReadonlyMap<string, Polygons>): boolean =>
    answers.size === right.size && [...answers].every(([key, one]) => samePolygons(one, right.get(key) as Polygons));
  const geos = await GeosShapes.loadGroups([...groups.values()].map((members) => members.map((i) => shapes[i])));
  const mapshaper = new MapshaperShapes(shapes.map(toGeojson), keys);
  const postgis = await PostgisShapes.load(shapes);
  const judge = (answer: ReturnType<MapshaperShapes['dissolveGroups']>) =>
    same(new Map([...answer].map(([key, one]) => [key, polygonsOf(one)]))) ||
    'some areas have other vertices than those of PostGIS';
  const rivals: Rival[] = [
    rival({
      name: 'mapshaper -dissolve by a field, without parsing',
      work: () => mapshaper.dissolveParsed(),
      judge,
    }),
    rival({
      name: 'mapshaper -dissolve by a field, topology built before, too',
      work: () => mapshaper.dissolveGroups(),
      judge,
    }),
    rival({
      name: 'geos-wasm coverage union, group by group',
      work: () => {
        for (const group of geos) group.coverageUnion();
      },
      judge: () =>
        same(new Map([...groups.keys()].map((key, g) => [key, geos[g].answer('GEOSCoverageUnion')]))) ||
        'areas that overlap are not joined',
    }),
  ];
  if (postgis) {
    const values = [keys.map((_, i) => i), keys];
    rivals.push(
      rival({
        name: 'PostGIS ST_Union, group by',
        work: () => postgis.client.query(`select sum(st_npoints(geom)) from (${GROUPED}) as t`, values),
        judge: async () => {
          const { rows } = await postgis.client.query<{ key: string; wkb: Buffer }>(
            `select key, st_asbinary(geom, 'NDR') as wkb from (${GROUPED}) as t`,
            values,
          );
          return same(new Map(rows.map(({ key, wkb }) => [key, polygonsFromWkb(wkb)])));
        },
      }),
    );
  }
  try {
    return await race(`${world.areas.length} ${what} (${groups.size})`, ours, rivals, options);
  } finally {
    for (const group of geos) group.release();
    await postgis?.close();
  }
}

/** The union of some areas with the kernel for single unions. */
function mergedAlone({ table }: World, members: readonly Int32Array[]): Rings {
  const merged = mergeBoundaries(table, members, [...members.keys()], []);
  if ('trouble' in merged) throw new Error(merged.trouble.reason);
  return merged.rings;
}

/** Groups of areas in the layout that the kernel takes. */
function flatGroups({ areas }: World, groups: readonly (readonly number[])[]): Groups {
  const refEnd = endsOf(areas.map(({ rings }) => rings.refs));
  const refs = new Int32Array(refEnd[refEnd.length - 1]);
  for (const [i, { rings }] of areas.entries()) refs.set(rings.refs, refEnd[i] - rings.refs.length);
  return { refs, refEnd, groupMembers: Uint32Array.from(groups.flat()), groupEnd: endsOf(groups) };
}

/** The end of each list when they are concatenated. */
function endsOf(lists: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(lists, ({ length }) => {
    end += length;
    return end;
  });
}
