/** Keeps the land and the water of boundaries: shapes in arrangements of their own, cut along the coast that is stored. */

import { chainBox } from '../../../workers/arcs/box.ts';
import type { LandOfBoundary } from '../../../workers/arcs/land.ts';
import { LAND, WATER } from '../../common/arrangements.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches, putJson } from '../batches.ts';
import { intsOf } from '../ints.ts';
import { cutLineAtSeam } from '../seam.ts';
import { dropWater } from './inland.ts';
import { renewInland } from './inland_land.ts';
import { boxText, coveredBox, type LandExtent, vertexBeyond } from './land_extent.ts';
import { knownOf, putExtent } from './land_known.ts';
import { type Cut, note, REASONS, rowOf } from './land_rows.ts';
import { type Box, boundariesToRenew, markAround, readArcs, sides, sidesAround, storeParts } from './parts.ts';
import { findRemovedCoast, type SeenCoast } from './removed_coast.ts';
import { type CoastLine, type LandRun, type Run, type SourceInfo, sourceColumns } from './source_rows.ts';
import { MOST_LISTED } from './summary.ts';
import { bytesOf, type Extent, withImportTimeout } from './topology.ts';

/** Gaps of the coast up to this many meters are closed, and listed. */
const GAP_METERS = 50;
/** The source of coastlines in coast_line that are ways of OpenStreetMap. */
const OSM_COAST = 'osm';

/**
 * Stores the coastlines of an import, in place of stored ones that they contradict. The land of boundaries near one that
 * is new, changed or removed is then pending. `seen` notes what the file has.
 */
export async function putCoast(run: Run, seen: SeenCoast): Promise<void> {
  const { coast = [], timestamp, bbox = null } = run.input;
  seen.note(run.input);
  if (coast.length === 0) return;
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const removed = await tx.query(loadQuery('land_drop_replaced'), [
      OSM_COAST,
      coast.map(({ id }) => id),
      coast.map(({ coords }) => bytesOf(coords.subarray(0, 2))),
      coast.map(({ coords }) => bytesOf(coords.subarray(-2))),
      timestamp ?? null,
    ]);
    await markAround(tx, 'land_mark_around', removed);
    await putCoastLines(tx, OSM_COAST, coast);
    if (bbox !== null) await putExtent(tx, bbox);
    if (timestamp) await tx.query(loadQuery('land_seen'), [OSM_COAST, coast.map(({ id }) => id), timestamp]);
  });
}

/** Removes stored coastlines that the file no longer has, where it covers their place (removed_coast.ts). */
export async function dropRemovedCoast(run: Run, seen: SeenCoast): Promise<void> {
  const { source, bbox = null, timestamp = null } = run.input;
  const { engine, summary } = run;
  const db = withImportTimeout(run.db);
  const context = { db, engine, coast: OSM_COAST, source: source.id, bbox, dataAt: timestamp };
  const removed = await findRemovedCoast(context, seen);
  if (removed.length > 0) {
    await run.db.transaction(async (transaction) => {
      const tx = withImportTimeout(transaction);
      await markAround(tx, 'land_mark_around', await tx.query(loadQuery('land_drop_lines'), [OSM_COAST, removed]));
    });
    summary.land.removed = (summary.land.removed ?? 0) + removed.length;
  }
  const kept = [...seen.kept.values()].slice(0, MOST_LISTED);
  if (kept.length > 0) summary.land.kept = kept;
  else delete summary.land.kept;
}

/**
 * Stores coast lines of a source. The land of boundaries near one that is new or changed is then pending, and if there is
 * one, that of all boundaries for which no coast was found before.
 */
async function putCoastLines(tx: Queryable, source: string, lines: readonly CoastLine[]): Promise<void> {
  const changed: Box[] = [];
  for (const batch of batches(lines, ({ coords }) => coords.byteLength + 100)) {
    const boxes = batch.map(({ coords }) => chainBox(coords));
    const rows = await tx.query(loadQuery('land_put_coast'), [
      source,
      batch.map(({ id }) => id),
      batch.map(({ version }) => version),
      batch.map(({ coords }) => bytesOf(coords)),
      ...sides(boxes),
    ]);
    changed.push(...rows);
  }
  if (changed.length > 0) await tx.query(loadQuery('land_mark_open'));
  await markAround(tx, 'land_mark_around', changed);
}

/**
 * Stores the land polygons of a source in place of those it had, and works out the land of the boundaries around what
 * changed. The caller holds TOPOLOGY_LOCK.
 */
export async function replaceLand(
  run: LandRun,
  source: SourceInfo,
  lines: readonly CoastLine[],
  extent: LandExtent,
): Promise<void> {
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    await tx.query(loadQuery('store_put_source'), sourceColumns(source));
    await dropLines(tx, source.id, lines);
    const covers = await tx.query(loadQuery('land_put_set'), [source.id, ...extent.box, extent.stated]);
    await putCoastLines(tx, source.id, lines);
    // Its polygons may be the same and cover more or less than before.
    const boxes = covers.length === 0 ? [] : lines.map(({ coords }) => chainBox(coords));
    await markAround(
      tx,
      'land_mark_around',
      boxes.map(([west, south, east, north]) => ({ west, south, east, north })),
    );
  });
  await renewLand(run);
}

/**
 * Removes the coast lines of a source, and works out the land of the boundaries around them without these, in the
 * caller's transaction. The caller holds TOPOLOGY_LOCK.
 */
export async function dropCoast(run: LandRun, source: string): Promise<void> {
  const db = withImportTimeout(run.db);
  await dropLines(db, source, []);
  await db.query(loadQuery('land_drop_set'), [source]);
  if (source === OSM_COAST) await db.query(loadQuery('land_drop_extents'));
  await dropWater(db, source);
  await renewLand(run);
}

/** Removes the lines of a source that are not among `kept`. The land of boundaries near them is then pending. */
async function dropLines(tx: Queryable, source: string, kept: readonly CoastLine[]): Promise<void> {
  await markAround(
    tx,
    'land_mark_around',
    await tx.query(loadQuery('land_drop_coast'), [source, kept.map(({ id }) => id)]),
  );
}

/** Works out the land of all boundaries that are pending, and their land without inland water. */
export async function renewLand(run: LandRun): Promise<void> {
  await renewCoast(run);
  await renewInland(run);
}

/**
 * Works out the land of all boundaries that are pending, and of those that share a border, a parent or a child with one:
 * in one transaction, so that the land of neighbors always fits.
 */
async function renewCoast(run: LandRun): Promise<void> {
  const db = withImportTimeout(run.db);
  const renewal = await boundariesToRenew(db, { arrangements: [LAND, WATER], pending: 'land_pending', atShore: false });
  if (renewal === null) return;
  const { pending, orphans, renewed, around } = renewal;
  run.progress(`land of ${renewed.size} boundaries`);
  const all = await landAround(run, db, around);
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const own = all.filter(({ id }) => renewed.has(id));
    const put = (arrangement: number, part: 'land' | 'water') => {
      const parts = own.map(({ found, by: _, ...one }) => ({ ...one, rings: 'land' in found ? found[part] : [] }));
      return storeParts(run, tx, arrangement, parts, orphans);
    };
    run.progress(`storing the land of ${own.length} boundaries`);
    const land = await put(LAND, 'land');
    run.progress(`storing the water of ${own.length} boundaries`);
    const water = await put(WATER, 'water');
    const reasons = new Map([...water.broken, ...land.broken].map((one) => [one.id, one]));
    const rows = own.map(({ id, found, by }) => rowOf(id, found, land.areas.get(id) ?? 0, by, reasons.get(id)));
    await putJson(tx, loadQuery('land_put'), rows);
    // Those around them are renewed with them.
    await tx.query(loadQuery('inland_mark'), [pending]);
    note(run.summary.land, rows);
  });
}

const cutOf = (part: LandOfBoundary): Cut =>
  'land' in part ? part : { unknown: part.unknown, reason: REASONS[part.why] };

/** What a set of land polygons says of a boundary: nothing where it reaches beyond what the set covers. */
function withinCovered(land: Cut, set: string, covered: Extent, arcs: Iterable<Int32Array>): Cut {
  const beyond = vertexBeyond(covered, arcs);
  if (beyond === null) return land;
  const reason = `it reaches beyond what the land polygons of ${set} cover (${boxText(covered)})`;
  return { unknown: beyond, reason };
}

/** The land of boundaries, worked out together; along OpenStreetMap's coast or, where that leaves it open, the first set that decides. */
async function landAround(run: LandRun, db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const shapes = await db.query(loadQuery('land_shapes'), [ids]);
  const { arcs, refs, refEnd, arcsOf } = await readArcs(db, shapes);
  const boxes = sidesAround(shapes);
  const all = shapes.map(({ id, type, admin_level }) => ({
    id,
    type,
    adminLevel: admin_level,
    found: { unknown: null, reason: 'no coast is stored near it' } as Cut,
    by: null as string | null,
  }));
  const sets = await db.query(loadQuery('land_sets'));
  const covers = new Map(
    sets.map(({ id, west, south, east, north, stated }) => [
      id,
      coveredBox({ box: [west, south, east, north], stated }),
    ]),
  );
  for (const source of [OSM_COAST, ...covers.keys()]) {
    if (all.every(({ found }) => 'land' in found)) break;
    const osm = source === OSM_COAST;
    const lines = await db.query(loadQuery('land_coast_around'), [...boxes, source]);
    const coast = lines.flatMap(({ coords }) => cutLineAtSeam(intsOf(coords)));
    const known = osm ? await knownOf(db, shapes, source) : null;
    if (coast.length === 0 && !known?.parts.some((part) => part > 0)) continue;
    const task = { arcs, refs, refEnd, coast, isPolygons: !osm, gapMeters: GAP_METERS, ...(known && { known }) };
    const vertices = [...arcs, ...coast].reduce((sum, { length }) => sum + length / 2, 0);
    run.progress(
      `cutting ${shapes.length} boundaries along ${coast.length} coast lines of ${source}, ${vertices} vertices`,
    );
    const { boundaries, gaps } = await run.engine.pool.runPatiently('land', task);
    for (const { from, meters } of gaps) {
      if (run.summary.land.gaps.length < MOST_LISTED)
        run.summary.land.gaps.push({ lat: from[1] / 1e7, lon: from[0] / 1e7, meters: Math.round(meters * 10) / 10 });
    }
    boundaries.forEach((part, i) => {
      const one = defined(all[i]);
      const land = cutOf(part);
      // A set of polygons may be of another region: that none of them meets a boundary says nothing.
      if (!osm && 'land' in land && land.land.length === 0) return;
      if ('land' in one.found) return;
      const cut = osm ? land : withinCovered(land, source, defined(covers.get(source)), arcsOf(i));
      if ('land' in cut || one.found.unknown === null) one.found = cut;
      if ('land' in cut) one.by = source;
    });
  }
  return all;
}
