/** What a plan allows of area sets is asked before the work that it would be spent on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type LibraryTestServer, openLibraryTestServer } from '../library/library_test_server.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

let server: LibraryTestServer;
beforeAll(async () => {
  server = await openLibraryTestServer();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server?.close());

const content = fileOf({ one: cell(0.2, 0.2), two: cell(1.2, 0.2), three: cell(2.2, 0.2) });

it.each([
  // The three squares have eight corners, and arcs of sixteen vertices.
  ['set_areas', 3, 2, '2 areas in all sets; with this it would have at least 3'],
  ['set_vertices', 16, 7, '7 vertices in all sets; with this it would have at least 8'],
])('a file of more %s than the plan allows is refused before its areas are stored', async (limit, most, less, told) => {
  const { member } = await server.staff('free');
  const { db, areaSets } = server.services;
  const put = vi.spyOn(areaSets, 'putVersion');
  const [before] = await db.query<Any>(`select ${limit} as most from plan where id = 'free'`);
  const allow = (value: number) => db.query(`update plan set ${limit} = $1 where id = 'free'`, [value]);
  try {
    await allow(less);
    const refused = await server.call('http', 'create_area_set', { name: 'zones', content }, member);
    expect([refused.body.code, put.mock.calls.length]).toEqual(['too_large', 0]);
    expect(refused.body.detail).toContain(told);
    await allow(most);
    const made = await server.call('http', 'create_area_set', { name: 'zones', content }, member);
    expect([made.status, put.mock.calls.length], JSON.stringify(made.body)).toEqual([201, 1]);
    const replaced = { name: 'zones', content, replace: true };
    expect((await server.call('http', 'create_area_set', replaced, member)).status).toBe(201);
  } finally {
    await allow(Number(before.most));
  }
});

it('at most two versions are stored at once', async () => {
  const { areaSets } = server.services;
  const putVersion = areaSets.putVersion.bind(areaSets);
  let active = 0;
  let most = 0;
  vi.spyOn(areaSets, 'putVersion').mockImplementation(async (...given) => {
    most = Math.max(most, ++active);
    await sleep(1_500);
    active--;
    return putVersion(...given);
  });
  const made = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { member } = await server.staff('free');
      return server.call('http', 'create_area_set', { name: 'zones', content }, member);
    }),
  );
  expect([made.map(({ status }) => status), most <= 2]).toEqual([[201, 201, 201, 201], true]);
}, 60_000);
