import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { packDatabase, preparedBackup, preparedFile, preparedKey, unpackDatabase } from '../../src/db/prepared.ts';
import { isNative } from '../setup/database.ts';
import { copyTemplate } from '../setup/embedded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-prepared-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(isNative)('an embedded database that was prepared', { timeout: 300_000 }, () => {
  let file: string;

  beforeAll(async () => {
    const made = join(folder, 'made');
    await copyTemplate(made);
    const db = await openDatabase({ dataDir: made });
    await db.query("insert into source (id, name, licence, attribution, seed) values ('s', 's', 's', 's', true)");
    await db.exec('checkpoint');
    const { wal } = only(await db.query<{ wal: string }>('select pg_walfile_name(pg_current_wal_lsn()) as wal'));
    await db.close();
    file = join(folder, 'none.gz');
    await packDatabase(join(made, 'pg'), wal, file);
  }, 300_000);

  it('is what a new folder begins with, and a folder with a database keeps its own', async () => {
    const dataDir = join(folder, 'new');
    const sources = async (): Promise<unknown[]> => {
      const db = await openDatabase({ dataDir, prepared: file });
      const rows = await db.query('select id from source order by id');
      await db.query(
        "insert into source (id, name, licence, attribution) values ('own', 's', 's', 's') on conflict do nothing",
      );
      await db.close();
      return rows.map((row) => (row as { id: string }).id);
    };
    expect(await sources()).toEqual(['s']);
    expect(await sources()).toEqual(['own', 's']);
  });

  it('is refused when it is cut off, too long, or names a file elsewhere', async () => {
    const bytes = gunzipSync(await readFile(file));
    const unpack = async (name: string, content: Buffer): Promise<void> => {
      await writeFile(join(folder, name), gzipSync(content, { level: 1 }));
      await unpackDatabase(join(folder, name), join(folder, `${name} unpacked`));
    };
    await expect(unpack('short', bytes.subarray(0, -1))).rejects.toThrow('ends too early');
    await expect(unpack('long', Buffer.concat([bytes, Buffer.from('x')]))).rejects.toThrow('too long');
    const elsewhere = Buffer.from('{"entries":[["../elsewhere",1]]}\nx');
    await expect(unpack('elsewhere', elsewhere)).rejects.toThrow('lies outside');
  });

  it('is used with the migrations that it was made with, and with no others', async () => {
    expect(preparedFile('none', folder)).toBeNull();
    await writeFile(join(folder, 'key'), 'of other migrations');
    expect(preparedFile('none', folder)).toBeNull();
    await writeFile(join(folder, 'key'), preparedKey());
    expect([preparedFile('none', folder), preparedFile('all', folder)]).toEqual([file, file]);
    await writeFile(join(folder, 'countries.gz'), '');
    expect(preparedFile('all', folder)).toBe(join(folder, 'countries.gz'));
    expect(preparedFile('none', folder)).toBe(file);
    await writeFile(join(folder, 'countries.backup'), '');
    const backups = (['none', 'countries', 'all'] as const).map((contents) => preparedBackup(contents, folder));
    expect(backups).toEqual([null, join(folder, 'countries.backup'), join(folder, 'countries.backup')]);
  });
});
