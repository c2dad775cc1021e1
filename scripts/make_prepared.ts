/**
 * Builds the embedded databases that a first start unpacks (src/db/prepared.ts), and backups of them for native
 * databases, in dist/prepared. Skips those whose inputs have not changed.
 *
 *   npx tsx scripts/make_prepared.ts [none|countries|all]     # the largest seed data to include; default all
 */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStorage } from '../src/adapters/open_storage.ts';
import { backUp } from '../src/backup/backup.ts';
import { only } from '../src/common/elements.ts';
import { openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { CONTENTS, type Contents, packDatabase, preparedFolder, preparedKey } from '../src/db/prepared.ts';
import { createCache } from '../src/geometry/cached.ts';
import { Engine } from '../src/geometry/engine.ts';
import { importSeed } from '../src/sources/import.ts';
import { SEED_SETS, type SeedSet } from '../src/sources/seed/all.ts';

/** The inputs of the databases: the sources that read and store seed data. */
const MADE_OF = ['sql', 'data', 'src/backup', 'src/sources', 'workers/arcs', 'package-lock.json'];
const STATEMENT_MS = 600_000;
const MB = 2 ** 20;

const [most = process.env.PREPARED ?? 'all'] = process.argv.slice(2);
if (!(CONTENTS as readonly string[]).includes(most)) throw new Error(`${most}: none, countries or all`);
const wanted = CONTENTS.slice(0, CONTENTS.indexOf(most as Contents) + 1);
const folder = preparedFolder();
// Taken once, before the build: the migrations may change meanwhile.
const key = preparedKey();
const madeOf = createHash('sha256').update(key);
for (const path of MADE_OF) {
  const files = path.includes('.')
    ? [path]
    : (await readdir(path, { recursive: true })).map((name) => join(path, name));
  for (const file of files.sort()) if (/\.[a-z]+$/.test(file)) madeOf.update(file).update(readFileSync(file));
}
const sum = madeOf.digest('hex');
const sumFile = join(folder, 'made_of');
const isMade = existsSync(sumFile) && readFileSync(sumFile, 'utf8') === sum;
if (!isMade || wanted.some((contents) => !existsSync(join(folder, `${contents}.gz`)))) await makeAll();

async function makeAll(): Promise<void> {
  console.log(
    `Preparing the embedded database, once: with ${most === 'none' ? 'no' : most} seed data, a minute or two …`,
  );
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(folder, 'making-'));
  try {
    await make(dataDir, 'none', []);
    if (wanted.includes('countries')) await make(dataDir, 'countries', ['countries']);
    if (wanted.includes('all')) {
      await make(
        dataDir,
        'all',
        SEED_SETS.filter((set) => set !== 'countries'),
      );
    }
    await writeFile(join(folder, 'key'), key);
    await writeFile(sumFile, sum);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Loads sets into the database in a folder, and packs it. */
async function make(dataDir: string, contents: Contents, sets: readonly SeedSet[]): Promise<void> {
  const started = performance.now();
  const db = await openDatabase({ dataDir, deadlineMs: STATEMENT_MS });
  let wal: string;
  try {
    await migrate(db);
    if (sets.length > 0) {
      const engine = new Engine(db, {
        threads: 2,
        arcBytes: 64 * MB,
        cache: createCache(16 * MB),
        maxResponseBytes: 64 * MB,
      });
      await importSeed({ db, engine }, undefined, sets).finally(() => engine.close());
    }
    if (contents !== 'none') {
      const library = await openStorage(null, dataDir, 'library');
      await backUp(join(folder, `${contents}.backup`), { db, library, progress: () => undefined });
    }
    await db.exec('analyze');
    await db.exec('checkpoint');
    wal = only(await db.query<{ wal: string }>('select pg_walfile_name(pg_current_wal_lsn()) as wal')).wal;
  } finally {
    await db.close();
  }
  const draft = join(folder, `${contents}.new`);
  await packDatabase(join(dataDir, 'pg'), wal, draft);
  await rename(draft, join(folder, `${contents}.gz`));
  console.log(`dist/prepared/${contents}.gz: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
