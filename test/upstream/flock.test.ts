import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { runConcurrentClients } from './concurrent_clients.ts';
import { CELLS, grid } from './fixture_map.ts';
import { type OverpassServer, startOverpassServer } from './overpass_server.ts';

let upstream: OverpassServer;
let server: BoundaryTestServer;

beforeAll(async () => {
  upstream = await startOverpassServer(grid());
  server = await openBoundaryTestServer({}, { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '500' });
});
afterAll(async () => {
  await server?.close();
  await upstream?.close();
});

describe('500 clients that ask for 20 boundaries no one has asked for before', () => {
  test('make 20 requests, no more than the slots at once', { timeout: 300_000 }, async () => {
    upstream.delay(30);
    const ids = CELLS.slice(0, 20);
    const statuses = await runConcurrentClients([server.address], ids, 500, (await server.key()).key);
    expect(statuses).toEqual(ids.map(() => 200));
    expect(upstream.requestCount()).toBe(20);
    expect(upstream.maxConcurrent()).toBeLessThanOrEqual(2);
    const { requests } = only(
      await server.services.db.query<{ requests: number }>('select requests from upstream_day'),
    );
    expect(requests).toBe(20);
  });
});
