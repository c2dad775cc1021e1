import { basename } from 'node:path';
import { preparedFile } from '../../src/db/prepared.ts';
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
    const engine = new Engine(db, { threads: 2, arcBytes: 64e6, cacheBytes: 16e6, maxResponseBytes: 64e6 });
    await importSeed({ db, engine }).finally(() => engine.close());
  },
  prepared() {
    const folder = process.env.PREPARED_SEED;
    const file = folder ? preparedFile('all', folder) : null;
    return file !== null && basename(file) === 'all.gz' ? file : null;
  },
};
