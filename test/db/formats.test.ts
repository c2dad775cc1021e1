import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { readArchive, writeArchive } from '../../src/backup/archive.ts';
import { backUp } from '../../src/backup/backup.ts';
import { checkBackup, restoreBackup } from '../../src/backup/restore.ts';
import { defined } from '../../src/common/elements.ts';
import { migrate } from '../../src/db/migrate.ts';
import { FILE_FORMATS } from '../../workers/formats/registry.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

const all = [...FILE_FORMATS].sort();
const put = 'insert into file_blob (sha256, format, bytes) values ($1, $2, 1)';
let last: TestDatabase | undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-formats-'));
});
afterAll(async () => {
  await last?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A new database, in place of the last one: a process has one embedded database. */
async function fresh() {
  await last?.close();
  last = await testDatabase({ own: true });
  return last.db;
}
const formatsOf = async (db: TestDatabase['db']): Promise<string[]> =>
  (await db.query<{ name: string }>('select name from file_format')).map(({ name }) => name).sort();

it('a database knows the formats of the registry, learns new ones when it is migrated, and refuses others', async () => {
  const db = await fresh();
  expect(await formatsOf(db)).toEqual(all);
  await db.query("delete from file_format where name in ('kml', 'parquet')");
  await expect(db.query(put, ['a'.repeat(64), 'kml'])).rejects.toMatchObject({ code: '23503' });
  const added: unknown[] = [];
  await migrate(db, (message, fields) => added.push([message, fields]));
  expect(added.map((one) => JSON.stringify(one)).sort()).toEqual([
    '["A file format was added.",{"format":"kml"}]',
    '["A file format was added.",{"format":"parquet"}]',
  ]);
  await db.query(put, ['a'.repeat(64), 'kml']);
  expect(await formatsOf(db)).toEqual(all);
});

it('a restored database knows the formats of its backup and release; files of others are refused', async () => {
  const from = defined(last).db;
  const library = await openStorage(null, folder, 'library');
  await from.query("delete from file_format where name = 'parquet'");
  await from.query("insert into file_format values ('papyrus')");
  const [known, newer] = [join(folder, 'known.tar'), join(folder, 'newer.tar')];
  await backUp(known, { db: from, library, progress: () => undefined });
  await rewrite(known, newer);
  const into = { db: await fresh(), library, progress: () => undefined };
  await expect(restoreBackup(newer, await checkBackup(newer), into)).rejects.toThrow(
    'formats that this release does not know (papyrus)',
  );
  expect(await into.db.query('select from file_blob')).toEqual([]);
  expect(await formatsOf(into.db)).toEqual(all);
  await restoreBackup(known, await checkBackup(known), into);
  expect(await into.db.query('select format from file_blob')).toEqual([{ format: 'kml' }]);
  expect(await formatsOf(into.db)).toEqual([...all, 'papyrus'].sort());
});

/** Writes a backup again, as a release would whose KML is called papyrus. */
async function rewrite(file: string, target: string): Promise<void> {
  const { sha256: _, format: __, ...manifest } = await checkBackup(file);
  const archive = await writeArchive(target);
  for await (const member of readArchive(file)) {
    if (!member.name.startsWith('tables/')) continue;
    const rows = gunzipSync(await member.bytes(1e6)).toString();
    const isBlobs = member.name.startsWith('tables/file_blob/');
    await archive.add(member.name, gzipSync(isBlobs ? rows.replaceAll('kml', 'papyrus') : rows));
  }
  await archive.finish(manifest);
  await archive.close();
}
