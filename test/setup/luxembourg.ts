import { join } from 'node:path';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import type { Fixture } from './database.ts';

/** The boundaries of Luxembourg of the real data (REAL_DATA_DIR), 2018, as `boundary import` takes them in. */
export const luxembourg: Fixture = {
  name: 'luxembourg',
  async fill(db) {
    const folder = process.env.REAL_DATA_DIR;
    if (!folder) throw new Error('REAL_DATA_DIR is not set');
    const engine = new Engine(db, { threads: 2, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
    const file = join(folder, 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf');
    await importFile({ db, engine }, file, null).finally(() => engine.close());
  },
};
