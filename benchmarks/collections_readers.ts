/** Collections read back with other software. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { CollectionFormat } from '../workers/formats/registry.ts';
import { canonical, type Feature, type Geometry } from './collections_geometry.ts';

/** Rows of the database, or of a Parquet file, in memory at once. */
export const ROWS = 2_000;

/** The output lines of a program. @throws when it fails */
async function* linesOf(program: string, args: readonly string[]): AsyncGenerator<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => {
    said = `${said}${part}`.slice(-500);
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  yield* createInterface({ input: child.stdout });
  if ((await ended) !== 0) throw new Error(`${program}: ${said}`);
}

/** The features that GDAL reads. */
export async function* byGdal(file: string, format: CollectionFormat): AsyncGenerator<Feature> {
  const open = format === 'csv' ? ['-oo', 'GEOM_POSSIBLE_NAMES=wkt', '-oo', 'AUTODETECT_TYPE=YES'] : [];
  const precision = ['-lco', 'COORDINATE_PRECISION=7', '-lco', 'RS=NO'];
  for await (const line of linesOf('ogr2ogr', [...open, '-f', 'GeoJSONSeq', ...precision, '/vsistdout/', file])) {
    const one = JSON.parse(line) as Feature;
    const { Name, ...rest } = one.properties;
    const properties = format === 'kml' ? { ...rest, name: Name } : one.properties;
    yield { ...one, id: String(properties.id ?? one.id), properties: { id: one.id, ...properties } };
  }
}

/** The features of a GeoParquet file, read by hyparquet. */
export async function* byHyparquet(path: string): AsyncGenerator<Feature> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (let rowStart = 0; rowStart < Number(metadata.num_rows); rowStart += ROWS) {
    const rowEnd = Math.min(Number(metadata.num_rows), rowStart + ROWS);
    for (const { geometry, bbox: _, ...properties } of await parquetReadObjects({ file, metadata, rowStart, rowEnd })) {
      yield { id: String(properties.id), properties, geometry: geometry as Geometry };
    }
  }
}

const UNZIP = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for name in z.namelist():
    if name.endswith('.geojson'): print(json.dumps(json.loads(z.read(name))))
`;

/** The files in a zip, read by Python. */
export async function* byPython(file: string): AsyncGenerator<Feature> {
  for await (const line of linesOf('python3', ['-c', UNZIP, file])) {
    const one = JSON.parse(line) as Feature;
    yield { ...one, id: String(one.properties.id ?? one.id) };
  }
}

/** All rings of a .poly file together; its sections have no attributes. */
export async function polyRings(file: string): Promise<string[]> {
  const rings: string[] = [];
  let ring: [number, number][] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line === 'END' && ring.length > 0) {
      rings.push(createHash('sha256').update(canonical(ring)).digest('base64'));
      ring = [];
    } else if (line.startsWith('\t')) {
      const [x, y] = line.trim().split(/\s+/).map(Number);
      ring.push([x, y]);
    }
  }
  return rings.sort();
}

/** The ids of the groups in an SVG. */
export async function svgIds(file: string): Promise<string[]> {
  const ids: string[] = [];
  let rest = '';
  for await (const part of createReadStream(file, { encoding: 'utf8' })) {
    const text: string = rest + part;
    const end = text.lastIndexOf('<g ');
    const whole = end < 0 ? '' : text.slice(0, end);
    for (const [, id] of whole.matchAll(/<g id="(\w+)"/g)) ids.push(id);
    rest = end < 0 ? text : text.slice(end);
  }
  for (const [, id] of rest.matchAll(/<g id="(\w+)"/g)) ids.push(id);
  return ids.sort();
}
