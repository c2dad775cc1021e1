import geojsonToSvg from 'geojson-to-svg';
import pg from 'pg';
import tokml from 'tokml';
import wkx from 'wkx';
import type { Document, Format, Polygons } from '../../workers/contract.ts';
import { writeDocument } from '../../workers/formats/index.ts';
import { polygonsToEwkb } from '../../workers/wkb.ts';
import { compared, type Options, type Result, time } from '../measure.ts';

const RINGS = 100;
const NAME = 'Area';

/** Wobbling rings, ten by ten, on one degree: `vertices` of them in all, the same for the same number. */
function rings(vertices: number): Polygons {
  const each = Math.floor(vertices / RINGS);
  const coords = new Int32Array(2 * each * RINGS);
  let state = 42;
  for (let r = 0; r < RINGS; r++) {
    const [x, y] = [60_000_000 + 1_000_000 * (r % 10), 490_000_000 + 1_000_000 * Math.floor(r / 10)];
    for (let i = 0; i < each - 1; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const radius = 400_000 + (20_000 * state) / 2 ** 32;
      const angle = (2 * Math.PI * i) / (each - 1);
      coords[2 * (r * each + i)] = Math.round(x + radius * Math.cos(angle));
      coords[2 * (r * each + i) + 1] = Math.round(y + radius * Math.sin(angle));
    }
    coords.copyWithin(2 * ((r + 1) * each - 1), 2 * r * each, 2 * r * each + 2);
  }
  const ends = Uint32Array.from({ length: RINGS }, (_, r) => r + 1);
  return { coords, ringEnd: ends.map((end) => end * each), polygonEnd: ends };
}

/** Every x, y of a text that lists them plainly; `first` and `last` enclose the lists. */
function plainPoints(text: string, list: RegExp, latitudeFirst = false): number[] {
  const points: number[] = [];
  for (const [, inner] of text.matchAll(list)) {
    const numbers = (inner.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map((number) =>
      Math.round(Number(number) * 1e7),
    );
    for (let i = 0; i < numbers.length; i += 2) {
      points.push(numbers[latitudeFirst ? i + 1 : i], numbers[latitudeFirst ? i : i + 1]);
    }
  }
  return points;
}

/** The points of SVG paths (M, L and l, without the repeated last point), each axis on 0 … 1 of its extent. */
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
      if (/z/i.test(command)) continue;
      const numbers = (rest.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
      const relative = command === 'l' || command === 'm';
      if (/m/i.test(command)) {
        close();
        start = points.length;
      }
      for (let i = 0; i < numbers.length; i += 2) {
        x = numbers[i] + (relative ? x : 0);
        y = numbers[i + 1] + (relative ? y : 0);
        points.push(x, y);
      }
    }
    close();
  }
  for (const axis of [0, 1]) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = axis; i < points.length; i += 2) {
      least = Math.min(least, points[i]);
      most = Math.max(most, points[i]);
    }
    for (let i = axis; i < points.length; i += 2) {
      const part = (points[i] - least) / (most - least);
      points[i] = axis === 1 && yDown ? 1 - part : part;
    }
  }
  return points;
}

const sameWithin = (a: readonly number[], b: readonly number[], tolerance: number) =>
  a.length === b.length && a.length > 0 && a.every((value, i) => Math.abs(value - b[i]) <= tolerance);

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

/** The writers of 500,000 vertices, until the bytes are in a Buffer on both sides. */
export async function benchFormats(options: Options): Promise<Result[]> {
  const count = options.smoke ? 5_000 : 500_000;
  const polygons = rings(count);
  const document: Document = { id: null, name: NAME, properties: {}, bbox: null, attribution: '', digits: 7 };
  const bytesOf = (format: Format) => Buffer.from(writeDocument(format, polygons, document));
  const feature = JSON.parse(bytesOf('geojson').toString()) as GeoJSON.Feature;
  const collection: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [feature] };
  const wkxGeometry = wkx.Geometry.parseGeoJSON(feature.geometry);
  const packages: Partial<Record<Format, [string, () => string, ((text: string) => number[])?]>> = {
    geojson: ['JSON.stringify', () => JSON.stringify(feature)],
    kml: ['tokml', () => tokml(feature)],
    wkt: ['wkx', () => wkxGeometry.toWkt()],
    svg: ['geojson-to-svg', () => geojsonToSvg().data(collection).render(), (text) => svgPoints(text, false)],
  };
  const url = process.env.TEST_DATABASE_URL ?? process.env.ORACLE_DATABASE_URL;
  const client = url ? new pg.Client(url) : null;
  const results: Result[] = [];
  try {
    await client?.connect();
    await client?.query('create temp table area as select $1::geometry as geom', [
      Buffer.from(polygonsToEwkb(polygons)).toString('hex'),
    ]);
    for (const format of ['geojson', 'kml', 'wkt', 'svg', 'gml'] as const) {
      const name = `${format} of ${count} vertices`;
      const read = READERS[format];
      const points = read(bytesOf(format).toString());
      const tolerance = format === 'svg' ? 1e-6 : 0;
      const ours = await time(() => writeDocument(format, polygons, document), options);
      const own = packages[format];
      if (own) {
        const [rival, write, readRival = read] = own;
        const same = sameWithin(points, readRival(write()), tolerance);
        results.push(compared(name, ours, rival, await time(() => Buffer.from(write()), options), same));
      }
      if (client) {
        const ask = async () => (await client.query(`select ${SQL[format]} as text from area`)).rows[0].text as string;
        const same = sameWithin(points, read(await ask()), tolerance);
        const theirs = await time(async () => Buffer.from(await ask()), options);
        results.push(compared(name, ours, `PostGIS ${SQL[format].split('(')[0]}`, theirs, same));
      }
    }
  } finally {
    await client?.end();
  }
  return results;
}
