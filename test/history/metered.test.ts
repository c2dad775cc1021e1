import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  // A plan with a limit: units are reserved until the deadline of the call.
  ({ key } = await server.key('free'));
  await storeMade(server, '2010-01-01', [
    { id: 'K', name: 'Kanem', level: 4, cells: rowOf(0, 0, 4) },
    { id: 'A', name: 'Abeche', level: 8, cells: rowOf(0, 0, 2) },
    { id: 'B', name: 'Bol', level: 8, cells: rowOf(0, 2, 4) },
  ]);
}, 120_000);
afterAll(() => server.close());

const [date, at] = ['2012-01-01', middleOf(1, 0)];

it('calls as of a date are charged as those of today, and have their deadline', async () => {
  const before = await server.used(key);
  const found = await server.get(`/v1/boundaries/reverse?lat=${at.lat}&lon=${at.lon}&as_of=${date}`, key);
  expect([found.status, found.json.items?.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    ['Kanem', 'Abeche'],
  ]);
  const ids = found.json.items.map(({ id }: { id: string }) => id);
  const collected = await server.ask('POST', '/v1/collections', { key, json: { ids, as_of: date, detail: 'low' } });
  expect([collected.status, JSON.parse(collected.text).features?.length]).toEqual([200, 2]);
  const union = await server.ask('POST', '/v1/boundaries/union', { key, json: { include: ids, as_of: date } });
  expect(union.status).toBe(200);
  const points = `lat,lon\n${at.lat},${at.lon}\n`;
  const located = await server.ask('POST', `/v1/locate?as_of=${date}`, {
    key,
    text: points,
    headers: { 'Content-Type': 'text/csv' },
  });
  expect([located.status, located.text.includes('Abeche')]).toEqual([200, true]);
  expect(await server.used(key)).toBeGreaterThan(before);
});
