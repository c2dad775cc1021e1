import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compared, type Options, type Result } from '../measure.ts';
import { run } from './command.ts';
import { inTurn } from './rounds.ts';

/** What may stand in front of each feature (RFC 8142). */
const SEPARATOR = '\u001e';
/** Digits behind the point of a coordinate, as stored: 1e-7 degrees. */
const DIGITS = 7;
/** Areas agree to this share of the total: a projected file moves vertices by up to a centimeter. */
export const SAME_AREA = 1e-6;

/**
 * Reads a file of polygons to rings in degrees, written as a GeoJSON sequence, by `boundary convert` and by ogr2ogr, each
 * as a process. The answers are the same if features and rings are as many, no vertex
 * is missing (long edges of a projected file get more here) and the sums of areas agree.
 * @param name what the file is, for the row
 */
export async function benchReading(name: string, path: string, folder: string, options: Options): Promise<Result> {
  const [ours, theirs] = [join(folder, 'ours.geojsonseq'), join(folder, 'theirs.geojsonseq')];
  const times = await inTurn(
    options.smoke ? 1 : 3,
    {
      prepare: () => rm(ours, { force: true }),
      work: () => run(process.execPath, ['dist/src/main.js', 'convert', path, ours]),
    },
    {
      prepare: () => rm(theirs, { force: true }),
      work: () =>
        run('ogr2ogr', [
          ...['-f', 'GeoJSONSeq', theirs, path, '-t_srs', 'EPSG:4326'],
          ...['-lco', `COORDINATE_PRECISION=${DIGITS}`],
        ]),
    },
  );
  const [found, wanted] = [await summary(ours), await summary(theirs)];
  const same =
    found.features === wanted.features &&
    found.rings === wanted.rings &&
    found.vertices >= wanted.vertices &&
    Math.abs(found.area / wanted.area - 1) < SAME_AREA;
  if (!same) process.stderr.write(`import: reading ${name} ${JSON.stringify([found, wanted])}\n`);
  const row = `reading of ${found.features} communes as ${name}, to rings as text`;
  return compared(row, times.ours, 'ogr2ogr', times.theirs, same);
}

interface Summary {
  features: number;
  rings: number;
  vertices: number;
  /** In square degrees, signed by the order of vertices of each ring. */
  area: number;
}

async function summary(path: string): Promise<Summary> {
  const sum: Summary = { features: 0, rings: 0, vertices: 0, area: 0 };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const text = line.startsWith(SEPARATOR) ? line.slice(1) : line;
    if (text === '') continue;
    sum.features++;
    const { geometry } = JSON.parse(text) as { geometry: { type: string; coordinates: number[][][] | number[][][][] } };
    const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][];
    for (const polygon of polygons) {
      for (const [k, ring] of polygon.entries()) {
        sum.rings++;
        sum.vertices += ring.length;
        const size = Math.abs(shoelace(ring));
        sum.area += k === 0 ? size : -size;
      }
    }
  }
  return sum;
}

/** The signed area of a ring, in square degrees. */
function shoelace(ring: readonly number[][]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[a = 0, b = 0], [c = 0, d = 0]] = [ring[i - 1] ?? [], ring[i] ?? []];
    twice += (a - x0) * (d - y0) - (c - x0) * (b - y0);
  }
  return twice / 2;
}
