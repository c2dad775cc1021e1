import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { type Migrated, migrateFrom } from '../../src/db/migrate.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

let test: TestDatabase;
let folder: string;
/** Two sessions of a running server, whose statements may take five seconds. */
let call: Database;
let other: Database;

beforeAll(async () => {
  // An embedded database has one session.
  if (!isNative) return;
  test = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'boundary-migrations-'));
  const open = () => openDatabase({ databaseUrl: test.databaseUrl, dataDir: '', deadlineMs: 5_000, poolSize: 1 });
  [call, other] = await Promise.all([open(), open()]);
});
afterAll(async () => {
  if (!isNative) return;
  await Promise.all([call?.close(), other?.close()]);
  await test?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Resolves when a session waits for a lock on the table. */
const waitFor = (table: string) =>
  expect
    .poll(
      async () =>
        only(
          await test.db.query<{ waits: boolean }>(
            'select exists (select from pg_locks where not granted and relation = $1::regclass) as waits',
            [table],
          ),
        ).waits,
      { interval: 20, timeout: 5_000 },
    )
    .toBe(true);

it.skipIf(!isNative)(
  'a migration lets calls pass, and deadlocks with none, while it waits for a long one',
  async () => {
    await call.exec('create table one (); create table two (); truncate schema_migration');
    await writeFile(
      join(folder, '000001_renames.sql'),
      'alter table one rename to uno;\nalter table two rename to due;\n',
    );
    let migrated: Promise<Migrated> | undefined;
    const said: string[] = [];
    await call.transaction(async (tx) => {
      await tx.query('select from two');
      migrated = migrateFrom(test.db, folder, { log: (message) => said.push(message) });
      await waitFor('two');
      // The migration has locked `one`, and waits for `two`, which this transaction reads.
      await tx.query('select from one');
      expect(await other.query('select from two')).toEqual([]);
      await waitFor('one');
    });
    expect(await migrated).toEqual({ applied: ['000001_renames.sql'], ahead: [] });
    expect(said).toEqual(['A migration waits for calls that use its tables.']);
    expect(await other.query('select from uno, due')).toEqual([]);
  },
);
