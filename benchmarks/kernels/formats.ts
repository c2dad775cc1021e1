import geojsonToSvg from 'geojson-to-svg';
import pg from 'pg';
import tokml from 'tokml';
import wkx from 'wkx';
import { seeded as random } from '../../src/bench/random.ts';
import type { Document, Polygons } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { type Format, writeDocument } from '../../workers/formats/registry.ts';
import { polygonsToEwkb } from '../../workers/wkb.ts';
import { type Options, type Result, type Rival, race, rival } from '../measure.ts';
import { postgisUrl } from '../rivals/postgis.ts';
import { toGeojson } from './same.ts';

const NAME = 'Area';

/** Rough rings side by side on ten degrees, each a polygon, with `vertices` vertices in all; deterministic. */
export function roughRings(vertices: number, count: number): Polygons {
  const each = Math.floor(vertices / count);
  const side = Math.ceil(Math.sqrt(count));
  const cell = 100_000_000 / side;
  const coords = new Int32Array(2 * each * count);
  const next = random(42);
  for (let r = 0; r < count; r++) {
    const [x, y] = [60_000_000 + cell * (r % side), 450_000_000 + cell * Math.floor(r / side)];
    for (let i = 0; i < each - 1; i++) {
      const radius = cell * (0.4 + 0.02 * next());
      const angle = (2 * Math.PI * i) / (each - 1);
      coords[2 * (r * each + i)] = Math.round(x + radius * Math.cos(angle));
      coords[2 * (r * each + i) + 1] = Math.round(y + radius * Math.sin(angle));
    }
    coords.copyWithin(2 * ((r + 1) * each - 1), 2 * r * each, 2 * r * each + 2);
  }
  const ends = Uint32Array.from({ length: count }, (_, r) => r + 1);
  return { coords, ringEnd: ends.map((end) => end * each), polygonEnd: ends };
}

/** All x, y of a text that lists them plainly; `list` matches the enclosed lists. */
function plainPoints(text: string, list: RegExp, latitudeFirst = false): number[] {
  const points: number[] = [];
  for (const [, inner] of text.matchAll(list)) {
    const numbers = (defined(inner).match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map((number) =>
      Math.round(Number(number) * 1e7),
    );
    for (let i = 0; i < numbers.length; i += 2) {
      points.push(defined(numbers[latitudeFirst ? i + 1 : i]), defined(numbers[latitudeFirst ? i : i + 1]));
    }
  }
  return points;
}

/** The points of SVG paths (M, L and l, without the repeated last point), each axis scaled to 0 … 1 of its extent. */
function svgPoints(text: string, yDown: boolean): number[] {
  const points: number[] = [];
  for (const [, path] of text.matchAll(/ d="([^"]*)"|^(?=M )/g)) {
    let [x, y, start] = [0, 0, 0];
    const close = (): void => {
      const n = points.length;
      if (n > start + 2 && points[n - 2] === points[start] && points[n - 1] === points[start + 1])
        points.length = n - 2;
    };
    for (const [, command, rest] of (path ?? text).matchAll(/([MmLlZz])([^MmLlZz]*)/g)) {
      if (/z/i.test(defined(command))) continue;
      const numbers = (defined(rest).match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
      const relative = command === 'l' || command === 'm';
      if (/m/i.test(defined(command))) {
        close();
        start = points.length;
      }
      for (let i = 0; i < numbers.length; i += 2) {
        x = defined(numbers[i]) + (relative ? x : 0);
        y = defined(numbers[i + 1]) + (relative ? y : 0);
        points.push(x, y);
      }
    }
    close();
  }
  for (const axis of [0, 1]) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 2) {
      least = Math.min(least, defined(points[i]));
      most = Math.max(most, defined(points[i]));
    }
    for (let i = axis; i < points.length; i += 2) {
      const part = (defined(points[i]) - least) / (most - least);
      points[i] = axis === 1 && yDown ? 1 - part : part;
    }
  }
  return points;
}

/** Tests numbers for equality with ours, in the same order, within a tolerance. */
export const sameAs = (ours: readonly number[], tolerance: number) => (theirs: readonly number[]) =>
  ours.length === theirs.length &&
  ours.length > 0 &&
  ours.every((one, i) => Math.abs(one - defined(theirs[i])) <= tolerance);

const READERS: Record<Format, (text: string) => number[]> = {
  geojson: (text) => plainPoints(text, /"coordinates":\s*(\[.*\])/gs),
  kml: (text) => plainPoints(text, /<coordinates>([^<]*)</g),
  wkt: (text) => plainPoints(text, /POLYGON\s*(\(.*\))/gs),
  gml: (text) => plainPoints(text, /<gml:posList[^>]*>([^<]*)</g, true),
  svg: (text) => svgPoints(text, true),
};

const SQL: Record<Format, string> = {
  geojson: 'st_asgeojson(geom, 7)',
  kml: 'st_askml(geom, 7)',
  wkt: 'st_astext(geom, 7)',
  svg: 'st_assvg(geom, 0, 7)',
  gml: 'st_asgml(3, geom, 7, 17)',
};

/**
 * Measures writers of 500,000 vertices, as one ring and as 25,000 polygons, until the bytes are in a Buffer on both
 * sides. The answers are the same if both texts contain the same points in the same order.
 */
export async function benchFormats(_data: string, options: Options): Promise<Result[]> {
  const count = options.smoke ? 5_000 : 500_000;
  const many = count / 20;
  return [
    ...(await writers(`${count} vertices in one ring`, roughRings(count, 1), options)),
    ...(await writers(`${count} vertices in ${many} rings`, roughRings(count, many), options)),
  ];
}

async function writers(shape: string, polygons: Polygons, options: Options): Promise<Result[]> {
  const document: Document = { id: null, name: NAME, properties: {}, bbox: null, attribution: '', digits: 7 };
  const bytesOf = (format: Format) => Buffer.from(writeDocument(format, polygons, document).buffer);
  const geometry = toGeojson(polygons);
  const feature: GeoJSON.Feature = { type: 'Feature', properties: {}, geometry };
  const collection: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [feature] };
  const wkxGeometry = wkx.Geometry.parseGeoJSON(geometry);
  const packages: Partial<Record<Format, Package>> = {
    geojson: { name: 'JSON.stringify', write: () => JSON.stringify(feature) },
    kml: { name: 'tokml', write: () => tokml(feature) },
    wkt: { name: 'wkx', write: () => wkxGeometry.toWkt() },
    svg: {
      name: 'geojson-to-svg',
      write: () => geojsonToSvg().data(collection).render(),
      read: (text) => svgPoints(text, false),
    },
  };
  const url = postgisUrl();
  const client = url ? new pg.Client(url) : null;
  const results: Result[] = [];
  try {
    await client?.connect();
    await client?.query('create extension if not exists postgis');
    await client?.query('create temp table area as select $1::geometry as geom', [
      Buffer.from(polygonsToEwkb(polygons)).toString('hex'),
    ]);
    for (const format of ['geojson', 'kml', 'wkt', 'svg', 'gml'] as const) {
      const points = READERS[format](bytesOf(format).toString());
      const same = sameAs(points, format === 'svg' ? 1e-6 : 0);
      const own = packages[format];
      const rivals: Rival[] = [];
      if (client) {
        const sql = `select ${SQL[format]} as text from area`;
        rivals.push(
          rival({
            name: `PostGIS ${SQL[format].split('(')[0]}`,
            work: async () => Buffer.from(defined((await client.query<{ text: string }>(sql)).rows[0]).text),
            judge: (answer) => same(READERS[format](answer.toString())),
          }),
        );
      }
      if (own) {
        rivals.push(
          rival({
            name: own.name,
            work: () => Buffer.from(own.write()),
            judge: (answer) => same((own.read ?? READERS[format])(answer.toString())),
          }),
        );
      }
      results.push(...(await race(`${format}, ${shape}`, () => bytesOf(format), rivals, options)));
    }
  } finally {
    await client?.end();
  }
  return results;
}

interface Package {
  readonly name: string;
  readonly write: () => string;
  /** Reads its text, if that differs from our format. */
  readonly read?: (text: string) => number[];
}
