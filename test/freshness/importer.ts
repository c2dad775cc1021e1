/**
 * Imports or applies the given file into the given data directory or database, in small batches. With two words more it
 * is killed when its progress starts with the second for the first time after it started with the first.
 */

import { defined } from '../../src/common/elements.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { OSM_SOURCE } from '../../src/sources/osm/source.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { applyChange } from '../../src/sources/update/apply.ts';

const [dataDir, databaseUrl, what, file, after = '', killAt = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir: defined(dataDir), databaseUrl: databaseUrl || null });
const engine = new Engine(db, { threads: 1, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
let isArmed = after === '';
const say = (message: string): void => {
  if (isArmed && killAt !== '' && message.startsWith(killAt)) process.kill(process.pid, 'SIGKILL');
  isArmed ||= message.startsWith(after);
};
if (what === 'update') await applyChange({ db, engine }, defined(file), { address: '', sequence: null }, say);
else {
  const { relations, ways, nodes, timestamp, ...rest } = await readOsmFile(defined(file));
  const { boundaries } = toSourceBoundaries({ relations, ways, nodes, timestamp, ...rest });
  const batchSize = { aim: 1_500, most: 1_500 };
  const input = { source: OSM_SOURCE, file: 'killed', boundaries, relations, ways, nodes, timestamp, batchSize };
  await storeBoundaries({ db, engine }, input, say);
}
await engine.close();
await db.close();
