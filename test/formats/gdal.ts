import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import type { Document, Polygons } from '../../workers/contract.ts';
import { type CollectionFormat, extension, writeDocument } from '../../workers/formats/registry.ts';

export const hasGdal = spawnSync('ogr2ogr', ['--version']).status === 0;

export type Multi = number[][][][];

/** The coordinates of a Polygon or a MultiPolygon as those of a MultiPolygon. */
export function multiOf(geometry: GeoJSON.Geometry | null): Multi {
  if (geometry?.type === 'Polygon') return [geometry.coordinates];
  if (geometry?.type === 'MultiPolygon') return geometry.coordinates;
  throw new Error(`no polygon: ${geometry?.type}`);
}

/** The coordinates of the polygons in degrees. */
export function degreesOf({ coords, ringEnd, polygonEnd }: Polygons): Multi {
  const rings = Array.from(ringEnd, (end, r) =>
    Array.from({ length: end - (r === 0 ? 0 : defined(ringEnd[r - 1])) }, (_, i) => {
      const v = (r === 0 ? 0 : defined(ringEnd[r - 1])) + i;
      return [defined(coords[2 * v]) / 1e7, defined(coords[2 * v + 1]) / 1e7];
    }),
  );
  return Array.from(polygonEnd, (end, p) => rings.slice(p === 0 ? 0 : polygonEnd[p - 1], end));
}

/** The features that GDAL finds in a collection. Uses a temporary file in `folder`. */
export function gdalCollection(bytes: Uint8Array, format: CollectionFormat, folder: string): GeoJSON.Feature[] {
  const ending = format === 'ndjson' ? 'geojsonl' : extension(format);
  const file = join(folder, `collection.${ending}`);
  writeFileSync(file, bytes);
  const path = format === 'shapefile' ? `/vsizip/${file}` : file;
  const open = format === 'csv' ? ['-oo', 'GEOM_POSSIBLE_NAMES=wkt'] : [];
  const options = ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=7', '-lco', 'RFC7946=NO', '-q'];
  const out = execFileSync('ogr2ogr', [...open, ...options, '/vsistdout/', path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  rmSync(file);
  rmSync(join(folder, 'collection.gfs'), { force: true });
  return (JSON.parse(out) as GeoJSON.FeatureCollection).features;
}

type Read = 'geojson' | 'kml' | 'gml';

/** The one feature that GDAL finds in our document of some polygons, in longitude, latitude order. */
export function gdalFeature(format: Read, polygons: Polygons, doc: Document, directory: string): GeoJSON.Feature {
  return defined(
    withFile(format, polygons, doc, directory, (file) => {
      const options = ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=7', '-lco', 'RFC7946=NO', '-q'];
      const { features } = JSON.parse(run('ogr2ogr', [...options, '/vsistdout/', file])) as GeoJSON.FeatureCollection;
      if (features.length !== 1) throw new Error(`${features.length} features`);
      return features[0];
    }),
  );
}

/** GDAL's description of the layer: geometry type, reference system, and extent (west, south, east, north). */
export function gdalLayer(format: Read, polygons: Polygons, doc: Document, directory: string) {
  return withFile(format, polygons, doc, directory, (file) => {
    const said = run('ogrinfo', ['-al', '-so', file]);
    const extent = /^Extent: \(([-\d.]+), ([-\d.]+)\) - \(([-\d.]+), ([-\d.]+)\)$/m.exec(said);
    return {
      layers: [...said.matchAll(/^Layer name: /gm)].length,
      geometry: /^Geometry: (.*)$/m.exec(said)?.[1],
      isWgs84: /^(GEOGCRS|GEOGCS)\["WGS 84"/m.test(said),
      extent: extent?.slice(1).map(Number),
    };
  });
}

function withFile<T>(format: Read, polygons: Polygons, doc: Document, directory: string, use: (file: string) => T): T {
  const file = join(directory, `area.${format}`);
  writeFileSync(file, writeDocument(format, polygons, doc));
  try {
    return use(file);
  } finally {
    // Otherwise GDAL would apply the cached schema of this GML file to the next one.
    rmSync(join(directory, 'area.gfs'), { force: true });
  }
}

function run(command: string, parameters: readonly string[]): string {
  return execFileSync(command, parameters, {
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
}
