import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { CELLS, grid } from './fixture_map.ts';
import { misbehavior, type OverpassServer, startOverpassServer } from './overpass_server.ts';

let upstream: OverpassServer;
let testServer: BoundaryTestServer;

beforeAll(async () => {
  upstream = await startOverpassServer(grid());
  testServer = await openBoundaryTestServer({}, { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '300' }, 2_500);
});
afterAll(async () => {
  await testServer?.close();
  await upstream?.close();
});

test('a caller that waits less than the server says hears of the 429 that its own question met, and comes back when the server said', async () => {
  const [first, second] = CELLS;
  const busy = ['Connected as: 1', 'Current time: 2026-11-21T10:00:00Z', 'Rate limit: 1']
    .concat(['Slot available after: 2026-11-21T10:00:14Z, in 14 seconds.'])
    .join('\n');
  // Until it refuses, it says that a slot is free.
  upstream.always((exchange) => {
    upstream.status(busy);
    return misbehavior.rateLimited(exchange);
  });
  const began = performance.now();
  for (const id of [first, second, first]) {
    const reply = await testServer.get(`/v1/boundaries/r${id}`);
    expect([reply.status, reply.json.code]).toEqual([503, 'upstream_busy']);
    const seconds = Number(reply.headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(Math.floor(13 - (performance.now() - began) / 1_000));
    expect(seconds).toBeLessThanOrEqual(14);
    expect(upstream.requestCount()).toBe(1);
    expect(reply.json).toMatchObject({ retry_after: seconds });
  }
});
