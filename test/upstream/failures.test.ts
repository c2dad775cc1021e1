import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { CELLS, grid } from './fixture_map.ts';
import { type Behavior, misbehavior, type OverpassServer, startOverpassServer } from './overpass_server.ts';

let upstream: OverpassServer;
let server: BoundaryTestServer;
/** Boundaries that no one has asked for yet. */
const fresh = [...CELLS];

beforeAll(async () => {
  upstream = await startOverpassServer(grid());
  server = await openBoundaryTestServer({}, { UPSTREAM_URL: upstream.url, UPSTREAM_WAIT_MS: '30000' }, 2_500);
});
afterAll(async () => {
  await server?.close();
  await upstream?.close();
});
beforeEach(() => upstream.forget());

const get = (id: number) => server.get(`/v1/boundaries/r${id}`);

/** Whether anything of a boundary is stored, or remembered as an answer. */
async function traces(id: number): Promise<number> {
  const row = only(
    await server.services.db.query<{ n: number }>(
      `select (select count(*) from boundary where id = $1) + (select count(*) from osm_relation where id = $2)
          + (select count(*) from upstream_fetch where key = $1 and (outcome is not null or lease is not null)) as n`,
      [`r${id}`, id],
    ),
  );
  return row.n;
}

const outcomes = () => ({ ...server.services.upstream?.counts.outcomes });

/** What is done to the request, what the caller reads, what the metrics call it. */
const FAILURES: [what: string, behavior: Behavior, code: string, outcome: string][] = [
  ['504 of the dispatcher, too busy', misbehavior.overloaded, 'upstream_busy', 'overloaded'],
  ['the words of the dispatcher with status 200', misbehavior.overloadedWith200, 'upstream_busy', 'overloaded'],
  ['504 of a proxy', misbehavior.gateway, 'upstream_unavailable', 'gateway'],
  ['502 of a proxy', misbehavior.badGateway, 'upstream_unavailable', 'gateway'],
  ['403', misbehavior.forbidden, 'upstream_unavailable', 'blocked'],
  ['406', misbehavior.notAcceptable, 'upstream_unavailable', 'blocked'],
  ['500', misbehavior.serverError, 'upstream_unavailable', 'other_status'],
  ['400 for a query it cannot read', misbehavior.badQuery, 'internal_error', 'bad_query'],
  ['a web page with status 200', misbehavior.page, 'upstream_unavailable', 'not_json'],
  ['text that calls itself JSON', misbehavior.text, 'upstream_unavailable', 'not_json'],
  ['a redirect to another host', misbehavior.redirect, 'upstream_unavailable', 'redirect'],
  ['200 with a remark about time and no elements', misbehavior.timedOutEmpty, 'upstream_unavailable', 'query_timeout'],
  [
    '200 with a remark about time and a part of them',
    misbehavior.timedOutPartly,
    'upstream_unavailable',
    'query_timeout',
  ],
  ['200 with another remark and a part of them', misbehavior.otherRemark, 'upstream_unavailable', 'remark'],
  ['200 with another object than was asked for', misbehavior.anotherObject, 'upstream_unavailable', 'malformed'],
  ['200 without a list of elements', misbehavior.noElements, 'upstream_unavailable', 'malformed'],
  ['200 with members that are none', misbehavior.oddMembers, 'upstream_unavailable', 'malformed'],
  ['JSON that ends in the middle', misbehavior.truncatedJson, 'upstream_unavailable', 'truncated'],
  ['a body shorter than its announced length', misbehavior.tooShort, 'upstream_unavailable', 'truncated'],
  ['a body longer than its announced length', misbehavior.tooLong, 'upstream_unavailable', 'truncated'],
  ['a chunked body that ends too early', misbehavior.closedWithin, 'upstream_unavailable', 'truncated'],
  ['a connection reset before the answer', misbehavior.resetBefore, 'upstream_unavailable', 'reset'],
  ['a connection reset within the body', misbehavior.resetWithin, 'upstream_unavailable', 'reset'],
  ['no answer at all', misbehavior.silent, 'upstream_unavailable', 'timeout'],
  ['a body that trickles', misbehavior.slow, 'upstream_unavailable', 'timeout'],
];

describe('an upstream that fails', () => {
  test.each(FAILURES)('%s', async (_what, behavior, code, outcome) => {
    const id = fresh.pop() as number;
    const before = outcomes();
    upstream.next(behavior);
    const reply = await get(id);
    expect(reply.json).toMatchObject({ code });
    expect(reply.status).toBe(code === 'internal_error' ? 500 : 503);
    expect(outcomes()[outcome]).toBe((before[outcome] ?? 0) + 1);
    if (reply.status === 503) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(await traces(id)).toBe(0);
    // Nothing of it is held against the boundary.
    expect((await get(id)).status).toBe(200);
    expect(upstream.requestCount()).toBe(2);
  });

  test('no one listens', async () => {
    const id = fresh.pop() as number;
    await upstream.stop();
    expect((await get(id)).json.code).toBe('upstream_unavailable');
    expect(outcomes().refused).toBe(1);
    expect(await traces(id)).toBe(0);
    await upstream.start();
    expect((await get(id)).status).toBe(200);
  });

  test('429: waits for a slot as /api/status says and asks again', async () => {
    const id = fresh.pop() as number;
    upstream.next(misbehavior.rateLimited);
    expect((await get(id)).status).toBe(200);
    expect(upstream.requestCount()).toBe(2);
  });

  test('429 and no slot for long: upstream_busy with the time to wait, and the breaker stays closed', async () => {
    const id = fresh.pop() as number;
    upstream.always(misbehavior.rateLimited);
    upstream.status(
      ['Connected as: 1', 'Current time: 2026-11-21T10:00:00Z', 'Rate limit: 2']
        .concat(['Slot available after: 2026-11-21T10:01:15Z, in 75 seconds.'])
        .concat(['Slot available after: 2026-11-21T10:01:40Z, in 100 seconds.'])
        .join('\n'),
    );
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const reply = await get(id);
    expect([reply.status, reply.json.code]).toEqual([503, 'upstream_busy']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(60);
    for (let i = 0; i < 6; i++) expect((await get(id)).json.code).toBe('upstream_busy');
    expect(upstream.requestCount()).toBeLessThanOrEqual(1);
    expect(Object.values(server.services.upstream?.breakers() ?? {})).toEqual([0]);
    expect(await traces(id)).toBe(0);
  });
});

describe('what a failing upstream leaves alone', () => {
  test('boundaries that are stored are served without a question', async () => {
    upstream.always(misbehavior.silent);
    const replies = await Promise.all(CELLS.slice(-5).map(get));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(upstream.seen).toEqual([]);
  });
});
