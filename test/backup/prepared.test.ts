import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { backUp } from '../../src/backup/backup.ts';
import { fillNewDatabase } from '../../src/backup/prepared.ts';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';

const BOX = [6, 47, 6.1, 47.1] as const;
const namesIn = async (db: Database) =>
  (await db.query<{ name: string }>('select name from boundary order by name')).map(({ name }) => name);

describe.skipIf(!isNative)('a new native database', { timeout: 120_000 }, () => {
  let prepared: TestDatabase;
  let made: TestDatabase;
  let file: string;

  beforeAll(async () => {
    prepared = await testDatabase();
    await insertFixtures(prepared.db, [
      { id: 'r1', name: 'Elsewhere', kind: 'county', country: 'CH', box: BOX, shape: true },
      { id: 'r2', name: 'Somewhere', kind: 'county', country: 'CH', box: BOX, shape: true },
    ]);
    file = join(prepared.dataDir, 'countries.backup');
    const library = await openStorage(null, prepared.dataDir, 'library');
    await backUp(file, { db: prepared.db, library, progress: () => undefined });
    made = await testDatabase();
  }, 120_000);
  afterAll(async () => {
    await made.close();
    await prepared.close();
  });

  /** Fills as a process of its own does. */
  async function fill(one: TestDatabase): Promise<boolean> {
    const db = await openDatabase({ databaseUrl: one.databaseUrl, dataDir: one.dataDir, poolSize: 2 });
    const library = await openStorage(null, one.dataDir, 'library');
    return fillNewDatabase(file, { db, library }).finally(() => db.close());
  }

  it('is filled with prepared data by one of the processes that start at once', async () => {
    await made.db.exec('drop schema public cascade; create schema public');
    const filled = await Promise.all([fill(made), fill(made), fill(made)]);
    expect(filled.filter((own) => own)).toEqual([true]);
    expect(await namesIn(made.db)).toEqual(['Elsewhere', 'Somewhere']);
  });

  it('keeps what it has', async () => {
    await made.db.query("delete from boundary where id = 'r2'");
    expect(await fill(made)).toBe(false);
    expect(await namesIn(made.db)).toEqual(['Elsewhere']);
  });

  it('stays empty where the prepared file is damaged', async () => {
    const empty = await testDatabase();
    try {
      await writeFile(file, 'no backup');
      await expect(fill(empty)).rejects.toThrow();
      expect(await namesIn(empty.db)).toEqual([]);
    } finally {
      await empty.close();
    }
  });
});
