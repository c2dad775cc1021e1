import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/common/package_root.ts';
import { DatabaseError, openDatabase } from '../../src/db/connect.ts';
import { acquireDataDir, type DataDirLock } from '../../src/db/lock.ts';
import { migrate, migrationsFolder } from '../../src/db/migrate.ts';
import { preparedFile, unpackDatabase } from '../../src/db/prepared.ts';
import { FILE_FORMATS } from '../../workers/formats/registry.ts';
import { COMPILE_ONCE } from './compiled.ts';
import type { Fixture } from './database.ts';

const cache = join(packageRoot(), '.test-cache');
const STALE_MS = 24 * 3_600_000;
const POLL_MS = 250;

/** A hash of the inputs of the template: the migrations and the versions of the database. */
async function templateKey(): Promise<string> {
  const hash = createHash('sha256').update(FILE_FORMATS.join());
  const folder = migrationsFolder();
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  for (const name of ['pglite', 'pglite-postgis']) {
    hash.update(await readFile(join(packageRoot(), 'node_modules', '@electric-sql', name, 'package.json')));
  }
  return hash.digest('hex').slice(0, 16);
}

async function becomeBuilder(directory: string, ready: () => boolean): Promise<DataDirLock | null> {
  while (!ready()) {
    try {
      return await acquireDataDir(directory);
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== 'data_dir_in_use') throw error;
      await sleep(POLL_MS);
    }
  }
  return null;
}

/** Creates a data directory to copy from with `make`, once for all concurrent processes. */
async function ensureFolder(template: string, make: (draft: string) => Promise<void>): Promise<void> {
  const ready = (): boolean => existsSync(template);
  const builder = await becomeBuilder(`${template}.builder`, ready);
  if (!builder) return;
  try {
    if (ready()) return;
    const draft = `${template}.draft`;
    await rm(draft, { recursive: true, force: true });
    await make(draft);
    await rename(draft, template);
  } finally {
    await builder.release();
  }
}

/**
 * Creates the empty database that a first start unpacks (dist/prepared), if no build created it: without it, each
 * process that a test starts in an empty folder takes ten seconds.
 */
export async function ensurePrepared(): Promise<void> {
  const ready = (): boolean => preparedFile('none') !== null;
  const builder = await becomeBuilder(join(cache, 'prepared.builder'), ready);
  if (!builder) return;
  try {
    if (ready()) return;
    const script = join(packageRoot(), 'scripts', 'make_prepared.ts');
    const words = [COMPILE_ONCE, '--import', 'tsx', script, 'none'];
    await promisify(execFile)(process.execPath, words, { cwd: packageRoot() });
  } finally {
    await builder.release();
  }
}

/** Creates a migrated data directory, once per state of the migrations. */
async function ensureTemplate(): Promise<string> {
  const template = join(cache, await templateKey());
  await ensureFolder(template, async (draft) => {
    await ensurePrepared();
    const db = await openDatabase({ dataDir: draft, prepared: preparedFile('none') });
    await migrate(db).finally(() => db.close());
    await removeStale();
  });
  return template;
}

async function removeStale(): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name);
    const info = await stat(path).catch(() => null);
    if (info && Date.now() - info.mtimeMs > STALE_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Copies an empty migrated database into `dataDir`. */
export async function copyTemplate(dataDir: string): Promise<void> {
  await copyDatabase(await ensureTemplate(), dataDir);
}

/** Puts a database that holds a fixture into `dataDir`: made once, in the folder `template`. */
export async function copyFilled(
  template: string,
  { fill, prepared }: Pick<Fixture, 'fill' | 'prepared'>,
  dataDir: string,
): Promise<void> {
  await ensureFolder(template, async (draft) => {
    const packed = prepared?.() ?? null;
    if (packed !== null) {
      await mkdir(draft);
      return unpackDatabase(packed, join(draft, 'pg'));
    }
    await copyTemplate(draft);
    const db = await openDatabase({ dataDir: draft });
    await fill(db).finally(() => db.close());
  });
  await copyDatabase(template, dataDir);
}

async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(join(from, 'pg'), join(to, 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE });
}
