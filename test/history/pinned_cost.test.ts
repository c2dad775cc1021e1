import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { watchStatements } from '../setup/watched.ts';
import { middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;
let paths: string[];
/** Names of the statements that were sent, and how many caches of a state of the data there are. */
let sent: string[] = [];
let listening = 0;

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  await storeMade(server, null, [
    { id: 'K', name: 'Kanem', level: 4, cells: rowOf(0, 0, 4) },
    { id: 'A', name: 'Abeche', level: 8, cells: rowOf(0, 0, 2) },
    { id: 'B', name: 'Bol', level: 8, cells: rowOf(0, 2, 4) },
  ]);
  const { lat, lon } = middleOf(1, 0);
  const found = await server.get('/v1/boundaries/search?q=Abeche', key);
  paths = [
    `/v1/boundaries/reverse?lat=${lat}&lon=${lon}`,
    `/v1/boundaries/${found.json.items[0]?.id}?detail=low`,
    '/v1/boundaries/search?q=Bol',
  ];
  const { db, boundaries } = server.services;
  // Boxes are read in the background otherwise, after the first call that lacks them.
  expect(await boundaries.warm()).toBe(true);
  watchStatements(db, (sql) => sent.push(sql));
  const { listen } = db;
  Object.assign(db, {
    listen: ((channel, hear) => {
      listening++;
      const silence = listen(channel, hear);
      return () => {
        listening--;
        silence();
      };
    }) as typeof db.listen,
  });
}, 120_000);
afterAll(() => server?.close());

/** What a request sends about the data, besides reading its revision, which is done again every now and then. */
async function statementsOf(path: string, moment?: string): Promise<string[]> {
  sent = [];
  const headers: Record<string, string> = moment === undefined ? {} : { 'Boundary-Data': moment };
  const reply = await server.ask('GET', path, { key, headers });
  expect([reply.status, reply.headers['boundary-data']]).toEqual([200, moment ?? expect.stringMatching(/Z$/)]);
  return sent.filter(
    (sql) => /^begin|boundary|pg_advisory|data_record/.test(sql) && !sql.startsWith(loadQuery('data_revision')),
  );
}

it('answers of the present name their state without a statement or a transaction for it', async () => {
  for (const path of paths) {
    const first = await statementsOf(path);
    // Callers and plans are in memory by now.
    await statementsOf(path);
    expect(await statementsOf(path)).toEqual([]);
    expect(first).not.toContain('begin');
    expect(first.filter((sql) => sql.includes('pg_advisory') || sql.includes('data_record'))).toEqual([]);
  }
});

it('keeps eight states of the data in memory, however many moments are asked for', async () => {
  const moments: string[] = [];
  for (let i = 0; i < 20; i++) {
    await server.services.db.query('update boundary set population = $1', [i]);
    const [path] = paths;
    moments.push((await server.get(path ?? '', key)).headers['boundary-data'] ?? '');
  }
  expect(new Set(moments).size).toBe(20);
  for (const moment of moments) {
    for (const path of paths) {
      const transactions = (await statementsOf(path, moment)).filter((sql) => sql === 'begin').length;
      expect(transactions, path).toBeLessThanOrEqual(10);
    }
    expect(listening).toBeLessThanOrEqual(8);
  }
  // A moment between two changes is the same state.
  await statementsOf(paths[1] ?? '', moments[10]);
  expect(await statementsOf(paths[1] ?? '', moments[10])).toEqual([
    'begin',
    loadQuery('data_pin_wait'),
    loadQuery('data_pin'),
  ]);
}, 120_000);

it('finds the state of a moment among many by reading few rows', async () => {
  const { db } = server.services;
  // Of every hundred, one committed after the next three.
  await db.exec('alter table data_record disable trigger data_record_commit');
  await db.query(`insert into data_record (number, at, upto) overriding system value
    select i - 100000, timestamptz '2001-01-01' + (i + case when i % 100 = 7 then 3.5 else 0 end) * interval '1 minute',
           i - 100000 + case when i % 100 = 7 then 3 else 0 end
    from generate_series(1, 20000) i`);
  await db.exec('alter table data_record enable trigger data_record_commit; analyze data_record');
  const text: string = loadQuery('data_pin');
  for (const minute of [10, 209, 9_708, 19_000, 19_909, 19_990]) {
    const moment = new Date(Date.UTC(2001, 0, 1, 0, minute, 15)).toISOString();
    const [open] = await db.query<{ number: string; open: string }>(
      `select l.number::text as number, coalesce((select string_agg(o.number::text, ',' order by o.number) from data_record o
         where o.at > $1::timestamptz and o.number < l.number), '') as open
       from (select upto as number from data_record where at <= $1::timestamptz order by at desc limit 1) l`,
      [moment],
    );
    const [found] = await db.query<{ number: string; open: string }>(text, [moment]);
    expect({ number: found?.number, open: found?.open }).toEqual(open);
    expect(open?.open !== '').toBe(minute % 100 > 7 && minute % 100 <= 10);
    const plan = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze, timing off) ${text}`, [moment]);
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    const rows = [...lines.matchAll(/(?:actual rows=|Rows Removed by Filter: )(\d+)/g)].map(([, n]) => Number(n));
    expect(Math.max(...rows), lines).toBeLessThan(500);
  }
}, 60_000);
