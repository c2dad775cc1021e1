import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document, Polygons } from '../../workers/contract.ts';
import { contentType, extension, FORMATS, writeDocument } from '../../workers/formats/registry.ts';
import { degreesOf, gdalFeature, hasGdal, multiOf } from './gdal.ts';
import { documentOf, HOSTILE, HOSTILE_READ, NESTED, polygonsOf, square, text } from './support.ts';

const dataDir = process.env.REAL_DATA_DIR;

describe('writeDocument', () => {
  it('writes every format with its type and extension', () => {
    expect(FORMATS.map((format) => [format, contentType(format), extension(format)])).toEqual([
      ['geojson', 'application/geo+json', 'geojson'],
      ['kml', 'application/vnd.google-earth.kml+xml', 'kml'],
      ['wkt', 'text/plain; charset=utf-8', 'wkt'],
      ['svg', 'image/svg+xml', 'svg'],
      ['gml', 'application/gml+xml; version=3.2', 'gml'],
    ]);
    const starts = FORMATS.map((format) => text(writeDocument(format, NESTED, documentOf())));
    expect(starts[0]).toMatch(/^\{"type":"Feature"/);
    expect(starts[1]).toContain('<kml ');
    expect(starts[2]).toMatch(/^MULTIPOLYGON\(/);
    expect(starts[3]).toContain('<svg ');
    expect(starts[4]).toContain('<gml:MultiSurface ');
  });
});

describe.skipIf(!hasGdal).each(['geojson', 'kml', 'gml'] as const)('GDAL (ogr2ogr is installed) reads %s', (format) => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'formats-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const read = (polygons: Polygons, doc: Document) => gdalFeature(format, polygons, doc, directory);

  it('with the same coordinates, holes and islands in them', () => {
    const one = polygonsOf([[square(-71.1234567, 20, 1), square(-71.1234567, 20, 0.5, true)]]);
    expect(multiOf(read(one, documentOf()).geometry)).toEqual(degreesOf(one));
    const three = polygonsOf([...degreesOf(NESTED), [square(100.1234567, -45.7654321, 0.0000003)]]);
    expect(multiOf(read(three, documentOf({ bbox: [-10, -45.8, 100.2, 10] })).geometry)).toEqual(degreesOf(three));
  });

  it('with hostile text, properties and attribution', () => {
    const doc = documentOf({ id: 'r7', name: HOSTILE, properties: { name: HOSTILE, admin_level: 4, iso: '"<&' } });
    const properties = read(NESTED, doc).properties ?? {};
    const named = properties.name ?? properties.Name;
    // A lone surrogate is an escape in JSON, which GDAL reads in its own way.
    if (format === 'geojson') expect(named.slice(0, 20)).toBe(HOSTILE.slice(0, 20));
    else expect(named).toBe(HOSTILE_READ);
    expect(String(properties.admin_level)).toBe('4');
    expect(properties.iso).toBe('"<&');
    expect(properties.attribution).toBe('© OpenStreetMap contributors');
  });

  it('without polygons', () => {
    const { geometry } = read(polygonsOf([]), documentOf());
    const parts = geometry === null ? [] : 'geometries' in geometry ? geometry.geometries : geometry.coordinates;
    expect(parts).toEqual([]);
  });

  it.skipIf(!dataDir)('with every vertex of Norway and Fiji (REAL_DATA_DIR)', () => {
    const file = gunzipSync(readFileSync(join(dataDir ?? '', 'coverage/ne-admin1-10m.geojson.gz')));
    const { features } = JSON.parse(file.toString()) as GeoJSON.FeatureCollection;
    for (const wanted of ['NOR', 'FJI']) {
      const chosen = features.filter(({ properties }) => properties?.adm0_a3 === wanted);
      const polygons = polygonsOf(chosen.flatMap(({ geometry }) => multiOf(geometry)));
      expect(polygons.coords.length).toBeGreaterThan(1000);
      expect(multiOf(read(polygons, documentOf({ name: wanted })).geometry)).toEqual(degreesOf(polygons));
    }
  });
});
