import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { asOutage, asProblem } from '../../src/core/errors.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { describeStatements, statementsFile } from '../setup/describe_statements.ts';
import { dumpSchema, pgDumpMajor, schemaFile } from '../setup/dump_schema.ts';

describe.skipIf(!isNative)('a native database', () => {
  let test: TestDatabase;
  const messages: string[] = [];
  beforeAll(async () => {
    test = await testDatabase({ log: (message) => messages.push(message), poolSize: 3 });
  });
  afterAll(() => test?.close());

  it('loses connections without losing the process', async () => {
    const { db } = test;
    const other = await openDatabase({ databaseUrl: test.databaseUrl, dataDir: '' });
    const ours = `from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'boundary-lookup'`;
    // Waits until each backend is gone, 10 s at most.
    const cut = `select pg_terminate_backend(pid, 10000) ${ours}`;
    const sleepers = `select count(*)::int as n ${ours} and wait_event = 'PgSleep'`;
    const sleeping = db.query('select pg_sleep(20)').catch((error) => error.code);
    const inside = db
      .transaction(async (tx) => {
        await tx.query('create table never ()');
        await tx.query('select pg_sleep(20)').catch(() => undefined);
        await tx.query('select 1').catch(() => undefined);
      })
      .catch((error) => error.code);
    await expect.poll(() => other.query(sleepers), { timeout: 10_000 }).toEqual([{ n: 2 }]);
    await other.query(cut);
    expect(await sleeping).toBe('connection_lost');
    expect(await inside).toMatch(/^(connection_lost|transaction_doomed)$/);
    // An idle connection too.
    messages.length = 0;
    await db.query('select 1');
    await other.query(cut);
    await expect.poll(() => messages, { timeout: 10_000 }).toContain('A database connection was lost.');
    expect(await db.query("select to_regclass('never') is null as gone")).toEqual([{ gone: true }]);
    await other.close();
  });

  it('a server that has no connection left asks callers to come back', async () => {
    const role = `crowded_${process.pid}`;
    await test.db.exec(`create role ${role} login connection limit 0`);
    try {
      const url = new URL(test.databaseUrl as string);
      url.username = role;
      const refused = await openDatabase({ databaseUrl: url.href, dataDir: '' }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'too_many_connections' });
      expect(asProblem(refused)).toMatchObject({ code: 'rate_limited', status: 429, extra: { retry_after: 1 } });
    } finally {
      await test.db.exec(`drop role ${role}`);
    }
  });

  it('a server that refuses sessions is away, whatever it refuses them for', async () => {
    const closed = `closed_${process.pid}`;
    await test.db.query(`create database ${closed} allow_connections false`);
    try {
      for (const [part, value, said] of [
        ['pathname', `/${closed}`, 'not currently accepting connections'],
        ['pathname', '/not_there', 'does not exist'],
        ['username', 'not_there', 'does not exist'],
      ] as const) {
        const url = new URL(test.databaseUrl as string);
        url[part] = value;
        const refused = await openDatabase({ databaseUrl: url.href, dataDir: '' }).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'connection_lost', message: expect.stringContaining(said) });
        expect(asOutage(refused)).toMatchObject({ status: 503, extra: { retry_after: 5 } });
      }
    } finally {
      await test.db.query(`drop database ${closed}`);
    }
  });

  it('holds a named lock against other processes', async () => {
    const other = await openDatabase({ databaseUrl: test.databaseUrl, dataDir: '' });
    const order: string[] = [];
    let release = (): void => undefined;
    const first = test.db.withLock('shared', async () => {
      order.push('first');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    while (order.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = other.withLock('shared', async () => {
      order.push('second');
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(order).toEqual(['first']);
    release();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
    await other.close();
  });

  it('a lock that is lost ends its work at once: the statement that runs, and every one after it', async () => {
    const other = await openDatabase({ databaseUrl: test.databaseUrl, dataDir: '' });
    await test.db.query('create table imported (batch integer)');
    const of = (name: string, more = '') =>
      `from pg_stat_activity where datname = current_database() and application_name = '${name}' ${more}`;
    const after: unknown[] = [];
    const work = test.db
      .withLock('import', async () => {
        await test.db.query('insert into imported values (1)');
        await test.db
          .transaction(async (tx) => {
            await tx.query('insert into imported values (2)');
            await tx.query('select pg_sleep(25)');
          })
          .catch((error: unknown) => after.push(error));
        await test.db.query('insert into imported values (3)').catch((error: unknown) => after.push(error));
        await test.db
          .transaction((tx) => tx.query('insert into imported values (4)'))
          .catch((error: unknown) => after.push(error));
        return 'imported';
      })
      .catch((error: unknown) => error);
    const sleeping = `select count(*)::integer as n ${of('boundary-lookup', "and wait_event = 'PgSleep'")}`;
    await expect.poll(() => other.query(sleeping), { timeout: 10_000 }).toEqual([{ n: 1 }]);
    await other.query(`select pg_terminate_backend(pid, 10000) ${of('boundary-lookup lock')}`);
    expect(await work).toMatchObject({
      code: 'lock_lost',
      message: expect.stringContaining('The lock import was lost'),
    });
    expect(after).toEqual([1, 2, 3].map(() => expect.objectContaining({ code: 'lock_lost' })));
    expect(await other.query(sleeping)).toEqual([{ n: 0 }]);
    expect(await test.db.query('select batch from imported')).toEqual([{ batch: 1 }]);
    // The next who takes it works as before.
    expect(await test.db.withLock('import', async () => 'again')).toBe('again');
    await test.db.exec('drop table imported');
    await other.close();
  });

  it('that is not there is an error at the start', async () => {
    const url = 'postgres://postgres@127.0.0.1:1/nowhere';
    await expect(openDatabase({ databaseUrl: url, dataDir: '' })).rejects.toMatchObject({ code: 'connection_lost' });
  });

  it('writes values the same whatever the server is set to', async () => {
    const name = new URL(test.databaseUrl!).pathname.slice(1);
    await test.db.query(`alter database "${name}" set timezone = 'America/New_York'`);
    await test.db.query(`alter database "${name}" set datestyle = 'German'`);
    await test.db.query(`alter database "${name}" set bytea_output = 'escape'`);
    const other = await openDatabase({ databaseUrl: test.databaseUrl, dataDir: '' });
    const [row] = await other.query(
      "select '2026-01-02 03:04:05Z'::timestamptz as t, '2026-01-02'::date as d, '\\x00ff'::bytea as b",
    );
    expect(row).toEqual({ t: new Date('2026-01-02T03:04:05Z'), d: '2026-01-02', b: Buffer.from([0, 255]) });
    await other.close();
  });

  it('neither compiles a statement nor starts processes for it', async () => {
    const name = new URL(test.databaseUrl!).pathname.slice(1);
    await test.db.query(`alter database "${name}" set jit = on`);
    await test.db.query(`alter database "${name}" set max_parallel_workers_per_gather = 2`);
    const other = await openDatabase({ databaseUrl: test.databaseUrl, dataDir: '' });
    const settings = await other.query(
      "select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as processes",
    );
    expect(settings).toEqual([{ jit: 'off', processes: '0' }]);
    await other.close();
  });

  it('has the schema that is committed', async (context) => {
    const { server_version_num: version } = only(
      await test.db.query<{ server_version_num: string }>('show server_version_num'),
    );
    const major = await pgDumpMajor();
    if (major !== Math.floor(Number(version) / 10_000)) context.skip(`pg_dump is ${major}, the server ${version}`);
    expect(await dumpSchema(test.databaseUrl!)).toBe(await readFile(schemaFile, 'utf8'));
  });

  it('gives and takes for each statement what the committed types say', async () => {
    expect(await describeStatements(test.databaseUrl!)).toBe(await readFile(statementsFile, 'utf8'));
  });
});
