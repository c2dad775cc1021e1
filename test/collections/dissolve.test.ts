import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { feature } from 'topojson-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { COLLECTION_FORMATS, type CollectionFormat, contentType } from '../../workers/formats/registry.ts';
import { gdalCollection, hasGdal } from '../formats/gdal.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { canonicalRings } from '../proof/environment.ts';

interface Read {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

let server: BoundaryTestServer;
let key: string;
let folder: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
  folder = mkdtempSync(join(tmpdir(), 'dissolve-'));
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** The last group is of two that cross: it is overlaid. */
const GROUPS = {
  west: ['r111', 'r112', 'r113'],
  'east <&> "süd"': ['r121', 'r122', 'r123', 'r131', 'r132', 'r133'],
  crossing: ['r430', 'r431'],
};
const INPUT = { groups: GROUPS, tolerance_m: 64 };

async function send(input: object) {
  const reply = await server.ask('POST', '/v1/dissolve', { key, json: input });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply;
}

async function file(input: object): Promise<{ about: Readonly<Record<string, unknown>>; bytes: Buffer }> {
  const about = (await send(input)).json as unknown as { url: string; bytes: number; content_type: string };
  const fetched = await server.get(new URL(about.url).pathname.replace('/base', ''));
  expect([fetched.status, fetched.bytes.length]).toEqual([200, about.bytes]);
  expect(fetched.headers['content-type']).toBe(about.content_type);
  return { about: { ...about }, bytes: fetched.bytes };
}

/** The areas as the GeoJSON document has them, by group. */
async function expected(): Promise<Map<string, Read>> {
  const { features } = (await send(INPUT)).json as unknown as { features: Read[] };
  return new Map(features.map((one) => [String(one.properties.group), one]));
}

function compare(found: readonly Read[], wanted: ReadonlyMap<string, Read>): void {
  // GDAL calls the name of a placemark Name.
  const nameOf = ({ properties: { name, Name } }: Read) => String(name ?? Name);
  expect(found.map(nameOf).sort()).toEqual([...wanted.keys()].sort());
  for (const one of found) {
    const { properties, geometry } = one;
    const { properties: same, geometry: shape } = wanted.get(nameOf(one)) as Read;
    expect(canonicalRings(geometry), nameOf(one)).toEqual(canonicalRings(shape));
    expect([Number(properties.members), Number(properties.exact)]).toEqual([same.members, same.exact ? 1 : 0]);
    expect(Number(properties.area_km2)).toBeCloseTo(same.area_km2 as number, 6);
  }
}

const READ_BY_GDAL = COLLECTION_FORMATS.filter(
  (format) => !['geojson', 'svg', 'poly', 'pmtiles', 'geoparquet', 'zip', 'topojson'].includes(format),
);

describe('dissolve in other formats', () => {
  it.runIf(hasGdal).each(READ_BY_GDAL)('%s is read by GDAL as the same areas', async (format) => {
    const { about, bytes } = await file({ ...INPUT, format });
    expect(about).toMatchObject({
      format,
      content_type: contentType(format),
      tolerance_m: 64,
      groups: 3,
      members: 11,
      assigned_twice: { total: 0 },
      unassigned: null,
      overlaid: ['crossing'],
    });
    compare(gdalCollection(bytes, format, folder) as unknown as Read[], await expected());
  });

  it('topojson has each common border once', async () => {
    const topology = JSON.parse((await file({ ...INPUT, format: 'topojson' })).bytes.toString());
    const { features } = feature(topology, topology.objects.boundaries) as unknown as { features: Read[] };
    compare(features, await expected());
    const used = JSON.stringify(topology.objects.boundaries).match(/-\d+/g) ?? [];
    expect(used.length).toBeGreaterThan(0);
  });

  it('geoparquet has the same areas', async () => {
    const { bytes } = await file({ ...INPUT, format: 'geoparquet' });
    const rows = (await parquetReadObjects({ file: new Uint8Array(bytes).buffer })) as Record<string, unknown>[];
    const found = rows.map(({ geometry, ...properties }) => ({ properties, geometry: geometry as Read['geometry'] }));
    compare(found, await expected());
  });

  it.each(['svg', 'poly', 'zip'] as const)('%s names every group', async (format: CollectionFormat) => {
    const { bytes } = await file({ ...INPUT, format });
    const text = bytes.toString('latin1');
    for (const name of ['west', 'crossing']) expect(text).toContain(name);
  });

  it('zip_of is for a zip', async () => {
    const reply = await server.ask('POST', '/v1/dissolve', { key, json: { ...INPUT, zip_of: 'kml' } });
    expect([reply.status, reply.json.issues]).toEqual([400, [expect.objectContaining({ path: 'zip_of' })]]);
  });

  it('areas beyond the limit of an answer are refused', async () => {
    const { ask } = await server.withLimit(2_000);
    const input = { groups: GROUPS, detail: 'full', format: 'geopackage' };
    const reply = await ask('POST', '/v1/dissolve', { key, json: input });
    expect([reply.status, reply.json.code]).toEqual([413, 'too_large']);
  });
});

describe('a table as the body', () => {
  const table = `id,group\n${Object.entries(GROUPS)
    .flatMap(([name, ids]) => ids.map((id) => `${id},"${name.replaceAll('"', '""')}"\n`))
    .join('')}`;
  const post = (text: string, query = '') =>
    server.ask('POST', `/v1/dissolve${query}`, { key, text, headers: { 'Content-Type': 'text/csv; charset=utf-8' } });

  it('is the same as the csv of a JSON body; the rest is in the query', async () => {
    const plain = await send(INPUT);
    expect((await post(table, '?tolerance_m=64')).json).toEqual(plain.json);
    expect((await post(table, '?tolerance_m=64&within=r100')).json).toMatchObject({ unassigned: { total: 0 } });
    const made = await post(table, '?tolerance_m=64&format=flatgeobuf');
    expect(made.json).toMatchObject({ format: 'flatgeobuf', groups: 3, members: 11 });
  });

  it('is refused with the line that is wrong, and for members it does not know', async () => {
    expect((await post('r111,west\nr112')).json).toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'csv', message: expect.stringMatching(/^line 2 must have an id and a group: /) }],
    });
    expect((await post(table, '?tolerance=64')).status).toBe(400);
    expect((await post(`r111,${'x'.repeat(9_000_000)}`)).json.code).toBe('too_large');
  });
});
