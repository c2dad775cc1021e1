import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { overpassServer, readStatus } from '../../src/adapters/overpass.ts';
import { defined } from '../../src/common/elements.ts';
import { ProblemError } from '../../src/core/errors.ts';
import { createBreaker } from '../../src/domain/upstream/breaker.ts';
import type { CallerKind } from '../../src/domain/upstream/budget.ts';
import { createServers, type Servers } from '../../src/domain/upstream/servers.ts';
import { createSingleFlight } from '../../src/domain/upstream/single_flight.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { CELLS, grid } from './fixture_map.ts';
import { held, misbehavior, type OverpassServer, startOverpassServer } from './overpass_server.ts';

let database: TestDatabase;
let first: OverpassServer;
let second: OverpassServer;
let clock = 1_000_000;
let number = 0;

beforeAll(async () => {
  database = await testDatabase();
  [first, second] = [await startOverpassServer(grid()), await startOverpassServer(grid())];
});
afterAll(async () => {
  await Promise.all([first?.close(), second?.close()]);
  await database?.close();
});
beforeEach(async () => {
  first.forget();
  second.forget();
  await database.db.query('truncate upstream_day, upstream_fetch');
});

function open(
  more: { requestsPerDay?: number; bytesPerDay?: number; both?: boolean; deadlineMs?: number } = {},
): Servers {
  const servers = [first, ...(more.both ? [second] : [])].map(({ url }) =>
    overpassServer(url, { contact: null, deadlineMs: more.deadlineMs ?? 2_000 }),
  );
  return createServers(database.db, servers, {
    requestsPerDay: more.requestsPerDay ?? 5_000,
    bytesPerDay: more.bytesPerDay ?? 1e9,
    log: () => undefined,
    now: () => clock,
  });
}

/** Asks for a boundary, and gives ok or the code of what was thrown. */
async function ask(servers: Servers, who: CallerKind = 'known'): Promise<string> {
  const singleFlight = createSingleFlight(database.db, () => undefined);
  const query = (memory: number) => `[maxsize:${memory}];rel(${CELLS[0]})->.r;`;
  const flight = singleFlight.start(`r${++number}`, who, async (claim) => {
    await servers.ask({ ...claim, query, onSent: claim.started }, ({ elements }) => elements);
    return { outcome: 'found', ids: [], holdsS: 1 };
  });
  try {
    await flight.ended;
    return 'ok';
  } catch (error) {
    if (error instanceof ProblemError) return error.code;
    throw error;
  } finally {
    await singleFlight.close();
  }
}

const day = async () => (await database.db.query<Record<string, number>>('select * from upstream_day'))[0];

describe('the breaker', () => {
  test('opens after five failures in a row, lets one request through after 30 s, and closes when it succeeds', () => {
    let now = 0;
    const breaker = createBreaker(() => now);
    for (let i = 0; i < 4; i++) breaker.failed();
    expect([breaker.state, breaker.admit()]).toEqual(['closed', true]);
    breaker.succeeded();
    for (let i = 0; i < 5; i++) breaker.failed();
    expect([breaker.state, breaker.admit(), breaker.retryAfter()]).toEqual(['open', false, 30]);
    now = 30_000;
    expect([breaker.state, breaker.admit(), breaker.admit()]).toEqual(['half_open', true, false]);
    breaker.failed();
    expect([breaker.state, breaker.admit()]).toEqual(['open', false]);
    now = 60_000;
    expect(breaker.admit()).toBe(true);
    // The request was not sent after all: the next may be.
    breaker.undecided();
    expect(breaker.admit()).toBe(true);
    breaker.succeeded();
    expect([breaker.state, breaker.admit(), breaker.admit()]).toEqual(['closed', true, true]);
  });

  test('keeps a server that is down from being asked, and finds it again by itself', async () => {
    const servers = open();
    first.always(misbehavior.resetBefore);
    for (let i = 0; i < 5; i++) expect(await ask(servers)).toBe('upstream_unavailable');
    expect(first.requestCount()).toBe(5);
    expect(await ask(servers)).toBe('upstream_unavailable');
    expect([first.requestCount(), Object.values(servers.breakers())]).toEqual([5, [2]]);
    clock += 30_000;
    expect(await ask(servers)).toBe('upstream_unavailable');
    expect([first.requestCount(), Object.values(servers.breakers())]).toEqual([6, [2]]);
    clock += 30_000;
    first.always(null);
    expect([await ask(servers), await ask(servers)]).toEqual(['ok', 'ok']);
    expect(Object.values(servers.breakers())).toEqual([0]);
  });

  test('counts neither what a query runs into nor the wait for a slot', async () => {
    const servers = open();
    first.always(misbehavior.timedOutPartly);
    for (let i = 0; i < 6; i++) expect(await ask(servers)).toBe('upstream_unavailable');
    expect([first.requestCount(), Object.values(servers.breakers())]).toEqual([6, [0]]);
  });

  test('of one server leaves the other alone: it answers in its place', async () => {
    const servers = open({ both: true });
    first.always(misbehavior.gateway);
    for (let i = 0; i < 7; i++) expect(await ask(servers)).toBe('ok');
    expect([first.requestCount(), second.requestCount()]).toEqual([5, 7]);
  });
});

describe('the budget of a day', () => {
  test('of requests: the rest is busy, and no one is asked', async () => {
    const servers = open({ requestsPerDay: 2 });
    expect([await ask(servers), await ask(servers), await ask(servers)]).toEqual(['ok', 'ok', 'upstream_busy']);
    expect([first.requestCount(), defined(await day()).requests]).toEqual([2, 2]);
  });

  test('of bytes: what is over is not asked for', async () => {
    const servers = open({ bytesPerDay: 2_500 });
    const results = [];
    for (let i = 0; i < 4; i++) results.push(await ask(servers));
    expect(results).toContain('ok');
    expect(results.at(-1)).toBe('upstream_busy');
    // The last answer was cut off where the budget ended.
    expect(defined(await day()).bytes).toBeGreaterThanOrEqual(2_500);
    expect(servers.counts.bytes).toBe(defined(await day()).bytes);
  });

  test('anonymous callers have a fifth of it, work in the background a half', async () => {
    const servers = open({ requestsPerDay: 10 });
    const asked = async (who: CallerKind, times: number) => {
      const results = [];
      for (let i = 0; i < times; i++) results.push(await ask(servers, who));
      return results.filter((result) => result === 'ok').length;
    };
    expect(await asked('anonymous', 4)).toBe(2);
    expect(await asked('background', 8)).toBe(5);
    expect(await asked('known', 5)).toBe(3);
    expect(await day()).toMatchObject({ requests: 10, anonymous_requests: 2, background_requests: 5 });
  });

  test('begins again with the day', async () => {
    const servers = open({ requestsPerDay: 1 });
    expect([await ask(servers), await ask(servers)]).toEqual(['ok', 'upstream_busy']);
    await database.db.query('update upstream_day set day = day - 1');
    expect(await ask(servers)).toBe('ok');
  });

  test('of nothing: no one is asked', async () => {
    expect(await ask(open({ requestsPerDay: 0 }))).toBe('upstream_busy');
    expect(await ask(open({ bytesPerDay: 0 }))).toBe('upstream_busy');
    expect(first.requestCount()).toBe(0);
  });
});

describe('/api/status', () => {
  test('is read by the beginnings of its lines', () => {
    const text = [
      'Connected as: 1234',
      'Current time: 2026-11-21T10:00:00Z',
      'Announced endpoint: gall.openstreetmap.de/',
      'Rate limit: 4',
      '1 slots available now.',
      'Slot available after: 2026-11-21T10:00:31Z, in 31 seconds.',
      'Slot available after: 2026-11-21T10:00:05Z, in 5 seconds.',
      'Slot available after: 2026-11-21T09:59:59Z, in -1 seconds.',
      'Currently running queries (pid, space limit, time limit, start time):',
      '123\t536870912\t180\t2026-11-21T09:59:00Z',
    ].join('\n');
    expect(readStatus(text)).toEqual({ rateLimit: 4, free: 1, waits: [0, 5, 31] });
    expect(readStatus('Connected as: 1\nRate limit: 0\n')).toEqual({ rateLimit: 0, free: 0, waits: [] });
    expect(readStatus('<html>It works!</html>')).toBeNull();
  });

  /** Asks for eight boundaries while none is answered; gives how many are asked for at once. */
  async function atOnce(expected: number): Promise<number> {
    const servers = open({ deadlineMs: 60_000 });
    let answer: () => void = () => undefined;
    first.always(
      held(
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
      ),
    );
    const all = Promise.all(Array.from({ length: 8 }, () => ask(servers)));
    await expect.poll(first.maxConcurrent, { timeout: 60_000 }).toBe(expected);
    answer();
    expect(await all).toEqual(Array.from({ length: 8 }, () => 'ok'));
    return first.maxConcurrent();
  }

  test('where there is none, two at once are asked', async () => {
    first.status('no such page');
    expect(await atOnce(2)).toBe(2);
  });

  test('where it says that there is no limit, we keep one', async () => {
    first.status('Connected as: 1\nRate limit: 0\n');
    expect(await atOnce(4)).toBe(4);
  });
});
