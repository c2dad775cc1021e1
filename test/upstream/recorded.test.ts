import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { overpassSink } from '../../src/sources/upstream_answers.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { canonicalRings, dataDir, mergeFull, openEnvironment } from '../proof/environment.ts';
import { recorded, recordedWorld } from './fixture_map.ts';
import { type OverpassServer, startOverpassServer } from './overpass_server.ts';

const VADUZ = 'r1155956';

describe.skipIf(!dataDir)('what a real server answered', () => {
  let upstream: OverpassServer;
  let testServer: BoundaryTestServer;
  let key: string;
  const rings = new Map<string, string[]>();

  beforeAll(async () => {
    upstream = await startOverpassServer(recordedWorld);
    testServer = await openBoundaryTestServer({}, { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '20000' });
    ({ key } = await testServer.key());
  });
  afterAll(async () => {
    await testServer?.close();
    await upstream?.close();
  });
  beforeEach(() => upstream.forget());

  const get = (id: string, more = '') => testServer.get(`/v1/boundaries/${id}${more}`, key);

  test('a boundary with ways and nodes as elements of their own', async () => {
    const reply = await get('iso:LI-11', '?detail=full&names=el');
    expect([reply.status, reply.json.id]).toEqual([200, VADUZ]);
    expect(reply.json.properties).toMatchObject({
      name: 'Vaduz',
      kind: 'municipality',
      country: 'LI',
      wikidata: 'Q1844',
    });
    expect((reply.json.properties.names as Record<string, string>).el).toBe('Βαντούζ');
    rings.set(VADUZ, canonicalRings(reply.json.geometry));
    expect((await get('wikidata:Q1844')).json.id).toBe(VADUZ);
    expect(upstream.requestCount()).toBe(1);
  });

  test('a boundary with geometry in its members', async () => {
    const reply = await get('r1155955', '?detail=full');
    expect([reply.status, reply.json.properties.country, reply.json.properties.kind]).toEqual([200, 'LI', 'country']);
    rings.set('r1155955', canonicalRings(reply.json.geometry));
    expect((await get(VADUZ)).json.properties.parents).toMatchObject([{ id: 'r1155955' }]);
  });

  test('a relation that does not exist', async () => {
    expect((await get('r999999999999')).json.code).toBe('not_found');
  });

  test('a relation whose ways are not all there', async () => {
    const reply = await get('r7879368');
    expect([reply.status, reply.json.code]).toEqual([404, 'no_geometry']);
  });

  test('a query that ran out of memory is sent once more with more of it, and is not an answer then', async () => {
    const answer = recorded('out-of-memory');
    const behavior = ({
      response,
    }: {
      response: { setHeader: (k: string, v: string) => void; end: (s: string) => void };
    }) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(answer);
    };
    upstream.always(behavior);
    expect((await get('r77')).json.code).toBe('upstream_unavailable');
    const sizes = upstream.seen.flatMap(({ query }) => /maxsize:(\d+)/.exec(query)?.[1] ?? []);
    expect(sizes).toEqual(['67108864', '536870912']);
    upstream.always(null);
    expect((await get('r77')).json.code).toBe('not_found');
  });

  test('a query that cannot be read', async () => {
    upstream.next(({ response }) => {
      response.writeHead(400, { 'Content-Type': 'text/html; charset=utf-8' }).end(recorded('syntax-error'));
    });
    expect((await get('r78')).json.code).toBe('internal_error');
  });

  test('subdivisions are listed by name, and asked for once', async () => {
    const sink = overpassSink({ db: testServer.services.db, engine: testServer.engine });
    const tags = { boundary: 'administrative', name: 'Lëtzebuerg', admin_level: '2', 'ISO3166-1': 'LU' };
    await sink.name([{ id: 'r2171347', tags, box: [5.73, 49.44, 6.54, 50.19] }], { country: null });
    const first = await testServer.get('/v1/boundaries/r2171347/children');
    expect(first.json.items.map(({ name }) => name)).toContain('Canton Echternach');
    expect(first.json.items).toHaveLength(13);
    expect(first.json.items[0]).toMatchObject({ country: 'LU', admin_level: 6, has_geometry: false });
    expect(defined(first.json.items[0]).parents.map(({ id }) => id)).toEqual(['r2171347']);
    // At levels 3 and 4, then at 5 and 6.
    expect(upstream.requestCount()).toBe(2);
    expect((await testServer.get('/v1/boundaries/r2171347/children')).json.items).toEqual(first.json.items);
    expect(upstream.requestCount()).toBe(2);
    const found = await testServer.get('/v1/boundaries/search?q=Canton%20Echternach');
    expect(defined(found.json.items[0]).id).toBe('r407792');
  });

  test('a place that nothing stored covers', async () => {
    const { db } = testServer.services;
    await db.query("delete from boundary where id in ('r1155955', 'r1155956')");
    const first = await testServer.get('/v1/boundaries/reverse?lat=47.141&lon=9.521', key);
    expect(first.json.items.map(({ id }) => id)).toEqual(['r1155955', 'r1156142', VADUZ]);
    expect(first.json.items.map(({ country }) => country)).toEqual(['LI', 'LI', 'LI']);
    expect(first.json.coverage.postal_code).toBe('not_mapped');
    expect(upstream.requestCount()).toBe(1);
    expect((await testServer.get('/v1/boundaries/reverse?lat=47.141&lon=9.521', key)).json).toEqual(first.json);
    expect(upstream.requestCount()).toBe(1);
  });

  test('has the borders that an import of the same map makes', async () => {
    await testServer.close();
    const imported = await openEnvironment('osm/liechtenstein-2024.osm.pbf');
    try {
      for (const [id, fetched] of rings) {
        expect(fetched).toEqual(canonicalRings((await mergeFull(imported, [id])).geometry));
      }
      expect(rings.size).toBe(2);
    } finally {
      await imported.close();
    }
    testServer = undefined as unknown as BoundaryTestServer;
  });
});
