/** Stores files of land and of inland water, and works out what they change of boundaries. */
import { only } from '../../common/elements.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { Engine } from '../../geometry/engine.ts';
import { emptySummary } from './boundaries.ts';
import { putOsmWater, replaceWater, type WaterStored } from './inland.ts';
import { renewInland } from './inland_land.ts';
import type { OsmWater } from './inland_model.ts';
import { replaceLand } from './land.ts';
import type { LandExtent } from './land_extent.ts';
import type { CoastLine, LandRun, Progress, SourceInfo, Storage } from './source_rows.ts';
import type { StoreSummary } from './summary.ts';
import { TOPOLOGY_LOCK } from './topology.ts';

type Deps = { readonly db: Database; readonly engine: Engine };

/** A file of polygons: land, or inland water. */
export interface PolygonSet {
  readonly what: 'land' | 'water';
  readonly source: SourceInfo;
  /** The name of the file, recorded with the run. */
  readonly file: string;
  readonly lines: readonly CoastLine[];
  readonly extent: LandExtent;
}

/** Stores a file of polygons, and works out the land of boundaries around them, or what of it is inland water. */
export async function storePolygons(
  { db, engine }: Deps,
  { what, source, file, lines, extent }: PolygonSet,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  const summary = { ...emptySummary(), read: lines.length };
  await db.withLock(TOPOLOGY_LOCK, async () => {
    const run = { db: storageOf(db), engine, progress, summary };
    if (what === 'land') await replaceLand(run, source, lines, extent);
    else {
      await replaceWater(run, source, lines, extent);
      await renewInland(run);
    }
    const { id } = only(await db.query(loadQuery('store_begin_run'), [source.id, file]));
    await db.query(loadQuery('store_end_run'), [id, JSON.stringify({ ...summary, broken: 0 })]);
  });
  return summary;
}

/**
 * Stores the inland water of a file of OpenStreetMap of which the boundaries are stored already, and adds to the summary of
 * that run what it changes.
 * @returns how many boundaries it covers, and what it does not say of others, with the reason
 */
export async function storeOsmWater(
  { db, engine }: Deps,
  source: string,
  file: OsmWater,
  summary: StoreSummary,
  progress: Progress = () => {},
): Promise<WaterStored> {
  return db.withLock(TOPOLOGY_LOCK, async () => {
    const run: LandRun = { db: storageOf(db), engine, progress, summary };
    const stored = await putOsmWater(run, source, file);
    await renewInland(run);
    return stored;
  });
}

function storageOf(db: Database): Storage {
  return { inOrder: true, query: db.query, exec: db.exec, transaction: db.transaction };
}
