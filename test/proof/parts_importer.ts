/** Imports an OSM file in parts and prints each step: `parts_importer.ts URL FILE SIZE`. For tests that kill it. */

import { openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importFile } from '../../src/sources/import.ts';
import type { PartSize } from '../../src/sources/osm/parts.ts';
import { leading } from '../setup/elements.ts';

const [url, path, size] = leading(process.argv.slice(2), 3);
const db = await openDatabase({ databaseUrl: url, dataDir: '' });
const engine = new Engine(db, {
  threads: 1,
  arcBytes: 2 ** 26,
  cache: createCache(2 ** 20),
  maxResponseBytes: 2 ** 20,
});
const say = (message: string) => process.stdout.write(`${message}\n`);
await importFile({ db, engine }, path, null, { progress: say, partSize: JSON.parse(size) as PartSize });
await engine.close();
await db.close();
