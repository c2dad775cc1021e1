/**
 * The land of boundaries without inland water: shapes of an arrangement of their own. The land parts and the shores of
 * lakes and rivers are put on the integer grid together, as borders and the coast are (land.ts), so that what is left of
 * neighbors fits vertex for vertex. Boundaries of sources that end at the shore are land; their borders are those of no
 * other source, so they are cut apart from the rest.
 */
import Flatbush from 'flatbush';
import { DRY_LAND } from '../../common/arrangements.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import type { Statements } from '../../db/generated/statements.ts';
import { loadQuery } from '../../db/query.ts';
import { putJson } from '../batches.ts';
import { intsOf } from '../ints.ts';
import { cutLineAtSeam } from '../seam.ts';
import { OSM_WATER } from './inland_model.ts';
import { boxText, vertexBeyond } from './land_extent.ts';
import { boundariesToRenew, brokenColumns, readArcs, sidesAround, storeParts } from './parts.ts';
import type { LandRun } from './source_rows.ts';
import { MOST_LISTED, type StoreSummary } from './summary.ts';
import { withImportTimeout } from './topology.ts';

type Shape = Statements['inland_shapes']['row'];
type Water = Statements['inland_around']['row'];

/** What is known of a boundary: rings of its land without inland water, and whether any was cut out; or why it is not known. */
type Found =
  | { readonly dry: readonly Int32Array[]; readonly isCut: boolean }
  | { readonly reason: string | null; readonly place: readonly [x: number, y: number] | null };

/** A row of boundary_inland. */
interface StateRow {
  readonly boundary_id: string;
  readonly state: 'none' | 'some' | 'all' | 'unknown';
  readonly reason: string | null;
  readonly lat: number | null;
  readonly lon: number | null;
}

/**
 * Works out the land without inland water of all boundaries that are pending, and of those that share a border, a parent
 * or a child with one: in one transaction, so that neighbors always fit. The caller holds TOPOLOGY_LOCK.
 */
export async function renewInland(run: LandRun): Promise<void> {
  const db = withImportTimeout(run.db);
  const renewal = await boundariesToRenew(db, { arrangements: [DRY_LAND], pending: 'inland_pending', atShore: true });
  if (renewal === null) return;
  const { orphans, renewed, around } = renewal;
  run.progress(`inland water of ${renewed.size} boundaries`);
  const shapes = around.length === 0 ? [] : await db.query(loadQuery('inland_shapes'), [around]);
  const found = new Map<string, Found>();
  for (const endsAtShore of [false, true]) {
    const some = shapes.filter((shape) => shape.ends_at_shore === endsAtShore);
    for (const [id, one] of await cutAll(run, db, some)) found.set(id, one);
  }
  await run.db.transaction(async (transaction) => {
    const tx = withImportTimeout(transaction);
    const own = shapes.filter(({ id }) => renewed.has(id));
    const parts = own.map(({ id, type, admin_level: adminLevel }) => {
      const one = defined(found.get(id));
      return { id, type, adminLevel, rings: 'dry' in one ? one.dry : [] };
    });
    run.progress(
      `storing the land without inland water of ${parts.filter(({ rings }) => rings.length > 0).length} boundaries`,
    );
    const { broken } = await storeParts(run, tx, DRY_LAND, parts, orphans);
    const reasons = new Map(broken.map((one) => [one.id, one]));
    const rows = own.map(({ id }): StateRow => {
      const why = reasons.get(id);
      return why ? { boundary_id: id, ...brokenColumns(why) } : rowOf(id, defined(found.get(id)));
    });
    await putJson(tx, loadQuery('inland_put_states'), rows);
    note(run, rows);
  });
}

function rowOf(boundary_id: string, found: Found): StateRow {
  if (!('dry' in found)) {
    const [lon, lat] = found.place ?? [null, null];
    return { boundary_id, state: 'unknown', reason: found.reason, lat, lon };
  }
  const state = !found.isCut ? 'none' : found.dry.length > 0 ? 'some' : 'all';
  return { boundary_id, state, reason: null, lat: null, lon: null };
}

/** The latest row of each boundary that an import renewed: it may renew one in several of its parts. */
const latest = new WeakMap<StoreSummary, Map<string, StateRow>>();

/** Counts boundaries in the summary of an import, and lists those of which it is unknown although there is inland water. */
function note({ summary }: LandRun, rows: readonly StateRow[]): void {
  const all = latest.get(summary) ?? new Map<string, StateRow>();
  latest.set(summary, all);
  for (const row of rows) all.set(row.boundary_id, row);
  const unknown = [...all.values()].filter(({ state }) => state === 'unknown');
  const broken = unknown.flatMap(({ boundary_id: id, reason, lat, lon }) =>
    reason !== null && lat !== null && lon !== null ? [{ id, reason, lat: lat / 1e7, lon: lon / 1e7 }] : [],
  );
  summary.inland = {
    known: all.size - unknown.length,
    unknown: unknown.length,
    broken: broken.slice(0, MOST_LISTED),
  };
}

/** The land without inland water of boundaries, worked out together: each by OpenStreetMap, or the first file that covers it. */
async function cutAll(run: LandRun, db: Queryable, shapes: readonly Shape[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>();
  const cuttable: Shape[] = [];
  for (const shape of shapes) {
    if (shape.arcs !== null) cuttable.push(shape);
    else if (shape.state === 'water') found.set(shape.id, { dry: [], isCut: false });
    else found.set(shape.id, { reason: 'its land is not known', place: null });
  }
  if (cuttable.length === 0) return found;
  const { arcs, refs, refEnd, arcsOf } = await readArcs(db, cuttable);
  const deciding = await sourcesOf(db, cuttable, arcsOf);
  const boxes = sidesAround(cuttable);
  cuttable.forEach(({ id }, i) => {
    const by = defined(deciding[i]);
    if (by.source === null) found.set(id, { reason: by.reason, place: null });
  });
  for (const source of new Set(deciding.flatMap((by) => by.source ?? []))) {
    const water = await db.query(loadQuery('inland_around'), [...boxes, source]);
    const shores = water.flatMap(({ reason, coords, ring_end }) =>
      reason === null ? ringsOf(intsOf(coords), ring_end).flatMap((ring) => cutLineAtSeam(ring)) : [],
    );
    run.progress(`cutting ${cuttable.length} boundaries along ${shores.length} shores of ${source}`);
    const task = { arcs, refs, refEnd, coast: shores, isPolygons: true, gapMeters: 0 };
    const { boundaries } = await run.engine.pool.runPatiently('land', task);
    const troubles = unknownIn(
      cuttable,
      water.filter(({ reason }) => reason !== null),
    );
    cuttable.forEach(({ id }, i) => {
      if (defined(deciding[i]).source !== source) return;
      const cut = defined(boundaries[i]);
      const trouble = troubles.get(id);
      if (trouble) found.set(id, trouble);
      else if ('land' in cut) found.set(id, { dry: cut.water, isCut: cut.land.length > 0 });
      else found.set(id, { reason: 'its shores cannot be put together', place: cut.unknown });
    });
  }
  return found;
}

type Deciding = { readonly source: string } | { readonly source: null; readonly reason: string | null };

/** Per boundary, the source that says which inland water it has, or why none does. */
async function sourcesOf(
  db: Queryable,
  shapes: readonly Shape[],
  arcsOf: (i: number) => readonly Int32Array[],
): Promise<Deciding[]> {
  const sets = await db.query(loadQuery('inland_sets'));
  return shapes.map((shape, i): Deciding => {
    if (shape.least_km2 !== null) return { source: OSM_WATER };
    let reason: string | null = null;
    for (const { id, west, south, east, north } of sets) {
      const covered = [west, south, east, north] as const;
      if (vertexBeyond(covered, arcsOf(i)) === null) return { source: id };
      reason ??= `it reaches beyond what ${id} covers (${boxText(covered)})`;
    }
    return { source: null, reason };
  });
}

/** The rings of a lake. */
function ringsOf(coords: Int32Array, ringEnd: readonly number[]): Int32Array[] {
  return ringEnd.map((end, i) => coords.slice(2 * (ringEnd[i - 1] ?? 0), 2 * end));
}

/**
 * The boundaries that may have inland water with an unknown shape: those whose box meets the box of what is known of it, as it
 * may fill any of that.
 */
function unknownIn(shapes: readonly Shape[], broken: readonly Water[]): Map<string, Found> {
  const found = new Map<string, Found>();
  if (broken.length === 0) return found;
  const boxes = new Flatbush(broken.length);
  for (const { west, south, east, north } of broken) boxes.add(west, south, east, north);
  boxes.finish();
  for (const { id, west, south, east, north } of shapes) {
    const [left, right] = west > east ? [-1_800_000_000, 1_800_000_000] : [west, east];
    const [first] = boxes.search(left, south, right, north).sort((a, b) => a - b);
    if (first === undefined) continue;
    const { id: water, reason, coords } = defined(broken[first]);
    const [x, y] = intsOf(coords);
    found.set(id, { reason: `${water}: ${reason}`, place: [defined(x), defined(y)] });
  }
  return found;
}
