import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

const BOWTIES = `ST_Area(ST_Intersection(
  ST_GeomFromText('POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))'),
  ST_GeomFromText('POLYGON((0.5 0, 2 3, 2 0, 0 2, 0.5 0))')))`;
const ENDLESS = 'select count(*) from generate_series(1, 10000000000)';

async function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (rows) => `no error: ${JSON.stringify(rows)}`,
    (error: { code?: string }) => error.code ?? String(error),
  );
}

describe.skipIf(isNative)('an exception inside GEOS on the embedded database', () => {
  let test: TestDatabase;
  let db: Database;
  const messages: string[] = [];
  const present = async (): Promise<unknown> =>
    (await db.query<{ id: number }>('select id from canary order by id')).map((row) => row.id);

  beforeAll(async () => {
    test = await testDatabase({ log: (message) => messages.push(message) });
    db = test.db;
    await db.exec('create table canary (id int primary key)');
  });
  afterAll(() => test?.close());

  it('has only the library of PostGIS that is called: the others would be loaded at every start', async () => {
    const sizes = await db.query<{ name: string; used: boolean }>(
      `select name, size > 0 as used from unnest(array['postgis-3', 'postgis_raster-3', 'postgis_topology-3']) as name,
         pg_stat_file('/pglite/lib/postgresql/' || name || '.so') order by name`,
    );
    expect(sizes).toEqual([
      { name: 'postgis-3', used: true },
      { name: 'postgis_raster-3', used: false },
      { name: 'postgis_topology-3', used: false },
    ]);
  });

  it('is raised', async () => {
    expect(await failure(db.query(`select ${BOWTIES}`))).toBe('statement_lost');
    expect(await failure(db.exec(`select ${BOWTIES}; select 1`))).toBe('statement_lost');
    expect(await failure(db.exec(`select 1; select ${BOWTIES}`))).toBe('statement_lost');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('keeps nothing of a statement of many rows', async () => {
    // The second row fails when the first is written already.
    const sql = `insert into canary select i from generate_series(1, 2) i
      where i = 1 or ST_Area(ST_Intersection(
        ST_Translate(ST_GeomFromText('POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))'), i * 0.0, 0),
        ST_GeomFromText('POLYGON((0.5 0, 2 3, 2 0, 0 2, 0.5 0))'))) > 0`;
    expect(await failure(db.query(sql))).toBe('statement_lost');
    await db.query('insert into canary values (10)');
    expect(await present()).toEqual([10]);
    expect(await failure(db.exec(`insert into canary values (11); ${sql}; insert into canary values (12)`))).toBe(
      'statement_lost',
    );
    await db.query('delete from canary where id = 10');
    expect(await present()).toEqual([]);
  });

  it('is raised from inside functions and their exception blocks', async () => {
    // PL/pgSQL holds the exception and goes on behind the statement, to where a RETURN is missing (2F005).
    await db.exec(`create function canary_area() returns float8 language plpgsql as $$
      begin return ${BOWTIES}; end $$`);
    expect(await failure(db.query('select canary_area()'))).toMatch(/^(statement_lost|2F005)$/);
    expect(await failure(db.query('insert into canary select 30 where canary_area() is not null'))).toMatch(
      /lost|2F005/,
    );
    const block = `do $$ begin insert into canary values (31); perform ${BOWTIES};
      exception when others then insert into canary values (32); end $$`;
    expect(await failure(db.query(block))).toBe('statement_lost');
    expect(await failure(db.exec(block))).toBe('statement_lost');
    expect(await present()).toEqual([]);
    const { area } = only(await db.query<{ area: number }>('select ST_Area(ST_Buffer(ST_MakePoint(0, 0), 1)) as area'));
    expect(area).toBeCloseTo(3.12, 1);
  });

  it('rolls a transaction back, also when swallowed', async () => {
    const seen: string[] = [];
    const work = db.transaction(async (tx) => {
      await tx.query('insert into canary values (3)');
      seen.push(await failure(tx.query(`insert into canary select 4 where ${BOWTIES} > 0`)));
      seen.push(await failure(tx.query('insert into canary values (5)')));
    });
    expect(await failure(work)).toBe('transaction_doomed');
    expect(seen).toEqual(['statement_lost', '25P02']);
    expect(await present()).toEqual([]);
  });

  it('gives no rows for no county: what native computes raises here', async () => {
    const require = createRequire(import.meta.url);
    const topology = require('us-atlas/counties-10m.json') as Topology<{ counties: GeometryCollection }>;
    const county = feature(topology, topology.objects.counties).features.find(({ id }) => id === '35039');
    const shape = JSON.stringify(county!.geometry);
    const sql = `with county as (select ST_GeomFromGeoJSON($1) as shape)
      select ST_Area(ST_Intersection(shape, ST_Rotate(shape, 1e-9, ST_Centroid(shape)))) as area from county`;
    const answer = await failure(db.query(sql, [shape]));
    expect(answer).toBe('statement_lost');
  });

  it('does not use the instance up', async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 510; i++) codes.add(await failure(db.query(`select ${BOWTIES}`)));
    expect([...codes]).toEqual(['statement_lost']);
    expect(messages).toContain('The embedded database has lost too many statements and is being restarted.');
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a runaway statement does not outlive its deadline, and what was committed is there afterwards', async () => {
    await db.query('insert into canary values (20)');
    const waiting = [db.query(ENDLESS, [], { timeoutMs: 400 }), db.query('select 2 as two')];
    expect(await failure(defined(waiting[0]))).toBe('deadline');
    expect(await waiting[1]).toEqual([{ two: 2 }]);
    const work = db.transaction(async (tx) => {
      await tx.query('insert into canary values (21)');
      await tx.query(ENDLESS, [], { timeoutMs: 400 }).catch(() => undefined);
      await tx.query('insert into canary values (22)');
    });
    expect(await failure(work)).toBe('connection_lost');
    expect(await present()).toEqual([20]);
  });

  it('a second opening of the directory is refused', async () => {
    const { dataDir } = test;
    expect(await failure(openDatabase({ dataDir }))).toBe('data_dir_in_use');
    await expect(openDatabase({ dataDir })).rejects.toThrow(/this process/);
  });
});
