import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openUpstream } from '../../src/app/upstream.ts';
import { defined, only } from '../../src/common/elements.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { overpassSink } from '../../src/sources/upstream_answers.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { CELLS, CLOSED_WAY, grid, INCOMPLETE, NO_BOUNDARY, WHOLE } from './fixture_map.ts';
import { held, type OverpassServer, startOverpassServer } from './overpass_server.ts';

let upstream: OverpassServer;
let server: BoundaryTestServer;
let key: string;

beforeAll(async () => {
  upstream = await startOverpassServer(grid());
  server = await openBoundaryTestServer(
    {},
    { UPSTREAM_URL: upstream.url, UPSTREAM_CONTACT: 'maps@example.org', UPSTREAM_WAIT_MS: '20000' },
  );
  ({ key } = await server.key());
});
afterAll(async () => {
  await server?.close();
  await upstream?.close();
});
beforeEach(() => upstream.forget());

const path = (id: string | number, more = '') => `/v1/boundaries/${typeof id === 'number' ? `r${id}` : id}${more}`;

describe('a boundary that is not stored', () => {
  test('is fetched by one request, and the second time it is local', async () => {
    const first = await server.get(path(defined(CELLS[0]), '?detail=full'), key);
    expect(first.status).toBe(200);
    expect(first.json.properties).toMatchObject({ name: 'Cell 1', source: 'osm', admin_level: 8, has_geometry: true });
    const ring = [
      [7, 51],
      [7.1, 51],
      [7.1, 51.1],
      [7, 51.1],
      [7, 51],
    ];
    expect(first.json.geometry).toEqual({ type: 'Polygon', coordinates: [ring] });
    expect(upstream.requestCount()).toBe(1);
    const second = await server.get(path(defined(CELLS[0]), '?detail=full'), key);
    expect(second.bytes.equals(first.bytes)).toBe(true);
    expect(upstream.seen.filter(({ path }) => path.startsWith('/api')).length).toBe(2);
  });

  test('is asked for with a name, a short time and little memory', async () => {
    await server.get(path(defined(CELLS[1])));
    const asked = defined(upstream.seen.filter(({ path }) => path === '/api/interpreter')[0]);
    expect(asked.headers['user-agent']).toMatch(/^boundary-lookup\/\d+\.\d+\.\d+ \(\+maps@example\.org\)$/);
    expect(asked.query).toMatch(/^\[out:json\]\[timeout:25\]\[maxsize:67108864\];rel\(2000002\)->\.r;/);
  });

  test('shares its border with neighbors that were fetched before', async () => {
    const ids = CELLS.slice(0, 3).map((id) => `r${id}`);
    const union = await server.ask('POST', '/v1/boundaries/union', { key, json: { include: ids, detail: 'full' } });
    expect(union.status).toBe(200);
    expect(upstream.requestCount()).toBe(1);
    const shared = await server.services.db.query(
      `select a.id from arc a where (select count(*) from boundary_shape s where a.id = any (s.arc_ids)) = 2`,
    );
    expect(shared).toHaveLength(2);
    expect(union.json.geometry.type).toBe('Polygon');
    const corners = defined((union.json.geometry.coordinates as [number, number][][])[0]);
    expect([Math.min(...corners.map(([lon]) => lon)), Math.max(...corners.map(([lon]) => lon))]).toEqual([7, 7.3]);
  });

  test('is fetched for an export and for what a union leaves out', async () => {
    expect((await server.get(path(defined(CELLS[3]), '/export?format=wkt'), key)).status).toBe(200);
    const union = await server.ask('POST', '/v1/boundaries/union', {
      key,
      json: { include: [`r${WHOLE}`], exclude: [`r${CELLS[4]}`], detail: 'full' },
    });
    expect(union.status).toBe(200);
    expect(upstream.requestCount()).toBe(3);
  });

  test('is found by its wikidata id and its ISO code with one request each', async () => {
    const byItem = await server.get(path(`wikidata:Q${CELLS[5]}`));
    expect([byItem.status, byItem.json.id]).toEqual([200, `r${CELLS[5]}`]);
    const byCode = await server.get(path('iso:XA-7'));
    expect([byCode.status, byCode.json.id]).toEqual([200, `r${CELLS[6]}`]);
    expect(upstream.requestCount()).toBe(2);
    expect((await server.get(path(defined(CELLS[5])))).status).toBe(200);
    expect(upstream.requestCount()).toBe(2);
  });

  test('is a closed way too', async () => {
    const reply = await server.get(path(`w${CLOSED_WAY}`));
    expect([reply.status, reply.json.id, reply.json.properties.name]).toEqual([200, `w${CLOSED_WAY}`, 'A way']);
  });
});

describe('what the source does not have', () => {
  test('is not_found, and remembered for a while', async () => {
    const first = await server.get(path(999_999_999));
    expect([first.status, first.json.code]).toEqual([404, 'not_found']);
    expect(first.json.detail).toContain('r999999999');
    await server.get(path(999_999_999));
    expect(upstream.requestCount()).toBe(1);
  });

  test('is asked for again after ten minutes', async () => {
    const row = only(
      await server.services.db.query<{ seconds: number }>(
        `select extract(epoch from holds_until - asked_at)::integer as seconds from upstream_fetch where key = 'r999999999'`,
      ),
    );
    expect(row.seconds).toBe(600);
    await server.services.db.query("update upstream_fetch set holds_until = now() where key = 'r999999999'");
    await server.get(path(999_999_999));
    expect(upstream.requestCount()).toBe(1);
  });

  test('a relation that is not a boundary is not_found', async () => {
    const reply = await server.get(path(NO_BOUNDARY));
    expect([reply.status, reply.json.code]).toEqual([404, 'not_found']);
  });

  test('a relation without one of its ways has no_geometry, with the reason', async () => {
    const reply = await server.get(path(INCOMPLETE));
    expect([reply.status, reply.json.code]).toEqual([404, 'no_geometry']);
    expect(reply.json.detail).toContain('1999999');
    expect((await server.get(path(INCOMPLETE))).json.code).toBe('no_geometry');
    expect(upstream.requestCount()).toBe(1);
  });

  test('an id of our own is never asked for', async () => {
    expect((await server.get(path('r9000000000001'))).status).toBe(404);
    expect(upstream.requestCount()).toBe(0);
  });
});

describe('while it is being fetched', () => {
  test('callers are answered so after the wait, and served when it is there', async () => {
    const { services, engine } = server;
    const { db, boundaries, log, config } = services;
    const parts = { db, boundaries, log, metrics: createMetrics(), sink: overpassSink({ db, engine }) };
    // Another process in the same database, whose callers wait for less.
    const impatient = openUpstream({ ...config, UPSTREAM_WAIT_MS: 300 }, parts, { refresh: false });
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    upstream.next(held(gate));
    const wanted = impatient?.resolve([`r${CELLS[7]}`], { who: 'known' });
    await expect(wanted).rejects.toMatchObject({
      code: 'geometry_pending',
      message: expect.stringContaining(`r${CELLS[7]}`),
      extra: { retry_after: expect.any(Number) },
    });
    const waiting = server.get(path(defined(CELLS[7])));
    open();
    expect((await waiting).status).toBe(200);
    expect(upstream.requestCount()).toBe(1);
    await impatient?.close();
  });
});
