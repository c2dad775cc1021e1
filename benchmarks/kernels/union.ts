import { join } from 'node:path';
import { union as turfUnion } from '@turf/union';
import * as polyclip from 'polyclip-ts';
import polygonClipping from 'polygon-clipping';
import { packageFile } from '../../src/sources/reference.ts';
import type { Polygons } from '../../workers/contract.ts';
import { type Options, type Result, type Rival, race, rival } from '../measure.ts';
import { GeosShapes } from '../rivals/geos.ts';
import { collection, dissolveText, MapshaperShapes, polygonsOf } from '../rivals/mapshaper.ts';
import { PostgisShapes } from '../rivals/postgis.ts';
import { realWorld } from './boundaries.ts';
import { fromGeojson, samePolygons, toGeojson, vertices } from './same.ts';
import { coverageWorld, full, hasData, merged, type World } from './worlds.ts';

const COMMUNES = 50;

const UNION = 'select st_union(geom) as geom from shape where id = any ($1)';
const DIFFERENCE = `select st_difference(
  (select st_union(geom) from shape where id = any ($1)),
  (select st_union(geom) from shape where id = any ($2))) as geom`;

/** Judges a library's answer, and describes a wrong one: vertices lost, or borders not joined. */
function judgedBy(right: Polygons) {
  return (answer: Polygons): boolean | string => {
    if (samePolygons(answer, right)) return true;
    const rings = (n: number) => `${n} ring${n === 1 ? '' : 's'}`;
    return `${vertices(answer)} vertices in ${rings(answer.ringEnd.length)} where ${vertices(right)} in ${rings(right.ringEnd.length)} are right`;
  };
}

/**
 * Measures unions and differences at full detail, until coordinates are materialized: 50 neighboring communes of
 * Luxembourg, all 105, and nested includes and excludes (smoke: Liechtenstein).
 */
export async function benchUnion(data: string, options: Options): Promise<Result[]> {
  const { smoke } = options;
  const { name, world } = await realWorld(data, options);
  const communes = ofLevel(world, 8);
  const results: Result[] = [];
  const shapes = world.areas.map((_, i) => full(world, i));
  const postgis = await PostgisShapes.load(shapes);
  try {
    for (const chosen of smoke ? [communes] : [communes.slice(0, COMMUNES), communes]) {
      const title = `union of ${chosen.length} communes of ${name}`;
      results.push(...(await unionAgainstAll(title, world, shapes, chosen, postgis, options)));
    }
    if (postgis) {
      const [country, regions, sections] = [2, 6, 9].map((level) => ofLevel(world, level));
      const few = communes.slice(0, smoke ? 4 : 40);
      const nested = [...regions, ...communes.slice(20, 40)];
      const cases: [string, number[], number[]][] = [
        [`${name} less ${few.length} communes`, country, few],
        [
          `${regions.length} ${smoke ? 'regions' : 'cantons'} + ${nested.length - regions.length} communes - ${Math.min(17, sections.length)} sections`,
          nested,
          sections.length > 0 ? sections.slice(0, 17) : communes.slice(0, 2),
        ],
      ];
      for (const [title, include, exclude] of cases) {
        const ours = merged(world, include, exclude);
        const theirs = rival({
          name: 'PostGIS ST_Difference(ST_Union, ST_Union)',
          work: () => postgis.points(DIFFERENCE, [include, exclude]),
          judge: async () => samePolygons(await postgis.polygons(DIFFERENCE, [include, exclude]), ours),
        });
        results.push(...(await race(title, () => merged(world, include, exclude), [theirs], options)));
      }
    }
  } finally {
    await postgis?.close();
  }
  return results;
}

function ofLevel({ areas, table }: World, level: number): number[] {
  const west = (i: number) =>
    Math.min(...Array.from(areas[i].rings.refs, (ref) => table.box[4 * (ref < 0 ? ~ref : ref)]));
  const found = areas.flatMap(({ adminLevel }, i) => (adminLevel === level ? [i] : []));
  const wests = new Map(found.map((i) => [i, west(i)]));
  return found.sort((a, b) => (wests.get(a) as number) - (wests.get(b) as number));
}

async function unionAgainstAll(
  title: string,
  world: World,
  shapes: readonly Polygons[],
  chosen: readonly number[],
  postgis: PostgisShapes | null,
  options: Options,
): Promise<Result[]> {
  const parts = chosen.map((i) => shapes[i]);
  const ours = merged(world, chosen);
  const judge = judgedBy(ours);
  const same = (answer: Polygons) => samePolygons(answer, ours);
  const geos = await GeosShapes.load(parts);
  const geojson = parts.map(toGeojson);
  const lists = geojson.map(({ coordinates }) => coordinates as polyclip.Geom);
  const [first, ...rest] = lists;
  const features = collection(geojson);
  const text = JSON.stringify(features);
  const mapshaper = new MapshaperShapes(geojson);
  const rivals: Rival[] = [
    ...unionOf(postgis, chosen, same),
    ...geosRivals(geos, same),
    rival({
      name: 'mapshaper -dissolve, topology built before',
      work: () => mapshaper.dissolve(),
      judge: (answer) => judge(polygonsOf(answer)),
    }),
    rival({
      name: 'mapshaper -dissolve, text to text',
      work: () => dissolveText(text),
      judge: (answer) =>
        judge(polygonsOf((JSON.parse(answer) as GeoJSON.GeometryCollection).geometries[0] as GeoJSON.MultiPolygon)),
    }),
    rival({
      name: 'polygon-clipping',
      work: () => polygonClipping.union(first as polygonClipping.Geom, ...(rest as polygonClipping.Geom[])),
      judge: (answer) => judge(fromGeojson(answer)),
    }),
    rival({
      name: 'polyclip-ts',
      work: () => polyclip.union(first, ...rest),
      judge: (answer) => judge(fromGeojson(answer)),
    }),
    rival({
      name: '@turf/union',
      work: () => turfUnion(features as GeoJSON.FeatureCollection<GeoJSON.MultiPolygon>),
      judge: (answer) => (answer ? judge(polygonsOf(answer.geometry)) : 'no answer'),
    }),
  ];
  try {
    return await race(title, () => merged(world, chosen), rivals, options);
  } finally {
    geos.release();
  }
}

function unionOf(
  postgis: PostgisShapes | null,
  chosen: readonly number[],
  same: (answer: Polygons) => boolean,
): Rival[] {
  if (!postgis) return [];
  const work = () => postgis.points(UNION, [chosen]);
  return [rival({ name: 'PostGIS ST_Union', work, judge: async () => same(await postgis.polygons(UNION, [chosen])) })];
}

function geosRivals(geos: GeosShapes, same: (answer: Polygons) => boolean): Rival[] {
  return [
    {
      name: 'geos-wasm unary union',
      work: () => geos.unaryUnion(),
      judge: () => same(geos.answer('GEOSUnaryUnion')),
    },
    {
      name: 'geos-wasm coverage union',
      work: () => geos.coverageUnion(),
      judge: () => same(geos.answer('GEOSCoverageUnion')),
    },
  ];
}

interface Country {
  readonly title: string;
  readonly file: string;
  readonly read: Parameters<typeof coverageWorld>[1];
}

const COUNTRIES: readonly Country[] = [
  {
    title: 'counties of the United States',
    file: 'us-counties-10m.topo.json',
    read: { object: 'counties', adminLevel: 6, country: 'US' },
  },
  {
    title: 'comuni of Italy',
    file: 'it-comuni.geojson.gz',
    read: { map: { id: 'com_istat_code' }, adminLevel: 8, country: 'IT' },
  },
  {
    title: 'communes of France',
    file: 'fr-communes.geojson.gz',
    read: { map: { id: 'code', name: 'nom' }, adminLevel: 8, country: 'FR' },
  },
];

/**
 * Measures the union of all counties of the United States, all comuni of Italy, and all communes of France (smoke: the
 * first). Without the real data, only the counties, from us-atlas.
 */
export async function benchCountries(data: string, options: Options): Promise<Result[]> {
  const results: Result[] = [];
  const countries = options.smoke || !hasData(data) ? COUNTRIES.slice(0, 1) : COUNTRIES;
  for (const country of countries) results.push(...(await wholeCountry(data, country, options)));
  return results;
}

async function wholeCountry(data: string, country: Country, options: Options): Promise<Result[]> {
  const path = hasData(data) ? join(data, 'coverage', country.file) : packageFile('us-atlas/counties-10m.json');
  const world = await coverageWorld(path, country.read);
  const all = world.areas.map((_, i) => i);
  const shapes = all.map((i) => full(world, i));
  const ours = merged(world, all);
  const same = (answer: Polygons) => samePolygons(answer, ours);
  const geos = await GeosShapes.load(shapes);
  const postgis = await PostgisShapes.load(shapes);
  try {
    const rivals = [...unionOf(postgis, all, same), ...geosRivals(geos, same)];
    return await race(`union of all ${all.length} ${country.title}`, () => merged(world, all), rivals, options);
  } finally {
    geos.release();
    await postgis?.close();
  }
}
