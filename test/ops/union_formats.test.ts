import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { AREA_FORMATS } from '../../src/core/schemas.ts';
import { readDocument } from '../../workers/formats/read.ts';
import { READABLE } from '../../workers/formats/registry.ts';
import { openExampleServer } from '../docs/example_fixture.ts';
import { gdalCollection, hasGdal, multiOf } from '../formats/gdal.ts';
import { BASE_URL, type BoundaryTestServer } from './boundary_test_server.ts';

let server: BoundaryTestServer;
let headers: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'boundary-union-'));
beforeAll(async () => {
  server = await openExampleServer();
  headers = { Authorization: `Bearer ${(await server.key('self_hosted')).key}` };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

const union = (more: object) =>
  server.ask('POST', '/v1/boundaries/union', {
    json: { include: ['iso:ES-AN', 'iso:LI'], exclude: ['iso:ES-SE'], ...more },
    headers,
  });

/** The vertices of an area, without regard to where rings begin. */
const vertices = (multi: readonly (readonly (readonly (readonly number[])[])[])[]): string[] => [
  ...new Set(multi.flat(2).map(([x, y]) => `${defined(x).toFixed(7)} ${defined(y).toFixed(7)}`)),
];

test.each(AREA_FORMATS)('a union is written as %s, with the same vertices', async (format) => {
  const { json: feature } = await union({});
  const expected = vertices(multiOf((feature as unknown as GeoJSON.Feature).geometry)).sort();
  const { status, json, text } = await union({ format });
  expect(status, text).toBe(200);
  if (format === 'geojson') return;
  expect(json).toMatchObject({ format, detail: 'medium', boundary_id: null });
  const { url, sha256, content_type, bytes } = json as unknown as Record<string, string>;
  const file = await server.get(defined(url).slice(BASE_URL.length));
  expect(file.status).toBe(200);
  expect([file.headers['content-type'], file.bytes.length]).toEqual([content_type, bytes]);
  expect(url).toContain(sha256);
  const readable = READABLE.find((one) => one === format);
  if (readable === undefined) return;
  const read = await readDocument(readable, file.bytes);
  expect(vertices(read.features.flatMap(({ polygons }) => polygons)).sort()).toEqual(expected);
});

test.skipIf(!hasGdal)('GDAL reads its attributes from a GeoPackage', async () => {
  const { json } = await union({ format: 'geopackage' });
  const file = await server.get(String((json as { url?: string }).url).slice(BASE_URL.length));
  const feature = defined(gdalCollection(file.bytes, 'geopackage', folder)[0]);
  expect(feature.properties?.area_km2).toBeGreaterThan(1);
  expect(feature.properties?.attribution).toBeTypeOf('string');
});
