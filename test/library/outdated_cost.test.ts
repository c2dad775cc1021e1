import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadQuery } from '../../src/db/query.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

/** Boundaries of a made country. */
const MANY = 1_500;
const FILES = 100;

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key('free'));
  for (let from = 1; from <= MANY; from += 300) {
    await server.services.db.query(
      `insert into boundary
       select (jsonb_populate_record(null::boundary, to_jsonb(b)
                 || jsonb_build_object('id', 'r' || (90000 + i), 'source_id', 'r' || (90000 + i), 'country', 'XX',
                                       'ways', '{}'::bigint[], 'recorded_in', null))).*
       from boundary b, generate_series($1::integer, $1::integer + 299) i where b.id = 'r102'`,
      [from],
    );
  }
  await server.services.db.query('analyze');
}, 240_000);
afterAll(() => server?.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}
/** Rows that the scans of a plan read. */
const rowsOf = (plan: Plan): number =>
  (plan['Node Type'].includes('Scan')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0);

/** The files of the page, and the rows that its statements about changes read. */
async function listed() {
  const { db } = server.services;
  const { query } = db;
  const asked: [string, readonly unknown[]][] = [];
  const names = ['change_counts', 'change_reads', 'change_since'] as const;
  Object.assign(db, {
    query: ((sql: string, values: readonly unknown[], ...more: []) => {
      if (names.some((name) => sql === loadQuery(name))) asked.push([sql, values]);
      return query(sql, values, ...more);
    }) as typeof query,
  });
  try {
    const { json } = await server.get(`/v1/files?limit=${FILES}`, key);
    let rows = 0;
    for (const [sql, values] of asked) {
      const [plan] = await query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `explain (analyze, format json) ${sql}`,
        values,
      );
      rows += rowsOf((plan as NonNullable<typeof plan>)['QUERY PLAN'][0]?.Plan as Plan);
    }
    return { items: json.items as unknown as readonly { outdated: { total: number } | null }[], rows };
  } finally {
    Object.assign(db, { query });
  }
}

it('a page of files of a country reads what changed, and a bounded part of it where much did', async () => {
  const { db } = server.services;
  const { json } = await server.ask('POST', '/v1/files', { key, json: { boundary_id: 'r101', detail: 'low' } });
  await db.query(
    `insert into file (id, org, creator, name, format, visibility, sha256, made_by, recipe, input, data_at)
     select 'file_made' || i, f.org, f.creator, 'x', 'geojson', 'org', f.sha256, 'export_collection', md5(i::text) || md5(i::text), jsonb_build_object('country', 'XX'),
            (select max(at) from data_record)
     from file f, generate_series(1, $2::integer) i where f.id = $1`,
    [json.id, FILES],
  );
  const some = async (count: number, name: string) =>
    db.query(
      "update boundary set name = $2 where id in (select 'r' || (90000 + i) from generate_series(1, $1::integer) i)",
      [count, name],
    );
  await some(5, 'Five');
  const few = await listed();
  expect(few.items.map(({ outdated }) => outdated?.total)).toEqual(Array.from({ length: FILES }, () => 5));
  expect(few.rows).toBeLessThan(50_000);

  await some(1_200, 'Many');
  const many = await listed();
  expect(many.rows).toBeLessThan(2_000_000);
  // Of those of which nothing is said the answer says so.
  const said = many.items.filter(({ outdated }) => outdated !== null);
  expect(said.map(({ outdated }) => outdated?.total)).toEqual(said.map(() => 1_000));
  expect([said.length > 0, said.length < FILES]).toEqual([true, true]);
  const one = await server.get('/v1/files/file_made1', key);
  expect([one.status, (one.json as unknown as { outdated: { total: number } }).outdated.total]).toEqual([200, 1_000]);

  // Of a moment with more changes after it than are read, all boundaries are.
  for (let i = 0; i < 16; i++) await some(1_200, `Again ${i}`);
  const old = await listed();
  expect(old.rows).toBeLessThan(4_000_000);
  expect(old.items.filter(({ outdated }) => outdated?.total === 1_000).length).toBeGreaterThan(0);
}, 240_000);
