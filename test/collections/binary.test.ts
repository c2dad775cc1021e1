import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { jsonOf } from '../../src/transports/call.ts';
import { localTarget } from '../../src/transports/local.ts';
import { BINARY_FORMATS, COLLECTION_FORMATS, type CollectionFormat } from '../../workers/formats/registry.ts';
import { gdalCollection, hasGdal } from '../formats/gdal.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { canonicalRings } from '../proof/environment.ts';

interface Read {
  readonly id?: string;
  readonly properties: Readonly<Record<string, string | number | null>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown };
}

let server: BoundaryTestServer;
let key: string;
let folder: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
  folder = mkdtempSync(join(tmpdir(), 'collections-'));
});
afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const SELECTION = { ids: ['r100', 'r111', 'r122', 'r121', 'r600', 'w500'], tolerance_m: 64 };
const collect = async (input: object) => {
  const reply = await server.ask('POST', '/v1/collections', { key, json: input });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.bytes;
};

/**
 * svg and poly are read by proof.test.ts, pmtiles by pmtiles.test.ts, the others by those below: Debian's GDAL has no driver
 * for them.
 */
const READ_BY_GDAL = COLLECTION_FORMATS.filter(
  (format) => !['svg', 'poly', 'pmtiles', 'geoparquet', 'zip'].includes(format),
);

/** What GDAL reads of a file, by id. */
function gdal(bytes: Uint8Array, format: CollectionFormat): Map<string, Read> {
  // GDAL takes an id that is also the feature's own for that alone.
  const features = gdalCollection(bytes, format, folder) as unknown as Read[];
  return new Map(features.map((one) => [String(one.properties.id ?? one.id), one]));
}

describe.runIf(hasGdal)('read back by GDAL', () => {
  it.each(READ_BY_GDAL)('%s has the same boundaries', async (format) => {
    const expected = JSON.parse((await collect(SELECTION)).toString()) as { features: Read[] };
    const found = gdal(await collect({ ...SELECTION, format }), format);
    expect([...found.keys()].sort()).toEqual([...SELECTION.ids].sort());
    for (const { properties, geometry } of expected.features) {
      const read = found.get(String(properties.id)) as Read;
      expect(canonicalRings(read.geometry), `${properties.id}`).toEqual(canonicalRings(geometry));
      expect(read.properties.kind).toBe(properties.kind);
      expect(Number(read.properties.lat)).toBeCloseTo(properties.lat as number, 6);
    }
  });
});

describe('what GDAL does not read', () => {
  const boundaries = async () => {
    const { features } = JSON.parse((await collect(SELECTION)).toString()) as { features: Read[] };
    return new Map(features.map((one) => [String(one.properties.id), one]));
  };

  it('geoparquet has the same boundaries', async () => {
    const bytes = await collect({ ...SELECTION, format: 'geoparquet' });
    const file = new Uint8Array(bytes).buffer;
    const rows = (await parquetReadObjects({ file })) as (Record<string, unknown> & { geometry: Read['geometry'] })[];
    const expected = await boundaries();
    expect(rows.map(({ id }) => id).sort()).toEqual([...expected.keys()].sort());
    for (const { id, kind, geometry } of rows) {
      const { properties, geometry: shape } = expected.get(String(id)) as Read;
      expect(kind).toBe(properties.kind);
      expect(canonicalRings(geometry), `${id}`).toEqual(canonicalRings(shape));
    }
  });

  it.each(['geojson', 'kml', 'wkt'] as const)('zip has a file of %s for each boundary', async (zip_of) => {
    const file = join(folder, 'files.zip');
    writeFileSync(file, await collect({ ...SELECTION, format: 'zip', zip_of }));
    execFileSync('python3', ['-m', 'zipfile', '-e', file, join(folder, zip_of)]);
    const names = readdirSync(join(folder, zip_of));
    expect(names).toHaveLength(SELECTION.ids.length);
    for (const [id, { geometry }] of await boundaries()) {
      const name = names.find((one) => one.endsWith(` (${id}).${zip_of}`)) as string;
      const text = readFileSync(join(folder, zip_of, name), 'utf8');
      if (zip_of !== 'geojson') expect(text).toContain(zip_of === 'kml' ? '<kml' : 'POLYGON');
      else expect(canonicalRings(JSON.parse(text).geometry)).toEqual(canonicalRings(geometry));
    }
  });

  it('zip_of is for a zip', async () => {
    const reply = await server.ask('POST', '/v1/collections', { key, json: { ...SELECTION, zip_of: 'kml' } });
    expect([reply.status, reply.json.issues]).toEqual([400, [expect.objectContaining({ path: 'zip_of' })]]);
  });
});

describe('a format that a thread writes', () => {
  it.each(BINARY_FORMATS)('%s is a file at a url when it is called by name', async (format) => {
    const { json } = await server.rpc('export_collection', { ...SELECTION, format }, key);
    const fetched = await server.get(new URL(json.url).pathname.replace('/base', ''));
    expect([fetched.status, fetched.bytes.length]).toEqual([200, json.bytes]);
  });

  it('comes to a command that works in this process', async () => {
    const target = localTarget(server.services, ops, new AbortController().signal);
    const reported = jsonOf(await target.call('export_collection', { ...SELECTION, format: 'geopackage' })) as {
      url: string;
    };
    const file = await target.download(reported.url);
    expect([file.status, file.contentType]).toEqual([200, 'application/geopackage+sqlite3']);
  });

  it('has its turn after others, however many ask', async () => {
    const sizes = await Promise.all(
      Array.from({ length: 6 }, async () => (await collect({ ...SELECTION, format: 'flatgeobuf' })).length),
    );
    expect(new Set(sizes).size).toBe(1);
  });
});
