import { basename } from 'node:path';
import type { Database } from '../db/connect.ts';
import type { Engine } from '../geometry/engine.ts';
import { checkFile } from './check_file.ts';
import { finish, type ImportSummary, type Progress, watchMemory } from './import_summary.ts';
import { type LandOptions, readLand } from './land_file.ts';
import { boxText, coveredBox, extentOfLand, type LandExtent } from './store/land_extent.ts';
import { type PolygonSet, storePolygons } from './store/stored_land.ts';
import { requireUse } from './stored.ts';

/**
 * Imports a file of polygons, in any format of areas that is read: of land, with which the land of boundaries is worked
 * out for which no coastline of OpenStreetMap decides; or of inland water, which is cut out of the land of those for which
 * no file of OpenStreetMap says it. Importing a set again replaces it.
 * @throws Error when the file cannot be read, or the source is one of boundaries; nothing is stored then
 */
export async function importLand(
  deps: { readonly db: Database; readonly engine: Engine },
  path: string,
  options: LandOptions,
  progress: Progress = () => {},
  what: PolygonSet['what'] = 'land',
): Promise<ImportSummary> {
  const started = performance.now();
  const file = basename(path);
  await checkFile(path, file, true);
  const memory = watchMemory();
  try {
    const { source: id, name = id, url = null, license, attribution } = options;
    await requireUse(deps.db, id, what);
    const lines = await readLand(path, options);
    const { bbox } = options;
    const [west = 0, south = 0, east = 0, north = 0] = (bbox ?? []).map((degrees) => Math.round(degrees * 1e7));
    const extent = bbox ? { box: [west, south, east, north] as const, stated: true } : extentOfLand(lines);
    const source = { id, name, url, license, attribution, resolution: null, seed: false };
    const summary = await storePolygons(deps, { what, source, file, lines, extent }, progress);
    const notice = what === 'land' ? coverageNotice(id, extent) : waterNotice(id, extent);
    return finish({ file, started, memory }, summary, { notices: [notice] });
  } finally {
    memory.end();
  }
}

/** Says what a set of land polygons covers. */
function coverageNotice(id: string, extent: LandExtent): string {
  const covers = `${id} covers ${boxText(coveredBox(extent))}`;
  const beyond = 'the land of boundaries that reach beyond is not worked out with it';
  return extent.stated
    ? `${covers}, as stated: ${beyond}`
    : `${covers}, the extent of its polygons and 30 nautical miles around: ${beyond} (--bbox states another extent)`;
}

/** Says what a file of inland water covers. */
function waterNotice(id: string, { box, stated }: LandExtent): string {
  const covers = `${id} covers ${boxText(box)}, ${stated ? 'as stated' : 'the extent of its polygons'}`;
  const beyond = 'no inland water is known by it of boundaries that reach beyond';
  return `${covers}: ${beyond}${stated ? '' : ' (--bbox states another extent)'}`;
}
