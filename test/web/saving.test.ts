import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { today } from '../../src/common/dates.ts';
import { importLand } from '../../src/sources/import_land.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Choice, callOf, given, type Offer, savingOf } from '../../web/src/download/offer.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from '../ops/fixture_world.ts';

const PLAIN: Choice = {
  ...{ format: 'geojson', detail: 'low', area: 'all', asOf: '', names: '', each: false },
};
const about = { key: '', label: '', name: '', count: 1, units: 1 };
// Both are half at sea.
const OFFERS: readonly Offer[] = [
  { ...about, op: 'export_boundary', ...given({ id: 'r121' }) },
  { ...about, op: 'export_collection', ...given({ ids: ['r121', 'r122'] }) },
  { ...about, op: 'union_boundaries', ...given({ include: ['r121', 'r122'] }) },
  { ...about, op: 'create_area', ...given({ plan: { steps: [{ op: 'place', id: 'r121' }] } }) },
  { ...about, op: 'dissolve', ...given({ csv: 'id,group\nr121,west\nr122,east\n' }) },
];

describe('saving what the download panel has in the library', () => {
  let server: BoundaryTestServer;
  let headers: Record<string, string>;
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    const deps = { db: server.services.db, engine: server.engine };
    await storeBoundaries(deps, fixtureWorld());
    const [west, east] = [WEST - 1, WEST + 1.5];
    const path = join(server.dataDir, 'land.wkt');
    const [south, north] = [SOUTH - 1, SOUTH + 4];
    writeFileSync(
      path,
      `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
    );
    await importLand(deps, path, { source: 'made-land', license: 'CC0-1.0', attribution: 'the tests' });
    headers = { Authorization: `Bearer ${(await server.key('business')).key}` };
  });
  afterAll(() => server?.close());

  const shapesOf = (data: GeoJSON.Feature | GeoJSON.FeatureCollection) =>
    (data.type === 'Feature' ? [data] : data.features).map(({ geometry }) => geometry);

  for (const offer of OFFERS) {
    test.each([
      ['as mapped', {}],
      ['land only', { area: 'land' }],
      ['as of a date', { asOf: today() }],
      ['sea only', { area: 'water' }],
    ] as const)(`${offer.op}, %s: the very shapes that are downloaded`, async (_, change) => {
      const call = callOf(offer, await offer.input(), { ...PLAIN, ...change }, true);
      const saving = savingOf(call);
      const isDated = 'asOf' in change;
      const isMany = offer.op === 'export_collection' || offer.op === 'dissolve';
      if (isDated && !isMany) return expect(saving).toBeNull();
      if (saving === null) throw new Error('cannot be saved');
      expect(saving.path).toBe(offer.op === 'dissolve' || isDated ? '/jobs' : '/files');
      const saved = await server.ask('POST', `/v1${saving.path}`, { json: saving.body, headers });
      const made = await server.ask('POST', `/v1/ops/${call.op}`, { json: call.input, headers });
      if (saving.path === '/jobs') {
        expect(saved.status, saved.text).toBe(201);
        expect(saving.body).toEqual({ op: call.op, input: call.input });
        return;
      }
      expect(saved.status, saved.text).toBe(201);
      const { id } = saved.json as { id: string };
      const kept = await server.ask('GET', `/v1/files/${id}/content`, { headers });
      const url = (made.json as { url?: string }).url;
      const file = url === undefined ? made.text : (await server.get(url.slice(BASE_URL.length))).text;
      expect(shapesOf(JSON.parse(kept.text))).toEqual(shapesOf(JSON.parse(String(file))));
    });
  }

  test('each format that is offered to be saved is taken', async () => {
    for (const offer of OFFERS) {
      for (const format of ['kml', 'wkt', 'svg', 'gml', 'geopackage', 'ndjson', 'csv']) {
        const call = callOf(offer, await offer.input(), { ...PLAIN, format, names: 'en' }, true);
        const saving = savingOf(call);
        if (saving === null || saving.path === '/jobs' || (offer.op === 'export_collection' && format === 'wkt'))
          continue;
        const { status, text } = await server.ask('POST', '/v1/files', { json: saving.body, headers });
        expect([offer.op, format, status < 300 ? '' : text]).toEqual([offer.op, format, '']);
      }
    }
  });
});
