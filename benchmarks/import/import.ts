import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options, Result } from '../measure.ts';
import { benchCoastline } from './coastline.ts';
import { benchCommunes } from './communes.ts';
import { benchFileFormats } from './file_formats.ts';
import { hasPlanetSources, makePlanet } from './planet.ts';
import { benchRings } from './rings.ts';
import { benchWholeImport } from './whole.ts';

const SEED = 20_261_121;

/**
 * Import benchmarks: a generated .osm.pbf of 100 MB (smoke: 1 MB) to rings and arcs against osmium, the same file into
 * a native PostGIS against osm2pgsql, France's communes into it against ogr2ogr, a map with its coastline against
 * one without, and files of other formats against GeoJSON. Skips a row with a message if its rival is not installed.
 */
export async function benchImport(dataDir: string, options: Options): Promise<Result[]> {
  if (!hasPlanetSources(dataDir)) {
    process.stderr.write(`import: no data in ${dataDir} (set REAL_DATA_DIR)\n`);
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-import-'));
  try {
    const path = join(folder, 'planet.osm.pbf');
    const planet = await makePlanet(path, dataDir, options.smoke ? 1e6 : 1e8, SEED);
    const name = `made planet of ${Math.round(planet.bytes / 1e6)} MB`;
    const results = [
      ...(await benchRings(path, folder, name, options)),
      ...(await benchWholeImport(path, folder, name, options)),
    ];
    if (!options.smoke) results.push(...(await benchCommunes(dataDir)));
    results.push(...(await benchCoastline(dataDir, options)), ...(await benchFileFormats(dataDir, folder, options)));
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
