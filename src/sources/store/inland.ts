/** Stores inland water: lakes and rivers, of which some boundaries' land is without. inland_land.ts cuts it out. */
import { chainBox } from '../../../workers/arcs/box.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches } from '../batches.ts';
import { findCovered } from './inland_cover.ts';
import { type InlandWater, OSM_WATER, type OsmWater } from './inland_model.ts';
import type { LandExtent } from './land_extent.ts';
import { type Box, markAround, sides } from './parts.ts';
import { type CoastLine, type LandRun, type SourceInfo, sourceColumns } from './source_rows.ts';
import { bytesOf, withImportTimeout } from './topology.ts';

/** Bytes of an id in a list, at most. */
const ID_BYTES = 50;

/**
 * Stores the inland water of a file of OpenStreetMap. It is what is known of the boundaries that the file covers
 * (inland_cover.ts): stored water there that the file lacks is removed. The caller holds TOPOLOGY_LOCK and then renews.
 * @returns how many boundaries it covers, and what it does not say of others, with the reason
 */
export async function putOsmWater(run: LandRun, source: string, file: OsmWater): Promise<WaterStored> {
  const { water, leastKm2, timestamp } = file;
  const context = { db: withImportTimeout(run.db), engine: run.engine, source };
  const { covered, removed, small, notices } = await findCovered(context, file);
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const dropped: Box[] = [];
    for (const ids of batches(removed, () => ID_BYTES))
      for (const box of await tx.query(loadQuery('inland_drop'), [OSM_WATER, ids])) dropped.push(box);
    await markAround(tx, 'inland_mark_around', dropped);
    // Before its water, which older data adds only there.
    for (const ids of batches(covered, () => ID_BYTES)) {
      const changed = await tx.query(loadQuery('inland_cover'), [ids, leastKm2, timestamp]);
      await tx.query(loadQuery('inland_mark'), [changed.map(({ id }) => id)]);
    }
    await putWater(tx, OSM_WATER, water, timestamp);
    if (timestamp !== null) {
      const whole = water.flatMap(({ id, isPart = false }) => (isPart ? [] : [id]));
      for (const ids of batches(whole, () => ID_BYTES))
        await tx.query(loadQuery('inland_seen'), [OSM_WATER, ids, timestamp]);
    }
    // After that: other boundaries may have been read with smaller water.
    const left: Box[] = [];
    for (const ids of batches(small, () => ID_BYTES))
      for (const box of await tx.query(loadQuery('inland_drop_small'), [OSM_WATER, ids, leastKm2])) left.push(box);
    await markAround(tx, 'inland_mark_around', left);
  });
  return { covered: covered.length, notices };
}

/** What storing the inland water of a file did. */
export interface WaterStored {
  readonly covered: number;
  readonly notices: readonly string[];
}

/**
 * Stores the polygons of a file of inland water in place of those that its source had. The caller holds TOPOLOGY_LOCK and
 * then renews.
 */
export async function replaceWater(
  run: LandRun,
  source: SourceInfo,
  lines: readonly CoastLine[],
  extent: LandExtent,
): Promise<void> {
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    await tx.query(loadQuery('store_put_source'), sourceColumns(source));
    const water = lines.map(({ id, coords }) => ({ id: String(id), rings: [coords] }));
    const kept = water.map(({ id }) => id);
    await markAround(tx, 'inland_mark_around', await tx.query(loadQuery('inland_drop_others'), [source.id, kept]));
    const set = await tx.query(loadQuery('inland_put_set'), [source.id, ...extent.box, extent.stated]);
    await putWater(tx, source.id, water, null);
    // Boundaries without water in what it covers are known by it, too.
    if (set.length > 0) await tx.query(loadQuery('inland_mark_all'));
  });
}

/** Removes the inland water of a source. The caller holds TOPOLOGY_LOCK and then renews. */
export async function dropWater(tx: Queryable, source: string): Promise<void> {
  const removed = await tx.query(loadQuery('inland_drop_others'), [source, []]);
  const set = await tx.query(loadQuery('inland_drop_set'), [source]);
  if (source === OSM_WATER) await tx.query(loadQuery('inland_uncover'));
  if (removed.length + set.length > 0) await tx.query(loadQuery('inland_mark_all'));
}

async function putWater(
  tx: Queryable,
  source: string,
  water: readonly InlandWater[],
  timestamp: string | null,
): Promise<void> {
  const changed: Box[] = [];
  const bytes = ({ rings }: InlandWater) => rings.reduce((sum, { byteLength }) => sum + byteLength, 200);
  for (const batch of batches(water, bytes)) {
    const all = batch.map(({ rings }) => joined(rings));
    const boxes = all.map(({ coords }) => chainBox(coords));
    const rows = await tx.query(loadQuery('inland_put'), [
      source,
      batch.map(({ id }) => id),
      all.map(({ coords }) => bytesOf(coords)),
      all.map(({ ringEnd }) => `{${ringEnd.join()}}`),
      batch.map(({ reason = null }) => reason),
      ...sides(boxes),
      timestamp,
      batch.map(({ isPart = false }) => isPart),
    ]);
    changed.push(...rows);
  }
  await markAround(tx, 'inland_mark_around', changed);
}

function joined(rings: readonly Int32Array[]) {
  const coords = new Int32Array(rings.reduce((sum, { length }) => sum + length, 0));
  const ringEnd: number[] = [];
  let at = 0;
  for (const ring of rings) {
    coords.set(ring, at);
    at += ring.length;
    ringEnd.push(at / 2);
  }
  return { coords, ringEnd };
}
