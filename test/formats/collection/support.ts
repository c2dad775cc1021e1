import { spawnSync } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { feature as toGeojson } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { expect } from 'vitest';
import { defined } from '../../../src/common/elements.ts';
import type { Polygons } from '../../../workers/contract.ts';
import type { CollectionWriter, Column, Feature } from '../../../workers/formats/types.ts';
import { leading, pairs } from '../../setup/elements.ts';
import { degreesOf, type Multi } from '../gdal.ts';
import { HOSTILE, polygonsOf, square } from '../support.ts';

const require = createRequire(import.meta.url);

/** The input of a writer: features and their columns. The first column is the id. */
export interface Collection {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly features: readonly Feature[];
}

/** A feature that a reader found: attributes by name, and MultiPolygon coordinates in degrees. */
export interface Found {
  readonly values: Readonly<Record<string, unknown>>;
  readonly multi: Multi | null;
}

/** Signed area: positive for a counterclockwise ring. */
export function ringArea(ring: readonly (readonly number[])[]): number {
  const points = ring.map((point) => leading(point, 2));
  const [left, low] = defined(points[0]);
  let sum = 0;
  for (const [[x, y], [nextX, nextY]] of pairs(points)) sum += (x - left) * (nextY - low) - (nextX - left) * (y - low);
  return sum / 2;
}

/** Shells counterclockwise and holes clockwise, as from our kernels; drops rings without area. */
function wound(multi: Multi): Multi {
  const flat = (ring: readonly (readonly number[])[]): boolean => Math.abs(ringArea(ring)) < 1e-13;
  return multi
    .filter(([shell]) => !flat(defined(shell)))
    .map((polygon) =>
      polygon
        .filter((ring) => !flat(ring))
        .map((ring, r) => (ringArea(ring) > 0 === (r === 0) ? ring : ring.toReversed())),
    );
}

function boxOf({ coords }: Polygons): Feature['box'] {
  if (coords.length === 0) return null;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < coords.length; i += 2) {
    west = Math.min(west, defined(coords[i]));
    south = Math.min(south, defined(coords[i + 1]));
    east = Math.max(east, defined(coords[i]));
    north = Math.max(north, defined(coords[i + 1]));
  }
  return [west, south, east, north];
}

function featureOf(values: Feature['values'], multi: Multi): Feature {
  const polygons = polygonsOf(wound(multi));
  return { values, polygons, box: boxOf(polygons) };
}

function real(name: string, module: string, object: string): Collection {
  const topology = require(module) as Topology;
  const { features } = toGeojson(topology, defined(topology.objects[object])) as unknown as GeoJSON.FeatureCollection;
  const columns = [
    { name: 'id', type: 'string' },
    { name: 'name', type: 'string' },
    { name: 'population', type: 'integer' },
    { name: 'area_km2', type: 'number' },
  ] as const;
  return {
    name,
    columns,
    features: features.map(({ id, properties, geometry }, i) => {
      const multi =
        geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry as GeoJSON.MultiPolygon).coordinates;
      const values = [`r${i}-${id}`, properties?.name ?? null, i % 7 === 0 ? null : i * 1000, i / 3];
      return featureOf(values, multi);
    }),
  };
}

/** The roughly 8,000 municipalities of Spain. */
export function spain(): Collection {
  return real('municipalities', 'es-atlas/es/municipalities.json', 'municipalities');
}

/** The roughly 3,000 counties of the United States; the Aleutians have parts on both sides of the antimeridian. */
export function counties(): Collection {
  return real('counties', 'us-atlas/counties-10m.json', 'counties');
}

const NAMES = [
  'Zaragoza',
  'Ελλάδα',
  'Москва',
  'القاهرة',
  'ירושלים',
  'ประเทศไทย',
  '東京都',
  '서울특별시',
  'ქართული',
  'தமிழ்நாடு',
  '𐌰𐌱𐌲 🚀',
  'O\'Brien "quoted" <b>&amp;</b>, a;b\tc',
  '',
];

/**
 * Generated features: random parts, holes and islands in holes on the grid, parts on both sides of the antimeridian,
 * the poles, missing or empty polygons, null values, names in many scripts.
 */
export function made(seed: number, count: number): Collection {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const columns = [
    { name: 'id', type: 'string' },
    { name: 'name', type: 'string' },
    { name: 'a long name of a column', type: 'string' },
    { name: 'a long name of another', type: 'integer' },
    { name: 'Name', type: 'string' },
    { name: 'площадь', type: 'number' },
    { name: 'geom', type: 'string' },
    { name: 'fid', type: 'integer' },
  ] as const;
  const part = (x: number, y: number, size: number): Multi => {
    const shell: Multi = [[square(x, y, size)]];
    if (random() < 0.5) return shell;
    defined(shell[0]).push(square(x - size / 2, y, size / 3, true));
    defined(shell[0]).push(square(x + size / 2, y, size / 3, true));
    return random() < 0.5 ? shell : [...shell, ...part(x + size / 2, y, size / 4)];
  };
  const features = Array.from({ length: count }, (_, i): Feature => {
    const integers = [0, 1, -1, 127, -128, 40_000, -8_388_608, 2 ** 31, -(2 ** 47), Number.MAX_SAFE_INTEGER];
    const numbers = [0, 0.1, -1 / 3, 1e-7, 12345.678, 1e21, -5e-324, 2 ** 53];
    const values = [
      `r${i}`,
      defined(NAMES[i % NAMES.length]),
      random() < 0.3 ? null : defined(NAMES[Math.floor(random() * NAMES.length)]).repeat(1 + Math.floor(random() * 3)),
      random() < 0.3 ? null : defined(integers[Math.floor(random() * integers.length)]),
      random() < 0.3 ? null : 'x',
      random() < 0.3 ? null : defined(numbers[Math.floor(random() * numbers.length)]),
      null,
      i,
    ];
    if (i % 11 === 3) return { values, polygons: null, box: null };
    if (i % 29 === 5) return { values, polygons: polygonsOf([]), box: null };
    if (i % 13 === 4) {
      const y = random() * 80 - 40;
      const polygons = polygonsOf([[square(179, y, 1)], [square(-179.5, y, 0.5)]]);
      return {
        values,
        polygons,
        box: [1_780_000_000, Math.round((y - 1) * 1e7), -1_790_000_000, Math.round((y + 1) * 1e7)],
      };
    }
    if (i % 37 === 6) {
      return featureOf(values, [
        [
          [
            [-180, -90],
            [180, -90],
            [180, 90],
            [-180, 90],
            [-180, -90],
          ],
        ],
      ]);
    }
    const parts = 1 + Math.floor(random() * (i % 17 === 0 ? 60 : 3));
    const latitude = random() * 100 - 50;
    // Side by side, so that no two touch.
    return featureOf(
      values,
      Array.from({ length: parts }, (_, p) => part(-170 + 5 * p, latitude, 1 + random())).flat(),
    );
  });
  return { name: 'made', columns, features };
}

/** A hostile name as column, value and collection name. */
export function hostile(): Collection {
  const values = ['r1', HOSTILE, 'sqlite_master', '../../etc/passwd'];
  const columns: Column[] = ['id', 'name', `x" INTEGER); DROP TABLE gpkg_contents; --`, ''].map((name) => ({
    name,
    type: 'string',
  }));
  return { name: HOSTILE, columns, features: [featureOf(values, [[square(0, 0, 1)]])] };
}

/** Writes everything that the writer yields into a file. Returns the number of bytes and the largest chunk. */
export async function writeTo(
  file: string,
  writer: CollectionWriter,
  { features, columns, name }: Collection,
  more: object = {},
): Promise<{ readonly bytes: number; readonly largest: number }> {
  let bytes = 0;
  let largest = 0;
  const written = writer(each(features), columns, { name, count: features.length, ...more });
  const counted = async function* () {
    for await (const piece of written) {
      bytes += piece.length;
      largest = Math.max(largest, piece.length);
      yield piece;
    }
  };
  const output = createWriteStream(file);
  // A stream that failed may still be opening its file.
  const closed = new Promise<void>((resolve) => output.once('close', () => resolve()));
  await pipeline(Readable.from(counted()), output).finally(() => closed);
  return { bytes, largest };
}

/** The features one at a time. */
export async function* each(features: readonly Feature[]): AsyncGenerator<Feature> {
  yield* features;
}

/** The standard output of a command, which must succeed and print nothing to standard error. */
export function run(command: string, parameters: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, { maxBuffer: 2 ** 29, encoding: 'utf8' });
  if (error) throw error;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The text after UTF-8 encoding: a lone surrogate becomes U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** The features that GDAL reads, in file order; `options` precede the file. */
export function readWithGdal(file: string, ...options: string[]): Found[] {
  const format = [
    '-f',
    'GeoJSON',
    '-lco',
    'COORDINATE_PRECISION=15',
    '-lco',
    'RFC7946=NO',
    '-lco',
    'SIGNIFICANT_FIGURES=17',
  ];
  const text = run('ogr2ogr', [...format, '-q', '/vsistdout/', ...options, file]);
  const { features } = JSON.parse(text) as GeoJSON.FeatureCollection;
  return features.map(({ properties, geometry }) => ({ values: properties ?? {}, multi: multiOrNull(geometry) }));
}

function multiOrNull(geometry: GeoJSON.Geometry | null): Multi | null {
  if (geometry === null) return null;
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  if (geometry.type === 'MultiPolygon') return geometry.coordinates;
  throw new Error(`not an area: ${geometry.type}`);
}

/** Coordinates on the grid as text, which compares fast; ignores the order of polygons and of holes. */
function onGrid(multi: Multi | null): string | null {
  if (multi === null || multi.length === 0) return null;
  const ring = (points: number[][]) =>
    points.map(([x, y]) => `${Math.round(defined(x) * 1e7)} ${Math.round(defined(y) * 1e7)}`).join();
  const polygon = ([shell, ...holes]: number[][][]) => [ring(defined(shell)), ...holes.map(ring).sort()].join(';');
  return multi.map(polygon).sort().join('|');
}

/**
 * Asserts that a reader found every feature with its values and polygons, part by part and vertex by vertex.
 * @param read the found features, in any order
 * @param names the column names in the file
 * @param values the values of a feature as the file stores them
 */
export function expectSame(
  { features, columns }: Collection,
  read: readonly Found[],
  names: readonly string[] = columns.map(({ name }) => name),
  values: (feature: Feature) => readonly unknown[] = (feature) => feature.values,
): void {
  expect(read).toHaveLength(features.length);
  const found = new Map(read.map((one) => [one.values[defined(names[0])], one]));
  expect(found.size).toBe(features.length);
  const different: unknown[] = [];
  for (const feature of features) {
    const wanted = values(feature);
    const one = found.get(wanted[0]);
    const got = names.map((name) => one?.values[name] ?? null);
    const multi = feature.polygons && degreesOf(feature.polygons);
    if (JSON.stringify(got) !== JSON.stringify(wanted)) different.push({ got, wanted });
    if (onGrid(one?.multi ?? null) !== onGrid(multi)) different.push({ id: wanted[0], got: one?.multi, wanted: multi });
  }
  expect(different.slice(0, 3)).toEqual([]);
}

/** Sorted ids of the features whose boxes touch the rectangle (degrees). */
export function touching(
  { features }: Collection,
  [west, south, east, north]: readonly [number, number, number, number],
): string[] {
  return features
    .filter(({ polygons }) => {
      const box = polygons && polygons.polygonEnd.length > 0 ? boxOf(polygons) : null;
      return box && box[0] <= east * 1e7 && box[2] >= west * 1e7 && box[1] <= north * 1e7 && box[3] >= south * 1e7;
    })
    .map(({ values }) => String(values[0]))
    .sort();
}

/** The files of a zip archive by its central directory; checks sizes and checksums. */
export function readZip(file: string): { readonly name: string; readonly bytes: Buffer }[] {
  const zip = readFileSync(file);
  let end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  let count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (count === 0xffff) {
    end = Number(zip.readBigUInt64LE(end - 20 + 8));
    expect(zip.readUInt32LE(end)).toBe(0x06064b50);
    count = Number(zip.readBigUInt64LE(end + 32));
    at = Number(zip.readBigUInt64LE(end + 48));
  }
  return Array.from({ length: count }, () => {
    const isEntry = zip.readUInt32LE(at) === 0x02014b50;
    const [crc, compressed, size] = leading(
      [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset)),
      3,
    );
    const [nameLength, extraLength] = leading(
      [28, 30].map((offset) => zip.readUInt16LE(at + offset)),
      2,
    );
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const isFile = zip.readUInt32LE(local) === 0x04034b50;
    const localName = zip.toString('utf8', local + 30, local + 30 + nameLength);
    const start = local + 30 + nameLength + zip.readUInt16LE(local + 28);
    const bytes = inflateRawSync(zip.subarray(start, start + compressed));
    // A single assertion per file, because there may be 65,540 and an assertion takes longer than reading one.
    if (!isEntry || !isFile || localName !== name || crc32(bytes) !== crc || bytes.length !== size) {
      expect.fail(`${name} is not as the directory of the archive says`);
    }
    at += 46 + nameLength + extraLength;
    return { name, bytes };
  });
}
