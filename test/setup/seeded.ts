import { Engine } from '../../src/geometry/engine.ts';
import { importSeed } from '../../src/sources/import.ts';
import type { Fixture } from './database.ts';

/** The seed data, imported as by `boundary seed`. */
export const seeded: Fixture = {
  name: 'seeded',
  async fill(db) {
    const engine = new Engine(db, { threads: 2, arcBytes: 64e6, cacheBytes: 16e6, maxResponseBytes: 64e6 });
    await importSeed({ db, engine }).finally(() => engine.close());
  },
};
