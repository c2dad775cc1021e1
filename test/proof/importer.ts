/** Imports an OSM file in small batches and prints each step: `importer.ts URL FILE MOST`. For tests that kill it. */

import { openDatabase } from '../../src/db/connect.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { OSM_SOURCE } from '../../src/sources/osm/source.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { leading } from '../setup/elements.ts';

/** Like importFile, but in batches of at most `most` vertices. */
export async function importInBatches(
  deps: Parameters<typeof storeBoundaries>[0],
  path: string,
  most: number,
  progress?: (message: string) => void,
) {
  const extract = await readOsmFile(path);
  const { boundaries } = toSourceBoundaries(extract);
  const { relations, ways } = extract;
  const batchSize = { aim: most, most };
  return storeBoundaries(deps, { source: OSM_SOURCE, file: path, boundaries, relations, ways, batchSize }, progress);
}

if (process.argv[1]?.endsWith('importer.ts')) {
  const [url, path, most] = leading(process.argv.slice(2), 3);
  const db = await openDatabase({ databaseUrl: url, dataDir: '' });
  const engine = new Engine(db, {
    threads: 1,
    arcBytes: 2 ** 26,
    cache: createCache(2 ** 20),
    maxResponseBytes: 2 ** 20,
  });
  await importInBatches({ db, engine }, path, Number(most), (message) => process.stdout.write(`${message}\n`));
  await engine.close();
  await db.close();
}
