import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { runCommand } from '../../src/cli/operator/index.ts';
import { defined, only } from '../../src/common/elements.ts';
import { loadQuery } from '../../src/db/query.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { incompleteBoundaries } from '../../src/sources/update/supply.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { leading } from '../setup/elements.ts';
import { CELLS, COLUMNS, grid, INCOMPLETE, ROWS, WHOLE } from './fixture_map.ts';
import { misbehavior, type OverpassServer, startOverpassServer } from './overpass_server.ts';

let upstream: OverpassServer;
let testServer: BoundaryTestServer;
let key: string;

beforeAll(async () => {
  upstream = await startOverpassServer(grid());
  testServer = await openBoundaryTestServer({}, { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '20000' }, 2_000);
  ({ key } = await testServer.key());
});
afterAll(async () => {
  await testServer?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.forget();
  upstream.world(grid());
});

const get = (id: number | string, more = '') =>
  testServer.get(`/v1/boundaries/${typeof id === 'number' ? `r${id}` : id}${more}`, key);

/** Until nothing is asked any more. */
const idle = () => vi.waitFor(() => expect(testServer.services.upstream?.pending()).toBe(0), 10_000);

/** A seed shape: the box given, in degrees. */
async function putSeed(
  id: string | null,
  name: string,
  [west, south, east, north]: number[],
  more: Partial<SourceBoundary> = {},
): Promise<void> {
  const corners = [west, south, east, south, east, north, west, north, west, south];
  const boundary: SourceBoundary = {
    id,
    sourceId: name,
    version: '1',
    type: 'administrative',
    name,
    names: {},
    otherNames: [],
    codes: [],
    adminLevel: 8,
    kind: 'municipality',
    countryCode: null,
    country: null,
    iso: null,
    wikidata: null,
    population: null,
    tags: {},
    place: null,
    subareas: [],
    border: { rings: [Int32Array.from(corners, (degrees) => Math.round(defined(degrees) * 1e7))] },
    ...more,
  };
  const source = {
    id: 'start',
    name: 'Start',
    url: null,
    license: 'CC0-1.0',
    attribution: 'test',
    resolution: null,
    seed: true,
  };
  await storeBoundaries(
    { db: testServer.services.db, engine: testServer.engine },
    { source, file: 'seed', boundaries: [boundary] },
  );
}

describe('a seed shape', () => {
  test('is used by search and reverse without a question, and fetched when its polygon is asked for', async () => {
    await putSeed(`r${CELLS[9]}`, 'Roughly ten', [7.1, 51.1, 7.2, 51.2]);
    expect(defined((await testServer.get('/v1/boundaries/search?q=Roughly%20ten')).json.items[0]).id).toBe(
      `r${CELLS[9]}`,
    );
    const reverse = await testServer.get('/v1/boundaries/reverse?lat=51.15&lon=7.15', key);
    expect(reverse.json.items.map(({ id }) => id)).toEqual([`r${CELLS[9]}`]);
    expect(upstream.requestCount()).toBe(0);
    upstream.next(misbehavior.gateway);
    const first = await get(defined(CELLS[9]));
    expect(first.status).toBe(200);
    expect(first.json.properties).toMatchObject({ source: 'start', name: 'Roughly ten', stale: { reason: 'seed' } });
    const { stale } = first.json.properties as { stale: { lat: number; lon: number; since: string } };
    expect([stale.lat, stale.lon, Number.isFinite(Date.parse(stale.since))]).toEqual([51.15, 7.15, true]);
    await idle();
    expect((await get(defined(CELLS[9]))).json.properties.stale).toMatchObject({ reason: 'seed' });
    await idle();
    const fetched = await get(defined(CELLS[9]));
    expect([fetched.status, fetched.json.properties.source, fetched.json.properties.name]).toEqual([
      200,
      'osm',
      'Cell 10',
    ]);
    expect(fetched.json.properties.stale).toBe(null);
    expect(upstream.requestCount()).toBe(2);
  });

  test('is served by every operation and every form of its id while the source fails', async () => {
    await putSeed('r2000888', 'Stands in', [40, 10, 41, 11], { iso: 'XB-1' });
    upstream.always(misbehavior.silent);
    for (const id of ['r2000888', 'iso:XB-1']) {
      const reply = await get(id);
      expect(reply.status, id).toBe(200);
      expect(reply.json.properties.stale, id).toMatchObject({ reason: 'seed' });
      expect((await get(id, '/export?format=wkt')).status).toBe(200);
      const include = [id];
      const union = await testServer.ask('POST', '/v1/boundaries/union', { key, json: { include, detail: 'low' } });
      expect(union.status).toBe(200);
    }
    // One without any shape has nothing to serve.
    expect((await get(defined(CELLS[20]))).json.code).toBe('upstream_unavailable');
    upstream.forget();
    await idle();
  });

  test('stays where the source has nothing better, and is not stale then', async () => {
    await putSeed('r2000777', 'Only here', [20, 10, 21, 11]);
    const reply = await get(2_000_777);
    expect(reply.status).toBe(200);
    expect(reply.json.properties).toMatchObject({ source: 'start', stale: { reason: 'seed' } });
    await idle();
    expect((await get(2_000_777)).json.properties.stale).toBe(null);
    await idle();
    expect(upstream.requestCount()).toBe(1);
  });

  test('of a place without an id in OpenStreetMap is no one else’s business', async () => {
    await putSeed(null, 'Ours alone', [30, 10, 31, 11]);
    const [{ id }] = leading((await testServer.get('/v1/boundaries/search?q=Ours%20alone')).json.items, 1);
    expect(Number(id.slice(1))).toBeGreaterThanOrEqual(9_000_000_000_000);
    expect((await get(id)).status).toBe(200);
    expect(upstream.requestCount()).toBe(0);
  });
});

describe('subdivisions', () => {
  const children = (more = '') => testServer.get(`/v1/boundaries/r${WHOLE}/children${more}`);

  test('of a boundary that was fetched are asked for once, and fetched when their polygons are', async () => {
    upstream.next(misbehavior.gateway);
    await get(WHOLE);
    await get(WHOLE);
    upstream.forget();
    const first = await children();
    expect(first.json.items).toHaveLength(COLUMNS * ROWS);
    expect(upstream.requestCount()).toBe(1);
    expect((await children()).json).toEqual(first.json);
    expect(upstream.requestCount()).toBe(1);
    expect(first.json.items.find(({ id }) => id === `r${CELLS[30]}`)).toMatchObject({
      name: 'Cell 31',
      has_geometry: false,
    });
    expect((await get(defined(CELLS[30]))).status).toBe(200);
    expect(upstream.requestCount()).toBe(2);
    const after = await children();
    expect(after.json.items.map(({ id }) => id)).toEqual(first.json.items.map(({ id }) => id));
    expect(after.json.items.find(({ id }) => id === `r${CELLS[30]}`)).toMatchObject({ has_geometry: true });
  });

  test('come with the boundary when they are wanted', async () => {
    const reply = await get(WHOLE, '?include=children&detail=low');
    expect(reply.json.properties.children).toHaveLength(COLUMNS * ROWS);
    expect(upstream.requestCount()).toBe(0);
  });

  test('are still listed when the boundary itself is fetched again', async () => {
    upstream.world(grid({ version: 4 }));
    await testServer.services.db.query("update upstream_fetch set holds_until = now() where key = 'r2000000'");
    expect(await testServer.services.upstream?.refreshOne()).toBe(true);
    expect((await get(WHOLE)).json.properties.version).toBe(2);
    expect((await children()).json.items).toHaveLength(COLUMNS * ROWS);
  });

  test('at a level where there are none are an empty list, and asked for once', async () => {
    expect((await children('?admin_level=10')).json.items).toEqual([]);
    expect((await children('?admin_level=10')).json.items).toEqual([]);
    expect(upstream.requestCount()).toBe(1);
  });

  test('that cannot be asked for are not an empty list', async () => {
    upstream.always(misbehavior.timedOutPartly);
    const reply = await children('?admin_level=9');
    expect([reply.status, reply.json.code]).toEqual([503, 'upstream_unavailable']);
  });

  test('of a boundary that was imported are those that were imported', async () => {
    await testServer.services.db.query('delete from upstream_fetch where key = $1', [`r${CELLS[30]}`]);
    expect((await testServer.get(`/v1/boundaries/r${CELLS[30]}/children`)).json.items).toEqual([]);
    expect(upstream.requestCount()).toBe(0);
  });
});

describe('reverse', () => {
  test('asks where nothing stored covers the place, and remembers the answer', async () => {
    await testServer.services.db.query("delete from boundary where source = 'osm'");
    const place = '/v1/boundaries/reverse?lat=51.05&lon=7.05';
    const first = await testServer.get(place, key);
    expect(first.json.items.map(({ id }) => id)).toEqual([`r${WHOLE}`, `r${CELLS[0]}`]);
    expect((await testServer.get(place, key)).json).toEqual(first.json);
    expect(upstream.requestCount()).toBe(1);
  });

  test('answers what it has when no one can tell', async () => {
    upstream.always(misbehavior.gateway);
    const reply = await testServer.get('/v1/boundaries/reverse?lat=-20&lon=100', key);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ items: [], coverage: { postal_code: 'not_mapped' } });
  });

  test('in the open sea is empty, and remembered', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await testServer.get('/v1/boundaries/reverse?lat=-30&lon=100', key)).json.items).toEqual([]);
    }
    expect(upstream.requestCount()).toBe(1);
  });
});

describe('what was fetched', () => {
  const due = (id: number) =>
    testServer.services.db.query('update upstream_fetch set holds_until = now() where key = $1', [`r${id}`]);

  test('is fetched again when it is old, and its neighbors follow the border they share', async () => {
    await testServer.services.db.query('truncate upstream_fetch');
    for (const id of CELLS.slice(0, 2)) expect((await get(id)).status).toBe(200);
    const before = await get(defined(CELLS[1]), '?detail=full');
    expect(await testServer.services.upstream?.refreshOne()).toBe(false);
    upstream.forget();
    upstream.world(grid({ version: 5, north: 0.01 }));
    await due(defined(CELLS[0]));
    expect(await testServer.services.upstream?.refreshOne()).toBe(true);
    expect(await testServer.services.upstream?.refreshOne()).toBe(false);
    expect(upstream.requestCount()).toBe(1);
    expect((await get(defined(CELLS[0]), '?detail=full')).text).toContain('51.11');
    // The neighbor has the new shared way and its own old one, which no longer meet: its last good shape stays.
    const after = await get(defined(CELLS[1]), '?detail=full');
    expect(after.json.geometry).toEqual(before.json.geometry);
    expect(after.json.properties.stale).toMatchObject({ reason: expect.any(String) });
    const row = only(
      await testServer.services.db.query<{ requests: number }>(
        'select background_requests as requests from upstream_day',
      ),
    );
    expect(row.requests).toBeGreaterThan(0);
  });

  test('and no longer fits is asked for by itself, and good again', async () => {
    upstream.world(grid({ version: 5, north: 0.01 }));
    // It was fetched just now; ten minutes later it may be asked for.
    await testServer.services.db.query("update upstream_fetch set asked_at = now() - interval '11 minutes'");
    await testServer.services.upstream?.refetch([`r${CELLS[1]}`, 'r9000000000001']);
    expect(await testServer.services.upstream?.refreshOne()).toBe(true);
    expect((await get(defined(CELLS[1]))).json.properties.stale).toBeNull();
    expect(upstream.requestCount()).toBe(1);
  });

  test('is not asked for again and again', async () => {
    await testServer.services.upstream?.refetch([`r${CELLS[1]}`]);
    expect(await testServer.services.upstream?.refreshOne()).toBe(false);
  });

  test('and is gone from the source stays, and says so', async () => {
    upstream.world(grid({ version: 5, north: 0.01, gone: new Set([defined(CELLS[1])]) }));
    await due(defined(CELLS[1]));
    expect(await testServer.services.upstream?.refreshOne()).toBe(true);
    const reply = await get(defined(CELLS[1]));
    expect([reply.status, reply.json.properties.stale]).toMatchObject([
      200,
      { reason: expect.stringContaining('no longer') },
    ]);
  });

  test('is kept when the source answers with a part', async () => {
    upstream.always(misbehavior.timedOutPartly);
    await due(defined(CELLS[0]));
    await expect(testServer.services.upstream?.refreshOne()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect((await get(defined(CELLS[0]), '?detail=full')).text).toContain('51.11');
    // It is not tried again at once.
    expect(await testServer.services.upstream?.refreshOne()).toBe(false);
  });

  test('without a polygon is served as that when the source is down', async () => {
    upstream.world(grid());
    expect((await get(INCOMPLETE)).json.code).toBe('no_geometry');
    await testServer.services.db.query('update upstream_fetch set holds_until = now() where key = $1', [
      `r${INCOMPLETE}`,
    ]);
    upstream.always(misbehavior.gateway);
    expect((await get(INCOMPLETE)).json.code).toBe('no_geometry');
    expect(upstream.requestCount()).toBe(2);
  });
});

describe('a change of the map that needs objects which were never stored', () => {
  const run = (name: string, input: object) =>
    runCommand({ services: testServer.services } as App, name, input, () => {});
  const folder = mkdtempSync(join(tmpdir(), 'boundary-refetch-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('leaves its boundary stale until `boundary update` has it asked for, and it is good again', async () => {
    const { db } = testServer.services;
    await db.query('truncate upstream_fetch');
    const waiting = (await incompleteBoundaries(db)).map((one) => one.id);
    const id = defined(CELLS[CELLS.length - 1]);
    upstream.world(grid({ version: 10 }));
    expect((await get(id)).status).toBe(200);
    const before = await get(id, '?detail=full');
    // A way of its border, with a node that no one has seen.
    const way = only(
      await db.query<{ id: number; node_refs: number[] }>(
        'select w.id, w.node_refs from way w join boundary b on w.id = any (b.ways) where b.id = $1 order by w.id limit 1',
        [`r${id}`],
      ),
    );
    const refs = [way.node_refs[0], 77_777_777, ...way.node_refs.slice(1)];
    const path = join(folder, 'one.osc');
    writeFileSync(
      path,
      `<osmChange version="0.6"><modify><way id="${way.id}" version="11">${refs.map((ref) => `<nd ref="${ref}"/>`).join('')}</way></modify></osmChange>`,
    );
    await run('update_file', { file: path });
    const stale = await get(id, '?detail=full');
    expect(stale.json.geometry).toEqual(before.json.geometry);
    expect(stale.json.properties.stale).toMatchObject({ reason: `way ${way.id}: missing node 77777777` });

    // It was asked for just now: not again at once.
    const refetch = async () => {
      expect(await run('update_refetch', {})).toEqual({ waiting: [`r${id}`, ...waiting], asked: true });
      const due = await db.query<{ key: string }>(loadQuery('upstream_due'), [10]);
      return due.map(({ key }) => key);
    };
    expect(await refetch()).not.toContain(`r${id}`);
    await db.query("update upstream_fetch set asked_at = now() - interval '11 minutes'");
    upstream.world(grid({ version: 12 }));
    expect(await refetch()).toContain(`r${id}`);
    while (await testServer.services.upstream?.refreshOne());
    expect((await get(id)).json.properties.stale).toBeNull();
    expect(await run('update_refetch', {})).toEqual({ waiting, asked: true });
  });
});

describe('what is remembered', () => {
  test('goes when it no longer holds, but for what may be fetched again', async () => {
    const { db, upstream: service } = testServer.services;
    await db.query(`insert into upstream_fetch (key, outcome, holds_until, lease, leased_until) values
      ('r3', 'missing', now() - interval '1 second', null, null), ('at:1,1', 'found', now() - interval '1 second', null, null),
      ('r4', 'found', now() - interval '1 second', null, null), ('r5', 'missing', now() + interval '1 minute', null, null),
      ('r6', null, null, 'a process', now() + interval '1 minute'), ('r7', null, null, 'a dead one', now() - interval '1 second')`);
    await service?.sweep();
    const rows = await db.query<{ key: string }>(
      `select key from upstream_fetch where key in ('r3', 'at:1,1', 'r4', 'r5', 'r6', 'r7') order by key`,
    );
    expect(rows.map(({ key }) => key)).toEqual(['r4', 'r5', 'r6']);
    await db.query("delete from upstream_fetch where key in ('r4', 'r5', 'r6')");
  });

  test('and counted is shown by the metrics', async () => {
    const shown = await testServer.services.metrics.registry.metrics();
    expect(shown).toMatch(/^boundary_upstream_requests_total [1-9]/m);
    expect(shown).toMatch(/^boundary_upstream_bytes_total [1-9]/m);
    expect(shown).toMatch(/^boundary_upstream_outcomes_total{outcome="ok"} [1-9]/m);
    expect(shown).toMatch(/^boundary_upstream_outcomes_total{outcome="query_timeout"} [1-9]/m);
    expect(shown).toMatch(/^boundary_upstream_breaker{server="127\.0\.0\.1:\d+"} 0$/m);
    expect(shown).toMatch(/^boundary_upstream_pending 0$/m);
  });
});

describe('what is stored', () => {
  test('costs get, union and export no statement more than without an upstream', async () => {
    const paths = [
      `/v1/boundaries/r${CELLS[0]}?detail=high`,
      `/v1/boundaries/r${CELLS[0]}/export?format=kml&detail=full`,
    ];
    const union = { key, json: { include: [`r${CELLS[0]}`, `r${CELLS[1]}`], detail: 'high' } };
    const spy = vi.spyOn(testServer.services.db, 'query');
    try {
      for (const path of paths) expect((await testServer.get(path, key)).status).toBe(200);
      expect((await testServer.ask('POST', '/v1/boundaries/union', union)).status).toBe(200);
      const statements = spy.mock.calls.map(([sql]) => sql);
      expect(statements.filter((sql) => /upstream_/.test(sql))).toEqual([]);
      // One lookup a call, and none of the boundary that the call before has looked up.
      const lookups: string[] = [loadQuery('boundary_resolve'), loadQuery('boundary_shapes')];
      expect(statements.filter((sql) => lookups.includes(sql))).toHaveLength(2);
      expect(upstream.seen).toEqual([]);
    } finally {
      spy.mockRestore();
    }
  });
});

describe('no one but the servers that are configured is contacted', () => {
  let elsewhere: Server;
  let visits = 0;

  beforeAll(async () => {
    elsewhere = createServer((_request, response) => {
      visits++;
      response.end('{"elements":[]}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
  });
  const there = () => `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

  test.each([
    (host: string) => `http://${host}/relation/1`,
    (host: string) => `https://www.openstreetmap.org@${host}/relation/1`,
    (host: string) => `https://${host}#www.openstreetmap.org/relation/1`,
    (host: string) => `https://www.openstreetmap.org:${host.split(':')[1]}/relation/1`,
    (host: string) => `//${host}/relation/1`,
    (host: string) => `www.openstreetmap.org.${host}/relation/1`,
    () => 'https://www.openstreetmap.org/relation/1/../../api/status',
    () => 'r1);out;rel(2',
    () => 'r1%0a%0dHost:%20evil',
    () => 'wikidata:Q1"];out;rel["a"="b',
    () => 'iso:XA-1"]',
    () => 'r1e3',
    () => 'r0x10',
    () => 'file:///etc/passwd',
  ])('an id such as %s is refused, and no host is asked', async (make) => {
    const reply = await testServer.ask('GET', `/v1/boundaries/${encodeURIComponent(make(there()))}`, { key });
    expect(reply.json.code).toBe('invalid_id');
    const union = await testServer.ask('POST', '/v1/boundaries/union', { key, json: { include: [make(there())] } });
    expect(union.json.code).toBe('invalid_id');
    expect([visits, upstream.seen.length]).toEqual([0, 0]);
  });

  test('an address of the map names an object, and the configured server is asked for it', async () => {
    const reply = await testServer.ask(
      'GET',
      `/v1/boundaries/${encodeURIComponent(`https://www.openstreetmap.org/relation/${CELLS[35]}`)}`,
    );
    expect([reply.status, reply.json.id, upstream.requestCount()]).toEqual([200, `r${CELLS[35]}`, 1]);
  });

  test('a redirect is not followed', async () => {
    upstream.next(({ response }) => {
      response.writeHead(307, { Location: `http://${there()}/api/interpreter` }).end();
    });
    expect((await get(defined(CELLS[36]))).json.code).toBe('upstream_unavailable');
    expect(visits).toBe(0);
  });

  test('every query holds numbers and codes alone', async () => {
    await get(`wikidata:Q${CELLS[37]}`);
    await get('iso:XA-39');
    const head = String.raw`\[out:json\]\[timeout:25\]\[maxsize:\d+\];`;
    const value = '"(wikidata|ISO3166-[12](:alpha2)?)"="[A-Z0-9-]+"';
    for (const { query } of upstream.seen.filter(({ path }) => path.endsWith('interpreter'))) {
      expect(query).toMatch(new RegExp(`^${head}(rel\\(\\d+\\)|\\(rel\\[${value}\\])`));
    }
    expect(upstream.requestCount()).toBe(2);
  });
});
