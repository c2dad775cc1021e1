import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { fillNewDatabase } from '../../src/backup/prepared.ts';
import type { Database } from '../../src/db/connect.ts';
import { preparedBackup, preparedFile } from '../../src/db/prepared.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importSeed } from '../../src/sources/import.ts';
import type { Fixture } from './database.ts';

/**
 * The seed data, as `boundary seed` imports it. PREPARED_SEED names a folder of prepared databases where one with all of
 * it was just built from these sources (.ci/run builds it for the image): to import it there again takes a minute.
 */
export const seeded: Fixture = {
  name: 'seeded',
  async fill(db) {
    const backup = withAll(preparedBackup);
    if (backup !== null && db.kind === 'native') return restore(backup, db);
    const engine = new Engine(db, { threads: 2, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
    await importSeed({ db, engine }).finally(() => engine.close());
  },
  prepared: () => withAll(preparedFile),
};

/** The prepared file of a kind that holds all seed data, where PREPARED_SEED has it. */
function withAll(fileOf: typeof preparedFile): string | null {
  const folder = process.env.PREPARED_SEED;
  if (!folder) return null;
  const file = fileOf('all', folder);
  return file?.startsWith(join(folder, 'all.')) ? file : null;
}

async function restore(backup: string, db: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-seeded-'));
  try {
    const library = await openStorage(null, folder, 'library');
    if (!(await fillNewDatabase(backup, { db, library }))) throw new Error('the database was not new');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
