/** Stores inland water: lakes and rivers, of which some boundaries' land is without. inland_land.ts cuts it out. */
import { chainBox } from '../../../workers/arcs/box.ts';
import type { MapBox } from '../../../workers/osm/blob.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches } from '../batches.ts';
import { intsOf } from '../ints.ts';
import { placesOf } from './coast_gone.ts';
import type { LandExtent } from './land_extent.ts';
import { type CoastLine, type LandRun, type SourceInfo, sourceColumns } from './model.ts';
import { bytesOf, type Extent, mergeBoxes, withImportTimeout } from './topology.ts';

/** The source of inland water that is objects of OpenStreetMap. */
export const OSM_WATER = 'osm';
/** The most boxes in which boundaries are looked up at once. */
const MOST_BOXES = 500;
/** Stored objects that are compared with those of a file at once. */
const AT_ONCE = 20_000;

/** A lake, a river or a part of one: closed rings with water on their left. With a `reason`, lines of its border. */
export interface InlandWater {
  readonly id: string;
  readonly rings: readonly Int32Array[];
  readonly reason?: string;
}

/** What a file of OpenStreetMap has of inland water. */
export interface OsmWater {
  readonly water: readonly InlandWater[];
  /** Water that the file has and that is smaller than `leastKm2`, or lies outside of all its boundaries: ids. */
  readonly smaller: readonly string[];
  readonly leastKm2: number;
  /** The boundaries whose whole border the file has, with the version there. */
  readonly whole: readonly { readonly id: string; readonly version: string }[];
  /** The extent that the file states, and its time; null when it does not. */
  readonly bbox: MapBox | null;
  readonly timestamp: string | null;
}

/**
 * Stores the inland water of a file of OpenStreetMap. It is what is known of the boundaries that the file has whole and
 * within its extent: stored water there that the file lacks is removed. The caller holds TOPOLOGY_LOCK and then renews.
 * @returns how many boundaries it covers
 */
export async function putOsmWater(run: LandRun, source: string, file: OsmWater): Promise<number> {
  const { water, smaller, leastKm2, whole, bbox, timestamp } = file;
  const db = withImportTimeout(run.db);
  const about = [whole.map(({ id }) => id), whole.map(({ version }) => version)] as const;
  const stored = (await db.query(loadQuery('land_whole'), [...about, source])).map(({ id }) => id);
  const covered = bbox === null ? stored : await withinBox(db, stored, bbox);
  const kept = [...water.map(({ id }) => id), ...smaller];
  const gone = smaller.slice();
  for (let after = '', isMore = covered.length > 0; isMore; ) {
    const rows = await db.query(loadQuery('inland_missing'), [OSM_WATER, kept, covered, timestamp, after, AT_ONCE]);
    isMore = rows.length === AT_ONCE;
    after = rows.at(-1)?.id ?? after;
    const places = await placesOf(
      { db, engine: run.engine, source },
      rows.map(({ vertices }) => intsOf(vertices)),
      new Set(covered),
    );
    rows.forEach(({ id }, i) => {
      if (places[i] !== null) gone.push(id);
    });
  }
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    await markAround(tx, await tx.query(loadQuery('inland_drop'), [OSM_WATER, gone]));
    await putWater(tx, OSM_WATER, water, timestamp);
    if (timestamp !== null) {
      const ids = water.map(({ id }) => id);
      await tx.query(loadQuery('inland_seen'), [OSM_WATER, ids, timestamp]);
    }
    const changed = await tx.query(loadQuery('inland_cover'), [covered, leastKm2, timestamp]);
    await tx.query(loadQuery('inland_mark'), [changed.map(({ id }) => id)]);
  });
  return covered.length;
}

/** The boundaries whose box is within that of a file (degrees). */
async function withinBox(db: Queryable, ids: readonly string[], bbox: MapBox): Promise<string[]> {
  const [west, south, east, north] = bbox.map((degrees) => Math.round(degrees * 1e7));
  const rows = await db.query(loadQuery('inland_within'), [ids, west, south, east, north]);
  return rows.map(({ id }) => id);
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
    await markAround(tx, await tx.query(loadQuery('inland_drop_others'), [source.id, kept]));
    const set = await tx.query(loadQuery('inland_put_set'), [source.id, ...extent.box, extent.stated]);
    await putWater(tx, source.id, water, null);
    // Boundaries without water in what it covers are known by it, too.
    if (set.length > 0) await tx.query(loadQuery('inland_mark_all'));
  });
}

/** Removes the inland water of a source. The caller holds TOPOLOGY_LOCK and then renews. */
export async function dropWater(tx: Queryable, source: string): Promise<void> {
  const gone = await tx.query(loadQuery('inland_drop_others'), [source, []]);
  const set = await tx.query(loadQuery('inland_drop_set'), [source]);
  if (source === OSM_WATER) await tx.query(loadQuery('inland_uncover'));
  if (gone.length + set.length > 0) await tx.query(loadQuery('inland_mark_all'));
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
    ]);
    changed.push(...rows);
  }
  await markAround(tx, changed);
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

type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

async function markAround(tx: Queryable, changed: readonly Box[]): Promise<void> {
  if (changed.length === 0) return;
  const boxes = changed.map(({ west, south, east, north }): Extent => [west, south, east, north]);
  await tx.query(loadQuery('inland_mark_around'), sides(mergeBoxes(boxes, MOST_BOXES)));
}

/** The west, south, east and north sides of boxes. */
export function sides(boxes: readonly Extent[]): [number[], number[], number[], number[]] {
  const side = (k: number) => boxes.map((box) => defined(box[k]));
  return [side(0), side(1), side(2), side(3)];
}
