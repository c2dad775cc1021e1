import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
});
afterAll(() => server?.close());

const exportOf = (id: string) => `/v1/boundaries/${id}/export?format=geojson&detail=full`;

describe('an export without paying for it', () => {
  test('HEAD costs what GET costs', async () => {
    const { key } = await server.key('free');
    const head = await server.ask('HEAD', exportOf('r111'), { key });
    expect([head.status, await server.used(key)]).toEqual([200, 1]);
    const path = String(head.headers['content-location']).slice(BASE_URL.length);
    expect((await server.ask('GET', path)).status).toBe(200);
    for (const [method, address] of [
      ['HEAD', '/v1/boundaries/r111?detail=full'],
      ['HEAD', '/v1/boundaries/reverse?lat=30.5&lon=-29.5'],
      ['HEAD', `/v1/ops/export_boundary?input=${encodeURIComponent('{"id":"r111"}')}`],
      ['HEAD', `/v1/ops/union_boundaries?input=${encodeURIComponent('{"include":["r111"],"format":"svg"}')}`],
    ]) {
      const before = await server.used(key);
      expect((await server.ask(defined(method), defined(address), { key })).status).toBe(200);
      expect(await server.used(key), address).toBe(before + 1);
    }
  });

  test('no one without units learns where it is, or what it is', async () => {
    const { key, org } = await server.key('free');
    await server.spend(org, 0);
    for (const [method, headers] of [
      ['HEAD', {}],
      ['GET', { 'If-None-Match': '*' }],
      ['HEAD', { 'If-None-Match': '*' }],
      ['GET', { Range: 'bytes=0-1' }],
    ] as const) {
      const reply = await server.ask(method, exportOf('r112'), { key, headers });
      expect([reply.status, reply.headers['content-location'], reply.headers.etag]).toEqual([
        402,
        undefined,
        undefined,
      ]);
    }
  });

  test('If-None-Match: * is as if it were not there', async () => {
    const { key } = await server.key('free');
    const reply = await server.ask('GET', exportOf('r113'), { key, headers: { 'If-None-Match': '*' } });
    expect([reply.status, await server.used(key)]).toEqual([200, 1]);
  });

  test('its own tag is 304 and free; nothing is stored or named then', async () => {
    const { key } = await server.key('free');
    const address = exportOf('r121');
    const paid = await server.ask('GET', address, { key });
    const stored: string[] = [];
    const { blobs } = server.services;
    const put: typeof blobs.put = async (sha256, extension, bytes) => {
      stored.push(sha256);
      await blobs.put(sha256, extension, bytes);
    };
    Object.assign(server.services, { blobs: { ...blobs, put } });
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'If-None-Match': String(paid.headers.etag) };
      const known = await server.ask(method, address, { key, headers });
      expect([known.status, known.text, known.headers.etag]).toEqual([304, '', paid.headers.etag]);
      for (const name of ['content-location', 'content-disposition']) expect(known.headers[name]).toBeUndefined();
    }
    expect([await server.used(key), stored]).toEqual([1, []]);
    await server.ask('GET', address, { key });
    expect([await server.used(key), stored.length]).toEqual([2, 1]);
  });
});
