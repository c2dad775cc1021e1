import { join } from 'node:path';
import type { Database } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import type { Fixture } from './database.ts';

/** The boundaries of Luxembourg of the real data (REAL_DATA_DIR), 2018, as `boundary import` takes them in. */
export const luxembourg: Fixture = { name: 'luxembourg', fill: (db) => fill(db, false) };

/** The same beside the counties of the United States, of the source `us`. */
export const luxembourgAndCounties: Fixture = { name: 'counties', fill: (db) => fill(db, true) };

async function fill(db: Database, withCounties: boolean): Promise<void> {
  const folder = process.env.REAL_DATA_DIR;
  if (!folder) throw new Error('REAL_DATA_DIR is not set');
  const engine = new Engine(db, { threads: 2, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
  try {
    await importFile({ db, engine }, join(folder, 'osm/luxembourg-2018-boundaries.boundaries.osm.pbf'), null);
    if (!withCounties) return;
    const about = { source: 'us', license: 'test', attribution: 'test' };
    const counties = { ...about, object: 'counties', adminLevel: 6, country: 'US' };
    await importFile({ db, engine }, join(folder, 'coverage/us-counties-10m.topo.json'), counties);
  } finally {
    await engine.close();
  }
}
