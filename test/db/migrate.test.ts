import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { only } from '../../src/common/elements.ts';
import { createLogger } from '../../src/common/log.ts';
import { loadConfig } from '../../src/config.ts';
import { migrate, migrateFrom, migrationsFolder } from '../../src/db/migrate.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';

let test: TestDatabase;
let folder = '';

beforeAll(async () => {
  test = await testDatabase({ own: true });
});
afterAll(() => test?.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-migrations-'));
  await cp(migrationsFolder(), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function present(table: string): Promise<boolean> {
  const row = only(await test.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]));
  return row.there;
}

describe('migrations', () => {
  it('are all applied in a test database, with their hashes, and not again', async () => {
    expect(await migrate(test.db)).toEqual({ applied: [], ahead: [] });
    const rows = await test.db.query('select name from schema_migration order by name');
    const files = (await readdir(migrationsFolder())).filter((name) => name.endsWith('.sql')).sort();
    expect(rows.map((row) => row.name)).toEqual(files);
  });

  it('are refused when one was changed, is missing, comes late, or has a name or number that is wrong', async () => {
    const [first] = leading((await readdir(folder)).sort(), 1);
    await writeFile(join(folder, first), 'select 1');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow(`${first} has changed`);

    await rm(join(folder, first));
    await writeFile(join(folder, '900000_later.sql'), 'create table later ()');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow(`${first} was applied`);

    await cp(join(migrationsFolder(), first), join(folder, first));
    await rm(join(folder, '900000_later.sql'));
    await writeFile(join(folder, '000000_early.sql'), 'create table early ()');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow('000000_early.sql is numbered below');

    await writeFile(join(folder, '000000_twice.sql'), 'select 1');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow('number 000000');
    await rm(join(folder, '000000_twice.sql'));
    await writeFile(join(folder, 'hotfix.sql'), 'select 1');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow('hotfix.sql is not named');
    expect(await present('early')).toBe(false);
    expect(await present('later')).toBe(false);
  });

  it('are applied once by several at a time; one that fails leaves nothing of itself', async () => {
    await writeFile(join(folder, '900001_good.sql'), 'create table good (id int);\nselect pg_sleep(0.1);\n');
    const results = await Promise.all([1, 2, 3].map(() => migrateFrom(test.db, folder)));
    expect(results.flatMap((result) => result.applied)).toEqual(['900001_good.sql']);

    await writeFile(join(folder, '900002_bad.sql'), 'create table half (id int);\nselect 1 / 0;\n');
    await expect(migrateFrom(test.db, folder)).rejects.toMatchObject({ code: '22012' });
    expect(await present('half')).toBe(false);
    expect(await present('good')).toBe(true);

    await writeFile(join(folder, '900002_bad.sql'), 'create table half (id int);\nCOMMIT;\nselect 1 / 0;\n');
    await expect(migrateFrom(test.db, folder)).rejects.toThrow('900002_bad.sql begins or ends a transaction');
  });

  it('of a newer release are left alone', async () => {
    // 900001_good.sql is applied by now, and the folder of this release does not have it.
    expect(await migrate(test.db)).toEqual({ applied: [], ahead: ['900001_good.sql'] });
  });

  it('of a newer release are named in the log of a server that starts against them', async () => {
    // An embedded database has one owner.
    await test.db.close();
    const { databaseUrl, dataDir } = test;
    const settings = databaseUrl
      ? { DATABASE_URL: databaseUrl, DATA_DIR: join(dataDir, 'other') }
      : { DATA_DIR: dataDir };
    const lines: string[] = [];
    const log = createLogger('warn', { write: (line) => void lines.push(line) });
    const app = await openApp(loadConfig({ ...settings, WORKER_THREADS: '1' }), log);
    await app.close();
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 40,
        ahead: ['900001_good.sql'],
        msg: expect.stringContaining('migrated by a newer release'),
      }),
    );
  });
});
